"""The PIN and the secret that signs cookies, kept so that nobody has to enter the PIN again after a power cut."""

import json
import logging
import os
import secrets
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Door:
    """Who may command the companion."""

    pin: str
    secret: bytes


def kept_door(path: Path, pin: str | None) -> Door:
    """The kept PIN and secret, or new ones; a `pin` that is given wins and is not kept."""
    kept = _read(path)
    if kept is None:
        kept = Door(f"{secrets.randbelow(10**6):06d}", secrets.token_bytes(32))
        _write(path, kept)
    return kept if pin is None else Door(pin, kept.secret)


def _read(path: Path) -> Door | None:
    if not path.is_file():  # reading a pipe would wait for ever
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        door = Door(str(data["pin"]), bytes.fromhex(data["secret"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return door if door.pin.isdigit() and len(door.secret) >= 16 else None


def _write(path: Path, door: Door) -> None:
    """Written whole or not at all, for the owner's eyes only; without a disk they last until the next start."""
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"pin": door.pin, "secret": door.secret.hex()}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as trouble:
        folder = next((place for place in (path, beside) if place.is_dir()), None)
        cure = f"move the folder {folder} away" if folder else "check the disk and who may write there"
        logging.getLogger(__name__).warning(
            "the PIN cannot be kept in %s (%s), so the next start makes another one; %s, or give one with --pin",
            path,
            trouble.strerror,
            cure,
        )
