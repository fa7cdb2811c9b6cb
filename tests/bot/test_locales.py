from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
import yaml

from memory.catalog import LANGUAGES

FOLDER = Path(__file__).parents[2] / "bot" / "locales"
CODE = Path(__file__).parents[2] / "bot"


def texts(language: str) -> dict[str, Any]:
    loaded = yaml.safe_load((FOLDER / f"{language}.yaml").read_text(encoding="utf-8"))
    return dict(leaves(loaded))


def leaves(value: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves(inner, f"{above}.{key}" if above else str(key))
    else:
        yield above, value


def places(text: Any) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(str(text)) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts(language: str) -> None:
    assert texts(language).keys() == texts("zh-TW").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fills_the_same_places(language: str) -> None:
    reference = texts("zh-TW")
    for key, text in texts(language).items():
        assert places(text) == places(reference[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_one_line_and_not_empty(language: str) -> None:
    for key, text in texts(language).items():
        for line in text if isinstance(text, list) else [text]:
            assert isinstance(line, str), key
            assert "\n" not in line, key
            assert line or key.endswith("columns"), key


def test_lists_are_as_long_in_every_language() -> None:
    for key, text in texts("zh-TW").items():
        if isinstance(text, list):
            assert all(len(texts(language)[key]) == len(text) for language in LANGUAGES), key


def test_english_has_no_chinese_and_chinese_no_simplified_only_characters() -> None:
    import opencc

    assert not any(re.search(r"[\u3400-\u9fff]", str(text)) for text in texts("en").values())
    to_taiwan = opencc.OpenCC("s2t")
    for key, text in texts("zh-TW").items():
        assert set(str(text)) >= set(to_taiwan.convert(str(text))) - set("裏爲臺纔"), key


def test_every_error_line_is_used() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in CODE.rglob("*.py"))
    for key in texts("zh-TW"):
        if key.startswith("errors.") and "kinds." not in key:
            assert re.search(rf"[\"'.]{re.escape(key.rpartition('.')[2])}\b", code), key
