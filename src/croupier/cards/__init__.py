"""Cards, decks, and the ranking of hands."""
