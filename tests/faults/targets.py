"""Everything that reads outside text, each with hostile input and what must hold whatever it is given."""

from __future__ import annotations

import asyncio
import json
import logging
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from hypothesis import strategies as st

from bot.discord.splitting import join, length, split
from bot.errors import UserError
from bot.replay.script import read_script
from bot.settings import load_settings
from bot.settings.sources import packaged_config
from llm.structured import Unfit, read
from memory.catalog import Catalog, load_catalog
from memory.extraction.model_extractor import accepted
from memory.extraction.prompts import FoundFacts
from memory.extraction.types import ExtractionRequest
from memory.grounding.resolver import resolve
from memory.legacy import LegacyRow, from_legacy
from memory.places import InvalidPlace, Place
from memory.policy import MemoryPolicy
from memory.recollection import Recollection
from memory.relations.model_judge import _aligned
from memory.relations.prompts import Judgement
from memory.transfer import TransferError, parse_lines
from persona.card import CardError, import_card
from persona.companion import Companion
from persona.library import character_id_for, load_character, save_character
from persona.situation import Situation
from tests.bot.command_line import lily
from tests.faults.hostile import anything, as_bytes, decoded, json_texts, pictures, scalars, spoilt, texts
from tests.support.models import ScriptedChat

AT = datetime(2026, 9, 12, 13, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Target:
    """Something that reads, what it is given, and what must hold. ``costly``: fewer examples."""

    name: str
    given: st.SearchStrategy[Any]
    holds: Callable[[Any], None]
    costly: bool = False


def one_line(text: str) -> None:
    """Hold a line for a person to its form: one line, not empty, no traceback, not endless."""
    assert text.strip() and "\n" not in text and "Traceback" not in text
    assert "something broke inside" not in text, text
    assert len(text) < 2000, len(text)


@cache
def english() -> Catalog:
    return load_catalog("bot", "en")


# Character cards

ENTRY = {"keys": ["海"], "content": "她住在海邊。", "enabled": True, "insertion_order": 1, "constant": False}
FIELDS = {
    "name": "阿福",
    "description": "管家",
    "personality": "穩重",
    "scenario": "宅邸",
    "first_mes": "少爺。",
    "mes_example": "<START>",
    "system_prompt": "",
    "tags": ["a"],
    "alternate_greetings": ["早"],
    "character_book": {"entries": [ENTRY]},
    "extensions": {},
    "nickname": "福",
}
cards = st.one_of(
    spoilt({"spec": "chara_card_v3", "spec_version": "3.0", "data": FIELDS}),
    spoilt({"spec": "chara_card_v2", "spec_version": "2.0", "data": FIELDS}),
    spoilt(FIELDS),
    anything,
)


def card_holds(raw: bytes) -> None:
    try:
        card = import_card(raw)
    except CardError as error:
        one_line(str(error))
        return
    with tempfile.TemporaryDirectory() as folder:
        character_id = character_id_for(card.name)
        save_character(Path(folder), character_id, card.file, card.lore)
        character = load_character(character_id, Path(folder))
        assert character.name_in("zh-TW").strip()
        for note in card.notes:
            one_line(note)


# Files of lines

MEMORY = {
    "user_id": "u1",
    "text": "使用者喜歡下雨",
    "category": "preference",
    "created_at": "2026-09-12T21:30:00+08:00",
    "places": ["dm"],
    "flags": [],
    "type": "memory",
    "kind": "VERSIONED",
    "language": "zh-TW",
    "expires_at": None,
}
EVENT = {
    "type": "event",
    "at": "2026-09-12T21:30:00+08:00",
    "action": "added",
    "actor": "x",
    "snapshot": MEMORY,
}
PERSON = {"type": "settings", "user_id": "u1", "zone": "Asia/Taipei", "language": "zh-TW", "check_ins": True}
imports = st.lists(
    json_texts(
        st.one_of(
            spoilt(
                MEMORY,
                ("valid_from", "valid_to", "precision", "zone", "when_text", "id", "attribute", "archived"),
            ),
            spoilt(EVENT),
            spoilt(PERSON),
            anything,
        )
    ),
    max_size=3,
)
SAY = {"at": "2026-09-12T21:30:00+08:00", "user": "u1", "place": "dm", "say": "我下週二有期末考"}
TICK = {"at": "2026-09-12T21:31:00+08:00", "tick": True}
SETTINGS = {
    "settings": {"timezone": "Asia/Tokyo", "language": "ja", "check_ins": True, "quiet_hours": "23:00-08:00"}
}
scripts = st.lists(
    json_texts(st.one_of(spoilt(SAY, ("id", "settings")), spoilt(TICK), spoilt(SAY | SETTINGS), anything)),
    max_size=3,
)


def import_holds(lines: Sequence[str]) -> None:
    try:
        parsed = parse_lines(map(decoded, lines), "lily", MemoryPolicy())
    except TransferError as error:
        for problem in error.problems:
            one_line(problem)
            assert problem.startswith("line ")
        return
    for line in parsed:
        if line.memory is not None:
            line.memory.model_dump_json()


def script_holds(lines: Sequence[str]) -> None:
    try:
        read_script(map(decoded, lines), Path("script.jsonl"))
    except UserError as error:
        assert error.exit_code == 2
        for line in error.texts(english()):
            one_line(line)


def command_holds(command: Sequence[str], file: str) -> Callable[[Any], None]:
    """Return the property of a whole command over a file: 0, 1 or 2, and lines a person can read."""

    def holds(lines: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            raw = lines if isinstance(lines, bytes) else "\n".join(lines).encode("utf-8", "surrogatepass")
            (Path(folder) / file).write_bytes(raw)
            ran = lily(Path(folder), *command)
            assert ran.code in {0, 1, 2}
            for line in ran.errors:
                one_line(line)
            assert (ran.code == 0) or ran.errors
            if ran.code == 2 and "--json" in command:
                assert ran.out == ""

    return holds


# Settings

configs = st.one_of(
    st.sampled_from([{name: part} for name, part in yaml.safe_load(packaged_config()).items()])
    .flatmap(spoilt)
    .map(json.dumps),
    st.builds(yaml.safe_dump, anything.filter(lambda made: "\\ud800" not in json.dumps(made))),
    texts,
    st.sampled_from(
        (
            "a: &a [*a]",
            "a: &a {b: *a}",
            "!!python/object:os.system x",
            "{" * 1000,
            "? - a\n: b",
            "0x: 1",
            "memory: {cap_per_person: 1" + "0" * 5000 + "}",
            "ops: !!binary x",
            "memory: !!timestamp 2026-01-01",
            "a: &x [1,1]\nb: &y [*x,*x,*x,*x,*x,*x,*x,*x]\nc: [*y,*y,*y,*y,*y,*y,*y,*y]",
        )
    ),
)
NAMES = (
    "DISCORD__ACTIVE_CHANNELS",
    "MEMORY__CAP_PER_PERSON",
    "PERSONA__ZONE",
    "OPS__HEALTH_PORT",
    "STORAGE__CHROMA",
    "SCHEDULE__WAKING_FROM",
    "MODELS__CHAT",
    "STORAGE__DATABASE_URL",
    "STORAGE__DATA_DIR",
    "MEMORY",
    "__",
    "A__B__C",
    "MEMORY__WEIGHTS__DECAY",
    "MEMORY__CATEGORIES",
    "PERSONA__CHARACTER",
    "DISCORD__SHARD_IDS",
)
environments = st.dictionaries(st.sampled_from(NAMES).map(lambda name: f"LILY_{name}"), texts, max_size=3)
dotenvs = st.one_of(st.just(b""), st.binary(max_size=40), texts.map(as_bytes))


def settings_hold(given: tuple[str, dict[str, str], bytes]) -> None:
    config, environ, dotenv = given
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.yaml").write_bytes(as_bytes(config))
        (Path(folder) / ".env").write_bytes(dotenv)
        try:
            settings = load_settings(None, environ, Path(folder))
        except UserError as error:
            assert error.exit_code == 2
            for line in error.texts(english()):
                one_line(line)
        else:
            assert settings.memory.cap_per_person > 0


# Models

REQUEST = ExtractionRequest(
    text="我下週二有期末考，我叫小明，好緊張", said_at=AT, zone="Asia/Taipei", language="zh-TW"
)
FACT = {
    "text": "使用者下週二有期末考",
    "quote": "我下週二有期末考",
    "subject": "使用者",
    "category": "schedule",
    "when_text": "下週二",
    "change": "new",
    "outcome": None,
    "sensitive": False,
    "offset": None,
}
FOUND = {"reasoning": "x", "facts": [FACT], "nothing_because": None}
VERDICTS = {"verdicts": [{"id": "C1", "reason": "x", "relation": "CONTRADICT"}]}
answers = st.one_of(json_texts(st.one_of(spoilt(FOUND), spoilt(VERDICTS), anything)), texts)


def structured_holds(text: str) -> None:
    try:
        found = read(text, FoundFacts)
    except Unfit:
        pass
    else:
        for fact in accepted(found.facts, REQUEST):
            assert "".join(fact.quote.split()) in "".join(REQUEST.text.split())
            assert fact.text.strip() and "\n" not in fact.text and len(fact.text) <= 300
    try:
        judged = read(text, Judgement)
    except Unfit:
        return
    logging.getLogger("memory.relations.model_judge").disabled = True
    for count in (1, 2, 3):
        assert len(_aligned(judged, count)) == count


def chat_holds(text: str) -> None:
    async def reply() -> str:
        nothing = Recollection(AT, "Asia/Taipei", "zh-TW", Place.parse("dm"))
        companion = Companion(load_character("lily"), ScriptedChat(text))
        return (await companion.reply(Situation("你好", nothing, AT))).text

    said = asyncio.run(reply())
    said.encode("utf-8")
    assert said.strip()
    assert all(part.shown.strip() and length(part.shown) <= 2000 for part in split(said) if part.body.strip())


# Words


def ground_holds(text: str) -> None:
    for found in resolve(text, AT, "Asia/Taipei"):
        begin, end = found.span
        assert 0 <= begin < end <= len(text)
        assert (found.start is None) == (found.end is None)
        if found.start is not None and found.end is not None:
            assert found.start < found.end and found.start.tzinfo is not None


def split_holds(text: str) -> None:
    parts = split(text)
    assert join(parts) == text
    assert all(length(part.shown) <= 2000 for part in parts)


def place_holds(text: str) -> None:
    try:
        place = Place.parse(text)
    except InvalidPlace as error:
        one_line(str(error))
    else:
        assert Place.parse(str(place)) == place


METADATA = {
    "user_id": "u1",
    "created_at": "2026-09-12T21:30:00+08:00",
    "category": "preference",
    "archived": True,
    "archived_reason": "contradicted",
    "archived_at": 1.7e9,
    "place": "dm",
}
legacies = st.tuples(texts, texts, st.dictionaries(st.sampled_from(sorted(METADATA)), scalars, max_size=5))


def legacy_holds(given: tuple[str, str, dict[str, Any]]) -> None:
    row_id, text, metadata = decoded(given[0]), decoded(given[1]), given[2]
    metadata = {key: decoded(one) if isinstance(one, str) else one for key, one in metadata.items()}
    row = LegacyRow(row_id, text, metadata, np.zeros(3, dtype=np.float32))
    from_legacy(row, "lily", MemoryPolicy()).model_dump_json()


TIME = {
    "id": "t1",
    "text": "下週二",
    "said_at": "2026-09-12T21:30:00+08:00",
    "tz": "Asia/Taipei",
    "start": None,
    "end": None,
}
PAIR = {
    "id": "r1",
    "old": "使用者住在台北",
    "new": "使用者住在台南",
    "relation": "CONTRADICT",
    "label": "CONTRADICT",
}
rows = st.lists(json_texts(st.one_of(spoilt(TIME), spoilt(PAIR), anything)), max_size=3)


def over_file(*command: str, holds: str = "r.jsonl") -> Callable[[Any], None]:
    return command_holds(command, holds)


TARGETS = (
    Target("card as JSON", json_texts(cards).map(as_bytes), card_holds),
    Target("card as PNG", pictures(json_texts(cards)), card_holds),
    Target("import, read", imports, import_holds),
    Target("replay script, read", scripts, script_holds),
    Target("settings", st.tuples(configs, environments, dotenvs), settings_hold),
    Target("structured answer", answers, structured_holds),
    Target("spoken answer", st.one_of(texts, answers), chat_holds),
    Target("dates", st.one_of(texts, st.text(max_size=200)), ground_holds),
    Target("splitting", st.one_of(texts, st.lists(texts, max_size=60).map("".join)), split_holds),
    Target("place", texts, place_holds),
    Target("older store", legacies, legacy_holds),
    Target("card, taken in", json_texts(cards).map(as_bytes), over_file("card", "r.jsonl"), costly=True),
    Target("import, taken in", imports, over_file("import", "r.jsonl"), costly=True),
    Target("replay script, run", scripts, over_file("replay", "r.jsonl", "--json"), costly=True),
    Target("eval time", rows, over_file("eval", "time", "r.jsonl", "--json"), costly=True),
    Target("eval relations", rows, over_file("eval", "relations", "r.jsonl", "--json"), costly=True),
    Target("eval operations", rows, over_file("eval", "operations", "r.jsonl", "--json"), costly=True),
    Target("eval stale", rows, over_file("eval", "stale", "r.jsonl", "--json"), costly=True),
    Target("calibrate", rows, over_file("calibrate", "r.jsonl"), costly=True),
)
