"""What is seen on the board: arrays in, evidence out; no I/O, no threads, no clock."""
