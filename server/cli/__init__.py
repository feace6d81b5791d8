"""The `kibitz` command, one file per subcommand."""
