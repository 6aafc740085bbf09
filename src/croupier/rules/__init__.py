"""The words a game is written in: odds, pay tables, wagers, stages, settlements, limits."""
