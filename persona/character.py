"""A character: who she is, what she knows of her world, her words. All of it is data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from memory.catalog import DEFAULT_LANGUAGE, closest_language
from persona.lore import LoreDocument, lore_in
from persona.variants import fill

MAX_NAME = 64
MAX_FIELD = 16_000
OUR_EXTENSION = "lily"


class CharacterError(ValueError):
    """A character file that can't be used. The message is one line: file, field, fix."""


class CardData(BaseModel):
    """The fields of a character file, named as in Character Card V3; unknown ones are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str = Field(min_length=1, max_length=MAX_NAME)
    nickname: str = Field(default="", max_length=MAX_NAME)
    description: str = Field(default="", max_length=MAX_FIELD)
    personality: str = Field(default="", max_length=MAX_FIELD)
    scenario: str = Field(default="", max_length=MAX_FIELD)
    first_mes: str = Field(default="", max_length=MAX_FIELD)
    mes_example: str = Field(default="", max_length=MAX_FIELD)
    system_prompt: str = Field(default="", max_length=MAX_FIELD)
    post_history_instructions: str = Field(default="", max_length=MAX_FIELD)
    creator_notes: str = Field(default="", max_length=MAX_FIELD)
    creator: str = Field(default="", max_length=200)
    character_version: str = Field(default="", max_length=64)
    tags: tuple[str, ...] = Field(default=(), max_length=64)
    alternate_greetings: tuple[str, ...] = Field(default=(), max_length=32)
    extensions: Mapping[str, Any] = Field(default_factory=dict)

    @field_validator("name")
    @classmethod
    def _name_says_something(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("is blank; give the character a name")
        return value.strip()


@dataclass(frozen=True, slots=True)
class Character:
    """A loaded character.

    ``replies`` maps language -> key -> variants: her own words before the plain voice's;
    ``plain`` holds the plain voice alone.
    """

    id: str
    card: CardData
    lore: tuple[LoreDocument, ...] = ()
    replies: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    builtin: bool = False
    plain: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def plainly(self) -> Character:
        """Return her without the act: the plain voice instead of her own words."""
        return replace(self, replies=self.plain)

    def name_in(self, language: str) -> str:
        """Return what she is called in a language."""
        names = self._ours("names")
        name = names.get(closest_language(language)) if isinstance(names, Mapping) else None
        return str(name or self.card.nickname or self.card.name)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name she answers to."""
        names = self._ours("names")
        localised = [str(name) for name in names.values()] if isinstance(names, Mapping) else []
        aliases = self._ours("aliases")
        called = [str(alias) for alias in aliases] if isinstance(aliases, list | tuple) else []
        everything = [self.card.name, self.card.nickname, *localised, *called]
        return tuple(dict.fromkeys(name for name in everything if name))

    def variants(self, key: str, language: str) -> tuple[str, ...]:
        """Return her ways to say ``key``: in the language asked, else in zh-TW; ``()`` if there are none.

        What has a general form in that language (``event.done.exam``: ``event.done.default``) is not
        looked for in another one.
        """
        tag = closest_language(language)
        general = f"{key.rpartition('.')[0]}.default"
        tags = (tag,) if general in self.replies.get(tag, {}) else (tag, DEFAULT_LANGUAGE)
        for tag in tags:
            found = self.replies.get(tag, {}).get(key)
            if found:
                return found
        return ()

    def greeting(self, language: str) -> str:
        """Return how she opens a first conversation in a language."""
        localised = fill(self.variants("first", language), {"char": self.name_in(language)})
        return localised[0] if localised else self.card.first_mes

    def lore_in(self, language: str) -> tuple[LoreDocument, ...]:
        """Return her lore in a language."""
        return lore_in(self.lore, closest_language(language))

    def _ours(self, key: str) -> Any:
        ours = self.card.extensions.get(OUR_EXTENSION)
        return ours.get(key) if isinstance(ours, Mapping) else None


def read_card(data: Any, where: str) -> CardData:
    """Validate the ``data`` of a character file; :class:`CharacterError` names the field and the fix."""
    if not isinstance(data, Mapping):
        raise CharacterError(f"{where}: field data: expected the character's fields; write 'data:' over them")
    try:
        return CardData.model_validate(dict(data))
    except ValidationError as error:
        raise CharacterError(f"{where}: {first_problem(error, 'data')}") from None


def first_problem(error: ValidationError, prefix: str) -> str:
    """Return the first problem of a validation as ``field X: what is wrong; the fix``, in one line."""
    problem = error.errors(include_url=False, include_input=False)[0]
    field = ".".join([prefix, *map(str, problem["loc"])]).strip(".")
    context = problem.get("ctx", {})
    known = {
        "missing": "is missing; add it",
        "string_type": "is not text; put it in quotes",
        "string_too_short": "is empty; write something",
        "string_too_long": f"is too long; keep it under {context.get('max_length')} characters",
        "too_long": f"has too many entries; keep at most {context.get('max_length')}",
        "extra_forbidden": "is not known; remove it or mend its spelling",
        "value_error": str(context.get("error", "is not usable")),
    }
    what = known.get(problem["type"], f"{problem['msg'][:1].lower()}{problem['msg'][1:]}; mend it")
    return " ".join(f"field {field} {what}".split())


def merge_replies(
    own: Mapping[str, Mapping[str, tuple[str, ...]]], plain: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return a character's words over the plain voice's: per language, her own key wins."""
    languages: Sequence[str] = tuple(dict.fromkeys((*plain, *own)))
    return {tag: {**plain.get(tag, {}), **own.get(tag, {})} for tag in languages}
