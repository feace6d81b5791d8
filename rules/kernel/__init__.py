"""The table-driven move generator and search, compiled by numba where it is present."""
