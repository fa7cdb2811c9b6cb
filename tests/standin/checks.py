"""What Discord refuses in a message: lengths, embeds, components, flags.

Pure: a body in, an :class:`ApiError` or nothing out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.standin.errors import ApiError, bad_length, empty_message, form, required, too_long
from tests.standin.model import COMPONENTS_V2, EPHEMERAL, SILENT, SUPPRESS_EMBEDS

Body = Mapping[str, Any]

CONTENT, NONCE, EMBEDS, ATTACHMENTS, STICKERS = 2000, 25, 10, 10, 3
TITLE, DESCRIPTION, FIELDS, FIELD_NAME, FIELD_VALUE, FOOTER, AUTHOR, EMBED_SUM = (
    256,
    4096,
    25,
    256,
    1024,
    2048,
    256,
    6000,
)
ROWS, BUTTONS, LABEL, CUSTOM_ID, OPTIONS, PLACEHOLDER, ALL_COMPONENTS = 5, 5, 80, 100, 25, 150, 40
FILE_BYTES = 10 * 1024 * 1024
ROW, BUTTON, STRING_SELECT, TEXT_INPUT, TEXT_DISPLAY, LABELLED = 1, 2, 3, 4, 10, 18
SELECTS = frozenset({3, 5, 6, 7, 8})
LINK, PREMIUM = 5, 6


def message(body: Body, files: int = 0, *, interaction: bool = False, partial: bool = False) -> None:
    """Refuse a message body as Discord would; ``partial`` is an edit, where what is absent stays."""
    flags = body.get("flags") or 0
    allowed = SUPPRESS_EMBEDS | SILENT | COMPONENTS_V2 | (EPHEMERAL if interaction else 0)
    if flags & ~allowed:
        raise form("flags", "MESSAGE_FLAGS_INVALID", "These flags can't be set")
    content = body.get("content") or ""
    if len(content) > CONTENT:
        raise too_long("content", CONTENT)
    if len(str(body.get("nonce") or "")) > NONCE:
        raise form("nonce", "NONCE_TYPE_TOO_LONG", "Nonce must be 25 or fewer in length.")
    if len(body.get("attachments") or []) > ATTACHMENTS or files > ATTACHMENTS:
        raise too_long("attachments", ATTACHMENTS)
    if len(body.get("sticker_ids") or []) > STICKERS:
        raise too_long("sticker_ids", STICKERS)
    embeds(body.get("embeds") or [])
    components(body.get("components") or [], v2=bool(flags & COMPONENTS_V2))
    allowed_mentions(body.get("allowed_mentions") or {})
    if flags & COMPONENTS_V2 and (
        content or body.get("embeds") or body.get("sticker_ids") or body.get("poll")
    ):
        raise form("content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "Not with components V2")
    if not partial:
        shown = ("embeds", "components", "sticker_ids", "poll")
        if not content.strip() and not files and not any(body.get(key) for key in shown):
            raise empty_message()


def size(total: int) -> None:
    """Refuse an upload over the free limit."""
    if total > FILE_BYTES:
        raise ApiError(413, 40005, "Request entity too large")


def embeds(given: list[Body]) -> None:
    """Refuse embeds over their limits, each and together."""
    if len(given) > EMBEDS:
        raise too_long("embeds", EMBEDS)
    total = 0
    for index, embed in enumerate(given):
        total += _embed(embed, f"embeds.{index}")
    if total > EMBED_SUM:
        raise form("embeds", "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {EMBED_SUM}")


def _embed(embed: Body, path: str) -> int:
    texts = [
        ("title", embed.get("title") or "", TITLE),
        ("description", embed.get("description") or "", DESCRIPTION),
        ("footer.text", (embed.get("footer") or {}).get("text") or "", FOOTER),
        ("author.name", (embed.get("author") or {}).get("name") or "", AUTHOR),
    ]
    fields = embed.get("fields") or []
    if len(fields) > FIELDS:
        raise too_long(f"{path}.fields", FIELDS)
    for index, one in enumerate(fields):
        for key, limit in (("name", FIELD_NAME), ("value", FIELD_VALUE)):
            if not str(one.get(key) or "").strip():
                raise required(f"{path}.fields.{index}.{key}")
            texts.append((f"fields.{index}.{key}", one[key], limit))
    for name, text, limit in texts:
        if len(text) > limit:
            raise too_long(f"{path}.{name}", limit)
    return sum(len(text) for _, text, _ in texts)


def allowed_mentions(given: Body) -> None:
    """Refuse lists that contradict ``parse``, and lists over 100."""
    for key in ("users", "roles"):
        ids = given.get(key) or []
        if ids and key in (given.get("parse") or []):
            text = f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.'
            raise form("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
        if len(ids) > 100:
            raise too_long(f"allowed_mentions.{key}", 100)


def walk(given: Sequence[Body]) -> Iterator[Body]:
    """Every component of a tree, outermost first."""
    for one in given:
        yield one
        yield from walk(one.get("components") or [])
        yield from walk([one[key] for key in ("component", "accessory") if one.get(key)])


def components(given: list[Body], *, v2: bool = False) -> None:
    """Refuse rows, buttons and selects over their limits, and a custom id used twice."""
    if v2:
        if sum(1 for _ in walk(given)) > ALL_COMPONENTS:
            raise too_long("components", ALL_COMPONENTS)
        if sum(len(one.get("content") or "") for one in walk(given)) > 4000:
            raise too_long("components", 4000)
    else:
        if len(given) > ROWS:
            raise bad_length("components", 1, ROWS)
        for index, one in enumerate(given):
            if one.get("type") != ROW:
                raise form(
                    f"components.{index}.type", "UNION_TYPE_CHOICES", "Value of field must be one of (1,)."
                )
    for row in (one for one in walk(given) if one.get("type") == ROW):
        _row(row)
    ids = [one["custom_id"] for one in walk(given) if one.get("custom_id") is not None]
    if len(set(ids)) != len(ids):
        raise form("components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
    for one in walk(given):
        _component(one, "components")


def _row(row: Body) -> None:
    inside = row.get("components") or []
    if not 1 <= len(inside) <= BUTTONS:
        raise bad_length("components.0.components", 1, BUTTONS)
    if any(one.get("type") in SELECTS for one in inside) and len(inside) > 1:
        raise form(
            "components.0",
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
            "The specified component exceeds the maximum width",
        )


def _component(one: Body, path: str) -> None:
    kind = one.get("type")
    if kind not in SELECTS | {BUTTON, TEXT_INPUT}:
        return
    link = kind == BUTTON and one.get("style") in {LINK, PREMIUM}
    if not link and not 1 <= len(one.get("custom_id") or "") <= CUSTOM_ID:
        raise bad_length(f"{path}.custom_id", 1, CUSTOM_ID)
    if kind == BUTTON:
        if len(one.get("label") or "") > LABEL:
            raise too_long(f"{path}.label", LABEL)
        if not one.get("label") and not one.get("emoji") and one.get("style") != PREMIUM:
            raise form(path, "BUTTON_COMPONENT_EMPTY", "A button must have a label or emoji")
        if one.get("style") == LINK and not one.get("url"):
            raise required(f"{path}.url")
    if len(one.get("placeholder") or "") > (PLACEHOLDER if kind in SELECTS else 100):
        raise too_long(f"{path}.placeholder", PLACEHOLDER)
    if kind == STRING_SELECT:
        _options(one, path)


def _options(one: Body, path: str) -> None:
    options = one.get("options") or []
    if not 1 <= len(options) <= OPTIONS:
        raise bad_length(f"{path}.options", 1, OPTIONS)
    values = [option.get("value") for option in options]
    if len(set(values)) != len(values):
        raise form(
            f"{path}.options",
            "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
            "The specified option value is taken",
        )
    for option in options:
        for key in ("label", "value"):
            if not 1 <= len(option.get(key) or "") <= 100:
                raise bad_length(f"{path}.options.{key}", 1, 100)
        if len(option.get("description") or "") > 100:
            raise too_long(f"{path}.options.description", 100)
    if not (one.get("min_values") or 0) <= (one.get("max_values") or 1) <= len(options):
        raise form(f"{path}.max_values", "NUMBER_TYPE_MAX", "Value should be at most the number of options")


def modal(data: Body) -> None:
    """Refuse a form over its limits: title 45, custom id 100, 1 to 5 parts, labels 45, text inputs 4000."""
    if not 1 <= len(data.get("title") or "") <= 45:
        raise bad_length("data.title", 1, 45)
    if not 1 <= len(data.get("custom_id") or "") <= CUSTOM_ID:
        raise bad_length("data.custom_id", 1, CUSTOM_ID)
    parts = data.get("components") or []
    if not 1 <= len(parts) <= ROWS:
        raise bad_length("data.components", 1, ROWS)
    for part in parts:
        if part.get("type") == LABELLED:
            if not 1 <= len(part.get("label") or "") <= 45:
                raise bad_length("data.components.label", 1, 45)
            if len(part.get("description") or "") > 100:
                raise too_long("data.components.description", 100)
    for one in walk(parts):
        _component(one, "data.components")
        if one.get("type") == TEXT_INPUT:
            _text_input(one)


def _text_input(one: Body) -> None:
    if len(one.get("label") or "") > 45:
        raise too_long("data.components.label", 45)
    if len(one.get("value") or "") > (one.get("max_length") or 4000):
        raise too_long("data.components.value", one.get("max_length") or 4000)


def choices(given: list[Body]) -> None:
    """Refuse autocomplete answers over 25, and names or values over 100 characters."""
    if len(given) > OPTIONS:
        raise too_long("data.choices", OPTIONS)
    for index, one in enumerate(given):
        if not 1 <= len(one.get("name") or "") <= 100:
            raise bad_length(f"data.choices.{index}.name", 1, 100)
        value = one.get("value")
        if isinstance(value, str) and len(value) > 100:
            raise too_long(f"data.choices.{index}.value", 100)
