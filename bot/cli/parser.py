"""The arguments of every command. Light on purpose: ``lily --help`` loads no library."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from bot.cli.arguments import ARGUMENTS
from bot.cli.output import Output
from bot.cli.values import Values
from bot.errors import WRONG_USAGE
from memory.catalog import Catalog

HANDLERS: Mapping[str, str] = {
    "chat": "bot.cli.chat",
    "run": "bot.cli.run",
    "replay": "bot.cli.replay",
    "memories": "bot.cli.memories",
    "recall": "bot.cli.recall",
    "restore": "bot.cli.restore",
    "forget": "bot.cli.forget",
    "prune": "bot.cli.prune",
    "export": "bot.cli.export",
    "import": "bot.cli.importing",
    "erase": "bot.cli.erase",
    "backup": "bot.cli.backup",
    "migrate": "bot.cli.migrate",
    "reindex": "bot.cli.reindex",
    "card": "bot.cli.card",
    "ground": "bot.cli.ground",
    "doctor": "bot.cli.doctor",
    "eval": "bot.cli.evaluate",
    "calibrate": "bot.cli.calibrate",
}
"""The module of each command, with ``async def run(arguments, env) -> int``; imported when called."""

_COMPLAINTS: Sequence[tuple[str, re.Pattern[str]]] = (
    ("required", re.compile(r"the following arguments are required: (?P<arguments>.+)")),
    ("unrecognized", re.compile(r"unrecognized arguments: (?P<arguments>.+)")),
    ("wants_value", re.compile(r"argument (?P<argument>.+?): expected .*argument.*")),
    (
        "choice",
        re.compile(r"argument (?P<argument>.+?): invalid choice: '(?P<value>.*)' \(choose from .*\)", re.S),
    ),
    ("invalid_value", re.compile(r"argument (?P<argument>.+?): (?P<cause>.+)", re.S)),
)


class Stop(Exception):
    """The run ends before a command is called: help was shown, or the arguments are wrong."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks the catalog's language, one line for each complaint."""

    def __init__(self, *, catalog: Catalog, out: Output, **options: Any) -> None:
        super().__init__(add_help=False, allow_abbrev=False, **options)
        self.color = False  # newer Pythons colour help by the process's own stdout
        self.catalog = catalog
        self.out = out
        self._positionals.title = catalog.text("cli.positionals")
        self._optionals.title = catalog.text("cli.options")
        self.add_argument("-h", "--help", action="help", help=catalog.text("cli.help"))

    def format_help(self) -> str:
        """Return the help with its first word in the catalog's language."""
        return super().format_help().replace("usage: ", self.catalog.text("cli.usage"), 1)

    def print_help(self, file: Any = None) -> None:
        """Print the help on stdout."""
        self.out.say(self.format_help().rstrip())

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """End the run."""
        if message:
            self.out.note(message.rstrip())
        raise Stop(status)

    def error(self, message: str) -> NoReturn:
        """Complain in one line and end the run with 2."""
        self.out.note(self._complaint(message))
        raise Stop(WRONG_USAGE)

    def _complaint(self, message: str) -> str:
        for key, pattern in _COMPLAINTS:
            match = pattern.fullmatch(message)
            if match is None:
                continue
            found: dict[str, str] = {"command": self.prog, **match.groupdict()}
            if key != "choice":
                return self.catalog.text(f"errors.usage.{key}", **found)
            return self._wrong_choice(found)
        return self.catalog.text("errors.usage.other", command=self.prog, message=message)

    def _wrong_choice(self, found: dict[str, str]) -> str:
        from difflib import get_close_matches

        named = [action for action in self._actions if _called(action) == found["argument"]]
        choices = [str(choice) for action in named for choice in action.choices or ()]
        matches = get_close_matches(found["value"], choices, n=1)
        if matches:
            return self.catalog.text("errors.usage.invalid_choice_near", near=matches[0], **found)
        return self.catalog.text("errors.usage.invalid_choice", choices=", ".join(choices), **found)


def build_parser(catalog: Catalog, out: Output) -> Parser:
    """Return the parser of ``lily`` with every command that has a handler."""
    parser = Parser(prog="lily", description=catalog.text("cli.description"), catalog=catalog, out=out)
    _add_global(parser, catalog, config=None, data=None, json=False)
    parser.add_argument("--version", action=_Version, nargs=0, help=catalog.text("cli.version"))
    maker: Any = partial(Parser, catalog=catalog, out=out)
    commands = parser.add_subparsers(
        dest="command",
        title=catalog.text("cli.commands"),
        metavar=catalog.text("cli.metavar"),
        required=True,
        parser_class=maker,
    )
    for name in ARGUMENTS:
        if name in HANDLERS:
            summary = catalog.text(f"cli.names.{name}")
            command = commands.add_parser(name, help=summary, description=summary)
            nothing = argparse.SUPPRESS
            _add_global(command, catalog, config=nothing, data=nothing, json=nothing)
            ARGUMENTS[name](command, catalog, Values(catalog))
    return parser


def _add_global(parser: Parser, catalog: Catalog, *, config: Any, data: Any, json: Any) -> None:
    """Add what may stand before or after the command."""
    parser.add_argument("--data", type=Path, metavar="DIR", default=data, help=catalog.text("cli.data"))
    parser.add_argument(
        "--config", type=Path, metavar="FILE", default=config, help=catalog.text("cli.config")
    )
    parser.add_argument("--json", action="store_true", default=json, help=catalog.text("cli.json"))


def _called(action: argparse.Action) -> str:
    if action.option_strings:
        return "/".join(action.option_strings)
    return str(action.metavar or action.dest)


class _Version(argparse.Action):
    """Print the installed version."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from bot.version import installed_version

        if isinstance(parser, Parser):
            parser.out.say(f"lily {installed_version()}")
        parser.exit()
