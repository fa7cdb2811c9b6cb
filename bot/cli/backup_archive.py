"""The form of a back-up: one zip archive whose first member says what it holds, each file with its hash."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, Field, ValidationError

from bot.errors import UsageError

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "lily.db"
SETTINGS = "config.yaml"
CHARACTERS = "characters/"
MAX_MANIFEST_BYTES = 4_000_000
_CHUNK = 1 << 20
_FAST = 1  # of zlib's levels: vectors hardly shrink, whatever the effort
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What the library raises on bytes that are no archive, or no longer the one that was written."""


class FileInside(BaseModel, frozen=True, extra="forbid"):
    """A file of an archive."""

    size: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern="[0-9a-f]{64}")]


class Manifest(BaseModel, frozen=True, extra="forbid"):
    """What an archive holds and where it comes from. Counts are rows by table."""

    format: int
    version: str
    made_at: AwareDatetime
    database: str
    embedder: str | None
    counts: Mapping[str, int]
    files: Mapping[str, FileInside]


def describe(files: Mapping[str, Path]) -> dict[str, FileInside]:
    """Return size and hash of files by the name they are to have."""
    return {
        name: FileInside(size=path.stat().st_size, sha256=_hash_of(path))
        for name, path in sorted(files.items())
    }


def write_archive(path: Path, manifest: Manifest, files: Mapping[str, Path]) -> None:
    """Write an archive whole or not at all, for the host's eyes only."""
    part = path.with_name(f".{path.name}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_FAST) as archive:
                archive.writestr(MANIFEST, manifest.model_dump_json(indent=2))
                for name in manifest.files:
                    archive.write(files[name], name)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def read_manifest(path: Path, shown: Path) -> Manifest:
    """Read what an archive says of itself. ``shown`` is how messages name the file.

    Raises :class:`bot.errors.UsageError`: no such file, no back-up of ours, damaged, or newer than we know.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo(MANIFEST).file_size > MAX_MANIFEST_BYTES:
                raise UsageError.of("backup.damaged", file=shown, member=MANIFEST)
            raw = json.loads(archive.read(MANIFEST))
            names = set(archive.namelist()) - {MANIFEST}
    except FileNotFoundError:
        raise UsageError.of("files.missing", file=shown) from None
    except OSError as error:
        if error.errno == errno.EINVAL:  # a place before the file's beginning, by a damaged directory
            raise UsageError.of("backup.no_archive", file=shown) from None
        raise UsageError.of("files.unreadable", file=shown, cause=error.strerror or error) from None
    except (*_BROKEN, KeyError, RecursionError):
        raise UsageError.of("backup.no_archive", file=shown) from None
    found = raw.get("format") if isinstance(raw, dict) else None
    if isinstance(found, int) and found > FORMAT:
        raise UsageError.of("backup.newer", file=shown, found=found, known=FORMAT)
    try:
        manifest = Manifest.model_validate(raw)
    except ValidationError:
        raise UsageError.of("backup.damaged", file=shown, member=MANIFEST) from None
    if names != set(manifest.files) or DATABASE not in names:
        raise UsageError.of("backup.damaged", file=shown, member=MANIFEST)
    for name in names:
        if not _is_ours(name):
            raise UsageError.of("backup.damaged", file=shown, member=name)
    return manifest


def unpack(path: Path, manifest: Manifest, folder: Path, shown: Path) -> None:
    """Write the files of an archive below ``folder``, each checked against its size and hash."""
    with zipfile.ZipFile(path) as archive:
        for name, expected in manifest.files.items():
            target = folder.joinpath(*PurePosixPath(name).parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                whole = _write_member(archive, name, expected, target)
            except _BROKEN:
                whole = False
            except OSError as error:
                if error.errno != errno.EINVAL:
                    raise
                whole = False
            if not whole:
                raise UsageError.of("backup.damaged", file=shown, member=name)


def _write_member(archive: zipfile.ZipFile, name: str, expected: FileInside, target: Path) -> bool:
    """Write one file; False where it is not what was packed. Never more than was announced."""
    digest, size = hashlib.sha256(), 0
    with archive.open(name) as source, target.open("wb") as file:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > expected.size:
                return False
            digest.update(chunk)
            file.write(chunk)
    return size == expected.size and digest.hexdigest() == expected.sha256


def _is_ours(name: str) -> bool:
    """Whether an archive of ours has such a file: nothing may lead out of the folder it is unpacked in."""
    if name in {DATABASE, SETTINGS}:
        return True
    parts = name.split("/")
    odd = {"", ".", ".."}
    return name.startswith(CHARACTERS) and not odd & set(parts) and not set(name) & set("\\:\0")


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
