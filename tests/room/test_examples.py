"""The live examples of the law: every enforced clause has one, and it shows what it says."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from itertools import combinations

import pytest

from croupier.cards.card import Suit, cards
from croupier.cards.quick import QUICK
from croupier.cards.ranking import rank_five, rank_three
from croupier.games.registry import RULEBOOKS, game_under
from croupier.house.check import check
from croupier.house.submission import read_data
from croupier.law.clause import BOOK_IDS, Disposition, books, clause, rulebook
from croupier.law.coverage import matrix
from croupier.room.api.examples.evening import ROUNDS, WAYS, Evening
from croupier.room.api.examples.library import ARRANGED, EQUIPMENT, PART, Library, book_of
from croupier.room.api.examples.told import Example, Line, stated_in
from croupier.rules.money import read_dollars

EVERY = [each for book in books() for each in book]


MOST_LINES = 20  # that anyone would read


@cache
def shown() -> dict[str, Example | None]:
    """The example of every enforced clause, all from one library."""

    async def asked() -> dict[str, Example | None]:
        library = Library()
        return {
            each.id: await library.example(each)
            for each in EVERY
            if each.disposition is Disposition.IMPLEMENTED
        }

    return asyncio.run(asked())


def example_of(full_id: str) -> Example:
    found = shown()[full_id]
    assert found is not None
    return found


def under_each_book(full_id: str) -> list[tuple[str, Example]]:
    """The examples of a clause and of its twins."""
    twins = {stated_in(rulebook(book), clause(full_id)) for book in RULEBOOKS} - {""}
    return [(each, example_of(each)) for each in sorted(twins)]


def with_wholes(full_id: str) -> set[str]:
    """A clause, and those it is a part of."""
    found = {full_id}
    while PART.search(full_id):
        full_id = PART.sub("", full_id)
        found.add(full_id)
    return found


def citing(example: Example, full_id: str) -> list[str]:
    return [each.sentence for each in example.sentences if each.clause == full_id]


def told(example: Example, words: str) -> list[Line]:
    return [each for each in example.sentences if words in each.sentence]


def sums(sentence: str) -> list[int]:
    return [read_dollars(each) for each in re.findall(r"\$\d+(?:,\d{3})*(?:\.\d\d)?", sentence)]


@pytest.mark.parametrize("book", BOOK_IDS)
def test_every_enforced_clause_has_an_example_that_cites_it(book: str) -> None:
    """Or cites the clause it is a part of."""
    wanting = []
    for each in rulebook(book):
        if each.disposition is not Disposition.IMPLEMENTED:
            continue
        found = shown()[each.id]
        cited = {line.clause for line in found.sentences} if found else set()
        if not cited & with_wholes(each.id):
            wanting.append(each.id)
    assert wanting == []


def test_every_example_has_a_title_and_sentences_and_cites_only_what_there_is() -> None:
    for each in shown().values():
        assert each is not None
        assert each.title
        assert 0 < len(each.sentences) <= MOST_LINES
        for line in each.sentences:
            on_the_sign = each.title.startswith("On the sign")
            assert on_the_sign or re.fullmatch(r"[A-Z\d].*[.:]", line.sentence), line.sentence
            assert line.clause is None or clause(line.clause)
            assert all(str(cards(code)[0]) == code for code in line.cards)


def test_a_clause_that_nothing_shows_has_no_example() -> None:
    """Else the tests above could not fail."""
    unshown = clause("NJ 19:47-32.7(c)")  # with which hand the dealer draws
    assert unshown.disposition is Disposition.PHYSICAL
    assert asyncio.run(Library().example(unshown)) is None


def test_nothing_is_arranged_in_vain() -> None:
    """Each arrangement is the example of some enforced clause."""
    titles = {each_id: each.title for each_id, each in shown().items() if each}
    for game, arranged in [("", EQUIPMENT), *ARRANGED.items()]:
        for each in arranged:
            ids = {
                stated_in(rulebook(book), each.clause)
                for book in RULEBOOKS
                if game in ("", game_under(book).id)
            } - {""}
            assert each.title in [titles.get(each_id) for each_id in ids], each.clause.id


def test_an_example_is_never_named_among_the_places_that_enforce_a_clause() -> None:
    files = {place.file for places in matrix().code.values() for place in places}
    assert len(files) > 20
    assert [each for each in files if "examples" in each] == []


def test_each_act_of_a_cut_is_cited_by_the_cut() -> None:
    for number in ("1i", "1ii", "1iii", "1iv", "2"):
        full_id = f"NJ 19:47-32.4(c){number}"
        assert any("cuts" in each for each in citing(example_of(full_id), full_id))


def test_a_part_of_a_clause_is_shown_by_the_example_of_the_whole() -> None:
    async def both() -> tuple[object, object]:
        library = Library()
        whole = await library.example(clause("NJ 19:47-32.7(d)"))
        return whole, await library.example(clause("NJ 19:47-32.7(d)1"))

    whole, part = asyncio.run(both())
    assert whole is not None
    assert whole == part


def test_the_same_evening_is_played_every_time_and_its_money_adds_up() -> None:
    told: list[dict[str, Example]] = [{}, {}]
    for found in told:
        evening = Evening("nj-let-it-ride", WAYS[0], found, {})
        for _ in evening.play():
            assert evening.table.accounts() == 0
        assert evening.table.rounds == ROUNDS
    assert told[0] == told[1]


# --- examples that are judged: submissions --------------------------------------------------


@pytest.mark.parametrize(
    ("first", "key", "refused", "lawful"),
    [
        (
            "NJ 19:47-32.2(b)",
            "decks",
            {"decks": ["red", "blue"], "shuffling": "manual", "dealing": "manual shoe"},
            {"decks": ["red", "blue"], "shuffling": "automated", "dealing": "manual shoe"},
        ),
        ("NJ 19:47-32.2(a)", "decks", {"decks": ["red", "blue", "green"]}, {"decks": ["red"]}),
        ("NJ 19:47-18.2(a)", "decks", {"decks": ["red", "blue", "green"]}, {"decks": ["red"]}),
        (
            "SUPPLIED S2.6(b)",
            "payout_limit",
            {"limits": {"ante": [25, 500]}, "payout_limit": 201 * 25 - 1},
            {"limits": {"ante": [25, 500]}, "payout_limit": 201 * 25},
        ),
        ("NJ 19:47-18.11(c)", "payout_limit", {"payout_limit": 49_999}, {"payout_limit": 50_000}),
        ("NJ 13:69E-1.13Y(a)", "positions", {"positions": 10}, {"positions": 6}),
    ],
)
def test_a_refused_submission_is_refused_in_the_checkers_own_sentence(
    first: str, key: str, refused: dict[str, object], lawful: dict[str, object]
) -> None:
    for full_id, example in under_each_book(first):
        preset = {"rulebook": book_of(clause(full_id)), "offered": []}
        report = check(read_data(preset | refused))
        assert [str(each.clause) for each in report.violations] == [full_id]
        sentence = report.violations[0].sentence
        at = [each.sentence for each in example.sentences]
        where = at.index(f"Refused: {key}: {sentence}")
        assert example.sentences[where].clause == full_id
        assert check(read_data(preset | lawful)).legal
        assert at[where + 2] == "Lawful."


# --- examples that are compared: hands ------------------------------------------------------


def test_what_beats_and_equals_in_the_examples_does_so_by_the_ranking() -> None:
    compared = [each for each in shown().values() if each and "then nothing" in each.title]
    compared += [each for each in shown().values() if each and "Aces high" in each.title]
    assert len(compared) == 3 + 5
    seen = set()
    for example in compared:
        lines = [each for each in example.sentences if each.cards]
        for mine, its in zip(lines[::2], lines[1::2], strict=True):
            rank = rank_five if len(mine.cards) == 5 else rank_three
            one, other = (rank(cards(" ".join(each.cards))) for each in (mine, its))
            verb = "beats" if one > other else "equals" if one == other else "loses to"
            assert its.sentence.startswith(f"It {verb} "), its
            seen.add((verb, its.sentence.split()[-1].rstrip(".")))
    assert {("beats", "straight"), ("beats", "ace-high"), ("equals", "flush")} <= seen


def test_an_ace_is_low_in_a_five_high_straight_and_never_in_the_middle() -> None:
    for full_id, example in under_each_book("NJ 19:47-32.5(a)"):
        said = {" ".join(each.cards): each.sentence for each in example.sentences}
        assert said["5s 4s 3s 2s As"] == "It beats a five-high straight flush."
        assert said["Ks Ad 2c 3h Qd"] == "It beats ace-high."
        assert citing(example, full_id)[0].startswith("Cards, from the highest: ace, king, ")


def test_a_hand_in_each_suit_is_worth_the_same() -> None:
    for full_id, example in under_each_book('NJ 19:47-32.1 "Suit"'):
        held = [cards(" ".join(each.cards)) for each in example.sentences if each.cards]
        assert [{each.suit for each in hand} for hand in held] == [{suit} for suit in Suit]
        assert len({rank_five(hand) for hand in held}) == 1
        assert "all equal" in citing(example, full_id)[-1]


def test_the_best_of_seven_is_the_evaluators_best() -> None:
    for full_id, example in under_each_book('NJ 19:47-32.1 "Hand"'):
        lines = example.sentences
        assert len(citing(example, full_id)) == 3
        for seven, best in zip(lines[::2], lines[1::2], strict=True):
            held = cards(" ".join(seven.cards))
            chosen = cards(" ".join(best.cards))
            assert set(chosen) in [set(five) for five in combinations(held, 5)]
            assert rank_five(chosen) == QUICK.best_five(held)
            assert f"with {len(set(chosen) & set(held[:2]))} of " in best.sentence


# --- examples that are arranged: rounds -----------------------------------------------------


def test_the_push_has_equal_hands_and_moves_no_money() -> None:
    for full_id, example in under_each_book('NJ 19:47-32.1 "Push"'):
        board = [code for each in told(example, "Community cards") for code in each.cards]
        (dealer,) = told(example, "The dealer shows")
        (player,) = told(example, "Seat 1 shows")
        mine, dealers = (
            QUICK.best_five(cards(" ".join([*each.cards, *board]))) for each in (player, dealer)
        )
        assert mine == dealers
        assert player.cards != dealer.cards
        assert len(told(example, " pushed.")) == 3
        assert citing(example, full_id)[-1].endswith("equal in rank: $0 changes sides.")


def test_a_check_bets_nothing_and_the_hand_bets_later() -> None:
    for full_id, example in under_each_book('NJ 19:47-32.1 "Check"'):
        said = [each.sentence for each in example.sentences]
        later = "Seat 1 makes play of $20, 2 times the ante."
        assert said.index("Seat 1 checks.") < said.index(later)
        assert sums(citing(example, full_id)[0]) == [0, 20_00]


@pytest.mark.parametrize(
    ("full_id", "one", "other"),
    [
        ("NJ 19:47-32.6(c)", "trips", "ante"),
        ("NJ 19:47-18.6A(d)", "let it ride bonus", "bet 1"),
        ("NJ 19:47-18.6B(d)", "three card bonus", "bet 3"),
    ],
)
def test_a_wager_that_stands_alone_wins_and_loses_beside_another_that_does_not(
    full_id: str, one: str, other: str
) -> None:
    for _, example in under_each_book(full_id):
        results = []
        for wager in (one, other):
            lines = [each.sentence for each in told(example, f": {wager} $")]
            results.append([re.split(r"[ .]", each.partition("$")[2])[1] for each in lines])
        assert {"wins", "lost"} == set(results[0])
        assert all(mine != its for mine, its in zip(*results, strict=True))


def test_a_stub_count_is_due_in_the_fifth_round_however_cards_are_dealt() -> None:
    ids = [
        full_id
        for first in ("NJ 19:47-32.7(f)", "NJ 19:47-32.8(e)", "NJ 19:47-32.9(e)")
        for full_id, _ in under_each_book(first)
    ]
    assert len(ids) == 3 * len(RULEBOOKS)
    for full_id in ids:
        example = example_of(full_id)
        assert len(told(example, "The dealer puts the stub")) == 4
        refused = next(each for each in example.sentences if each.sentence.startswith("Refused."))
        assert refused.clause == full_id
        assert len(told(example, "The dealer counts the stub")) == 1
        assert "in round 5" in citing(example, full_id)[-1]


def test_a_shuffler_that_counts_replaces_the_count_and_takes_a_short_deck_away() -> None:
    found = under_each_book("NJ 19:47-18.7(f)")
    assert len(found) == 3
    for full_id, example in found:
        assert len(told(example, "The dealer puts the stub")) == 5
        assert told(example, "counts the stub") == []
        removed = "The red deck leaves the table. The shuffler counts 51 cards."
        assert citing(example, full_id)[0] == removed


def test_with_two_decks_one_is_in_the_shuffler_and_the_rack_holds_one() -> None:
    for full_id, example in under_each_book("NJ 19:47-32.2(b)3"):
        refused, seen = citing(example, full_id)
        assert refused == "Refused. One deck is shuffled by the device while the other is dealt."
        assert seen == "The red deck is in play and the blue deck is in the shuffler."
    for full_id, example in under_each_book("NJ 19:47-32.2(b)5"):
        refused, seen = citing(example, full_id)
        assert refused == "Refused. The other deck still lies in the discard rack."
        assert seen.startswith("52 cards of the red deck lay in the discard rack; ")
        assert seen.endswith(", 0 do.")


@pytest.mark.parametrize("book", RULEBOOKS)
def test_an_automated_shoe_gives_each_place_its_cards_in_one_stack(book: str) -> None:
    game = game_under(book)
    chosen = stated_in(rulebook(book), game.procedures["automated shoe"].chosen)
    last = "community" if game.id == "let-it-ride" else "dealer"
    stacks = f"3 stacks of {game.cards_each} cards: seat 1, seat 2 and {last}."
    assert citing(example_of(chosen), chosen) == [stacks]


def test_two_royal_flushes_halve_the_meter() -> None:
    example = example_of("SUPPLIED S2.8(c)")
    meter = 10_000_00 + 2 * 70  # as it was seeded, and what two wagers added
    *paid, seen = citing(example, "SUPPLIED S2.8(c)")
    assert [sums(each)[1] for each in paid] == [meter // 2, meter // 2]
    assert sums(seen) == [meter, meter // 2, meter // 2]
    assert len(told(example, ": a royal flush.")) == 2


def test_a_payout_limit_holds_back_the_bet_but_not_the_progressive() -> None:
    (seen,) = citing(example_of("SUPPLIED S2.6(c)"), "SUPPLIED S2.6(c)")
    assert sums(seen) == [5_000_00, 5_000_00, 95_500_00, 10_000_70, 0]


def test_a_wrong_stub_count_voids_the_hands_and_only_a_misdeal_saves_the_deck() -> None:
    example = example_of("NJ 19:47-16.7(f)2")
    assert len(told(example, "All hands are void.")) == 2
    assert len(told(example, "The red deck leaves the table.")) == 1
    assert told(example, "; 0 decks are left after the wrong count, 1 where")


def test_the_progressive_is_five_dollars_beside_three_wagers_and_settled_after_them() -> None:
    amount = citing(example_of("MA UTH 14(a)"), "MA UTH 14(a)")
    assert amount == ["Refused. The progressive wager is exactly $5."] * 2
    needs = citing(example_of("MA UTH 14(b)"), "MA UTH 14(b)")
    assert needs[-1] == "Taken beside ante, blind and trips."
    order = citing(example_of("MA UTH 14(c)"), "MA UTH 14(c)")[-1]
    assert order.endswith(": ante, play, blind, trips and progressive.")


def test_cover_all_pays_seven_hands_by_their_table_and_only_the_highest() -> None:
    seven = example_of("MA UTH 13(f)")
    (posted,) = told(seven, "Cover All for 7 hands")
    assert "full house: 4 to 1" in posted.sentence
    assert "Full house pays 4 to 1" in citing(seven, "MA UTH 13(f)")[0]
    highest = example_of("MA UTH 13(g)")
    assert told(highest, "four nines")
    assert told(highest, "a full house, fours over nines")
    (paid,) = told(highest, ": cover all ")
    assert "Four-of-a-kind" in paid.sentence


def test_a_player_sees_three_cards_of_which_others_see_the_backs() -> None:
    (seen,) = citing(example_of("NJ 19:47-18.10(a)"), "NJ 19:47-18.10(a)")
    assert "eat 1 sees 10♦ 4♣ 9♥ where others see 3 backs" in seen
    assert "eat 2 sees K♦ 7♠ 5♣ where others see 3 backs" in seen


def test_one_hand_is_paid_by_the_table_that_the_house_chose() -> None:
    """Three cards in a row pay 6 to 1 by table A, 5 to 1 by table B."""
    (seen,) = citing(example_of("NJ 19:47-18.6B(c)"), "NJ 19:47-18.6B(c)")
    assert sums(seen) == [5_00, 6 * 5_00, 5_00, 5 * 5_00]


def test_ace_king_four_three_two_qualifies_at_pik_it_and_nothing_lower() -> None:
    full_id = 'NJ 13:69F-39.1 "Qualifying hand"'
    (seen,) = citing(example_of(full_id), full_id)
    won, pushed = seen.split("; ")
    assert won == "A-K-4-3-2 qualifies: play 5 won $20"
    assert pushed == "A-Q-J-T-9 does not qualify: play 5 pushed $20."


def test_a_cover_card_lies_on_the_dealers_stack_until_it_is_shown() -> None:
    (seen,) = citing(example_of("NJ 13:69F-39.2(c)"), "NJ 13:69F-39.2(c)")
    assert "cover card lies on the dealer's stack when it is dealt" in seen
    assert "does not lie on it when the dealer's hand is shown" in seen


def test_the_cards_speak_whatever_a_player_calls_them() -> None:
    example = example_of("NJ 13:69F-39.4(e)")
    (hand,) = told(example, "Seat 1 shows")
    assert "a pair of nines" in hand.sentence
    (seen,) = citing(example, "NJ 13:69F-39.4(e)")
    assert seen == "Called flush by the player, announced and settled as a pair of nines."
