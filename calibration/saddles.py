"""Saddle points: where four squares of alternating colour meet."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

SMOOTHING_PX = 1.6
RING_RADII_PX = (5.0, 8.0)
RING_SAMPLES = 24
MIN_SECOND_HARMONIC = 0.55
"""Share of a ring's variance in its second harmonic: 0.81 for four equal quadrants, less when they are skewed."""
MIN_RING_CONTRAST = 0.22
"""Amplitude of the second harmonic in local standard deviations."""
MOST_POINTS = 1600


@dataclass(frozen=True, slots=True, eq=False)
class Saddles:
    """Candidates for crossings in one channel: `xy` (m, 2) pixels, `phase` (m,) of the ring's second harmonic.

    Half the phase is the direction of the brighter diagonal; neighbouring crossings differ by half a turn of phase.
    """

    xy: NDArray[np.float64]
    phase: NDArray[np.float64]
    strength: NDArray[np.float64]


def normalised(channel: NDArray[np.float32], floor: float) -> NDArray[np.float32]:
    """The channel (h, w) less its local mean, in units of its local deviation (at least `floor`)."""
    sigma = max(channel.shape) / 28
    small = cv2.resize(channel, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    mean = cv2.GaussianBlur(small, (0, 0), sigma / 4)
    square = cv2.GaussianBlur(small * small, (0, 0), sigma / 4)
    deviation = np.sqrt(np.maximum(square - mean * mean, 0)) + floor
    size = (channel.shape[1], channel.shape[0])
    flat = (channel - cv2.resize(mean, size)) / cv2.resize(deviation, size)
    return np.asarray(np.clip(flat, -2.0, 2.0), np.float32)


def saddle_points(flat: NDArray[np.float32]) -> Saddles:
    """Saddles of a normalised channel (h, w) whose surroundings alternate four times."""
    smooth = np.asarray(cv2.GaussianBlur(flat, (0, 0), SMOOTHING_PX), np.float32)
    xx = cv2.Sobel(smooth, cv2.CV_32F, 2, 0, ksize=3) / 4
    yy = cv2.Sobel(smooth, cv2.CV_32F, 0, 2, ksize=3) / 4
    xy = cv2.Sobel(smooth, cv2.CV_32F, 1, 1, ksize=3) / 4
    measure = xy * xy - xx * yy
    peak = (measure >= cv2.dilate(measure, np.ones((7, 7), np.uint8))) & (measure > 2e-5)
    margin = int(RING_RADII_PX[0]) + 1
    peak[:margin], peak[-margin:], peak[:, :margin], peak[:, -margin:] = False, False, False, False
    rows, columns = np.nonzero(peak)
    order = np.argsort(-measure[rows, columns])[: 4 * MOST_POINTS]
    rows, columns = rows[order], columns[order]
    points = _to_subpixel(smooth, rows, columns, (xx, yy, xy))
    share, phase, amplitude = _rings(smooth, points)
    good = (share > MIN_SECOND_HARMONIC) & (amplitude > MIN_RING_CONTRAST)
    strength = share * amplitude
    keep = np.nonzero(good)[0]
    keep = keep[np.argsort(-strength[keep])][:MOST_POINTS]
    return Saddles(points[keep], phase[keep], strength[keep])


def _to_subpixel(
    smooth: NDArray[np.float32],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    hessian: tuple[NDArray[Any], NDArray[Any], NDArray[Any]],
) -> NDArray[np.float64]:
    """Where the gradient vanishes, one Newton step from the pixel and at most a pixel away: (m, 2)."""
    gx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3)[rows, columns] / 8
    gy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3)[rows, columns] / 8
    xx, yy, xy = (part[rows, columns] for part in hessian)
    determinant = np.minimum(xx * yy - xy * xy, -1e-9)
    dx = np.clip((xy * gy - yy * gx) / determinant, -1, 1)
    dy = np.clip((xy * gx - xx * gy) / determinant, -1, 1)
    return np.stack([columns + dx, rows + dy], axis=1).astype(np.float64)


def _rings(
    smooth: NDArray[np.float32], points: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Share, phase and amplitude of the second harmonic on the better of the rings around each point."""
    angles = np.arange(RING_SAMPLES) * (2 * np.pi / RING_SAMPLES)
    share = np.zeros(len(points))
    phase = np.zeros(len(points))
    amplitude = np.zeros(len(points))
    if not len(points):
        return share, phase, amplitude
    for radius in RING_RADII_PX:
        x = (points[:, :1] + radius * np.cos(angles)).astype(np.float32)
        y = (points[:, 1:] + radius * np.sin(angles)).astype(np.float32)
        ring = cv2.remap(smooth, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        spectrum = np.fft.rfft(ring, axis=1) / RING_SAMPLES
        power = np.abs(spectrum) ** 2
        here = power[:, 2] / (power[:, 1:].sum(axis=1) + 1e-9)
        better = here > share
        share[better] = here[better]
        phase[better] = np.angle(spectrum[better, 2])
        amplitude[better] = 2 * np.abs(spectrum[better, 2])
    return share, phase, amplitude
