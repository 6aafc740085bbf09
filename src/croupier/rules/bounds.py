"""The largest numbers that are accepted, and why nothing can overflow.

Every amount that enters, in a submission, an option, a script or a command, is held to one of these
bounds. All sums of money are cents.

What must never overflow, and the proof that it cannot:

- **An account** of the ledger holds at most ``MOST_IN_ACCOUNT`` (the ledger's own limit). A player
  wagers only while holding at most ``MOST_CHIPS``, plays at most three positions, and wins at most
  ``MOST_HAND`` on each. A table takes wagers only while inventory, drop box and meter together hold
  at most ``MOST_INVENTORY``, and a fill never lifts the inventory above it. With at most 21
  positions, all accounts of a table together stay below ``MOST_IN_ACCOUNT``, so the cage does too.
- **One hand** in one round wins at most ``MOST_HAND``: no game has more than six wagers on a hand,
  each wins at most ``MOST_SUM``, and a match play coupon adds at most ``MOST_STAKE``. A share of a
  progressive meter comes on top; it is paid from the meter, which is bounded with the inventory.
- **JSON** readers are exact below 2**53, and a BIGINT below 2**63; both are above
  ``MOST_IN_ACCOUNT``.
- **A kernel** adds nets in 64 bits. A net on the unit wager is at most ``MOST_PARTS`` times the
  best odds and the play wager; ``analysis.exact`` multiplies that by the deals each kernel adds up,
  and refuses before the kernel runs where the product would not fit.

``tests/rules/test_bounds.py`` computes the worst cases from these numbers.
"""

from __future__ import annotations

from croupier.rules.money import Cents

# A posted maximum. Casinos post some ten thousand dollars; this leaves room for any.
MOST_STAKE: Cents = 100_000_000  # $1,000,000
# Odds, "to 1". The law prints at most 1,000 to 1.
MOST_ODDS = 1_000_000
# The second part of odds, and the least common multiple of all of them in one house: the wager in
# cents on which every line pays whole cents. The mathematics counts on that wager.
MOST_PARTS = 10_000
# A play wager, in antes, and how many choices one betting point has. The law knows at most 4, and
# at most two choices; plans keep a multiple in a byte.
MOST_MULTIPLE = 10
MOST_MULTIPLES = 4
# Any single sum in a submission: meter, seed, payout limit, fixed award. Also what one wager can
# win in one round at its posted maximum.
MOST_SUM: Cents = 10**12  # $10,000,000,000
# What one hand can win in one round, from the inventory.
MOST_HAND: Cents = 10**13
# What a player may bring to a table, and hold and still wager.
MOST_CHIPS: Cents = 10**13  # $100,000,000,000
# What a table may open with, be filled to, and hold and still take wagers.
MOST_INVENTORY: Cents = 10**14  # $1,000,000,000,000
# What an account of the ledger may hold.
MOST_IN_ACCOUNT: Cents = 10**15
# A small count in a submission or a command: positions, seats, cards.
MOST_COUNT = 1_000
# Rounds of a simulation or a session: a day's work for a computer, and a float still counts them.
MOST_ROUNDS = 10**12

LONGEST_SAID = 40  # characters of a user's own words in a sentence


def said(value: object) -> str:
    """A user's own word or number, short enough for a sentence. Python itself refuses to write out
    integers of thousands of digits."""
    try:
        text = str(value)
    except (ValueError, RecursionError):
        return "(too long to show)"
    return text if len(text) <= LONGEST_SAID else f"{text[:LONGEST_SAID]}..."
