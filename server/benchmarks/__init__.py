"""Measures what Kibitz sees, and what it costs, against pictures whose truth is known."""
