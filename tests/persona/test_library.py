"""Characters are data: found, loaded, complete, and refused with a line that helps."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import persona
from memory.catalog import LANGUAGES
from persona.character import OUR_EXTENSION, CharacterError
from persona.failures import Failure
from persona.library import character_id_for, list_characters, load_character, save_character
from persona.variants import places_in

CODE = Path(persona.__file__).parent
FREQUENT = [
    "greeting.morning",
    "thanks",
    "goodbye",
    "compliment",
    "insult",
    "laugh",
    "ack",
    "listen",
    "mood.tired",
    "mood.sad",
    "mood.stressed",
    "mood.happy",
    "mood.bored",
    "mood.angry",
    "recall.known",
    "question.any",
]


def test_both_characters_are_there() -> None:
    assert {"lily", "shike"} <= set(list_characters())


@pytest.mark.parametrize("character_id", ["lily", "shike"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("failure", Failure)
def test_every_failure_has_words(character_id: str, language: str, failure: Failure) -> None:
    own = load_character(character_id).replies[language][f"failure.{failure.value}"]
    assert len(set(own)) >= 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plain_voice_is_complete_in_every_language(language: str) -> None:
    # a character of the host's own speaks with the plain voice alone
    keys = {tag: set(load_character("shike").replies[tag]) for tag in LANGUAGES}
    assert keys[language] == keys["zh-TW"]


def test_her_frequent_answers_have_at_least_twelve_variants() -> None:
    lily = load_character("lily")
    assert {
        key: len(set(lily.variants(key, "zh-TW")))
        for key in FREQUENT
        if len(set(lily.variants(key, "zh-TW"))) < 12
    } == {}


@pytest.mark.parametrize("character_id", ["lily", "shike"])
def test_every_template_asks_only_for_values_that_exist(character_id: str) -> None:
    known = {
        "char", "you", "name", "old", "fact", "phrase", "outcome", "days", "time", "date", "weekday", "thing",
        "before", "was", "happening", "recap", "event", "when", "noun",
    }  # fmt: skip
    for texts in load_character(character_id).replies.values():
        for key, variants in texts.items():
            assert all(places_in(variant) <= known for variant in variants), key


def test_no_character_is_named_in_code() -> None:
    names = {name for one in ("lily", "shike") for name in (*load_character(one).names, one)}
    found = []
    for file in sorted(CODE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != OUR_EXTENSION:
                found += [(file.name, name) for name in names if name.lower() in node.value.lower()]
    assert found == []


def test_the_second_character_speaks_otherwise() -> None:
    lily, shike = load_character("lily"), load_character("shike")
    assert not set(lily.variants("listen", "zh-TW")) & set(shike.variants("listen", "zh-TW"))
    assert shike.name_in("en") == "Shike"
    assert lily.name_in("ja") == "リリィ"


def write(folder: Path, text: str, lore: str | None = None) -> None:
    (folder / "own").mkdir()
    (folder / "own" / "character.yaml").write_text(text, encoding="utf-8")
    if lore is not None:
        (folder / "own" / "lore.yaml").write_text(lore, encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "lore", "names"),
    [
        ("data: {}", None, r"own/character.yaml: field data.name is missing; add it"),
        ("data: {name: ''}", None, r"field data.name is empty"),
        ("data: {name: '   '}", None, r"field data.name is blank"),
        ("data: {name: [1]}", None, r"field data.name is not text"),
        ("data: {name: a, tags: 5}", None, r"field data.tags"),
        ("[1, 2]", None, r"expected fields at the top"),
        ("data: 7", None, r"field data: expected"),
        ("data: {name: 'a", None, r"line \d+: not valid YAML"),
        ("data: {name: a}", "lore: 5", r"own/lore.yaml: field lore: expected a list"),
        ("data: {name: a}", "lore: [5]", r"field lore.0: expected fields"),
        ("data: {name: a}", "lore: [{id: x}]", r"field lore.0.text is missing"),
        ("data: {name: a}", "lore: [{id: x, text: y, colour: z}]", r"field lore.0.colour is not known"),
        ("data: {name: a}", "lore: [{id: x, text: y}, {id: x, text: z}]", r"id 'x' is there twice"),
    ],
)
def test_a_broken_file_is_refused_with_field_and_fix(
    tmp_path: Path, text: str, lore: str | None, names: str
) -> None:
    write(tmp_path, text, lore)
    with pytest.raises(CharacterError, match=names) as caught:
        load_character("own", tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["nobody", "../lily", "", ".", "a/b", "C:\\x"])
def test_an_unknown_character_names_the_known_ones(name: str, tmp_path: Path) -> None:
    with pytest.raises(CharacterError, match="choose one of: lily, shike"):
        load_character(name, tmp_path)


def test_a_broken_reply_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "data: {name: a}")
    (tmp_path / "own" / "replies.en.yaml").write_text("thanks: [5]", encoding="utf-8")
    with pytest.raises(CharacterError, match=r"own/replies.en.yaml: field thanks"):
        load_character("own", tmp_path)


def test_a_saved_character_is_never_overwritten(tmp_path: Path) -> None:
    file = {"data": {"name": "貓"}}
    save_character(tmp_path, "cat", file, ())
    with pytest.raises(CharacterError, match="exists already"):
        save_character(tmp_path, "cat", file, ())
    with pytest.raises(CharacterError, match="exists already"):
        save_character(tmp_path, "lily", file, ())
    assert list_characters(tmp_path)[-1] == "cat"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Mi Mi!", "mi-mi"), ("咪咪 二號", "咪咪-二號"), ("../..", "character"), ("", "character")],
)
def test_a_name_becomes_a_folder_name(name: str, expected: str) -> None:
    assert character_id_for(name) == expected
