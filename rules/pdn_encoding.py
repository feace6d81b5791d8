"""Bytes of PDN files as text: UTF-8 and UTF-16, with CP1251 and Latin-1 for what is neither."""

import codecs
import re
from collections.abc import Iterable, Iterator

_CYRILLIC_RUN = re.compile(rb"[\xc0-\xff\xa8\xb8]{3,}")
_CYRILLIC = frozenset((*range(0xC0, 0x100), 0xA8, 0xB8))
_BYTE_ORDERS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_LONGEST_LINE = 1 << 20
_WIDE_SAMPLE = 400
_SAMPLE_HIGH = 200_000
BINARY_SAMPLE = 4096
"""Bytes at the beginning of a file by which is_binary tells."""
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\f\r\x1a"))
_FEW_CONTROLS, _MOST_CONTROLS = 8, 0.03
_NO_TEXT = 0.25


def decode(raw: bytes) -> str:
    """The whole text of a file in memory."""
    return "".join(text_of([raw], encoding_of([raw]))).removeprefix("\ufeff")


def encoding_of(chunks: Iterable[bytes]) -> str:
    """The encoding of a file: UTF-16 by its byte order mark or its zero bytes, else what lines not in UTF-8 are in.

    The answer is `utf-16-le`, `utf-16-be`, `cp1251` if those lines look Cyrillic, or else `latin-1`.
    """
    high = letters = in_runs = 0
    for number, block in enumerate(_blocks(chunks)):
        if number == 0 and (wide := _wide(block)):
            return wide
        if block.isascii() or high > _SAMPLE_HIGH or _is_utf_8(block):
            continue
        for line in block.splitlines():
            if not line.isascii() and not _is_utf_8(line):
                high += sum(byte >= 0x80 for byte in line)
                letters += sum(byte in _CYRILLIC for byte in line)
                in_runs += sum(map(len, _CYRILLIC_RUN.findall(line)))
    return "cp1251" if in_runs > letters / 2 and letters >= 0.9 * high > 0 else "latin-1"


def is_binary(start: bytes, encoding: str) -> bool:
    """Whether too many bytes of a file's `start` are no text in any encoding; a stray one costs nobody his games."""
    head = start[:BINARY_SAMPLE]
    controls = 0 if encoding.startswith("utf-16") else len(head) - len(head.translate(None, _CONTROLS))
    return controls > _MOST_CONTROLS * len(head) and (controls > _FEW_CONTROLS or controls > _NO_TEXT * len(head))


def text_of(chunks: Iterable[bytes], encoding: str) -> Iterator[str]:
    """The text in pieces of whole lines: each line as UTF-8 where it is, otherwise in the given encoding.

    A byte order mark stays in front; the reader passes over it.
    """
    if encoding.startswith("utf-16"):
        decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        yield from (decoder.decode(chunk) for chunk in chunks)
        yield decoder.decode(b"", final=True)
        return
    for block in _blocks(chunks):
        try:
            yield block.decode("utf-8")
        except UnicodeDecodeError:
            yield "".join(_line(line, encoding) for line in block.splitlines(keepends=True))


def _line(line: bytes, encoding: str) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode(encoding, errors="replace")


def _is_utf_8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _wide(start: bytes) -> str:
    """The kind of UTF-16 that a file begins in; empty if it does not."""
    for mark, name in _BYTE_ORDERS:
        if start.startswith(mark):
            return name
    head = start[: _WIDE_SAMPLE // 2 * 2]
    zeros = head[1::2].count(0), head[::2].count(0)
    if len(head) >= 8 and max(zeros) > len(head) / 4 and min(zeros) == 0:
        return "utf-16-le" if zeros[0] else "utf-16-be"
    return ""


def _blocks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes again, cut after ends of lines so that no character is torn; endless lines are cut where they are."""
    rest = b""
    for chunk in chunks:
        rest += chunk
        cut = max(rest.rfind(b"\n"), rest.rfind(b"\r")) + 1
        if cut == 0 and len(rest) > _LONGEST_LINE:
            cut = len(rest)
            while cut > len(rest) - 4 and rest[cut - 1] & 0xC0 == 0x80:
                cut -= 1
            cut -= rest[cut - 1] >= 0xC0
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest
