"""Play by name, by rules or by a function, spelled out as a plan."""
