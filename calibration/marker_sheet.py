"""The sheet of corner markers to print: drawn in millimetres, saved as a PDF page of true size."""

from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from calibration.marker_shape import CELLS, CUT, GAP, RIM, Corner, cells

DOTS_PER_INCH = 600
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN_MM = 12.0
"""Paper left free all round: printers do not reach the edge."""
USUAL_MM = 30.0
SIZES_MM = (20.0, 45.0)
"""Least and greatest width of a black square: smaller is not seen, larger does not fit the sheet."""
RULER_MM = 100
TITLE = "Kibitz: four corner markers for your board"
INSTRUCTION = (
    "Print this sheet at 100 % (actual size), on stiff paper if you have it. Cut out the four pieces along the dashed "
    "lines. Lay them around your board just as they lie here, each black tip touching its own corner of the playing "
    "area (the squares, without the frame). Leave them there while you play."
)
RULER_TEXT = "Check: this line must be exactly 10 cm long. If it is not, print again at 100 %."
SEAT_TEXT = "The light discs' player sits here"
LABELS = {
    Corner.NEAR_LEFT: "NEAR LEFT",
    Corner.NEAR_RIGHT: "NEAR RIGHT",
    Corner.FAR_RIGHT: "FAR RIGHT",
    Corner.FAR_LEFT: "FAR LEFT",
}
_WHITE, _BLACK = 1, 0
_TEXT_MM, _TITLE_MM, _LINE_MM = 4.6, 6.4, 6.0

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Page:
    """A page drawn on in millimetres from its upper left corner."""

    image: Image.Image
    draw: ImageDraw.ImageDraw

    def box(self, start: Place, end: Place, fill: int | None = _BLACK, line_mm: float = 0.0) -> None:
        (left, right), (top, bottom) = (sorted(_px(v) for v in pair) for pair in zip(start, end, strict=True))
        self.draw.rectangle((left, top, right - 1, bottom - 1), fill, _BLACK if line_mm else None, max(1, _px(line_mm)))

    def line(self, start: Place, end: Place, width_mm: float = 0.3) -> None:
        self.draw.line([*map(_px, start), *map(_px, end)], _BLACK, _px(width_mm))

    def dashed(self, start: Place, end: Place) -> None:
        steps = np.linspace(start, end, 2 * round(float(np.hypot(*np.subtract(end, start))) / 4) + 2)
        for a, b in list(pairwise(steps.tolist()))[::2]:
            self.line((a[0], a[1]), (b[0], b[1]))

    def polygon(self, points: list[Place]) -> None:
        self.draw.polygon([(_px(x), _px(y)) for x, y in points], fill=_BLACK)

    def text(self, at: Place, text: str, size_mm: float, anchor: str = "ls") -> None:
        self.draw.text((_px(at[0]), _px(at[1])), text, _BLACK, _font(size_mm), anchor)


def sheet_pdf(paper: str = "a4", size_mm: float = USUAL_MM) -> bytes:
    """One page of PDF with the markers' black squares `size_mm` wide."""
    out = BytesIO()
    sheet(paper, size_mm).save(out, "PDF", resolution=DOTS_PER_INCH, title=TITLE)
    return out.getvalue()


def sheet(paper: str = "a4", size_mm: float = USUAL_MM) -> Image.Image:
    """The page in black (0) and white (1), DOTS_PER_INCH dots to the inch."""
    width, height = PAPERS_MM[paper]
    image = Image.new("1", (_px(width), _px(height)), _WHITE)
    page = _Page(image, ImageDraw.Draw(image))
    cut = CUT * size_mm
    for corner in Corner:
        outward = corner.outward
        tip = (
            MARGIN_MM + cut if outward[0] < 0 else width - MARGIN_MM - cut,
            MARGIN_MM + cut if outward[1] > 0 else height - MARGIN_MM - cut,
        )
        _draw_piece(page, corner, tip, size_mm)
    top = MARGIN_MM + cut + 8
    _draw_words(page, width, top)
    _draw_plan(page, (width - MARGIN_MM - 29, top + 29))
    _draw_ruler(page, height - MARGIN_MM - cut - 20)
    return image


def _draw_piece(page: _Page, corner: Corner, tip: Place, size: float) -> None:
    """A piece to cut out: its outline, the black square with its pattern, the tip and its name."""
    right, down = float(corner.outward[0]), -float(corner.outward[1])
    far = (tip[0] + right * CUT * size, tip[1] + down * CUT * size)
    for other in ((tip[0], far[1]), (far[0], tip[1])):
        page.dashed(tip, other)
        page.dashed(far, other)
    edges = [sorted(tip[k] + way * reach * size for reach in (GAP, CUT - RIM)) for k, way in enumerate((right, down))]
    cell = size / CELLS
    for row, column in np.argwhere(cells(corner)).tolist():
        start = (edges[0][0] + column * cell, edges[1][0] + row * cell)
        page.box(start, (start[0] + cell, start[1] + cell))
    leg = 0.22 * size
    page.polygon([tip, (tip[0] + right * leg, tip[1]), (tip[0], tip[1] + down * leg)])
    side = "ls" if right > 0 else "rs"
    x = tip[0] + right * 0.3 * size
    base = tip[1] + (0.31 if down > 0 else -0.06) * size
    page.text((x, base - 0.14 * size), LABELS[corner], 0.155 * size, side)
    page.text((x, base), "black tip on the corner", 0.105 * size, side)


def _draw_words(page: _Page, width: float, top: float) -> None:
    page.text((MARGIN_MM, top + _TITLE_MM), TITLE, _TITLE_MM)
    room = width - 2 * MARGIN_MM - 66
    for number, line in enumerate(_wrapped(INSTRUCTION, room)):
        page.text((MARGIN_MM, top + _TITLE_MM + 9 + number * _LINE_MM), line, _TEXT_MM)


def _draw_plan(page: _Page, middle: Place) -> None:
    """A little board with the four pieces around it."""
    half, piece, squares = 12.0, 8.0, 4
    x, y = middle
    page.box((x - half, y - half), (x + half, y + half), _WHITE, 0.3)
    step = 2 * half / squares
    for row in range(squares):
        for column in range(squares):
            if (row + column) % 2:
                page.box(
                    (x - half + column * step, y - half + row * step),
                    (x - half + (column + 1) * step, y - half + (row + 1) * step),
                )
    for corner in Corner:
        right, down = float(corner.outward[0]), -float(corner.outward[1])
        tip = (x + right * half, y + down * half)
        page.box(tip, (tip[0] + right * piece, tip[1] + down * piece), _WHITE, 0.3)
        inner, outer = piece * GAP / CUT, piece * (GAP + 1) / CUT
        page.box(
            (tip[0] + right * inner, tip[1] + down * inner),
            (tip[0] + right * outer, tip[1] + down * outer),
        )
        page.polygon([tip, (tip[0] + right * 2.4, tip[1]), (tip[0], tip[1] + down * 2.4)])
    page.text((x, y + half + piece + 5.5), SEAT_TEXT, 3.8, "ms")


def _draw_ruler(page: _Page, y: float) -> None:
    page.line((MARGIN_MM, y), (MARGIN_MM + RULER_MM, y))
    for mark in range(RULER_MM + 1):
        high = 5.0 if mark % 10 == 0 else 3.5 if mark % 5 == 0 else 2.0
        page.line((MARGIN_MM + mark, y), (MARGIN_MM + mark, y - high), 0.2)
        if mark % 10 == 0:
            page.text((MARGIN_MM + mark, y - 6), str(mark // 10), 3.4, "ms")
    page.text((MARGIN_MM, y + 6), RULER_TEXT, _TEXT_MM)


def _wrapped(text: str, room_mm: float) -> list[str]:
    """Lines of whole words that fit the room."""
    font = _font(_TEXT_MM)
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= _px(room_mm) or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _font(size_mm: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(_px(size_mm))


def _px(mm: float) -> int:
    return round(mm * DOTS_PER_INCH / 25.4)
