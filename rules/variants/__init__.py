"""The games of the family as data, one short file per family."""
