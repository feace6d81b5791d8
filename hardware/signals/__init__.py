"""Lamp, buzzer, buttons and voice at the board: small, optional and silent where absent."""
