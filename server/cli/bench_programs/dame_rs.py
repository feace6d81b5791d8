"""Measures dame-rs in its own environment: `perft DEPTH` from the start of international draughts; prints JSON."""

import json
import sys
import time

import dame


def perft(depth):
    board = dame.Board()
    began = time.process_time()
    total = dame.perft(board, int(depth))
    return {"leaves": total, "seconds": time.process_time() - began}


sys.stdout.write(json.dumps({"perft": perft}[sys.argv[1]](*sys.argv[2:])))
