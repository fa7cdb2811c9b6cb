"""The letters of a picture: the font that comes with the package, then what the machine has."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import groupby
from pathlib import Path

from PIL import ImageFont

SHIPPED = "NotoSansCJKtc-subset.otf"
"""Noto Sans CJK TC, cut down to Big5, GB 2312 and JIS X 0208: Taiwan's glyphs on every machine."""

MISSING = "□"
_PROBE = 24
_SILENT = frozenset({"Cc", "Cf", "Cs"})  # joiners and direction marks: what they act upon is drawn one by one
_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
_NOWHERE = "\U0010fffe"  # a code point no font has: draws what a font draws for a missing one

_WANTED = (
    "notosanscjk*", "notosanstc*", "sourcehansans*", "pingfang*", "msjh*", "msyh*", "hiragino*", "yugoth*",
    "meiryo*", "wqy-*", "notosans-*", "notosanssymbols*", "notoemoji*", "symbola*", "seguisym*", "seguiemj*",
    "apple symbols*", "arial unicode*", "dejavusans.*", "unifont*",
)  # fmt: skip
_ENDINGS = frozenset({".ttf", ".otf", ".ttc"})
_HOME_FOLDERS = (
    ".fonts",
    ".local/share/fonts",
    "Library/Fonts",
    "AppData/Local/Microsoft/Windows/Fonts",
)
_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line in one font, and where it begins."""

    text: str
    x: float
    font: ImageFont.FreeTypeFont


class Face:
    """Measures and sets lines; each character in the first font that has it."""

    def __init__(self, shipped: bytes | Path, installed: Iterable[Path] = ()) -> None:
        self._sources: list[ImageFont.FreeTypeFont] = [_open(shipped, _PROBE)]
        self._installed = iter(installed)
        self._missing = [_mask(self._sources[0], _NOWHERE)]
        self._chosen: dict[str, int | None] = {}
        self._sized: dict[tuple[int, int], ImageFont.FreeTypeFont] = {}

    def length(self, text: str, size: int) -> float:
        """Return how wide a line is, in pixels."""
        pieces = self.set(text, size)
        return pieces[-1].x + pieces[-1].font.getlength(pieces[-1].text) if pieces else 0.0

    def set(self, text: str, size: int) -> tuple[Piece, ...]:
        """Return a line in pieces of one font each."""
        pieces: list[Piece] = []
        x = 0.0
        for source, group in groupby(self._drawable(text), key=lambda pair: pair[1]):
            part, font = "".join(character for character, _ in group), self._font(source, size)
            pieces.append(Piece(part, x, font))
            x += font.getlength(part)
        return tuple(pieces)

    def cut(self, text: str, size: int, room: float) -> str:
        """Return a line that fits into ``room`` pixels; a longer one ends with ``…``."""
        line = " ".join(text.split())
        if self.length(line, size) <= room:
            return line
        low, high = 0, len(line)
        while low < high:
            middle = (low + high + 1) // 2
            if self.length(f"{line[:middle].rstrip()}…", size) <= room:
                low = middle
            else:
                high = middle - 1
        return f"{line[:low].rstrip()}…"

    def _drawable(self, text: str) -> Iterator[tuple[str, int]]:
        for character in text:
            if unicodedata.category(character) in _SILENT or character in _SELECTORS:
                continue
            source = self._source(character)
            yield (MISSING, 0) if source is None else (character, source)

    def _source(self, character: str) -> int | None:
        if character not in self._chosen:
            self._chosen[character] = self._search(character)
        return self._chosen[character]

    def _search(self, character: str) -> int | None:
        place = 0
        while place < len(self._sources) or self._open_next():
            mask = _mask(self._sources[place], character)
            if character.isspace() or (mask != self._missing[place] and any(mask[1])):
                return place
            place += 1
        return None

    def _open_next(self) -> bool:
        for path in self._installed:
            try:
                font = _open(path, _PROBE)
                missing = _mask(font, _NOWHERE)
            except OSError:
                continue  # broken, or a font of fixed pictures
            self._sources.append(font)
            self._missing.append(missing)
            return True
        return False

    def _font(self, source: int, size: int) -> ImageFont.FreeTypeFont:
        key = (source, size)
        if key not in self._sized:
            self._sized[key] = self._sources[source].font_variant(size=size)
        return self._sized[key]


def load_face() -> Face:
    """Return the face of pictures: the shipped font, then installed ones for what it lacks."""
    return Face((resources.files("bot.timeline") / "fonts" / SHIPPED).read_bytes(), installed_fonts())


def installed_fonts(folders: Iterable[Path] | None = None) -> Iterator[Path]:
    """Find fonts of this machine that may have what another lacks, the best first; looks when asked."""
    searched = _usual_folders() if folders is None else folders
    files = sorted(
        path
        for folder in searched
        if folder.is_dir()
        for path in folder.rglob("*")
        if path.suffix.lower() in _ENDINGS
    )
    for wanted in _WANTED:
        for path in files:
            if Path(path.name.lower()).match(wanted):
                yield path
                break


def _usual_folders() -> list[Path]:
    try:
        home = [Path.home() / folder for folder in _HOME_FOLDERS]
    except RuntimeError:
        home = []
    return [*(Path(folder) for folder in _FOLDERS), *home]


def _open(source: bytes | Path, size: int) -> ImageFont.FreeTypeFont:
    import io

    handle = io.BytesIO(source) if isinstance(source, bytes) else str(source)
    return ImageFont.truetype(handle, size, layout_engine=ImageFont.Layout.BASIC)


def _mask(font: ImageFont.FreeTypeFont, character: str) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(character)
    return mask.size, bytes(mask)
