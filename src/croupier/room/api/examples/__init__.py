"""Live examples of the law: played, arranged, judged or compared when somebody asks."""
