"""Games that a ledger keeps: begun, taken up again, read back, and a disk without space."""

from server.runtime.ledger import Ledger
from server.store.journal import Journal


def begun(path, games, batches):
    ledger = Ledger(path, clock=lambda: 1.7e9)
    ledger.begin(games.fresh())
    for events in batches:
        ledger.append(events, b"before", b"after")
    return ledger


def taken_up(path):
    """The game that a process started now goes on with."""
    ledger = Ledger(path)
    state = ledger.unfinished()
    ledger.close()
    return state


def written(path, number=1):
    journal = Journal(path, read_only=True)
    moves = [event["move"] for event in journal.events(number) if event["type"] == "move"]
    journal.close()
    return moves


def no_space(ledger):
    """The disk is full for this connection."""
    connection = ledger._journal._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages}")
