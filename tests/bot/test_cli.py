from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from bot.cli import parser as parser_module
from bot.cli.arguments import ARGUMENTS
from bot.cli.env import Env
from bot.cli.language import interface_language
from bot.errors import UsageError, UserError
from bot.logs import LOG_NAME
from llm.errors import ModelDown, ModelRefused
from memory.places import InvalidPlace
from memory.store.errors import NoSuchMemory, StoreDamaged
from persona.card import CardError
from tests.bot.command_line import ENGLISH, lily

CHECKOUT = Path(__file__).parents[2]


@contextmanager
def a_command_that(monkeypatch: pytest.MonkeyPatch, name: str, body: object) -> Iterator[None]:
    """Register a command of the table whose handler is the test's own."""
    module = ModuleType("tests_handler")
    module.run = body  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tests_handler", module)
    monkeypatch.setattr(parser_module, "HANDLERS", {**parser_module.HANDLERS, name: "tests_handler"})
    monkeypatch.setattr("bot.cli.app.HANDLERS", parser_module.HANDLERS)
    yield


def raising(error: BaseException, read_settings: bool = True) -> object:
    async def body(arguments: argparse.Namespace, env: Env) -> int:
        if read_settings:
            env.settings  # noqa: B018 - commands read them first
        raise error

    return body


def test_help_lists_every_command_that_has_a_handler(tmp_path: Path) -> None:
    result = lily(tmp_path, "--help")
    assert result.code == 0
    assert result.err == ""
    for name in parser_module.HANDLERS:
        assert f"  {name} " in result.out


def test_help_follows_the_locale_of_the_terminal(tmp_path: Path) -> None:
    assert lily(tmp_path, "--help", LANG="").out.startswith("用法：lily")
    assert lily(tmp_path, "--help", LANG="ja_JP.UTF-8").out.startswith("使い方：lily")
    assert lily(tmp_path, "--help").out.startswith("usage: lily")


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "zh-TW"),
        ({"LANG": "C.UTF-8"}, "zh-TW"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-TW"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "ja_JP", "LANG": "en_US"}, "ja"),
        ({"LC_ALL": "", "LANG": "en_US"}, "en"),
    ],
)
def test_the_language_of_the_interface(environ: dict[str, str], language: str) -> None:
    assert interface_language(environ) == language


def test_every_handler_belongs_to_a_command_of_the_table() -> None:
    assert set(parser_module.HANDLERS) <= set(ARGUMENTS)


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        ([], "lily: missing COMMAND; see lily --help"),
        (["doctr"], "lily: COMMAND doctr is unknown; did you mean doctor?"),
        (["doctor", "--jsno"], "lily: unknown --jsno; see lily --help"),
        (["doctor", "--data"], "lily doctor: --data needs a value; see lily doctor --help"),
    ],
)
def test_wrong_usage_is_one_line_on_stderr_and_exit_2(tmp_path: Path, argv: list[str], line: str) -> None:
    result = lily(tmp_path, *argv)
    assert (result.code, result.out, result.err) == (2, "", f"{line}\n")


@pytest.mark.parametrize(
    ("command", "argv", "line"),
    [
        ("memories", [], "lily memories: missing --user; see lily memories --help"),
        (
            "memories",
            ["--user", "u", "--state", "liv"],
            "lily memories: --state liv is unknown; did you mean live?",
        ),
        (
            "memories",
            ["--user", "u", "--as-of", "yesterday"],
            "lily memories: --as-of: yesterday is no time; write it like 2026-09-12T21:30+08:00",
        ),
        (
            "recall",
            ["--user", "u", "--place", "here", "x"],
            "lily recall: --place: here is no place; write dm or guild:G/channel:C",
        ),
        (
            "ground",
            ["x", "--zone", "Asia/Tapei"],
            "lily ground: --zone: there is no time zone Asia/Tapei; did you mean Asia/Taipei?",
        ),
        ("erase", ["--user", "u"], "lily erase: missing --confirm; see lily erase --help"),
        ("eval", ["tyme", "f"], "lily eval: SET tyme is unknown; did you mean time?"),
    ],
)
def test_wrong_arguments_are_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    argv: list[str],
    line: str,
) -> None:
    with a_command_that(monkeypatch, command, raising(AssertionError())):
        result = lily(tmp_path, command, *argv)
    assert (result.code, result.out, result.err) == (2, "", f"{line}\n")


@pytest.mark.parametrize("command", sorted(ARGUMENTS))
def test_every_command_of_the_table_explains_itself(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    with a_command_that(monkeypatch, command, raising(AssertionError())):
        result = lily(tmp_path, command, "--help")
    assert result.code == 0
    assert result.out.startswith(f"usage: lily {command}")


@pytest.mark.parametrize("argv", [["--json", "doctor"], ["doctor", "--json"]])
def test_global_options_stand_before_or_after_the_command(tmp_path: Path, argv: list[str]) -> None:
    rows = [json.loads(line) for line in lily(tmp_path, *argv).out.splitlines()]
    assert {row["check"] for row in rows} >= {"settings", "zone", "folder", "database", "embedder"}


def test_wrong_settings_end_with_2_and_a_line_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.yaml").write_text("memroy: {}\npersona: {zone: Asia/Tapei}")
    with a_command_that(monkeypatch, "chat", raising(AssertionError())):
        result = lily(tmp_path, "chat")
    assert result.code == 2
    assert result.out == ""
    assert [line.partition(":")[0] for line in result.err.splitlines()] == ["memroy", "persona.zone"]


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (UsageError.of("files.missing", file="a.json"), 2, "a.json: there is no such file; check the path"),
        (UserError.of("disk_full"), 1, "no space left on the disk; free some and try again"),
        (
            ModelDown("gemini: HTTP 503"),
            1,
            "the model gave no usable answer (gemini: HTTP 503); try again later",
        ),
        (
            ModelRefused("gemini: HTTP 400"),
            1,
            "the model refused the request (gemini: HTTP 400); "
            "check the key and the names below models in the settings",
        ),
        (OSError(28, "No space left on device"), 1, "no space left on the disk; free some and try again"),
        (
            PermissionError(13, "Permission denied", "x.db"),
            1,
            "Permission denied: x.db; check the path and its permissions",
        ),
        (KeyboardInterrupt(), 1, "stopped"),
    ],
)
def test_known_errors_are_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    line: str,
) -> None:
    with a_command_that(monkeypatch, "chat", raising(error)):
        result = lily(tmp_path, "chat")
    assert (result.code, result.out, result.err) == (code, "", f"{line}\n")
    assert not (tmp_path / ".lily").exists()


def test_an_unforeseen_error_shows_a_code_and_logs_where_but_not_what(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with a_command_that(monkeypatch, "chat", raising(RuntimeError("somebody's own words"))):
        result = lily(tmp_path, "chat", "--data", "state")
    log = (tmp_path / "state" / LOG_NAME).read_text(encoding="utf-8")
    code = log.splitlines()[0].split()[-1]
    assert result.code == 1
    assert (
        result.err
        == f"something broke inside (code {code}); details are in {tmp_path / 'state' / LOG_NAME}\n"
    )
    assert "RuntimeError" in log
    assert "test_cli.py" in log
    assert "somebody's own words" not in log + result.err
    assert "Traceback" not in result.err


def test_an_unforeseen_error_where_the_settings_are_wrong_too_has_no_log(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "config.yaml").write_text("memroy: {}")
    with a_command_that(monkeypatch, "chat", raising(RuntimeError("x"), read_settings=False)):
        result = lily(tmp_path, "chat")
    assert result.code == 1
    assert re.fullmatch(r"something broke inside \(code [0-9A-F]{8}\)\n", result.err)
    assert [path.name for path in tmp_path.iterdir()] == ["config.yaml"]


@pytest.mark.parametrize(
    "error",
    [
        StoreDamaged("lily.db: not a database; put it back from a back-up"),
        NoSuchMemory("memory m-1: there is none"),
        InvalidPlace("place 'x': write 'dm'"),
        CardError("card: the file is empty"),
    ],
)
def test_an_error_that_tells_itself_is_shown_as_it_is(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    with a_command_that(monkeypatch, "chat", raising(error)):
        result = lily(tmp_path, "chat")
    assert (result.code, result.err) == (2, f"{error}\n")


def test_grounding_reads_dates_in_the_zone_asked_for(tmp_path: Path) -> None:
    result = lily(tmp_path, "ground", "明天", "--at", "2026-09-12T23:30", "--zone", "Europe/Berlin", "--json")
    (row,) = map(json.loads, result.out.splitlines())
    assert (row["start"], row["end"]) == ("2026-09-13T00:00:00+02:00", "2026-09-14T00:00:00+02:00")
    assert row["phrase"] == "明天"


def test_grounding_without_a_date_says_so(tmp_path: Path) -> None:
    result = lily(tmp_path, "ground", "哈囉")
    assert (result.code, result.out) == (0, "no time expression found\n")


def test_a_card_is_kept_beside_the_data(tmp_path: Path) -> None:
    card = {"spec": "chara_card_v2", "data": {"name": "Aoi", "description": "A quiet one."}}
    (tmp_path / "aoi.json").write_text(json.dumps(card))
    result = lily(tmp_path, "card", "aoi.json", "--json")
    row = json.loads(result.out)
    assert result.code == 0
    assert row["id"] == "aoi"
    assert Path(row["folder"]) == tmp_path / ".lily" / "characters" / "aoi"
    assert (tmp_path / ".lily" / "characters" / "aoi" / "character.yaml").is_file()


def test_a_card_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.png").write_bytes(b"no picture")
    result = lily(tmp_path, "card", "no.png")
    assert result.code == 2
    assert result.err.startswith("card, line 1: ")
    assert lily(tmp_path, "card", "absent.json").err == "absent.json: there is no such file; check the path\n"


def test_the_data_option_moves_the_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(arguments: argparse.Namespace, env: Env) -> int:
        env.out.say(str(env.settings.storage.data_dir))
        return 0

    with a_command_that(monkeypatch, "chat", body):
        assert lily(tmp_path, "--data", "there", "chat").out == f"{tmp_path / 'there'}\n"
        assert lily(tmp_path, "chat").out == f"{tmp_path / '.lily'}\n"


def process(*argv: str, cwd: Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *argv],
        cwd=cwd,
        env={**os.environ, **ENGLISH, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,  # type: ignore[call-overload]
    )


def test_it_runs_as_a_module(tmp_path: Path) -> None:
    result = process("doctor", "--json", cwd=tmp_path)
    assert result.returncode == 0
    assert result.stderr == ""


def test_output_is_utf8_even_where_the_locale_is_not(tmp_path: Path) -> None:
    environ = {**os.environ, "PYTHONPATH": str(CHECKOUT), "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        [sys.executable, "-m", "bot", "--help"],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert result.stdout.decode("utf-8").startswith("用法：lily")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run(
        [sys.executable, "-m", "bot", "doctor"],
        cwd=tmp_path,
        env={**os.environ, **ENGLISH, "PYTHONPATH": str(CHECKOUT)},
        stdout=writer,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writer)
    assert result.stderr == b""
    assert result.returncode == 1


def test_help_loads_no_heavy_library(tmp_path: Path) -> None:
    script = (
        "import sys, io, pathlib\n"
        "from bot.cli.app import run\n"
        "run(['--help'], environ={}, cwd=pathlib.Path(), stdout=io.StringIO(), stderr=io.StringIO())\n"
        "heavy = {'pydantic', 'rich', 'sqlalchemy', 'chromadb', 'numpy', 'discord', 'google', 'openai'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert result.stdout == "[]\n"
