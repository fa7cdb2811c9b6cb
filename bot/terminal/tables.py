"""Memories and choices as rows for people, in the language of the terminal and the person's zone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.catalog import Catalog
from memory.model import Memory
from memory.recollection import AuditLine, Recalled, Recollection
from memory.why import explain_cause
from memory.wording import event_when, said_ago

Row = tuple[str, ...]
WHOLE = ("id",)
"""Columns that are copied by hand, and never folded."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Words for tables. ``language`` is the catalog's own."""

    catalog: Catalog
    language: str
    now: datetime
    zone: str

    def memories(self, found: Sequence[Memory]) -> tuple[Sequence[str], list[Row]]:
        """Return columns and rows of memories: what, when, since when, where it stands, its id."""
        return self._columns("memories"), [self._memory(memory) for memory in found]

    def choices(self, recollection: Recollection) -> tuple[Sequence[str], list[Row]]:
        """Return columns and rows of every candidate: kept or not, why, and the parts of its score.

        What she sees whatever is said (her profile of the person, the coming days) is told as such.
        """
        whys = {one.memory.id: one.why for one in (*recollection.memories, *recollection.due)}
        always = {one.id: "known" for one in recollection.profile}
        always |= {one.memory.id: "soon" for one in recollection.upcoming}
        rows = [
            self._choice(line, whys.get(line.memory_id), always.get(line.memory_id))
            for line in recollection.audit
        ]
        return self._columns("choices"), rows

    def recalled(self, found: Sequence[Recalled]) -> tuple[Sequence[str], list[Row]]:
        """Return columns and rows of what would be used."""
        rows: list[Row] = [
            (one.memory.text, self._when(one.memory), f"{one.score:.3f}", one.why, one.memory.id)
            for one in found
        ]
        return self._columns("recalled"), rows

    def state(self, memory: Memory) -> str:
        """Return where a memory stands: live, or out of use, why and since when."""
        if not memory.archived:
            return self.catalog.text("commands.live")
        reason = self.catalog.text(f"commands.reasons.{memory.left_because}")
        if memory.archived_at is None:
            return reason
        return f"{reason} {memory.archived_at.astimezone(self._zone_info):%Y-%m-%d}"

    def _memory(self, memory: Memory) -> Row:
        said = said_ago(memory.confirmed_at, self.now, self.zone, self.language)
        category = self.catalog.text(f"commands.categories.{memory.category}")
        return category, memory.text, self._when(memory), said, self.state(memory), memory.id

    def _choice(self, line: AuditLine, why: str | None, always: str | None) -> Row:
        if always is not None and why is None and not line.kept:
            mark, reason = (self.catalog.text(f"commands.always.{always}.{part}") for part in ("mark", "why"))
        else:
            mark = self.catalog.text("commands.kept" if line.kept else "commands.dropped")
            reason = why or explain_cause(line, self.language)
        return (
            mark,
            line.text,
            reason,
            f"{line.similarity:.2f}",
            f"{line.lexical:.2f}",
            f"{line.time_match:.2f}",
            f"{line.decay:.2f}",
            f"{line.boost:.1f}",
            f"{line.score:.3f}",
        )

    def _when(self, memory: Memory) -> str:
        dated = event_when(memory, self.now, self.zone, self.language)
        return dated or memory.when_text or ""

    def _columns(self, table: str) -> Sequence[str]:
        columns: Sequence[str] = self.catalog.get(f"commands.tables.{table}.columns")
        return columns

    @property
    def _zone_info(self) -> ZoneInfo:
        return ZoneInfo(self.zone)
