"""The running parts: the pipeline from frames to events and the threads around it."""
