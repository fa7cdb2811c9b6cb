"""``lily doctor``: what is wrong, all at once, and what to do."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from discord.http import Route
from sqlalchemy import insert, text

from bot import checkup_models
from memory.store.database import open_database
from memory.store.schema import meta
from tests.bot.command_line import lily
from tests.llm.standin import closed_port


def test_doctor_finds_nothing_wrong_in_a_fresh_place_and_makes_nothing(tmp_path: Path) -> None:
    result = lily(tmp_path, "doctor")
    assert result.code == 0
    assert "Asia/Taipei" in result.out
    assert list(tmp_path.iterdir()) == []


def test_doctor_tells_every_wrong_setting(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("memroy: {}\nops: {health_port: 0}")
    result = lily(tmp_path, "doctor", "--json")
    assert result.code == 2
    told = [(row["check"], row["status"]) for row in map(json.loads, result.out.splitlines())]
    assert told == [("settings", "wrong"), ("settings", "wrong"), ("discord", "note")]


def test_doctor_tells_a_damaged_database(tmp_path: Path) -> None:
    (tmp_path / ".lily").mkdir()
    (tmp_path / ".lily" / "lily.db").write_bytes(b"this is no database at all" * 100)
    result = lily(tmp_path, "doctor", "--json")
    rows = {row["check"]: row for row in map(json.loads, result.out.splitlines())}
    assert result.code == 1
    assert rows["database"]["status"] == "wrong"
    assert "is damaged" in rows["database"]["detail"]


async def a_store(folder: Path, embedder: str = "usem3/512/1", version: str | None = None) -> None:
    """Make an empty store as the bot makes it, held by an embedder, maybe of another version."""
    folder.mkdir()  # noqa: ASYNC240 - a test's own folder
    async with open_database(f"sqlite:///{folder / 'lily.db'}") as database, database.write() as connection:
        await connection.execute(insert(meta).values(key="embedder", value=embedder))
        if version is not None:
            await connection.execute(text("UPDATE alembic_version SET version_num = :v"), {"v": version})


def doctored(tmp_path: Path, **environ: str) -> tuple[int, dict[str, dict[str, str]]]:
    result = lily(tmp_path, "doctor", "--json", **environ)
    return result.code, {row["check"]: row for row in map(json.loads, result.out.splitlines())}


def test_doctor_counts_what_a_store_holds(tmp_path: Path) -> None:
    asyncio.run(a_store(tmp_path / ".lily"))
    code, rows = doctored(tmp_path)
    assert code == 0
    assert "0 memories live, 0 archived, 0 changes" in rows["database"]["detail"]


def test_doctor_tells_a_store_of_another_embedder_and_the_command(tmp_path: Path) -> None:
    asyncio.run(a_store(tmp_path / ".lily", "BAAI/bge-m3/1024/1"))
    code, rows = doctored(tmp_path)
    assert (code, rows["embedder"]["status"]) == (1, "wrong")
    assert "come from BAAI/bge-m3, the settings name usem3; run lily reindex" in rows["embedder"]["detail"]


def test_doctor_tells_a_store_of_a_newer_version(tmp_path: Path) -> None:
    asyncio.run(a_store(tmp_path / ".lily", version="9999"))
    code, rows = doctored(tmp_path)
    assert (code, rows["database"]["status"]) == (1, "wrong")
    assert "newer version" in rows["database"]["detail"]


def test_doctor_tells_a_silent_chroma_server(tmp_path: Path) -> None:
    result = lily(tmp_path, "doctor", "--json", LILY_STORAGE__CHROMA="http://127.0.0.1:9")
    rows = {row["check"]: row for row in map(json.loads, result.out.splitlines())}
    assert result.code == 1
    assert rows["chroma"]["status"] == "wrong"


def test_doctor_never_prints_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", closed_port())  # where Discord is not
    monkeypatch.setattr(checkup_models, "BASE_URL", closed_port())  # where Gemini is not
    result = lily(
        tmp_path,
        "doctor",
        DISCORD_TOKEN="hush-1",
        GEMINI_API_KEY="hush-2",
        LILY_STORAGE__DATABASE_URL="postgresql://lily:hush-3@db/lily",
    )
    assert "hush" not in result.out + result.err
