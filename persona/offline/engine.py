"""The offline reply: rules in a fixed order, the character's words, at most one question at the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta

from llm.protocols import Speaker
from memory.catalog import closest_language
from memory.text import single_line
from persona.character import Character
from persona.offline.clauses import Heard, clauses_of, hear, only_emoji, only_marks
from persona.offline.comfort import answer_tone, react_to_loss, weighs
from persona.offline.events import ask_due, react_to_event
from persona.offline.facts import react_to_facts
from persona.offline.line import Line
from persona.offline.recall import answer_recall
from persona.offline.scene import GRAMMAR_OF, Scene
from persona.offline.social import (
    answer_herself,
    answer_limits,
    answer_mood,
    answer_news,
    answer_talk,
    listen,
)
from persona.situation import Reply, Situation, Source


def _answer(scene: Scene) -> Line | None:
    """Answer the first question that is one, in the grammar's order."""
    for heard in scene.asks:
        if _ASKED_BY_OTHERS.search(heard.clause):
            continue
        line = answer_herself(scene, heard) or answer_recall(scene, heard)
        if line is not None and line.text:
            return line
    return None


# So many messages of the person stay under what was heavy: a thread of grief, not the whole evening.
HEAVY_TURNS = 6
# What she says while a thread is heavy; any other reply of hers has left it.
_GENTLE = (
    *("loss.death", "loss.breakup", "loss.illness", "loss.job", "loss.hurt", "self_blame", "give_up"),
    *("hear.sad", "hear.heavy", "heavy", "told.gentle", "event.done.gentle", "event.planned.gentle"),
    *("mood.sad", "mood.grief", "mood.lonely", "mood.self_doubt"),
)
# The answers that say she does not know.
_KNOWS_NOTHING = re.compile(r"^recall\..*\.(?:unknown|no|none|nothing)$|^question\.|^listen$")
# Characters of a server's lore in a line of hers: as much as an entry holds.
NOTICE = 500
# After such a rest the talk begins anew.
HEAVY_FOR = timedelta(hours=6)
# What shows that the talk has moved on.
_LIGHT = frozenset({"good", "better", "mood.happy", "laugh", "joke", "good_night", "goodbye", "news.good"})
# Two kana in a row are Japanese; the Chinese rules would misread its kanji.
_KANA = re.compile(r"[ぁ-ゖァ-ヺ]{2}")

# 小安問我阿公去哪裡了 tells of a question; it asks nothing of her.
_ASKED_BY_OTHERS = re.compile(r"[^,我你妳您]{1,6}(?:又|一直|都|突然)?(?:问|跑来问)我")

_HANDLERS: tuple[Callable[[Scene], Line | None], ...] = (
    _answer,
    react_to_loss,
    react_to_event,
    answer_news,
    react_to_facts,
    answer_mood,
    answer_talk,
    answer_tone,
    answer_limits,
)


def offline_reply(character: Character, situation: Situation, *, gentle: bool = False) -> Reply:
    """Return her reply by rules alone. Pure: the same situation gives the same reply.

    ``gentle``: somebody was in distress lately, so nothing teases and no follow-up is asked.
    """
    scene = scene_of(character, situation)
    lines = _lines(scene, gentle)
    text = _join(scene, [line.text for line in lines])
    recent = situation.recent_replies
    if recent and text == recent[-1]:
        again = scene.say("again", salt="again")
        text = _join(scene, [again, text]) if again else text
    asked = tuple(identity for line in lines for identity in line.asked)
    return Reply(text, Source.RULES, asked=asked, why="+".join(line.why for line in lines))


def scene_of(character: Character, situation: Situation) -> Scene:
    """Prepare a situation for the rules: the grammar of its language first, English after it."""
    language = closest_language(situation.language)
    clauses = clauses_of(situation.text, character.names)
    tongues = [
        t
        for t in dict.fromkeys((GRAMMAR_OF[language], "en", "zh"))
        if t != "zh" or not _KANA.search(situation.text)
    ]
    if not clauses and situation.text.strip():  # nothing but her name
        called = (Heard("hello", "", ""),)
        return Scene(
            situation, character, language, (), (), called, _was_heavy(character, situation, tongues)
        )
    heard = {
        name: [h for tongue in tongues for h in hear(name, tongue, clauses)]
        for name in ("ask", "talk", "tone")
    }
    return Scene(
        situation,
        character,
        language,
        tuple(clauses),
        tuple(heard["ask"]),
        tuple(heard["talk"]),
        _was_heavy(character, situation, tongues),
        tuple(heard["tone"]),
    )


def _was_heavy(character: Character, situation: Situation, tongues: Sequence[str]) -> bool:
    """Whether the talk is still about grief or sorrow: the last message was, or she still answers gently."""
    if situation.since_last is not None and situation.since_last >= HEAVY_FOR:
        return False
    said = [turn.text for turn in situation.turns if turn.speaker is Speaker.PERSON]
    if said and said[-1] == situation.text:
        said = said[:-1]
    gentle = {text for key in _GENTLE for text in character.variants(key, situation.language)}
    going_on = bool(situation.recent_replies) and situation.recent_replies[-1] in gentle
    for text in reversed(said[-HEAVY_TURNS:] if going_on else said[-1:]):
        clauses = clauses_of(text)
        keys = {h.key for name in ("tone", "talk") for tongue in tongues for h in hear(name, tongue, clauses)}
        if any(map(weighs, keys)):
            return True
        if keys & _LIGHT:
            return False
    return False


def _wordless(scene: Scene) -> Line:
    """Answer a message without words: by what came with it, if anything did."""
    attached = scene.situation.beside.attached
    if not attached:
        return Line(scene.say("silence"), "silence")
    key = f"attached.{attached[-1].kind}"
    return Line(scene.say(key, "attachment"), key)


def _lines(scene: Scene, gentle: bool) -> list[Line]:
    situation = scene.situation
    if not situation.text.strip():
        return [_wordless(scene)]
    marks = only_marks(situation.text)
    if scene.was_heavy and (marks == "." or only_emoji(situation.text)):
        return [Line(scene.say("hear.heavy"), "hear.heavy")]
    if marks:
        return [Line(scene.say("puzzled" if marks == "?" else "ack"), "marks")]
    if only_emoji(situation.text):
        return [Line(scene.say("emoji"), "emoji")]
    found: list[Line] = []
    for handler in _HANDLERS:
        line = handler(scene)
        if line is not None and line.text:
            found.append(line)
            break
    if not found:
        found.append(listen(scene))
    found[0] = _from_a_notice(scene, found[0]) or found[0]
    first = found[0]
    extra = _second(scene, first)
    if situation.beside.attached and not (gentle or scene.was_heavy):
        found.append(Line(scene.say("also_attached"), "also_attached"))
    elif extra is not None:
        found.append(extra)
    elif first.open and not gentle:
        due = ask_due(scene)
        if due is not None:
            found.append(due)
    return found


def _from_a_notice(scene: Scene, first: Line) -> Line | None:
    """Answer what she knows nothing of with what the server's admins wrote, where the question names that."""
    notices = scene.situation.notices
    if not notices or not _KNOWS_NOTHING.search(first.why):
        return None
    if first.why == "listen" and not scene.is_question:
        return None
    text = scene.say("notice", fact=single_line(notices[0], NOTICE))
    return Line(text, "notice") if text else None


def _second(scene: Scene, first: Line) -> Line | None:
    """Return a second piece: comfort after a plan or a fact, the rest of 「早安，好累」."""
    if first.why.startswith(("event.planned", "told.")) and not first.why.endswith("gentle"):
        return answer_mood(scene, plainly=True)
    return None


def _join(scene: Scene, texts: list[str]) -> str:
    return (" " if scene.language == "en" else "").join(text for text in texts if text)
