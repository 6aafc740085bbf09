"""What keeps a table's life: durable, tamper-evident, replayable, fair beyond doubt."""
