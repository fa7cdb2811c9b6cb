"""Words that match: BM25 over one person's sentences, blind to script and to English endings."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from importlib import resources
from operator import add
from typing import Self

from memory.text import fold

K1 = 1.2
# Half the usual weight of length: sentences of a chat are short and differ little (LoCoMo turns, recall@10
# 59 -> 61 against 0.75; observations and MemoryBank-zh no worse).
B = 0.5

_CJK_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_SEPARATOR = "\x00"
_WORD = re.compile(r"[a-z0-9\u00df-\u024f]+(?:'[a-z]+)?")
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")

# Endings are only cut where a stem of some length stays.
_ENDINGS = ("ing", "edly", "ied", "ies", "ed", "es", "ly", "s")
_SHORTEST_STEM = 3
# Longer words meet in their first letters (LoCoMo: 5, 6 and 7 alike, all better than whole words).
_LONGEST_STEM = 6


@lru_cache(maxsize=2)
def _terms_of(name: str) -> frozenset[str]:
    text = (resources.files("memory") / name).read_text(encoding="utf-8")
    return frozenset(term for line in text.splitlines() if not line.startswith("#") for term in line.split())


def _stop_terms() -> frozenset[str]:
    return _terms_of("stop_terms.txt")


def content_terms(text: str) -> list[str]:
    """Return what a text is about as folded terms: CJK bigrams and stemmed words, without filler.

    A CJK run of one character is its own term. Repeated terms stay repeated.
    """
    return _terms_in(fold(text), _stop_terms())


def _terms_in(folded: str, stop: frozenset[str]) -> list[str]:
    terms = [stem(word) for word in _WORD.findall(folded) if word not in stop]
    for run in _CJK_RUN.findall(folded):
        if len(run) == 1:
            terms.append(run)
            continue
        pairs = [pair for pair in map(add, run, run[1:]) if pair not in stop]
        if _HIRAGANA.search(run):
            pairs = [pair for pair in pairs if not _HIRAGANA.fullmatch(pair)]
        terms += pairs
    return terms


def is_bare_question(text: str) -> bool:
    """Whether a text names nothing to look for: 我說了什麼, what did I say. Empty texts do not either."""
    folded, asking = fold(text), _terms_of("asking_terms.txt")
    characters = frozenset("".join(term for term in asking if not term.isascii()))
    return all(word in asking or word in _stop_terms() for word in _WORD.findall(folded)) and all(
        character in characters or _HIRAGANA.match(character)
        for run in _CJK_RUN.findall(folded)
        for character in run
    )


def stem(word: str) -> str:
    """Cut the commonest English endings, lightly: ``dancing`` and ``dances`` meet in ``danc``."""
    word = word.partition("'")[0]
    if word.isdigit():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            if ending == "s" and word.endswith("ss"):
                break
            cut = word[: -len(ending)] + ("y" if ending in ("ied", "ies") else "")
            if len(cut) > _SHORTEST_STEM and cut[-1] == cut[-2] and cut[-1] not in "lsz":
                cut = cut[:-1]
            word = cut
            break
    if word.endswith("e") and len(word) > _SHORTEST_STEM:
        word = word[:-1]
    return word[:_LONGEST_STEM]


class LexicalIndex:
    """BM25 over a fixed list of sentences: built for one query over one person, or for many queries.

    ``only`` restricts it to the terms of a query, which makes it several times cheaper to build.
    """

    def __init__(self, texts: Iterable[str], only: Collection[str] | None = None) -> None:
        self._fill(terms_of_all(list(texts)), only)

    @classmethod
    def of_terms(cls, sentences: Sequence[Sequence[str]], only: Collection[str] | None = None) -> Self:
        """Build it over sentences that are read into terms already."""
        index = cls(())
        index._fill(sentences, only)
        return index

    def _fill(self, sentences: Sequence[Sequence[str]], only: Collection[str] | None) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = {}
        self._lengths = [len(terms) for terms in sentences]
        wanted = None if only is None else frozenset(only)
        for row, terms in enumerate(sentences):
            if wanted is not None and wanted.isdisjoint(terms):
                continue
            counts = Counter(terms if wanted is None else [term for term in terms if term in wanted])
            for term, count in counts.items():
                self._postings.setdefault(term, []).append((row, count))
        total = len(self._lengths)
        self._mean = (sum(self._lengths) / total if total else 0.0) or 1.0

    def raw_scores(self, query: str) -> list[float]:
        """Return the BM25 score of every sentence, in order."""
        scores = [0.0] * len(self._lengths)
        for term in dict.fromkeys(content_terms(query)):
            postings = self._postings.get(term)
            if postings is None:
                continue
            weight = self._idf(len(postings))
            for row, count in postings:
                length = 1 - B + B * self._lengths[row] / self._mean
                scores[row] += weight * count * (K1 + 1) / (count + K1 * length)
        return scores

    def scores(self, query: str) -> list[float]:
        """Return scores in 0..1: the BM25 score over the best one of this query."""
        raw = self.raw_scores(query)
        best = max(raw, default=0.0)
        return [score / best for score in raw] if best > 0 else raw

    def _idf(self, found_in: int) -> float:
        return math.log1p((len(self._lengths) - found_in + 0.5) / (found_in + 0.5))


def lexical_scores(query: str, texts: Sequence[str]) -> list[float]:
    """Return how well the words of each text answer the query, 0..1, in order."""
    return scores_of_terms(query, terms_of_all(texts))


def scores_of_terms(query: str, sentences: Sequence[Sequence[str]]) -> list[float]:
    """Return the same for texts that are read into terms already."""
    return LexicalIndex.of_terms(sentences, frozenset(content_terms(query))).scores(query)


def terms_of_all(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the terms of many texts: those of :func:`content_terms`, at a fraction of the cost each."""
    stop = _stop_terms()
    return [tuple(_terms_in(folded, stop)) for folded in _fold_all(texts)]


def _fold_all(texts: Iterable[str]) -> list[str]:
    """Fold many texts in one call of the converter, which costs most of a call."""
    cleaned = [text.replace(_SEPARATOR, " ") for text in texts]
    return fold(_SEPARATOR.join(cleaned)).split(_SEPARATOR) if cleaned else []


_ZH_USER = re.compile(r"(?:使用者|用戶|用户)(?!介面|界面|體驗|体验|名稱|名称)")
_JA_USER = re.compile(r"(?:この)?(?:ユーザー?|利用者)(?:さん)?(?!インター|名|エクス)")
_EN_USERS = re.compile(r"\b[Tt]he user's\b|^User's\b")
_EN_USER = re.compile(r"\b[Tt]he user\b|^User\b")


def embedding_text(text: str) -> str:
    """Return a stored sentence as the person would say it: 使用者討厭香菜 -> 我討厭香菜, for embedding only.

    People speak of themselves as 我, so their messages lie nearer to such a sentence (R@1 64 -> 68
    over 168 zh-TW facts). What is stored and shown stays as it is.
    """
    text = _ZH_USER.sub("我", text)
    text = _JA_USER.sub("私", text)
    return _EN_USER.sub("I", _EN_USERS.sub("my", text))
