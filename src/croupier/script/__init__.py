"""Rounds of play written down with the answers they should give, and played by the table."""
