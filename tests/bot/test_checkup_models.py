"""What ``lily doctor`` finds of the models: each provider is asked, and so is the bot that runs."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.checkup_models import check_models, check_running
from bot.discord.health import serving_health
from bot.finding import Finding, Status
from bot.settings.sections import ModelSettings, OpenAISettings, OpsSettings, Provider, Secrets, Settings
from llm.breaker import Leave
from llm.errors import ModelDown, ModelMisconfigured
from llm.watch import Watch
from memory.catalog import load_catalog
from tests.llm.standin import Answer, StandIn, closed_port

KEY = "key-that-nobody-may-see"
KNOWN = Answer({"object": "list", "data": [{"id": "m:latest", "object": "model"}]})


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def error(status: int) -> Answer:
    return Answer({"error": {"message": f"{KEY} is wrong", "code": status}}, status)


async def found(findings: AsyncIterator[Finding]) -> list[tuple[str, Status, str]]:
    words = load_catalog("bot", "en")
    return [(one.name, one.status, one.line.text(words)) async for one in findings]


def at_endpoint(url: str, chat: str = "m") -> Settings:
    return Settings(
        models=ModelSettings(chat=Provider.OPENAI, openai=OpenAISettings(chat=chat)),
        secrets=Secrets(openai_base_url=SecretStr(f"{url}/v1"), openai_api_key=SecretStr(KEY)),
    )


def at_gemini() -> Settings:
    return Settings(secrets=Secrets(gemini_api_key=SecretStr(KEY)))


async def test_an_endpoint_that_answers_and_knows_the_models_is_fine() -> None:
    async with StandIn(KNOWN) as server:
        ((name, status, line),) = await found(check_models(at_endpoint(server.url)))
        assert (name, status) == ("model", Status.FINE)
        assert line == "OPENAI_BASE_URL: answers, takes the key, knows m"
        assert [one.path for one in server.asked] == ["/v1/models"]  # nothing that costs


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (error(401), Status.WRONG, "check OPENAI_API_KEY"),
        (error(403), Status.WRONG, "may not use this model"),
        (error(402), Status.WRONG, "no credit"),
        (error(429), Status.NOTE, "out of quota"),
        (error(503), Status.WRONG, "does not answer"),
        (Answer({"object": "list", "data": [{"id": "other"}]}), Status.WRONG, "none of its models is m"),
    ],
    ids=["revoked", "no rights", "no credit", "quota", "down", "unknown model"],
)
async def test_what_is_wrong_with_an_endpoint_is_told_with_what_to_do(
    answer: Answer, status: Status, words: str
) -> None:
    async with StandIn(answer) as server:
        ((_, found_status, line),) = await found(check_models(at_endpoint(server.url)))
    assert found_status is status
    assert words in line and KEY not in line


async def test_an_endpoint_that_is_not_there_is_told() -> None:
    ((_, status, line),) = await found(check_models(at_endpoint(closed_port())))
    assert status is Status.WRONG
    assert "OPENAI_BASE_URL does not answer" in line


async def test_an_empty_list_of_models_says_nothing_against_a_name() -> None:
    async with StandIn(Answer({"object": "list", "data": None})) as server:
        ((_, status, _),) = await found(check_models(at_endpoint(server.url)))
    assert status is Status.FINE


async def test_gemini_is_asked_for_each_model_it_is_named_for() -> None:
    async with StandIn(Answer({"name": "models/x"})) as server:
        ((_, status, line),) = await found(check_models(at_gemini(), server.url))
        assert (status, line.partition(":")[0]) == (Status.FINE, "Gemini")
        models = ModelSettings().gemini
        assert {one.path.rpartition("/")[2] for one in server.asked} == {models.chat, models.extractor}


async def test_a_revoked_key_of_gemini_is_told() -> None:
    body = {
        "error": {
            "code": 400, "message": KEY, "status": "INVALID_ARGUMENT",
            "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}],
        }
    }  # fmt: skip
    async with StandIn(Answer(body, 400)) as server:
        ((_, status, line),) = await found(check_models(at_gemini(), server.url))
    assert status is Status.WRONG
    assert "check GEMINI_API_KEY" in line and KEY not in line


async def test_offline_nobody_is_asked() -> None:
    assert await found(check_models(Settings())) == []


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def numbers() -> dict[str, float]:
    return {}


async def test_the_bot_that_runs_tells_how_it_finds_its_models() -> None:
    watch, ops = Watch(), OpsSettings(health_port=free_port())
    watch.breaker("openai", "large").failed(ModelMisconfigured("401: check the key"), Leave(), 0.0)
    for _ in range(5):
        watch.breaker("openai", "small").failed(ModelDown("503"), Leave(), 0.0)
    watch.breaker("openai", "tiny").answered()
    async with serving_health(ops, lambda: True, watch, numbers):
        told = await found(check_running(ops))
    assert [(name, status) for name, status, _ in told] == [
        ("running", Status.FINE), ("running", Status.WRONG), ("running", Status.WRONG),
    ]  # fmt: skip
    assert "openai large refuses every request (401: check the key)" in told[1][2]
    assert "openai small does not answer (503)" in told[2][2]


async def test_a_bot_without_discord_is_told_too() -> None:
    ops = OpsSettings(health_port=free_port())
    async with serving_health(ops, lambda: False, Watch(), numbers):
        ((_, status, line),) = await found(check_running(ops))
    assert status is Status.WRONG
    assert "no connection to Discord" in line


@pytest.mark.parametrize("body", ["[]", "{", '{"models": 7}', '{"online": true, "models": {"x": 7}}'])
async def test_whatever_answers_in_its_place_doctor_goes_on(body: str) -> None:
    async with StandIn(Answer(body)) as server:
        ops = OpsSettings(health_port=int(server.url.rpartition(":")[2]))
        assert len(await found(check_running(ops))) <= 1


async def test_where_nobody_runs_nothing_is_found(tmp_path: Path) -> None:
    assert await found(check_running(OpsSettings(health_port=free_port()))) == []
    assert await found(check_running(OpsSettings())) == []
