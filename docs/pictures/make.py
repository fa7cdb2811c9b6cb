"""Make the pictures of the README again: a timeline, and two screens of a real terminal.

Run from a checkout: ``python docs/pictures/make.py``. Needs a POSIX system.
"""

from __future__ import annotations

import asyncio
import fcntl
import io
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from PIL import Image, ImageDraw, ImageFont
from rich.cells import cell_len
from rich.color import ColorType
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from bot.timeline import draw, layout, load_face, pages
from memory.store import gate
from memory.store.database import open_database

HERE = Path(__file__).parent
SCRIPT = HERE / "timeline.jsonl"
ZONE = "Asia/Taipei"
NOW = datetime(2026, 11, 30, 20, tzinfo=ZoneInfo(ZONE))
COLUMNS = 108
SIZE, CELL, LINE = 24, 12, 36
PLAIN, GROUND, FAINT = (229, 231, 236), (24, 25, 30), (140, 146, 158)
ANSI = [
    (70, 75, 85),
    (255, 110, 110),
    (120, 210, 150),
    (245, 200, 100),
    (100, 180, 255),
    (230, 140, 220),
    (90, 210, 210),
    PLAIN,
]
THEME = TerminalTheme(GROUND, PLAIN, ANSI)
CHAT = (
    "我叫小明",
    "我最討厭吃香菜了",
    "我下週二有期末考",
    ":skip 9d",
    "我回來了",
    "我討厭吃什麼？",
    ":why",
    ":memories",
    ":quit",
)
ASKED = "我要去日本幾號出發？"


def lily(data: Path, *arguments: str, typed: Sequence[str] = ()) -> str:
    """Run a command at a terminal of its own and return what it showed, colours included."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    environ = {**os.environ, "LANG": "zh_TW.UTF-8", "LC_ALL": "", "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "bot", "--data", str(data), *arguments]
    process = subprocess.Popen(  # noqa: S603
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True
    )
    os.close(theirs)
    shown = b""
    waiting = list(typed)
    prompt = "你：".encode()
    answered = 0
    while True:
        if select.select([ours], [], [], 60)[0]:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        if waiting and shown.count(prompt) > answered:
            answered = shown.count(prompt)
            os.write(ours, f"{waiting.pop(0)}\n".encode())
    process.wait()
    os.close(ours)
    return shown.decode()


def screen(shown: str) -> list[Text]:
    """Return the lines a terminal would show in the end: what was wiped out is gone."""
    lines = [""]
    for part in re.findall(r"\x1b\[\?[0-9;]*[a-zA-Z]|\x1b\[[0-9;]*[a-zA-Z]|\r\n|\n|\r|[^\x1b\r\n]+", shown):
        if part in {"\r\n", "\n"}:
            lines.append("")
        elif part == "\x1b[1A":
            lines.pop()
        elif part.endswith("K"):
            lines[-1] = ""
        elif part[0] != "\x1b" or part.endswith("m"):
            lines[-1] += "" if part == "\r" else part
    while lines and not lines[-1].strip():
        lines.pop()
    return [part for line in lines for part in folded(Text.from_ansi(line))]


def folded(line: Text) -> list[Text]:
    """Fold a line where the terminal's edge is."""
    edges, used = [], 0
    for place, character in enumerate(line.plain):
        used += cell_len(character)
        if used > COLUMNS:
            edges.append(place)
            used = cell_len(character)
    return list(line.divide(edges))


def picture(lines: Sequence[Text]) -> bytes:
    """Draw lines of a terminal: a cell for a letter, two for a Chinese character."""
    letters, latin = load_face(), monospaced()
    width = COLUMNS * CELL + 56
    image = Image.new("RGB", (width, len(lines) * LINE + 48), GROUND)
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        x, y = 28.0, 24 + row * LINE + SIZE
        for character, style in characters(line):
            wide = cell_len(character) * CELL
            colour = colour_of(style)
            if character == "─":
                pen.line((x, y - 8, x + wide, y - 8), FAINT, 1)
            elif latin is not None and cell_len(character) == 1:
                pen.text((x, y), character, colour, latin, "ls")
            else:
                for piece in letters.set(character, SIZE):
                    at = x + (wide - piece.font.getlength(piece.text)) / 2
                    pen.text((at, y), piece.text, colour, piece.font, "ls")
            x += wide
    out = io.BytesIO()
    image.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def characters(line: Text) -> list[tuple[str, Style]]:
    """Return each character with its style."""
    styles = [Style() for _ in line.plain]
    for span in line.spans:
        if isinstance(span.style, Style):
            for place in range(span.start, min(span.end, len(styles))):
                styles[place] += span.style
    return list(zip(line.plain, styles, strict=True))


def colour_of(style: Style) -> tuple[int, int, int]:
    """Return the colour of a style in our theme."""
    if style.dim:
        return FAINT
    if style.color is None or style.color.type is ColorType.DEFAULT:
        return PLAIN
    return tuple(style.color.get_truecolor(THEME))


def monospaced() -> ImageFont.FreeTypeFont | None:
    """Return a font for letters of one width, where there is one."""
    for name in ("DejaVuSansMono.ttf", "Menlo.ttc", "consola.ttf"):
        try:
            return ImageFont.truetype(name, 20)
        except OSError:
            continue
    return None


async def timeline(data: Path) -> bytes:
    """Draw the memories of the script's person."""
    async with open_database(f"sqlite:///{data}/lily.db") as database, database.read() as connection:
        found = await gate.owned(connection, "ming")
    (sheet,) = pages(found, NOW)
    face = load_face()
    return draw(layout(sheet, NOW, ZONE, "zh-TW", face), face)


def main() -> None:
    """Make them all."""
    with tempfile.TemporaryDirectory() as folder:
        replayed, chatted = Path(folder, "a"), Path(folder, "b")
        lily(replayed, "replay", str(SCRIPT))
        (HERE / "timeline.png").write_bytes(asyncio.run(timeline(replayed)))
        recall = ("recall", "--user", "ming", "--place", "dm", "--at", NOW.isoformat(), ASKED)
        lines = [Text(f"$ lily recall --user ming --place dm --at {NOW:%Y-%m-%dT%H:%M} {ASKED}")]
        (HERE / "recall.png").write_bytes(picture(lines + screen(lily(replayed, *recall))))
        lines = [Text("$ lily chat")]
        (HERE / "chat.png").write_bytes(picture(lines + screen(lily(chatted, "chat", typed=CHAT))))


if __name__ == "__main__":
    main()
