"""The system prompt: rules above any character, the character, her lore, what she remembers, how to speak."""

from __future__ import annotations

import re
from collections.abc import Sequence

from llm.protocols import Speaker
from memory.catalog import Catalog, load_catalog
from memory.text import single_line
from persona.character import Character
from persona.lore import LoreDocument
from persona.safety import Concern, Safety, help_lines
from persona.situation import NOTHING, Attached, Beside, Quoted

MAX_DISPLAY_NAME = 32
MAX_LORE_LINE = 500
MAX_CONTEXT_LINE = 400
MAX_CONTEXT = 8_000
MAX_QUOTED = 400
_MACROS = re.compile(r"\{\{\s*(char|user)\s*\}\}|<(char|bot|user)>", re.IGNORECASE)
_FENCE = re.compile(
    r"[<＜][\s/]*(?:/|data|memory|lore|system|assistant|user|im_(?:start|end)|\|)", re.IGNORECASE
)
_HEADING = re.compile(r"^(?:#{1,6}|=+|-{3,})")


def quote(text: str, limit: int) -> str:
    """Return somebody's words as data in a prompt: quoted, one line, capped, its own quotes softened."""
    line = single_line(text, limit).replace("「", "‹").replace("」", "›")
    return f"「{_FENCE.sub('‹', line)}」"


def build_system_prompt(
    character: Character,
    *,
    language: str,
    context: str = "",
    lore: Sequence[LoreDocument | str] = (),
    display_name: str | None = None,
    place_is_dm: bool = True,
    concern: Safety | None = None,
    gentle: bool = False,
    beside: Beside = NOTHING,
) -> str:
    """Return the system prompt for one reply.

    ``context`` is the recollection as :mod:`memory` renders it: its lines are kept, fenced as
    data. ``concern`` is what was found in the message; ``gentle``: somebody was in distress lately.
    ``beside`` is what the message replies to, and what came with it.
    """
    words = load_catalog("persona", language)
    user = quote(display_name, MAX_DISPLAY_NAME) if display_name and display_name.strip() else ""
    sections = [
        _titled(words, "rules", _bullets(_rules(words, language))),
        _titled(words, "character", _character(character, words, language, user)),
        _data(words, "lore", [_lore_line(entry) for entry in lore]),
        _data(words, "memory", context_lines(context)),
        _titled(words, "person", _person(words, user, place_is_dm)),
        _data(words, "quoted", [_quoted_line(words, one) for one in beside.quoted]),
        _data(words, "attached", _attached_lines(words, beside)),
        _titled(words, "style", _bullets([str(line) for line in words.get("prompt.style")])),
        fill_macros(character.card.post_history_instructions, character.name_in(language), user),
        _attention(words, language, concern, gentle),
    ]
    return "\n\n".join(section for section in sections if section)


def fill_macros(text: str, char: str, user: str) -> str:
    """Replace the card macros for the character's and the person's names."""

    def name(match: re.Match[str]) -> str:
        return (user or "user") if (match[1] or match[2]).lower() == "user" else char

    return _MACROS.sub(name, text).strip()


def context_lines(context: str) -> list[str]:
    """Return the lines of a rendered recollection for a prompt: no fence, no heading, each capped."""
    lines = []
    for raw in context[:MAX_CONTEXT].splitlines():
        indent = "  " if raw[:1].isspace() else ""
        line = _HEADING.sub("", _FENCE.sub("‹", single_line(raw, MAX_CONTEXT_LINE))).strip()
        if line:
            lines.append(indent + line)
    return lines


def help_summary(language: str, concern: Concern = Concern.SELF_HARM) -> str:
    """Return the numbers of a locale in one line."""
    words = load_catalog("persona", language)
    return str(words.get("join")).join(f"{line.name} {line.number}" for line in help_lines(language, concern))


def _rules(words: Catalog, language: str) -> list[str]:
    lines = help_summary(language)
    return [str(rule).format(lines=lines) for rule in words.get("prompt.rules")]


def _character(character: Character, words: Catalog, language: str, user: str) -> str:
    card, name = character.card, character.name_in(language)
    parts = [name, card.system_prompt]
    parts += [
        f"{words.get(f'prompt.{field}')}{text}"
        for field, text in (
            ("description", card.description),
            ("personality", card.personality),
            ("scenario", card.scenario),
        )
        if text
    ]
    if card.mes_example:
        parts.append(f"{words.get('prompt.example_title')}\n{card.mes_example}")
    return "\n".join(fill_macros(part, name, user) for part in parts if part)


def _lore_line(entry: LoreDocument | str) -> str:
    text = entry if isinstance(entry, str) else entry.text
    return f"- {quote(text, MAX_LORE_LINE)}"


def _person(words: Catalog, user: str, place_is_dm: bool) -> str:
    who = words.text("prompt.person", name=user) if user else words.text("prompt.person_unknown")
    return f"{who}\n{words.text('prompt.dm' if place_is_dm else 'prompt.public')}"


def _quoted_line(words: Catalog, one: Quoted) -> str:
    if one.speaker is Speaker.CHARACTER:
        return f"- {words.text('prompt.quoted_hers', text=quote(one.text, MAX_QUOTED))}"
    name = quote(one.name or "?", MAX_DISPLAY_NAME)
    return f"- {words.text('prompt.quoted_person', name=name, text=quote(one.text, MAX_QUOTED))}"


def _attached_lines(words: Catalog, beside: Beside) -> list[str]:
    """Return what came with the message; of the pictures, as many as are shown are seen."""
    seen, lines = len(beside.pictures), []
    for one in beside.attached:
        key = str(one.kind)
        if one.kind is Attached.PICTURE and seen:
            key, seen = "picture_seen", seen - 1
        name = quote(one.name, MAX_QUOTED) if one.name.strip() else ""
        lines.append(f"- {words.text(f'prompt.attached.{key}', name=name)}")
    return lines


def _attention(words: Catalog, language: str, concern: Safety | None, gentle: bool) -> str:
    if concern is not None and concern.is_crisis:
        return words.text("prompt.crisis", lines=help_summary(language, concern.concern))
    if concern is not None and concern.concern is Concern.ASKS_IF_HUMAN:
        return words.text("prompt.asked_if_human")
    return words.text("prompt.crisis_after") if gentle else ""


def _titled(words: Catalog, key: str, body: str) -> str:
    return f"# {words.text(f'prompt.{key}_title')}\n{body}" if body else ""


def _data(words: Catalog, key: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    body = "\n".join(lines)
    return f"# {words.text(f'prompt.{key}_title')}\n<data>\n{body}\n</data>"


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
