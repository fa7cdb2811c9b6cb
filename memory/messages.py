"""A message as it enters the house, whatever client it came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.places import DM, Place
from memory.text import readable


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a person to a character.

    ``id`` is unique over all clients (``discord:123``, ``chat:...``, a replay line's hash);
    ``revision`` counts edits. ``said_at`` is aware UTC. ``zone`` and ``language`` are the
    person's at that moment (IANA, BCP 47).
    """

    id: str
    user_id: str
    persona_id: str
    text: str
    said_at: datetime
    place: Place = DM
    revision: int = 0
    zone: str = "Asia/Taipei"
    language: str = "zh-TW"
    display_name: str | None = None
    client: str = "chat"

    def __post_init__(self) -> None:
        """Make the words such as can be kept: clients send half an emoji, models are asked in UTF-8."""
        object.__setattr__(self, "text", readable(self.text))
        if self.display_name is not None:
            object.__setattr__(self, "display_name", readable(self.display_name))

    @property
    def conversation(self) -> str:
        """The key of the conversation it belongs to: in a DM the person's, else the channel's."""
        if self.place.is_dm:
            return f"{self.persona_id}|dm|{self.user_id}"
        return f"{self.persona_id}|guild:{self.place.guild}/channel:{self.place.channel}"
