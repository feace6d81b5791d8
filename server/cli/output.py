"""Data to stdout: lines of text or one JSON object per line."""

import json
import sys
from collections.abc import Mapping
from typing import Any

_LONGEST = 4000
"""Characters of one message for people: what was seen may be a whole file."""
_CONTROLS = [code for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"]
"""Characters that command a terminal."""
_SHOWN = {code: f"\\x{code:02x}" for code in _CONTROLS}
_REPLACED = dict.fromkeys(_CONTROLS, "\ufffd")
"""One for one: lines of PDN stay as long as they were."""


def say(line: str) -> None:
    sys.stdout.write(line.translate(_REPLACED) + "\n")


def say_json(data: Mapping[str, Any]) -> None:
    line = json.dumps(data, ensure_ascii=False)
    try:
        line.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        line = json.dumps(data)
    sys.stdout.write(line + "\n")


def complain(line: str) -> None:
    """A message for people; of one that is too long to be read the middle is left out."""
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"
    sys.stderr.write(f"kibitz: {line.translate(_SHOWN)}\n")
