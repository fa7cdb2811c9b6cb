from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bot.timeline import Face, Layout, draw, layout, load_face, pages
from bot.timeline.axis import axis_of, ticks
from bot.timeline.choosing import chains
from bot.timeline.fonts import MISSING, installed_fonts
from bot.timeline.layout import ROW, TICK
from bot.timeline.palette import SHADES
from bot.timeline.spans import Style, times_of
from memory.catalog import LANGUAGES, load_catalog
from memory.model import ArchivedReason, Category, Flag, Kind, Memory, Precision
from memory.policy import MemoryPolicy

TAIPEI = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 11, 30, 20, tzinfo=TAIPEI)
FACE = load_face()


def day(month: int, number: int, hour: int = 12) -> datetime:
    return datetime(2026, month, number, hour, tzinfo=TAIPEI)


def made(name: str, text: str = "使用者喜歡爬山", **fields: Any) -> Memory:
    base: dict[str, Any] = {
        "id": name,
        "user_id": "1",
        "persona_id": "lily",
        "places": ("dm",),
        "text": text,
        "category": Category.HOBBY,
        "created_at": day(10, 1),
    }
    return Memory(**{**base, **fields})


def event(name: str, start: datetime, days: int = 1, **fields: Any) -> Memory:
    begins = start.replace(hour=0)
    return made(
        name,
        **{
            "category": Category.SCHEDULE,
            "kind": Kind.EVENT,
            "valid_from": begins,
            "valid_to": begins + timedelta(days=days),
            "precision": Precision.DAY if days == 1 else Precision.RANGE,
            "zone": "Asia/Taipei",
            **fields,
        },
    )


def gone(at: datetime, reason: ArchivedReason = ArchivedReason.CONTRADICTED) -> dict[str, Any]:
    return {"archived": True, "archived_at": at, "archived_reason": reason, "archived_by": "rules"}


def laid_out(memories: Sequence[Memory], language: str = "zh-TW", zone: str = "Asia/Taipei") -> Layout:
    return layout(memories, NOW, zone, language, FACE)


MOMENTS = st.integers(-1000, 400 * 24).map(lambda hours: NOW.astimezone(UTC) + timedelta(hours=hours - 9000))


@st.composite
def histories(draw_: st.DrawFn) -> list[Memory]:
    count = draw_(st.integers(0, 12))
    found: list[Memory] = []
    for number in range(count):
        said = draw_(st.none() | MOMENTS.filter(lambda moment: moment <= NOW))
        starts = draw_(st.none() | MOMENTS)
        ends = draw_(st.none() | st.timedeltas(timedelta(0), timedelta(days=900)))
        archived = draw_(st.booleans())
        found.append(
            made(
                f"m{number}",
                draw_(st.text(min_size=1, max_size=60)),
                category=draw_(st.sampled_from(Category)),
                kind=draw_(st.sampled_from(Kind)),
                created_at=said,
                valid_from=starts,
                valid_to=starts + ends if starts is not None and ends is not None else None,
                precision=draw_(st.none() | st.sampled_from(Precision)),
                supersedes_id=draw_(st.none() | st.sampled_from([f"m{n}" for n in range(count)])),
                **(gone(draw_(MOMENTS.filter(lambda moment: moment <= NOW))) if archived else {}),
            )
        )
    return found


@settings(max_examples=120, deadline=None)
@given(histories(), st.sampled_from(LANGUAGES), st.sampled_from(["Asia/Taipei", "America/New_York", "UTC"]))
def test_everything_lies_on_the_canvas_and_no_two_rows_overlap(
    memories: list[Memory], language: str, zone: str
) -> None:
    picture = laid_out(memories, language, zone)
    left, top, right, bottom = picture.chart
    tops = [row.top for row in picture.rows]
    assert tops == [top + ROW * place for place in range(len(memories))]
    assert bottom < picture.height
    for row in picture.rows:
        assert left <= row.bar.left < row.bar.right <= right
        assert left <= row.known[0] <= row.known[1] <= right
        for words in (row.text, row.note):
            assert words.x >= 0
            assert words.x + FACE.length(words.text, words.size) <= left
            assert row.top <= words.y
            assert words.y + words.size <= row.top + ROW
    for line in (picture.title, picture.subtitle, picture.now_label, *(x.words for x in picture.legend)):
        assert line.x >= 0
        assert line.x + FACE.length(line.text, line.size) <= picture.width
        assert line.y + line.size <= picture.height
    assert all(left <= tick.x <= right for tick in picture.ticks)
    for before, after in pairwise(picture.ticks):
        halves = [FACE.length(tick.label, TICK) / 2 for tick in (before, after)]
        assert after.x - before.x > sum(halves)
    assert left <= picture.now <= right


@settings(max_examples=60, deadline=None)
@given(histories(), st.integers(1, 7), st.randoms(use_true_random=False))
def test_pages_hold_every_memory_once_in_an_order_that_does_not_depend_on_how_they_come(
    memories: list[Memory], most: int, random: Any
) -> None:
    sheets = pages(memories, NOW, most)
    assert sorted(one.id for sheet in sheets for one in sheet) == sorted(one.id for one in memories)
    assert all(1 <= len(sheet) <= most for sheet in sheets)
    if all(one.supersedes_id is None for one in memories):
        shuffled = memories[:]
        random.shuffle(shuffled)
        assert pages(shuffled, NOW, most) == sheets


@settings(max_examples=60, deadline=None)
@given(histories())
def test_versions_that_point_in_a_ring_are_still_shown_once(memories: list[Memory]) -> None:
    assert sorted(one.id for chain in chains(memories) for one in chain) == sorted(m.id for m in memories)


@settings(max_examples=8, deadline=None)
@given(histories())
def test_any_history_becomes_a_png_of_the_size_laid_out(memories: list[Memory]) -> None:
    picture = laid_out(memories)
    with Image.open(io.BytesIO(draw(picture, FACE))) as image:
        assert image.format == "PNG"
        assert image.size == (picture.width, picture.height)


@pytest.mark.parametrize(
    ("memory", "start", "end", "style"),
    [
        (made("a"), day(10, 1), NOW, Style.LIVE),
        (made("b", **gone(day(11, 3))), day(10, 1), day(11, 3), Style.ARCHIVED),
        (made("c", created_at=None), None, NOW, Style.LIVE),
        (made("d", valid_from=day(3, 1)), day(3, 1), NOW, Style.LIVE),
        (made("e", valid_from=day(10, 1), valid_to=day(10, 20)), day(10, 1), day(10, 20), Style.LIVE),
        (made("f", valid_from=day(12, 24)), day(12, 24), day(12, 24), Style.AHEAD),
        (event("g", day(12, 3)), day(12, 3, 0), day(12, 4, 0), Style.AHEAD),
        (event("h", day(11, 3)), day(11, 3, 0), day(11, 4, 0), Style.LIVE),
        (event("i", day(12, 3), flags=(Flag.CANCELLED,)), day(12, 3, 0), day(12, 4, 0), Style.LIVE),
        (event("j", day(12, 3), **gone(day(11, 3))), day(12, 3, 0), day(12, 4, 0), Style.ARCHIVED),
    ],
    ids=lambda value: value.id if isinstance(value, Memory) else "",
)
def test_a_bar_shows_when_a_memory_was_true(
    memory: Memory, start: datetime | None, end: datetime, style: Style
) -> None:
    times = times_of(memory, NOW, MemoryPolicy())
    assert (times.true.start, times.true.end, times.style) == (start, end, style)


@pytest.mark.parametrize(
    ("memory", "note"),
    [
        (made("a", created_at=day(11, 27)), "興趣·3 天前說的（11/27）"),
        (
            made("b", **gone(day(11, 3), ArchivedReason.EVICTED)),
            "興趣·10/1 說的，11/3 收起來：讓出位子",
        ),
        (event("c", day(12, 3)), "行程·12/3，還有 3 天"),
        (event("d", day(12, 12), days=6), "行程·12/12–12/17，還有 12 天"),
        (event("e", day(11, 28), days=6), "行程·11/28–12/3"),
        (
            event("f", day(9, 15), **gone(day(9, 30), ArchivedReason.EXPIRED)),
            "行程·9/15，9/30 收起來：過期了",
        ),
        (event("g", day(12, 3).replace(year=2027)), "行程·2027/12/3，還有 368 天"),
        (made("h", created_at=None), "興趣·過去"),
    ],
    ids=lambda value: value.id if isinstance(value, Memory) else "",
)
def test_a_note_tells_when_it_is_and_why_it_left(memory: Memory, note: str) -> None:
    assert laid_out([memory]).rows[0].note.text == note


def test_what_lies_ahead_stands_after_now_and_what_is_over_before() -> None:
    picture = laid_out([event("a", day(11, 20)), event("b", day(12, 10)), made("c")])
    over, ahead, live = (row.bar for row in picture.rows)
    assert over.right < picture.now < ahead.left
    assert live.right == pytest.approx(picture.now)


def test_a_version_is_joined_to_the_one_it_replaced() -> None:
    memories = [
        made("a", "使用者叫小華", **gone(day(10, 20))),
        made("b", "使用者叫小明", created_at=day(10, 20), supersedes_id="a"),
    ]
    picture = laid_out(memories)
    (link,) = picture.links
    before, after = picture.rows
    assert before.top < link.start[1] < link.end[1] < after.top + ROW
    assert before.bar.right == pytest.approx(after.bar.left)
    assert picture.rows[0].style is Style.ARCHIVED


def test_a_long_text_is_cut_and_says_so() -> None:
    row = laid_out([made("a", "使用者" + "很喜歡爬山" * 40)]).rows[0]
    assert row.text.text.startswith("你很喜歡爬山")
    assert row.text.text.endswith("…")


@pytest.mark.parametrize(
    "far", [event("far", day(12, 1).replace(year=2031)), made("old", valid_from=day(1, 1).replace(year=1990))]
)
def test_a_date_far_away_runs_off_the_edge_and_squeezes_nothing(far: Memory) -> None:
    near = [made("a", created_at=day(9, 1)), event("b", day(12, 5))]
    alone, together = laid_out(near), laid_out([*near, far])
    widest = alone.rows[0].bar.right - alone.rows[0].bar.left
    assert together.rows[0].bar.right - together.rows[0].bar.left > widest / 2
    assert together.rows[2].bar.open_left or together.rows[2].bar.open_right


def test_the_first_picture_has_who_the_person_is_and_what_lies_ahead() -> None:
    many = [made(f"m{n:02}", created_at=day(11, 1) + timedelta(hours=n)) for n in range(40)]
    name = made("name", "使用者叫小明", category=Category.NAME, created_at=day(1, 1))
    first, *others = pages([*many, name, event("soon", day(12, 3), created_at=day(2, 1))], NOW)
    assert first[0] is name
    assert first[-1].id == "soon"
    assert {one.id for sheet in others for one in sheet} < {one.id for one in many}


@pytest.mark.parametrize("days", [0, 1, 9, 40, 130, 500, 3000, 20000])
@pytest.mark.parametrize("language", LANGUAGES)
def test_days_are_labelled_at_any_length_without_touching(days: int, language: str) -> None:
    times = [times_of(made("a", created_at=NOW - timedelta(days=days)), NOW, MemoryPolicy())]
    axis = axis_of(times, NOW, 0, 700)
    found = ticks(axis, "Asia/Taipei", load_catalog("bot.timeline", language), 108)
    assert found
    assert all(after.x - before.x >= 108 for before, after in pairwise(found))
    assert "20" in found[0].label or "19" in found[0].label


@pytest.mark.parametrize(
    "text", ["記憶時間線", "简体字也行", "ひらがなとカタカナ", "Ämne 12:30 – ok", "《百年孤寂》「好」"]
)
def test_the_packaged_font_has_what_people_write(text: str) -> None:
    pieces = Face(shipped_font()).set(text, 24)
    assert "".join(piece.text for piece in pieces) == text
    assert len({piece.font.getname() for piece in pieces}) == 1


def test_what_no_font_has_is_drawn_as_a_box_and_direction_marks_not_at_all() -> None:
    pieces = Face(shipped_font()).set("a\u202e\u200d\ufe0f\U0010fff0b", 24)
    assert "".join(piece.text for piece in pieces) == f"a{MISSING}b"


def test_broken_fonts_of_a_machine_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "NotoSansCJK-Regular.ttc").write_bytes(b"no font")
    (tmp_path / "notes.txt").write_text("no font either")
    found = list(installed_fonts([tmp_path, tmp_path / "missing"]))
    assert [path.name for path in found] == ["NotoSansCJK-Regular.ttc"]
    assert Face(shipped_font(), found).set("\U0001f600", 24)[0].text == MISSING


def test_the_same_memories_give_the_same_picture() -> None:
    memories = [made("a"), event("b", day(12, 3)), made("c", **gone(day(11, 3)))]
    assert draw(laid_out(memories), FACE) == draw(laid_out(memories), load_face())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_reason_is_cut_off(language: str) -> None:
    for category in Category:
        for reason in ArchivedReason:
            kind = Kind.EVENT if category is Category.SCHEDULE else Kind.VERSIONED
            memory = made(
                "a", category=category, kind=kind, created_at=day(10, 10), **gone(day(11, 20), reason)
            )
            assert "…" not in laid_out([memory], language).rows[0].note.text


def test_a_picture_has_no_more_colours_than_a_palette_holds() -> None:
    assert len(SHADES) <= 256


def test_reasons_and_categories_have_words_in_every_language() -> None:
    for language in LANGUAGES:
        words = load_catalog("bot.timeline", language)
        for reason in ArchivedReason:
            assert words.text(f"reasons.{reason}")
        for category in Category:
            assert words.text(f"categories.{category}")


def shipped_font() -> Path:
    import bot.timeline

    (path,) = (Path(bot.timeline.__file__).parent / "fonts").glob("*.otf")
    return path
