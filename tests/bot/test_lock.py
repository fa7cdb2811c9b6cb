from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import UsageError
from bot.lock import LOCK_NAME, MARKER_NAME, check_folder, holder_of, lock_folder
from memory.catalog import load_catalog

ENGLISH = load_catalog("bot", "en")
HOLD = """
import sys
from pathlib import Path
from bot.lock import lock_folder
with lock_folder(Path(sys.argv[1]), "chat"):
    print("held", flush=True)
    sys.stdin.read()
"""


def refusal(folder: Path) -> str:
    with pytest.raises(UsageError) as caught, lock_folder(folder, "run"):
        pass
    assert caught.value.exit_code == 2
    (line,) = caught.value.texts(ENGLISH)
    return line


def hold_elsewhere(folder: Path) -> subprocess.Popen[str]:
    checkout = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        cwd=checkout,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    process.communicate()


def test_a_folder_is_made_when_it_is_first_locked(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "state"
    with lock_folder(folder, "chat"):
        assert folder.is_dir()
    check_folder(folder)


def test_a_second_process_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    process = hold_elsewhere(tmp_path)
    try:
        assert refusal(tmp_path) == (
            f"{tmp_path}: in use by another lily (process {process.pid}, chat); "
            "end it first, or choose another folder with --data"
        )
        holder = holder_of(tmp_path)
        assert holder is not None
        assert (holder.pid, holder.command) == (process.pid, "chat")
    finally:
        end(process)


def test_a_killed_holder_leaves_the_folder_free(tmp_path: Path) -> None:
    process = hold_elsewhere(tmp_path)
    process.kill()
    end(process)
    assert holder_of(tmp_path) is None
    with lock_folder(tmp_path, "run"):
        holder = holder_of(tmp_path)
        assert holder is not None
        assert holder.pid == os.getpid()


def test_the_same_process_can_not_hold_it_twice(tmp_path: Path) -> None:
    with lock_folder(tmp_path, "chat"):
        assert "in use by another lily" in refusal(tmp_path)


def test_an_ended_holder_is_no_longer_named(tmp_path: Path) -> None:
    with lock_folder(tmp_path, "chat"):
        pass
    assert holder_of(tmp_path) is None
    assert json.loads((tmp_path / LOCK_NAME).read_text()) == {}


def test_an_absent_folder_has_no_holder_and_is_not_made(tmp_path: Path) -> None:
    assert holder_of(tmp_path / "none") is None
    check_folder(tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / below if below else tmp_path / "file"
    assert refusal(folder) == f"{folder}: not a folder; choose another with --data"


def test_a_folder_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    marker = tmp_path / MARKER_NAME
    marker.write_text('{"format": 99}')
    assert (
        refusal(tmp_path)
        == f"{tmp_path}: written by a newer version (format 99, this one knows 1); update lily"
    )
    assert marker.read_text() == '{"format": 99}'
    assert not (tmp_path / LOCK_NAME).exists()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "x"}', "null"])
def test_a_damaged_marker_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / MARKER_NAME).write_text(content)
    assert refusal(tmp_path).startswith(f"{tmp_path / MARKER_NAME}: damaged")


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no write bit there")
def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path
    if os.geteuid() == 0:  # root may write everywhere but where the system itself refuses
        folder = Path("/sys/kernel")
    else:
        folder.chmod(0o500)
    assert (
        refusal(folder)
        == f"{folder}: can't be written; check its permissions, or choose another folder with --data"
    )
