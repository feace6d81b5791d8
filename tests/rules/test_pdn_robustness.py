"""No bytes break the reader, none take it long, and no file is too large for it."""

import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.pdn_encoding import decode, encoding_of, text_of
from rules.pdn_reader import read_games
from rules.pdn_replay import replay
from rules.pdn_rewriting import rewritten

SHARED = Path(__file__).resolve().parents[3] / "shared" / "pdn"
_REAL = """[Event "a"]
[GameType "20"]
[FEN "W:W31-50:B1-20."]
1. 32-28 {c [%clock w0:10:00 B0:09:58]} 19-23! 2. 28x19 14x23 (2... 13x24 3. 33-29 $2) 3. 37-32 10- 14 2-0
[Event "b"]
1. c3-d4 d6:e5 /FEN "B::"/ f6-e5 1/2-1/2
1. 11-15 24-20 2. 8x11 *
"""
_WORDS = r"""{ } ( ) [ ] " * \ / ; % $3 1-0 4-6 ½ ³ ٣ х 32-28 28x19x8 a3b4 3228 99-1 1. ... - K31 /FEN "B::"/"""
_LINES = ("\n", "\r", "\\n", "\0", '[Result "4-6"]', '[FEN "W:W31:B2"]', "1 - 0", "[%clk 1:00]")
_PIECES = (*_WORDS.split(" "), *_LINES)
_MONSTERS = (
    *("(" * 5000, "{" * 5000, '["' * 5000, "1" * 60_000, " " * 60_000 + "x", "32-28 " * 9000, "\\n" * 30_000),
    *("1. 4x15 " * 400, "$" * 60_000, "!" * 60_000, "1/2" + " " * 60_000, '[a "' + "\\" * 60_000, "\0" * 60_000),
)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.binary(max_size=300) | st.lists(st.sampled_from(_PIECES), max_size=25).map(lambda p: " ".join(p).encode()))
def test_any_bytes_are_read_and_written_without_an_error(raw: bytes) -> None:
    for game in read_games([decode(raw)]):
        told = replay(game)
        (again,) = read_games([rewritten(game, told)])
        assert [m.key for m in replay(again).moves] == [m.key for m in told.moves]


def _mutated(raw: bytes, chance: random.Random) -> bytes:
    text = bytearray(raw)
    for _ in range(chance.randrange(1, 10)):
        at = chance.randrange(len(text) + 1)
        match chance.randrange(4):
            case 0:
                text[at:at] = chance.choice(_PIECES).encode()
            case 1:
                del text[at : at + chance.randrange(1, 20)]
            case 2:
                text[at:at] = bytes([chance.randrange(256)])
            case _:
                other = chance.randrange(len(text) + 1)
                text[at:at] = text[other : other + chance.randrange(60)]
    return bytes(text)


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_game_keeps_its_legal_part_and_writing_it_anew_changes_nothing(seed: int) -> None:
    chance = random.Random(seed)
    for game in read_games([decode(_mutated(_REAL.encode(), chance))]):
        told = replay(game)
        text = rewritten(game, told)
        (again,) = read_games([text])
        assert rewritten(again, replay(again)) == text


@pytest.mark.skipif(not SHARED.is_dir(), reason="the collections of games are not beside the repository")
@pytest.mark.parametrize("seed", range(40))
def test_damaged_pieces_of_real_files_are_read(seed: int) -> None:
    chance = random.Random(seed)
    raw = chance.choice(sorted(SHARED.glob("*/*.pdn"))).read_bytes()
    start = chance.randrange(len(raw))
    for game in read_games([decode(_mutated(raw[start : start + 1200], chance))]):
        told = replay(game)
        assert told.ply_count == len(told.moves)


@pytest.mark.parametrize("text", _MONSTERS, ids=range(len(_MONSTERS)))
def test_monsters_are_read_in_time_that_grows_with_their_size(text: str) -> None:
    for game in read_games([text]):
        assert replay(game).ply_count < 10


def test_a_stream_of_any_length_takes_the_same_memory() -> None:
    def bytes_of(games: int) -> Iterator[bytes]:
        yield from (_REAL.encode() for _ in range(games))

    def peak(games: int) -> int:
        tracemalloc.start()
        assert sum(1 for _ in read_games(text_of(bytes_of(games), encoding_of(bytes_of(games))))) == 3 * games
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(600) < 1.2 * peak(60) + 50_000
