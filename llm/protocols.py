"""What the rest of the house asks of a model: talk, answer in a shape, embed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

Vector = NDArray[np.float32]
Shape = TypeVar("Shape", bound=BaseModel)


class Speaker(StrEnum):
    """Who said a turn."""

    PERSON = "person"
    CHARACTER = "character"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for a model that sees: the file's bytes and its media type (``image/png``)."""

    data: bytes = field(repr=False)
    mime: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation, oldest first in every sequence; ``name`` is the display name.

    ``pictures`` came with the words; only models that see are given any.
    """

    speaker: Speaker
    text: str
    name: str | None = None
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Which vector space a vector lives in; two spaces are never mixed.

    ``revision`` names whatever else shapes the vectors (pooling, means, task prefixes).
    """

    name: str
    dimensions: int
    revision: str = "1"

    def __str__(self) -> str:
        return f"{self.name}/{self.dimensions}/{self.revision}"


class ChatModel(Protocol):
    """Talks. Raises :class:`llm.errors.ModelError` and nothing else."""

    @property
    def name(self) -> str:
        """The model's name as the settings give it."""
        ...

    @property
    def sees(self) -> bool:
        """Whether it can be shown pictures."""
        ...

    async def reply(self, system: str, turns: Sequence[Turn]) -> str:
        """Return her next turn: never empty, stripped."""
        ...


class StructuredModel(Protocol):
    """Answers in the shape of a pydantic model. Raises ``ModelError`` and nothing else.

    An answer that does not fit the shape is asked for once more, with the error; a second
    failure is :class:`llm.errors.ModelMalformed`.
    """

    @property
    def name(self) -> str:
        """The model's name as the settings give it."""
        ...

    async def answer(self, system: str, prompt: str, shape: type[Shape]) -> Shape:
        """Return a validated ``shape``."""
        ...


class Embedder(Protocol):
    """Maps texts to unit vectors (float32, L2 norm 1). Raises ``ModelError`` and nothing else."""

    @property
    def identity(self) -> EmbedderIdentity:
        """The space the vectors live in."""
        ...

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what is stored; one vector per text, in order; ``[]`` for no texts."""
        ...

    async def embed_query(self, text: str) -> Vector:
        """Embed what is asked."""
        ...
