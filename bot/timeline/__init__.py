"""A person's memories drawn along time: rows in, a picture out. Knows neither Discord nor the store."""

from __future__ import annotations

from bot.timeline.choosing import ROWS_PER_PICTURE, pages
from bot.timeline.drawing import draw
from bot.timeline.fonts import Face, load_face
from bot.timeline.layout import Layout, layout

__all__ = ["ROWS_PER_PICTURE", "Face", "Layout", "draw", "layout", "load_face", "pages"]
