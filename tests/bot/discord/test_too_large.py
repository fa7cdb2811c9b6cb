from __future__ import annotations

from pathlib import Path

import pytest

from bot.discord.commands.words import Tongue
from tests.bot.discord.harness import SOON, online, tells, town


@pytest.mark.parametrize(
    ("command", "refusal"),
    [("memory export", "export_too_large"), ("memory timeline", "timeline_too_large")],
)
async def test_what_is_too_large_to_send_is_refused_in_words_of_its_own(
    tmp_path: Path, command: str, refusal: str
) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        await tells(lily, place.ming, "我對花生過敏")
        place.discord.world.attachment_size_limit = 100
        answer = await place.ming.slash(place.server.general, command).reply(SOON)
        assert answer.content == Tongue("zh-TW").text(f"refusals.{refusal}")
        assert answer.attachments == []
