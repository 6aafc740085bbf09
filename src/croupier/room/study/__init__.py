"""Questions about the mathematics: scheduled fairly, and answered by worker processes."""
