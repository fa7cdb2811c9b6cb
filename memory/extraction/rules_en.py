"""The rules for English."""

from __future__ import annotations

from memory.extraction.changes import change_of
from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft
from memory.extraction.lexicon import found, pattern
from memory.extraction.lexicon_events import topics_in
from memory.extraction.put_right import changed_it
from memory.extraction.tables import rules, word
from memory.extraction.types import Change
from memory.extraction.unnamed import how_it_went
from memory.grounding.types import Direction, TimeExpression
from memory.model import USER_SUBJECT, Category, Precision
from memory.shift import shift_in


def english(clause: Clause, times: tuple[TimeExpression, ...]) -> list[Draft]:
    """Find the facts of an English clause; at most one."""
    start = pattern(word("filler_en")).match(clause.folded)
    offset = start.end() if start else 0
    words, typed = clause.folded[offset:].replace("’", "'"), clause.text[offset:].replace("’", "'")
    tail = pattern(r"(?:,? (?:tbh|lol|haha|honestly|though|tho|btw|ngl|imo|lmao))+[.!]*$").search(words)
    if tail is not None:
        words, typed = words[: tail.start()], typed[: tail.start()]
    if found("screens", "bot_en", words) and not pattern(r"^(?:you can )?call me\b").search(words):
        return []
    inside = tuple(t for t in times if t.span[0] >= clause.start and t.span[1] <= clause.end)
    when = inside[-1].phrase if inside else None
    bare, bare_typed = _undated(words, typed, inside)
    event = _event(clause, bare, bare_typed, words, inside, when)
    if event:
        return event
    died = pattern(
        r"^(?P<who>[a-z]{2,12}) (?:just |has |sadly )*(?:passed away|died|was put (?:down|to sleep))"
    ).match(bare)
    if died and bare_typed[:1].isupper() and not found("words", "nobody_en", died["who"]):
        who = bare_typed[: died.end("who")]
        return [
            Draft(
                f"The user's {bare_typed.strip(' .!')}", clause.text, Category.IDENTITY,
                subject=who, when_text=when, painful=True,
            )
        ]  # fmt: skip
    shape = pattern(rf"^my (?P<kin>{word('kin_en')})(?=[ '])(?P<rest>.*)$")
    kin = shape.match(words)
    if kin is not None and pattern(r"passed away|died|put (?:down|to sleep)").search(words):
        kin, typed = shape.match(bare) or kin, bare_typed  # a day of death is no part of the sentence
    if kin is not None and not kin["rest"].startswith(" and i "):
        subject = kin["kin"]
        for rule in rules("rules_en_kin"):
            match = pattern(rule.source).match(kin["rest"])
            if match and not (
                rule.attribute == "name" and (typed[kin.start("rest") + match.start("v") :][:1].islower())
            ):
                text = f"The user's {typed[3:]}"
                return [
                    Draft(
                        _tidy(text),
                        clause.text,
                        rule.category,
                        subject=subject,
                        attribute=f"{rule.attribute}:{subject}",
                        when_text=when,
                    )
                ]
        return []
    told = _taste_turned(clause, bare, bare_typed)
    if told:
        return told
    lead = _left_out(bare)
    forms = tuple(dict.fromkeys((words, bare, _as_one(bare), f"{lead}{bare}".lower())))
    if lead:
        words, typed = f"{lead}{words}".lower(), f"{lead}{typed}"
    for rule in rules("rules_en"):
        match = next((m for said in forms if (m := pattern(rule.source).match(said))), None)
        if match is None or (rule.unless and pattern(rule.unless).search(words)):
            continue
        value = next((g for g in match.groups() if g), None)
        attribute = rule.attribute
        if attribute == "ends_known":
            said = _sentence_of(match.string, typed, bare_typed, lead)
            return [
                Draft(
                    third_person_en(said), clause.text, rule.category, when_text=when,
                    ends_known=True,
                )
            ]  # fmt: skip
        if attribute in {"like", "allergy", "pet", "favourite"}:
            attribute = f"{attribute}:{(value or '').strip()}"
        return [
            Draft(third_person_en(typed), clause.text, rule.category, attribute=attribute, when_text=when)
        ]
    name = pattern(r"^i(?:'m| am) (?P<v>[a-z]{2,}(?: [a-z]{2,})?)$").match(words)
    if (
        name
        and typed[name.start("v") :][:1].isupper()
        and not (typed.isupper() or found("words", "no_name_en", name["v"]))
    ):
        return [
            Draft(
                f"The user's name is {typed[name.start('v') :].strip()}",
                clause.text,
                Category.NAME,
                attribute="name",
            )
        ]
    return []


def _sentence_of(matched: str, typed: str, bare_typed: str, lead: str) -> str:
    """Return the words as typed that a rule matched, without their date where it matched without."""
    return next((said for said in (typed, f"{lead}{bare_typed}") if said.lower() == matched), typed)


_ELIDED = (
    r"^(?:just |finally |recently |so )?(?:got|adopted|sold|quit|left|stopped|gave|lost|switched|started"
    r"|bought|broke up|split up)\b"
)


def _left_out(words: str) -> str:
    """Return the subject that a clause leaves out: sold the car, not vegan anymore."""
    if pattern(r"^(?:not|no longer) ").match(words) and pattern(r"any ?more$|^no longer").search(words):
        return "I'm "
    if pattern(r"^haven't ").match(words):
        return "I "
    return "I " if pattern(_ELIDED).match(words) else ""


_COOLED = (
    r"^(?:i(?:'m| am) )?(?:kinda |kind of |so |totally |pretty much |sort of )?over "
    r"(?P<v>(?!it|this|that|here|there)[^,]{3,25}?) now$"
)
_NOT_SO_BAD = (
    r"^(?P<v>(?!it|this|that|he|she|they|you|things)[a-z][a-z ]{2,20}?) (?P<be>is|are)(?:n't| not) "
    r"(?P<how>(?:that|so|as) (?:bad|scary|gross|awful|great|good)(?: any ?more| after all))$"
)


def _taste_turned(clause: Clause, words: str, typed: str) -> list[Draft]:
    """Find a taste that has cooled or warmed: kinda over jazz now, mushrooms aren't that bad anymore."""
    cooled, warmed = pattern(_COOLED).match(words), pattern(_NOT_SO_BAD).match(words)
    if cooled is not None:
        text = f"The user is over {typed[slice(*cooled.span('v'))]} now"
    elif warmed is not None:
        thing = typed[slice(*warmed.span("v"))].removeprefix("My ").removeprefix("my ")
        text = f"The user thinks {thing} {warmed['be']} not {warmed['how']}"
    else:
        return []
    return [Draft(text, clause.text, Category.PREFERENCE)]


def _as_one(words: str) -> str:
    """Read "we adopted…" like "I adopted…": the person is one of us."""
    return pattern(r"^we\b").sub("i", words)


def _undated(words: str, typed: str, times: tuple[TimeExpression, ...]) -> tuple[str, str]:
    for time in times:
        position = typed.find(time.phrase)
        if position >= 0:
            end = position + len(time.phrase)
            before = typed[:position].rstrip()
            cut = pattern(r"(?:^|\s)(?:on|at|in|by|for|to|until|till)$").search(before.lower())
            position = cut.start() if cut else position
            typed = f"{typed[:position].rstrip()} {typed[end:].lstrip()}".strip(" ,")
            words = typed.lower()
    return words, typed


def _event(
    clause: Clause,
    bare: str,
    bare_typed: str,
    words: str,
    times: tuple[TimeExpression, ...],
    when: str | None,
) -> list[Draft]:
    topics = topics_in(words)
    change = change_of(words, times)
    became = changed_it(bare) if change in {Change.MOVED, Change.CANCELLED} else None
    shift = shift_in(words) if change is Change.MOVED else None
    if shift is not None:  # a week later than it was to be, not than now
        when = None
    if became is not None and (change is Change.CANCELLED or when is not None or shift is not None):
        text = f"The user's plan was {became}"
        return [Draft(text, clause.text, Category.SCHEDULE, when_text=when, change=change)]
    starts = "i|we|my|the|our|got|finally|just|finished|passed|failed|aced" if topics else "i|we|my"
    if topics and change in {Change.MOVED, Change.CANCELLED}:
        starts += r"|they (?:\w+ )?(?:the|my|our)"  # they pushed the interview
        starts += r"|[a-z]+ (?:just |has )?(?:cancell?ed|called off|postponed) (?!his|her|their)"  # Amy did
    named = "|".join(topic.source for topic in topics)
    own = pattern(rf"^(?:{starts})\b" + (rf"|^(?:{named})" if named else "")).match(bare)
    if own is None or found("words", "lasting_en", words):
        return []
    if change is Change.NEW:
        ahead = any(t.direction is Direction.FUTURE for t in times)
        today = any(t.direction is Direction.PRESENT for t in times)
        planned = found("words", "plan_en", words) is not None and found("words", "trivial_en", words) is None
        if not (
            (planned and (ahead or (today and topics)))
            or (topics and pattern(r"\b(?:going to|planning|i have an?|i've got an?)\b").search(words))
        ):
            return []
    elif not topics:
        return []
    span = how_it_went(topics, words, "en") if change is Change.DONE else None
    days = [t.phrase for t in times if t.direction is Direction.FUTURE and t.precision is Precision.DAY]
    again = pattern(r"\s*,?\s*and(?: another(?: one)?)?$").search(bare)
    if again is not None:
        bare_typed = bare_typed[: again.start()]
    owned = pattern(r"^(?:my|the|our) (?P<what>.+?) (?:is|'s|will be)$").match(bare_typed.lower())
    if owned is not None and change is Change.NEW:
        thing = bare_typed[slice(*owned.span("what"))]
        bare_typed = f"I have {'an' if thing[:1].lower() in 'aeiou' else 'a'} {thing}"
    kin = pattern(rf"^my (?P<kin>{word('kin_en')})\b").match(words)
    return [
        Draft(
            third_person_en(bare_typed),
            clause.text,
            Category.SCHEDULE,
            subject=kin["kin"] if kin else USER_SUBJECT,
            attribute=f"event:{topics[0].key}" if topics else None,
            when_text=day,
            change=change,
            outcome=words[slice(*span)].strip(" ,.!") or None if span else None,
        )
        for day in (days if change is Change.NEW and len(days) > 1 and again else [when])
    ]


_FORMS = (
    (r"^i'm\b|^i am\b", "The user is"),
    (r"^i've got\b|^i have\b", "The user has"),
    (r"^i've\b", "The user has"),
    (r"^i'll\b|^i will\b", "The user will"),
    (r"^i'd\b", "The user would"),
    (r"^i was\b", "The user was"),
    (r"^i don't\b|^i do not\b", "The user does not"),
    (r"^(?:please |you can |just )?call me\b", "The user wants to be called"),
    (r"^everyone calls me\b", "Everyone calls the user"),
    (r"^my\b", "The user's"),
    (r"^we(?= (?:just )?(?:broke up|split up|separated|got divorced))", "The user"),
    (r"^i haven't\b", "The user has not"),
    (r"^we're\b|^we are\b", "The user and others are"),
    (r"^we\b", "The user and others"),
)


def third_person_en(typed: str) -> str:
    """Put an English clause into the third person, keeping its words."""
    words = typed.lower()
    for source, start in _FORMS:
        match = pattern(source).match(words)
        if match:
            return _tidy(start + typed[match.end() :])
    match = pattern(rf"^i\s+(?P<adv>{word('adverb_en')})(?P<verb>{word('base_verbs_en')})\b").match(words)
    if match:
        return _tidy(f"The user {match['adv']}{_singular(match['verb'])}{typed[match.end() :]}")
    match = pattern(r"^i\b").match(words)
    if match:
        return _tidy("The user" + typed[match.end() :])
    match = pattern(r"^(?:the|our)\s+").match(words)
    return _tidy(f"The user's {typed[match.end() :] if match else typed}")


def _singular(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "o", "x")) else "s")


def _tidy(text: str) -> str:
    out = pattern(r"\b[Mm]y\b").sub("their", text)
    out = pattern(r"\b[Mm]yself\b").sub("themselves", out)
    out = pattern(r"(?<!call)\b[Mm]e\b").sub("them", out)
    out = pattern(r"\bI'm\b").sub("they are", out)
    out = pattern(r"\bI\b").sub("they", out)
    return out.strip(" .,!~")
