"""No longer, as the answer to whether something is still so: 「日文還有在學嗎？」「早就放棄了」."""

from __future__ import annotations

from memory.extraction.draft import Draft
from memory.extraction.lexicon import found, pattern
from memory.extraction.screens import speech_of
from memory.extraction.tables import expression, word
from memory.extraction.view import USER_ZH, trim_tone
from memory.model import Category
from memory.text import fold_same_length

_LONGEST = 40
_MARKS = "。.!！~～"


def no_longer(text: str, her_turn: str | None) -> list[Draft]:
    """Read a short message that denies what she asked to be still so; nothing for any other.

    What it is about stands in her question alone, so it is kept only where it ends something known.
    """
    said = text.strip()
    asked = fold_same_length(her_turn or "")
    answer = fold_same_length(said.rstrip(_MARKS)).replace("’", "'")
    speech = speech_of(asked)
    if not said or not asked.strip() or len(said) > _LONGEST or "?" in answer:
        return []
    if not found("still", f"over_{speech}", answer) or found("still", f"goes_on_{speech}", answer):
        return []
    questions = [part for part in pattern(r"[。!\n]|(?<=\?)|\.(?=\s|$)").split(asked) if part.strip()]
    match = pattern(expression("still", f"asks_{speech}")).search(questions[-1]) if questions else None
    if match is None:
        return []
    at = asked.rindex(questions[-1])
    words = {
        name: trim_tone((her_turn or "")[at + match.start(name) : at + match.end(name)])
        for name in ("topic", "act")
        if match.groupdict().get(name)
    }
    topic, act = words.get("topic", ""), words.get("act", "")
    if not act:
        return []
    if speech == "en":
        sentence = f"The user does not {act} anymore"
    elif speech == "ja":
        sentence = f"ユーザーはもう{topic}{act}ていない"
    else:
        sentence = f"{USER_ZH}{topic}{'沒在' if match['at'] else '沒'}{act}了"
    kept = pattern(word("animals")).search(fold_same_length(act)) is not None
    return [Draft(sentence, said, Category.IDENTITY if kept else Category.HABIT, ends_known=True)]
