"""All rulings as a page of Markdown, for docs/RULINGS.md."""

from __future__ import annotations

from croupier.law.clause import rulings

_GROUPS = {
    "K": "Common to all texts",
    "U": "Ultimate Texas Hold'em, and Massachusetts where its text is the same",
    "M": "Massachusetts only",
    "S": "Caribbean Stud",
    "P": "Pik-It Poker",
    "L": "Let It Ride",
    "H": "Found while building",
}


def rulings_markdown() -> str:
    """The page, with the rulings in their groups and every clause they touch."""
    lines = [
        "# Rulings",
        "",
        "The five regulations contradict themselves, cite wrong sections and fall silent in",
        "places. These are the rulings the software follows. They are data",
        "(`src/croupier/law/books/rulings.toml`), shown by `croupier law U1` and beside every",
        "clause they touch, and each is held by a test. This page is made by",
        "`croupier law --rulings`.",
    ]
    group = ""
    for ruling in rulings().values():
        if ruling.id[0] != group:
            group = ruling.id[0]
            lines += ["", f"## {_GROUPS[group]}"]
        lines += [
            "",
            f"### {ruling.id}",
            "",
            f"**Question.** {ruling.question}",
            "",
            f"**Ruling.** {ruling.ruling}",
            "",
            f"**Reason.** {ruling.reason}",
            "",
            f"Clauses: {', '.join(ruling.clauses)}.",
        ]
    return "\n".join(lines) + "\n"
