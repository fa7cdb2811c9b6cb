"""What a chat shows: her lines in her colour, quiet notes, tables. Plain text where nobody sees colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from rich.color import Color, ColorParseError
from rich.status import Status
from rich.text import Text

from bot.cli.output import Output
from bot.terminal.tables import WHOLE
from memory.catalog import load_catalog
from persona.character import OUR_EXTENSION, Character

_DEFAULT_COLOUR = "magenta"


class Screen:
    """Prints on stdout."""

    def __init__(self, out: Output, character: Character, language: str) -> None:
        self._out = out
        self._console = out.console()
        words = load_catalog("bot", language)
        self._label = words.text("terminal.chat.says", name=character.name_in(language))
        self._colour = colour_of(character)
        self._thinking: Status | None = None

    def hers(self, text: str) -> None:
        """Show something she says; she is done thinking then."""
        if self._thinking is not None:
            self._thinking.stop()
        line = Text()
        line.append(self._label, style=f"bold {self._colour}")
        line.append(text)
        self._print(line)

    def note(self, text: str) -> None:
        """Show something that nobody says."""
        self._print(Text(text, style="dim"))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Show rows."""
        self._out.table(columns, rows, whole=WHOLE)
        self._out.stdout.flush()

    @contextmanager
    def thinking(self, text: str) -> Iterator[None]:
        """Show that she thinks, where somebody can see it."""
        if not self._console.is_terminal:
            yield
            return
        self._thinking = self._console.status(Text(text, style="dim"), spinner="dots")
        try:
            with self._thinking:
                yield
        finally:
            self._thinking = None

    def line_break(self) -> None:
        """Begin a new line: the cursor stands behind a prompt."""
        if self._console.is_terminal:
            self._print(Text())

    def _print(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True)
        self._out.stdout.flush()


def colour_of(character: Character) -> str:
    """Return a character's own colour, as its file gives it (a name or ``#rrggbb``)."""
    ours = character.card.extensions.get(OUR_EXTENSION)
    colour = ours.get("color") if isinstance(ours, Mapping) else None
    try:
        Color.parse(str(colour))
    except ColorParseError:
        return _DEFAULT_COLOUR
    return str(colour)
