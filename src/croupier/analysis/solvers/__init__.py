"""The four games solved: counts and settlement put together."""
