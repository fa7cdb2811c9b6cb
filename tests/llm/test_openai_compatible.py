"""OpenAI-compatible servers when all goes well: what is sent over the wire and what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel

from llm.calls import Patience
from llm.errors import ModelDown, ModelMalformed, ModelRefused
from llm.openai_compatible import JsonMode, OpenAIChat, OpenAIConnection, OpenAIEmbedder, OpenAIStructured
from llm.protocols import EmbedderIdentity, Picture, Speaker, Turn
from llm.usage import Purpose, Tokens, Usage
from tests.llm.standin import Answer, Asked, StandIn

SAYS_HELLO = [Turn(Speaker.PERSON, "嗨")]
GOOD = '{"reason": "好", "score": 3}'


class Verdict(BaseModel):
    reason: str
    score: int


def connect(server: StandIn, **options: Any) -> OpenAIConnection:
    patience = Patience(timeout=5.0, attempts=1)
    return OpenAIConnection(f"{server.url}/v1", "the-key", patience=patience, **options)


def text(content: str, usage: dict[str, int] | None = None, finish: str = "stop") -> Answer:
    message = {"role": "assistant", "content": content}
    body: dict[str, Any] = {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    if usage:
        body["usage"] = usage
    return Answer(body)


def refusing(*refused: str, message: str = "response_format is not supported") -> Any:
    """Return a server that refuses these response formats and answers all others."""

    def script(asked: Asked) -> Answer:
        kind = asked.body.get("response_format", {}).get("type", "none")
        return Answer({"error": {"message": message}}, 400) if kind in refused else text(GOOD)

    return script


def formats(server: StandIn) -> list[str]:
    return [asked.body.get("response_format", {}).get("type", "none") for asked in server.asked]


def shuffled(asked: Asked) -> Answer:
    """Give each text a vector that tells its number, the last first, as the index allows."""
    rows = [
        {"object": "embedding", "index": place, "embedding": [3.0, float(one.rsplit(" ", 1)[-1])]}
        for place, one in enumerate(asked.body["input"])
    ]
    return Answer({"object": "list", "data": rows[::-1], "usage": {"prompt_tokens": 5, "total_tokens": 5}})


async def test_a_chat_request_carries_system_roles_key_and_extras() -> None:
    turns = [
        Turn(Speaker.PERSON, "在嗎？"),
        Turn(Speaker.CHARACTER, "不在。"),
        Turn(Speaker.PERSON, "明明就在"),
    ]
    async with StandIn(text(" 哼 \n")) as server, connect(server) as opened:
        chat = OpenAIChat(opened, "some-model", max_tokens=300, extra={"keep_alive": "5m"})
        assert await chat.reply("妳是莉莉。", turns) == "哼"
    [asked] = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["Authorization"] == "Bearer the-key"
    assert asked.body == {
        "model": "some-model",
        "messages": [
            {"role": "system", "content": "妳是莉莉。"},
            {"role": "user", "content": "在嗎？"},
            {"role": "assistant", "content": "不在。"},
            {"role": "user", "content": "明明就在"},
        ],
        "max_tokens": 300,
        "keep_alive": "5m",
    }


async def test_a_picture_goes_with_the_words_of_its_turn() -> None:
    turns = [Turn(Speaker.PERSON, "可愛嗎", pictures=(Picture(b"\x89PNG", "image/png"),))]
    async with StandIn(text("哼")) as server, connect(server) as opened:
        await OpenAIChat(opened, "m", sees=True).reply("s", turns)
        assert not OpenAIChat(opened, "m").sees
    assert server.asked[0].body["messages"][1]["content"] == [
        {"type": "text", "text": "可愛嗎"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
    ]


async def test_a_local_server_needs_no_key() -> None:
    async with StandIn(text("哼")) as server, OpenAIConnection(f"{server.url}/v1") as opened:
        assert await OpenAIChat(opened, "m").reply("s", SAYS_HELLO) == "哼"


@pytest.mark.parametrize("said", ["<think>他說嗨</think>\n\n哼", "他說嗨\n</think>\n哼", "哼"])
async def test_a_reply_leaves_its_thoughts_out(said: str) -> None:
    async with StandIn(text(said)) as server, connect(server) as opened:
        assert await OpenAIChat(opened, "m").reply("s", SAYS_HELLO) == "哼"


async def test_a_reply_cut_off_with_words_is_still_a_reply() -> None:
    async with StandIn(text("我本來想說", finish="length")) as server, connect(server) as opened:
        assert await OpenAIChat(opened, "m").reply("s", SAYS_HELLO) == "我本來想說"


async def test_an_emoji_cut_in_half_does_not_break_the_request() -> None:
    async with StandIn(text("哼")) as server, connect(server) as opened:
        assert await OpenAIChat(opened, "m").reply("s", [Turn(Speaker.PERSON, "嗨\ud83d")]) == "哼"


async def test_an_answer_is_asked_for_with_a_strict_schema() -> None:
    async with StandIn(text(GOOD)) as server, connect(server) as opened:
        assert await OpenAIStructured(opened, "m").answer("s", "p", Verdict) == Verdict(reason="好", score=3)
    asked = server.asked[0].body["response_format"]
    assert asked["type"] == "json_schema"
    assert asked["json_schema"]["name"] == "Verdict"
    assert asked["json_schema"]["strict"] is True
    assert asked["json_schema"]["schema"]["additionalProperties"] is False


@pytest.mark.parametrize(
    "said",
    [
        f"```json\n{GOOD}\n```",
        f"<think>score {{3}}? yes</think>{GOOD}",
        f"Here you are:\n\n{GOOD}\n\nAnything else?",
    ],
    ids=["fenced", "after thoughts", "in a sentence"],
)
async def test_an_answer_is_found_in_what_surrounds_it(said: str) -> None:
    async with StandIn(text(said)) as server, connect(server) as opened:
        assert await OpenAIStructured(opened, "m").answer("s", "p", Verdict) == Verdict(reason="好", score=3)
        assert len(server.asked) == 1


async def test_a_server_without_schemas_is_asked_for_an_object_from_then_on() -> None:
    async with StandIn(script=refusing("json_schema")) as server, connect(server) as opened:
        model = OpenAIStructured(opened, "m")
        await model.answer("be brief", "p", Verdict)
        await model.answer("be brief", "p", Verdict)
    assert formats(server) == ["json_schema", "json_object", "json_object"]
    system = server.asked[1].body["messages"][0]["content"]
    assert system.startswith("be brief")
    assert '"score":{"type":"integer"}' in system


async def test_a_server_without_any_json_mode_is_asked_in_words() -> None:
    async with StandIn(script=refusing("json_schema", "json_object")) as server, connect(server) as opened:
        assert (await OpenAIStructured(opened, "m").answer("s", "p", Verdict)).score == 3
    assert formats(server) == ["json_schema", "json_object", "none"]


async def test_a_grammar_that_cannot_be_built_weakens_the_mode_too() -> None:
    script = refusing("json_schema", message="failed to parse grammar")
    async with StandIn(script=script) as server, connect(server) as opened:
        assert (await OpenAIStructured(opened, "m").answer("s", "p", Verdict)).score == 3
    assert formats(server) == ["json_schema", "json_object"]


async def test_a_refusal_for_another_reason_does_not_weaken_the_mode() -> None:
    script = refusing("json_schema", message="model is not a chat model")
    async with StandIn(script=script) as server, connect(server) as opened:
        with pytest.raises(ModelRefused):
            await OpenAIStructured(opened, "m").answer("s", "p", Verdict)
    assert formats(server) == ["json_schema"]


async def test_a_server_that_refuses_everything_leaves_the_mode_as_it_was() -> None:
    script = refusing("json_schema", "json_object", "none")
    async with StandIn(script=script) as server, connect(server) as opened:
        model = OpenAIStructured(opened, "m")
        for _ in range(2):
            with pytest.raises(ModelRefused):
                await model.answer("s", "p", Verdict)
    assert formats(server) == ["json_schema", "json_object", "none"] * 2


async def test_the_mode_is_a_setting() -> None:
    async with StandIn(text(GOOD)) as server, connect(server) as opened:
        await OpenAIStructured(opened, "m", mode=JsonMode.OBJECT).answer("s", "p", Verdict)
    assert formats(server) == ["json_object"]


async def test_a_broken_answer_is_repaired_by_asking_once_more() -> None:
    async with StandIn(text('{"reason": "好"}'), text(GOOD)) as server, connect(server) as opened:
        assert (await OpenAIStructured(opened, "m").answer("s", "the prompt", Verdict)).score == 3
    again = server.asked[1].body["messages"][-1]["content"]
    assert again.startswith("the prompt")
    assert "score: Field required" in again


async def test_stored_texts_keep_their_order_over_batches_whatever_the_server_does() -> None:
    async with StandIn(script=shuffled) as server, connect(server) as opened:
        embedder = OpenAIEmbedder(opened, "m", dimensions=2)
        found = await embedder.embed_documents([f"事實 {number}" for number in range(150)])
    assert [len(asked.body["input"]) for asked in server.asked] == [64, 64, 22]
    assert [round(float(vector[1] / vector[0]) * 3) for vector in found] == list(range(150))
    assert all(vector.dtype == np.float32 for vector in found)
    assert np.allclose([np.linalg.norm(vector) for vector in found], 1.0)


async def test_rows_without_an_index_are_taken_in_the_order_they_came() -> None:
    rows = [{"embedding": [1.0, 0.0]}, {"embedding": [0.0, 1.0]}]
    async with StandIn(Answer({"data": rows})) as server, connect(server) as opened:
        first, second = await OpenAIEmbedder(opened, "m", dimensions=2).embed_documents(["a", "b"])
    assert first.tolist() == [1.0, 0.0]
    assert second.tolist() == [0.0, 1.0]


async def test_the_roles_are_prefixes_and_dimensions_are_sent_only_when_wanted() -> None:
    async with StandIn(script=shuffled) as server, connect(server) as opened:
        embedder = OpenAIEmbedder(
            opened, "e5", dimensions=2, shorten=True, document_prefix="passage: ", query_prefix="query: "
        )
        await embedder.embed_documents(["事實 1"])
        await embedder.embed_query("問題 2")
        await OpenAIEmbedder(opened, "plain", dimensions=2).embed_query("問題 2")
    prefixed, asked, plain = (one.body for one in server.asked)
    assert prefixed == {
        "model": "e5",
        "input": ["passage: 事實 1"],
        "encoding_format": "float",
        "dimensions": 2,
    }
    assert asked["input"] == ["query: 問題 2"]
    assert plain == {"model": "plain", "input": ["問題 2"], "encoding_format": "float"}


async def test_no_texts_ask_nothing() -> None:
    async with StandIn(script=shuffled) as server, connect(server) as opened:
        assert await OpenAIEmbedder(opened, "m", dimensions=2).embed_documents([]) == []
    assert server.asked == []


@pytest.mark.parametrize(
    "data",
    [
        [{"index": 0, "embedding": [1.0, 0.0]}],
        [{"index": 0, "embedding": [1.0, 0.0]}, {"index": 1, "embedding": [1.0, 0.0, 0.0]}],
        [{"index": 0, "embedding": [1.0, 0.0]}, {"index": 1, "embedding": "AAAA"}],
        [{"index": 0, "embedding": [1.0, 0.0]}, {"index": 1, "embedding": [None, 1.0]}],
        [{"index": 0, "embedding": [1.0, 0.0]}, {"index": 1, "embedding": [0.0, 0.0]}],
        [{"index": 0, "embedding": [1.0, 0.0]}, {"index": 1}],
        [],
        None,
    ],
    ids=["one too few", "too long", "no floats", "a null", "no direction", "no values", "nothing", "null"],
)
async def test_embeddings_that_do_not_match_the_texts_are_refused(data: Any) -> None:
    async with StandIn(Answer({"data": data})) as server, connect(server) as opened:
        with pytest.raises(ModelMalformed):
            await OpenAIEmbedder(opened, "m", dimensions=2).embed_documents(["a", "b"])


def test_other_prefixes_are_another_space() -> None:
    connection = OpenAIConnection("http://localhost")
    plain = OpenAIEmbedder(connection, "m", dimensions=2).identity
    prefixed = OpenAIEmbedder(connection, "m", dimensions=2, query_prefix="query: ").identity
    swapped = OpenAIEmbedder(connection, "m", dimensions=2, document_prefix="query: ").identity
    assert plain == EmbedderIdentity("m", 2, "1")
    assert len({plain, prefixed, swapped}) == 3


async def test_every_request_is_counted_with_its_tokens_or_its_failure() -> None:
    counted: list[Usage] = []
    ticks = iter(range(100))
    usage = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
    answers = (text("哼", usage), text("not JSON"), Answer({}, 500))
    options = {"usage": counted.append, "timer": lambda: next(ticks)}
    async with StandIn(*answers) as server, connect(server, **options) as opened:
        await OpenAIChat(opened, "talker").reply("s", SAYS_HELLO)
        with pytest.raises(ModelDown, match="500"):
            await OpenAIStructured(opened, "cheap").answer("s", "p", Verdict)
    assert counted == [
        Usage("talker", Purpose.REPLY, 1, Tokens(12, 3)),
        Usage("cheap", Purpose.ANSWER, 1, shape="Verdict"),
        Usage("cheap", Purpose.ANSWER, 1, shape="Verdict", failure="ModelDown"),
    ]
