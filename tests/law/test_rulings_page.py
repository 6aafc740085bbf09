"""docs/RULINGS.md is the rulings themselves, never an old copy."""

from pathlib import Path

from croupier.law.rulings_page import rulings_markdown

PAGE = Path(__file__).parents[2] / "docs" / "RULINGS.md"


def test_the_page_of_rulings_is_what_the_command_prints() -> None:
    assert PAGE.read_text("utf-8") == rulings_markdown()
