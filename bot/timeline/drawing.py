"""A layout as a PNG. Shapes are drawn three times as large and made small, so that their edges are smooth."""

from __future__ import annotations

import io
from collections.abc import Iterator

from PIL import Image, ImageDraw

from bot.timeline.fonts import Face
from bot.timeline.layout import BAR, PADDING, ROW, TICK, Bar, Layout, Link, Row, Words
from bot.timeline.palette import (
    BAND,
    FADED,
    GRID,
    GROUND,
    NOTE,
    NOW,
    OF_CATEGORY,
    SHADES,
    TEXT,
    Colour,
    mix,
)
from bot.timeline.spans import Style

_FINER = 3
_BASELINE = 0.88  # of a letter's size, from the top of its box
_HATCH = 9  # pixels between two lines of a hatch
_CURVE_STEPS = 24


def draw(picture: Layout, face: Face) -> bytes:
    """Draw a picture; the same layout gives the same bytes."""
    image = Image.new("RGB", (picture.width, picture.height), GROUND)
    _bands(image, picture)
    for top in range(0, picture.height, ROW * 4):
        _strip(image, picture, top, min(ROW * 4, picture.height - top))
    _letters(ImageDraw.Draw(image), picture, face)
    out = io.BytesIO()
    # a third of the size of full colour; the edges of letters need the shades, nothing else is mixed
    colours = Image.new("P", (1, 1))
    colours.putpalette([part for colour in SHADES for part in colour])
    image.quantize(palette=colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _bands(image: Image.Image, picture: Layout) -> None:
    pen = ImageDraw.Draw(image)
    for row in picture.rows[::2]:
        pen.rectangle((PADDING / 2, row.top, picture.width - PADDING / 2, row.top + ROW - 1), fill=BAND)


def _strip(image: Image.Image, picture: Layout, top: int, height: int) -> None:
    """Draw the shapes of one strip of the picture; strips keep the large copy small."""
    box = (0, top, picture.width, top + height)
    large = image.crop(box).resize((picture.width * _FINER, height * _FINER), Image.Resampling.NEAREST)
    pencil = _Pencil(large, top)
    _grid(pencil, picture)
    for row in picture.rows:
        _row(pencil, row)
    for link in picture.links:
        _link(pencil, link)
    _legend(pencil, picture)
    image.paste(large.resize((picture.width, height), Image.Resampling.BOX), box)


class _Pencil:
    """Draws in the picture's own pixels on a finer strip of it."""

    def __init__(self, image: Image.Image, top: int) -> None:
        self._image = image
        self._pen = ImageDraw.Draw(image)
        self._top = top

    def line(self, points: list[tuple[float, float]], colour: Colour, wide: float) -> None:
        self._pen.line([self._at(x, y) for x, y in points], colour, round(wide * _FINER), joint="curve")

    def pill(self, box: tuple[float, float, float, float], colour: Colour, round_: float) -> None:
        self._pen.rounded_rectangle((*self._at(*box[:2]), *self._at(*box[2:])), round_ * _FINER, fill=colour)

    def ring(
        self, box: tuple[float, float, float, float], colour: Colour, round_: float, wide: float
    ) -> None:
        self._pen.rounded_rectangle(
            (*self._at(*box[:2]), *self._at(*box[2:])),
            round_ * _FINER,
            outline=colour,
            width=round(wide * _FINER),
        )

    def shape(self, points: list[tuple[float, float]], colour: Colour) -> None:
        self._pen.polygon([self._at(x, y) for x, y in points], fill=colour)

    def hatched(
        self, box: tuple[float, float, float, float], under: Colour, over: Colour, round_: float
    ) -> None:
        """Draw a pill with slanted lines inside."""
        left, top = self._at(*box[:2])
        right, bottom = self._at(*box[2:])
        size = max(1, round(right - left)), max(1, round(bottom - top))
        tile = Image.new("RGB", size, under)
        pen = ImageDraw.Draw(tile)
        for x in range(-size[1], size[0], _HATCH * _FINER):
            pen.line([(x, size[1]), (x + size[1], 0)], over, 3 * _FINER)
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), round_ * _FINER, fill=255)
        self._image.paste(tile, (round(left), round(top)), mask)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * _FINER, (y - self._top) * _FINER


def _grid(pencil: _Pencil, picture: Layout) -> None:
    _, top, _, bottom = picture.chart
    for tick in picture.ticks:
        pencil.line([(tick.x, top - 4), (tick.x, bottom)], GRID, 1)
    label = picture.now_label
    pencil.pill((label.x - 10, label.y - 3, picture.now_label_right + 10, label.y + label.size + 7), NOW, 10)
    for y in _dashes(top - 4, bottom):
        pencil.line([(picture.now, y), (picture.now, min(y + 7, bottom))], mix(NOW, GROUND, 0.35), 2)


def _dashes(top: float, bottom: float) -> Iterator[float]:
    y = top
    while y < bottom:
        yield y
        y += 12


def _row(pencil: _Pencil, row: Row) -> None:
    colour = OF_CATEGORY[row.category]
    archived = row.style is Style.ARCHIVED
    shade = mix(colour, GROUND, 0.45) if archived else colour
    dot = (PADDING + 4, row.top + 17, PADDING + 16, row.top + 29)
    if archived:
        pencil.ring(dot, shade, 6, 2.5)
    else:
        pencil.pill(dot, colour, 6)
    pencil.line([(row.known[0], row.middle), (row.known[1], row.middle)], mix(colour, GROUND, 0.55), 3)
    _bar(pencil, row.bar, row.middle, colour, row.style)
    if row.put_away is not None and abs(row.put_away - row.bar.right) > BAR / 2:
        _cross(pencil, row.put_away, row.middle, shade)


def _bar(pencil: _Pencil, bar: Bar, middle: float, colour: Colour, style: Style) -> None:
    box = (bar.left, middle - BAR / 2, bar.right, middle + BAR / 2)
    corner = min(BAR / 2, (bar.right - bar.left) / 2, 8)
    match style:
        case Style.LIVE:
            pencil.pill(box, colour, corner)
        case Style.AHEAD:
            pencil.pill(box, mix(colour, GROUND, 0.75), corner)
            pencil.ring(box, colour, corner, 3)
        case Style.ARCHIVED:
            pencil.hatched(box, mix(colour, GROUND, 0.78), mix(colour, GROUND, 0.5), corner)
    arrow = GROUND if style is Style.LIVE else colour
    if bar.open_left:
        _chevron(pencil, bar.left + 6, middle, 5, arrow)
    if bar.open_right:
        _chevron(pencil, bar.right - 6, middle, -5, arrow)


def _chevron(pencil: _Pencil, x: float, y: float, reach: float, colour: Colour) -> None:
    pencil.line([(x + reach, y - 6), (x, y), (x + reach, y + 6)], colour, 2.5)


def _cross(pencil: _Pencil, x: float, y: float, colour: Colour) -> None:
    for slant in (-6, 6):
        pencil.line([(x - 6, y - slant), (x + 6, y + slant)], colour, 2.5)


def _link(pencil: _Pencil, link: Link) -> None:
    """Draw a curve that leaves and arrives upright, with an arrow's head."""
    (x0, y0), (x1, y1) = link.start, link.end
    down = 1 if y1 > y0 else -1
    tip, neck = y1, y1 - 8 * down
    middle = (y0 + neck) / 2
    points = []
    for step in range(_CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append((a * x0 + b * x0 + c * x1 + d * x1, a * y0 + b * middle + c * middle + d * neck))
    colour = OF_CATEGORY[link.category]
    pencil.line(points, mix(colour, TEXT, 0.25), 2.5)
    pencil.shape([(x1 - 6, neck), (x1 + 6, neck), (x1, tip)], mix(colour, TEXT, 0.25))


def _legend(pencil: _Pencil, picture: Layout) -> None:
    for sample in picture.legend:
        colour = OF_CATEGORY[sample.category] if sample.category else NOTE
        middle = sample.words.y + sample.words.size / 2 + 1
        left = sample.mark
        if sample.category:
            pencil.pill((left + 4, middle - 7, left + 18, middle + 7), colour, 7)
        else:
            _bar(
                pencil, Bar(left, left + 28, open_left=False, open_right=False), middle, colour, sample.style
            )


def _letters(pen: ImageDraw.ImageDraw, picture: Layout, face: Face) -> None:
    _write(pen, picture.title, TEXT, face)
    _write(pen, picture.subtitle, NOTE, face)
    _write(pen, picture.now_label, GROUND, face)
    for tick in picture.ticks:
        half = face.length(tick.label, TICK) / 2
        left = min(max(tick.x - half, picture.chart[0] - 20), picture.chart[2] + 20 - 2 * half)
        _write(pen, Words(left, picture.chart[1] - 32, tick.label, TICK), FADED, face)
    for row in picture.rows:
        archived = row.style is Style.ARCHIVED
        _write(pen, row.text, NOTE if archived else TEXT, face)
        _write(pen, row.note, FADED if archived else NOTE, face)
    for sample in picture.legend:
        _write(pen, sample.words, NOTE, face)


def _write(pen: ImageDraw.ImageDraw, words: Words, colour: Colour, face: Face) -> None:
    for piece in face.set(words.text, words.size):
        pen.text((words.x + piece.x, words.y + words.size * _BASELINE), piece.text, colour, piece.font, "ls")
