"""The columns of an export, table by table. ``docs/EXPORT.md`` shows them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Column(Struct, frozen=True):
    name: str
    kind: type  # str, int or bool
    says: str


def _columns(*columns: tuple[str, type, str]) -> tuple[Column, ...]:
    return tuple(Column(*each) for each in columns)


# Amounts are cents. Times are UTC in ISO 8601, to the microsecond.
TABLES: Mapping[str, tuple[Column, ...]] = {
    "events": _columns(
        ("table", str, "the table's name"),
        ("sequence", int, "1, 2, 3 ... at each table"),
        ("time", str, "when it happened"),
        ("round", int, "the round under way, or the one being prepared"),
        ("actor", str, "who asked for it"),
        ("command_id", str, "the id of the command that brought it about"),
        ("command", str, "that command's name, on the first event it brought about"),
        ("event", str, "the name of the event or record"),
        ("seat", int, "where it concerns one"),
        ("sentence", str, "what happened, in words"),
        ("clause", str, "the clause it follows"),
        ("data", str, "all fields of the event as JSON, sealed ones left out"),
        ("hash", str, "the entry's hash in the chain"),
    ),
    "rounds": _columns(
        ("table", str, "the table's name"),
        ("round", int, "its number at that table"),
        ("rulebook", str, "the rulebook it was played under"),
        ("began", str, "when the round before was over and something happened again"),
        ("closed", str, "when bets were closed"),
        ("ended", str, "when it was over"),
        ("first", int, "sequence of its first event"),
        ("last", int, "sequence of its last event"),
        ("deck", str, "the colour of the deck it was dealt from"),
        ("hands", int, "players' hands"),
        ("community", str, "community cards turned up"),
        ("dealer", str, "the dealer's cards, where they were turned up"),
        ("dealer_hand", str, "the dealer's hand in words"),
        ("qualified", bool, "whether the dealer qualified, where that is asked"),
        ("void", bool, "whether any hand was void"),
        ("wagered", int, "all wagers settled"),
        ("net", int, "what all players together are up or down"),
        ("meter", int, "the progressive meter when the cards were dealt"),
        ("shuffle", int, "the number of the promised shuffle; 0 where devices shuffle"),
        ("commitment", str, "the promise of it"),
        ("seed", str, "its seed, revealed"),
    ),
    "wagers": _columns(
        ("table", str, "the table's name"),
        ("round", int, "the round's number at that table"),
        ("seat", int, "the position it lay at"),
        ("player", str, "who made it"),
        ("wager", str, "its name"),
        ("amount", int, "the stake"),
        ("coupon", int, "a match play coupon beside it, at face value"),
        ("result", str, "won, lost, pushed or returned"),
        ("win", int, "what it was paid beside the stake"),
        ("net", int, "what the player is up or down on it"),
        ("from_meter", int, "the part of the win that came from the progressive meter"),
        ("withheld", int, "what a payout limit cut off"),
        ("line", str, "the line of the pay table that paid it"),
        ("clause", str, "the clause it was settled by"),
        ("reason", str, "why, in words"),
        ("sequence", int, "the event that settled it"),
        ("time", str, "when it was settled"),
    ),
    "movements": _columns(
        ("table", str, "the table's name"),
        ("sequence", int, "the event that moved it"),
        ("number", int, "1, 2 ... within the event"),
        ("time", str, "when it was moved"),
        ("round", int, "the round under way, or the one being prepared"),
        ("source", str, "the account it came from"),
        ("target", str, "the account it went to"),
        ("cents", int, "how much, always above nothing"),
    ),
}
