"""Files of settings that are cut off, damaged or no files at all: each is told with its line and the fix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.settings.sources import packaged_config
from tests.bot.command_line import lily

CONFIGS = [
    ("cut off in a quote", b'persona:\n  zone: "Asia/Tai', "config.yaml, line 2: broken YAML"),
    ("cut off in a brace", b"memory: {cap_per_person: 3\n", "config.yaml, line 2: broken YAML"),
    ("cut off in a key", b"memory:\n  cap_per_person: 3\nope", "config.yaml, line 3: broken YAML"),
    ("cut off in a character", "ops:\n# 莉莉".encode()[:-1], "config.yaml, line 2: not UTF-8"),
    ("filled with zeros", b"memory:\n" + bytes(400), "config.yaml, line 2: a character no text has (U+0000)"),
    ("an escape", b"ops:\n  log_level: \x1b[0m", "config.yaml, line 2: a character no text has (U+001B)"),
    ("Big5", "ops:\n\n# 莉莉".encode("big5"), "config.yaml, line 3: not UTF-8 text; save it as UTF-8"),
    ("UTF-16", "ops:\n".encode("utf-16"), "config.yaml, line 1: not UTF-8 text; save it as UTF-8"),
    ("tabs", b"memory:\n\tcap_per_person: 3", "config.yaml, line 2: broken YAML"),
    ("two documents", b"ops: {}\n---\nops: {}", "config.yaml, line 2: broken YAML"),
    ("a word", b"hello", "config.yaml: expected sections"),
    ("of wrong types", b"memory: 5", "memory: 5 does not fit; expected keys with values below it"),
]


@pytest.mark.parametrize(("content", "told"), [one[1:] for one in CONFIGS], ids=[one[0] for one in CONFIGS])
def test_a_damaged_config_is_told_with_its_line(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "config.yaml").write_bytes(content)
    ran = lily(tmp_path, "memories", "--user", "u1")
    assert ran.code == 2
    (line,) = ran.errors
    assert line.startswith(told)


@pytest.mark.parametrize(
    "content", [b"", b"# nothing\n", b"\xef\xbb\xbfops: {}\n", b"ops:\r\n  log_level: info\r\n", b"ops:\n"]
)
def test_an_empty_file_or_one_of_another_system_is_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "config.yaml").write_bytes(content)
    assert lily(tmp_path, "memories", "--user", "u1").code == 0


def test_wherever_the_defaults_are_cut_off_there_is_a_line_or_all_is_well(tmp_path: Path) -> None:
    whole = packaged_config().encode()
    for end in range(0, len(whole), 397):
        (tmp_path / "config.yaml").write_bytes(whole[:end])
        ran = lily(tmp_path, "memories", "--user", "u1")
        assert ran.code in {0, 2}, end
        assert all(line.startswith(("config.yaml", "memory", "ops", "models")) for line in ran.errors), end
        assert (ran.code == 0) == (not ran.errors), end


def a_folder(path: Path) -> None:
    path.mkdir()


def a_broken_link(path: Path) -> None:
    path.symlink_to(path.parent / "nothing")


def a_loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("name", ["config.yaml", ".env"])
@pytest.mark.parametrize("make", [a_folder, a_broken_link, a_loop])
def test_what_is_no_file_is_told_and_not_passed_over(
    tmp_path: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(tmp_path / name)
    ran = lily(tmp_path, "memories", "--user", "u1")
    assert ran.code == 2
    (line,) = ran.errors
    assert line.startswith(f"{name}: ")
    assert "check the path" in line or "make the file" in line


ENVS = [
    (b'LANG=en\nDISCORD_TOKEN="abc', ".env, line 2: not a variable; write NAME=value"),
    (b"\n\nthis is no line\n", ".env, line 3: not a variable"),
    (b"DISCORD_TOKEN: hush\n", ".env, line 1: not a variable"),
    (b"DISCORD_TOKEN=hush\x00hush\n", ".env, line 1: not a variable"),
    ("A=1\nDISCORD_TOKEN=莉莉".encode("big5"), ".env, line 2: not UTF-8 text; save it as UTF-8"),
    ("A=1\n".encode("utf-16"), ".env, line 1: not UTF-8 text; save it as UTF-8"),
]


@pytest.mark.parametrize(("content", "told"), ENVS)
def test_a_damaged_env_file_is_told_with_its_line_and_no_word_of_it(
    tmp_path: Path, content: bytes, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / ".env").write_bytes(content)
    ran = lily(tmp_path, "memories", "--user", "u1")
    assert ran.code == 2
    (line,) = ran.errors
    assert line.startswith(told)
    assert "hush" not in line + caplog.text


def test_an_env_file_as_people_write_it_is_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(
        b"\xef\xbb\xbf# mine\r\n\r\nexport A='x y'\r\nDISCORD_TOKEN=abc # new\r\nGEMINI_API_KEY=\r\n"
    )
    assert lily(tmp_path, "memories", "--user", "u1").code == 0
