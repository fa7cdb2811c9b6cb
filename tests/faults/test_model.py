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

from bot.discord.health import standings
from bot.discord.splitting import length
from bot.settings.sections import ModelSettings, OpenAISettings, Provider, Secrets
from llm.breaker import Rest
from memory.clock import SettableClock
from scheduler.waiting import Waiting
from tests.bot.discord.harness import SOON, Lily, Town, answer_to, online, town
from tests.faults.lines import answered, host_of, in_her_words, log_of, witness
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
    ("slow", HANG, "timeout", "gave no answer: ModelTimeout (no answer within 0.3 s"),
    ("gone", CUT, "down", "can't be reached"),
    ("an error of its own", error(503), "down", "gave no answer: ModelDown (the model server: 503"),
    ("a web page in its place", Answer("<html>", content_type="text/html"), "down", "web page"),
    ("key revoked", error(401), "refused", "check OPENAI_API_KEY"),
    ("key without rights", error(403), "refused", "may not use this model"),
    ("no credit", error(402), "refused", "no credit"),
    ("out of quota", error(429), "rate_limited", "gave no answer: ModelRateLimited (the model server: 429"),
    ("blocked", says(None, "content_filter"), "blocked", "ModelBlocked"),
    ("empty", says(""), "empty", "ModelEmpty"),
    ("broken JSON", Answer('{"choices": "'), "malformed", "ModelMalformed"),
]  # fmt: skip


@dataclass
class Model:
    """What the server answers: the fault while there is one."""

    fault: Answer | None = None
    words: str = "哼，知道了。"
    asked: int = 0

    def __call__(self, asked: Asked) -> Answer:
        self.asked += 1
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
            if name == "key revoked":
                continue  # told below, with what else shows it
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


SOONER = Rest(failures=2, first=600.0, longest=600.0)
"""As in the house, after fewer failures, and for so long that no slow machine lets it pass."""


def rested(lily: Lily) -> None:
    """Let the pause be over."""
    lily.house.watch.breaker("openai", "m")._until = 0.0


async def status(place: Town) -> str:
    """Return what the server's owner reads of ``/lily status``."""
    return (await place.ming.slash(place.server.general, "lily status").reply(SOON)).content


LEFT_ALONE = {
    "gone for minutes": (CUT, "down", "away", "沒有回應"),
    "out of quota for an hour": (error(429, retry_after="3600"), "rate_limited", "quota", "額度用完"),
}


@pytest.mark.parametrize("name", LEFT_ALONE)
async def test_while_it_is_left_alone_nobody_waits_all_can_see_it_and_it_is_asked_again_by_itself(
    tmp_path: Path, name: str
) -> None:
    model = Model()
    fault, failure, standing, words = LEFT_ALONE[name]
    async with talking(tmp_path, model) as (place, lily):
        lily.house.watch._rest = SOONER
        screen = host_of(lily)
        model.fault = fault
        for _ in range(2):
            await answer_to(place.ming, place.ming.dm("你好"))
        await lily.settled()
        asked = model.asked
        reply = await answer_to(place.ming, place.ming.dm("還在嗎"))
        assert model.asked == asked
        assert in_her_words(lily, reply, failure)
        assert standings(lily.house.watch)["openai m"]["standing"] == standing
        assert words in await status(place)
        model.fault = None
        rested(lily)
        assert (await answer_to(place.ming, place.ming.dm("現在呢"))).content == "哼，知道了。"
        await lily.settled()
        assert standings(lily.house.watch)["openai m"] == {"standing": "fine", "cause": ""}
        assert words not in await status(place)
        witness(
            "model",
            name,
            screen=screen[0],
            log=(tmp_path, f"openai m is {standing}"),
            person=reply.content,
            after="by itself: after a few failures in a row she answers at once without asking it, and one "
            "message in 5 to 30 seconds tries (a quota: when the provider says)",
        )
    assert len(screen) == 2, screen
    assert "answers again" in screen[1]


async def test_somebody_in_need_is_given_the_numbers_while_it_is_left_alone(tmp_path: Path) -> None:
    model = Model(CUT)
    async with talking(tmp_path, model) as (place, lily):
        for _ in range(7):
            reply = await answer_to(place.ming, place.ming.dm("我不想活了"))
            assert "1925" in reply.content
        await lily.settled()
        assert lily.house.watch.troubled()


@pytest.mark.parametrize("code", [401, 403, 402])
async def test_a_key_that_is_refused_is_told_on_the_screen_on_the_page_and_to_an_admin(
    tmp_path: Path, code: int
) -> None:
    model = Model(error(code))
    async with talking(tmp_path, model) as (place, lily):
        screen = host_of(lily)
        for _ in range(2):
            reply = await answer_to(place.ming, place.ming.dm("你好"))
            assert in_her_words(lily, reply, "refused")
        told = standings(lily.house.watch)["openai m"]
        assert told["standing"] == "refused" and str(code) in told["cause"]
        assert f"⚠ openai m 拒絕所有請求（the model server: {code}" in await status(place)
        assert len(screen) == 1 and str(code) in screen[0]
        assert KEY not in "\n".join((*screen, await status(place), str(told)))
        if code == 401:
            witness(
                "model",
                "key revoked",
                screen=screen[0],
                log=(tmp_path, "check OPENAI_API_KEY"),
                person=reply.content,
                after="a start with a right key; `lily doctor`, `/healthz` and `/lily status` say it",
            )
        model.fault = None
        assert (await answer_to(place.ming, place.ming.dm("還在嗎"))).content == "哼，知道了。"
        assert "⚠" not in await status(place)


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
