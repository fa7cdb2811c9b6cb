from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

from bot.errors import UsageError
from bot.logs import LOG_NAME, open_log

log = logging.getLogger("bot.something")


def written(folder: Path) -> str:
    return (folder / LOG_NAME).read_text(encoding="utf-8")


def test_a_line_tells_the_time_in_utc_the_level_and_who(tmp_path: Path) -> None:
    with open_log(tmp_path, "info"):
        log.info("observed %s facts of %s", 2, "m-1")
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ INFO bot\.something observed 2 facts of m-1\n", written(tmp_path)
    )


def test_the_level_decides_what_is_kept(tmp_path: Path) -> None:
    with open_log(tmp_path, "warning"):
        log.info("quiet")
        log.warning("loud")
    assert "loud" in written(tmp_path)
    assert "quiet" not in written(tmp_path)


def test_an_exception_leaves_kind_and_place_but_not_its_words(tmp_path: Path) -> None:
    with open_log(tmp_path, "info"):
        try:
            try:
                raise KeyError("a secret sentence")
            except KeyError as cause:
                raise RuntimeError("more of them") from cause
        except RuntimeError:
            log.exception("reply failed")
    text = written(tmp_path)
    assert "builtins.KeyError" in text
    assert "builtins.RuntimeError" in text
    assert "test_logs.py" in text
    assert "secret sentence" not in text
    assert "more of them" not in text


def test_libraries_that_tell_what_was_sent_are_kept_quiet(tmp_path: Path) -> None:
    with open_log(tmp_path, "debug"):
        logging.getLogger("httpx").info("sent")
        logging.getLogger("openai").debug("body")
    assert written(tmp_path) == ""


def test_afterwards_logging_is_as_it_was(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = root.level, list(root.handlers)
    with open_log(tmp_path, "debug"):
        pass
    assert (root.level, root.handlers) == before
    assert logging.getLogger("httpx").level == logging.NOTSET


def test_a_log_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).mkdir()
    with pytest.raises(UsageError) as caught, open_log(tmp_path, "info"):
        pass
    assert caught.value.lines[0].key == "files.unwritable"


def test_what_could_not_be_found_in_code_is_named(tmp_path: Path) -> None:
    with open_log(tmp_path, "info"):
        try:
            import nowhere_to_be_found  # type: ignore[import-not-found] # noqa: F401
        except ImportError:
            log.exception("no such module")
    assert "builtins.ModuleNotFoundError nowhere_to_be_found" in written(tmp_path)
