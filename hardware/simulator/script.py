"""Scripts for the simulated board: what is played, what goes wrong and what is put right, a line at a time.

A script is text, `#` begins a comment. Settings come first, one a line, the variant before the rest:

    variant NAME          the game (default: international)
    start FEN             the position in which the game begins
    standing FEN          what the board shows at first, if not that
    seed N                table, board, discs, camera, light and tempers
    kings stacked|crown   how the set shows kings
    mirrored              the board lies with its light corner at the players' left

Then what happens, in order. Squares are written as in the game's notation or by the board's names.

    32-28 19-23 28x19     legal moves; move numbers are skipped
    fast 32-28 19-23      the same, each hand over the board before the other is gone
    46-5 uncrowned        its crown is left off (crowned: one is put on, though the rules give none)
    32x14 leaving 19      a captured disc stays on the board
    32x23 also 40         a disc that was not captured goes with the others
    carry 32-27           a disc carried anywhere; `carry 32-23 taking 28` takes others off with it
    take 28               a disc taken off
    put white man 28      a piece put on a square (white|black man|king)
    crown 46              a crown put on
    touch 32              a disc lifted and put back
    shift 32 0.3 -0.1     a disc pushed that many squares off the middle of its square
    drop white man 4.5 3  a disc laid down there on the board, in squares from White's left and from White
    pick                  every dropped disc taken off again
    back                  all put as it was before the mistakes since the last legal move
    takeback 2            as it was before the last 2 legal moves
    turn white            from here on it is White's turn
    again                 the start position set up for another game
    wait 2                seconds of nothing
    hand 1.5              a hand held over the board for so many seconds
    bump 0.2 0.1 2        the board knocked: squares to the right, squares away from White, degrees
    light 0.7             the light times this
"""

from collections.abc import Callable
from dataclasses import dataclass

from hardware.errors import ScriptUnusable
from hardware.simulator.acts import Act
from hardware.simulator.scene import KingStyle
from hardware.simulator.script_lines import Reading, play_line, whole_number
from rules.errors import RulesError
from rules.fen import parse_fen
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import variant_named

DEFAULT_VARIANT = "international"


@dataclass(frozen=True, slots=True)
class Script:
    """What is to be played on which board."""

    variant: Variant
    start: Position
    standing: Placement
    """What the board shows at first."""
    acts: tuple[Act, ...]
    moves: tuple[str, ...]
    """The legal moves among them, in the game's notation."""
    seed: int | None = None
    kings: KingStyle | None = None
    mirrored: bool = False


@dataclass(slots=True)
class _Settings:
    """The settings read so far."""

    variant: Variant
    start: Position
    standing: Placement | None = None
    seed: int | None = None
    kings: KingStyle | None = None
    mirrored: bool = False


def read_script(text: str) -> Script:
    """The script a text gives. Raises ScriptUnusable with the line, what was seen there and what was expected."""
    variant = variant_named(DEFAULT_VARIANT)
    settings, reading = _Settings(variant, start_position(variant)), None
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split("#")[0].split()
        if not words:
            continue
        try:
            if words[0].lower() not in _SETTINGS:
                reading = reading or _opened(settings)
                play_line(reading, words)
            elif reading is None:
                _SETTINGS[words[0].lower()](settings, " ".join(words[1:]))
            else:
                raise ScriptUnusable(f"saw the setting {words[0]!r} after the first move; expected it at the beginning")
        except (RulesError, ScriptUnusable) as trouble:
            raise ScriptUnusable(f"line {number}: {trouble}") from trouble
    reading = reading or _opened(settings)
    acts, moves = tuple(reading.acts), tuple(reading.moves)
    standing = settings.start.placement if settings.standing is None else settings.standing
    return Script(
        settings.variant, settings.start, standing, acts, moves, settings.seed, settings.kings, settings.mirrored
    )


def _opened(settings: _Settings) -> Reading:
    return Reading(settings.variant, settings.start, settings.standing or settings.start.placement)


def _variant(settings: _Settings, text: str) -> None:
    settings.variant = variant_named(text)
    settings.start, settings.standing = start_position(settings.variant), None


def _start(settings: _Settings, text: str) -> None:
    settings.start = parse_fen(settings.variant, text)


def _standing(settings: _Settings, text: str) -> None:
    settings.standing = parse_fen(settings.variant, text, uncrowned=True).placement


def _seed(settings: _Settings, text: str) -> None:
    settings.seed = whole_number(text, 0, 2**31 - 1)


def _kings(settings: _Settings, text: str) -> None:
    styles = {style.value: style for style in KingStyle}
    if text not in styles:
        raise ScriptUnusable(f"saw the kings {text!r}; expected one of {', '.join(styles)}")
    settings.kings = styles[text]


def _mirrored(settings: _Settings, text: str) -> None:
    if text:
        raise ScriptUnusable(f"saw {text!r} after mirrored; expected nothing more on this line")
    settings.mirrored = True


_SETTINGS: dict[str, Callable[[_Settings, str], None]] = {
    "variant": _variant,
    "start": _start,
    "standing": _standing,
    "seed": _seed,
    "kings": _kings,
    "mirrored": _mirrored,
}
