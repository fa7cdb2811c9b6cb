"""The structure of a fact sentence: whose it is, which slot it fills, what it says, when."""

from __future__ import annotations

from memory.model import Category
from memory.statements.lexicon import lexicon
from memory.statements.multi import event_slot, kind_of_pet
from memory.statements.parse import parse_statement
from memory.statements.person import split_subject, subject_key, third_person
from memory.statements.slots import SINGLE_VALUED, is_single_valued, same_slot_value
from memory.statements.structure import Aspect, ParsedStatement, Quantity

__all__ = [
    "SINGLE_VALUED",
    "Aspect",
    "ParsedStatement",
    "Quantity",
    "attribute_of",
    "is_single_valued",
    "parse_statement",
    "same_value",
    "subject_key",
]


def attribute_of(text: str, category: Category | None = None) -> str | None:
    """Return the normalised slot a sentence fills (``name``, ``home``, ``food:香菜``), or None.

    Keys are folded and per subject. A wish, a hypothesis or a closed time of life
    (大學時住台中) fills no slot. ``category`` SCHEDULE looks for ``event:<topic>`` only.
    """
    if category is Category.SCHEDULE:
        slot = event_slot(split_subject(third_person(text))[1])
        return slot.attribute if slot else None
    parsed = parse_statement(text)
    known = lexicon().concept(parsed.subject)
    if known and known[0] == "animal":
        return f"pet:{kind_of_pet(parsed.subject)}"
    return parsed.slot


def same_value(attribute: str, a_text: str, b_text: str) -> bool | None:
    """Whether two sentences give the slot the same value; None where that can't be told.

    ``a_text`` is the known one: True also where ``b_text`` says no more than it does.
    """
    a, b = parse_statement(a_text), parse_statement(b_text)
    if a.slot != attribute or b.slot != attribute or a.value is None or b.value is None:
        return None
    return same_slot_value(attribute, a.value, b.value)
