from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.settings import EmbedderName, Provider, Settings, load_settings, memory_policy, provider_for
from memory.catalog import load_catalog
from memory.model import Category
from memory.policy import MemoryPolicy

ENGLISH = load_catalog("bot", "en")
CHECKOUT = Path(__file__).parents[2]


def lines(tmp_path: Path, config: str = "", dotenv: str = "", **environ: str) -> list[str]:
    """Return what is said about the settings; it must be refused."""
    (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
    (tmp_path / ".env").write_text(dotenv, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(None, environ, tmp_path)
    return caught.value.texts(ENGLISH)


def load(tmp_path: Path, config: str = "", dotenv: str = "", **environ: str) -> Settings:
    (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
    (tmp_path / ".env").write_text(dotenv, encoding="utf-8")
    return load_settings(None, environ, tmp_path)


def test_the_shipped_file_equals_the_defaults(tmp_path: Path) -> None:
    shipped = load_settings(CHECKOUT / "config.yaml", {}, tmp_path)
    assert shipped == Settings().with_data_dir(tmp_path / ".lily")


def test_without_any_file_the_packaged_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(None, {}, tmp_path) == Settings().with_data_dir(tmp_path / ".lily")


def test_the_shipped_file_shows_every_key() -> None:
    text = (CHECKOUT / "config.yaml").read_text(encoding="utf-8")

    def names(model: object) -> list[str]:
        fields = type(model).model_fields
        found = list(fields)
        for name in fields:
            value = getattr(model, name)
            if hasattr(type(value), "model_fields"):
                found += names(value)
        return found

    for section in set(Settings.model_fields) - {"secrets"}:
        for name in names(getattr(Settings(), section)):
            assert f"{name}:" in text, name


def test_the_default_policy_is_the_memorys_own() -> None:
    assert memory_policy(Settings()) == MemoryPolicy()


def test_a_policy_follows_the_settings(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        """
memory:
  cap_per_person: 7
  judge_wait_hours: 1.5
  categories:
    hobby: {half_life_days: never}
    schedule: {expires_after_days: 3}
  thresholds:
    usem3: {gray: 0.5}
    mine: {floor: 0.1}
""",
    )
    policy = memory_policy(settings)
    assert policy.cap_per_person == 7
    assert policy.judge_wait == timedelta(hours=1.5)
    assert policy.rule(Category.HOBBY).half_life_days is None
    assert policy.rule(Category.HOBBY).eviction_rank == 4
    assert policy.rule(Category.SCHEDULE).expires_after_days == 3
    assert policy.rule(Category.SCHEDULE).half_life_days == 7
    assert policy.thresholds_for("usem3").gray == 0.5
    assert policy.thresholds_for("usem3").floor == 0.37
    assert policy.thresholds_for("mine").floor == 0.1
    assert policy.thresholds_for("gemini-embedding-2") == MemoryPolicy().thresholds_for("gemini-embedding-2")


def test_the_file_asked_for_wins_over_the_one_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("memory: {cap_per_person: 1}", encoding="utf-8")
    (tmp_path / "other.yaml").write_text("memory: {cap_per_person: 2}", encoding="utf-8")
    assert load_settings(Path("other.yaml"), {}, tmp_path).memory.cap_per_person == 2


def test_the_environment_wins_over_the_file_and_over_dotenv(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        "memory: {cap_per_person: 1, context_tokens: 500}",
        "LILY_MEMORY__CAP_PER_PERSON=2\nLILY_MEMORY__CONTEXT_TOKENS=700",
        LILY_MEMORY__CAP_PER_PERSON="3",
    )
    assert settings.memory.cap_per_person == 3
    assert settings.memory.context_tokens == 700


def test_variables_carry_yaml_values(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        LILY_DISCORD__ACTIVE_CHANNELS="[12, abc]",
        LILY_SCHEDULE__CHECK_INS="true",
        LILY_SCHEDULE__WAKING_UNTIL="23:30",
        LILY_MEMORY__CATEGORIES__OTHER__HALF_LIFE_DAYS="never",
    )
    assert settings.discord.active_channels == ("12", "abc")
    assert settings.schedule.check_ins is True
    assert f"{settings.schedule.waking_until:%H:%M}" == "23:30"
    assert settings.memory.categories.other.half_life_days is None


@pytest.mark.parametrize("time", ["22:00", "9:05", "09:00", "00:00", "'22:00'"])
def test_a_time_of_day_needs_no_quotes(tmp_path: Path, time: str) -> None:
    settings = load(tmp_path, f"schedule: {{waking_from: {time}, waking_until: 01:01}}")
    assert f"{settings.schedule.waking_from:%H:%M}" == time.strip("'").rjust(5, "0")


@pytest.mark.parametrize(
    "config",
    ["", "# nothing\n", "memory:\n", "memory:\n  cap_per_person:\n", "memory:\n  recall:\n    kept:\n"],
)
def test_what_is_left_empty_counts_as_unset(tmp_path: Path, config: str) -> None:
    settings = load(
        tmp_path, config, "GEMINI_API_KEY=\nDISCORD_TOKEN\n", LILY_OPS__HEALTH_PORT="", OPENAI_API_KEY=" "
    )
    assert settings == Settings().with_data_dir(tmp_path / ".lily")


def test_models_are_offline_until_the_key_is_set(tmp_path: Path) -> None:
    assert provider_for(load(tmp_path), "chat") is Provider.OFFLINE
    with_key = load(tmp_path, dotenv="GEMINI_API_KEY=k")
    assert provider_for(with_key, "judge") is Provider.GEMINI
    assert with_key.models.embedder is EmbedderName.USEM3


def test_a_secret_is_never_printed(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        dotenv="GEMINI_API_KEY=hush-1\nDISCORD_TOKEN=hush-2",
        OPENAI_BASE_URL="http://hush-3:1",
        LILY_STORAGE__DATABASE_URL="postgresql://lily:hush-4@db/lily",
    )
    assert "hush" not in f"{settings!r} {settings} {settings.model_dump()} {settings.secrets!r}"


def test_settings_can_not_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().memory.cap_per_person = 3  # type: ignore[misc]


def test_folders_start_at_the_working_folder(tmp_path: Path) -> None:
    settings = load(tmp_path, "storage: {data_dir: state}\npersona: {characters_dir: mine}")
    assert settings.storage.data_dir == tmp_path / "state"
    assert settings.persona.characters_dir == tmp_path / "mine"


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


def test_variables_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    load(tmp_path, LILY_SERVICE_HOST="10.0.0.1", LILY_PORT="tcp://10.0.0.1:80", LILYPOND="1")


def test_an_openai_endpoint_needs_an_address_and_a_name(tmp_path: Path) -> None:
    found = lines(tmp_path, "models: {chat: openai}")
    assert found[0].startswith("models.chat: openai needs OPENAI_API_KEY / OPENAI_BASE_URL")
    assert found[1].startswith("models.openai.chat: empty, but models.chat is openai")
    complete = "models: {chat: openai, openai: {chat: 'llama'}}"
    assert load(tmp_path, complete, OPENAI_BASE_URL="http://localhost:11434/v1").models.openai.chat == "llama"


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        """
memroy: {}
memory:
  cap_per_person: lots
  weights: {similarity: 0.9}
  categories: {hoby: {}, name: {eviction: 3}}
persona: {zone: Asia/Tapei, language: fr}
models: {chat: gemini, attempts: 99}
""",
        "DISCORD_TOKEN='a b'",
        LILY_OPS__LOG_LEVEL="loud",
    )
    named = [line.partition(": ")[0] for line in found]
    assert sorted(named) == sorted(
        [
            "memroy",
            "memory.cap_per_person",
            "memory.weights.similarity",
            "memory.categories.hoby",
            "memory.categories.name.eviction",
            "persona.zone",
            "persona.language",
            "models.chat",
            "models.attempts",
            "DISCORD_TOKEN",
            "ops.log_level (LILY_OPS__LOG_LEVEL)",
        ],
    )


@pytest.mark.parametrize("language", ["zh-TW", "en", "ja"])
def test_every_line_is_one_line_in_every_language(tmp_path: Path, language: str) -> None:
    for config, _ in BAD:
        (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
        with pytest.raises(SettingsError) as caught:
            load_settings(None, {}, tmp_path)
        for line in caught.value.texts(load_catalog("bot", language)):
            assert "\n" not in line
            assert "{" not in line.replace("{cap_per_person", "")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(Path("no.yaml"), {}, tmp_path)
    assert caught.value.texts(ENGLISH) == ["--config no.yaml: there is no such file; check the path"]


def test_a_folder_in_place_of_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(tmp_path, {}, tmp_path)
    assert "can't be read" in caught.value.texts(ENGLISH)[0]


@pytest.mark.parametrize("name", ["config.yaml", ".env"])
def test_a_file_that_is_no_text_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError) as caught:
        load_settings(None, {}, tmp_path)
    assert caught.value.texts(ENGLISH) == [f"{name}: not UTF-8 text; save it as UTF-8"]


def test_the_example_of_the_secrets_names_all_of_them() -> None:
    text = (CHECKOUT / ".env.example").read_text(encoding="utf-8")
    for name in type(Settings().secrets).model_fields:
        assert f"{name.upper()}=" in text
