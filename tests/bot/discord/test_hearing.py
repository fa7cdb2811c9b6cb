from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.hearing import Decision, Heard, Reason, decide

HEARD = st.builds(Heard, **{field.name: st.booleans() for field in fields(Heard)})


@pytest.mark.parametrize(
    ("heard", "answer", "reason"),
    [
        (Heard(), False, Reason.NOT_SPOKEN_TO),
        (Heard(in_dm=True), True, Reason.DM),
        (Heard(mentions_her=True), True, Reason.MENTION),
        (Heard(replies_to_her=True), True, Reason.REPLY),
        (Heard(in_active_channel=True), True, Reason.ACTIVE_CHANNEL),
        (Heard(in_her_thread=True), True, Reason.HER_THREAD),
        (Heard(in_dm=True, is_empty=True), False, Reason.EMPTY),
        (Heard(in_group=True, mentions_her=True), False, Reason.GROUP),
        (Heard(in_active_channel=True, mentions_everyone=True), False, Reason.EVERYONE),
        (Heard(mentions_her=True, mentions_everyone=True), False, Reason.EVERYONE),
        (Heard(mentions_her=True, by_bot=True), False, Reason.BOT),
        (Heard(replies_to_her=True, by_webhook=True, by_bot=True), False, Reason.WEBHOOK),
        (Heard(in_dm=True, by_herself=True, by_bot=True), False, Reason.HERSELF),
        (Heard(in_active_channel=True, is_system=True), False, Reason.SYSTEM),
        (Heard(in_dm=True, mentions_her=True), True, Reason.DM),
        (Heard(mentions_her=True, replies_to_her=True), True, Reason.MENTION),
    ],
)
def test_a_message_is_answered_or_left_alone_for_its_reason(
    heard: Heard, answer: bool, reason: Reason
) -> None:
    assert decide(heard) == Decision(answer, reason)


@given(HEARD, st.sampled_from(["by_herself", "by_webhook", "by_bot", "is_system", "mentions_everyone"]))
def test_no_bot_and_no_announcement_is_ever_answered(heard: Heard, mark: str) -> None:
    assert not decide(replace(heard, **{mark: True})).answer


@given(HEARD)
def test_nobody_is_answered_who_did_not_speak_to_her(heard: Heard) -> None:
    silent = replace(
        heard,
        in_dm=False,
        mentions_her=False,
        replies_to_her=False,
        in_active_channel=False,
        in_her_thread=False,
    )
    assert not decide(silent).answer
