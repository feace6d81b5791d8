"""A simulated board: what a camera would see of a game, drawn from the board's own geometry."""
