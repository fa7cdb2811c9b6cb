"""A thing said first and a clause that says something of it: 街舞 我很久沒跳了, LOL 退坑了."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft
from memory.extraction.lexicon import folded_speech, pattern
from memory.extraction.rules_ended import ended
from memory.extraction.rules_tastes import tastes
from memory.extraction.view import look
from memory.grounding.types import TimeExpression
from memory.model import USER_SUBJECT

_LONGEST = 12
_MARKS = "。!?;\n…,，、！？；"
# What stands first and is no thing: a greeting, a reaction, an adverb.
_NO_TOPIC = (
    r"^(?:ok(?:ay)?|hi|hey|hello|yo|wow|omg|btw|haha\w*|真的|其實|對|嗯|欸|好|今天|昨天|然後|因為|所以|但是?|可是|不過)$"
    r"|[我你妳他她它牠的了嗎呢吧]"
)


def said_of_what_stands_first(
    text: str,
    clause: Clause,
    times: tuple[TimeExpression, ...],
    drafts: Sequence[Draft],
    read: Callable[[Clause, tuple[TimeExpression, ...]], list[Draft]] | None = None,
) -> list[Draft]:
    """Read a clause together with the bare thing before it, where by itself it says nothing.

    Only an end or a taste is read so: they need what they are about. ``read`` reads another grammar.
    """
    before = text[: clause.start].rstrip("、， ,")
    start = max((before.rfind(mark) for mark in _MARKS), default=-1) + 1
    topic = before[start:].strip()
    if not topic or len(topic) > _LONGEST or (drafts and topic in drafts[-1].quote):
        return []
    if pattern(_NO_TOPIC).search(folded_speech(topic)):
        return []
    start = text.index(topic, start)
    said = text[start : clause.end]
    joined = Clause(said, folded_speech(said), start, clause.end, clause.sentence, clause.asks)
    if read is not None:
        return read(joined, times)
    view = look(joined, times, USER_SUBJECT)
    if view.about_other or view.explicit:
        return []
    return ended(view) or tastes(view)
