"""Every way an OpenAI-compatible server can fail, through the real SDK over a real socket."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from llm.calls import Patience
from llm.errors import (
    ModelBlocked,
    ModelDown,
    ModelEmpty,
    ModelError,
    ModelMalformed,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelTruncated,
)
from llm.openai_compatible import OpenAIChat, OpenAIConnection, OpenAIEmbedder, OpenAIStructured
from llm.protocols import Speaker, Turn
from tests.llm.standin import CUT, CUT_MIDWAY, HANG, Answer, StandIn, closed_port

KEY = "key-that-nobody-may-see"
SAID = "這句話只有她能聽到"
ECHO = f"{KEY} {SAID}"


class Verdict(BaseModel):
    reason: str
    score: int


def error(status: int, code: str | None = None, headers: dict[str, str] | None = None) -> Answer:
    body = {"error": {"message": ECHO, "type": "invalid_request_error", "param": None, "code": code}}
    return Answer(body, status, headers or {})


def choice(finish: str | None, content: Any, **message: Any) -> Answer:
    said = {"role": "assistant", "content": content} | message
    return Answer(
        {"object": "chat.completion", "choices": [{"index": 0, "message": said, "finish_reason": finish}]}
    )


PAGE = f"<html>{ECHO}</html>"

TRANSPORT = [
    pytest.param(error(400, "unsupported_value"), ModelRefused, id="bad option"),
    pytest.param(error(400, "content_filter"), ModelBlocked, id="blocked prompt"),
    pytest.param(error(401, "invalid_api_key"), ModelRefused, id="bad key"),
    pytest.param(error(402), ModelRefused, id="no credit"),
    pytest.param(error(403), ModelRefused, id="forbidden"),
    pytest.param(error(404, "model_not_found"), ModelRefused, id="unknown model"),
    pytest.param(Answer({"error": ECHO}, 404), ModelRefused, id="unknown model in Ollama's words"),
    pytest.param(error(408), ModelTimeout, id="the server's own timeout"),
    pytest.param(error(422), ModelRefused, id="unprocessable"),
    pytest.param(error(429, "rate_limit_exceeded"), ModelRateLimited, id="rate limited"),
    pytest.param(error(500), ModelDown, id="internal error"),
    pytest.param(error(503), ModelDown, id="still loading the model"),
    pytest.param(Answer(PAGE, 502, content_type="text/html"), ModelDown, id="a proxy's error page"),
    pytest.param(Answer(PAGE, content_type="text/html"), ModelDown, id="a portal's page"),
    pytest.param(Answer(PAGE), ModelDown, id="a page that calls itself JSON"),
    pytest.param(Answer(PAGE, 404, content_type="text/html"), ModelRefused, id="a web page, not found"),
    pytest.param(Answer(f'{{"choices": "{ECHO}'), ModelMalformed, id="broken JSON body"),
    pytest.param(Answer([ECHO]), ModelMalformed, id="a bare list"),
    pytest.param(Answer({"error": {"message": ECHO}}), ModelDown, id="an error inside a success"),
    pytest.param(Answer(""), ModelEmpty, id="empty body"),
    pytest.param(Answer("", content_type="text/plain"), ModelEmpty, id="empty text"),
    pytest.param(Answer(status=204), ModelEmpty, id="no content"),
    pytest.param(CUT, ModelDown, id="connection cut"),
    pytest.param(CUT_MIDWAY, ModelDown, id="connection cut midway"),
]

CONTENT = [
    pytest.param(choice("content_filter", None), ModelBlocked, id="blocked answer"),
    pytest.param(choice("content_filter", "half"), ModelBlocked, id="blocked halfway"),
    pytest.param(choice("stop", None, refusal=ECHO), ModelBlocked, id="refusal"),
    pytest.param(Answer({"choices": []}), ModelEmpty, id="no choices"),
    pytest.param(Answer({"choices": None}), ModelEmpty, id="null choices"),
    pytest.param(Answer({"choices": ECHO}), ModelEmpty, id="choices of another form"),
    pytest.param(Answer({}), ModelEmpty, id="empty object"),
    pytest.param(Answer({"choices": [{"index": 0}]}), ModelEmpty, id="no message"),
    pytest.param(choice("stop", None), ModelEmpty, id="null content"),
    pytest.param(choice("stop", " \n"), ModelEmpty, id="blank text"),
    pytest.param(choice("stop", "<think>hm</think>"), ModelEmpty, id="only thoughts"),
    pytest.param(choice("length", "<think>hm, and then"), ModelTruncated, id="cut in its thoughts"),
    pytest.param(choice("length", "", reasoning_content="hm"), ModelTruncated, id="cut in its reasoning"),
    pytest.param(choice("stop", [{"type": "text"}]), ModelMalformed, id="content in parts"),
]


def connection(url: str, **patience: Any) -> OpenAIConnection:
    return OpenAIConnection(f"{url}/v1", KEY, patience=Patience(**{"timeout": 5.0, "attempts": 1} | patience))


async def talk(opened: OpenAIConnection) -> object:
    return await OpenAIChat(opened, "chat-model").reply("system", [Turn(Speaker.PERSON, SAID)])


async def judge(opened: OpenAIConnection) -> object:
    return await OpenAIStructured(opened, "cheap-model").answer("system", SAID, Verdict)


async def embed(opened: OpenAIConnection) -> object:
    return await OpenAIEmbedder(opened, "embedding-model", dimensions=2).embed_query(SAID)


CALLS = [pytest.param(call, id=call.__name__) for call in (talk, judge, embed)]
Call = Callable[[OpenAIConnection], Any]


def assert_discreet(failure: BaseException) -> None:
    shown = "".join(traceback.format_exception(failure))
    assert KEY not in shown
    assert SAID not in shown
    assert str(failure)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("answer", "expected"), TRANSPORT)
async def test_a_failing_request_is_told_apart(
    call: Call, answer: Answer, expected: type[ModelError]
) -> None:
    async with StandIn(answer) as server, connection(server.url) as opened:
        with pytest.raises(ModelError) as caught:
            await call(opened)
    assert isinstance(caught.value, expected)
    assert_discreet(caught.value)


@pytest.mark.parametrize("call", CALLS[:2])
@pytest.mark.parametrize(("answer", "expected"), CONTENT)
async def test_an_answer_without_words_is_told_apart(
    call: Call, answer: Answer, expected: type[ModelError]
) -> None:
    async with StandIn(answer) as server, connection(server.url) as opened:
        with pytest.raises(ModelError) as caught:
            await call(opened)
    assert type(caught.value) is expected
    assert_discreet(caught.value)


@pytest.mark.parametrize("call", CALLS)
async def test_a_server_that_never_answers_is_a_timeout(call: Call) -> None:
    async with StandIn(HANG) as server, connection(server.url, timeout=0.2) as opened:
        with pytest.raises(ModelTimeout):
            await call(opened)
        assert len(server.asked) == 1


@pytest.mark.parametrize("call", CALLS)
async def test_a_server_that_is_not_there_is_down_at_once(call: Call) -> None:
    async with connection(closed_port(), timeout=0.9) as opened:
        with pytest.raises(ModelDown):
            await call(opened)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("answer", [CUT, error(429, headers={"Retry-After": "90"}), error(500)])
async def test_a_failure_is_not_asked_again_behind_our_back(call: Call, answer: Answer) -> None:
    async with StandIn(answer) as server, connection(server.url) as opened:
        with pytest.raises(ModelError):
            await call(opened)
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "20"}, 20.0),
        ({"Retry-After-Ms": "1500", "Retry-After": "2"}, 1.5),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
        ({}, None),
    ],
)
async def test_a_rate_limit_says_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    async with StandIn(error(429, headers=headers)) as server, connection(server.url) as opened:
        with pytest.raises(ModelRateLimited) as caught:
            await talk(opened)
    assert caught.value.retry_after == seconds


async def test_a_bad_key_names_the_setting() -> None:
    async with StandIn(error(401, "invalid_api_key")) as server, connection(server.url) as opened:
        with pytest.raises(ModelRefused, match="invalid_api_key: check OPENAI_API_KEY"):
            await talk(opened)


@pytest.mark.parametrize("address", ["", "localhost:11434/v1", "http://"])
async def test_an_address_that_is_none_names_the_setting(address: str) -> None:
    with pytest.raises(ModelRefused, match="OPENAI_BASE_URL"):
        async with OpenAIConnection(address):
            pass


async def test_a_closed_connection_says_so() -> None:
    async with StandIn(Answer({})) as server:
        closed = connection(server.url)
        with pytest.raises(ModelRefused, match="not open"):
            await talk(closed)


async def test_a_broken_answer_is_asked_for_once_more_and_no_oftener() -> None:
    broken = choice("stop", f'{{"reason": "{SAID}"')
    async with StandIn(broken) as server, connection(server.url) as opened:
        with pytest.raises(ModelMalformed) as caught:
            await judge(opened)
        assert len(server.asked) == 2
    assert_discreet(caught.value)
