"""The words of PDN text, well written or not: tags, moves, comments, set-ups, results, each with its place."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

_LONGEST_LINE = 65_536
_SQUARE = r"(?:[a-tA-T]\d{1,2}|\d{1,3})"
_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|\\[nrt])
    |(?P<tag>\[\s*(?P<name>\w+)\s*"(?P<value>(?:\\.|[^"\\])*)"?\s*\]?)
    |(?P<setup>/\s*FEN\s*"(?P<fen>[^"]*)"\s*/)
    |(?P<remark>\{)
    |(?P<strength>\([!?]+\)|[!?]+)
    |(?P<nag>\$\d+)
    |(?P<result>1\ 1/2\s*-\s*1/2|1/2\s*-\s*1\ 1/2|1/2(?:\s*-\s*1/2)?|½(?:-½)?|\d+\.\d+\s*-\s*\d+\.\d+
        |1\+\s*-\s*1-|1-\s*-\s*1\+|1[+]|1=|(?:1-1|2-0|0-2|0-0|1-0|0-1)(?![\dx:.-]))
    |(?P<move>SQ(?:(?:[ ]?[-x:×–][ ]{0,2}|\*)SQ)+ | [a-tA-T]\d{1,2}(?:[a-tA-T]\d{1,2})+ | \d{4}(?![\d.]))
    |(?P<number>\d+\s*\.(?:\.\.)?)
    |(?P<unknown>\.\.\.|[-–](?=\s|$))
    |(?P<star>\*)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<junk>[^\s\[\]{}()*$/]+|.)
    """.replace("SQ", _SQUARE),
    re.VERBOSE | re.DOTALL,
)


class TokenKind(Enum):
    """What a word of PDN text is."""

    TAG = "tag"
    MOVE = "move"
    NUMBER = "number"
    UNKNOWN = "unknown"
    """A move that was not written down: three dots or a dash."""
    SETUP = "setup"
    COMMENT = "comment"
    NAG = "nag"
    STRENGTH = "strength"
    RESULT = "result"
    OPEN = "open"
    CLOSE = "close"
    JUNK = "junk"


@dataclass(frozen=True, slots=True)
class Token:
    """One word: `text` without its brackets; `name` is the tag's name, otherwise empty. Places count from 1."""

    kind: TokenKind
    text: str
    line: int
    column: int
    name: str = ""


def decode(raw: bytes) -> str:
    """Text of a PDN file: UTF-8, or else CP1251 if what it gives looks Cyrillic, or else Latin-1."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", errors="replace")
    high = [byte for byte in raw if byte >= 0x80]
    letters = sum(byte >= 0xC0 or byte in (0xA8, 0xB8) for byte in high)
    runs = len(re.findall(rb"[\xc0-\xff]{3,}", raw))
    if runs and letters >= 0.9 * len(high) and sum(map(len, re.findall(rb"[\xc0-\xff]{3,}", raw))) > letters / 2:
        return raw.decode("cp1251", errors="replace")
    return raw.decode("latin-1")


def lines_of(chunks: Iterable[str]) -> Iterator[str]:
    """Lines without their ends, however the text is cut into chunks; endless ones are cut at a blank."""
    rest = ""
    for chunk in chunks:
        rest += chunk
        held = rest.endswith("\r")
        pieces = (rest[:-1] if held else rest).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        rest = pieces.pop() + ("\r" if held else "")
        yield from pieces
        if len(rest) > _LONGEST_LINE:
            cut = rest.rfind(" ") + 1 or len(rest)
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest.rstrip("\r")


def tokens_of(chunks: Iterable[str]) -> Iterator[Token]:
    """The words of a text in order. Every text can be read: what has no meaning is JUNK."""
    remark: list[str] | None = None
    begun = (1, 1)
    for number, raw in enumerate(lines_of(chunks), start=1):
        line = _unescaped(raw.lstrip("\ufeff") if number == 1 else raw)
        at = 0
        if remark is None and line.startswith("%"):
            continue
        while at < len(line):
            if remark is not None:
                end = line.find("}", at)
                remark.append(line[at:] if end < 0 else line[at:end])
                if end < 0:
                    break
                yield Token(TokenKind.COMMENT, " ".join(remark).strip(), *begun)
                remark, at = None, end + 1
                continue
            match = _TOKEN.match(line, at)
            if match is None:
                break
            at = match.end()
            if match.lastgroup == "remark" or match["remark"]:
                remark, begun = [], (number, match.start() + 1)
                continue
            token = _token(match, number)
            if token is not None:
                yield token
    if remark is not None:
        yield Token(TokenKind.COMMENT, " ".join(remark).strip(), *begun)


def _unescaped(line: str) -> str:
    """A line of a dump that was escaped once too often, made plain."""
    if re.match(r'\s*"?\[\w+ \\"', line):
        return line.replace('\\"', '"').replace("\\n", " ")
    return line


def _token(match: re.Match[str], line: int) -> Token | None:
    column = match.start() + 1
    if match["blank"]:
        return None
    if match["tag"]:
        value = re.sub(r"\\(.)", r"\1", match["value"]).strip()
        return Token(TokenKind.TAG, value, line, column, match["name"])
    if match["setup"]:
        return Token(TokenKind.SETUP, match["fen"], line, column)
    if match["star"]:
        return Token(TokenKind.RESULT, "*", line, column)
    for kind in _PLAIN:
        if match[kind.value]:
            return Token(kind, match[0].strip(), line, column)
    return None


_PLAIN = (
    TokenKind.MOVE,
    TokenKind.NUMBER,
    TokenKind.UNKNOWN,
    TokenKind.NAG,
    TokenKind.STRENGTH,
    TokenKind.RESULT,
    TokenKind.OPEN,
    TokenKind.CLOSE,
    TokenKind.JUNK,
)
