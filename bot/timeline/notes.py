"""The words on a picture: what a memory says, when it was, why it left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.timeline.spans import Style
from memory.catalog import Catalog, load_catalog
from memory.model import Category, Kind, Memory, Precision
from memory.wording import local_day, relative_day, said_ago, spoken_date

_CLOCK = frozenset({Precision.MINUTE, Precision.HOUR, Precision.DAYPART})
_COARSE = frozenset({Precision.MONTH_PART, Precision.MONTH, Precision.YEAR})


@dataclass(frozen=True, slots=True)
class Notes:
    """Words in one language, for a moment and a zone."""

    words: Catalog
    now: datetime
    zone: str
    language: str

    def text(self, memory: Memory) -> str:
        """Return what is remembered, spoken to the person where its language has one word for that."""
        for begins, instead in load_catalog("bot.timeline", memory.language).get("spoken_to"):
            if memory.text.startswith(begins):
                return f"{instead}{memory.text.removeprefix(begins).lstrip()}"
        return memory.text

    def note(self, memory: Memory) -> str:
        """Return the line below: its category, why and when it left, when it is or was said."""
        parts = [self._when(memory)]
        if memory.archived:
            parts.append(self._left(memory))
        told = self.words.text("comma").join(part for part in parts if part)
        return self.words.text("join").join((self.category(memory.category), told))

    def category(self, category: Category) -> str:
        """Return what a category is called."""
        return self.words.text(f"categories.{category}")

    def style(self, style: Style) -> str:
        """Return what a style of bar means."""
        return self.words.text(f"styles.{style}")

    def summary(self, memories: Sequence[Memory], page: tuple[int, int]) -> str:
        """Return the line below the title: the day, how many there are, which picture this is."""
        away = sum(one.archived for one in memories)
        key = "summary" if page[1] == 1 else "summary_of_page"
        day = local_day(self.now, self.zone)
        return self.words.text(
            key, date=day.isoformat(), live=len(memories) - away, away=away, page=page[0], pages=page[1]
        )

    def _when(self, memory: Memory) -> str:
        """Return when it happens or was said, short: a day as 9/15, with how far it is while it matters."""
        start = memory.valid_from or memory.valid_to
        if start is not None and memory.precision in _COARSE:
            return spoken_date(
                start, memory.valid_to, memory.precision, memory.zone or self.zone, self.language
            )
        if memory.kind is not Kind.EVENT or start is None:
            if memory.archived and memory.created_at is not None:
                return self.words.text("said", date=self._day(memory.created_at, self.zone))
            ago = said_ago(memory.confirmed_at, self.now, self.zone, self.language)
            if memory.archived or memory.confirmed_at is None:
                return ago
            return self.words.text("said_ago", ago=ago, date=self._day(memory.confirmed_at, self.zone))
        # days follow the calendar they were said in, clock times the person's zone
        clock = memory.precision in _CLOCK
        zone = self.zone if clock or memory.zone is None else memory.zone
        shown = self._day(start, zone)
        last = start if memory.valid_to is None else max(start, memory.valid_to - timedelta(microseconds=1))
        if clock:
            shown = f"{shown} {start.astimezone(ZoneInfo(zone)):%H:%M}"
        elif local_day(last, zone) != local_day(start, zone):
            shown = self.words.text("until", start=shown, end=self._day(last, zone))
        if memory.archived:
            return shown
        first, end, today = (local_day(moment, zone) for moment in (start, last, self.now))
        if first != end and first <= today <= end:
            return shown
        relative = relative_day(first if today < first else end, self.now, zone, self.language)
        return self.words.text("comma").join((shown, relative))

    def _day(self, moment: datetime, zone: str) -> str:
        day = local_day(moment, zone)
        key = "ticks.day" if day.year == local_day(self.now, zone).year else "ticks.day_of_year"
        name = self.words.get("ticks.months")[day.month - 1]
        return self.words.text(key, year=day.year, month=day.month, month_name=name, day=day.day)

    def _left(self, memory: Memory) -> str:
        reason = self.words.text(f"reasons.{memory.left_because or 'unknown'}")
        if memory.archived_at is None:
            return reason
        return self.words.text("left", date=self._day(memory.archived_at, self.zone), reason=reason)
