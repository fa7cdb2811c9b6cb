from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder

from bot.cli.parser import HANDLERS

CHECKOUT = Path(__file__).parents[2]
PACKAGES = ("llm", "memory", "persona", "scheduler", "bot")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as pip would, without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    (built,) = WheelBuilder(str(CHECKOUT)).build(directory=str(folder), versions=["standard"])
    return Path(built)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the wheel far from the checkout, as an installation would."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_the_wheel_carries_every_file_of_the_packages(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    for package in PACKAGES:
        for path in (CHECKOUT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(CHECKOUT).as_posix() in packed


def test_the_wheel_carries_what_is_no_code(wheel: Path) -> None:
    packed = zipfile.ZipFile(wheel).namelist()
    assert "bot/config.default.yaml" in packed
    assert "bot/locales/zh-TW.yaml" in packed
    assert any(re.fullmatch(r"persona/characters/lily/character\.yaml", name) for name in packed)
    assert any(re.fullmatch(r"memory/migrations/versions/.+\.py", name) for name in packed)


def test_the_wheel_carries_nothing_else(wheel: Path) -> None:
    roots = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {root for root in roots if not root.endswith(".dist-info")} == set(PACKAGES)


def test_the_packaged_settings_are_those_of_the_checkout(installed: Path) -> None:
    packaged = (installed / "bot" / "config.default.yaml").read_bytes()
    assert packaged == (CHECKOUT / "config.yaml").read_bytes()


def test_the_wheel_names_the_command_and_the_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name.rpartition("/")[2]: name for name in archive.namelist() if ".dist-info/" in name}
        metadata = message_from_string(archive.read(names["METADATA"]).decode())
        assert "lily = bot.__main__:main" in archive.read(names["entry_points.txt"]).decode()
    assert metadata["License-Expression"] == "MIT"
    assert "LICENSE" in names


def test_the_installed_command_runs_elsewhere(installed: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-P", "-c", "import sys; from bot.__main__ import main; sys.exit(main())", "doctor"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed), "LANG": "en_US.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "Asia/Taipei" in result.stdout


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_the_lock_names_no_place_and_every_pin_has_a_hash(name: str) -> None:
    text = (CHECKOUT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "/" not in re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    pins = re.findall(r"^[a-z0-9].*$", text, flags=re.MULTILINE)
    assert pins
    for pin in pins:
        assert re.match(r"[a-z0-9._-]+==[^ ]+( ; .+)? \\$", pin), pin
    assert len(re.findall(r"\\\n    --hash=sha256:[0-9a-f]{64}", text)) >= len(pins)


def test_every_dependency_is_locked() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def locked(name: str) -> set[str]:
        text = (CHECKOUT / name).read_text(encoding="utf-8")
        return set(re.findall(r"^([a-z0-9._-]+)==", text, flags=re.MULTILINE))

    def normal(requirement: str) -> str:
        name = re.match(r"[A-Za-z0-9._-]+", requirement)
        assert name is not None
        return re.sub(r"[-_.]+", "-", name[0]).lower()

    needed = {normal(requirement) for requirement in project["dependencies"]}
    extras = {normal(each) for group in project["optional-dependencies"].values() for each in group}
    assert needed <= locked("requirements.txt")
    assert needed | extras <= locked("requirements-dev.txt")


def test_the_two_locks_agree() -> None:
    def pins(name: str) -> set[str]:
        text = (CHECKOUT / name).read_text(encoding="utf-8")
        return set(re.findall(r"^([a-z0-9._-]+==[^ ]+)", text, flags=re.MULTILINE))

    assert pins("requirements.txt") <= pins("requirements-dev.txt")


def test_the_checks_run_what_the_readme_tells() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    checks = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")
    assert "-r requirements.txt" in readme
    assert "-r requirements-dev.txt" in readme
    assert "pytest -n 2" in readme
    assert "-r requirements-dev.txt" in checks
    assert 'pytest" -n 2' in checks


def test_the_readme_tells_of_exactly_the_commands_there_are() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    told = {
        name
        for row in re.findall(r"^\| `lily .*$", readme, re.MULTILINE)
        for name in re.findall(r"`lily (\w+)", row)
    }
    assert told == set(HANDLERS)


def test_the_readme_names_every_direct_dependency_with_its_licence() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    licences = readme.partition("Licences")[2]
    for requirement in [*project["dependencies"], *project["optional-dependencies"]["postgres"]]:
        name = re.match(r"[A-Za-z0-9._-]+", requirement)
        assert name is not None
        assert name[0] in licences


def test_no_file_of_settings_or_texts_is_broken_yaml() -> None:
    for path in (CHECKOUT / "config.yaml", *(CHECKOUT / "bot").rglob("*.yaml")):
        assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict)
