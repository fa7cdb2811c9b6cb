"""Refusals: the error answers Discord gives a bot, and what its own client doesn't let a person do."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """An error answer of the REST API: HTTP status, Discord's own code, and the form errors if any."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.body: dict[str, Any] = {"message": message, "code": code}
        if errors:
            self.body["errors"] = errors


class Refused(Exception):
    """The person's own client would not let them do this, such as pressing a disabled button."""


class Unanswered(Exception):
    """The bot let the interaction's window pass: the person reads "did not respond"."""


def form(path: str, code: str, message: str) -> ApiError:
    """A 50035 with one error at a dotted path, such as ``embeds.0.title``."""
    tree: dict[str, Any] = {"_errors": [{"code": code, "message": message}]}
    for part in reversed(path.split(".")):
        tree = {part: tree}
    return ApiError(400, 50035, "Invalid Form Body", tree)


def too_long(path: str, limit: int) -> ApiError:
    """More characters (or items) than the limit."""
    return form(path, "BASE_TYPE_MAX_LENGTH", f"Must be {limit} or fewer in length.")


def bad_length(path: str, low: int, high: int) -> ApiError:
    """A length outside its range."""
    return form(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")


def required(path: str) -> ApiError:
    """A field that must be there."""
    return form(path, "BASE_TYPE_REQUIRED", "This field is required")


def unknown_channel() -> ApiError:
    """No such channel."""
    return ApiError(404, 10003, "Unknown Channel")


def unknown_message() -> ApiError:
    """No such message, or not for this bot's eyes."""
    return ApiError(404, 10008, "Unknown Message")


def unknown_interaction() -> ApiError:
    """A made-up interaction, or one whose window has passed."""
    return ApiError(404, 10062, "Unknown interaction")


def missing_access() -> ApiError:
    """The bot can't see the place."""
    return ApiError(403, 50001, "Missing Access")


def missing_permissions() -> ApiError:
    """The bot sees the place and may not do this there."""
    return ApiError(403, 50013, "Missing Permissions")


def cannot_dm() -> ApiError:
    """The person takes no direct messages."""
    return ApiError(403, 50007, "Cannot send messages to this user")


def empty_message() -> ApiError:
    """Nothing in the message that could be shown."""
    return ApiError(400, 50006, "Cannot send an empty message")
