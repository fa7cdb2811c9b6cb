"""Adapters to language models and embedders.

This package's face is light: the protocols and the errors. The adapters live in their own
modules (:mod:`llm.offline`, :mod:`llm.gemini`, :mod:`llm.openai_compatible`), and each loads its
library only once it is opened.
"""

from llm.errors import (
    ModelAway,
    ModelBlocked,
    ModelDown,
    ModelEmpty,
    ModelError,
    ModelMalformed,
    ModelMisconfigured,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelTruncated,
)
from llm.protocols import (
    ChatModel,
    Embedder,
    EmbedderIdentity,
    Picture,
    Shape,
    Speaker,
    StructuredModel,
    Turn,
    Vector,
)

__all__ = [
    "ChatModel",
    "Embedder",
    "EmbedderIdentity",
    "ModelAway",
    "ModelBlocked",
    "ModelDown",
    "ModelEmpty",
    "ModelError",
    "ModelMalformed",
    "ModelMisconfigured",
    "ModelRateLimited",
    "ModelRefused",
    "ModelTimeout",
    "ModelTruncated",
    "Picture",
    "Shape",
    "Speaker",
    "StructuredModel",
    "Turn",
    "Vector",
]
