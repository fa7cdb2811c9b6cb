"""``lily backup``: everything in one archive, beside a running bot. ``--check``, ``--restore`` read one."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

from bot.cli.backup_archive import (
    CHARACTERS,
    DATABASE,
    FORMAT,
    SETTINGS,
    Manifest,
    describe,
    read_manifest,
    unpack,
    write_archive,
)
from bot.cli.env import Env
from bot.errors import UsageError
from bot.house import locate, open_store
from bot.lock import lock_folder
from bot.look import DATABASE_NAME, look_into
from bot.settings import Settings, characters_folder
from bot.settings.keeping import as_file
from bot.version import installed_version
from memory.service import MemoryService, embedder_of
from memory.store import snapshot
from memory.store.database import open_database
from memory.store.errors import IndexUnavailable

_STAGING = "restoring-"
_KEPT_SETTINGS = "config.from-backup.yaml"
_DAMAGED = ".damaged"
_SHOWN = ("memories", "turns", "people", "follow_ups")


async def run(arguments: Namespace, env: Env) -> int:
    """Back up, or with ``--check`` verify an archive, or with ``--restore`` put it back."""
    path: Path = env.cwd / arguments.file.expanduser()
    if arguments.replace and not arguments.restore:
        raise UsageError.of("backup.replace_alone")
    if arguments.restore:
        return await _restore(path, arguments, env)
    if arguments.check:
        return await _check(path, arguments, env)
    return await _back_up(path, arguments, env)


async def _back_up(path: Path, arguments: Namespace, env: Env) -> int:
    settings = env.settings
    folder = settings.storage.data_dir
    _refuse_target(path, folder, arguments.file)
    if settings.storage.database_url is None and not (folder / DATABASE_NAME).exists():
        raise UsageError.of("backup.nothing", folder=folder)
    with _aside(path.parent, f".{path.name}-", arguments.file) as staged:
        files = {DATABASE: staged / DATABASE}
        async with open_store(settings, env.clock) as memory:
            await snapshot.take(memory.database, files[DATABASE])
            kind = "sqlite" if memory.database.is_sqlite else "postgresql"
        await asyncio.to_thread(snapshot.check_file, files[DATABASE])
        kept = as_file(settings)
        if kept:
            files[SETTINGS] = staged / SETTINGS
            files[SETTINGS].write_text(kept, encoding="utf-8")
        files |= _characters_in(characters_folder(settings))
        async with open_database(f"sqlite:///{files[DATABASE]}") as copy:
            async with copy.read() as connection:
                counts = await snapshot.count_rows(connection)
            embedder = await embedder_of(copy)
        manifest = Manifest(
            format=FORMAT,
            version=installed_version(),
            made_at=env.clock.now().replace(microsecond=0),
            database=kind,
            embedder=embedder,
            counts=counts,
            files=await asyncio.to_thread(describe, files),
        )
        try:
            await asyncio.to_thread(write_archive, path, manifest, files)
        except OSError as error:
            raise UsageError.of("files.unwritable", file=arguments.file, cause=error.strerror) from None
    _tell("made", manifest, arguments.file, env, size=_size(path))
    return 0


async def _check(path: Path, arguments: Namespace, env: Env) -> int:
    manifest = read_manifest(path, arguments.file)
    with _aside(None, _STAGING, arguments.file) as staged:
        await asyncio.to_thread(unpack, path, manifest, staged, arguments.file)
        await snapshot.make_ready(staged / DATABASE)
    _tell("sound", manifest, arguments.file, env, size=_size(path))
    return 0


async def _restore(path: Path, arguments: Namespace, env: Env) -> int:
    settings = env.settings
    folder, shown = settings.storage.data_dir, arguments.file
    manifest = read_manifest(path, shown)
    with lock_folder(folder, "backup"):
        for left in folder.glob(f"{_STAGING}*"):  # of a restore that was cut short
            shutil.rmtree(left, ignore_errors=True)
        if arguments.replace:
            _set_damaged_aside(settings, env)
        async with open_store(settings, env.clock) as memory:
            await _refuse_what_would_be_lost(memory, settings, arguments.replace)
            with _aside(folder, _STAGING, shown) as staged:
                await asyncio.to_thread(unpack, path, manifest, staged, shown)
                await snapshot.make_ready(staged / DATABASE)
                await snapshot.put_back(memory.database, staged / DATABASE)
                _put_files_back(staged, settings)
            indexed = await _refill(memory, settings)
    _tell("restored", manifest, shown, env, folder=folder, indexed=indexed)
    if not env.out.json:
        if indexed is None:
            env.out.note(env.catalog.text("commands.backup.index_later"))
        if SETTINGS in manifest.files:
            env.out.note(env.catalog.text("commands.backup.settings", file=folder / _KEPT_SETTINGS))
    return 0


def _refuse_target(path: Path, folder: Path, shown: Path) -> None:
    """Refuse to overwrite, and to keep a copy where an erase could not reach its words."""
    if path.exists():
        raise UsageError.of("backup.exists", file=shown)
    if path.resolve().is_relative_to(folder.resolve()):
        raise UsageError.of("backup.inside", file=shown, folder=folder)
    if not path.parent.is_dir():
        raise UsageError.of("files.missing", file=shown.parent)


async def _refuse_what_would_be_lost(memory: MemoryService, settings: Settings, replace: bool) -> None:
    if replace:
        return
    rows = await snapshot.facts_in(memory.database)
    own = characters_folder(settings)
    if rows or _characters_in(own):
        raise UsageError.of("backup.not_empty", folder=settings.storage.data_dir, count=rows)


def _set_damaged_aside(settings: Settings, env: Env) -> None:
    """Move a database file away that can't be read any more: nothing can be written over it."""
    file = settings.storage.data_dir / DATABASE_NAME
    if settings.storage.database_url is not None or not file.exists():
        return
    try:
        damage, _ = look_into(file)
    except sqlite3.OperationalError:
        return  # no damage: a store from before the first schema, or one that is held
    except sqlite3.DatabaseError as error:
        damage = str(error)
    if damage is not None:
        moved = file.with_name(f"{DATABASE_NAME}{_DAMAGED}")
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                file.with_name(f"{DATABASE_NAME}{suffix}").replace(moved.with_name(f"{moved.name}{suffix}"))
        file.replace(moved)
        env.out.note(env.catalog.text("commands.backup.damaged_aside", file=moved))


def _put_files_back(staged: Path, settings: Settings) -> None:
    """Put the characters and the kept settings where they belong; other characters stay."""
    own = characters_folder(settings)
    for name, source in _characters_in(staged / CHARACTERS).items():
        target = own / Path(name).relative_to(CHARACTERS)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    if (staged / SETTINGS).exists():
        (staged / SETTINGS).replace(settings.storage.data_dir / _KEPT_SETTINGS)


async def _refill(memory: MemoryService, settings: Settings) -> int | None:
    """Fill the index from the vectors in SQL; None where it is away: it is filled once it is back."""
    folder = locate(settings, alone=True).chroma_dir
    if folder is not None and folder.exists():
        await asyncio.to_thread(shutil.rmtree, folder)
    try:
        return (await memory.reindexer.reindex()).memories
    except IndexUnavailable:
        return None


def _characters_in(folder: Path) -> dict[str, Path]:
    """Return the files of a folder of characters by the name they have in an archive."""
    if not folder.is_dir():
        return {}
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    return {f"{CHARACTERS}{path.relative_to(folder).as_posix()}": path for path in files}


@contextmanager
def _aside(folder: Path | None, prefix: str, shown: Path) -> Iterator[Path]:
    """Give a folder for what is under way; it is gone afterwards."""
    try:
        made = TemporaryDirectory(prefix=prefix, dir=folder)
    except OSError as error:
        raise UsageError.of("files.unwritable", file=shown, cause=error.strerror) from None
    with made as name:
        yield Path(name)


def _size(path: Path) -> int:
    return path.stat().st_size


def _tell(what: str, manifest: Manifest, file: Path, env: Env, **more: object) -> None:
    if env.out.json:
        told = manifest.model_dump(mode="json", exclude={"files"})
        env.out.row({"done": what, "file": file, **told, "files": sorted(manifest.files), **more})
        return
    counts = {name: manifest.counts.get(name, 0) for name in _SHOWN}
    if "size" in more:
        more["size"] = f"{int(str(more['size'])) / 1e6:.1f} MB"
    text = env.catalog.text(
        f"commands.backup.{what}",
        file=file,
        made_at=f"{manifest.made_at.astimezone(ZoneInfo(env.settings.persona.zone)):%Y-%m-%d %H:%M}",
        version=manifest.version,
        **counts,
        **more,
    )
    env.out.say(text)
