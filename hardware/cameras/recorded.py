"""Recorded frames: a folder of pictures or a video file, with the times they were taken."""

import csv
import logging
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from hardware.errors import SourceUnusable
from vision.frame import Frame

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png")
LONGEST_SHAPE = 16
"""Longer side to shorter one of a picture that a board can be seen in: cameras have up to 3, panoramas up to 10."""
FRAMES_PER_SECOND = 5.0
"""Assumed for folders without frames.csv and for videos that do not say."""

_JPEG_START, _JPEG_END = b"\xff\xd8", b"\xff\xd9"
_PNG_START, _PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND"
_log = logging.getLogger(__name__)


def _warn(message: str) -> None:
    _log.warning("%s", message)


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture of a folder and when it was taken."""

    path: Path
    seconds: float


@dataclass(slots=True)
class RecordedPictures:
    """Pictures in a folder, in the order of their names or of frames.csv; damaged ones are left out with a warning."""

    folder: Path
    shots: tuple[Shot, ...]
    warn: Callable[[str], None] = _warn
    warnings: list[str] = field(default_factory=list)

    @property
    def description(self) -> str:
        return f"{len(self.shots)} recorded pictures in {self.folder}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def frames(self, stop: Callable[[], bool]) -> Iterator[Frame]:
        """The readable pictures; `sequence` is the place in the recording, so it skips where a picture is damaged."""
        delivered, known = 0, len(self.warnings)
        for sequence, shot in enumerate(self.shots):
            if stop():
                return
            try:
                bgr = read_picture(shot.path)
            except SourceUnusable as damaged:
                self.warnings.append(str(damaged))
                if delivered:
                    self.warn(self.warnings[-1])
                continue
            if not delivered:  # a recording without any good picture is refused below, in one sentence
                for warning in self.warnings[known:]:
                    self.warn(warning)
            delivered += 1
            yield Frame(bgr=bgr, captured_at=shot.seconds, sequence=sequence)
        if delivered == 0:
            place = "this folder" if self.folder == Path() else str(self.folder)
            count = len(self.shots)
            seen = (
                f"the only picture in {place} cannot be read: "
                if count == 1
                else f"none of the {count} pictures in {place} can be read; the first problem: "
            )
            raise SourceUnusable(f"{seen}{self.warnings[known]}; copy the recording again from where it was made")


@dataclass(slots=True)
class RecordedVideo:
    """A video file that OpenCV can read."""

    path: Path
    _capture: cv2.VideoCapture | None = None

    @property
    def description(self) -> str:
        return f"recorded video {self.path}"

    def __enter__(self) -> Self:
        self._capture = cv2.VideoCapture(str(self.path))
        if not self._capture.isOpened():
            raise SourceUnusable(
                f"{self.path} opened as a video gives nothing; expected a folder of jpg or png pictures or a video "
                "that OpenCV can read (mp4, avi, mkv); convert it with ffmpeg or give another path"
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def frames(self, stop: Callable[[], bool]) -> Iterator[Frame]:
        """Every frame with its time by the file's own rate."""
        if self._capture is None:
            raise SourceUnusable(f"{self.path} is not open; use it in a with block")
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        rate = rate if math.isfinite(rate) and 0.1 <= rate <= 1000.0 else FRAMES_PER_SECOND
        sequence = 0
        while not stop():
            arrived, bgr = self._capture.read()
            if not arrived or bgr is None:
                break
            yield Frame(bgr=np.asarray(bgr, np.uint8), captured_at=sequence / rate, sequence=sequence)
            sequence += 1
        if sequence == 0 and not stop():
            raise SourceUnusable(
                f"{self.path} holds no frame that can be read; expected a video of at least one frame; "
                "check that the recording was finished properly"
            )


def open_recorded(path: Path | str, warn: Callable[[str], None] = _warn) -> RecordedPictures | RecordedVideo:
    """The frames recorded at `path`: a folder of pictures or one with them in `frames`, or a video file.

    Raises SourceUnusable.
    """
    place = Path(path)
    if place.is_dir():
        place = _with_pictures(place)
        return RecordedPictures(place, _shots(place), warn)
    if place.is_file():
        if place.stat().st_size == 0:
            raise SourceUnusable(f"{place} is an empty file; expected a video; copy the recording again")
        if place.suffix.lower() in PICTURE_ENDINGS:
            return RecordedPictures(place.parent, (Shot(place, 0.0),), warn)
        return RecordedVideo(place)
    raise SourceUnusable(
        f"there is nothing at {place}; expected a folder of jpg or png pictures, or a video file; check the path"
    )


def _with_pictures(folder: Path) -> Path:
    """The folder, or its `frames` where a recording with its truth was laid down: `kibitz simulate` writes such."""
    within = folder / "frames"
    return within if not _holds_pictures(folder) and _holds_pictures(within) else folder


def _holds_pictures(folder: Path) -> bool:
    """Whether a recording may be read from here; False also for what may not be looked into."""
    try:
        return folder.is_dir() and ((folder / "frames.csv").is_file() or any(map(_is_picture, folder.iterdir())))
    except OSError:
        return False


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in PICTURE_ENDINGS and path.is_file()


def _shots(folder: Path) -> tuple[Shot, ...]:
    table = folder / "frames.csv"
    try:
        return _listed_shots(table) if table.is_file() else _shots_by_name(folder)
    except PermissionError as trouble:
        raise SourceUnusable(f"{folder} may not be read by this user; expected read rights; change them") from trouble


def read_picture(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The whole picture, (h, w, 3) uint8 BGR; SourceUnusable if it is missing, cut short or damaged.

    OpenCV decodes a JPEG that was cut short with grey filling and no error, so its end marker is looked for first.
    """
    if path.is_dir():
        raise SourceUnusable(f"{path} is a folder; expected a picture: name those in it, such as {path}/*.jpg")
    try:
        data = path.read_bytes()
    except OSError as trouble:
        raise SourceUnusable(f"{path} cannot be opened ({trouble.strerror}); check that it is there") from trouble
    _refuse_cut_short(path, data)
    try:
        bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        bgr = None
    if bgr is None:
        raise SourceUnusable(f"{path.name} is no picture that can be decoded; expected a jpg or png; copy it again")
    _refuse_strip(path, bgr.shape[1], bgr.shape[0])
    return np.asarray(bgr, np.uint8)


def _refuse_strip(path: Path, width: int, height: int) -> None:
    if max(width, height) > LONGEST_SHAPE * min(width, height):
        raise SourceUnusable(
            f"{path.name} is a strip of {width} by {height} pixels; expected a picture of a whole board, "
            f"at most {LONGEST_SHAPE} times as long as wide; give the camera's own picture"
        )


def _refuse_cut_short(path: Path, data: bytes) -> None:
    if not data:
        raise SourceUnusable(f"{path.name} is empty; expected a jpg or png picture; copy it again")
    cut_jpeg = data.startswith(_JPEG_START) and data.find(_JPEG_END, _scan_start(data)) < 0
    cut_png = data.startswith(_PNG_START) and _PNG_END not in data[-4096:]
    if cut_jpeg or cut_png:
        raise SourceUnusable(
            f"{path.name} is cut short: {len(data)} bytes without the end mark of a picture; copy it again"
        )


def _scan_start(data: bytes) -> int:
    """Where a JPEG's own picture data begins, past its headers: a thumbnail in them has an end mark too.

    Within picture data the end mark cannot occur by chance (ITU-T T.81, B.1.1.5); what follows it is padding.
    """
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xDA:
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return at


def _shots_by_name(folder: Path) -> tuple[Shot, ...]:
    pictures = sorted(filter(_is_picture, folder.iterdir()))
    if not pictures:
        within = sorted(place for place in folder.iterdir() if _holds_pictures(place))
        cure = f"give a folder that does, such as {within[0]}" if within else "check the path"
        raise SourceUnusable(f"{folder} holds no jpg or png picture; expected the frames of a recording; {cure}")
    return tuple(Shot(path, number / FRAMES_PER_SECOND) for number, path in enumerate(pictures))


def _listed_shots(table: Path) -> tuple[Shot, ...]:
    """The pictures that frames.csv (`file,seconds`) names, in its order."""
    try:
        with table.open(encoding="utf-8-sig", newline="") as lines:
            rows = [row for row in csv.reader(lines) if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as trouble:
        raise SourceUnusable(f"{table} cannot be read ({trouble}); expected lines of file,seconds") from trouble
    if rows and [cell.strip().lower() for cell in rows[0]][:2] == ["file", "seconds"]:
        rows = rows[1:]
    if not rows:
        raise SourceUnusable(
            f"{table} lists no picture; expected lines of file,seconds; fill it, or remove it to go by name"
        )
    shots = tuple(_listed_shot(table, number, row) for number, row in enumerate(rows, start=1))
    missing = [shot.path.name for shot in shots if not shot.path.is_file()]
    if missing:
        raise SourceUnusable(
            f"{table} names {len(missing)} pictures that are not there, the first {missing[0]}; "
            "expected every listed file in the same folder; copy them or take their lines out"
        )
    _refuse_backward_times(table, shots)
    return shots


def _listed_shot(table: Path, number: int, row: list[str]) -> Shot:
    try:
        name, text = row[0].strip(), row[1].strip()
        seconds = float(text)
    except (IndexError, ValueError):
        seconds = math.nan
        name = ""
    if not name or not math.isfinite(seconds):
        raise SourceUnusable(
            f"{table}, picture {number}: saw {','.join(row)!r}; expected a file name and a number of seconds "
            "such as f0003.jpg,1.5; mend that line"
        )
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise SourceUnusable(
            f"{table}, picture {number}: saw {name!r}, which lies outside the recording; expected a file in "
            f"{table.parent}: copy the picture there and write its name alone"
        )
    return Shot(table.parent / name, seconds)


def _refuse_backward_times(table: Path, shots: tuple[Shot, ...]) -> None:
    for earlier, later in pairwise(shots):
        if later.seconds < earlier.seconds:
            raise SourceUnusable(
                f"{table}: {later.path.name} at {later.seconds:g} s follows {earlier.path.name} at "
                f"{earlier.seconds:g} s; expected times that do not run backwards; sort its lines by time"
            )
