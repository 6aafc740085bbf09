"""Promise and reveal: every order follows from a seed that was committed to before any bet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from engine_driver import FROM_THE_HAND, HOUSES, ONE_DECK, TWO_DECKS
from helpers import ALL_BOOKS, CARIBBEAN, NJ_UTH
from ledger_driver import KeptEvening, at, happenings, opened

from croupier.cards.card import DECK, cards, spell
from croupier.law.refused import Refused as Misuse
from croupier.ledger.commitment import verify
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.records import AddEntropy, EntropyAdded, ShuffleCommitted, ShuffleRevealed
from croupier.ledger.shuffle import cut_depth, deck_order
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR, player
from croupier.table.state import DeckAt


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """One ledger for many tables: their names keep them apart."""
    path: Path = tmp_path_factory.mktemp("shuffles") / "evening.db"
    return at(path, path)


def checked(ledger: Ledger, name: str) -> int:
    """Walk through all that happened as a player would who trusts nobody; how many were revealed.

    Every order and cut is recomputed from the seed revealed afterwards; every seed fits the
    commitment made before; a promise comes before any wager on its cards, and is kept once.
    """
    told = list(happenings(ledger, name))
    seeds = {r.shuffle: bytes.fromhex(r.seed) for r in told if isinstance(r, ShuffleRevealed)}
    committed: dict[int, str] = {}
    words: list[bytes] = []
    lying: dict[str, tuple[int, list[bytes], int]] = {}
    revealed: list[int] = []
    for happened in told:
        match happened:
            case ShuffleCommitted():
                assert happened.shuffle == len(committed) + 1
                committed[happened.shuffle] = happened.commitment
                words = []
            case EntropyAdded():
                assert happened.shuffle == len(committed)
                words.append(happened.entropy.encode())
            case e.DeckShuffled(order=order) | e.DeckReceived(cards=order, preshuffled=True):
                number = len(committed)
                assert number not in [each for each, _, _ in lying.values()]
                lying[happened.colour] = number, words, 0
                if number in seeds:
                    assert spell(deck_order(seeds[number], name, number, words)) == order
            case e.DeckCut(colour=colour):
                number, added, cuts = lying[colour]
                lying[colour] = number, added, cuts + 1
                if number in seeds:
                    depth = cut_depth(seeds[number], name, number, added, cut=cuts + 1)
                    assert depth == happened.cards
            case ShuffleRevealed():
                assert verify(
                    committed[happened.shuffle],
                    bytes.fromhex(happened.seed),
                    name,
                    happened.shuffle,
                )
                revealed.append(happened.shuffle)
    assert len(set(revealed)) == len(revealed)
    return len(revealed)


@pytest.mark.parametrize("name", sorted(HOUSES))
def test_every_order_follows_from_what_was_promised(shared: Ledger, name: str) -> None:
    table = name.replace(",", "")
    evening = opened(shared, HOUSES[name], name=table)
    evening.do(AddEntropy(player("p1"), "my own words, Zoë"))
    evening.do(AddEntropy(player("p2"), "7"))
    evening.rounds(3)
    assert checked(shared, table) >= 3
    waiting = evening.keeper.kept.shuffles
    assert waiting.promised is not None
    assert waiting.promised.number == checked(shared, table) + len(waiting.lying) + 1


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_promises_are_kept_through_all_irregularities(shared: Ledger, book: str) -> None:
    for name, way in (("one", ONE_DECK), ("two", TWO_DECKS), ("hand", FROM_THE_HAND)):
        table = f"unruly {name} {book}"
        evening = opened(shared, {"rulebook": book, **way}, name=table, seed=5)
        evening.unruly(4)
        assert checked(shared, table) >= 4


def test_the_promise_stands_before_any_bet_and_is_shown(ledger: Ledger) -> None:
    evening = opened(ledger, {"rulebook": NJ_UTH})
    opening = ledger.store.find("t1", "open")
    assert isinstance(opening, tuple)
    kinds = [type(entry.happening()).__name__ for entry in opening]
    assert kinds == ["TableOpened", "ShuffleCommitted"]
    promised = evening.keeper.kept.shuffles.promised
    assert promised is not None
    assert opening[1].happening().commitment == promised.commitment()  # type: ignore[union-attr]


def test_the_next_promise_is_written_with_the_shuffle_and_the_seed_with_the_end_of_the_round(
    in_file: Ledger,
) -> None:
    evening = opened(in_file, {"rulebook": NJ_UTH, **ONE_DECK})
    answers: list[list[str]] = []
    evening.keeper.subscribe(
        lambda answer, _: answers.append([type(each).__name__ for each in answer.events])
    )
    evening.rounds(2)
    assert [each for each in answers if "DeckShuffled" in each] == [
        ["DeckShuffled", "ShuffleCommitted"]
    ] * 2
    ends = [each for each in answers if "RoundEnded" in each]
    assert [each[-2:] for each in ends] == [["RoundEnded", "ShuffleRevealed"]] * 2
    rounds = [r.round for r in happenings(in_file) if isinstance(r, ShuffleRevealed)]
    assert rounds == [1, 2]


def until_ready(evening: KeptEvening) -> None:
    while not any(deck.at is DeckAt.READY for deck in evening.table.decks):
        assert evening.keeper.deal(close_bets=False)


def removed(evening: KeptEvening) -> None:
    evening.do(c.RemoveDeck(SUPERVISOR, "red"))


def spread(evening: KeptEvening) -> None:
    evening.do(c.SpreadDeck(DEALER, "red"))


@pytest.mark.parametrize("lost", [removed, spread])
def test_a_shuffle_nobody_will_play_is_revealed_too(
    in_file: Ledger, lost: Callable[[KeptEvening], None]
) -> None:
    evening = opened(in_file, {"rulebook": NJ_UTH, **ONE_DECK})
    until_ready(evening)
    assert not [r for r in happenings(in_file) if isinstance(r, ShuffleRevealed)]
    lost(evening)
    (revealed,) = [r for r in happenings(in_file) if isinstance(r, ShuffleRevealed)]
    assert (revealed.shuffle, revealed.round) == (1, 0)
    evening.rounds(1)
    assert checked(in_file, "t1") == 2


def test_a_void_round_is_revealed_when_it_ends_and_not_before(in_file: Ledger) -> None:
    evening = opened(in_file, {"rulebook": NJ_UTH, **ONE_DECK})
    evening.until("choose")
    evening.do(c.ReportExposedCard(DEALER))
    assert evening.table.now.void
    while evening.table.round is not None:
        assert not [r for r in happenings(in_file) if isinstance(r, ShuffleRevealed)]
        evening.step()
    assert checked(in_file, "t1") == 1


def test_a_recut_is_promised_too(in_file: Ledger) -> None:
    evening = opened(in_file, {"rulebook": NJ_UTH, **ONE_DECK})
    until_ready(evening)
    evening.do(c.OrderRecut(SUPERVISOR, "red"))
    evening.rounds(1)
    cuts = [each.cards for each in happenings(in_file) if isinstance(each, e.DeckCut)]
    assert len(cuts) == 2
    assert checked(in_file, "t1") == 1


def test_two_decks_lie_in_two_shuffles(in_file: Ledger) -> None:
    evening = opened(in_file, {"rulebook": CARIBBEAN, **TWO_DECKS})
    evening.until("choose")
    lying = evening.keeper.kept.shuffles.lying
    assert sorted(each.number for each in lying.values()) == [1, 2]
    evening.rounds(1)
    revealed = [r.shuffle for r in happenings(in_file) if isinstance(r, ShuffleRevealed)]
    assert revealed == [lying[evening.table.last_colour].number]


# --- promises cannot be broken ----------------------------------------------------------------


def test_another_order_than_the_promised_one_is_refused(in_file: Ledger) -> None:
    evening = opened(in_file, {"rulebook": NJ_UTH, **ONE_DECK})
    while evening.table.deck("red") is None or evening.table.decks[0].at is not DeckAt.WASHED:
        evening.keeper.deal(close_bets=False)
    before = evening.keeper.kept
    answer = evening.send(c.ShuffleDeck(DEALER, "red", spell(DECK)))
    assert answer.refused is not None
    assert answer.refused.code is Refusal.NOT_THIS_SHUFFLING
    assert evening.keeper.kept == before
    promised = before.shuffles.promised
    assert promised is not None
    evening.do(c.ShuffleDeck(DEALER, "red", promised.order()))
    cut = evening.keeper.kept.shuffles.lying["red"].cut()
    for other in (cut - 1, cut + 1):
        answer = evening.send(c.CutDeck(DEALER, "red", other))
        assert answer.refused is not None
    evening.do(c.CutDeck(DEALER, "red", cut))


def test_a_preshuffled_deck_must_lie_in_the_promised_order(in_file: Ledger) -> None:
    house = {"rulebook": NJ_UTH, **ONE_DECK, "preshuffled": True}
    evening = opened(in_file, house)
    other = evening.send(c.ReceiveDeck(DEALER, "red", spell(DECK), preshuffled=True))
    assert other.refused is not None
    assert other.refused.code is Refusal.NOT_THIS_SHUFFLING
    evening.rounds(1)
    assert checked(in_file, "t1") == 1


# --- players' entropy -------------------------------------------------------------------------


def test_what_a_player_adds_changes_the_order(tmp_path: Path) -> None:
    orders = []
    for words in ("", "a", "b"):
        path = tmp_path / f"{words or 'none'}.db"
        ledger = at(path, path)  # the same seeds in each
        evening = opened(ledger, {"rulebook": NJ_UTH, **ONE_DECK})
        if words:
            evening.do(AddEntropy(player("p1"), words))
        until_ready(evening)
        orders += [each.order for each in happenings(ledger) if isinstance(each, e.DeckShuffled)]
        ledger.close()
    assert len(set(orders)) == 3


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (AddEntropy(DEALER, "x"), Refusal.NOT_THIS_ROLE),
        (AddEntropy(DEVICE, "x"), Refusal.NOT_THIS_ROLE),
        (AddEntropy(player("stranger"), "x"), Refusal.NOT_YOUR_SEAT),
        (AddEntropy(player(""), "x"), Refusal.NOT_YOUR_SEAT),
    ],
)
def test_only_seated_players_add(in_file: Ledger, command: AddEntropy, code: Refusal) -> None:
    answer = opened(in_file, {"rulebook": NJ_UTH}).send(command)
    assert answer.refused is not None
    assert answer.refused.code is code


def test_a_player_adds_once_to_each_shuffle(in_file: Ledger) -> None:
    evening = opened(in_file, {"rulebook": NJ_UTH, **ONE_DECK})
    evening.do(AddEntropy(player("p1"), "once"))
    again = evening.send(AddEntropy(player("p1"), "twice"))
    assert again.refused is not None
    assert again.refused.code is Refusal.NOT_THIS_STEP
    until_ready(evening)
    evening.do(AddEntropy(player("p1"), "for the next"))


def test_words_may_have_64_bytes_and_no_more(in_file: Ledger) -> None:
    evening = opened(in_file, {"rulebook": NJ_UTH})
    evening.do(AddEntropy(player("p1"), "ë" * 32))
    with pytest.raises(Misuse, match="at most 64 bytes"):
        evening.send(AddEntropy(player("p2"), "ë" * 32 + "x"))


# --- real devices -----------------------------------------------------------------------------


def test_a_physical_table_promises_nothing_and_takes_any_order(in_file: Ledger) -> None:
    keeper = Keeper.open(
        in_file, "t1", {"rulebook": NJ_UTH, **FROM_THE_HAND}, 1_000_00, physical=True
    )
    evening = KeptEvening(keeper)
    evening.arrive()
    refused = evening.send(AddEntropy(player("p1"), "x")).refused
    assert refused is not None
    assert refused.code is Refusal.NOT_THIS_SHUFFLING
    while keeper.table.deck("red") is None or keeper.table.decks[0].at is not DeckAt.IN_SHUFFLER:
        evening.keeper.deal(close_bets=False)
    with pytest.raises(Misuse, match="real devices"):
        keeper.deal(close_bets=False)
    order = cards("As Ks Qs Js Ts") + tuple(x for x in DECK if str(x) not in "As Ks Qs Js Ts")
    evening.do(c.ShuffleDeck(DEVICE, "red", spell(order)))
    assert keeper.table.decks[0].cards == order
    again = Keeper.resume(in_file, "t1")
    assert again.kept == keeper.kept
    assert again.kept.shuffles.promised is None
    records = (ShuffleCommitted, ShuffleRevealed, EntropyAdded)
    assert not [each for each in happenings(in_file) if isinstance(each, records)]
