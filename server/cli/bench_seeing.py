"""`kibitz bench seeing`: what watching and reading cost on this machine, as ratios, and memory."""

import argparse

from server.benchmarks.costs import costs, memory
from server.cli.arguments import whole
from server.cli.output import say, say_json

_FRAMES = 500


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Processor time of one thread at 1080p, in multiples of what cv2.resize (INTER_AREA) takes to reduce a frame "
        "to a grey picture 320 wide; then the memory of a running pipeline and whether it grows."
    )
    parser.add_argument("--frames", type=whole(10, 1_000_000), default=_FRAMES, help="frames watched for growth")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(given: argparse.Namespace) -> int:
    spent = costs()
    kept = memory(getattr(given, "frames", _FRAMES))
    if getattr(given, "json", False):
        say_json(
            {
                "reduce_ms": round(spent.reduce_ms, 3),
                "idle_ratio": round(spent.idle_ratio, 2),
                "still_ratio": round(spent.still_ratio, 2),
                "look_ratio": round(spent.look_ratio, 2),
                "first_ratio": round(spent.first_ratio, 2),
                "find_seconds": round(spent.find_seconds, 3),
                "resident_mb": round(kept.resident_mb, 1),
                "grown_kb": round(kept.grown_kb, 1),
                "frames": kept.frames,
            }
        )
        return 0
    say(f"reducing a 1080p frame to 320 wide and grey: {spent.reduce_ms:.2f} ms, the unit of what follows")
    say(f"an idle frame watched: {spent.idle_ratio:.2f} (goal 2)")
    say(f"a still board at ten frames a second, all included: {spent.still_ratio:.2f}")
    say(f"a settled look of 50 squares in a game, after a move: {spent.look_ratio:.1f} (goal 10)")
    say(f"a look that reads every square, as the first does: {spent.first_ratio:.1f}")
    say(f"finding the board: {spent.find_seconds:.2f} s (goal 1.5)")
    say(f"memory of a running pipeline: {kept.resident_mb:.0f} MB (goal 250)")
    say(f"grown over {kept.frames} frames: {kept.grown_kb:.0f} kB")
    return 0
