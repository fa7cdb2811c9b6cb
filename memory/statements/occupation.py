"""Job and school: slots whose value is a known word or the phrase itself."""

from __future__ import annotations

import re

from memory.statements.lexicon import lexicon
from memory.statements.slots import Slot

_NONE = re.compile(
    r"(?:没有?|没在|还没找到|找不到)(?:正职|正式)?工作|失业|待业|无业|被(?:裁员|资遣|解雇)|\bunemployed\b|\bjobless\b|\bout of work\b|\bdoes not have a job\b|\blaid off\b|無職"
)
_RETIRED = re.compile(r"退休了|已经退休|退休在家|^退休|\b(?:is|has) retired\b")
_WORK = re.compile(
    r"(?:当|担任|做|从事|职业是|工作是|职称是|转行(?:去|做|当|成)?|转职(?:去|做|当|成)?|改行(?:去|做|当)?|改当|成为)了?(?P<v>[^,，。]{1,16})"
    r"|^(?:现在|目前|其实|已经)*是(?:一?[个名位])?(?P<w>[^,，。]{1,20})$"
    r"|在(?P<u>[^,，。]{1,16}?)(?P<t>教书|教[^会书]{1,4}|上班|工作|任职|服务|教学)"
    r"|\b(?:works? as|working as|job is|is now|is|became|employed as) (?:an? |the )?(?P<x>[a-z \-]{2,40})"
)
_SCHOOL = re.compile(
    r"(?:就读(?:于)?|念|读|考上|录取|转学到|转到|在|学校是)了?(?P<v>[^\s,，。在念读]{1,8}?(?:大学|高中|国中|小学|国小|中学|学院|高职|台大|清大|交大|成大|政大|师大|北大|中大))"
    r"|(?:就读(?:于)?|念|读|考上|录取)(?P<w>[台清交成政师北中][大])"
    r"|\b(?:studies at|goes to|attends|enrolled (?:at|in)|student at|transferred to) (?P<x>(?:the )?[a-z ]*(?:university|college|school|mit|ucla|nyu)[a-z ]*)"
)
_NOT_NOW = re.compile(
    r"想|以后|打算|梦想|将来|希望|未来|准备|考虑|毕业|\bwants? to\b|\bplans?\b|\bdreams?\b|\bhopes?\b|\bgraduat"
)


def job_of(said: str) -> Slot | None:
    """Return the job slot of the words after the subject, if they surely tell one."""
    if _NONE.search(said):
        return Slot("job", "none")
    if _RETIRED.search(said):
        return Slot("job", "retired")
    if _NOT_NOW.search(said):
        return None
    for match in _WORK.finditer(said):
        groups = match.groupdict()
        phrase = next((g for g in (groups["v"], groups["w"], groups["x"]) if g), None)
        if phrase is None:
            phrase = f"{groups['u']} {groups['t']}"
        jobs = [t.key for t in lexicon().tokens(phrase) if t.kind == "job" and t.key]
        if jobs:
            return Slot("job", jobs[-1])
    return None


def school_of(said: str) -> Slot | None:
    """Return the school slot, if a school is named as the present one."""
    if _NOT_NOW.search(said):
        return None
    match = _SCHOOL.search(said)
    value = next((g for g in match.groups() if g), None) if match else None
    return Slot("school", value.strip()) if value and len(value) > 1 else None
