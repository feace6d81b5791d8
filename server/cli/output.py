"""Data to stdout: lines of text or one JSON object per line."""

import json
import sys
from collections.abc import Mapping
from typing import Any


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def say_json(data: Mapping[str, Any]) -> None:
    line = json.dumps(data, ensure_ascii=False)
    try:
        line.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        line = json.dumps(data)
    sys.stdout.write(line + "\n")


def complain(line: str) -> None:
    sys.stderr.write(f"kibitz: {line}\n")
