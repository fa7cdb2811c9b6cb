"""Any endpoint that speaks OpenAI's protocol: Ollama, llama.cpp, vLLM, LM Studio, DeepSeek and others."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from llm.errors import ModelMalformed
from llm.openai_connection import OpenAIConnection, UnsupportedFormat
from llm.openai_reading import check_envelope, said, tokens
from llm.protocols import EmbedderIdentity, Shape, Speaker, Turn, Vector
from llm.schema import schema_of, schema_text
from llm.structured import Said, answer_in_shape
from llm.turns import SILENCE, Line, lines, sendable
from llm.usage import Purpose
from llm.vectors import unit

__all__ = ["JsonMode", "OpenAIChat", "OpenAIConnection", "OpenAIEmbedder", "OpenAIStructured"]

BATCH = 64
"""Texts in one embedding request: small local servers queue a request as a whole."""


SCHEMA_WORDS = "Answer with one JSON object of this JSON schema, nothing else:"


class JsonMode(StrEnum):
    """How a server is asked for JSON, from the strictest: a schema, any object, words alone."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    PROMPT = "prompt"

    @property
    def next(self) -> JsonMode | None:
        """The mode to try when a server refuses this one."""
        return {JsonMode.SCHEMA: JsonMode.OBJECT, JsonMode.OBJECT: JsonMode.PROMPT}.get(self)


class OpenAIChat:
    """A model behind an OpenAI-compatible endpoint that talks.

    ``extra`` goes into the request as it is. ``sees``: the model takes pictures; no endpoint tells.
    """

    def __init__(
        self,
        connection: OpenAIConnection,
        model: str,
        *,
        max_tokens: int | None = None,
        extra: dict[str, Any] | None = None,
        sees: bool = False,
    ) -> None:
        self._connection = connection
        self._model = model
        self._sees = sees
        self._options = _options(max_tokens, extra)

    @property
    def name(self) -> str:
        """The model's name as the settings give it."""
        return self._model

    @property
    def sees(self) -> bool:
        """Whether it can be shown pictures."""
        return self._sees

    async def reply(self, system: str, turns: Sequence[Turn]) -> str:
        """Return her next turn: never empty, stripped, without its thoughts."""
        heard = await _complete(
            self._connection, self._model, system, lines(turns), options=self._options, purpose=Purpose.REPLY
        )
        return heard.text


class OpenAIStructured:
    """A model behind an OpenAI-compatible endpoint that answers in a shape.

    ``mode`` is where it begins; a server that refuses it is asked in the next weaker one from then
    on. Below a schema, the schema stands in the prompt.
    """

    def __init__(
        self,
        connection: OpenAIConnection,
        model: str,
        *,
        mode: JsonMode = JsonMode.SCHEMA,
        max_tokens: int | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        self._connection = connection
        self._model = model
        self._mode = mode
        self._options = _options(max_tokens, extra)

    @property
    def name(self) -> str:
        """The model's name as the settings give it."""
        return self._model

    async def answer(self, system: str, prompt: str, shape: type[Shape]) -> Shape:
        """Return a validated ``shape``."""

        async def ask(text: str) -> Said:
            mode = self._mode
            while True:
                try:
                    heard = await self._ask(system, text, shape, mode)
                except UnsupportedFormat:
                    if mode.next is None:
                        raise
                    mode = mode.next
                else:
                    self._mode = mode
                    return heard

        return await answer_in_shape(ask, prompt, shape)

    async def _ask(self, system: str, text: str, shape: type[BaseModel], mode: JsonMode) -> Said:
        options = dict(self._options)
        if mode is JsonMode.SCHEMA:
            name = re.sub(r"\W", "_", shape.__name__, flags=re.ASCII)[:64]
            schema = {"name": name, "schema": schema_of(shape), "strict": True}
            options["response_format"] = {"type": "json_schema", "json_schema": schema}
        else:
            system = f"{system}\n\n{SCHEMA_WORDS}\n{schema_text(shape)}"
            if mode is JsonMode.OBJECT:
                options["response_format"] = {"type": "json_object"}
        line = Line(Speaker.PERSON, sendable(text))
        return await _complete(
            self._connection,
            self._model,
            system,
            [line],
            options=options,
            purpose=Purpose.ANSWER,
            shape=shape.__name__,
        )


class OpenAIEmbedder:
    """An embedding model behind an OpenAI-compatible endpoint.

    ``dimensions`` is what the model gives; it is only asked for when ``shorten`` (not every server
    knows the option). The prefixes are for models trained with them (E5, Nomic, EmbeddingGemma).
    """

    def __init__(
        self,
        connection: OpenAIConnection,
        model: str,
        *,
        dimensions: int,
        shorten: bool = False,
        document_prefix: str = "",
        query_prefix: str = "",
    ) -> None:
        self._connection = connection
        self._model = model
        self._options: dict[str, Any] = {"dimensions": dimensions} if shorten else {}
        self._document_prefix = document_prefix
        self._query_prefix = query_prefix
        self._identity = EmbedderIdentity(model, dimensions, _revision(document_prefix, query_prefix))

    @property
    def identity(self) -> EmbedderIdentity:
        """The space the vectors live in."""
        return self._identity

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what is stored; one vector per text, in order."""
        prefixed = [self._document_prefix + _some(text) for text in texts]
        vectors: list[Vector] = []
        for start in range(0, len(prefixed), BATCH):
            vectors += await self._embed(prefixed[start : start + BATCH], Purpose.EMBED_DOCUMENTS)
        return vectors

    async def embed_query(self, text: str) -> Vector:
        """Embed what is asked."""
        return (await self._embed([self._query_prefix + _some(text)], Purpose.EMBED_QUERY))[0]

    async def _embed(self, texts: list[str], purpose: Purpose) -> list[Vector]:
        # Plain floats: the library's own default, base64, is unknown to many servers.
        response: Any = await self._connection.call(
            lambda client: client.embeddings.create(
                model=self._model, input=texts, encoding_format="float", **self._options
            ),
            tokens,
            model=self._model,
            purpose=purpose,
        )
        check_envelope(response)
        rows = response.data if isinstance(response.data, list) else []
        if len(rows) != len(texts):
            raise ModelMalformed(f"{len(rows)} embeddings for {len(texts)} texts")
        places = [getattr(row, "index", None) for row in rows]
        if sorted(place for place in places if isinstance(place, int)) == list(range(len(rows))):
            rows = sorted(rows, key=lambda row: int(row.index))
        return [unit(getattr(row, "embedding", None) or [], self._identity.dimensions) for row in rows]


def _options(max_tokens: int | None, extra: dict[str, Any] | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if max_tokens is not None:
        options["max_tokens"] = max_tokens
    if extra:
        options["extra_body"] = dict(extra)
    return options


def _some(text: str) -> str:
    return sendable(text).strip() or SILENCE


def _revision(*prefixes: str) -> str:
    if not any(prefixes):
        return "1"
    return "prefix-" + hashlib.sha256("\x1f".join(prefixes).encode()).hexdigest()[:12]


def _content(line: Line) -> str | list[dict[str, Any]]:
    """Return a line's words; with pictures, a list of parts: plain text is what every server takes."""
    if not line.pictures:
        return line.text
    parts: list[dict[str, Any]] = [{"type": "text", "text": line.text}] if line.text else []
    for picture in line.pictures:
        url = f"data:{picture.mime};base64,{base64.b64encode(picture.data).decode('ascii')}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts


async def _complete(
    connection: OpenAIConnection,
    model: str,
    system: str,
    conversation: Sequence[Line],
    *,
    options: dict[str, Any],
    purpose: Purpose,
    shape: str | None = None,
) -> Said:
    messages: list[Any] = [{"role": "system", "content": sendable(system)}] if system.strip() else []
    for line in conversation:
        role = "user" if line.speaker is Speaker.PERSON else "assistant"
        messages.append({"role": role, "content": _content(line)})
    response: Any = await connection.call(
        lambda client: client.chat.completions.create(model=model, messages=messages, **options),
        tokens,
        model=model,
        purpose=purpose,
        shape=shape,
    )
    return said(response)
