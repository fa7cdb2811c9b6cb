from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from memory.model import Memory
from tests.bot.command_line import Ran, lily, replay, said, tick, write_script

CHECKOUT = Path(__file__).parents[2]
HOLD = """
import sys
from pathlib import Path
from bot.lock import lock_folder
with lock_folder(Path(sys.argv[1]), "run"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which u1 told a name, a taste that was overturned, and an appointment; u2 one thing."""
    folder = tmp_path_factory.mktemp("template")
    replay(
        folder,
        said("2026-09-01T20:00", "我叫小安"),
        said("2026-09-01T20:01", "我最討厭吃香菜"),
        said("2026-09-01T20:02", "我養了一隻貓叫橘子", user="u2"),
        said("2026-09-20T20:00", "我最近嘗試了香菜烘焙，發現其實蠻香的"),
        said("2026-09-20T20:01", "我明天要去看牙醫"),
    )
    return folder


@pytest.fixture
def told(template: Path, tmp_path: Path) -> Path:
    """The template, to be changed."""
    shutil.copytree(template, tmp_path / "told")
    return tmp_path / "told"


@pytest.fixture
def held(told: Path) -> Iterator[Path]:
    """The same folder while another process holds it, as a running bot does."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(told / ".lily")],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield told
    process.communicate("")


def memories(folder: Path, user: str = "u1", state: str = "live") -> list[dict[str, object]]:
    ran = lily(folder, "memories", "--user", user, "--state", state, "--json")
    assert ran.code == 0
    return ran.rows


def the_one(folder: Path, word: str, state: str = "all") -> dict[str, object]:
    (found,) = [row for row in memories(folder, state=state) if word in str(row["text"])]
    return found


def fine(ran: Ran) -> Ran:
    assert (ran.code, ran.err) == (0, "")
    return ran


def test_memories_shows_every_field(told: Path) -> None:
    for row in memories(told, state="all"):
        assert row.keys() == Memory.model_fields.keys()
        Memory.model_validate(row)


def test_memories_are_listed_by_state(told: Path) -> None:
    live, archived = memories(told), memories(told, state="archived")
    assert {row["archived"] for row in live} == {False}
    assert [row["archived_reason"] for row in archived] == ["contradicted"]
    assert len(memories(told, state="all")) == len(live) + len(archived)


def test_memories_of_one_person_are_not_anothers(told: Path) -> None:
    assert {row["user_id"] for row in memories(told, state="all")} == {"u1"}
    assert memories(told, user="u") == []


def test_memories_as_of_an_earlier_day_are_those_of_then(told: Path) -> None:
    ran = fine(lily(told, "memories", "--user", "u1", "--as-of", "2026-09-10T12:00", "--json"))
    texts = [row["text"] for row in ran.rows]
    assert any("討厭" in text for text in texts)
    assert not any("牙醫" in text for text in texts)
    assert not any(row["archived"] for row in ran.rows)


def test_memories_for_people_names_what_it_shows(told: Path) -> None:
    ran = fine(lily(told, "memories", "--user", "u1", "--state", "all"))
    assert "replaced by something newer" in ran.out
    assert str(the_one(told, "牙醫")["id"]) in ran.out
    assert fine(lily(told, "memories", "--user", "u9")).out == "no memory of u9\n"


def test_recall_tells_what_and_why_this_and_not_that(told: Path) -> None:
    ran = fine(lily(told, "recall", "--user", "u1", "--at", "2026-09-20T21:00", "--json", "我要看牙醫嗎"))
    (answer,) = ran.rows
    assert "牙醫" in answer["recalled"][0]["text"]
    assert answer["recalled"][0]["phase"] == "upcoming"
    assert answer["recalled"][0]["why"]
    assert {line["kept"] for line in answer["audit"]} == {True, False}
    assert all(line["cause"] for line in answer["audit"])
    assert "牙醫" in answer["context"]


def test_recall_stands_at_the_moment_asked_for(told: Path) -> None:
    def phase(at: str) -> str:
        ran = fine(lily(told, "recall", "--user", "u1", "--at", at, "--json", "看牙醫"))
        return str(ran.rows[0]["recalled"][0]["phase"])

    assert phase("2026-09-20T23:00") == "upcoming"
    assert phase("2026-09-21T10:00") == "ongoing"
    assert phase("2026-09-25T10:00") == "past"
    later = fine(lily(told, "recall", "--user", "u1", "--at", "2027-09-25", "--json", "看牙醫"))
    assert "牙醫" not in str(later.rows[0]["recalled"])


def test_recall_keeps_to_the_place(told: Path) -> None:
    ran = fine(lily(told, "recall", "--user", "u1", "--place", "guild:1/channel:2", "--json", "我討厭吃什麼"))
    assert ran.rows[0]["recalled"] == ran.rows[0]["audit"] == ran.rows[0]["profile"] == []


def test_recall_changes_nothing(told: Path) -> None:
    def files() -> dict[str, bytes]:
        return {
            str(path): path.read_bytes() for path in (told / ".lily" / "chroma").rglob("*") if path.is_file()
        }

    before = (memories(told, state="all"), files())
    lily(told, "recall", "--user", "u1", "香菜")
    assert (memories(told, state="all"), files()) == before


def test_forgetting_and_restoring_are_each_others_undoing(told: Path) -> None:
    dentist = the_one(told, "牙醫")
    (forgotten,) = fine(lily(told, "forget", str(dentist["id"]), "--json")).rows
    assert (forgotten["archived"], forgotten["archived_reason"]) == (True, "forgotten")
    (restored,) = fine(lily(told, "restore", str(dentist["id"]), "--json")).rows
    kept = {name for name in dentist if name not in {"rev", "expires_at"}}
    assert {name: restored[name] for name in kept} == {name: dentist[name] for name in kept}


def test_forgetting_twice_is_said_once(told: Path) -> None:
    memory_id = str(the_one(told, "牙醫")["id"])
    assert fine(lily(told, "forget", memory_id)).out.startswith("forgotten: ")
    assert fine(lily(told, "forget", memory_id)).out.startswith("was archived already: ")
    assert fine(lily(told, "restore", memory_id)).out.startswith("back again: ")
    assert fine(lily(told, "restore", memory_id)).out.startswith("was in use already: ")


def test_restoring_swaps_with_what_replaced_it(told: Path) -> None:
    old = the_one(told, "討厭", state="archived")
    (restored,) = fine(lily(told, "restore", str(old["id"]), "--json")).rows
    assert [one["archived_reason"] for one in restored["left_for_it"]] == ["contradicted"]
    assert "討厭" in str(the_one(told, "香菜", state="live")["text"])


def test_prune_only_shows_until_it_is_told_to_apply(told: Path) -> None:
    before = memories(told, state="all")
    shown = fine(lily(told, "prune", "--json")).rows
    assert [(row["reason"], row["archived"]) for row in shown] == [("expired", False)]
    assert memories(told, state="all") == before
    done = fine(lily(told, "prune", "--apply", "--json")).rows
    assert [(row["reason"], row["archived"]) for row in done] == [("expired", True)]
    assert the_one(told, "牙醫")["archived_reason"] == "expired"
    assert fine(lily(told, "prune")).out == "there is nothing to prune\n"


def test_pruning_a_person_leaves_the_name(told: Path) -> None:
    shown = fine(lily(told, "prune", "--user", "u1"))
    assert "would be archived; add --apply" in shown.out
    fine(lily(told, "prune", "--user", "u1", "--apply"))
    assert [row["category"] for row in memories(told)] == ["name"]
    assert len(memories(told, user="u2")) == 1


def test_what_is_exported_is_imported_elsewhere_as_it_was(
    told: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    there = tmp_path_factory.mktemp("there")
    exported = lily(told, "export", "--user", "u1", "--out", "u1.jsonl")
    assert (exported.code, exported.out) == (0, "")
    fine(lily(there, "import", str(told / "u1.jsonl")))
    assert memories(there, state="all") == memories(told, state="all")
    again = fine(lily(there, "import", str(told / "u1.jsonl"), "--json"))
    assert again.rows == [{"added": 0, "known": len(memories(told, state="all"))}]


def test_an_export_holds_everything_of_the_person_and_nothing_of_another(told: Path) -> None:
    rows = lily(told, "export", "--user", "u1").rows
    assert {row["type"] for row in rows} >= {"header", "memory", "event", "turn"}
    assert not any("橘子" in json.dumps(row, ensure_ascii=False) for row in rows)


def test_exporting_nobody_says_so(told: Path) -> None:
    ran = lily(told, "export", "--user", "u9")
    assert [row["type"] for row in ran.rows] == ["header"]
    assert ran.errors == ["nothing is kept about u9"]


def test_imported_rows_are_found_like_any_other(tmp_path: Path) -> None:
    row = {"user_id": "u1", "text": "使用者討厭吃香菜", "category": "preference"}
    write_script(tmp_path, [row], "in.jsonl")
    assert fine(lily(tmp_path, "import", "in.jsonl", "--json")).rows == [{"added": 1, "known": 0}]
    (answer,) = fine(lily(tmp_path, "recall", "--user", "u1", "--json", "我討厭吃什麼")).rows
    assert [one["text"] for one in answer["recalled"]] == ["使用者討厭吃香菜"]
    assert memories(tmp_path)[0]["created_at"] is None


def test_erasing_leaves_nothing_of_the_person_and_everything_of_the_others(told: Path) -> None:
    others = memories(told, user="u2", state="all")
    (erased,) = fine(lily(told, "erase", "--user", "u1", "--confirm", "u1", "--json")).rows
    assert erased["verified"] is True
    assert erased["removed"]["memories"] == 4
    assert memories(told, state="all") == []
    assert memories(told, user="u2", state="all") == others
    left = b"".join(path.read_bytes() for path in (told / ".lily").rglob("*") if path.is_file())
    assert "香菜".encode() not in left
    assert fine(lily(told, "recall", "--user", "u2", "--json", "我的貓叫什麼")).rows[0]["recalled"]


def test_erasing_tells_people_that_it_was_verified(told: Path) -> None:
    ran = fine(lily(told, "erase", "--user", "u1", "--confirm", "u1"))
    assert "everything of u1 is erased, and that was verified" in ran.out


def test_reindex_without_an_embedder_embeds_nothing(told: Path) -> None:
    count = len(memories(told, state="all")) + len(memories(told, user="u2", state="all"))
    assert fine(lily(told, "reindex", "--json")).rows == [{"memories": count, "embedded": 0}]


def test_a_lost_index_is_made_again(told: Path) -> None:
    shutil.rmtree(told / ".lily" / "chroma")
    fine(lily(told, "reindex"))
    answers = replay(told, said("2026-09-20T20:10", "我叫什麼名字？"))
    assert "小安" in answers[0]["reply"][0]


def test_commands_work_beside_a_running_bot(held: Path) -> None:
    dentist = str(the_one(held, "牙醫")["id"])
    fine(lily(held, "recall", "--user", "u1", "看牙醫"))
    fine(lily(held, "export", "--user", "u1"))
    fine(lily(held, "prune"))
    fine(lily(held, "forget", dentist))
    fine(lily(held, "restore", dentist))
    with sqlite3.connect(held / ".lily" / "lily.db") as connection:
        (waiting,) = connection.execute("SELECT count(*) FROM outbox").fetchone()
    assert waiting == 2  # the bot mirrors them


def test_what_is_changed_alone_is_mirrored_at_once(told: Path) -> None:
    fine(lily(told, "forget", str(the_one(told, "牙醫")["id"])))
    with sqlite3.connect(told / ".lily" / "lily.db") as connection:
        assert connection.execute("SELECT count(*) FROM outbox").fetchone() == (0,)


@pytest.mark.parametrize(
    "argv",
    [
        ["replay", "script.jsonl"],
        ["import", "in.jsonl"],
        ["erase", "--user", "u1", "--confirm", "u1"],
        ["reindex"],
    ],
)
def test_what_needs_the_folder_for_itself_names_who_holds_it(held: Path, argv: list[str]) -> None:
    write_script(held, [said("2026-10-01T20:00", "我喜歡下雨")])
    write_script(held, [{"user_id": "u1", "text": "使用者喜歡下雨"}], "in.jsonl")
    before = memories(held, state="all")
    ran = lily(held, *argv)
    assert ran.code == 2
    (line,) = ran.errors
    assert "in use by another lily" in line and "--data" in line
    assert memories(held, state="all") == before


def old_store(folder: Path, length: int) -> Path:
    """Make a Chroma store as an older program left it: bare metadata, vectors of any length."""
    import chromadb

    client = chromadb.PersistentClient(path=str(folder))
    collection = client.get_or_create_collection(
        "user_memory", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    generator = np.random.default_rng(7)
    collection.add(
        ids=["a", "b", "c", "d"],
        documents=["使用者叫小華", "使用者討厭吃芹菜", "使用者住在台南", "使用者以前養過狗"],
        metadatas=[
            {"user_id": "u1", "created_at": "2025-03-01T10:00:00+00:00", "category": "name"},
            {"user_id": "u1", "created_at": "2025-03-02T10:00:00"},
            {"user_id": "u1"},
            {"user_id": "u1", "created_at": "not a date", "archived": True},
        ],
        embeddings=generator.normal(size=(4, length)).astype(np.float32),
    )
    return folder


def test_an_older_store_is_taken_over_once(tmp_path: Path) -> None:
    old = old_store(tmp_path / "old", 3072)
    before = {path: path.read_bytes() for path in old.rglob("*") if path.is_file()}
    (first,) = fine(lily(tmp_path, "migrate", "--from", str(old), "--json")).rows
    assert (first["added"], first["known"], first["undated"]) == (4, 0, 2)
    assert len(memories(tmp_path)) == 3
    (second,) = fine(lily(tmp_path, "migrate", "--from", str(old), "--json")).rows
    assert (second["added"], second["known"]) == (0, 4)
    assert {path: path.read_bytes() for path in old.rglob("*") if path.is_file()} == before


def test_vectors_of_another_model_keep_their_own_name_until_they_are_embedded_anew(tmp_path: Path) -> None:
    old = old_store(tmp_path / "old", 3072)
    shown = fine(lily(tmp_path, "migrate", "--from", "old"))
    assert "legacy/3072/1" in shown.out
    assert shown.out.splitlines()[-1].endswith("Now run: lily reindex --embedder usem3")
    script = str(write_script(tmp_path, [said("2026-09-01T20:00", "我叫什麼名字？")]))
    refused = lily(tmp_path, "replay", script)
    assert (refused.code, len(refused.errors)) == (2, 1)
    assert "legacy/3072/1" in refused.err and "lily reindex --embedder usem3" in refused.err
    fine(lily(tmp_path, "reindex", "--embedder", "usem3"))
    (answer,) = fine(lily(tmp_path, "replay", script, "--json")).rows
    assert "小華" in answer["reply"][0]
    again = fine(lily(tmp_path, "migrate", "--from", str(old), "--json"))
    assert (again.rows[0]["added"], again.rows[0]["next"]) == (0, None)


def test_vectors_as_long_as_the_embedders_are_used_at_once(tmp_path: Path) -> None:
    old_store(tmp_path / "old", 512)
    (done,) = fine(lily(tmp_path, "migrate", "--from", "old", "--json")).rows
    assert (done["added"], done["next"]) == (4, None)
    assert fine(lily(tmp_path, "recall", "--user", "u1", "--json", "我叫什麼")).rows[0]["profile"]


def test_an_older_store_is_not_mixed_into_a_store_of_another_space(told: Path) -> None:
    old_store(told / "old", 3072)
    before = memories(told, state="all")
    refused = lily(told, "migrate", "--from", "old")
    assert refused.code == 2
    (line,) = refused.errors
    assert "3072" in line and "--data" in line
    assert memories(told, state="all") == before


def test_the_next_command_names_the_folder_that_was_named(tmp_path: Path) -> None:
    old_store(tmp_path / "old", 3072)
    shown = fine(lily(tmp_path, "--data", "new home", "migrate", "--from", "old"))
    assert shown.out.splitlines()[-1].endswith("lily --data 'new home' reindex --embedder usem3")


def test_a_tick_between_leaves_what_is_not_due(told: Path) -> None:
    (answer,) = replay(told, tick("2026-09-25T20:00"))
    assert (answer["archived"], answer["follow_ups"]) == ([], [])


def test_sql_and_index_agree_after_every_command(told: Path) -> None:
    from bot.cli.env import Env
    from bot.cli.output import Output
    from bot.house import open_memory_alone
    from memory.catalog import load_catalog
    from memory.store import gate

    dentist = str(the_one(told, "牙醫")["id"])
    fine(lily(told, "forget", dentist))
    fine(lily(told, "prune", "--user", "u2", "--apply"))
    env = Env(load_catalog("bot", "en"), Output(sys.stdout, sys.stderr), {}, told)

    async def both() -> tuple[dict[str, int], dict[str, int]]:
        async with open_memory_alone(env.settings, env.clock, command="test") as memory:
            index = await memory.index.contents()
            async with memory.database.read() as connection:
                rows = [*await gate.owned(connection, "u1"), *await gate.owned(connection, "u2")]
        return {row.id: row.rev for row in rows}, {key: int(value["rev"]) for key, value in index.items()}

    sql, index = asyncio.run(both())
    assert sql == index
