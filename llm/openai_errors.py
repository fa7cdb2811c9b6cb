"""What the openai library raises, in the house's own words."""

from __future__ import annotations

import json
import re
from typing import Any

from llm.errors import (
    ModelBlocked,
    ModelDown,
    ModelEmpty,
    ModelError,
    ModelMalformed,
    ModelMisconfigured,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
)

_CODE = re.compile(r"[a-z][a-z0-9_]{1,60}")
_SECONDS = re.compile(r"\d+(?:\.\d+)?")

_FORMAT_WORDS = ("response_format", "json_object", "schema", "grammar")

_HINTS = {
    400: "check the model's name and its options",
    401: "check OPENAI_API_KEY",
    402: "the account has no credit left",
    403: "the key may not use this model",
    404: "no such model or path: check the names in models and OPENAI_BASE_URL",
    422: "the server doesn't know an option of the request",
}


_ADMINS = frozenset((401, 402, 403, 404))
"""What stays wrong whatever is asked: the key, its rights, the credit, the model's name."""


def translate(error: Exception) -> ModelError:
    """Return the :class:`ModelError` for an exception of the library, its transport or JSON.

    Only codes get into the message: a provider's own text may quote the key or the prompt.
    """
    import httpx2
    import openai

    if isinstance(error, ModelError):
        return error
    if isinstance(error, openai.APITimeoutError | TimeoutError | httpx2.TimeoutException):
        return ModelTimeout("the model server did not answer in time")
    if isinstance(error, openai.APIStatusError):
        return _from_status(error)
    if isinstance(error, openai.APIConnectionError | httpx2.HTTPError | OSError):
        return ModelDown(f"the model server can't be reached ({type(error).__name__})")
    if isinstance(error, json.JSONDecodeError):
        return not_json(error.doc)
    if isinstance(error, openai.OpenAIError):
        return ModelRefused(f"the openai library refused the request ({type(error).__name__})")
    return ModelMalformed(f"the model server's response can't be read ({type(error).__name__})")


def not_json(body: str) -> ModelError:
    """Return what a successful response without JSON means."""
    text = body.strip()
    if not text:
        return ModelEmpty("the model server's response is empty")
    if text.startswith("<"):
        return ModelDown("a web page answered in the model server's place: a proxy, or a wrong base URL")
    return ModelMalformed("the model server's response is no JSON")


def mentions_response_format(error: Exception) -> bool:
    """Tell whether a server refused the request for the structured answer it was asked for.

    Servers word it as they like (``response_format.type must be ...``, a grammar that can't be
    built from the schema); a 400 or 422 that speaks of either is taken so.
    """
    import openai

    if not isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError):
        return False
    text = f"{error.message} {error.param} {error.body}".lower()
    return any(
        word in text for word in ("response_format", "json_schema", "json_object", "schema", "grammar")
    )


def _from_status(error: Any) -> ModelError:
    status: int = error.status_code
    code = next((word for word in (_code(error.code), _code(error.type)) if word), None)
    label = f"the model server: {status}" + (f" {code}" if code else "")
    if status >= 500:
        return ModelDown(label)
    if status == 429:
        return ModelRateLimited(label, _retry_after(error.response.headers))
    if status == 408:
        return ModelTimeout(label)
    if code == "content_filter":
        return ModelBlocked(label)
    hint = _HINTS.get(status)
    kind = ModelMisconfigured if status in _ADMINS else ModelRefused
    return kind(f"{label}: {hint}" if hint else label)


def _code(value: Any) -> str | None:
    return value if isinstance(value, str) and _CODE.fullmatch(value) else None


def _retry_after(headers: Any) -> float | None:
    """Return the wait the server asks for, in seconds; a date there is not read."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        if _SECONDS.fullmatch(value):
            return float(value) * unit
    return None
