"""The words of PDN text, well written or not: tags, moves, comments, set-ups, results, each with its place."""

import re
from collections.abc import Generator, Iterable, Iterator
from enum import Enum
from typing import NamedTuple

_LONGEST_LINE = 65_536
_LONGEST_COMMENT = 1_000_000
_SQUARE = r"(?:[a-tасеA-TАСЕ]\d{1,2}|\d{1,3})"
_SIGN = r"(?:[-=]>|--|[-x:X×хХ–—−‐‑\xad_~>→⇒])"
_RESULT = r"""
    1\ 1/2\s*-\s*1/2|1/2\s*-\s*1\ 1/2|1/2(?:\s*-\s*1/2)?|½(?:\s?-\s?½)?|\d+\.\d+\s*-\s*\d+\.\d+
    |1\+\s*-\s*1-|1-\s*-\s*1\+|1[+]|1=|(?:1-1|2-0|0-2|0-0|1-0|0-1)(?![\dx:.-])
    |(?:[12]\ -\ 0|0\ -\ [12]|1\ -\ 1|0\ -\ 0)(?![\dx:.-])
"""
_TOKEN = re.compile(
    rf"""
    (?:\s|\\[nrt])*+(?:
    (?P<plain>(?:(?:[3-9]|[1-9]\d)[-x:]\d{{1,2}}|[a-h]\d[-x:][a-h]\d)(?=\s|$))
    |(?P<number>\d{{1,3}}\.(?:\.\.)?(?!\d+\s*-\s*\d+\.\d))
    |(?P<comment>\{{[^}}]*\}})
    |(?P<tag>\[\s*(?:(?P<name>[\w.-]+)\s*"(?P<value>(?:\\.|[^"\\]|"(?!\s*(?:\]|$)))*)"?\s*\]?
        |(?P<bare>[A-Za-z]\w*)\s+(?P<loose>[^"\[\]]*)\]))
    |(?P<setup>/\s*FEN\s*"(?P<fen>[^"]*)"\s*/)
    |(?P<remark>\{{)
    |(?P<strength>\([!?]+\)|[!?]+)
    |(?P<nag>\$\d+)
    |(?P<result>{_RESULT})
    |(?P<move>{_SQUARE}(?:(?:[ ]?{_SIGN}[ ]{{0,2}}|\*){_SQUARE})+ | [a-tA-T]\d{{1,2}}(?:[a-tA-T]\d{{1,2}})+
        | \d{{4}}(?![\d.]))
    |(?P<long_number>\d+\s*\.(?:\.\.)?)
    |(?P<unknown>\.\.\.|[-–](?=\s|$))
    |(?P<forced>(?<=\d)\*(?=\s*(?:\)|(?!1\s*\.)(?:\d|[a-h]\d))))
    |(?P<star>\*)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<rest_of_line>;.*)
    |(?P<junk>(?:[^\s\[\]{{}}()*$/;\\]|\\(?![nrt]))+|\S)
    |(?P<nothing>$)
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_MOVE = r"""
    (?:(?:[3-9]|[1-9]\d)[-x:]\d\d?+|[12][-x:](?:[1-9]\d|[3-9])|[a-h]\d[-x:][a-h]\d)
    (?:[-x:](?:\d\d?+|[a-h]\d))*+
"""
_PLAINLY = re.compile(
    rf"""
    \s*+(?:
    (?P<moves>(?:(?:\d{{1,3}}+\.\s*+)?{_PLAIN_MOVE}(?:\s++|$)){{2,}}+)
    |\[(?P<name>\w++)[ ]"(?P<value>[^"\\\n]*+)"\][ \t]*+(?=\n|$)
    )
    """,
    re.VERBOSE,
)
"""What most of a file is made of, read at one go: moves over many lines, and tags on lines of their own."""
_INVISIBLE = re.compile(
    r"""\{[^}]*(?:\}|$)|\[\s*[\w.-]+\s*"[^"]*"\s*\]|([\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+)"""
)
"""Marks that show nothing and come with text copied from elsewhere; in comments and tags they may mean something."""
_TAG_LINE = re.compile(r'\s*\[\s*[\w.-]+\s*"(?:\\.|[^"\\])*"\s*\]\s*$')
_DUMPED = re.compile(r'\s*"?\[\w+ \\"')


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
    STRETCH = "stretch"
    """Several plain moves with their numbers, taken together for speed; `expanded` makes them words."""
    BROKEN = "broken"
    """A comment whose closing bracket is missing; the text is what it seems to hold."""


class Token(NamedTuple):
    """One word: `text` without its brackets; `name` is the tag's name, otherwise empty. Places count from 1."""

    kind: TokenKind
    text: str
    line: int
    column: int
    name: str = ""
    closed: bool = True
    """False for a tag without its closing bracket."""


_KIND = {kind.value: kind for kind in TokenKind} | {
    "plain": TokenKind.MOVE,
    "long_number": TokenKind.NUMBER,
    "forced": TokenKind.STRENGTH,
    "star": TokenKind.RESULT,
    "rest_of_line": TokenKind.COMMENT,
}


def blocks_of(chunks: Iterable[str]) -> Iterator[str]:
    """The text in pieces of whole lines, not too long, however it is cut into chunks; endless lines end at a blank."""
    rest = ""
    for chunk in chunks:
        rest += chunk
        held = rest.endswith("\r")
        text = (rest[:-1] if held else rest).replace("\r\n", "\n").replace("\r", "\n")
        begin, end = 0, text.rfind("\n") + 1
        while begin < end:
            stop = text.find("\n", begin + _LONGEST_LINE, end) + 1 or end
            yield text[begin:stop]
            begin = stop
        rest = text[end:] + ("\r" if held else "")
        if len(rest) > _LONGEST_LINE:
            cut = rest.rfind(" ") + 1 or len(rest)
            yield rest[:cut] + "\n"
            rest = rest[cut:]
    if rest:
        yield rest.rstrip("\r")


def tokens_of(chunks: Iterable[str]) -> Iterator[Token]:
    """The words of a text in order. Every text can be read: what has no meaning is JUNK."""
    remark: _Remark | None = None
    number = 1
    for block in blocks_of(chunks):
        text = block.lstrip("\ufeff") if number == 1 else block
        at = begin = 0
        while at < len(text):
            if remark is None and (plain := _PLAINLY.match(text, at)) is not None:
                is_tag = plain.lastgroup == "value"
                start = plain.start("name") - 1 if is_tag else plain.start("moves")
                number, begin = _moved(text, at, start, number, begin)
                if is_tag:
                    yield Token(TokenKind.TAG, plain["value"].strip(), number, start - begin + 1, plain["name"])
                else:
                    yield Token(TokenKind.STRETCH, plain["moves"], number, start - begin + 1)
                at = plain.end()
                number, begin = _moved(text, start, at, number, begin)
                continue
            end = text.find("\n", at)
            end = end if end >= 0 else len(text)
            line = _plain(text[begin:end] if block.isascii() else text[begin:at] + _visible(text[at:end], remark))
            remark = yield from _words_of(line, at - begin, number, remark)
            number, at, begin = number + 1, end + 1, end + 1
    if remark is not None:
        yield remark.token(closed=False)


def _moved(text: str, at: int, to: int, number: int, begin: int) -> tuple[int, int]:
    """The number of the line in which place `to` is, and where that line begins, told from those of `at`."""
    lines = text.count("\n", at, to)
    return (number + lines, text.rfind("\n", at, to) + 1) if lines else (number, begin)


def _words_of(line: str, at: int, number: int, remark: "_Remark | None") -> "Generator[Token, None, _Remark | None]":
    """The words of a line from a place on, in a comment begun before or not; the comment that goes on after it."""
    if remark is not None:
        at = remark.take(line)
        if at < 0:
            return remark
        yield remark.token(closed=at > 0)
    elif line.startswith("%"):
        return None
    for match in _TOKEN.finditer(line, at):
        kind = match.lastgroup
        if kind is None or kind == "nothing":
            continue
        if kind == "remark":
            return _Remark(line[match.end() :], number, match.start(kind) + 1)
        yield _token(match, kind, number)
    return None


def expanded(token: Token) -> Iterator[Token]:
    """The words of a stretch; any other token as it is."""
    if token.kind is not TokenKind.STRETCH:
        yield token
        return
    column = token.column
    for number, line in enumerate(token.text.split("\n"), start=token.line):
        for match in _TOKEN.finditer(line):
            kind = match.lastgroup
            if kind is not None and kind != "nothing":
                yield Token(_KIND[kind], match[kind], number, column + match.start(kind))
        column = 1


class _Remark:
    """A comment of several lines while it is read."""

    __slots__ = ("column", "length", "line", "parts")

    def __init__(self, first: str, line: int, column: int) -> None:
        self.parts = [first]
        self.length = len(first)
        self.line, self.column = line, column

    def take(self, line: str) -> int:
        """Takes a line of the comment in; where the line goes on after it, 0 if the comment ended before it, or -1."""
        end = line.find("}")
        if self.length > _LONGEST_COMMENT or (end < 0 and _TAG_LINE.match(line)):
            return 0
        self.parts.append(line if end < 0 else line[:end])
        self.length += len(line) + 1
        return end + 1 if end >= 0 else -1

    def token(self, *, closed: bool) -> Token:
        kind = TokenKind.COMMENT if closed else TokenKind.BROKEN
        return Token(kind, " ".join(part.strip() for part in self.parts).strip(), self.line, self.column)


def _visible(line: str, remark: _Remark | None) -> str:
    """A line without invisible marks outside comments and tags; its columns count what can be seen."""
    return line if remark is not None else _INVISIBLE.sub(lambda match: "" if match[1] else match[0], line)


def _plain(line: str) -> str:
    """A line of a dump that was escaped once too often, made plain."""
    if "\\" in line and _DUMPED.match(line):
        return line.replace('\\"', '"').replace("\\n", " ")
    return line


def _token(match: re.Match[str], kind: str, line: int) -> Token:
    column = match.start(kind) + 1
    text = match[kind]
    if kind == "comment":
        text = text[1:-1].strip()
    elif kind == "tag":
        value = match["loose"] if match["name"] is None else match["value"]
        value = re.sub(r"\\(.)", r"\1", value) if "\\" in value else value
        return Token(TokenKind.TAG, value.strip(), line, column, match["name"] or match["bare"], text.endswith("]"))
    elif kind == "setup":
        text = match["fen"]
    elif kind == "rest_of_line":
        text = text[1:].strip()
    return Token(_KIND[kind], text, line, column)
