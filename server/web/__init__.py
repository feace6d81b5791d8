"""The dashboard: pages, pictures and commands over HTTP for whatever companion is running."""
