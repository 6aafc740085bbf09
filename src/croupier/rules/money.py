"""Money is whole cents, always. Text in and out is dollars."""

from __future__ import annotations

import re

from croupier.law.refused import Refused

Cents = int

_DOLLARS = re.compile(r"\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?")


def dollars(amount: int) -> Cents:
    return amount * 100


LONGEST = 40  # characters; numbers without end are nobody's money


def read_dollars(text: str, what: str = "The amount") -> Cents:
    """Read "5", "$2,500" or "12.50"; anything finer than a cent is refused."""
    if len(text) > LONGEST:
        raise Refused(f"{what} has {len(text):,} characters; no sum of money needs so many.")
    if not (found := _DOLLARS.fullmatch(text.strip())):
        raise Refused(f"{what} {text!r} is not a sum in dollars and whole cents, such as 12.50.")
    whole, part = found.groups()
    return int(whole.replace(",", "")) * 100 + int((part or "").ljust(2, "0") or 0)


def in_dollars(cents: Cents) -> str:
    """$5, $1,250.50, -$3."""
    whole, part = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}" + (f".{part:02d}" if part else "")
