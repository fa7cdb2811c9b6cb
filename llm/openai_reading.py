"""What an OpenAI-compatible server answered. The library checks no types: nothing is taken on trust."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from llm.errors import ModelBlocked, ModelDown, ModelEmpty, ModelMalformed, ModelTruncated
from llm.openai_errors import not_json
from llm.structured import Said, without_thoughts
from llm.usage import Tokens


def tokens(response: Any) -> Tokens:
    """Return the tokens a response says it cost."""
    usage = getattr(response, "usage", None)
    spent = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    return Tokens(*(count if isinstance(count, int) else None for count in spent))


def check_envelope(response: Any) -> None:
    """Refuse what the library hands on unread: text instead of JSON, nothing, an error in a 200."""
    if response is None or isinstance(response, str):
        raise not_json(response or "")
    if not isinstance(response, BaseModel):
        raise ModelMalformed("the model server's response is no JSON object")
    if (response.model_extra or {}).get("error"):
        raise ModelDown("the model server reports an error inside a successful response")


def said(response: Any) -> Said:
    """Return what was said, or tell apart the ways of saying nothing."""
    check_envelope(response)
    choices = response.choices if isinstance(response.choices, list) else []
    if not choices:
        raise ModelEmpty("the model server gave no choice")
    message = getattr(choices[0], "message", None)
    finish = getattr(choices[0], "finish_reason", None)
    if finish == "content_filter" or getattr(message, "refusal", None):
        raise ModelBlocked("the model server blocked the answer")
    content = getattr(message, "content", None)
    if content is not None and not isinstance(content, str):
        raise ModelMalformed("the model server's answer is no text")
    text = without_thoughts(content or "")
    cut = finish == "length"
    if text:
        return Said(text, cut)
    if cut:
        raise ModelTruncated("the model used up its tokens before it said anything")
    raise ModelEmpty("the model server's answer holds no text")
