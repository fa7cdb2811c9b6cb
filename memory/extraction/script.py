"""Keeps a model's sentence in the language and script of the person who spoke."""

from __future__ import annotations

import re
from functools import lru_cache

import opencc

from memory.extraction.screens import speech_of
from memory.text import fold_same_length, has_cjk

_KANA = re.compile(r"[\u3040-\u30ff]")


@lru_cache(maxsize=2)
def _converter(name: str) -> opencc.OpenCC:
    return opencc.OpenCC(name)


def is_traditional(text: str) -> bool:
    """Whether a text holds a character that Simplified script writes otherwise."""
    return any(has_cjk(c) and fold_same_length(c) != c for c in text)


def is_simplified(text: str) -> bool:
    """Whether a text is Chinese that Traditional script writes otherwise, and holds nothing Traditional."""
    return not is_traditional(text) and _converter("s2tw").convert(text) != text


def same_language(sentence: str, message: str) -> bool:
    """Whether a sentence is written in the language family of the message (Chinese, Japanese, Latin)."""
    said, spoken = speech_of(fold_same_length(sentence)), speech_of(fold_same_length(message))
    if spoken == "zh":
        return said == "zh"
    if spoken == "ja":
        return said == "ja" or (said == "zh" and _KANA.search(sentence) is None)
    return True


def in_script_of(sentence: str, message: str, language: str) -> str:
    """Return a Chinese sentence in the script the person writes.

    Only a model's own sentence ever comes here, never the person's words: models drift to
    Simplified. A message that tells nothing (我叫小明) is written as its language is.
    """
    if speech_of(fold_same_length(sentence)) != "zh":
        return sentence
    if is_traditional(message):
        wanted = "traditional"
    elif is_simplified(message):
        wanted = "simplified"
    else:
        wanted = "simplified" if language.lower() in {"zh-cn", "zh-hans", "zh-sg"} else "traditional"
    if wanted == "traditional" and is_simplified(sentence):
        return str(_converter("s2tw").convert(sentence))
    if wanted == "simplified" and is_traditional(sentence):
        return str(_converter("t2s").convert(sentence))
    return sentence
