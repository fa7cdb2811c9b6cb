"""Run the commands of these pages and write down what they print: what a page shows is what happened.

``python docs/record.py docs/five-minutes.md`` records a page anew. Every ``sh`` block is run, a line
a command, in one folder from top to bottom; a ``text`` block right behind it holds what was printed.
``<!-- shown only -->`` above a block leaves it out: installing, servers, Docker. In a recorded block
⋯ stands for what differs from run to run (times, sizes).
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.cli.app import run

DOCS = Path(__file__).parent
SHOWN_ONLY = "<!-- shown only -->"
VARIES = "⋯"
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HELPERS = {"rm", "cp", "mv", "ls", "wc", "cmp"}
_ASSIGNED = re.compile(r"[A-Z_]+=\S*")


@dataclass(frozen=True)
class Session:
    """A folder in which a page's commands run, and the language of the page."""

    folder: Path
    language: str

    def printed(self, command: str) -> str:
        """Run one command and return what it printed, results first."""
        words = shlex.split(command, comments=True)
        environ = {"LANG": self.language}
        while words and _ASSIGNED.fullmatch(words[0]):
            name, _, value = words.pop(0).partition("=")
            environ[name] = value
        if words[0] == "lily":
            out, err = io.StringIO(), io.StringIO()
            run(words[1:], environ=environ, cwd=self.folder, stdout=out, stderr=err)
            return out.getvalue() + err.getvalue()
        if words[0] not in _HELPERS:
            raise ValueError(f"a page runs lily and {sorted(_HELPERS)}, not {words[0]}")
        ran = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)  # noqa: S603
        return ran.stdout + ran.stderr


def session_of(page: Path, folder: Path) -> Session:
    """Make a folder ready for a page: the scripts it reads lie in ``docs`` there, as in a checkout."""
    shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns("*.png", "*.py", "__pycache__"))
    return Session(folder, "en_US.UTF-8" if page.name.endswith(".en.md") else "zh_TW.UTF-8")


def recorded(text: str, session: Session) -> str:
    """Return a page with what its commands print now; a block that still fits stays as it is."""
    parts: list[str] = []
    position, printed = 0, ""
    for fence in _FENCE.finditer(text):
        between = text[position : fence.start()]
        parts.append(between)
        position = fence.end()
        kind, body = fence.groups()
        if kind == "text" and printed and not between.strip():
            body = body if fits(body, printed) else printed
        parts.append(f"```{kind}\n{body}```")
        printed = ""
        if kind == "sh" and SHOWN_ONLY not in between[-60:]:
            printed = tidy("".join(session.printed(command) for command in commands(body)))
    return "".join([*parts, text[position:]])


def commands(block: str) -> Iterator[str]:
    """Return the commands of a block, without its comments."""
    for line in block.replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


def tidy(printed: str) -> str:
    """Return what was printed without empty lines around it and spaces behind it."""
    lines = [line.rstrip() for line in printed.splitlines()]
    return "\n".join(lines).strip("\n") + "\n"


def fits(shown: str, printed: str) -> bool:
    """Whether a recorded block is what was printed."""
    pattern = ".*".join(map(re.escape, shown.split(VARIES)))
    return re.fullmatch(pattern, printed) is not None


def main(pages: list[str]) -> None:
    """Record pages anew."""
    for page in map(Path, pages):
        with tempfile.TemporaryDirectory() as folder:
            text = recorded(page.read_text(encoding="utf-8"), session_of(page, Path(folder)))
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
