"""A damaged older Chroma store under ``lily migrate``: one line, and nothing half taken over."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import chromadb
import numpy as np
import pytest

from tests.bot.command_line import lily
from tests.faults.lines import witness

FILE = "chroma.sqlite3"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an older store whose vectors lie in an index on the disk."""
    folder = tmp_path_factory.mktemp("older")
    collection = chromadb.PersistentClient(path=str(folder)).create_collection(
        "user_memory",
        embedding_function=None,
        metadata={"hnsw:sync_threshold": 3, "hnsw:batch_size": 2},
    )
    for number, vector in enumerate(np.random.default_rng(1).normal(size=(8, 8))):
        collection.add(
            ids=[str(number)],
            documents=[f"使用者喜歡{number}號茶"],
            metadatas=[{"user_id": "u1"}],
            embeddings=[vector.tolist()],
        )
    return folder


def cut_short(store: Path) -> None:
    (store / FILE).write_bytes((store / FILE).read_bytes()[:9000])


def overwritten(store: Path) -> None:
    (store / FILE).write_bytes(b"garbage" * 9000)


def without_index(store: Path) -> None:
    for folder in filter(Path.is_dir, list(store.iterdir())):
        shutil.rmtree(folder)


def index_cut_short(store: Path) -> None:
    for file in store.rglob("*.bin"):
        file.write_bytes(file.read_bytes()[:50])


@pytest.mark.parametrize("damage", [cut_short, overwritten, without_index, index_cut_short])
def test_a_damaged_older_store_is_told_in_one_line_and_nothing_is_taken_over(
    tmp_path: Path, whole: Path, damage: Callable[[Path], None]
) -> None:
    shutil.copytree(whole, tmp_path / "old")
    damage(tmp_path / "old")
    ran = lily(tmp_path, "migrate", "--from", "old")
    assert ran.code == 2 and ran.out == ""
    (line,) = ran.errors
    assert line.startswith("--from ") and "not readable as a Chroma store" in line
    assert "BrokenProcessPool" not in line
    assert not (tmp_path / ".lily" / "lily.db").exists()
    witness("older store", damage.__name__.replace("_", " "), screen=line, person="-", after="a whole copy")
