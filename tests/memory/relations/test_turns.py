from __future__ import annotations

import pytest

from memory.model import Category
from memory.relations.rules import OfflineJudge
from memory.relations.types import Relation, Statement


async def relation(old: str, new: str, category: Category = Category.IDENTITY) -> Relation:
    known = Statement(old, category=category, distance=0.4)
    (verdict,) = await OfflineJudge().judge(Statement(new, category=category), [known])
    return verdict.relation


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者在超商打工", "使用者換工作了"),
        ("使用者在銀行上班", "使用者離職了"),
        ("The user works at a bakery", "The user got a new job"),
        ("The user works for a bank", "The user quit their job"),
    ],
)
async def test_another_job_ends_the_one_before(old: str, new: str) -> None:
    assert await relation(old, new) is Relation.CONTRADICT


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者住在台中", "使用者換工作了"),
        ("使用者的媽媽在銀行上班", "使用者換工作了"),
        ("使用者在銀行上班", "使用者打算換工作"),
    ],
)
async def test_another_job_ends_nothing_else(old: str, new: str) -> None:
    assert await relation(old, new) is Relation.DIFFERENT


async def test_being_well_again_ends_the_illness() -> None:
    assert await relation("使用者感冒了", "使用者感冒好了", Category.OTHER) is Relation.CONTRADICT
    assert await relation("使用者喜歡吃冰", "使用者感冒好了", Category.OTHER) is Relation.DIFFERENT


async def test_a_plan_after_one_that_was_called_off_is_another_plan() -> None:
    assert await relation("使用者展覽取消了", "使用者要去看展覽", Category.SCHEDULE) is Relation.DIFFERENT
