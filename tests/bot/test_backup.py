"""Back up, wipe, restore: equal to the byte in what people can see, and the talk goes on alike."""

from __future__ import annotations

import asyncio
import json
import random
import resource
import shutil
import subprocess
import sys
import zipfile
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.cli.backup_archive import DATABASE, read_manifest, unpack
from bot.lock import lock_folder
from bot.timeline import draw, layout, load_face, pages
from memory.store import gate, snapshot
from memory.store.database import open_database
from tests.bot.command_line import ENGLISH, lily, replay, said, tick

ROOT = Path(__file__).parents[2]
ZONE = "Asia/Taipei"
START = datetime(2026, 9, 1, 20, tzinfo=ZoneInfo(ZONE))
NOW = datetime(2026, 11, 1, 12, tzinfo=ZoneInfo(ZONE))
USERS = ("u1", "小明#🐱")
PLACES = ("dm", "guild:1/channel:2")
SENTENCES = (
    "我叫小明",
    "其實我改名了，現在叫小安",
    "我住在台中",
    "我搬家了，現在住在台北",
    "我最討厭吃香菜了",
    "我最近嘗試了香菜烘焙，發現其實蠻香的",
    "我下週二有期末考",
    "今天考試終於考完了",
    "我10月20號要去看電影",
    "電影改到10月25號了",
    "我養了一隻橘貓，叫麻糬 🐈‍⬛",
    "我對花生過敏 🥜",
    "我每天早上慢跑三公里",
    "I work as a nurse in Kyoto.",
    "好累喔……😮‍💨",
    "我改天想學滑雪",
    "你記得我什麼？",
)
SETTINGS = (
    {"timezone": "America/New_York", "check_ins": True},
    {"language": "ja", "quiet_hours": "22:30-07:00"},
    {"check_ins": True},
)
NEXT = [
    said("2026-10-30T21:00", "我叫什麼名字？"),
    said("2026-10-30T21:05", "我還討厭香菜嗎？", user="小明#🐱"),
    said("2026-10-30T21:10", "我11月3號有面試"),
    tick("2026-11-04T20:00"),
]
ASKED = "我叫什麼名字？還討厭香菜嗎？"
CARD = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {"name": "小艾", "description": "{{char}}愛喝茶"},
}


def talk(seed: int) -> list[dict[str, object]]:
    """Return a talk of two people in two places over some weeks; the seed decides who says what when."""
    chosen = random.Random(seed)
    at, lines = START, []
    for text in chosen.sample(SENTENCES, 12):
        at += timedelta(minutes=chosen.randint(1, 60 * 24 * 7))
        line = said(f"{at:%Y-%m-%dT%H:%M}", text, user=chosen.choice(USERS), place=chosen.choice(PLACES))
        if chosen.random() < 0.3:
            line["settings"] = chosen.choice(SETTINGS)
        lines.append(line)
        if chosen.random() < 0.3:
            lines.append(tick(f"{at + timedelta(seconds=1):%Y-%m-%dT%H:%M:%S}"))
    return lines


def seen(folder: Path) -> dict[str, str | bytes]:
    """Return all that people can see of a data folder."""
    shown: dict[str, str | bytes] = {}
    for user, place in zip(USERS, PLACES, strict=True):
        commands = [
            ("memories", "--user", user, "--state", "all", "--json"),
            ("memories", "--user", user, "--state", "archived"),
            ("memories", "--user", user, "--as-of", "2026-09-20T12:00+08:00", "--json"),
            ("recall", "--user", user, "--place", place, "--at", NOW.isoformat(), ASKED, "--json"),
        ]
        for command in commands:
            ran = lily(folder, *command)
            assert (ran.code, ran.err) == (0, ""), ran.err
            shown[" ".join(command)] = ran.out
        exported = lily(folder, "export", "--user", user).out.splitlines()
        shown[f"export {user}"] = "\n".join(exported[1:])  # the header says when it was exported
        shown[f"timeline {user}"] = asyncio.run(timeline(folder / ".lily", user))
    return shown


def told(folder: Path) -> list[list[dict[str, object]]]:
    """Return everything kept about the people of a data folder, without the time of the export."""
    return [lily(folder, "export", "--user", user).rows[1:] for user in USERS]


async def timeline(data: Path, user: str) -> bytes:
    """Draw a person's timeline."""
    async with open_database(f"sqlite:///{data}/lily.db") as database, database.read() as connection:
        found = await gate.owned(connection, user)
    face = load_face()
    return b"".join(draw(layout(sheet, NOW, ZONE, "zh-TW", face), face) for sheet in pages(found, NOW))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a talk in it and its back-up; tests work on copies."""
    folder = tmp_path_factory.mktemp("house")
    replay(folder, *talk(0))
    assert lily(folder, "backup", "kept.zip").code == 0
    return folder


@pytest.fixture
def copied(house: Path, tmp_path: Path) -> Path:
    """A copy of the house."""
    shutil.copytree(house, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.mark.parametrize("seed", [1, 2])
def test_after_wiping_and_restoring_people_see_the_same_to_the_byte(tmp_path: Path, seed: int) -> None:
    first = tmp_path / "first"
    first.mkdir()
    (first / "card.json").write_text(json.dumps(CARD), encoding="utf-8")
    assert lily(first, "card", "card.json").code == 0
    replay(first, *talk(seed))
    before = seen(first)
    assert lily(first, "backup", "kept.zip").code == 0
    second = tmp_path / "second"
    second.mkdir()
    shutil.copytree(first / ".lily", second / ".lily")
    shutil.rmtree(first / ".lily")
    ran = lily(first, "backup", "--restore", "kept.zip", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.rows[0]["indexed"] == ran.rows[0]["counts"]["memories"] > 0
    assert seen(first) == before
    files = [
        sorted(path.relative_to(folder) for path in folder.rglob("*"))
        for folder in (first / ".lily/characters", second / ".lily/characters")
    ]
    assert files[0] == files[1] != []
    # and the talk goes on as if nothing had been
    assert replay(first, *NEXT) == replay(second, *NEXT)
    assert told(first) == told(second)


def test_it_works_beside_a_running_bot_and_restoring_waits_for_its_end(copied: Path) -> None:
    with lock_folder(copied / ".lily", "run"):
        made = lily(copied, "backup", "beside.zip")
        refused = lily(copied, "backup", "--restore", "kept.zip", "--replace")
    assert (made.code, made.err) == (0, "")
    assert (refused.code, refused.out) == (2, "")
    assert "in use by another lily" in refused.err


def test_a_folder_that_holds_something_is_left_alone(copied: Path) -> None:
    before = told(copied)
    ran = lily(copied, "backup", "--restore", "kept.zip")
    assert (ran.code, ran.out) == (2, "")
    assert "holds data already" in ran.err
    assert "--replace" in ran.err
    assert told(copied) == before


def test_with_replace_what_was_there_makes_way(copied: Path) -> None:
    before = told(copied)
    replay(copied, NEXT[0])
    assert told(copied) != before
    assert lily(copied, "backup", "--restore", "kept.zip", "--replace").code == 0
    assert told(copied) == before


def test_a_damaged_database_makes_way_too_and_is_kept(copied: Path) -> None:
    before = told(copied)
    broken = b"not a database any more" * 1000
    (copied / ".lily" / "lily.db").write_bytes(broken)
    ran = lily(copied, "backup", "--restore", "kept.zip", "--replace")
    assert ran.code == 0
    assert "lily.db.damaged" in ran.err
    assert (copied / ".lily" / "lily.db.damaged").read_bytes() == broken
    assert told(copied) == before


@pytest.mark.parametrize("killed", [True, False], ids=["killed", "the disk refuses"])
def test_a_restore_cut_short_while_it_writes_leaves_what_was_there(
    copied: Path, tmp_path: Path, killed: bool
) -> None:
    replay(copied, NEXT[0])
    before = told(copied)
    manifest = read_manifest(copied / "kept.zip", Path("kept.zip"))
    unpack(copied / "kept.zip", manifest, copied / "measured", Path("kept.zip"))
    asyncio.run(snapshot.make_ready(copied / "measured" / DATABASE))
    # the write-ahead log of a copy is larger than the copy: this much lets all but its end be written
    limit = (copied / "measured" / DATABASE).stat().st_size + 1000
    script = (
        "import resource, signal, sys; from bot.__main__ import main;"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}));"
        f"signal.signal(signal.SIGXFSZ, signal.{'SIG_DFL' if killed else 'SIG_IGN'});"
        "sys.exit(main())"
    )
    ran = subprocess.run(
        [sys.executable, "-B", "-c", script, "backup", "--restore", "kept.zip", "--replace"],
        cwd=copied,
        env={**ENGLISH, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
        check=False,
    )
    assert ran.returncode == (-25 if killed else 2), ran.stderr
    assert "Traceback" not in ran.stderr
    assert told(copied) == before
    # once there is room, the same command does it
    assert lily(copied, "backup", "--restore", "kept.zip", "--replace").code == 0
    assert not list((copied / ".lily").glob("restoring-*"))


def test_secrets_and_places_of_the_machine_stay_out(tmp_path: Path) -> None:
    replay(tmp_path, said("2026-09-12T21:30", "我叫小明"))
    secrets = {
        "DISCORD_TOKEN": "token-not-to-be-told",
        "GEMINI_API_KEY": "key-not-to-be-told",
        "OPENAI_BASE_URL": "http://endpoint-not-to-be-told:1",
    }
    (tmp_path / "config.yaml").write_text(
        "# DISCORD_TOKEN=comment-not-to-be-told\npersona: {recent_turns: 7}\nmodels: {chat: offline}\n"
        "storage: {chroma: 'http://lily:chroma-not-to-be-told@localhost:8000'}\n",
        encoding="utf-8",
    )
    ran = lily(tmp_path, "backup", "kept.zip", LILY_MEMORY__CAP_PER_PERSON="77", **secrets)
    assert (ran.code, ran.err) == (0, "")
    with zipfile.ZipFile(tmp_path / "kept.zip") as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist())
        kept = archive.read("config.yaml").decode()
    assert b"not-to-be-told" not in everything
    assert str(tmp_path).encode() not in everything
    assert "recent_turns: 7" in kept
    assert "cap_per_person: 77" in kept


def test_only_the_host_may_read_it(copied: Path) -> None:
    assert (copied / "kept.zip").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (["kept.zip"], "is there already"),
        ([".lily/kept.zip"], "lies in the data folder"),
        (["no/such/folder/kept.zip"], "no such file"),
        (["other.zip", "--data", "empty"], "nothing is kept here yet"),
        (["other.zip", "--restore"], "no such file"),
        (["other.zip", "--replace"], "--restore"),
        (["kept.zip", "--restore", "--check"], "--check"),
    ],
)
def test_wrong_use_is_told_in_one_line(copied: Path, argv: list[str], word: str) -> None:
    before = sorted(path.name for path in copied.iterdir())
    ran = lily(copied, "backup", *argv)
    assert (ran.code, ran.out) == (2, "")
    assert word in ran.err
    assert len(ran.errors) == 1
    assert sorted(path.name for path in copied.iterdir()) == before


def test_checking_reads_it_whole_and_changes_nothing(copied: Path) -> None:
    shutil.rmtree(copied / ".lily")
    ran = lily(copied, "backup", "--check", "kept.zip")
    assert (ran.code, ran.err) == (0, "")
    assert "kept.zip is sound" in ran.out
    assert not (copied / ".lily").exists()
