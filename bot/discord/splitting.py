"""Long replies in parts Discord accepts, cut where a reader would pause and never inside anything whole."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LIMIT = 2000
"""Characters of a message. Counted as UTF-16 units, the strictest way of counting an emoji."""

_LEAST = 4  # a cut in the first quarter of a part is worth less than a lesser one further on
_FENCE = re.compile(r"^```(?P<language>[^\s`]*)[^\n`]*\n.*?^```[ \t]*$|```.+?```", re.M | re.S)
_WHOLE = re.compile(
    r"<a?:\w{2,32}:\d+>|<@[!&]?\d+>|<#\d+>|<t:-?\d+(?::[a-zA-Z])?>|</[^>\n]{1,120}:\d+>|<id:\w+>"
    r"|!?\[[^\[\]\n]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)"
    r"|<?https?://[^\s<>]+>?"
    r"|`[^`\n]+`"
)
_PAUSES = (
    re.compile(r"\n[ \t]*\n+"),
    re.compile(r"\n"),
    re.compile(r"(?:[。！？!?…]+[」』”）)\]】]*|\.+(?=\s))\s*"),
    re.compile(r"(?:[，、；：]|[,;:](?=\s))\s*"),
    re.compile(r"\s+"),
)
_ZWJ = "\u200d"
_JAMO = range(0x1160, 0x1200)
_REGIONAL = range(0x1F1E6, 0x1F200)


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a reply. ``opening`` and ``closing`` mend a code block that goes on in the next part."""

    body: str
    opening: str = ""
    closing: str = ""

    @property
    def shown(self) -> str:
        """Return what is sent."""
        return f"{self.opening}{self.body}{self.closing}"


@dataclass(frozen=True, slots=True)
class _Fence:
    start: int
    end: int
    opening: str

    closing = "\n```"


def split(text: str, limit: int = LIMIT) -> tuple[Part, ...]:
    """Cut a text into parts of at most ``limit`` characters; ``join`` gives it back.

    A cut is made at the end of a paragraph, else of a line, a sentence, a clause, a word, else
    between two characters. What belongs together (a code block, a link, a mention, a timestamp, a
    joined emoji) is cut only where it alone is longer than a part; a code block is then closed and
    opened again.
    """
    if limit < 40:
        raise ValueError("limit: at least 40 characters, or a code block can't be closed and opened again")
    fences = [_fence(match) for match in _FENCE.finditer(text)]
    whole = _Forbidden(text, fences, limit)
    parts: list[Part] = []
    start = 0
    while start < len(text):
        inside = _around(fences, start)
        opening = inside.opening if inside else ""
        end = _furthest(text, start, limit - length(opening))
        if end == len(text):
            parts.append(Part(text[start:], opening))
            break
        cut, long = whole.best(start, end), _around(fences, end)
        if long is not None and cut > long.start and whole.is_long(long):
            room = limit - length(opening) - length(long.closing)
            cut = whole.line_end(start, _furthest(text, start, room), long)
        still = _around(fences, cut)
        parts.append(Part(text[start:cut], opening, still.closing if still else ""))
        start = cut
    return tuple(parts)


def join(parts: Iterable[Part]) -> str:
    """Return the text the parts were cut from, whole."""
    return "".join(part.body for part in parts)


def length(text: str) -> int:
    """Return the length of a text as Discord may count it."""
    return len(text) + sum(character > "\uffff" for character in text)


class _Forbidden:
    """Where a text must not be cut."""

    def __init__(self, text: str, fences: Sequence[_Fence], limit: int) -> None:
        self._text = text
        self._limit = limit
        spans = [(f.start, f.end) for f in fences]
        for match in _WHOLE.finditer(text):
            if _around(fences, match.start()) is None and match.start() not in {f.start for f in fences}:
                spans.append(match.span())
        self._spans = sorted(span for span in spans if length(text[span[0] : span[1]]) <= limit)
        self._starts = [start for start, _ in self._spans]
        self._long = [f for f in fences if length(text[f.start : f.end]) > limit]

    def is_long(self, fence: _Fence) -> bool:
        """Whether a code block is longer than a part."""
        return fence in self._long

    def allows(self, cut: int) -> bool:
        """Whether a cut before ``cut`` divides nothing that is whole."""
        if not can_divide(self._text, cut):
            return False
        found = bisect_right(self._starts, cut) - 1
        return found < 0 or not self._spans[found][0] < cut < self._spans[found][1]

    def best(self, start: int, end: int) -> int:
        """Return the best cut after ``start`` and not beyond ``end``."""
        least = start + max(1, (end - start) // _LEAST)
        blocked = next((f.start for f in self._long if f.start < end < f.end and f.start > start), end)
        end = blocked if blocked > least else end
        for pause in _PAUSES:
            cuts = [match.end() for match in pause.finditer(self._text, start, end)]
            for cut in reversed(cuts):
                if cut >= least and self.allows(cut):
                    return cut
        return self._any(start, end)

    def line_end(self, start: int, end: int, fence: _Fence) -> int:
        """Return the last line end in a long code block that still leaves room to close it."""
        first = max(start, fence.start + len(fence.opening))
        cut = self._text.rfind("\n", first + 1, end)
        return cut if cut > first else self._any(start, end)

    def _any(self, start: int, end: int) -> int:
        for cut in range(end, start, -1):
            if self.allows(cut):
                return cut
        for cut in range(end, start, -1):
            if can_divide(self._text, cut):
                return cut
        return end


def can_divide(text: str, cut: int) -> bool:
    """Whether the characters before and after ``cut`` are not one to a reader."""
    if cut <= 0 or cut >= len(text):
        return True
    before, after = text[cut - 1], text[cut]
    if _ZWJ in (before, after) or (before == "\r" and after == "\n"):
        return False
    if unicodedata.category(after) in {"Mn", "Me", "Mc"} or ord(after) in _JAMO:
        return False
    code = ord(after)
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F or 0xFE00 <= code <= 0xFE0F:
        return False
    return not (code in _REGIONAL and _odd_flags_before(text, cut))


def _odd_flags_before(text: str, cut: int) -> bool:
    count = 0
    while cut > 0 and ord(text[cut - 1]) in _REGIONAL:
        count, cut = count + 1, cut - 1
    return count % 2 == 1


def _fence(match: re.Match[str]) -> _Fence:
    language = match["language"] or ""
    return _Fence(match.start(), match.end(), f"```{language}\n")


def _around(fences: Sequence[_Fence], at: int) -> _Fence | None:
    return next((fence for fence in fences if fence.start < at < fence.end), None)


def _furthest(text: str, start: int, room: int) -> int:
    """Return the furthest end of a part that begins at ``start``."""
    end = start
    while end < len(text) and (room := room - (2 if text[end] > "\uffff" else 1)) >= 0:
        end += 1
    return max(end, start + 1)
