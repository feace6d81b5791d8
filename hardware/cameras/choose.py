"""Which camera a person means: by name, by path, or whichever works here."""

import importlib.util
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hardware.cameras.paced import Paced
from hardware.cameras.picamera import PiCamera
from hardware.cameras.recorded import open_recorded
from hardware.cameras.simulated import SimulatedBoard
from hardware.cameras.source import FrameSource
from hardware.cameras.usb import UsbCamera, open_capture
from hardware.errors import NoCamera, SourceUnusable

FORMS = (
    "auto (the Pi's camera, else a USB camera, else the simulated board), simulated, picamera, "
    "usb:N (N from 0, as in /dev/videoN), or the path of a folder of pictures or of a video"
)

_NOT_CAMERAS = ("bcm2835", "pispbe", "rpi", "rp1", "unicam")
"""Names of the Pi's own video nodes (codecs, the picture processor): no USB cameras."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What is plugged in, asked when it matters; tests give their own answers."""

    picamera: Callable[[], bool]
    usb_numbers: Callable[[], tuple[int, ...]]
    usb_works: Callable[[int], bool]


def open_camera(spec: str, variant_name: str, seed: int, found: Found | None = None, speed: float = 1.0) -> FrameSource:
    """The source that `spec` names, not yet entered; recordings come at `speed` times their own pace.

    Raises SourceUnusable for a name of no known form.
    """
    name = spec.strip()
    if name == "auto":
        return _first_that_works(variant_name, seed, found or here())
    if name == "simulated":
        return SimulatedBoard(variant_name, seed)
    if name == "picamera":
        return PiCamera()
    if number := re.fullmatch(r"usb:(\d{1,3})", name):
        return UsbCamera(int(number[1]))
    if name and not name.startswith("usb:") and _is_there(name):
        return Paced(open_recorded(Path(name).expanduser()), speed)
    raise SourceUnusable(f"saw the camera {spec!r}, and there is no such file; expected {FORMS}")


def _is_there(name: str) -> bool:
    # A name too long or with a zero byte is no path; a home that is not known cannot be expanded.
    try:
        return Path(name).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def here() -> Found:
    """What this machine says about itself."""
    return Found(picamera=_picamera_starts, usb_numbers=usb_numbers, usb_works=_usb_delivers)


def usb_numbers(devices: Path = Path("/dev"), names: Path = Path("/sys/class/video4linux")) -> tuple[int, ...]:
    """Numbers of the video devices that may be USB cameras, in order."""
    numbers = sorted(int(p.name[5:]) for p in devices.glob("video*") if p.name[5:].isdigit())
    return tuple(n for n in numbers if not _device_name(names, n).startswith(_NOT_CAMERAS))


def _device_name(names: Path, number: int) -> str:
    try:
        return (names / f"video{number}" / "name").read_text(encoding="utf-8", errors="replace").strip().lower()
    except OSError:
        return ""


def _first_that_works(variant_name: str, seed: int, found: Found) -> FrameSource:
    if found.picamera():
        return PiCamera()
    for number in found.usb_numbers():
        if found.usb_works(number):
            return UsbCamera(number)
    _log.info("no camera found; showing the simulated board")
    return SimulatedBoard(variant_name, seed)


def _picamera_starts() -> bool:
    if importlib.util.find_spec("picamera2") is None:
        return False
    try:
        with PiCamera():
            return True
    except NoCamera as trouble:
        _log.info("%s", trouble)
        return False


def _usb_delivers(number: int) -> bool:
    """Whether a picture comes: one camera shows up as several devices, of which one delivers."""
    capture = open_capture(number)
    try:
        return capture.isOpened() and any(capture.read()[0] for _ in range(3))
    finally:
        capture.release()
