"""What other programs, and the pages, ask the room over HTTP."""
