"""A conversation as the providers want it: roles that alternate, a person first and last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from llm.protocols import Picture, Speaker, Turn

SILENCE = "…"
"""Stands for a person who says nothing: before she speaks first, and where she opens the talk."""

NAME_LIMIT = 32
"""Characters of a display name shown before a line; the longest a Discord name can be."""


@dataclass(frozen=True, slots=True)
class Line:
    """One message to a provider."""

    speaker: Speaker
    text: str
    pictures: tuple[Picture, ...] = ()


def sendable(text: str) -> str:
    """Return ``text`` without lone surrogates, which no request can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def lines(turns: Sequence[Turn]) -> list[Line]:
    """Return the turns as alternating lines that begin and end with a person.

    Many chat templates refuse anything else. Turns of the same speaker are joined; what holds neither
    words nor a picture falls away. Names are shown only where several people talk, else the model
    learns to write them.
    """
    names = {turn.name for turn in turns if turn.speaker is Speaker.PERSON}
    several = len(names) > 1
    found: list[Line] = []
    for turn in turns:
        text = sendable(turn.text).strip()
        pictures = turn.pictures
        if not text and not pictures:
            continue
        if several and turn.speaker is Speaker.PERSON and turn.name:
            text = f"{_one_line(turn.name)}: {text}"
        if found and found[-1].speaker is turn.speaker:
            before = found.pop()
            text, pictures = f"{before.text}\n{text}".strip(), before.pictures + pictures
        found.append(Line(turn.speaker, text, pictures))
    silence = Line(Speaker.PERSON, SILENCE)
    if found and found[0].speaker is Speaker.CHARACTER:
        found.insert(0, silence)
    if not found or found[-1].speaker is Speaker.CHARACTER:
        found.append(silence)
    return found


def _one_line(name: str) -> str:
    printable = "".join(char if char.isprintable() else " " for char in sendable(name))
    return " ".join(printable.split())[:NAME_LIMIT]
