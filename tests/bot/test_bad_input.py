"""What is wrong is told in a line that names the field and the fix; nothing half done is left."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from bot.lock import MARKER_NAME
from tests.bot.command_line import lily, replay, said, write_script

NEEDS_A_STORE = [
    ["memories", "--user", "u1"],
    ["recall", "--user", "u1", "香菜"],
    ["restore", "m1"],
    ["forget", "m1"],
    ["prune"],
    ["export", "--user", "u1"],
    ["erase", "--user", "u1", "--confirm", "u1"],
    ["reindex"],
    ["replay", "script.jsonl"],
    ["import", "in.jsonl"],
]


def one_line(folder: Path, *argv: str, code: int = 2, **environ: str) -> str:
    ran = lily(folder, *argv, **environ)
    assert ran.code == code, ran.err
    assert ran.out == ""
    (line,) = ran.errors
    assert "Traceback" not in line
    return line


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """A folder with a script and an import file beside it."""
    write_script(tmp_path, [said("2026-09-12T21:30", "我討厭吃香菜")])
    write_script(tmp_path, [{"user_id": "u1", "text": "使用者喜歡下雨"}], "in.jsonl")
    return tmp_path


def test_a_broken_line_of_ten_stops_a_replay_before_it_begins(tmp_path: Path) -> None:
    lines: list[object] = [said(f"2026-09-12T21:3{n}", "我討厭吃香菜") for n in range(10)]
    lines[6] = '{"at": "2026-09-12T21:36:00+08:00", "user": "u1", "say": '
    write_script(tmp_path, lines)  # type: ignore[arg-type]
    line = one_line(tmp_path, "replay", "script.jsonl")
    assert line.startswith("script.jsonl, line 7: no JSON object (")
    assert files(tmp_path) == ["script.jsonl"]


def test_a_broken_line_of_ten_stops_an_import_before_it_begins(tmp_path: Path) -> None:
    rows: list[object] = [{"user_id": "u1", "text": f"使用者喜歡第 {n} 首歌"} for n in range(10)]
    rows[6] = {"user_id": "u1", "text": "使用者喜歡雨", "category": "musik"}
    write_script(tmp_path, rows, "in.jsonl")  # type: ignore[arg-type]
    line = one_line(tmp_path, "import", "in.jsonl")
    assert line.startswith("in.jsonl, line 7: category: ")
    assert files(tmp_path) == ["in.jsonl"]


def test_every_broken_line_of_an_import_is_told(tmp_path: Path) -> None:
    write_script(tmp_path, ["{", {"text": "x"}, {"user_id": "u", "text": "x", "mood": 1}], "in.jsonl")
    ran = lily(tmp_path, "import", "in.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert [line.split(":")[0] for line in ran.errors] == [f"in.jsonl, line {n}" for n in (1, 2, 3)]


@pytest.mark.parametrize("command", ["replay", "import"])
def test_a_file_that_is_not_there_or_no_text(tmp_path: Path, command: str) -> None:
    assert one_line(tmp_path, command, "no.jsonl") == "no.jsonl: there is no such file; check the path"
    (tmp_path / "latin.jsonl").write_bytes('{"say": "é"}'.encode("latin-1"))
    assert one_line(tmp_path, command, "latin.jsonl") == "latin.jsonl: not UTF-8 text; save it as UTF-8"
    (tmp_path / "empty.jsonl").write_text("\n")
    assert one_line(tmp_path, command, "empty.jsonl") == "empty.jsonl: holds no row"
    (tmp_path / "folder").mkdir()
    assert "can't be read" in one_line(tmp_path, command, "folder")
    assert not (tmp_path / ".lily").exists()


@pytest.mark.parametrize("command", ["restore", "forget"])
def test_an_id_that_is_not_there(tmp_path: Path, command: str) -> None:
    line = one_line(tmp_path, command, "m404")
    assert line == "no memory has the id m404; lily memories lists them"


def test_erasing_needs_the_same_user_twice(tmp_path: Path) -> None:
    replay(tmp_path, said("2026-09-12T21:30", "我討厭吃香菜"))
    line = one_line(tmp_path, "erase", "--user", "u1", "--confirm", "u2")
    assert line.startswith("--confirm u2 is not --user u1, so nothing was erased")
    assert len(lily(tmp_path, "memories", "--user", "u1", "--json").rows) == 1


@pytest.mark.parametrize("argv", NEEDS_A_STORE, ids=lambda argv: str(argv[0]))
def test_a_damaged_database_file(asked: Path, argv: list[str]) -> None:
    (asked / ".lily").mkdir()
    database = asked / ".lily" / "lily.db"
    database.write_bytes(b"this is no database at all " * 400)
    line = one_line(asked, *argv)
    assert "lily.db is damaged" in line
    assert "back-up" in line
    assert database.read_bytes() == b"this is no database at all " * 400


@pytest.mark.parametrize("argv", NEEDS_A_STORE, ids=lambda argv: str(argv[0]))
def test_data_of_a_newer_version(asked: Path, argv: list[str]) -> None:
    (asked / ".lily").mkdir()
    (asked / ".lily" / MARKER_NAME).write_text(json.dumps({"format": 99}))
    line = one_line(asked, *argv)
    assert "written by a newer version" in line
    assert files(asked / ".lily") == [MARKER_NAME] or files(asked / ".lily") == ["lily.db", MARKER_NAME]


def test_a_database_of_a_newer_version(asked: Path) -> None:
    assert lily(asked, "memories", "--user", "u1").code == 0
    with sqlite3.connect(asked / ".lily" / "lily.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'v9999'")
    for argv in NEEDS_A_STORE:
        line = one_line(asked, *argv)
        assert "newer version" in line and "--data" in line


def test_a_file_in_the_place_of_the_data_folder(asked: Path) -> None:
    (asked / ".lily").write_text("")
    for argv in NEEDS_A_STORE:
        assert "not a folder; choose another with --data" in one_line(asked, *argv)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind here")
def test_a_read_only_data_folder(asked: Path) -> None:
    lily(asked, "memories", "--user", "u1")
    (asked / ".lily").chmod(0o500)
    (asked / ".lily" / "lily.db").chmod(0o400)
    try:
        for argv in NEEDS_A_STORE:
            assert "--data" in one_line(asked, *argv)
    finally:
        (asked / ".lily").chmod(0o700)


def test_a_store_filled_by_another_embedder(asked: Path) -> None:
    lily(asked, "import", "in.jsonl")
    with sqlite3.connect(asked / ".lily" / "lily.db") as connection:
        connection.execute("UPDATE meta SET value = 'gemini-embedding-2/768/1' WHERE key = 'embedder'")
    for argv in (["replay", "script.jsonl"], ["import", "in.jsonl"], ["recall", "--user", "u1", "雨"]):
        line = one_line(asked, *argv)
        assert "gemini-embedding-2/768/1" in line
        assert "lily reindex --embedder usem3" in line
    assert lily(asked, "memories", "--user", "u1", "--json").code == 0


def test_an_embedder_that_cannot_be_reached(tmp_path: Path) -> None:
    assert "GEMINI_API_KEY" in one_line(tmp_path, "reindex", "--embedder", "gemini")
    assert "models.openai.embedder" in one_line(tmp_path, "reindex", "--embedder", "openai")
    assert files(tmp_path) == []


def test_a_character_that_is_not_there(asked: Path) -> None:
    line = one_line(asked, "replay", "script.jsonl", LILY_PERSONA__CHARACTER="nobody")
    assert "nobody" in line


def test_an_older_store_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    assert "no Chroma store there" in one_line(tmp_path, "migrate", "--from", "old")
    assert "no Chroma store there" in one_line(tmp_path, "migrate", "--from", "nowhere")
    (tmp_path / "old" / "chroma.sqlite3").write_bytes(b"no database " * 100)
    assert "not readable as a Chroma store" in one_line(tmp_path, "migrate", "--from", "old")
    assert not (tmp_path / ".lily").exists()


def test_an_export_that_cannot_be_written(tmp_path: Path) -> None:
    line = one_line(tmp_path, "export", "--user", "u1", "--out", "no/such/folder.jsonl")
    assert line.startswith("no/such/folder.jsonl: can't be written (No such file or directory); check")


def test_wrong_settings_stop_every_command_before_it_begins(asked: Path) -> None:
    (asked / "config.yaml").write_text("persona: {zone: Asia/Tapei}\nmemroy: {}\n")
    for argv in [*NEEDS_A_STORE, ["chat"], ["migrate", "--from", "old"]]:
        if argv[0] == "migrate":
            continue
        ran = lily(asked, *argv)
        assert (ran.code, ran.out) == (2, "")
        assert len(ran.errors) == 2
        assert any("persona.zone" in line and "Asia/Taipei" in line for line in ran.errors)
    assert not (asked / ".lily").exists()


def test_a_chat_in_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    from bot.lock import lock_folder

    with lock_folder(tmp_path / ".lily", "run"):
        line = one_line(tmp_path, "chat")
    assert "in use by another lily" in line


@pytest.mark.parametrize("command", ["replay", "import", "eval time", "calibrate"])
def test_a_file_that_is_something_else_altogether_fills_no_screen(tmp_path: Path, command: str) -> None:
    (tmp_path / "letter.txt").write_text("dear Lily\n" * 300, encoding="utf-8")
    ran = lily(tmp_path, *command.split(), "letter.txt")
    assert ran.code == 2
    assert len(ran.errors) == 21
    assert ran.errors[-1] == "… and 280 more like these"
