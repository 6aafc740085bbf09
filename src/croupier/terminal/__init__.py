"""A table in the terminal: an evening at one seat, on a full screen or line by line."""
