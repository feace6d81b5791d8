"""What a running pipeline keeps in memory."""

from server.benchmarks.costs import memory


def test_watching_a_still_board_keeps_nothing_of_the_frames() -> None:
    kept = memory(frames=120)
    assert kept.frames == 120
    assert kept.grown_kb < 300  # one small grey picture kept per frame would be 8 MB
