"""Who comes in, and what they may do: people, their sessions, and the guard before everything."""
