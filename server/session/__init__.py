"""The game as a pure state machine: looks and commands in, new state and events out."""
