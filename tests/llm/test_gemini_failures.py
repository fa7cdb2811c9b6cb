"""Every way Gemini can fail, through the real SDK over a real socket."""

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
from llm.gemini import GeminiChat, GeminiConnection, GeminiEmbedder, GeminiStructured
from llm.protocols import Speaker, Turn
from tests.llm.standin import CUT, CUT_MIDWAY, HANG, Answer, StandIn, closed_port

KEY = "key-that-nobody-may-see"
SAID = "這句話只有她能聽到"
ECHO = f"{KEY} {SAID}"


class Verdict(BaseModel):
    reason: str
    score: int


def error(status: int, constant: str, *details: dict[str, Any]) -> Answer:
    inner = {"code": status, "message": ECHO, "status": constant, "details": list(details)}
    return Answer({"error": inner}, status)


def candidate(finish: str | None, *parts: dict[str, Any]) -> Answer:
    found: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}}
    if finish is not None:
        found["finishReason"] = finish
    return Answer({"candidates": [found]})


INVALID_KEY = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17.5s"}

OTHER_FORM = {"candidates": [{"content": ECHO}], "embeddings": [{"values": ECHO}]}

TRANSPORT = [
    pytest.param(error(400, "INVALID_ARGUMENT", INVALID_KEY), ModelRefused, id="bad key"),
    pytest.param(error(400, "INVALID_ARGUMENT"), ModelRefused, id="bad option"),
    pytest.param(error(403, "PERMISSION_DENIED"), ModelRefused, id="forbidden"),
    pytest.param(error(404, "NOT_FOUND"), ModelRefused, id="unknown model"),
    pytest.param(error(408, "DEADLINE_EXCEEDED"), ModelTimeout, id="the server's own timeout"),
    pytest.param(error(429, "RESOURCE_EXHAUSTED", RETRY), ModelRateLimited, id="rate limited"),
    pytest.param(error(500, "INTERNAL"), ModelDown, id="internal error"),
    pytest.param(error(503, "UNAVAILABLE"), ModelDown, id="overloaded"),
    pytest.param(
        Answer(f"<html>{ECHO}</html>", 502, content_type="text/html"), ModelDown, id="a proxy's error page"
    ),
    pytest.param(Answer(f"<html>{ECHO}</html>", content_type="text/html"), ModelDown, id="a portal's page"),
    pytest.param(Answer("<html>", 404, content_type="text/html"), ModelRefused, id="a web page, not found"),
    pytest.param(Answer(f'{{"candidates": "{ECHO}'), ModelMalformed, id="broken JSON body"),
    pytest.param(
        Answer({"candidates": [{"content": ECHO}], "embeddings": [{"values": ECHO}]}),
        ModelMalformed,
        id="JSON of another form",
    ),
    pytest.param(Answer([]), ModelError, id="a bare list"),
    pytest.param(Answer(status=204), ModelEmpty, id="no content"),
    pytest.param(CUT, ModelDown, id="connection cut"),
    pytest.param(CUT_MIDWAY, ModelDown, id="connection cut midway"),
]

CONTENT = [
    pytest.param(Answer({"promptFeedback": {"blockReason": "SAFETY"}}), ModelBlocked, id="blocked prompt"),
    pytest.param(candidate("SAFETY"), ModelBlocked, id="blocked answer"),
    pytest.param(candidate("SAFETY", {"text": "half"}), ModelBlocked, id="blocked halfway"),
    pytest.param(candidate("RECITATION"), ModelBlocked, id="recitation"),
    pytest.param(Answer({"candidates": []}), ModelEmpty, id="no candidates"),
    pytest.param(Answer({}), ModelEmpty, id="empty object"),
    pytest.param(Answer(""), ModelEmpty, id="empty body"),
    pytest.param(candidate("STOP"), ModelEmpty, id="no parts"),
    pytest.param(candidate("STOP", {"text": "  \n"}), ModelEmpty, id="blank text"),
    pytest.param(candidate("STOP", {"functionCall": {"name": "x"}}), ModelEmpty, id="a call of a tool"),
    pytest.param(
        candidate("MAX_TOKENS", {"text": "hm", "thought": True}), ModelTruncated, id="only thoughts"
    ),
    pytest.param(
        candidate("A_NEW_REASON"),
        ModelEmpty,
        id="an unknown reason to stop",
        marks=pytest.mark.filterwarnings("ignore:A_NEW_REASON is not a valid FinishReason:UserWarning"),
    ),
]


def connection(url: str, **patience: Any) -> GeminiConnection:
    return GeminiConnection(
        KEY, base_url=url, patience=Patience(**{"timeout": 5.0, "attempts": 1} | patience)
    )


async def talk(opened: GeminiConnection) -> object:
    return await GeminiChat(opened, "chat-model").reply("system", [Turn(Speaker.PERSON, SAID)])


async def judge(opened: GeminiConnection) -> object:
    return await GeminiStructured(opened, "cheap-model").answer("system", SAID, Verdict)


async def embed(opened: GeminiConnection) -> object:
    return await GeminiEmbedder(opened, "gemini-embedding-001", dimensions=2).embed_query(SAID)


CALLS = [pytest.param(call, id=call.__name__) for call in (talk, judge, embed)]
Call = Callable[[GeminiConnection], Any]


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
        with pytest.raises(ModelTimeout, match=r"0\.2 s"):
            await call(opened)
        assert len(server.asked) == 1


@pytest.mark.parametrize("call", CALLS)
async def test_a_server_that_is_not_there_is_down_at_once(call: Call) -> None:
    async with connection(closed_port(), timeout=0.9) as opened:
        with pytest.raises(ModelDown):
            await call(opened)


@pytest.mark.parametrize("call", CALLS)
async def test_a_cut_connection_is_not_asked_again_behind_our_back(call: Call) -> None:
    async with StandIn(CUT) as server, connection(server.url) as opened:
        with pytest.raises(ModelDown):
            await call(opened)
        assert len(server.asked) == 1


async def test_a_rate_limit_says_how_long_to_wait() -> None:
    async with StandIn(error(429, "RESOURCE_EXHAUSTED", RETRY)) as server, connection(server.url) as opened:
        with pytest.raises(ModelRateLimited) as caught:
            await talk(opened)
    assert caught.value.retry_after == 17.5


async def test_a_rate_limit_without_details_takes_the_header() -> None:
    answer = Answer({"error": {"code": 429}}, 429, {"Retry-After": "8"})
    async with StandIn(answer) as server, connection(server.url) as opened:
        with pytest.raises(ModelRateLimited) as caught:
            await talk(opened)
    assert caught.value.retry_after == 8.0


async def test_a_bad_key_names_the_setting() -> None:
    answer = error(400, "INVALID_ARGUMENT", INVALID_KEY)
    async with StandIn(answer) as server, connection(server.url) as opened:
        with pytest.raises(ModelRefused, match="API_KEY_INVALID: check GEMINI_API_KEY"):
            await talk(opened)


async def test_no_key_at_all_names_the_setting() -> None:
    with pytest.raises(ModelRefused, match="set GEMINI_API_KEY"):
        async with GeminiConnection("  "):
            pass


async def test_a_closed_connection_says_so() -> None:
    async with StandIn(Answer({})) as server:
        closed = connection(server.url)
        with pytest.raises(ModelRefused, match="not open"):
            await talk(closed)


async def test_a_broken_answer_is_asked_for_once_more_and_no_oftener() -> None:
    broken = candidate("STOP", {"text": f'{{"reason": "{SAID}"'})
    async with StandIn(broken) as server, connection(server.url) as opened:
        with pytest.raises(ModelMalformed) as caught:
            await judge(opened)
        assert len(server.asked) == 2
    assert_discreet(caught.value)
