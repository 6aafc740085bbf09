"""The four games. Each file reads in the order of its chapter: wagers, round, settlement."""
