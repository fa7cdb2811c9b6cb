"""Job and school: slots whose value is a known word or the phrase itself."""

from __future__ import annotations

from memory.statements.lexicon import lexicon
from memory.statements.patterns import patterns, search
from memory.statements.slots import Slot

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
            jobs = [t.key for t in lexicon().tokens(match["v"]) if t.kind == "job" and t.key]
            if jobs:
                return Slot("job", jobs[-1])
    title = search(_FILE, "job_title", said)
    return Slot("job", title["v"]) if title and not title["v"].endswith(_MEMBERS) else None


def school_of(said: str) -> Slot | None:
    """Return the school slot, if a school is named as the present one."""
    if search(_FILE, "not_now", said):
        return None
    match = search(_FILE, "school", said)
    value = match["v"].strip() if match else ""
    return Slot("school", value) if len(value) > 2 or (value.endswith("大") and len(value) == 2) else None
