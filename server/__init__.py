"""The running companion: session, pipeline, journal, dashboard and commands."""
