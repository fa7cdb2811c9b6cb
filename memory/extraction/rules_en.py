"""The rules for English."""

from __future__ import annotations

from dataclasses import dataclass

from memory.extraction.changes import change_of
from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft
from memory.extraction.lexicon import pattern
from memory.extraction.lexicon_events import outcome_span, topics_in
from memory.extraction.lexicon_screens import BOT_EN
from memory.extraction.types import Change
from memory.grounding.types import Direction, TimeExpression
from memory.model import USER_SUBJECT, Category

_KIN = (
    r"mom|mum|mother|dad|father|parents|brother|sister|son|daughter|wife|husband|boyfriend|girlfriend|partner|fiance?e?|roommate|flatmate|best friend|friend|"
    r"boss|coworker|colleague|grandma|grandmother|grandpa|grandfather|aunt|uncle|cousin|teacher|kid|kids|baby|dog|cat|puppy|kitten|rabbit|hamster|parrot|ex"
)
_FILLER = r"^(?:(?:well|so|and|but|also|oh|hey|hi|hello|actually|honestly|btw|by the way|anyway|because|then|today|yeah|yes|no|ok|okay|finally|lily|guess what|fyi|just so you know|remember(?: that)?|remind me that|i think|you know)[,\s]+)*"
_ADVERB = r"(?:(?:really|absolutely|totally|kind of|kinda|still|also|just|always|actually|only|never|usually|often|recently|finally|definitely|can't help but|used to)\s+)*"


@dataclass(frozen=True, slots=True)
class _Rule:
    source: str
    category: Category
    attribute: str | None
    unless: str | None = None


_OBJ = r"(?P<v>[^,.!?]{2,50})$"
_RULES: tuple[_Rule, ...] = (
    _Rule(
        r"^my (?:full |real |first )?name(?: is|'s) (?P<v>[a-z][\w' -]{0,30})$|^i(?:'m| am) called (?P<w>[a-z][\w' -]{0,30})$",
        Category.NAME,
        "name",
    ),
    _Rule(
        r"^(?:please |you can |just |everyone )?calls? me (?P<v>[a-z][\w'-]{1,20})(?: please)?$",
        Category.NAME,
        "nickname",
        r"call me (?:back|later|when|crazy|maybe|an?\b|if|tomorrow|tonight)",
    ),
    _Rule(
        r"^my birthday(?: is|'s) (?:on )?(?P<v>.*(?:\d|january|february|march|april|may|june|july|august|september|october|november|december).*)$|^i was born (?:on|in \d).*$",
        Category.IDENTITY,
        "birthday",
    ),
    _Rule(
        r"^(?:i(?:'m| am)|i(?:'ve)? just turned|i turned) (?P<v>\d{1,3})(?: years old| yo)?(?: now)?$",
        Category.IDENTITY,
        "age",
    ),
    _Rule(
        r"^i(?:'m| am) (?:an? )?(?P<v>aries|taurus|gemini|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces)$",
        Category.IDENTITY,
        "zodiac",
    ),
    _Rule(r"^my blood type(?: is|'s) .+$", Category.IDENTITY, "blood_type"),
    _Rule(
        r"^my pronouns are .+$|^i use (?:she|he|they)(?:/\w+)?(?: pronouns)?$", Category.IDENTITY, "pronouns"
    ),
    _Rule(
        r"^i(?: just|'ve just|'ve| have)? moved (?:back )?to (?P<v>.+)$|^i(?:'m| am)? ?(?:now |currently )?liv(?:e|ing) (?:in|at|near|with) .+$|^i(?:'m| am) based in .+$",
        Category.IDENTITY,
        "home",
    ),
    _Rule(
        r"^i(?:'m| am) (?:originally )?from .+$|^i grew up in .+$|^my hometown(?: is|'s) .+$|^i was born in [a-z].+$",
        Category.IDENTITY,
        "hometown",
        r"from (?:work|school|the gym)",
    ),
    _Rule(
        r"^i work (?:at|for|as|in) .+$|^i(?:'m| am) (?:an? |now an? |currently an? )(?:\w+ ){0,3}(?:engineer|teacher|nurse|doctor|designer|developer|lawyer|accountant|writer|chef|manager|researcher|programmer|barista|driver|artist|journalist|analyst|consultant|freelancer|waiter|waitress|scientist|editor|cashier|therapist|electrician|plumber|vet|paramedic|pharmacist|carpenter|mechanic|librarian|translator|photographer|dentist)(?: (?:at|in|for|with) .+)?$|^my job(?: is|'s) .+$|^i (?:just |recently )?(?:quit|lost|changed|left) (?:my )?jobs?$|^i (?:just )?(?:got|started) (?:a|my) new job(?: (?:at|as) .+)?$|^i (?:just )?(?:got|was) (?:laid off|fired|promoted)(?: .*)?$|^i(?:'m| am) (?:unemployed|retired|self-employed)$",
        Category.IDENTITY,
        "job",
    ),
    _Rule(
        r"^i (?:study|go to|attend|major in|graduated from) .+$|^i(?:'m| am) (?:studying|majoring in) .+$|^my major(?: is|'s) .+$|^i(?:'m| am) an? (?:\w+ ){0,3}(?:student|freshman|sophomore|junior|senior)(?: (?:at|in) .+)?$",
        Category.IDENTITY,
        "school",
        r"go to (?:bed|sleep|work|the)",
    ),
    _Rule(
        r"^i(?:'m| am) (?:very |really |super |severely |deathly )?allergic to (?P<v>.+)$|^i have an? (?P<w>[\w ]+) allergy$",
        Category.IDENTITY,
        "allergy",
    ),
    _Rule(
        r"^i(?:'ve)? (?:just )?(?:have|own|got|adopted|have got) (?:an? |two |three |\d+ |my )(?:\w+ ){0,3}(?P<v>dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|hamsters?|parrots?|birds?|fish|turtles?|snakes?|lizards?)(?: (?:named|called|and|who|that) .+)?$",
        Category.IDENTITY,
        "pet",
        r"allergy",
    ),
    _Rule(
        r"^i have (?:an? |one |two |three |no |\d |an older |a younger )(?:\w+ )?(?:brothers?|sisters?|sons?|daughters?|kids?|children|siblings?)(?: .*)?$|^i(?:'m| am) (?:an only child|the (?:oldest|youngest))$",
        Category.IDENTITY,
        "family",
    ),
    _Rule(
        r"^i(?:'m| am| got| just got) (?:single|married|engaged|divorced|pregnant)(?: .*)?$|^i have a (?:boyfriend|girlfriend)$|^(?:i|we|my (?:boyfriend|girlfriend) and i) (?:just )?broke up(?: .*)?$|^i broke up with .+$",
        Category.IDENTITY,
        "relationship",
    ),
    _Rule(r"^i(?:'m| am) (?:an? )?(?:vegan|vegetarian|left-handed)$", Category.PREFERENCE, "diet"),
    _Rule(
        r"^my (?:hobby|hobbies)(?: is| are|'s) .+$|^i(?:'m| am) learning (?:to |how to )?.+$|^i(?:'ve| have) been learning .+$|^i(?:'ve been|'m| am) into .+$|^i (?:play|practice) (?:the )?(?:guitar|piano|violin|drums|bass|tennis|basketball|football|soccer|badminton|chess|volleyball|ukulele)(?: .*)?$|^i can (?:play|speak|cook|swim|drive|draw|sing|dance|code) ?.*$",
        Category.HOBBY,
        None,
    ),
    _Rule(
        r"^i (?:usually|always|often|never|normally|typically) .{4,}$|^(?:every (?:day|morning|night|evening|week|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday),? )i .+$|^i .{3,}\b(?:every (?:day|morning|night|evening|week|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|twice a week|once a week)$|^i(?:'ve)? (?:quit|stopped|gave up) (?:smoking|drinking|coffee|sugar).*$",
        Category.HABIT,
        None,
        r"\b(?:feel|felt|forget|knew|thought|wanted|loved|hated)\b",
    ),
    _Rule(
        rf"^i(?:'m| am)? ?{_ADVERB}(?:love|like|enjoy|adore|prefer|hate|dislike|despise|can't stand|cannot stand|can't eat|don't (?:really )?(?:like|eat|drink)|do not like|don't really like|no longer like|stopped liking|fell in love with|(?:a )?(?:big |huge )?fan of|(?:really )?afraid of|scared of|terrified of|obsessed with|tired of|sick of|into) {_OBJ}",
        Category.PREFERENCE,
        "like",
        r"\b(?:would|to (?:meet|hear|see|know|thank|say))\b|(?:like|love|hate) (?:it|this|that|him|her|them|you|to)$",
    ),
    _Rule(r"^my favou?rite (?P<w>[\w ]{2,20}?)(?: is| are|'s) (?P<v>.+)$", Category.PREFERENCE, "favourite"),
    _Rule(
        r"^i (?:want|hope|dream of|wish) (?:to )?(?:one day |someday )?(?:learn|become|be|visit|travel|adopt|move|study|start|write|open|buy|own|live)\b.*$|^my dream is .+$",
        Category.OTHER,
        None,
        r"be (?:left|alone|honest)",
    ),
    _Rule(
        r"^i(?: just)? bought (?:an? )(?:new )?(?:car|phone|laptop|bike|house|camera|guitar).*$|^i(?:'m| am) (?:sick|in (?:the )?hospital|being bullied|depressed)$|^i (?:have|was diagnosed with) (?:depression|diabetes|anxiety|adhd|asthma|cancer|migraines).*$|^i broke my (?:arm|leg|ankle|wrist).*$",
        Category.OTHER,
        None,
    ),
)
_KIN_RULES: tuple[_Rule, ...] = (
    _Rule(r"^(?:'s name)?(?: is|'s)?(?: named| called)? (?P<v>[a-z][\w'-]+)$", Category.IDENTITY, "name"),
    _Rule(
        r"^ (?:(?:is|'s)? ?(?:an? |now an? )?.*(?:engineer|teacher|nurse|doctor|designer|lawyer|chef|years old|pregnant|sick|allergic to .+|in (?:the )?hospital|getting (?:married|surgery)|student)|lives? in .+|works? (?:at|for|as|in) .+|(?:really |absolutely )?(?:loves?|hates?|likes?) .+|(?:just |recently )?(?:passed away|died)(?: .*)?|has .+|moved to .+)$",
        Category.IDENTITY,
        "family",
    ),
    _Rule(
        r"^(?:'s birthday is .*\d.*|'s birthday is .*(?:january|february|march|april|may|june|july|august|september|october|november|december).*)$",
        Category.IDENTITY,
        "birthday",
    ),
)
_PLAN = r"\b(?:have|got|'ve got|going|will|'ll|planning|plan|meeting|seeing|taking|leaving|flying|starting|getting|having|visiting|is|are|need to|have to|gonna|moving|booked|signed up)\b"
_TRIVIAL = r"\b(?:sleep|go to bed|shower|talk to you|see you|be back|nap|eat dinner|eat lunch|wake up|work tomorrow|chat)\b"


def english(clause: Clause, times: tuple[TimeExpression, ...]) -> list[Draft]:
    """Find the facts of an English clause; at most one."""
    start = pattern(_FILLER).match(clause.folded)
    offset = start.end() if start else 0
    words, typed = clause.folded[offset:].replace("’", "'"), clause.text[offset:].replace("’", "'")
    if pattern(BOT_EN).search(words) and not pattern(r"^(?:you can )?call me\b").search(words):
        return []
    inside = tuple(t for t in times if t.span[0] >= clause.start and t.span[1] <= clause.end)
    when = inside[-1].phrase if inside else None
    bare, bare_typed = _undated(words, typed, inside)
    event = _event(clause, bare, bare_typed, words, inside, when)
    if event:
        return event
    kin = pattern(rf"^my (?P<kin>{_KIN})(?=[ '])(?P<rest>.*)$").match(words)
    if kin is not None:
        subject = kin["kin"]
        for rule in _KIN_RULES:
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
    for rule in _RULES:
        match = next(
            (m for said in (words, bare, _as_one(bare)) if (m := pattern(rule.source).match(said))), None
        )
        if match is None or (rule.unless and pattern(rule.unless).search(words)):
            continue
        value = next((g for g in match.groups() if g), None)
        attribute = rule.attribute
        if attribute in {"like", "allergy", "pet", "favourite"}:
            attribute = f"{attribute}:{(value or '').strip()}"
        return [
            Draft(third_person_en(typed), clause.text, rule.category, attribute=attribute, when_text=when)
        ]
    name = pattern(r"^i(?:'m| am) (?P<v>[a-z]{2,}(?: [a-z]{2,})?)$").match(words)
    if name and typed[name.start("v") :][:1].isupper() and not typed.isupper():
        return [
            Draft(
                f"The user's name is {typed[name.start('v') :].strip()}",
                clause.text,
                Category.NAME,
                attribute="name",
            )
        ]
    return []


def _as_one(words: str) -> str:
    """Read "we adopted…" like "I adopted…": the person is one of us."""
    return pattern(r"^we\b").sub("i", words)


def _undated(words: str, typed: str, times: tuple[TimeExpression, ...]) -> tuple[str, str]:
    for time in times:
        position = typed.find(time.phrase)
        if position >= 0:
            end = position + len(time.phrase)
            before = typed[:position].rstrip()
            cut = pattern(r"(?:^|\s)(?:on|at|in|by|for)$").search(before.lower())
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
    own = pattern(
        rf"^(?:i\b|we\b|my\b|the\b|our\b|got\b|finally\b|just\b|(?:{'|'.join(t.source for t in topics)})\b)"
        if topics
        else r"^(?:i\b|we\b|my\b)"
    ).match(bare)
    if own is None or pattern(
        r"\bevery (?:day|week|morning|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|\bbirthday is\b"
    ).search(words):
        return []
    if change is Change.NEW:
        ahead = any(t.direction is Direction.FUTURE for t in times)
        today = any(t.direction is Direction.PRESENT for t in times)
        planned = pattern(_PLAN).search(words) is not None and pattern(_TRIVIAL).search(words) is None
        if not (
            (planned and (ahead or (today and topics)))
            or (topics and pattern(r"\b(?:going to|planning|i have an?|i've got an?)\b").search(words))
        ):
            return []
    elif not topics:
        return []
    span = outcome_span(words) if change is Change.DONE else None
    kin = pattern(rf"^my (?P<kin>{_KIN})\b").match(words)
    return [
        Draft(
            third_person_en(bare_typed),
            clause.text,
            Category.SCHEDULE,
            subject=kin["kin"] if kin else USER_SUBJECT,
            attribute=f"event:{topics[0].key}" if topics else None,
            when_text=when,
            change=change,
            outcome=words[slice(*span)] if span else None,
        )
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
    (r"^we're\b|^we are\b", "The user and others are"),
    (r"^we\b", "The user and others"),
)
_BASE = "love|like|enjoy|adore|prefer|hate|dislike|despise|live|work|go|study|attend|major|play|practice|use|own|want|hope|wish|dream|drink|eat|run|walk|read|write|cook|need|drive|speak|plan|wake|get|sleep|take|swim|bike|meditate|exercise|jog|visit|watch|smoke"


def third_person_en(typed: str) -> str:
    """Put an English clause into the third person, keeping its words."""
    words = typed.lower()
    for source, start in _FORMS:
        match = pattern(source).match(words)
        if match:
            return _tidy(start + typed[match.end() :])
    match = pattern(rf"^i\s+(?P<adv>{_ADVERB})(?P<verb>{_BASE})\b").match(words)
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
