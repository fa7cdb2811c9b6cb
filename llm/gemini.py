"""Gemini through google-genai: she talks, a cheap model extracts and judges, texts become vectors."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from llm.errors import ModelMalformed
from llm.gemini_connection import API_VERSION, BASE_URL, GeminiConnection
from llm.gemini_reading import read_answer, tokens
from llm.protocols import EmbedderIdentity, Shape, Speaker, Turn, Vector
from llm.schema import schema_of
from llm.structured import Said, answer_in_shape
from llm.turns import SILENCE, Line, lines, sendable
from llm.usage import Purpose, Tokens
from llm.vectors import unit

if TYPE_CHECKING:
    from google.genai import types

__all__ = [
    "API_VERSION",
    "BASE_URL",
    "GeminiChat",
    "GeminiConnection",
    "GeminiEmbedder",
    "GeminiStructured",
    "RoleStyle",
]

BATCH = 100
"""Texts in one embedding request; the API refuses more."""


class RoleStyle(StrEnum):
    """How a model is told whether a text is stored or asked: a request field, or words before it."""

    TASK_TYPE = "task_type"
    PREFIX = "prefix"

    @classmethod
    def of(cls, model: str) -> RoleStyle:
        """Return the style of a model: gemini-embedding-001 knows task types, all later ones prefixes."""
        return cls.TASK_TYPE if model.endswith("embedding-001") else cls.PREFIX


class GeminiChat:
    """A Gemini model that talks."""

    def __init__(
        self,
        connection: GeminiConnection,
        model: str,
        *,
        thinking_level: str | None = None,
        max_output_tokens: int | None = None,
    ) -> None:
        self._connection = connection
        self._model = model
        self._options = _options(thinking_level, max_output_tokens)

    @property
    def name(self) -> str:
        """The model's name as the settings give it."""
        return self._model

    @property
    def sees(self) -> bool:
        """Whether it can be shown pictures: every Gemini model that talks can."""
        return True

    async def reply(self, system: str, turns: Sequence[Turn]) -> str:
        """Return her next turn: never empty, stripped."""
        said = await _generate(
            self._connection, self._model, system, lines(turns), options=self._options, purpose=Purpose.REPLY
        )
        return said.text


class GeminiStructured:
    """A Gemini model that answers in a shape; the cheap one, for extracting and judging."""

    def __init__(
        self,
        connection: GeminiConnection,
        model: str,
        *,
        thinking_level: str | None = None,
        max_output_tokens: int | None = None,
    ) -> None:
        self._connection = connection
        self._model = model
        self._options = _options(thinking_level, max_output_tokens)

    @property
    def name(self) -> str:
        """The model's name as the settings give it."""
        return self._model

    async def answer(self, system: str, prompt: str, shape: type[Shape]) -> Shape:
        """Return a validated ``shape``."""
        options = self._options | {
            "response_mime_type": "application/json",
            "response_json_schema": schema_of(shape),
        }

        async def ask(text: str) -> Said:
            line = Line(Speaker.PERSON, sendable(text))
            return await _generate(
                self._connection,
                self._model,
                system,
                [line],
                options=options,
                purpose=Purpose.ANSWER,
                shape=shape.__name__,
            )

        return await answer_in_shape(ask, prompt, shape)


class GeminiEmbedder:
    """A Gemini embedding model, with the roles of document and query."""

    def __init__(
        self,
        connection: GeminiConnection,
        model: str,
        *,
        dimensions: int = 768,
        roles: RoleStyle | None = None,
    ) -> None:
        self._connection = connection
        self._model = model
        self._roles = roles or RoleStyle.of(model)
        self._identity = EmbedderIdentity(model, dimensions, f"{self._roles.value}-1")

    @property
    def identity(self) -> EmbedderIdentity:
        """The space the vectors live in."""
        return self._identity

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what is stored; one vector per text, in order."""
        vectors: list[Vector] = []
        for start in range(0, len(texts), BATCH):
            vectors += await self._embed(texts[start : start + BATCH], Purpose.EMBED_DOCUMENTS)
        return vectors

    async def embed_query(self, text: str) -> Vector:
        """Embed what is asked."""
        return (await self._embed([text], Purpose.EMBED_QUERY))[0]

    async def _embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
        from google.genai import types

        asked = purpose is Purpose.EMBED_QUERY
        task: str | None = None
        before = ""
        if self._roles is RoleStyle.TASK_TYPE:
            task = "RETRIEVAL_QUERY" if asked else "RETRIEVAL_DOCUMENT"
        else:
            before = "task: search result | query: " if asked else "title: none | text: "
        # Each text is a content of its own: plain strings would be melted into one vector. An
        # empty text is refused by the API, so silence stands for it.
        contents = [
            types.Content(parts=[types.Part(text=before + (sendable(text).strip() or SILENCE))])
            for text in texts
        ]
        config = types.EmbedContentConfig(task_type=task, output_dimensionality=self._identity.dimensions)
        response = await self._connection.call(
            lambda client: client.aio.models.embed_content(
                model=self._model,
                contents=contents,
                config=config,
            ),
            lambda _: Tokens(),  # the API doesn't say
            model=self._model,
            purpose=purpose,
        )
        found = response.embeddings or []
        if len(found) != len(texts):
            raise ModelMalformed(f"{len(found)} embeddings for {len(texts)} texts")
        return [unit(one.values or [], self._identity.dimensions) for one in found]


def _options(thinking_level: str | None, max_output_tokens: int | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if thinking_level is not None:
        options["thinking_config"] = {"thinking_level": thinking_level}
    if max_output_tokens is not None:
        options["max_output_tokens"] = max_output_tokens
    return options


def _parts(line: Line) -> list[types.Part]:
    """Return a line's pictures and words: Google advises the picture first."""
    from google.genai import types

    parts = [
        types.Part(inline_data=types.Blob(data=picture.data, mime_type=picture.mime))
        for picture in line.pictures
    ]
    return [*parts, types.Part(text=line.text)] if line.text else parts


async def _generate(
    connection: GeminiConnection,
    model: str,
    system: str,
    conversation: Sequence[Line],
    *,
    options: dict[str, Any],
    purpose: Purpose,
    shape: str | None = None,
) -> Said:
    from google.genai import types

    config = types.GenerateContentConfig(system_instruction=sendable(system).strip() or None, **options)
    contents = [
        types.Content(role="user" if line.speaker is Speaker.PERSON else "model", parts=_parts(line))
        for line in conversation
    ]
    response = await connection.call(
        lambda client: client.aio.models.generate_content(
            model=model,
            contents=contents,
            config=config,
        ),
        tokens,
        model=model,
        purpose=purpose,
        shape=shape,
    )
    return read_answer(response)
