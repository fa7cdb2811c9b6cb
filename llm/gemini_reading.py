"""What Gemini answered: the library raises nothing for a blocked, cut or empty answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llm.errors import ModelBlocked, ModelEmpty, ModelTruncated
from llm.gemini_errors import token
from llm.structured import Said
from llm.usage import Tokens

if TYPE_CHECKING:
    from google.genai import types

_BLOCKED = frozenset(
    {"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"}
)


def tokens(response: types.GenerateContentResponse) -> Tokens:
    """Return the tokens a response says it cost."""
    usage = response.usage_metadata
    if usage is None:
        return Tokens()
    spoken, thought = usage.candidates_token_count, usage.thoughts_token_count
    output = None if spoken is None and thought is None else (spoken or 0) + (thought or 0)
    return Tokens(usage.prompt_token_count, output)


def read_answer(response: types.GenerateContentResponse) -> Said:
    """Return what was said, or tell apart the ways of saying nothing."""
    feedback = response.prompt_feedback
    if feedback is not None and feedback.block_reason is not None:
        raise ModelBlocked(f"Gemini blocked the prompt ({token(feedback.block_reason.value)})")
    candidate = next(iter(response.candidates or []), None)
    if candidate is None:
        raise ModelEmpty("Gemini gave no candidate")
    finish = token(candidate.finish_reason.value) if candidate.finish_reason is not None else None
    if finish in _BLOCKED:
        raise ModelBlocked(f"Gemini blocked its answer ({finish})")
    parts = (candidate.content.parts if candidate.content is not None else None) or []
    text = "".join(part.text for part in parts if part.text and not part.thought).strip()
    cut = finish == "MAX_TOKENS"
    if text:
        return Said(text, cut)
    if cut:
        raise ModelTruncated("Gemini used up its tokens before it said anything")
    raise ModelEmpty(f"Gemini's answer holds no text ({finish or 'no reason given'})")
