"""Whatever happened to an archive, reading it is either exact or refused with one clear line."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.cli.backup_archive import (
    DATABASE,
    FORMAT,
    MANIFEST,
    Manifest,
    describe,
    read_manifest,
    unpack,
    write_archive,
)
from bot.errors import UsageError

SHOWN = Path("kept.zip")
CONTENT = {DATABASE: bytes(range(256)) * 40, "characters/小艾/character.yaml": "愛喝茶 🍵".encode()}


def written(folder: Path, content: Mapping[str, bytes] = CONTENT) -> Path:
    """Write an archive of these files."""
    files = {}
    for number, (name, data) in enumerate(content.items()):
        files[name] = folder / f"source-{number}"
        files[name].write_bytes(data)
    manifest = Manifest(
        format=FORMAT,
        version="1.2.3",
        made_at=datetime(2026, 9, 12, 13, 30, tzinfo=UTC),
        database="sqlite",
        embedder="usem3/512/1",
        counts={"memories": 3},
        files=describe(files),
    )
    path = folder / "kept.zip"
    write_archive(path, manifest, files)
    return path


def read(path: Path, folder: Path) -> dict[str, bytes]:
    """Read an archive whole."""
    manifest = read_manifest(path, SHOWN)
    unpack(path, manifest, folder, SHOWN)
    return {name: (folder / name).read_bytes() for name in manifest.files}


def rewritten(path: Path, manifest: object, content: Mapping[str, bytes] = CONTENT) -> Path:
    """Write an archive with a manifest of the test's own."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, json.dumps(manifest))
        for name, data in content.items():
            archive.writestr(name, data)
    return path


def test_what_was_packed_comes_out(tmp_path: Path) -> None:
    assert read(written(tmp_path), tmp_path / "out") == CONTENT
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_byte_is_refused_or_changes_nothing(tmp_path: Path, data: st.DataObject) -> None:
    path = written(tmp_path)
    whole = bytearray(path.read_bytes())
    where = data.draw(st.integers(0, len(whole) - 1))
    whole[where] ^= data.draw(st.integers(1, 255))
    path.write_bytes(whole)
    try:
        found = read(path, tmp_path / "out")
    except UsageError as error:
        assert error.lines[0].key in {"backup.damaged", "backup.no_archive", "backup.newer"}
    else:
        assert found == CONTENT


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(length=st.floats(0, 0.999))
def test_an_archive_cut_short_is_refused(tmp_path: Path, length: float) -> None:
    path = written(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * length)])
    with pytest.raises(UsageError):
        read(path, tmp_path / "out")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    manifest=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["format", "files", "counts", DATABASE, "size"]), inner)
        ),
        max_leaves=6,
    )
)
def test_a_manifest_of_any_other_form_is_refused(tmp_path: Path, manifest: object) -> None:
    with pytest.raises(UsageError):
        read(rewritten(tmp_path / "kept.zip", manifest), tmp_path / "out")


def test_a_newer_form_says_so(tmp_path: Path) -> None:
    path = rewritten(tmp_path / "kept.zip", {"format": FORMAT + 1, "whatever": "comes"})
    with pytest.raises(UsageError) as raised:
        read_manifest(path, SHOWN)
    assert raised.value.lines[0].key == "backup.newer"


@pytest.mark.parametrize(
    "name",
    [
        "../lily.db",
        "characters/../../x",
        "characters//x",
        "characters/c:x",
        "characters/a\\b",
        "x",
    ],
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, {**CONTENT, name: b"sly"})
    with pytest.raises(UsageError):
        read(path, tmp_path / "out")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("change", ["one more", "one less"])
def test_a_member_nobody_told_of_or_a_missing_one_is_refused(tmp_path: Path, change: str) -> None:
    manifest = json.loads(zipfile.ZipFile(written(tmp_path)).read(MANIFEST))
    names = [DATABASE] if change == "one less" else [*CONTENT, "characters/more"]
    path = rewritten(tmp_path / "kept.zip", manifest, {name: CONTENT.get(name, b"") for name in names})
    with pytest.raises(UsageError):
        read(path, tmp_path / "out")


def test_a_member_larger_than_announced_is_not_written_out(tmp_path: Path) -> None:
    manifest = json.loads(zipfile.ZipFile(written(tmp_path)).read(MANIFEST))
    path = rewritten(tmp_path / "kept.zip", manifest, {**CONTENT, DATABASE: bytes(50_000_000)})
    with pytest.raises(UsageError):
        read(path, tmp_path / "out")
    assert (tmp_path / "out" / DATABASE).stat().st_size < 2_000_000
