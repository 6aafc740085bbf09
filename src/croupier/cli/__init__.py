"""The command line. Heavy imports wait inside the commands, so that help answers at once."""
