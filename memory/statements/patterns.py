"""The expressions of this package, read from the data files beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

import yaml

from memory.text import fold

END = r"(?=$|[,，。;；!！?？(（]|(?:了|啦|喔|哦|唷|吧|呢)$)"
_NAME = (
    r"\s?[「『\"'“‘《]?(?P<v>[^\s,，。「」『』\"'“”!！?？、;；的]{1,20}?(?: [a-z][^\s,，。]{0,20}){0,2})"
    r"[」』\"'”’》]?(?:[呢啊喔哦了啦唷耶]|就好|就可以|就行)?" + END
)
_LATIN = (
    r"[\"']?(?P<v>[^\s,.!?\"']{1,20}"
    r"(?: (?!and\b|but\b|now\b|not\b|instead\b|because\b|from\b)[^\s,.!?\"']{1,20}){0,2})[\"']?"
)


_HAN = re.compile(r"[\u3400-\u9fff]+")


def expression(text: str) -> re.Pattern[str]:
    """Compile an expression whose Chinese is written in either script, for folded text."""
    return re.compile(_HAN.sub(lambda match: fold(match.group()), text))


@lru_cache(maxsize=8)
def patterns(file: str) -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """Compile a file of expressions; they are written for folded text."""
    text = (resources.files("memory.statements") / file).read_text(encoding="utf-8")
    loaded: dict[str, list[str]] = yaml.safe_load(text)
    return {name: tuple(map(_compile, written)) for name, written in loaded.items()}


def _compile(written: str) -> re.Pattern[str]:
    named = written.replace("{name}{tail}", _NAME).replace("{latin}", _LATIN).replace("{end}", END)
    return expression(named)


def search(file: str, name: str, text: str) -> re.Match[str] | None:
    """Return the first match of the expressions under a name."""
    return next((m for p in patterns(file)[name] if (m := p.search(text))), None)


def value_of(match: re.Match[str]) -> str:
    """Return the groups of a match that took part, joined."""
    return "".join(group for group in match.groups() if group).strip()
