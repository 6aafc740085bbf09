"""Rounds dealt by the million, and what sessions of them come to."""
