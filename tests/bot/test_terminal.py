from __future__ import annotations

import asyncio
import io
import re
import socket
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.terminal.travel import TooFar, parse_step
from tests.bot.command_line import Ran, lily

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal there")

if sys.platform != "win32":
    from tests.bot.pseudo_terminal import CTRL_C, CTRL_D, PseudoTerminal

PROMPT = "你："
HER = "莉莉："
TAIWAN = {"LANG": "zh_TW.UTF-8"}
HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture
def piped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Chat through a pipe: the lines said, and what was shown."""

    def chat(*lines: str, **environ: str) -> Ran:
        said = io.TextIOWrapper(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), encoding="ascii")
        monkeypatch.setattr(sys, "stdin", said)
        return lily(tmp_path, "chat", **{**TAIWAN, **environ})

    yield chat


@pytest.fixture
def silent_endpoint() -> Iterator[str]:
    """An OpenAI-compatible endpoint that takes every request and never answers: she thinks for ever."""
    server = socket.create_server(("127.0.0.1", 0))
    taken: list[socket.socket] = []

    def take() -> None:
        while True:
            try:
                taken.append(server.accept()[0])
            except OSError:
                return

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join(timeout=10)
    for connection in taken:
        connection.close()


def hers(ran: Ran) -> list[str]:
    return [line.removeprefix(HER) for line in ran.out.splitlines() if line.startswith(HER)]


def test_a_pipe_gets_her_greeting_and_a_reply_to_each_line(piped) -> None:
    ran = piped("我叫小安", "我討厭吃香菜", "我討厭吃什麼？")
    assert (ran.code, ran.err) == (0, "")
    greeting, _, _, answer = hers(ran)
    assert "莉莉" in greeting
    assert "香菜" in answer


def test_a_pipe_gets_no_colours(piped) -> None:
    assert "\x1b" not in piped("嗨", ":memories").out


def test_what_is_told_in_one_run_is_known_in_the_next_and_greeted_once(piped) -> None:
    piped("我叫小安")
    ran = piped("我叫什麼名字？")
    assert len(hers(ran)) == 1
    assert "小安" in hers(ran)[0]


def test_who_writes_english_is_answered_in_english_from_her_first_words(piped) -> None:
    out = piped("hi", "I'm allergic to peanuts", "what am I allergic to?", ":why", LANG="en_US.UTF-8").out
    assert len(re.findall(r"^Lily: ", out, re.MULTILINE)) == 4
    assert re.search(r"^Lily: .*peanuts", out, re.MULTILINE)
    assert not HAN.search(out)


def test_she_answers_in_the_language_of_each_line_whatever_the_terminal_speaks(piped) -> None:
    out = piped("我討厭吃香菜", "I live in Leeds", LANG="en_US.UTF-8").out
    _, chinese, english = re.findall(r"^Lily: (.*)$", out, re.MULTILINE)
    assert HAN.search(chinese)
    assert not HAN.search(english)


def test_the_language_a_host_has_chosen_goes_before_that_of_the_terminal(piped) -> None:
    assert "リリィ：" in piped("OK", LILY_PERSONA__LANGUAGE="ja").out


def test_her_question_at_the_start_may_be_answered_in_a_word(piped) -> None:
    piped("小安")
    assert "小安" in hers(piped("我叫什麼名字？"))[0]


def test_rules_are_called_rules_once(piped) -> None:
    out = piped("嗨", "今天好熱").out
    assert out.count("離線規則") == 1
    assert out.count("GEMINI_API_KEY") == 1


def test_why_shows_what_was_kept_and_what_was_not(piped) -> None:
    out = piped("我叫小安", "我討厭吃香菜", "我討厭吃什麼？", ":why").out
    assert "用了" in out and "常備" in out
    assert "總分" in out


def test_why_before_anything_was_said(piped) -> None:
    assert "還沒有可以說明的回覆" in piped(":why").out


def test_memories_and_archived_list_what_is_there(piped) -> None:
    out = piped(":memories", ":archived", "我叫小明", "我改名叫小華了", ":memories", ":archived").out
    assert "她還沒記住什麼。" in out
    assert "沒有收起來的記憶。" in out
    assert "使用者叫小華" in out
    assert "被新的取代" in out


def test_restore_takes_the_beginning_of_an_id(piped, tmp_path: Path) -> None:
    piped("我叫小明", "我改名叫小華了")
    (old,) = lily(tmp_path, "memories", "--user", "local", "--state", "archived", "--json").rows
    out = piped(f":restore {str(old['id'])[:10]}", ":restore", ":restore zzz", ":restore m").out
    assert "找回來了：使用者叫小明" in out
    assert "讓出位子：使用者叫小華" in out
    assert "要寫 id" in out
    assert "沒有 id 是 zzz 的記憶" in out
    assert "m 開頭的記憶不只一則" in out


def test_told_to_forget_she_asks_which_and_a_number_puts_it_away(piped) -> None:
    ran = piped("我最討厭吃香菜了", "忘掉我討厭香菜這件事", "１", ":archived", ":memories")
    assert "要忘掉哪一則" in ran.out + ran.err
    assert "收起來了：使用者最討厭吃香菜" in ran.out + ran.err
    assert "要求" in ran.out
    assert "她還沒記住什麼" in ran.out + ran.err


def test_other_words_than_a_number_leave_everything_as_it_is(piped) -> None:
    ran = piped("我最討厭吃香菜了", "忘掉我討厭香菜這件事", "算了", "1", ":archived")
    assert "沒有收起來的記憶" in ran.out + ran.err


def test_an_order_to_forget_is_not_learned_as_news(piped) -> None:
    ran = piped("忘掉我對花生過敏的事", ":memories")
    assert "沒有可以忘掉的" in ran.out + ran.err
    assert "她還沒記住什麼" in ran.out + ran.err


def test_skip_travels_and_tells_what_left(piped) -> None:
    out = piped("我明天要去看牙醫", ":skip 3w", ":memories").out
    assert "（時間往前走了。現在是 " in out
    (left,) = [line for line in out.splitlines() if line.startswith("離開了：")]
    assert "牙醫" in left and left.endswith("（過期了）")
    assert "她還沒記住什麼。" in out


def test_after_a_skip_she_knows_how_long_ago_it_was(piped) -> None:
    assert "3 天前說的" in piped("我討厭吃香菜", ":skip 3d", "我討厭吃什麼？", ":why").out


@pytest.mark.parametrize("order", [":skip", ":skip soon", ":skip 3", ":skip -3d", ":skip 0d"])
def test_a_skip_that_names_no_time_says_how(piped, order: str) -> None:
    assert "要寫多久" in piped(order).out


def test_a_skip_beyond_ten_years_is_refused(piped) -> None:
    assert "太遠了" in piped(":skip 999999w").out


def test_an_unknown_order_names_the_near_one(piped) -> None:
    out = piped(":memoris", ":xyzzy", ":").out
    assert "沒有 :memoris 這個指令，是不是 :memories？" in out
    assert "沒有 :xyzzy 這個指令，:help 看有哪些" in out


def test_orders_may_be_typed_with_a_wide_colon(piped) -> None:
    assert "現在是 " in piped("：now").out


def test_help_lists_every_order(piped) -> None:
    out = piped(":help").out
    for order in (":memories", ":archived", ":why", ":restore ID", ":now", ":skip 3d", ":help", ":quit"):
        assert order in out


def test_quit_ends_before_what_follows(piped) -> None:
    ran = piped(":quit", "我叫小安")
    assert ran.code == 0
    assert len(hers(ran)) == 1


def test_bytes_that_are_no_text_do_not_stop_her(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\x00\n\xe5\x97\xa8\n")))
    ran = lily(tmp_path, "chat", **TAIWAN)
    assert (ran.code, ran.err) == (0, "")


def test_no_secret_is_shown(piped) -> None:
    ran = piped("嗨", ":why", ":memories", DISCORD_TOKEN="hush-1", OPENAI_API_KEY="hush-2")
    assert "hush" not in ran.out + ran.err


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("3d", timedelta(days=3)),
        ("2H", timedelta(hours=2)),
        ("1w", timedelta(weeks=1)),
        ("1d 12h", timedelta(days=1, hours=12)),
        ("90m", timedelta(minutes=90)),
        ("", None),
        ("d", None),
        ("3 days", None),
    ],
)
def test_steps_of_time(text: str, step: timedelta | None) -> None:
    assert parse_step(text) == step


def test_a_step_too_far() -> None:
    with pytest.raises(TooFar):
        parse_step("9999w")


def test_at_a_terminal_she_answers_in_colour_behind_a_prompt(tmp_path: Path) -> None:
    with PseudoTerminal(tmp_path, "chat") as terminal:
        terminal.wait_for(PROMPT)
        at = terminal.type("我叫小安\n")
        at = terminal.wait_for(HER, after=at)
        terminal.wait_for(PROMPT, after=at)
        terminal.type(":quit\n")
        assert terminal.ends() == 0
    assert "\x1b[1" in terminal.raw
    assert "莉莉正在想" in terminal.shown


def test_lines_pasted_together_are_one_message_and_orders_among_them_stand_alone(tmp_path: Path) -> None:
    with PseudoTerminal(tmp_path, "chat") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("我叫小安\n我討厭吃香菜\n:memories\n")
        at = terminal.wait_for("使用者叫小安")
        terminal.wait_for(PROMPT, after=at)
        terminal.type(CTRL_D)
        assert terminal.ends() == 0
    assert terminal.shown.count(HER) == 2  # the greeting, and one reply


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D], ids=["ctrl-c", "ctrl-d"])
def test_leaving_at_the_prompt_is_clean(tmp_path: Path, key: bytes) -> None:
    with PseudoTerminal(tmp_path, "chat") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type(key)
        assert terminal.ends() == 0
    assert "聊到這裡" in terminal.shown
    assert "Traceback" not in terminal.shown


def test_a_half_typed_line_is_left_by_ctrl_c(tmp_path: Path) -> None:
    with PseudoTerminal(tmp_path, "chat") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("我叫小")
        terminal.wait_for("我叫小")
        terminal.type(CTRL_C)
        assert terminal.ends() == 0
    assert lily(tmp_path, "memories", "--user", "local", "--json").rows == []


def test_the_arrow_keys_find_what_was_said_before(tmp_path: Path) -> None:
    with PseudoTerminal(tmp_path, "chat") as terminal:
        terminal.wait_for(PROMPT)
        at = terminal.type("我討厭吃香菜\n")
        at = terminal.wait_for(HER, after=at)
        terminal.wait_for(PROMPT, after=at)
        terminal.type(CTRL_D)
        terminal.ends()
    with PseudoTerminal(tmp_path, "chat") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("\x1b[A")
        terminal.wait_for("我討厭吃香菜")
        terminal.type(CTRL_C)
        assert terminal.ends() == 0


def test_ctrl_c_while_she_thinks_loses_nothing(tmp_path: Path, silent_endpoint: str) -> None:
    model = {
        "LILY_MODELS__CHAT": "openai",
        "LILY_MODELS__OPENAI__CHAT": "m",
        "OPENAI_BASE_URL": silent_endpoint,
    }
    with PseudoTerminal(tmp_path, "chat", OPENAI_API_KEY="k", **model) as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("我明天要去看牙醫\n")
        terminal.wait_for("莉莉正在想")
        terminal.type(CTRL_C)
        assert terminal.ends() == 0
    assert "下次她會接著" in terminal.shown
    assert "Traceback" not in terminal.shown
    with PseudoTerminal(tmp_path, "chat") as terminal:
        at = terminal.wait_for("（上次你說到「我明天要去看牙醫」）")
        at = terminal.wait_for(HER, after=at)
        terminal.wait_for(PROMPT, after=at)
        terminal.type(CTRL_D)
        assert terminal.ends() == 0
    (row,) = lily(tmp_path, "memories", "--user", "local", "--json").rows
    assert "牙醫" in row["text"]


def test_a_power_cut_while_she_thinks_loses_nothing(tmp_path: Path, silent_endpoint: str) -> None:
    model = {
        "LILY_MODELS__CHAT": "openai",
        "LILY_MODELS__OPENAI__CHAT": "m",
        "OPENAI_BASE_URL": silent_endpoint,
    }
    with PseudoTerminal(tmp_path, "chat", OPENAI_API_KEY="k", **model) as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("我叫小安\n")
        terminal.wait_for("莉莉正在想")
        wait_until_admitted(tmp_path)
        terminal.kill()
    with PseudoTerminal(tmp_path, "chat") as terminal:
        at = terminal.wait_for("（上次你說到「我叫小安」）")
        terminal.wait_for(HER, after=at)
        terminal.wait_for(PROMPT, after=at)
        terminal.type(CTRL_D)
        assert terminal.ends() == 0
    assert [row["category"] for row in lily(tmp_path, "memories", "--user", "local", "--json").rows] == [
        "name"
    ]


@pytest.mark.parametrize("moment", [0.0, 0.05, 0.3])
def test_ctrl_c_at_any_moment_after_a_line_leaves_it_in_the_inbox(tmp_path: Path, moment: float) -> None:
    with PseudoTerminal(tmp_path, "chat") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("我討厭吃香菜\n")
        terminal.pause(0.005 + moment)
        terminal.type(CTRL_C)
        assert terminal.ends() == 0
        assert "Traceback" not in terminal.shown
    with PseudoTerminal(tmp_path, "chat") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type(CTRL_D)
        assert terminal.ends() == 0
    assert len(lily(tmp_path, "memories", "--user", "local", "--json").rows) == 1


def wait_until_admitted(folder: Path) -> None:
    """Wait for the first message to stand in the inbox."""
    import sqlite3

    async def waiting() -> None:
        while True:
            with sqlite3.connect(folder / ".lily" / "lily.db") as connection:
                if connection.execute("SELECT count(*) FROM inbox").fetchone() == (1,):
                    return
            await asyncio.sleep(0.02)

    asyncio.run(asyncio.wait_for(waiting(), 30))
