"""How far ``:skip`` goes: 3d, 2h, 1w, 1d12h."""

from __future__ import annotations

import re
from datetime import timedelta

MOST = timedelta(days=3650)
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_STEP = re.compile(r"(\d{1,6})\s*([mhdw])", re.IGNORECASE)


class TooFar(ValueError):
    """A step beyond :data:`MOST`."""


def parse_step(text: str) -> timedelta | None:
    """Return the step a text names, or None where it names none; raises :class:`TooFar`."""
    compact = "".join(text.split())
    if not compact or _STEP.sub("", compact):
        return None
    step = sum((int(count) * _UNITS[unit.lower()] for count, unit in _STEP.findall(compact)), timedelta())
    if step > MOST:
        raise TooFar(text)
    return step or None
