"""Where this user's data lies and how the companion behaves: one TOML file, read once."""

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

from server.errors import UsageError


def _setting(default: Any, low: float, high: float, what: str) -> Any:
    return field(default=default, metadata={"low": low, "high": high, "what": what})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its bounds and what it does."""

    settle_seconds: float = _setting(0.4, 0.1, 10.0, "how long the board must be still before it is read")
    fault_seconds: float = _setting(0.9, 0.2, 30.0, "how long an irregular board stands before anybody is told")
    least_margin: float = _setting(2.5, 0.1, 50.0, "by how much (natural log) an explanation must win")
    looks_a_second: float = _setting(4.0, 0.2, 30.0, "how often a still board is read")
    jpeg_quality: int = _setting(80, 20, 100, "quality of the pictures on the dashboard")
    hint_seconds: float = _setting(2.0, 0.1, 60.0, "time for a hint")

    def __post_init__(self) -> None:
        for known in fields(self):
            value = getattr(self, known.name)
            low, high = known.metadata["low"], known.metadata["high"]
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
                raise UsageError(
                    f"settings: saw {known.name} = {value!r}; expected {low} to {high}: {known.metadata['what']}"
                )


def read_settings(path: Path) -> Settings:
    """The settings of a TOML file; the defaults if there is none."""
    if not path.exists():
        return Settings()
    if not path.is_file():
        raise UsageError(f"{path}: saw no plain file; expected TOML such as settle_seconds = 0.4, or nothing there")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path}: {error}; expected TOML such as settle_seconds = 0.4") from error
    known = {f.name for f in fields(Settings)}
    strange = sorted(set(data) - known)
    if strange:
        raise UsageError(f"{path}: saw {', '.join(strange)}; expected only {', '.join(sorted(known))}")
    return Settings(**data)


def data_folder(given: Path | None) -> Path:
    """Where games and calibrations are kept. Raises UsageError for a file."""
    if given is not None and given.exists() and not given.is_dir():
        raise UsageError(f"--data: saw {given}, which is a file; expected the folder in which Kibitz keeps its games")
    return given if given is not None else Path(platformdirs.user_data_dir("kibitz"))
