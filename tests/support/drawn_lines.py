"""Boards drawn as lines on paper, seen at a slant, for the tests that find and read them."""

import cv2
import numpy as np

from vision.pose import BoardPose

SIZE = (960, 720)


def drawing(board, segments, *, turn=12.0, squeeze=0.75, discs=()):
    """The board's lines on paper, seen at a slant, and the true pose."""
    scale = 440 / max(board.width, board.height)
    a = np.deg2rad(turn)
    spin = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    centre = np.array([[scale, 0, -scale * board.width / 2], [0, -scale, scale * board.height / 2], [0, 0, 1]])
    slant = np.array([[1, 0, 480], [0, squeeze, 360], [0, 0.0004, 1]])
    slant[0] += 480 * np.array([0, 0.0004, 0])
    slant[1] += 360 * np.array([0, 0.0004, 0])
    pose = BoardPose(slant @ spin @ centre, 0.0, None, SIZE)
    bgr = np.full((SIZE[1], SIZE[0], 3), (120, 150, 165), np.uint8)
    rim = np.array([(-0.8, -0.8), (board.width + 0.8, -0.8)])
    rim = np.concatenate([rim, [(board.width + 0.8, board.height + 0.8), (-0.8, board.height + 0.8)]])
    cv2.fillConvexPoly(bgr, pose.project(rim).astype(np.int32), (215, 225, 228), cv2.LINE_AA)
    for segment in segments:
        cv2.polylines(bgr, [np.rint(pose.project(segment)).astype(np.int32)], False, (60, 70, 75), 2, cv2.LINE_AA)
    for point in discs:
        shade = (30, 30, 35) if point % 2 else (240, 245, 250)
        at = np.rint(pose.project([board.xy[point]])[0]).astype(int)
        cv2.circle(bgr, (int(at[0]), int(at[1])), round(0.36 * scale * squeeze), shade, -1, cv2.LINE_AA)
    noise = np.random.default_rng(3).normal(0, 3, bgr.shape)
    return np.clip(bgr + noise, 0, 255).astype(np.uint8), pose


def on_cloth(bgr, pose, board, *, margin=(1.1, 0.9), check=25):
    """The picture with a cloth of `check` pixels around the board, whose edge is so far from its points (x, y)."""
    x, y = margin
    edge = np.array([(-x, -y), (board.width + x, -y), (board.width + x, board.height + y), (-x, board.height + y)])
    inside = cv2.fillConvexPoly(np.zeros(bgr.shape[:2], np.uint8), np.rint(pose.project(edge)).astype(np.int32), 1)
    column, row = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    chequers = ((0.97 * column - 0.24 * row) // check + (0.24 * column + 0.97 * row) // check) % 2
    cloth = np.where(chequers[..., None] == 1, np.array([150, 60, 50]), np.array([210, 215, 220]))
    return np.where(inside[..., None] == 1, bgr, cloth).astype(np.uint8)
