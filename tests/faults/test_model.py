"""The model slow, refusing, out of quota, gone, or talking nonsense, while she is on Discord."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.discord.splitting import length
from bot.settings.sections import ModelSettings, OpenAISettings, Provider, Secrets
from memory.clock import SettableClock
from scheduler.waiting import Waiting
from tests.bot.discord.harness import Lily, Town, answer_to, online, town
from tests.faults.lines import answered, in_her_words, log_of, witness
from tests.llm.standin import CUT, HANG, Answer, Asked, StandIn

KEY = "key-that-nobody-may-see"
ALLERGY = {
    "text": "使用者對花生過敏", "quote": "我對花生過敏", "subject": "使用者", "category": "identity",
    "change": "new", "sensitive": False,
}  # fmt: skip


def says(content: Any, finish: str = "stop") -> Answer:
    message = {"role": "assistant", "content": content}
    return Answer({"choices": [{"index": 0, "message": message, "finish_reason": finish}]})


def error(status: int, **headers: str) -> Answer:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer({"error": {"message": f"{KEY} 我對花生過敏", "code": None}}, status, sent)


FAULTS = [
    ("slow", HANG, "timeout", "no answer within 0.3 s"),
    ("gone", CUT, "down", "can't be reached"),
    ("an error of its own", error(503), "down", "503"),
    ("a web page in its place", Answer("<html>", content_type="text/html"), "down", "web page"),
    ("key revoked", error(401), "refused", "check OPENAI_API_KEY"),
    ("key without rights", error(403), "refused", "may not use this model"),
    ("no credit", error(402), "refused", "no credit"),
    ("out of quota", error(429), "rate_limited", "429"),
    ("out of quota for an hour", error(429, retry_after="3600"), "rate_limited", "429"),
    ("blocked", says(None, "content_filter"), "blocked", "ModelBlocked"),
    ("empty", says(""), "empty", "ModelEmpty"),
    ("broken JSON", Answer('{"choices": "'), "malformed", "ModelMalformed"),
]  # fmt: skip


@dataclass
class Model:
    """What the server answers: the fault while there is one."""

    fault: Answer | None = None
    words: str = "哼，知道了。"

    def __call__(self, asked: Asked) -> Answer:
        if self.fault is not None:
            return self.fault
        if "facts" not in json.dumps(asked.body, ensure_ascii=False):
            return says(self.words)
        told = [ALLERGY] if "我對花生過敏" in json.dumps(asked.body, ensure_ascii=False) else []
        return says(json.dumps({"facts": told, "nothing_because": None if told else "small_talk"}))


@asynccontextmanager
async def talking(folder: Path, model: Model) -> AsyncIterator[tuple[Town, Lily]]:
    """Bring her online with a model behind a socket that talks and extracts."""
    chosen = ModelSettings(
        chat=Provider.OPENAI, extractor=Provider.OPENAI, judge=Provider.OFFLINE,
        attempts=1, timeout_seconds=0.3, openai=OpenAISettings(chat="m", extractor="m"),
    )  # fmt: skip
    async with StandIn(script=model) as server, town() as place:
        secrets = Secrets(openai_base_url=SecretStr(f"{server.url}/v1"), openai_api_key=SecretStr(KEY))
        async with online(place.discord, folder, models=chosen, secrets=secrets, scheduled=False) as lily:
            yield place, lily


async def test_she_says_so_the_admin_reads_why_and_she_goes_on_once_it_is_over(tmp_path: Path) -> None:
    model = Model()
    async with talking(tmp_path, model) as (place, lily):
        for name, fault, failure, logged in FAULTS:
            model.fault = fault
            said = place.ming.dm(f"你好，{name}")
            reply = await answer_to(place.ming, said)
            assert in_her_words(lily, reply, failure), name
            assert logged in log_of(tmp_path), name
            model.fault = None
            more = place.ming.dm("還在嗎")
            assert (await answer_to(place.ming, more)).content == "哼，知道了。", name
            assert answered(place.ming).count(said.id) == 1, name
            witness(
                "model",
                name,
                log=(tmp_path, logged),
                person=reply.content,
                after="by itself: the next message is answered, what was told is learned",
            )
        await lily.settled()
    log = log_of(tmp_path)
    assert KEY not in log and "花生" not in log and "Traceback" not in log


@pytest.mark.parametrize("fault", [HANG, error(401), says("")], ids=["slow", "key revoked", "empty"])
async def test_what_was_told_meanwhile_is_learned_once_it_is_over(tmp_path: Path, fault: Answer) -> None:
    model = Model(fault)
    async with talking(tmp_path, model) as (place, lily):
        await answer_to(place.ming, place.ming.dm("我對花生過敏"))
        await lily.settled()
        model.fault = None
        (clock := SettableClock(lily.house.clock.now())).advance(timedelta(minutes=2))
        await Waiting(lily.house.memory.inbox, lily.house.memory.observer, clock).observe()
        assert await lily.texts(place.ming) == ["使用者對花生過敏"]
        assert await lily.house.memory.inbox.waiting() == 0


NONSENSE = {
    "a megabyte": "很長的話。" * 200_000,
    "control characters": "哼\x00\x1b[31m，\u202e知道了\x07。",
    "half a character": "哼，知道了。\ud800",
    "JSON": '{"reply": "哼"}',
    "another language": "Я не понимаю.",
    "everybody's name": "@everyone <@1> 小華，你好。",
    "markup without end": "```" * 3000,
}


async def test_nonsense_is_said_in_few_messages_and_never_believed(tmp_path: Path) -> None:
    model = Model()
    async with talking(tmp_path, model) as (place, lily):
        for name, words in NONSENSE.items():
            model.words = words
            before = len(place.ming.reads(place.ming.dm_channel()))
            await answer_to(place.ming, place.ming.dm("我對花生過敏"))
            await lily.settled()
            new = place.ming.reads(place.ming.dm_channel())[before:]
            hers = [one for one in new if one.author.bot]
            assert len(hers) <= 6, name
            for one in hers:
                assert one.content.strip() and length(one.content) <= 2000, name
                assert not set(one.content) & set("\x00\x1b\x07\u202e\ud800"), name
                assert one.notified <= {place.ming.id} and not one.mention_everyone, name
            witness(
                "model",
                f"talks nonsense: {name}",
                person=f"{hers[0].content[:24]}… ({len(hers)} messages)",
                after="nothing of it is learned",
            )
        assert await lily.texts(place.ming) == ["使用者對花生過敏"]
    assert "Traceback" not in log_of(tmp_path)
