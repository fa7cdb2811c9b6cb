"""``lily run`` as a host runs it, walked through from end to end by three people of three languages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import pytest

from bot.discord.buttons import Verb
from bot.discord.commands.forms import Form
from bot.discord.commands.words import Tongue
from tests.bot.discord.walk import Walker, buttons_of, kind_of, verb_of
from tests.bot.discord.walk_record import LONG, Walked, walk_through
from tests.bot.discord.walk_words import ENGLISH, JAPANESE
from tests.standin.checks import SELECTS, walk
from tests.standin.model import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT, Interaction, Message
from tests.standin.routes_answers import CHOICES, DEFER, DEFER_UPDATE, MODAL

SUB, GROUP = 1, 2
HAN_AND_KANA, KANA = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]"), re.compile(r"[\u3040-\u30ff]")


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Walked:
    return asyncio.run(walk_through(tmp_path_factory.mktemp("walk")))


# What there is, as Discord was told it; and what was used of it


def leaves(level: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Every command that can be used, by its path, with its options."""
    path = f"{above} {level['name']}".strip()
    inside = level.get("options") or []
    below = [one for one in inside if one["type"] in {SUB, GROUP}]
    if not below:
        yield path, inside
    for one in below:
        yield from leaves(one, path)


def offered(walked: Walked, kinds: set[int]) -> list[Mapping[str, Any]]:
    return [one for one in walked.discord.bot.commands[None].values() if one["type"] in kinds]


def filled(level: Mapping[str, Any], above: str = "") -> tuple[str, list[Mapping[str, Any]]]:
    """The path of a used command and the options that were filled in."""
    path = f"{above} {level['name']}".strip()
    inside = level.get("options") or []
    if inside and inside[0]["type"] in {SUB, GROUP}:
        return filled(inside[0], path)
    return path, inside


def used(walked: Walked, one: Walker, kind: int) -> list[Interaction]:
    return [each for each in walked.used_by(one) if each.kind == kind]


def answer(one: Interaction) -> Message:
    """What the person read: the first answer, or what was said in its place."""
    if one.acknowledged == DEFER_UPDATE and not one.edits:
        return next(each for each in one.messages if each is not one.message)
    assert one.original is not None
    return one.original


def test_every_command_there_is_was_used_in_every_language(walked: Walked) -> None:
    there_are = {path for one in offered(walked, {1}) for path, _ in leaves(one)}
    for walker in walked.walkers:
        assert {filled(one.data)[0] for one in used(walked, walker, COMMAND)} >= there_are


def test_every_option_was_filled_in_and_every_choice_taken(walked: Walked) -> None:
    there_are: set[tuple[str, ...]] = set()
    for path, options in chain.from_iterable(leaves(one) for one in offered(walked, {1})):
        for option in options:
            choices = [str(choice["value"]) for choice in option.get("choices") or ()]
            there_are |= {(path, option["name"], value) for value in choices} or {(path, option["name"])}
    for walker in walked.walkers:
        taken: set[tuple[str, ...]] = set()
        for path, options in (filled(one.data) for one in used(walked, walker, COMMAND)):
            for option in options:
                taken |= {(path, option["name"]), (path, option["name"], str(option["value"]))}
        assert taken >= there_are


def test_every_option_that_suggests_was_typed_into(walked: Walked) -> None:
    there_are = {
        (path, option["name"])
        for one in offered(walked, {1})
        for path, options in leaves(one)
        for option in options
        if option.get("autocomplete")
    }
    for walker in walked.walkers:
        typed = [filled(one.data) for one in used(walked, walker, AUTOCOMPLETE)]
        focused = {(path, each["name"]) for path, options in typed for each in options if each.get("focused")}
        assert focused >= there_are


def test_every_menu_was_used_in_every_language(walked: Walked) -> None:
    there_are = {one["name"] for one in offered(walked, {2, 3})}
    for walker in walked.walkers:
        assert {one.data["name"] for one in used(walked, walker, COMMAND)} >= there_are


def test_every_button_that_was_shown_was_pressed_and_each_kind_was_shown(walked: Walked) -> None:
    for walker in walked.walkers:
        left = [
            button
            for channel in walked.discord.world.channels.values()
            for message in channel.messages.values()
            for button in buttons_of(message)
            if f":{walker.person.id}:" in button["custom_id"]
        ]
        assert walker.pressed >= walker.shown | {kind_of(button) for button in left}
        assert {verb for verb, _ in walker.pressed} == set(Verb)


def test_no_select_was_shown_that_nobody_can_have_used(walked: Walked) -> None:
    for channel in walked.discord.world.channels.values():
        for message in channel.messages.values():
            assert not [one for one in walk(message.components) if one["type"] in SELECTS]


def test_every_form_that_was_opened_was_sent(walked: Walked) -> None:
    for walker in walked.walkers:
        opened = {one.modal["custom_id"] for one in walked.used_by(walker) if one.modal}
        sent = {one.data["custom_id"] for one in used(walked, walker, MODAL_SUBMIT)}
        assert sent == opened
        assert {custom_id.split(":")[2] for custom_id in sent} == set(Form)


# How it was answered


def test_everything_was_acknowledged_before_it_was_looked_into(walked: Walked) -> None:
    first = {
        AUTOCOMPLETE: {CHOICES},
        COMMAND: {DEFER, MODAL},
        COMPONENT: {DEFER, DEFER_UPDATE, MODAL},
        MODAL_SUBMIT: {DEFER},
    }
    for one in walked.used:
        assert one.acknowledged in first[one.kind], one.data
        assert one.acknowledged != MODAL or verb_of(str(one.modal and one.modal["custom_id"])) == "form"


def test_everything_was_answered_and_seen_by_nobody_but_whoever_asked(walked: Walked) -> None:
    for one in walked.used:
        if one.kind == AUTOCOMPLETE or one.modal is not None:
            continue
        shown = answer(one)
        assert not shown.loading, one.data
        assert shown.ephemeral_to is one.user, one.data
        assert all(each.ephemeral_to is one.user for each in one.messages), one.data


def test_everybody_was_answered_in_their_own_language(walked: Walked) -> None:
    for walker in walked.walkers:
        for one in walked.used_by(walker):
            choosing = one.kind == COMMAND and one.data["name"] == "language"
            if one.kind == AUTOCOMPLETE or one.modal is not None or choosing:
                continue
            text = answer(one).content
            if walker.lines is ENGLISH:
                assert not HAN_AND_KANA.search(text), text
            else:
                assert bool(KANA.search(text)) is (walker.lines is JAPANESE), text
            assert not re.search(r"\{\w+\}", text), text


def test_what_was_opened_before_the_restart_worked_after_it(walked: Walked) -> None:
    for walker in walked.walkers:
        later = [one for one in walked.used_by(walker) if one.created > walked.restarted]
        old = [one for one in later if one.message and one.message.posted < walked.restarted]
        assert {verb_of(one.data["custom_id"]) for one in old if one.kind == COMPONENT} == set(Verb)
        forms = [one for one in later if one.source and one.source.created < walked.restarted]
        assert {one.data["custom_id"].split(":")[2] for one in forms} == set(Form)
        words = Tongue(walker.lines.language)
        edited, again, wrong, erased = [answer(one).content for one in forms]
        assert "→" in edited
        assert walker.lines.edited in edited
        assert again.startswith(words.text("refusals.archived_already"))
        assert walker.lines.edited in again
        assert words.text("erase.word") in wrong
        assert words.text("erase.row", what="", count="")[:2] in erased


def test_nobody_could_press_what_is_anothers(walked: Walked) -> None:
    for walker in walked.walkers:
        pressed = used(walked, walker, COMPONENT)
        others = [one for one in pressed if f":{walker.person.id}:" not in one.data["custom_id"]]
        refused = Tongue(walker.lines.language).text("refusals.not_your_button")
        assert [answer(one).content for one in others] == [refused]


# Talking


def test_each_thing_said_to_her_was_answered_once(walked: Walked) -> None:
    for walker in walked.walkers:
        assert [walked.answers_to(said) for said in walker.said] == [1] * len(walker.said)


def test_what_was_said_while_she_thought_was_answered_as_one(walked: Walked) -> None:
    assert [walked.answers_to(said) for said in walked.burst] == [1, 0, 0, 1]


def test_a_long_answer_came_in_parts_that_lose_nothing(walked: Walked) -> None:
    assert len(walked.long_parts) > 1
    assert all(len(part) <= 2000 for part in walked.long_parts)
    assert "".join("".join(walked.long_parts).split()) == "".join(LONG.split())


# The process


def test_told_to_stop_she_finished_her_sentence_and_her_answers(walked: Walked) -> None:
    assert walked.cut_off is not None
    said, command = walked.cut_off
    assert walked.codes == [0, 0]
    assert walked.answers_to(said) == 1
    assert not answer(command).loading


def test_a_second_instance_was_refused_in_one_line_that_names_the_first(walked: Walked) -> None:
    code, told, pid = walked.refused
    assert code == 2
    assert len(told.splitlines()) == 1
    assert str(pid) in told


def test_the_host_was_told_what_to_do_and_the_log_holds_no_words(walked: Walked) -> None:
    assert walked.told.count("oauth2/authorize") == 2
    for text in (walked.told, walked.log):
        assert "Traceback" not in text
        assert walked.discord.bot.token not in text
    said = [word for one in walked.walkers for word in (one.lines.mark, one.lines.allergen, one.lines.keep)]
    assert not [word for word in said if word in walked.log]
    assert not re.search(r"^\S+ (WARNING|ERROR)", walked.log, re.M)


def test_all_traffic_kept_to_what_discord_publishes(walked: Walked) -> None:
    assert walked.differences == []
    assert walked.discord.recorder.unknown() == []
    assert walked.discord.recorder.crashes == []
