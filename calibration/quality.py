"""How well the camera sees the board, and what to change if it does not."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.pose import BoardPose

SQUARE_PX = 24
MOST_ERROR_SHARE = 0.08
LEAST_SQUARE_PX = 22.0
LEAST_CONTRAST = 12.0
MOST_GLARE = 0.03
LEAST_SHARPNESS = 0.12
LEAST_LIGHT = 18.0


@dataclass(frozen=True, slots=True)
class Quality:
    """Figures of a calibration, and `advice` as sentences for people (none when all is well)."""

    error_px: float
    """Root mean square distance of crossings from the grid."""
    square_px: float
    """Width of a square in the middle of the board."""
    contrast: float
    """Difference in CIE L* (0 to 100) between squares played on and others; 0 for boards of one colour."""
    glare_share: float
    """Share of the board's area that is blown out."""
    sharpness: float
    """Steepest change between neighbouring pixels as a share of the board's range of brightness."""
    light: float
    """Median CIE L* of the board."""
    advice: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"advice": list(self.advice)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Quality":
        return cls(**{**data, "advice": tuple(data["advice"])})


def quality(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> Quality:
    """The quality of a picture (h, w, 3) uint8 BGR of a board in a known pose."""
    flat = _overhead(bgr, pose, board)
    lightness = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB)[:, :, 0], np.float32) * (100 / 255)
    blown = flat.min(axis=2) >= 250
    figures = Quality(
        error_px=pose.error_px,
        square_px=pose.square_px(board),
        contrast=_contrast(lightness, board),
        glare_share=float(blown.mean()),
        sharpness=_sharpness(lightness),
        light=float(np.median(lightness)),
        advice=(),
    )
    return replace(figures, advice=tuple(_advice(figures, chequered=bool(board.idle_xy))))


def _overhead(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> NDArray[np.uint8]:
    """The board from above, SQUARE_PX to the square: (h, w, 3) uint8 BGR."""
    x = (np.arange(int(board.width * SQUARE_PX)) + 0.5) / SQUARE_PX
    y = board.height - (np.arange(int(board.height * SQUARE_PX)) + 0.5) / SQUARE_PX
    plane = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    xy = pose.project(plane).astype(np.float32).reshape(len(y), len(x), 2)
    flat = cv2.remap(bgr, xy[..., 0].copy(), xy[..., 1].copy(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _contrast(lightness: NDArray[np.float32], board: Board) -> float:
    """Difference of the median lightness at the rims of played and idle squares."""
    if not board.idle_xy:
        return 0.0
    rims = []
    for places in (board.xy, board.idle_xy):
        centres = np.array(places)
        offsets = np.array([(u, v) for u in (-0.4, 0.4) for v in (-0.4, 0.4)])
        at = (centres[:, None] + offsets[None]).reshape(-1, 2)
        rows = ((board.height - at[:, 1]) * SQUARE_PX).astype(int)
        columns = (at[:, 0] * SQUARE_PX).astype(int)
        rims.append(float(np.median(lightness[rows, columns])))
    return abs(rims[1] - rims[0])


def _sharpness(lightness: NDArray[np.float32]) -> float:
    low, high = np.percentile(lightness, (5, 95))
    steps = np.abs(np.diff(lightness, axis=1))
    return float(np.percentile(steps, 99) / max(float(high - low), 1.0))


def _advice(seen: Quality, *, chequered: bool) -> list[str]:
    advice = []
    if seen.error_px > MOST_ERROR_SHARE * seen.square_px:
        advice.append(f"The grid fits only to {seen.error_px:.1f} pixels: lay the board flat or mark its corners.")
    if seen.square_px < LEAST_SQUARE_PX:
        advice.append(f"A square is only {seen.square_px:.0f} pixels wide: bring the camera closer to the board.")
    if chequered and seen.contrast < LEAST_CONTRAST:
        advice.append("Light and dark squares look nearly alike: give the board more even light.")
    if seen.glare_share > MOST_GLARE:
        advice.append(f"{seen.glare_share:.0%} of the board is glare: move the lamp or tilt the camera.")
    if seen.sharpness < LEAST_SHARPNESS:
        advice.append("The picture is blurred: focus the camera and keep it still.")
    if seen.light < LEAST_LIGHT:
        advice.append("The board is dark: switch on a lamp.")
    return advice
