"""A message cut into clauses, bare of particles and of her name, and what its patterns hear in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.extraction.lexicon import folded_speech
from memory.text import has_cjk
from persona.patterns import folded, load_patterns

_CUT = re.compile(r"(?:(?<=[\u3400-\u9fff]) +(?=[\u3400-\u9fff])|[,，、。.!！?？~～\n；;…])+")
_OPENERS = re.compile(
    r"^(?:欸|誒|诶|ㄟ|那個|那个|對了|对了|話說|话说|嘿|喂|然後|然后|所以|而且|但是|不過|不过|唉|啊|呃|其實|其实"
    r"|(?:嗨+|哈囉|哈啰|安安|你好|妳好)(?=我)"
    r"|ねえ|ねぇ|あの|えっと|ところで|そういえば|hey|so|well|oh|um|by the way|btw|and|but)[\s,，]*(?=..)"
)
_PARTICLES = "啊呀喔哦耶欸唷呦囉啰咯齁捏ㄉㄋ啦嘛哈阿哟诶ねよわさぞ"
# Words whose last character is no particle: 幹嘛 asks, 哈囉 greets.
_NO_PARTICLE = tuple(map(folded, ("幹嘛", "哈哈", "哈囉", "のよ")))
_EMOJI = re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27bf\ufe0f\u200d\u2190-\u21ff]|<a?:\w+:\d+>|:\w+:")
_FACE = re.compile(r"^[\s()（）;:=^<>/\\|_.*ﾟ°´`'\"~\-ωдT口QqOoDdPpXx3>&@#ﾉノ✧∀ 。、・︶╯╰┻━♡♪]+$")


@dataclass(frozen=True, slots=True)
class Heard:
    """A pattern that matched: its key, what it is about, the clause it stood in."""

    key: str
    topic: str
    clause: str


def clauses_of(text: str, names: Iterable[str] = ()) -> list[str]:
    """Return the folded clauses of a message; a question keeps its mark, particles and her name go."""
    called_names = tuple(names)
    seen = folded_speech(_EMOJI.sub(" ", text)).replace("’", "'")
    for name in sorted(map(folded, called_names), key=len, reverse=True):
        seen = re.sub(rf"^({_GREETS})(?:{re.escape(name)})+(?=.)", r"\1,", seen)
        if not has_cjk(name):
            seen = re.sub(rf"\b{re.escape(name)}\b[,，\s]*", "", seen)
        elif seen.startswith(name) and not _asks_name(seen, name):
            while seen.startswith(name):
                seen = seen[len(name) :]
            seen = seen or name
        elif _called_at_the_end(seen, name):
            seen = re.sub(rf"(?:{name})+(?=[。.!！?？~～,， {_PARTICLES}]*$)", "", seen)
            seen = re.sub(rf"(?:{name})+(?=[!！~～,， ])", " ", seen)
        elif seen.rstrip("。.!！?？~～ ").endswith((f",{name}", f"，{name}", f" {name}")):
            seen = seen.replace(name, "")
    parts, start = [], 0
    for cut in _CUT.finditer(seen):
        parts.append(_bare(seen[start : cut.start()], "?" in cut.group() or "？" in cut.group()))
        start = cut.end()
    parts.append(_bare(seen[start:], asked=False))
    called = set(map(folded, called_names))
    return [part for part in parts if part.strip("?") and part.strip("? ") not in called]


def hear(name: str, language: str, clauses: Sequence[str]) -> list[Heard]:
    """Return what a grammar hears in the clauses, in the grammar's order of priority."""
    found = []
    for key, patterns in load_patterns(name, language).items():
        for clause in clauses:
            match = next((m for p in patterns if (m := p.search(clause))), None)
            if match is not None:
                topic = match.groupdict().get("topic") or ""
                found.append(Heard(key, topic.strip(), clause))
                break
    return found


def only_marks(text: str) -> str:
    """Return ``?`` for a lone question mark, ``.`` for dots, "" for anything else."""
    bare = folded(text).strip()
    if bare and not bare.strip("?!"):
        return "?"
    return "." if bare and not bare.strip("。.…~,、- ") else ""


def only_emoji(text: str) -> bool:
    """Whether there is nothing but emoji, stickers or a face."""
    rest = _EMOJI.sub("", text).strip()
    return bool(text.strip()) and (not rest or (len(rest) <= 12 and _FACE.match(rest) is not None))


_GREETS = f"(?:嗨+|哈[啰喽]|早安?|午安|晚安|安安|你好|您好|嘿+|欸+|喂|hi+|hello|hey)[{_PARTICLES} ]*"
# Words before a name that speak of her instead of calling her.
_SPEAKS_OF = re.compile(r"(?:叫|是|喜欢|爱|讨厌|跟|和|与|给|找|为|的|想|抱|摸|对|把|让|被|像|有|谢谢?)$")


def _called_at_the_end(seen: str, name: str) -> bool:
    """Whether the first clause ends in her name as one calls it out, right after a greeting."""
    match = re.match(
        rf"(?P<before>[^,，。.!！?？~～ ]{{1,6}}?){re.escape(name)}+(?=[。.!！?？~～,， {_PARTICLES}]|$)",
        seen,
    )
    return match is not None and _SPEAKS_OF.search(match["before"]) is None


def _asks_name(seen: str, name: str) -> bool:
    return seen[len(name) :].startswith(("是谁", "是什么"))


_NOISE = re.compile(r"(?:哈{2,}|呜{2,}|呵{2,}|嘿{2,}|嘻{2,}|x+d+|q{2,}|orz|www+)$")
_LEADING_NOISE = re.compile(r"^(?:哈{2,}|呜{2,}|呵{2,}|嘿{2,}|嘻{2,})")


def _without_noise(clause: str) -> str:
    """Cut laughter and crying off the ends of what says more."""
    bare = _LEADING_NOISE.sub("", _NOISE.sub("", clause)).strip()
    return bare or clause


def _bare(clause: str, asked: bool) -> str:
    clause = _EMOJI.sub("", clause).strip()
    clause = _OPENERS.sub("", clause).strip()
    clause = _without_noise(clause)
    while len(clause) > 1 and clause[-1] in _PARTICLES and not clause.endswith(_NO_PARTICLE):
        clause = clause[:-1].rstrip()
    return f"{clause}?" if asked and clause else clause
