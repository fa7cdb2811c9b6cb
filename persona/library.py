"""Where characters are kept: the packaged ones and a folder of the host's own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from pydantic import ValidationError

from memory.catalog import LANGUAGES
from persona.character import CardData, Character, CharacterError, first_problem, merge_replies, read_card
from persona.lore import MAX_LORE_DOCUMENTS, LoreDocument, documents_of
from persona.patterns import FAST_LOADER
from persona.variants import places_in

MAX_FILE_BYTES = 2_000_000
CHARACTER_FILES = ("character.yaml", "character.json")
Replies = dict[str, dict[str, tuple[str, ...]]]


def list_characters(own: Path | None = None) -> list[str]:
    """Return the ids of all characters, the packaged ones first; other folders are left out."""
    packaged = [folder.name for folder in _folders(_packaged())]
    mine = [folder.name for folder in _folders(own)] if own is not None else []
    return list(dict.fromkeys((*sorted(packaged), *sorted(mine))))


def load_character(character_id: str, own: Path | None = None) -> Character:
    """Load a character by id; a folder of the host's own wins over a packaged one of the same id.

    Raises :class:`CharacterError` with one line that names the file, the field and the fix.
    """
    folder, builtin = _folder_of(character_id, own)
    return _load(character_id, folder, builtin=builtin)


def load_face(character_id: str, own: Path | None = None) -> Character:
    """Load what a character says of herself, without her lore and her lines: quick, for lists of names.

    Raises :class:`CharacterError`.
    """
    folder, builtin = _folder_of(character_id, own)
    return Character(character_id, _card(folder, character_id), builtin=builtin)


def character_id_for(name: str) -> str:
    """Return a folder name for a character's name: letters, digits and dashes of any script."""
    cleaned = re.sub(r"[^\w]+", "-", unicodedata.normalize("NFKC", name)).strip("-_").lower()[:48]
    return cleaned or "character"


def save_character(
    own: Path, character_id: str, file: Mapping[str, Any], lore: Sequence[LoreDocument]
) -> Path:
    """Write a character folder and return it; an existing one is refused, never overwritten."""
    if character_id != _safe_folder(character_id):
        raise CharacterError(f"character id {character_id!r}: use letters, digits and dashes only")
    folder = own / character_id
    if folder.exists() or character_id in list_characters():
        raise CharacterError(
            f"character {character_id!r} exists already; choose another id or remove {folder}"
        )
    read_card(file.get("data"), str(folder))
    own.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=own, prefix=".new-") as draft:  # whole or not at all
        fresh = Path(draft) / character_id
        fresh.mkdir()
        (fresh / "character.yaml").write_text(_dump(dict(file)), encoding="utf-8")
        if lore:
            entries = [entry.model_dump(mode="json", exclude_defaults=True) for entry in lore]
            (fresh / "lore.yaml").write_text(_dump({"lore": entries}), encoding="utf-8")
        fresh.rename(folder)
    return folder


def _dump(value: Any) -> str:
    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=100)


def _packaged() -> Traversable:
    return resources.files("persona") / "characters"


def _safe_folder(name: str) -> str:
    return name if re.fullmatch(r"\w[\w-]{0,63}", name) else ""


def _folders(root: Traversable | None) -> Iterator[Traversable]:
    if root is None or not root.is_dir():
        return
    for folder in root.iterdir():
        if folder.is_dir() and _safe_folder(folder.name) and _character_file(folder) is not None:
            yield folder


def _character_file(folder: Traversable) -> Traversable | None:
    return next((folder / name for name in CHARACTER_FILES if (folder / name).is_file()), None)


def _folder_of(character_id: str, own: Path | None) -> tuple[Traversable, bool]:
    """Return where a character lies, and whether she is a packaged one."""
    places: tuple[tuple[Traversable | None, bool], ...] = ((own, False), (_packaged(), True))
    for root, builtin in places:
        if root is None or character_id != _safe_folder(character_id):
            continue
        folder = root / character_id
        if _character_file(folder) is not None:
            return folder, builtin
    known = ", ".join(list_characters(own))
    raise CharacterError(f"character {character_id!r} is not there; choose one of: {known}")


def _card(folder: Traversable, character_id: str) -> CardData:
    file = _character_file(folder)
    if file is None:
        raise CharacterError(f"{folder}: no character.yaml there; add one")
    where = f"{character_id}/{file.name}"
    return read_card(_read(file, where).get("data"), where)


def _load(character_id: str, folder: Traversable, *, builtin: bool) -> Character:
    card = _card(folder, character_id)
    lore_file = folder / "lore.yaml"
    lore = _lore(lore_file, character_id) if lore_file.is_file() else ()
    replies = merge_replies(_replies(folder, character_id), _plain_voice())
    return Character(character_id, card, lore, replies, builtin, _plain_voice())


def _read(file: Traversable, where: str) -> Mapping[str, Any]:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise CharacterError(f"{where}: can't be read ({error.strerror}); check its permissions") from None
    if len(raw) > MAX_FILE_BYTES:
        raise CharacterError(f"{where}: larger than {MAX_FILE_BYTES // 1_000_000} MB; shorten it")
    try:
        loaded = yaml.load(raw.decode("utf-8"), Loader=FAST_LOADER)  # noqa: S506 (a safe loader)
    except UnicodeDecodeError:
        raise CharacterError(f"{where}: not UTF-8; save it as UTF-8") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark is not None else ""
        raise CharacterError(f"{where}{line}: not valid YAML; mend the indentation or quotes there") from None
    if not isinstance(loaded, Mapping):
        raise CharacterError(f"{where}: expected fields at the top; start it with 'data:'")
    return loaded


def _lore(file: Traversable, character_id: str) -> tuple[LoreDocument, ...]:
    where = f"{character_id}/lore.yaml"
    entries = _read(file, where).get("lore")
    if not isinstance(entries, list):
        raise CharacterError(f"{where}: field lore: expected a list of documents; start each with '- id:'")
    documents: list[LoreDocument] = []
    for place, entry in enumerate(entries):
        if not isinstance(entry, Mapping):
            raise CharacterError(f"{where}: field lore.{place}: expected fields; give it an id and a text")
        try:
            documents += documents_of(entry, f"character:{character_id}")
        except ValidationError as error:
            raise CharacterError(f"{where}: {first_problem(error, f'lore.{place}')}") from None
    if len(documents) > MAX_LORE_DOCUMENTS:
        raise CharacterError(f"{where}: field lore has too many entries; keep at most {MAX_LORE_DOCUMENTS}")
    ids = [document.id for document in documents]
    twice = next((identity for identity in ids if ids.count(identity) > 1), None)
    if twice is not None:
        raise CharacterError(f"{where}: field lore: id {twice!r} is there twice; rename one")
    return tuple(documents)


@lru_cache(maxsize=1)
def _plain_voice() -> Replies:
    return _replies(resources.files("persona") / "voices" / "plain", "plain")


def _replies(folder: Traversable, owner: str) -> Replies:
    """Read every ``replies.<part>.<language>.yaml`` of a folder into flat keys."""
    found: Replies = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        language = next((tag for tag in LANGUAGES if file.name.endswith(f".{tag}.yaml")), None)
        if language is None or not file.name.startswith("replies."):
            continue
        where = f"{owner}/{file.name}"
        for key, variants in _flat(_read(file, where), "", where):
            found.setdefault(language, {})[key] = variants
    return found


def _flat(node: Mapping[str, Any], prefix: str, where: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, value in node.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{key}.", where)
            continue
        variants = (value,) if isinstance(value, str) else value
        if not isinstance(variants, list | tuple) or not all(isinstance(v, str) and v for v in variants):
            raise CharacterError(f"{where}: field {key}: expected a list of texts; quote the odd ones")
        for variant in variants:
            try:
                places_in(variant)
            except ValueError:
                raise CharacterError(
                    f"{where}: field {key}: a brace is not closed; write {{{{ for a brace"
                ) from None
        yield key, tuple(variants)
