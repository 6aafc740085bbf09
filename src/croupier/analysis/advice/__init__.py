"""What to do with these cards, the charts, and the short rules."""
