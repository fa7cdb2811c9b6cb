"""What google-genai raises, in the house's own words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from llm.errors import (
    ModelDown,
    ModelEmpty,
    ModelError,
    ModelMalformed,
    ModelMisconfigured,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
)

_TOKEN = re.compile(r"[A-Z][A-Z0-9_]{1,60}")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)s")

_HINTS = {
    "API_KEY_INVALID": "check GEMINI_API_KEY",
    400: "check the key, the model's name and its options",
    401: "check GEMINI_API_KEY",
    403: "the key may not use this model or API",
    404: "no such model at this API version: check the names in models",
}


_ADMINS = frozenset((401, 402, 403, 404))
"""What stays wrong whatever is asked: the key, its rights, the credit, the model's name."""


def translate(error: Exception) -> ModelError:
    """Return the :class:`ModelError` for an exception of the SDK, of aiohttp or of JSON.

    Only codes get into the message: a provider's own text may quote the prompt.
    """
    import aiohttp
    from google.genai import errors
    from pydantic import ValidationError

    if isinstance(error, ModelError):
        return error
    if isinstance(error, errors.APIError):
        return _from_status(error.code, error)
    if isinstance(error, TimeoutError):
        return ModelTimeout("Gemini did not answer in time")
    if isinstance(error, aiohttp.ClientPayloadError):
        return ModelDown("the connection to Gemini was cut")
    if isinstance(error, aiohttp.ClientError | OSError):
        return ModelDown(f"Gemini can't be reached ({type(error).__name__})")
    if isinstance(error, json.JSONDecodeError):
        if error.doc.lstrip().startswith("<"):
            return ModelDown("a web page answered in Gemini's place: a proxy, or a wrong base URL")
        return ModelMalformed("Gemini's response is no JSON")
    if isinstance(error, ValidationError | errors.UnknownApiResponseError):
        return ModelMalformed(f"Gemini's response has an unknown form ({type(error).__name__})")
    if isinstance(error, ValueError):
        return ModelRefused("google-genai refused the request itself: check the options in models")
    return ModelMalformed(f"Gemini's response can't be read ({type(error).__name__})")


def _from_status(code: int | None, error: Any) -> ModelError:
    details = _details(error.details)
    reason = next((token(item.get("reason")) for item in details if "reason" in item), None)
    words = [str(code), token(error.status), reason]
    label = "Gemini: " + " ".join(word for word in words if word)
    if code is None or code >= 500:
        return ModelDown(label)
    if code == 429:
        return ModelRateLimited(label, _retry_after(details, error.response))
    if code == 408:
        return ModelTimeout(label)
    if code < 300:
        return ModelEmpty(f"{label} (no content)")
    hint = _HINTS.get(reason or "") or _HINTS.get(code)
    kind = ModelMisconfigured if code in _ADMINS or reason in _HINTS else ModelRefused
    return kind(f"{label}: {hint}" if hint else label)


def _details(body: Any) -> list[Mapping[str, Any]]:
    inner = body.get("error", body) if isinstance(body, dict) else None
    found = inner.get("details") if isinstance(inner, dict) else None
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def token(value: Any) -> str | None:
    """Return ``value`` if it is a bare constant such as ``API_KEY_INVALID``: fit for a log."""
    return value if isinstance(value, str) and _TOKEN.fullmatch(value) else None


def _retry_after(details: list[Mapping[str, Any]], response: Any) -> float | None:
    """Return RetryInfo's delay, else the Retry-After header's, in seconds."""
    for item in details:
        match = _DURATION.fullmatch(str(item.get("retryDelay", "")))
        if match:
            return float(match[1])
    headers = getattr(response, "headers", None)
    value = headers.get("Retry-After", "") if headers is not None else ""
    return float(value) if re.fullmatch(r"\d+(?:\.\d+)?", value) else None
