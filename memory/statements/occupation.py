"""Job and school: slots whose value is a known word or the phrase itself."""

from __future__ import annotations

import re

from memory.statements.lexicon import lexicon
from memory.statements.patterns import patterns, search
from memory.statements.slots import Slot

_TEACHER = "老师"
# What may follow the word for it to be one's own job: not 「医生的女儿」.
_AFTER_JOB = re.compile(r"(?:了|\d|已|多年|很久|的?$| (?:at|for|in|with|and|who|now|since)\b)")
_MEMBERS = ("会员", "成员", "学员", "球员", "队员")
_FILE = "phrases.yaml"


def job_of(said: str) -> Slot | None:
    """Return the job slot of the words after the subject, if they surely tell one."""
    if search(_FILE, "none_job", said):
        return Slot("job", "none")
    if search(_FILE, "retired", said):
        return Slot("job", "retired")
    if search(_FILE, "not_now", said):
        return None
    for expression in patterns(_FILE)["job"]:
        for match in expression.finditer(said):
            if said[: match.start()].endswith(("不", "不是", "没", "没有", "not ")):
                continue
            if (job := _named_job(match["v"])) is not None:
                return Slot("job", job)
    if search(_FILE, "teaching", said):
        return Slot("job", _TEACHER)
    title = search(_FILE, "job_title", said)
    return Slot("job", title["v"]) if title and not title["v"].endswith(_MEMBERS) else None


def _named_job(phrase: str) -> str | None:
    jobs = [t for t in lexicon().tokens(phrase) if t.kind == "job" and t.key]
    if not jobs or not _AFTER_JOB.match(phrase[jobs[-1].end :]):
        return None
    return jobs[-1].key


def school_of(said: str) -> Slot | None:
    """Return the school slot, if a school is named as the present one."""
    if search(_FILE, "not_now", said):
        return None
    match = search(_FILE, "school", said)
    value = match["v"].strip() if match else ""
    known = lexicon().concept(value)
    if known and known[0] == "school":
        return Slot("school", known[1])
    return Slot("school", value) if len(value) > 2 or (value.endswith("大") and len(value) == 2) else None
