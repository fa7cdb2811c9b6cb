"""What is true of a character's world: documents, found like memories but about her."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, field_validator

from memory.catalog import DEFAULT_LANGUAGE, LANGUAGES
from memory.lorebook import is_called
from memory.model import Kind
from memory.text import fold

MAX_LORE_TEXT = 2_000
MAX_LORE_DOCUMENTS = 400


class LoreDocument(BaseModel):
    """One document of lore in one language.

    ``keys`` are words that call it up whatever the embedder thinks; ``constant`` ones belong in
    every prompt. ``half_life_days`` None: it does not age. It leaves the context at
    ``expires_at``, or ``expires_after_days`` after ``valid_to`` (``valid_from``, ``created_at``);
    with neither it stays. ``replaces`` names the document it makes obsolete. ``source`` says
    where it came from (``character:<id>``, ``card:<name>``).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1, max_length=160)
    text: str = Field(min_length=1, max_length=MAX_LORE_TEXT)
    language: str = DEFAULT_LANGUAGE
    keys: tuple[str, ...] = ()
    constant: bool = False
    kind: Kind = Kind.STATIC
    half_life_days: float | None = Field(default=None, gt=0)
    expires_after_days: float | None = Field(default=None, ge=0)
    expires_at: AwareDatetime | None = None
    created_at: AwareDatetime | None = None
    valid_from: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None
    replaces: str | None = None
    source: str = ""

    @field_validator("keys", mode="before")
    @classmethod
    def _one_key_is_fine(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value

    @property
    def expiry(self) -> datetime | None:
        """When it leaves for good: the moment given, or the days after its end; None where it stays."""
        if self.expires_at is not None:
            return self.expires_at
        since = self.valid_to or self.valid_from or self.created_at
        if self.expires_after_days is None or since is None:
            return None
        return since + timedelta(days=self.expires_after_days)

    def live_at(self, now: datetime) -> bool:
        """Whether it may still be used at ``now``."""
        return self.expiry is None or now < self.expiry


def documents_of(entry: Mapping[str, Any], source: str) -> list[LoreDocument]:
    """Read one entry of a lore file; ``text`` may be one text or one per language.

    An entry with several languages becomes a document for each, ``<id>:<language>``.
    Raises pydantic's ``ValidationError``.
    """
    fields = {"source": source, **entry}
    text = fields.get("text")
    if not isinstance(text, Mapping):
        return [LoreDocument.model_validate(fields)]
    return [
        LoreDocument.model_validate(
            {**fields, "id": f"{fields.get('id', '')}:{language}", "language": language, "text": words}
        )
        for language, words in text.items()
    ]


def lore_in(documents: Iterable[LoreDocument], language: str) -> tuple[LoreDocument, ...]:
    """Return the documents to use in a language: its own, or zh-TW's, or whatever there is, by base id."""
    tags = dict.fromkeys((language, DEFAULT_LANGUAGE, *LANGUAGES))
    order = {tag: rank for rank, tag in enumerate(tags)}
    best: dict[str, LoreDocument] = {}
    for document in documents:
        base = document.id.removesuffix(f":{document.language}")
        known = best.get(base)
        if known is None or order.get(document.language, 9) < order.get(known.language, 9):
            best[base] = document
    return tuple(best.values())


def lore_for(
    documents: Sequence[LoreDocument], text: str, language: str, now: datetime, limit: int = 3
) -> tuple[LoreDocument, ...]:
    """Return what a message calls up by its keys, constant documents first, live ones only.

    The vector index finds lore by meaning; this is what is left without it.
    """
    folded = fold(text)
    live = [document for document in lore_in(documents, language) if document.live_at(now)]
    constant = [document for document in live if document.constant]
    called = [
        document
        for document in live
        if not document.constant and any(is_called(key, folded) for key in document.keys)
    ]
    return tuple((constant + called)[:limit])
