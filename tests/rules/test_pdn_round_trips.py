"""What is read, written and read again is the same, in every variant."""

import random

import pytest

from rules.fen import fen, parse_fen
from rules.legal_moves import legal_moves, play
from rules.pdn_lines import Line, Note
from rules.pdn_reader import read_games
from rules.pdn_replay import replay
from rules.pdn_rewriting import rewritten
from rules.pdn_tokens import Token, TokenKind
from rules.pdn_writer import WrittenLine, WrittenPly, in_notation, write_line
from rules.position import Position
from rules.variant import Notation, Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named

_TAGS = (
    ("Event", 'Club "C" \\ 1'),
    ("White", "Ann"),
    ("Black", "Béla Żak"),
    ("Result", "1-0"),
    ("Note", "a"),
    ("Note", "b"),
)
_LONG = "{a longer remark, 2.39-34 and (brackets) in it}"
_REMARKS = ("!", "?!", "$3", "$14", "{good}", "{[%clock w0:10:00 B0:09:58]}", _LONG)


def _line(variant: Variant, start: Position, plies: int, depth: int, chance: random.Random) -> WrittenLine:
    """Random legal play with remarks, side lines and set-ups."""
    position, written = start, []
    for _ in range(plies):
        legal = legal_moves(variant, position)
        if not legal:
            break
        move = chance.choice(legal)
        remarks: list[str | WrittenLine] = chance.sample(_REMARKS, chance.randrange(3)) if chance.random() < 0.4 else []
        if depth and chance.random() < 0.2:
            remarks.append(_line(variant, position, 3, depth - 1, chance))
        after = play(variant, position, move)
        written.append(WrittenPly(move, remarks=tuple(remarks)))
        position = after
        if depth == 2 and chance.random() < 0.05:
            written.append(WrittenPly(None, setup=start, remarks=("{put back}",)))
            position = start
    return WrittenLine(start, tuple(written), ("{before}",) if chance.random() < 0.5 else ())


def _told(notes: tuple[Note, ...]) -> list[object]:
    return [_shape(note) if isinstance(note, Line) else _remark(note) for note in notes]


def _remark(note: Token) -> str:
    return "{" + note.text + "}" if note.kind is TokenKind.COMMENT else note.text


def _shape(line: Line) -> tuple[object, ...]:
    plies = [(p.move and p.move.key, p.position if p.is_setup else None, _told(p.notes)) for p in line.plies]
    return (line.start, _told(line.opening), plies)


def _meant(line: WrittenLine) -> tuple[object, ...]:
    def remarks(of: tuple[str | WrittenLine, ...]) -> list[object]:
        return [_meant(one) if isinstance(one, WrittenLine) else one for one in of]

    plies = [(ply.move and ply.move.key, ply.setup, remarks(ply.remarks)) for ply in line.plies]
    return (line.start, remarks(line.opening), plies)


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_a_game_with_everything_around_its_moves_survives_being_written(name: str) -> None:
    variant, chance = variant_named(name), random.Random(name)
    line = _line(variant, start_position(variant), 24, 2, chance)
    text = write_line(_TAGS, variant, line, "1-0", full=True)
    assert max(len(row) for row in text.splitlines() if "/FEN" not in row) < 80
    (game,) = read_games([text])
    told = replay(game, variant)
    assert told.problems == ()
    assert _shape(told.line) == _meant(line)
    assert game.tags[:4] == _TAGS[:4]
    assert [value for key, value in game.tags if key == "Note"] == ["a", "b"]
    assert told.result == "1-0"
    assert rewritten(game, told) == text


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_what_is_written_is_read_as_the_variant_it_was_written_in(name: str) -> None:
    variant = variant_named(name)
    line = _line(variant, start_position(variant), 12, 0, random.Random(name))
    (game,) = read_games([write_line((), variant, line, "", full=True)])
    told = replay(game)
    assert told.variant.name == name
    assert [move.key for move in told.moves] == [ply.move.key for ply in line.plies if ply.move]


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_positions_survive_being_written_in_the_games_notation(name: str) -> None:
    variant, chance = variant_named(name), random.Random(name)
    position = start_position(variant)
    for _ in range(60):
        assert parse_fen(variant, fen(variant, position)) == position
        legal = legal_moves(variant, position)
        if not legal:
            break
        position = play(variant, position, chance.choice(legal))


@pytest.mark.parametrize("name", ["international", "english", "italian", "russian", "turkish", "portuguese"])
@pytest.mark.parametrize("notation", list(Notation))
def test_games_survive_in_numbers_and_in_letters(name: str, notation: Notation) -> None:
    variant = variant_named(name)
    line = _line(variant, start_position(variant), 30, 1, random.Random(name))
    text = write_line((), in_notation(variant, notation), line, "*", full=True)
    (game,) = read_games([text])
    told = replay(game)
    assert (told.variant.name, told.problems) == (name, ())
    assert [m.key for m in told.moves] == [ply.move.key for ply in line.plies if ply.move]


def test_the_strict_form_keeps_moves_and_words_and_ends_before_a_set_up() -> None:
    variant = variant_named("international")
    start = start_position(variant)
    one, other = legal_moves(variant, start)[:2]
    aside = WrittenLine(start, (WrittenPly(other),))
    ply = WrittenPly(one, remarks=("!", "{[%clk 0:10] fine}", aside))
    line = WrittenLine(start, (ply, WrittenPly(None, setup=start)))
    text = write_line((), variant, line, "1-1", full=True)
    (game,) = read_games([text])
    strict = rewritten(game, replay(game), full=False)
    assert strict.splitlines()[-1] == "1. 31-27 {fine} 1-1"
