"""What a person wrote, as it is read and kept: without markup, in a language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from memory.catalog import closest_language
from memory.text import has_cjk

_MENTION = re.compile(r"<@!?(?P<user>\d+)>|<@&(?P<role>\d+)>|<#(?P<channel>\d+)>")
_EMOJI = re.compile(r"<a?:(?P<name>\w{2,32}):\d+>")
_STAMP = re.compile(r"<t:(?P<seconds>-?\d{1,12})(?::(?P<style>[a-zA-Z]))?>")
_COMMAND = re.compile(r"</(?P<name>[^>\n:]{1,100}):\d+>")
_SPACES = re.compile(r"[ \t\u00a0]{2,}")
_EDGES = " \t\r\n\u00a0,，、:：~～"
_KANA = re.compile(r"[\u3041-\u30fa\uff66-\uff9d]")
_LATIN = re.compile(r"[A-Za-z]+['’][A-Za-z]+|[A-Za-z]{2,}")


def plain_text(
    raw: str, *, her_ids: frozenset[int], her_name: str, names: Mapping[int, str], zone: str
) -> str:
    """Return a message as it is read.

    The mention that calls her falls away at either end and is her name within; a message that is
    nothing else is her name. Other mentions are names (``names`` by id), custom emoji their
    ``:name:``, timestamps their date and time in the person's zone.
    """
    mark = "\x00"

    def named(match: re.Match[str]) -> str:
        if match["channel"]:
            return f"#{names.get(int(match['channel']), match['channel'])}"
        number = int(match["user"] or match["role"])
        if number in her_ids:
            return mark
        return f"@{names.get(number, '?')}"

    text = _MENTION.sub(named, raw.replace(mark, ""))
    called = mark in text
    text = text.strip()
    while text.startswith(mark) or text.endswith(mark):
        text = text.removeprefix(mark).removesuffix(mark)
        text = text.lstrip(_EDGES) if called else text
        text = text.rstrip()
    text = text.replace(mark, f"@{her_name}")
    text = _EMOJI.sub(r":\g<name>:", text)
    text = _COMMAND.sub(r"/\g<name>", text)
    text = _STAMP.sub(lambda match: _moment(match, zone), text)
    text = _SPACES.sub(" ", text).strip()
    return her_name if called and not text else text


def language_of(text: str, default: str) -> str:
    """Return the language a message is in, for people who have not chosen theirs.

    Kana is Japanese; Han without kana keeps a Japanese or Chinese default, else Chinese; words in
    Latin letters alone are English, where there are two at least (XD is at home in every
    language). Everything else keeps the default.
    """
    default = closest_language(default)
    if _KANA.search(text):
        return "ja"
    if has_cjk(text):
        return default if default in {"zh-TW", "ja"} else "zh-TW"
    return "en" if len(_LATIN.findall(text)) > 1 else default


def _moment(match: re.Match[str], zone: str) -> str:
    try:
        moment = datetime.fromtimestamp(int(match["seconds"]), UTC).astimezone(ZoneInfo(zone))
    except (ValueError, OverflowError, OSError):
        return ""
    match match["style"]:
        case "d" | "D":
            return f"{moment:%Y-%m-%d}"
        case "t" | "T":
            return f"{moment:%H:%M}"
    return f"{moment:%Y-%m-%d %H:%M}"
