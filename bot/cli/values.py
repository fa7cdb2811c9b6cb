"""Argument types: a moment, a zone, a place, a count. A wrong value becomes one line."""

from __future__ import annotations

import argparse
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.catalog import Catalog
from memory.places import InvalidPlace, Place


class Values:
    """Parsers of argument values that complain in one language."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def moment(self, text: str) -> datetime:
        """Read an ISO time; without an offset it stays naive until the zone is known."""
        try:
            moment = datetime.fromisoformat(text.strip())
            moment.timestamp()
        except (ValueError, OverflowError, OSError):
            raise self._wrong("moment", value=text) from None
        return moment

    def zone(self, text: str) -> ZoneInfo:
        """Read an IANA zone."""
        try:
            return ZoneInfo(text.strip())
        except (ValueError, OSError, LookupError):
            from bot.settings.base import has_zone_data, near_zone

            if not has_zone_data():
                raise self._wrong("no_zone_data") from None
            raise self._wrong("zone", value=text, near=near_zone(text) or "Asia/Taipei") from None

    def place(self, text: str) -> Place:
        """Read a place."""
        try:
            return Place.parse(text.strip())
        except InvalidPlace:
            raise self._wrong("place", value=text) from None

    def share(self, text: str) -> float:
        """Read a share between 0 and 1."""
        try:
            share = float(text)
        except ValueError:
            share = -1.0
        if not 0 < share < 1:
            raise self._wrong("share", value=text)
        return share

    def _wrong(self, key: str, **values: object) -> argparse.ArgumentTypeError:
        return argparse.ArgumentTypeError(self._catalog.text(f"errors.usage.{key}", **values))


def in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return a moment with an offset: its own, else that of the zone."""
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)
