"""Gemini when all goes well: what is sent over the wire and what comes back."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel

from llm.calls import Patience
from llm.errors import ModelMalformed
from llm.gemini import GeminiChat, GeminiConnection, GeminiEmbedder, GeminiStructured, RoleStyle
from llm.protocols import EmbedderIdentity, Picture, Speaker, Turn
from llm.usage import Purpose, Tokens, Usage
from tests.llm.standin import Answer, Asked, StandIn

NO_WAITING = Patience(timeout=5.0, attempts=1)


SAYS_HELLO = [Turn(Speaker.PERSON, "嗨")]


class Relation(StrEnum):
    SAME = "SAME"
    OTHER = "OTHER"


class Verdict(BaseModel):
    reason: str
    relation: Relation = Relation.OTHER
    note: str | None = None


def connect(server: StandIn, **options: Any) -> GeminiConnection:
    return GeminiConnection("k", base_url=server.url, patience=NO_WAITING, **options)


def text(*parts: str, finish: str = "STOP", usage: dict[str, int] | None = None) -> Answer:
    body: dict[str, Any] = {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": part} for part in parts]},
                "finishReason": finish,
            }
        ]
    }
    if usage:
        body["usageMetadata"] = usage
    return Answer(body)


def vectors(asked: Asked) -> Answer:
    """Give each text a vector that tells its number, not of unit length."""
    numbers = [int(one["content"]["parts"][0]["text"].rsplit(" ", 1)[-1]) for one in asked.body["requests"]]
    return Answer({"embeddings": [{"values": [3.0, float(number)]} for number in numbers]})


async def test_a_reply_is_stripped_and_joined_from_its_parts() -> None:
    async with StandIn(text("  哼，", "才沒有等你呢。\n")) as server, connect(server) as opened:
        assert await GeminiChat(opened, "m").reply("s", SAYS_HELLO) == "哼，才沒有等你呢。"


async def test_a_reply_leaves_its_thoughts_out() -> None:
    parts = [{"text": "想一想", "thought": True}, {"text": "好啦"}]
    answer = Answer({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})
    async with StandIn(answer) as server, connect(server) as opened:
        assert await GeminiChat(opened, "m").reply("s", SAYS_HELLO) == "好啦"


async def test_a_reply_cut_off_with_words_is_still_a_reply() -> None:
    async with StandIn(text("我本來想說", finish="MAX_TOKENS")) as server, connect(server) as opened:
        assert await GeminiChat(opened, "m").reply("s", SAYS_HELLO) == "我本來想說"


async def test_a_chat_request_carries_roles_system_key_and_thinking() -> None:
    turns = [
        Turn(Speaker.PERSON, "在嗎？"),
        Turn(Speaker.CHARACTER, "不在。"),
        Turn(Speaker.PERSON, "明明就在"),
    ]
    async with StandIn(text("哼")) as server:
        async with GeminiConnection("the-key", base_url=server.url, patience=NO_WAITING) as opened:
            chat = GeminiChat(opened, "some-model", thinking_level="low", max_output_tokens=300)
            await chat.reply("妳是莉莉。", turns)
        [asked] = server.asked
    assert asked.path == "/v1beta/models/some-model:generateContent"
    assert asked.headers["x-goog-api-key"] == "the-key"
    assert asked.body["systemInstruction"]["parts"] == [{"text": "妳是莉莉。"}]
    assert asked.body["contents"] == [
        {"role": "user", "parts": [{"text": "在嗎？"}]},
        {"role": "model", "parts": [{"text": "不在。"}]},
        {"role": "user", "parts": [{"text": "明明就在"}]},
    ]
    config = asked.body["generationConfig"]
    assert config["maxOutputTokens"] == 300
    assert config["thinkingConfig"] in ({"thinking_level": "LOW"}, {"thinkingLevel": "LOW"})


async def test_a_picture_goes_with_the_words_of_its_turn() -> None:
    turns = [Turn(Speaker.PERSON, "可愛嗎", pictures=(Picture(b"\x89PNG", "image/png"),))]
    async with StandIn(text("哼")) as server, connect(server) as opened:
        chat = GeminiChat(opened, "m")
        assert chat.sees
        await chat.reply("s", turns)
    [picture, words] = server.asked[0].body["contents"][0]["parts"]
    inline = picture["inlineData"]
    assert inline["data"] == "iVBORw=="
    assert inline.get("mimeType", inline.get("mime_type")) == "image/png"  # the API takes both
    assert words == {"text": "可愛嗎"}


async def test_the_api_version_and_a_path_before_it_are_settings() -> None:
    async with StandIn(text("哼")) as server:
        async with GeminiConnection(
            "k", base_url=f"{server.url}/proxy", api_version="v1", patience=NO_WAITING
        ) as opened:
            await GeminiChat(opened, "m").reply("s", SAYS_HELLO)
        assert server.asked[0].path == "/proxy/v1/models/m:generateContent"


async def test_the_environment_of_other_programs_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v9")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_API_KEY", "another-key")
    async with StandIn(text("哼")) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", f"{server.url}/wrong")
        async with GeminiConnection("the-key", base_url=server.url, patience=NO_WAITING) as opened:
            await GeminiChat(opened, "m").reply("s", SAYS_HELLO)
        [asked] = server.asked
    assert asked.path == "/v1beta/models/m:generateContent"
    assert asked.headers["x-goog-api-key"] == "the-key"


async def test_an_answer_comes_back_in_its_shape() -> None:
    async with StandIn(text('{"reason": "同一件事", "relation": "SAME", "note": null}')) as server:
        async with connect(server) as opened:
            found = await GeminiStructured(opened, "m").answer("s", "p", Verdict)
        [asked] = server.asked
    assert found == Verdict(reason="同一件事", relation=Relation.SAME)
    config = asked.body["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    schema = config.get("responseJsonSchema") or config["response_json_schema"]
    assert list(schema["properties"]) == schema["required"] == ["reason", "relation", "note"]


async def test_a_broken_answer_is_repaired_by_asking_once_more() -> None:
    async with StandIn(text('{"reason": 5'), text('{"reason": "好", "relation": "OTHER"}')) as server:
        async with connect(server) as opened:
            found = await GeminiStructured(opened, "m").answer("s", "the prompt", Verdict)
        again = server.asked[1].body["contents"][0]["parts"][0]["text"]
    assert found.reason == "好"
    assert again.startswith("the prompt")
    assert "broken or incomplete" in again


async def test_stored_texts_keep_their_order_over_batches_of_at_most_a_hundred() -> None:
    async with StandIn(script=vectors) as server:
        async with connect(server) as opened:
            embedder = GeminiEmbedder(opened, "gemini-embedding-2", dimensions=2)
            found = await embedder.embed_documents([f"事實 {number}" for number in range(205)])
        assert [len(asked.body["requests"]) for asked in server.asked] == [100, 100, 5]
    assert [round(float(vector[1] / vector[0]) * 3) for vector in found] == list(range(205))
    assert all(vector.dtype == np.float32 for vector in found)
    assert np.allclose([np.linalg.norm(vector) for vector in found], 1.0)


async def test_no_texts_ask_nothing() -> None:
    async with StandIn(script=vectors) as server:
        async with connect(server) as opened:
            assert await GeminiEmbedder(opened, "gemini-embedding-2").embed_documents([]) == []
        assert server.asked == []


async def test_the_older_embedder_tells_the_role_by_task_type() -> None:
    async with StandIn(script=vectors) as server:
        async with connect(server) as opened:
            embedder = GeminiEmbedder(opened, "gemini-embedding-001", dimensions=2)
            await embedder.embed_documents(["事實 1"])
            await embedder.embed_query("問題 2")
        stored, asked = (one.body["requests"][0] for one in server.asked)
    assert stored["taskType"] == "RETRIEVAL_DOCUMENT"
    assert stored["content"]["parts"] == [{"text": "事實 1"}]
    assert stored["outputDimensionality"] == 2
    assert asked["taskType"] == "RETRIEVAL_QUERY"
    assert asked["content"]["parts"] == [{"text": "問題 2"}]


async def test_the_newer_embedder_tells_the_role_in_the_text() -> None:
    async with StandIn(script=vectors) as server:
        async with connect(server) as opened:
            embedder = GeminiEmbedder(opened, "gemini-embedding-2", dimensions=2)
            await embedder.embed_documents(["事實 1", "事實 2"])
            await embedder.embed_query("問題 3")
        stored, asked = (one.body["requests"] for one in server.asked)
    assert [one["content"]["parts"] for one in stored] == [
        [{"text": "title: none | text: 事實 1"}],
        [{"text": "title: none | text: 事實 2"}],
    ]
    assert asked[0]["content"]["parts"] == [{"text": "task: search result | query: 問題 3"}]
    assert all(one.get("taskType") is None for one in [*stored, *asked])


def test_the_space_is_named_by_model_dimensions_and_role_style() -> None:
    connection = GeminiConnection("k")
    newer = GeminiEmbedder(connection, "gemini-embedding-2", dimensions=1536)
    forced = GeminiEmbedder(connection, "gemini-embedding-2", dimensions=1536, roles=RoleStyle.TASK_TYPE)
    assert newer.identity == EmbedderIdentity("gemini-embedding-2", 1536, "prefix-1")
    assert forced.identity != newer.identity


@pytest.mark.parametrize(
    "body",
    [
        {"embeddings": [{"values": [1.0, 0.0]}]},
        {"embeddings": [{"values": [1.0, 0.0]}, {"values": [1.0]}]},
        {"embeddings": [{"values": [1.0, 0.0]}, {"values": [0.0, 0.0]}]},
        {"embeddings": [{"values": [1.0, 0.0]}, {}]},
        {},
    ],
    ids=["one too few", "too short", "no direction", "no values", "nothing"],
)
async def test_embeddings_that_do_not_match_the_texts_are_refused(body: dict[str, Any]) -> None:
    async with StandIn(Answer(body)) as server, connect(server) as opened:
        with pytest.raises(ModelMalformed):
            await GeminiEmbedder(opened, "gemini-embedding-2", dimensions=2).embed_documents(["a", "b"])


async def test_a_blank_text_is_embedded_as_silence() -> None:
    async with StandIn(Answer({"embeddings": [{"values": [1.0, 0.0]}]})) as server:
        async with connect(server) as opened:
            await GeminiEmbedder(opened, "gemini-embedding-001", dimensions=2).embed_query(" \n")
        assert server.asked[0].body["requests"][0]["content"]["parts"] == [{"text": "…"}]


async def test_every_request_is_counted_with_its_tokens() -> None:
    counted: list[Usage] = []
    ticks = iter(range(100))
    usage = {"promptTokenCount": 12, "candidatesTokenCount": 3, "thoughtsTokenCount": 4}
    async with (
        StandIn(text('{"reason": "好", "relation": "SAME"}', usage=usage)) as server,
        connect(server, usage=counted.append, timer=lambda: next(ticks)) as opened,
    ):
        await GeminiChat(opened, "talker").reply("s", SAYS_HELLO)
        await GeminiStructured(opened, "cheap").answer("s", "p", Verdict)
    assert counted == [
        Usage("talker", Purpose.REPLY, 1, Tokens(12, 7)),
        Usage("cheap", Purpose.ANSWER, 1, Tokens(12, 7), shape="Verdict"),
    ]
