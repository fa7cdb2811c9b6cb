"""REST: what a bot answers to an interaction: the one acknowledgement, its original message, follow-ups."""

from __future__ import annotations

from typing import Any

from tests.standin import checks, posting, shapes
from tests.standin.errors import ApiError, empty_message, form, unknown_interaction, unknown_message
from tests.standin.model import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENTS_V2,
    EPHEMERAL,
    LOADING,
    MENU_ANSWER,
    MODAL_SUBMIT,
    REPLY,
    SILENT,
    SLASH_ANSWER,
    SUPPRESS_EMBEDS,
    Interaction,
    Message,
)
from tests.standin.posting import Draft
from tests.standin.rest import Call, Route
from tests.standin.routes_messages import apply_edit, store, told

PONG, MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 1, 4, 5, 6, 7, 8, 9
VISIBLE_FLAGS = SUPPRESS_EMBEDS | EPHEMERAL | SILENT | COMPONENTS_V2


def metadata(interaction: Interaction) -> dict[str, Any]:
    """What an answer tells about the interaction behind it."""
    guild = interaction.channel.guild
    owners = {"0": str(guild.id) if guild else "0"}
    shape: dict[str, Any] = {
        "id": str(interaction.id),
        "type": interaction.kind,
        "user": shapes.user(interaction.user),
        "authorizing_integration_owners": owners,
    }
    if interaction.kind == MODAL_SUBMIT and interaction.source is not None:
        shape["triggering_interaction_metadata"] = metadata(interaction.source)
    elif interaction.message is not None:
        shape["interacted_message_id"] = str(interaction.message.id)
    return shape


def _allowed_types(interaction: Interaction) -> set[int]:
    if interaction.kind == AUTOCOMPLETE:
        return {CHOICES}
    allowed = {MESSAGE, DEFER}
    if interaction.message is not None:
        allowed |= {DEFER_UPDATE, UPDATE}
    return allowed if interaction.kind == MODAL_SUBMIT else allowed | {MODAL}


def _callback(call: Call) -> Any:
    interaction = call.world.interactions.get(call.id("interaction_id"))
    if interaction is None or interaction.token != call.args["interaction_token"]:
        raise unknown_interaction()
    if interaction.acknowledged is not None:
        raise ApiError(400, 40060, "Interaction has already been acknowledged.")
    if call.world.steady() - interaction.created > call.world.ack_window:
        raise unknown_interaction()
    kind, data = call.body["type"], call.body.get("data") or {}
    if kind not in _allowed_types(interaction):
        raise form(
            "type", "INTERACTION_APPLICATION_COMMAND_CALLBACK_TYPE_INVALID", "Not for this interaction"
        )
    shown = _ANSWERS[kind](call, interaction, data)
    interaction.acknowledged, interaction.acknowledged_at = kind, call.world.steady()
    call.world.happen("answer", interaction.channel, interaction.application.user, interaction.original)
    return (
        _receipt(interaction, kind, shown)
        if call.query.get("with_response") in {"1", "true", "True"}
        else None
    )


def _receipt(interaction: Interaction, kind: int, shown: Message | None) -> dict[str, Any]:
    about: dict[str, Any] = {
        "id": str(interaction.id),
        "type": interaction.kind,
        "channel_id": str(interaction.channel.id),
    }
    if interaction.channel.guild is not None:
        about["guild_id"] = str(interaction.channel.guild.id)
    original = interaction.original
    if original is not None:
        about["response_message_id"] = str(original.id)
        about["response_message_loading"] = original.loading
        about["response_message_ephemeral"] = original.ephemeral_to is not None
    receipt: dict[str, Any] = {"interaction": about}
    if shown is not None:
        receipt["resource"] = {"type": kind, "message": told(shown, interaction.application)}
    return receipt


def _answer_message(call: Call, interaction: Interaction, data: dict[str, Any]) -> Message:
    checks.message(data, len(call.files), interaction=True)
    interaction.original = _post(call, interaction, data)
    return interaction.original


def _answer_defer(call: Call, interaction: Interaction, data: dict[str, Any]) -> None:
    flags = (data.get("flags") or 0) & EPHEMERAL | LOADING
    interaction.original = _post(call, interaction, {"flags": flags})


def _answer_defer_update(_call: Call, interaction: Interaction, _data: dict[str, Any]) -> None:
    interaction.original = interaction.message


def _answer_update(call: Call, interaction: Interaction, data: dict[str, Any]) -> Message | None:
    interaction.original = interaction.message
    if interaction.message is not None:
        inner = Call(call.world, call.application, call.args, call.query, data, call.files)
        apply_edit(inner, interaction.message, interaction=True)
    return interaction.message


def _answer_choices(_call: Call, interaction: Interaction, data: dict[str, Any]) -> None:
    checks.choices(data.get("choices") or [])
    interaction.choices = data.get("choices") or []


def _answer_modal(_call: Call, interaction: Interaction, data: dict[str, Any]) -> None:
    checks.modal(data)
    interaction.modal = data


_ANSWERS = {
    MESSAGE: _answer_message,
    DEFER: _answer_defer,
    DEFER_UPDATE: _answer_defer_update,
    UPDATE: _answer_update,
    CHOICES: _answer_choices,
    MODAL: _answer_modal,
}


def _post(
    call: Call, interaction: Interaction, data: dict[str, Any], reply_to: Message | None = None
) -> Message:
    flags = data.get("flags") or 0
    hidden = bool(flags & EPHEMERAL)
    menu = interaction.data.get("type", 1) != 1
    kind = MENU_ANSWER if menu else SLASH_ANSWER
    attachments = store(call.world, interaction.channel, call.files, data.get("attachments") or [])
    draft = Draft(
        content=data.get("content") or "",
        type=REPLY if reply_to else kind if interaction.kind == COMMAND else 0,
        allowed=data.get("allowed_mentions"),
        reply_to=reply_to,
        attachments=[{**one, "ephemeral": True} for one in attachments] if hidden else attachments,
        embeds=data.get("embeds") or [],
        components=data.get("components") or [],
        flags=flags & (VISIBLE_FLAGS | LOADING),
        tts=bool(data.get("tts")),
        application=interaction.application,
        metadata=metadata(interaction),
        webhook_id=interaction.application.id,
        ephemeral_to=interaction.user if hidden else None,
    )
    message = posting.post(call.world, interaction.channel, interaction.application.user, draft)
    interaction.messages.append(message)
    return message


def _by_token(call: Call) -> Interaction:
    interaction = call.world.by_token.get(call.args["webhook_token"])
    if interaction is None or interaction.application.id != call.id("webhook_id"):
        raise ApiError(404, 10015, "Unknown Webhook")
    if interaction.expired:
        raise ApiError(401, 50027, "Invalid Webhook Token")
    if interaction.acknowledged is None:
        raise ApiError(404, 10015, "Unknown Webhook")
    return interaction


def _follow_up(call: Call) -> Any:
    interaction = _by_token(call)
    body = call.body or {}
    checks.message(body, len(call.files), interaction=True)
    original = interaction.original
    if original is not None and original.loading:
        _fill(call, original)
        return told(original, interaction.application)
    reply_to = original if original is not None and not original.deleted else None
    return told(_post(call, interaction, body, reply_to), interaction.application)


def _fill(call: Call, original: Message) -> None:
    """Turn "is thinking" into the answer; whether it is ephemeral was settled when it was deferred."""
    body = {key: value for key, value in (call.body or {}).items() if key != "attachments"}
    if not call.files and not any(body.get(key) for key in ("content", "embeds", "components", "poll")):
        raise empty_message()
    body["flags"] = (body.get("flags") or 0) & ~EPHEMERAL
    added = store(call.world, original.channel, call.files, (call.body or {}).get("attachments") or [])
    original.flags &= ~LOADING
    posting.change(call.world, original, body, added, edited=False)


def _message(call: Call, interaction: Interaction) -> Message:
    if "message_id" not in call.args:
        message = interaction.original
    else:
        wanted = call.id("message_id")
        mine = [*interaction.messages, *([interaction.original] if interaction.original else [])]
        message = next((one for one in mine if one.id == wanted), None)
    if message is None or message.deleted:
        raise unknown_message()
    return message


def _get(call: Call) -> Any:
    interaction = _by_token(call)
    return told(_message(call, interaction), interaction.application)


def _edit(call: Call) -> Any:
    interaction = _by_token(call)
    message = _message(call, interaction)
    interaction.edits += 1
    if message.loading:
        checks.message(call.body or {}, len(call.files), interaction=True, partial=True)
        _fill(call, message)
    else:
        apply_edit(call, message, interaction=True)
    return told(message, interaction.application)


def _delete(call: Call) -> Any:
    posting.remove(call.world, _message(call, _by_token(call)))


_HOOK = "/webhooks/{webhook_id}/{webhook_token}"
ROUTES = [
    Route("POST", "/interactions/{interaction_id}/{interaction_token}/callback", _callback, open_to_all=True),
    Route("POST", _HOOK, _follow_up, open_to_all=True),
    *(
        Route(method, f"{_HOOK}/messages/{which}", handle, open_to_all=True)
        for which in ("@original", "{message_id}")
        for method, handle in (("GET", _get), ("PATCH", _edit), ("DELETE", _delete))
    ),
]
