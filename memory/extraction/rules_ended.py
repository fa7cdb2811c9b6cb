"""What somebody did again and again and does no more, in Chinese: 我不上瑜珈課了."""

from __future__ import annotations

from memory.extraction.draft import Draft
from memory.extraction.lexicon import found, pattern
from memory.extraction.view import View, third_person
from memory.model import Category


def ended(view: View) -> list[Draft]:
    """Find a habit or a class that is given up; for a day named in the clause it is only left out once."""
    words = view.bare_folded
    if view.times or pattern(r"[你妳]").search(view.folded) or not found("ended", "stopped", words):
        return []
    return [Draft(f"{view.label}{third_person(view.bare)}", view.quote, Category.HABIT, subject=view.subject)]
