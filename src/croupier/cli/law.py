"""croupier law: the books, their clauses, and where each is enforced."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer


def law(
    what: Annotated[
        str, typer.Argument(help="A book, a clause such as 'NJ 19:47-32.10(h)2', or a ruling.")
    ] = "",
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Count clauses, code and tests per book.")
    ] = False,
    rulings_page: Annotated[
        bool, typer.Option("--rulings", help="Print all rulings as a page of Markdown.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the books of law, the clauses of one, or one clause with its code and tests."""
    from croupier.law.clause import BOOK_IDS, rulings
    from croupier.law.coverage import find_clauses
    from croupier.law.refused import Refused

    if coverage:
        _coverage(as_json)
    elif rulings_page:
        from croupier.law.rulings_page import rulings_markdown

        print(rulings_markdown(), end="")
    elif not what:
        _books(as_json)
    elif what in BOOK_IDS:
        _book(what, as_json)
    elif what in rulings():
        _ruling(what, as_json)
    elif found := find_clauses(what):
        _clauses([c.id for c in found], as_json)
    else:
        raise Refused(f"{what!r} is neither a book, a clause nor a ruling; see croupier law.")


def _books(as_json: bool) -> None:
    from croupier.law.clause import books

    if as_json:
        print(json.dumps([{"id": b.id, "title": b.title, "source": b.source} for b in books()]))
        return
    for book in books():
        mark = "  (supplied, not quoted law)" if book.supplied else ""
        print(f"{book.id:28} {len(book.clauses):4} clauses  {book.title}{mark}")


def _book(book_id: str, as_json: bool) -> None:
    from croupier.law.clause import rulebook

    book = rulebook(book_id)
    if as_json:
        print(json.dumps([asdict(c) for c in book]))
        return
    print(f"{book.title}: {book.source}")
    for c in book:
        print(f"{c.id:32} {c.disposition:12} {c.says}")
        if c.reason:
            print(f"{'':46}({c.reason})")


def _ruling(ruling_id: str, as_json: bool) -> None:
    from croupier.law.clause import rulings
    from croupier.law.coverage import matrix

    ruling = rulings()[ruling_id]
    tests = matrix().rulings.get(ruling_id, [])
    if as_json:
        print(json.dumps({**asdict(ruling), "tests": [str(t) for t in tests]}))
        return
    print(f"Ruling {ruling.id}: {ruling.question}")
    print(f"  {ruling.ruling}")
    print(f"  Because: {ruling.reason}")
    print(f"  Touches: {', '.join(ruling.clauses)}")
    for place in tests:
        print(f"  test  {place}")


def _clauses(ids: list[str], as_json: bool) -> None:
    from croupier.law.clause import clause, rulings
    from croupier.law.coverage import matrix

    found = matrix()
    entries = []
    for full_id in ids:
        c = clause(full_id)
        entries.append(
            {
                "id": c.id,
                "book": c.book,
                "supplied": c.supplied,
                "says": c.says,
                "disposition": str(c.disposition),
                "reason": c.reason,
                "twin": c.twin,
                "rulings": [asdict(rulings()[r]) for r in c.rulings],
                "code": [str(place) for place in found.code.get(c.id, [])],
                "tests": [str(place) for place in found.tests.get(c.id, [])],
            }
        )
    if as_json:
        print(json.dumps(entries[0] if len(entries) == 1 else entries))
        return
    for entry in entries:
        supplied = ", supplied, not quoted law" if entry["supplied"] else ""
        print(f"{entry['id']}  ({entry['disposition']}{supplied})")
        print(f"  {entry['says']}")
        if entry["reason"]:
            print(f"  {entry['reason']}")
        if entry["twin"]:
            print(f"  The same rule as {entry['twin']}.")
        for ruling in entry["rulings"]:  # type: ignore[attr-defined]
            print(f"  ruling {ruling['id']}: {ruling['ruling']}")
        for place in entry["code"]:  # type: ignore[attr-defined]
            print(f"  code  {place}")
        for place in entry["tests"]:  # type: ignore[attr-defined]
            print(f"  test  {place}")


def _coverage(as_json: bool) -> None:
    from croupier.law.clause import Disposition, books
    from croupier.law.coverage import coverage

    counted = coverage()
    if as_json:
        print(json.dumps({"books": {book: asdict(c) for book, c in counted.items()}}))
        return
    names = ("clauses", "implemented", "cited", "tested", "pending", "physical", "notice")
    print(f"{'':28}" + "".join(f"{name:>13}" for name in (*names, "out of scope")))
    for book, c in counted.items():
        row = asdict(c)
        numbers = (*(row[name] for name in names), c.out_of_scope)
        print(f"{book:28}" + "".join(f"{n:>13}" for n in numbers))
    for book, c in counted.items():
        for missing in c.missing:
            print(f"missing: {missing} ({book}) is implemented, but has no code or no test")
    for each in books():
        for entry in each:
            if entry.disposition is Disposition.PENDING:
                print(f"pending: {entry.id}  {entry.says}")
