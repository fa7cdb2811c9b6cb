from __future__ import annotations

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, RootModel

from llm.errors import ModelBlocked, ModelEmpty, ModelMalformed
from llm.structured import Said, Unfit, answer_in_shape, read, without_thoughts

SECRET = "她只對我說過的話"


class Item(BaseModel):
    text: str
    mood: Literal["glad", "sad"] = "glad"


class Found(BaseModel):
    """Every field has a default: the shape that broken answers slip into most easily."""

    items: tuple[Item, ...] = ()
    cause: str | None = None


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    score: int


class Renamed(BaseModel):
    kind: str = Field("plain", alias="type")


class Ladder(RootModel[dict[str, int]]):
    pass


class Script:
    """A model that answers from a list and remembers what it was asked."""

    def __init__(self, *answers: str | Said | Exception) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []

    async def __call__(self, prompt: str) -> Said:
        self.prompts.append(prompt)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Said) else Said(answer)


FOUND = Found(items=(Item(text="a", mood="sad"),))
PLAIN = FOUND.model_dump_json()


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"\ufeff {PLAIN}\n",
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}```",
        f"好的，結果如下：{PLAIN} 以上。",
        f"<think>maybe {{}} or {PLAIN[:9]}</think>\n{PLAIN}",
        f"<thinking>\n</thinking>{PLAIN}",
        f"an opening tag that was swallowed</think>{PLAIN}",
        f"{{note}} {PLAIN}",
        f'{{"unrelated": 1}} then {PLAIN}',
    ],
)
def test_the_shape_is_found_in_what_surrounds_it(text: str) -> None:
    assert read(text, Found) == FOUND


@given(st.lists(st.tuples(st.text(), st.sampled_from(["glad", "sad"]))), st.text(alphabet="好 abc\n`.,"))
def test_any_dumped_shape_is_read_back_whatever_stands_around_it(
    rows: list[tuple[str, str]], around: str
) -> None:
    found = Found.model_validate({"items": [{"text": text, "mood": mood} for text, mood in rows]})
    assert read(f"{around}{found.model_dump_json()}{around}", Found) == found


@given(st.integers(min_value=1, max_value=len(PLAIN) - 1))
def test_an_answer_cut_anywhere_never_passes_for_an_empty_one(end: int) -> None:
    with pytest.raises(Unfit):
        read(PLAIN[:end], Found)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "沒有",
        "[]",
        "null",
        "{}",
        '{"facts": []}',
        '{"properties": {"items": {"type": "array"}}}',
        '{"items": [{"text": "a"} {"text": "b"}], "cause": null}',
        '{"items": [{"text": "a", "mood": "angry"}]}',
        '{"items": "a"}',
        '<think>{"items": []}',
        "{" * 5000,
        '{"a":' * 5000,
    ],
)
def test_what_is_not_the_shape_is_unfit(text: str) -> None:
    with pytest.raises(Unfit):
        read(text, Found)


def test_a_field_known_by_its_alias_counts_as_known() -> None:
    assert read('{"type": "round"}', Renamed).kind == "round"


def test_a_shape_without_named_fields_takes_any_keys() -> None:
    assert read('{"a": 1}', Ladder).root == {"a": 1}


def test_thoughts_are_left_out_closed_or_not() -> None:
    assert without_thoughts("<think>a</think> b <THINK>c</THINK>") == "b"
    assert without_thoughts("b <think>cut off in the middle") == "b"


async def test_a_fitting_answer_is_asked_for_once() -> None:
    ask = Script(PLAIN)
    assert await answer_in_shape(ask, "p", Found) == FOUND
    assert ask.prompts == ["p"]


async def test_an_unfit_answer_is_shown_to_the_model_with_what_is_wrong() -> None:
    ask = Script('{"items": [{"text": "a", "mood": "angry"}]}', PLAIN)
    assert await answer_in_shape(ask, "p", Found) == FOUND
    assert ask.prompts[1].startswith("p")
    assert '"mood": "angry"' in ask.prompts[1]
    assert "items.0.mood: Input should be 'glad' or 'sad'" in ask.prompts[1]


async def test_an_answer_cut_off_is_asked_for_again_shorter() -> None:
    ask = Script(Said(PLAIN[:12], cut=True), PLAIN)
    assert await answer_in_shape(ask, "p", Found) == FOUND
    assert "be much shorter" in ask.prompts[1]


async def test_an_endless_answer_is_not_shown_again_whole() -> None:
    ask = Script("x" * 100_000, PLAIN)
    await answer_in_shape(ask, "p", Found)
    assert len(ask.prompts[1]) < 5_000


async def test_an_empty_answer_is_asked_for_again_as_it_was() -> None:
    ask = Script(ModelEmpty("nothing"), PLAIN)
    assert await answer_in_shape(ask, "p", Found) == FOUND
    assert ask.prompts == ["p", "p"]


async def test_two_empty_answers_are_empty() -> None:
    with pytest.raises(ModelEmpty):
        await answer_in_shape(Script(ModelEmpty("nothing"), ModelEmpty("nothing")), "p", Found)


async def test_a_blocked_answer_is_not_asked_for_again() -> None:
    ask = Script(ModelBlocked("no"))
    with pytest.raises(ModelBlocked):
        await answer_in_shape(ask, "p", Found)
    assert len(ask.prompts) == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (json.dumps({"items": [{"text": SECRET, "mood": SECRET}]}), "items.0.mood: literal_error"),
        (f'{{"items": "{SECRET}', "broken JSON"),
        (SECRET, "no JSON object"),
        (json.dumps({SECRET: SECRET}), "none of the expected fields"),
    ],
)
async def test_the_second_failure_says_why_without_a_word_of_the_answer(answer: str, reason: str) -> None:
    with pytest.raises(ModelMalformed, match=reason) as caught:
        await answer_in_shape(Script(answer, answer), "p", Found)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


async def test_a_made_up_key_is_not_named_in_the_failure() -> None:
    answer = json.dumps({"score": 1, SECRET: 2})
    with pytest.raises(ModelMalformed, match=r"\?: extra_forbidden") as caught:
        await answer_in_shape(Script(answer, answer), "p", Strict)
    assert SECRET not in str(caught.value)


async def test_the_failure_tells_that_the_limit_cut_it() -> None:
    with pytest.raises(ModelMalformed, match="cut off at the token limit"):
        await answer_in_shape(Script("x", Said('{"items": [', cut=True)), "p", Found)
