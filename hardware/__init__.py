"""What is plugged in: cameras, signals and the simulated board."""
