"""No time zone data anywhere: neither the system's nor the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.faults.lines import witness

ROOT = Path(__file__).parents[2]
WITHOUT = """
import sys
sys.modules["tzdata"] = None
from bot.__main__ import main
sys.argv = ["lily", *sys.argv[1:]]
sys.exit(main())
"""


def lily(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run a command where no zone is known, as in a bare container."""
    environ = {"PYTHONTZPATH": "", "PYTHONPATH": str(ROOT), "PATH": "", "LANG": "en_US.UTF-8"}
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *argv],
        cwd=folder, env=environ, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_every_command_names_what_is_missing_and_how_to_get_it(tmp_path: Path) -> None:
    for argv in (("doctor",), ("memories", "--user", "u1"), ("ground", "明天", "--zone", "Asia/Tokyo")):
        ran = lily(tmp_path, *argv)
        assert ran.returncode == 2, ran.stderr
        assert "Traceback" not in ran.stderr
        assert "time zone data" in ran.stdout + ran.stderr
        assert "pip install tzdata" in ran.stdout + ran.stderr
        assert "did you mean" not in ran.stdout + ran.stderr
    assert not (tmp_path / ".lily").exists()


def test_settings_that_name_no_zone_make_no_difference(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("ops: {log_level: info}\n")
    ran = lily(tmp_path, "memories", "--user", "u1")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
    assert "persona.zone" in ran.stderr and "pip install tzdata" in ran.stderr
    witness("zone data", "missing", screen=f"{ran.stderr.strip()} (exit code 2)", person="-", after="a start")
