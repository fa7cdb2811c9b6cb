"""What can be said of an address and a key before anybody is asked."""

from __future__ import annotations

from urllib.parse import urlsplit

from llm.errors import ModelRefused


def checked_url(url: str, setting: str) -> str:
    """Return ``url`` stripped; :class:`ModelRefused` names ``setting`` if it is no http(s) URL."""
    stripped = url.strip()
    try:
        parts = urlsplit(stripped)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or any(char.isspace() for char in stripped):
        raise ModelRefused(f"{setting} is no http(s) URL: write it like http://localhost:11434/v1")
    return stripped


def checked_key(key: str, setting: str) -> str:
    """Return ``key`` stripped, maybe empty; :class:`ModelRefused` if no request could carry it."""
    stripped = key.strip()
    if not (stripped.isascii() and stripped.isprintable()) or " " in stripped:
        raise ModelRefused(f"{setting} holds characters no key has: copy it again")
    return stripped
