"""The durable record: an append-only journal of every game."""
