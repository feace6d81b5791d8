"""Games written into a journal, and what is read back of them."""

from server.store.journal import Evidence
from server.store.kept_terms import terms_as_json

PLIES = 30


def write_games(journal, games, count, plies=PLIES):
    """Writes games with a picture at each event; gives the moves of each."""
    known = {}
    for seed in range(1, count + 1):
        state, batches = games.played(plies, seed)
        number = journal.new_game("english", terms_as_json(games.fresh().terms, {"White": f"W{seed}"}))
        for k, events in enumerate(batches):
            journal.append(number, events, Evidence(b"before %d" % k * 90, b"after %d" % k * 90))
            journal.copy()
        known[number] = [ply.text for ply in state.plies]
    return known


def moves_of(journal):
    return {
        game["game"]: [event["move"] for event in journal.events(game["game"]) if event["type"] == "move"]
        for game in journal.games()
    }
