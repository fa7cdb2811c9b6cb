"""All traffic, both ways, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Exchange:
    """One REST request and its answer; ``template`` is the route it matched, empty when none did."""

    at: float
    seconds: float
    method: str
    path: str
    template: str
    query: Mapping[str, str]
    body: Any
    files: tuple[str, ...]
    status: int
    answer: Any
    fault: bool


@dataclass(frozen=True)
class Frame:
    """One gateway frame; ``sent`` is from the stand-in to the bot."""

    at: float
    sent: bool
    op: int
    name: str | None
    seq: int | None
    data: Any


@dataclass
class Recorder:
    """What went over the wire; ``frames_too`` off saves memory. ``crashes`` are the stand-in's own."""

    exchanges: list[Exchange] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    crashes: list[Exception] = field(default_factory=list)
    frames_too: bool = True

    def clear(self) -> None:
        """Forget it."""
        self.exchanges.clear()
        self.frames.clear()

    def frame(self, frame: Frame) -> None:
        """Keep a gateway frame."""
        if self.frames_too:
            self.frames.append(frame)

    def requests(self, method: str, template: str) -> list[Exchange]:
        """The exchanges of one route, such as ``("POST", "/channels/{channel_id}/messages")``."""
        return [one for one in self.exchanges if (one.method, one.template) == (method, template)]

    def events(self, name: str) -> Iterator[Frame]:
        """The dispatched events of one name."""
        return (one for one in self.frames if one.sent and one.name == name)

    def unknown(self) -> list[Exchange]:
        """Requests for routes the stand-in doesn't have: if a bot makes any, the stand-in must grow."""
        return [one for one in self.exchanges if not one.template]
