"""The laboratory: each statistic has the distribution it claims, each test finds what it looks for,
and the shuffle of production passes them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import islice, pairwise, permutations, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.cards.card import Card
from croupier.ledger import lab
from croupier.ledger.finding import Finding, judged
from croupier.ledger.lab import Seeds, examine_decks, examine_raw, judged_decks, seeds_from
from croupier.ledger.lab_decks import (
    Decks,
    chi_square_test,
    coupon_chances,
    interplay,
    overlaps,
    run_chances,
    serial,
)
from croupier.ledger.lab_programs import opinions
from croupier.ledger.lab_raw import bit_runs, byte_values, mono_bit, raw_findings
from croupier.ledger.shuffle import deck_order, shuffled

SEED = bytes(range(32))
DECKS = 5_000
N = 5  # cards of the small decks
Vectors = NDArray[np.float64]


# --- the statistics are what they claim -----------------------------------------------------


def small_decks() -> Decks:
    return np.array(list(permutations(range(N))), np.uint8)


def places(deck: NDArray[np.uint8]) -> Vectors:
    """Which card lies where: a one for each."""
    return np.eye(N)[deck].ravel()


def followers(deck: NDArray[np.uint8]) -> Vectors:
    """Which card follows which: a one for each pair, the last card's with the first."""
    table = np.zeros((N, N))
    table[deck, np.roll(deck, -1)] = 1
    return table.ravel()


def pair_products(deck: NDArray[np.uint8]) -> Vectors:
    """Products of every two places, less what the single places can explain of them."""
    values = deck.astype(float) - deck.mean()
    pairs = [(i, j) for i in range(N) for j in range(i)]
    products = np.array([values[i] * values[j] for i, j in pairs])
    single = np.array([[float(place in pair) for place in range(N)] for pair in pairs])
    fitted = single @ np.linalg.lstsq(single, products, rcond=None)[0]
    return np.asarray(products - fitted)


@pytest.mark.parametrize(
    ("test", "vector"),
    [(chi_square_test, places), (overlaps, followers), (interplay, pair_products)],
)
def test_a_statistic_is_the_distance_its_true_covariance_gives(
    test: Callable[[Decks], Finding], vector: Callable[[NDArray[np.uint8]], Vectors]
) -> None:
    """The covariance is counted over every order of five cards; its rank is the freedom."""
    every = small_decks()
    vectors = np.array([vector(deck) for deck in every])
    centred = vectors - vectors.mean(axis=0)
    covariance = centred.T @ centred / len(every)
    assert np.linalg.matrix_rank(covariance) == test(every).parameter
    some = every[[3, 14, 15, 92, 65, 35, 89, 79, 32]]
    total = sum(vector(deck) for deck in some) - len(some) * vectors.mean(axis=0)
    distance = total @ np.linalg.pinv(covariance, rcond=1e-9) @ total / len(some)
    assert test(some).statistic == pytest.approx(float(distance), rel=1e-9)


def test_serial_correlation_averages_its_freedom_over_all_pairs_of_decks() -> None:
    every = np.array(list(permutations(range(4))), np.uint8)
    found = [serial(np.stack(pair)) for pair in product(every, repeat=2)]
    assert {finding.parameter for finding in found} == {9}
    assert np.mean([finding.statistic for finding in found]) == pytest.approx(9, rel=1e-12)


def test_the_wait_for_all_ranks_is_counted_over_every_order_of_six_cards() -> None:
    def wait(deck: tuple[int, ...]) -> int:
        return next(k for k in range(7) if len({card // 2 for card in deck[:k]}) == 3)

    waits = Counter(wait(deck) for deck in permutations(range(6)))
    assert coupon_chances(3, 2) == [Fraction(waits[k], 720) for k in range(7)]


def test_the_falls_are_counted_over_every_order_of_six_cards() -> None:
    falls = Counter(
        sum(after < before for before, after in pairwise(deck)) for deck in permutations(range(6))
    )
    assert run_chances(6) == [Fraction(falls[k], 720) for k in range(6)]
    assert sum(run_chances(52)) == sum(coupon_chances(13, 4)) == 1


# NIST SP 800-22, the worked examples of 2.1 and 2.3.
PI = (
    "11001001000011111101101010100010001000010110100011"
    "00001000110100110001001100011001100010100010111000"
)


def bits(text: str) -> NDArray[np.uint8]:
    return np.array([int(bit) for bit in text], np.uint8)


def test_mono_bit_and_runs_give_the_answers_of_nists_examples() -> None:
    assert mono_bit(bits("1011010101")).p == pytest.approx(0.527089, abs=1e-6)
    assert mono_bit(bits(PI)).p == pytest.approx(0.109599, abs=1e-6)
    assert bit_runs(bits("1001101011")).p == pytest.approx(0.147232, abs=1e-6)
    assert bit_runs(bits(PI)).p == pytest.approx(0.500798, abs=1e-6)


def test_byte_values_of_a_flat_sample_have_no_distance_and_surprise() -> None:
    finding = byte_values(np.arange(2_560, dtype=np.int64).astype(np.uint8))
    assert (finding.statistic, finding.parameter, finding.p) == (0, 255, 0)
    lopsided = byte_values(np.array([0] * 512, np.uint8))  # (512 - 2)^2 / 2 + 255 x 2
    assert lopsided.statistic == 510**2 / 2 + 255 * 2


# --- the verdict ----------------------------------------------------------------------------


def found(name: str, p: float) -> Finding:
    return Finding(name, "", 0, "normal", 1, p)


def test_holms_steps() -> None:
    """Of three the least may be a third of a hundredth, the next half of one, the last all."""
    below, above = 0.999, 1.001
    least, middle, last = 0.01 / 3, 0.01 / 2, 0.01
    assert judged([found("a", 0.5), found("b", least * above)]).passed is False  # of two: a half
    assert judged([found("a", 0.5), found("b", least * above), found("c", 0.9)]).passed
    assert judged([found("a", 0.5), found("b", least * below), found("c", 0.9)]).failed == ("b",)
    two = [found("a", middle * below), found("b", least * below), found("c", last * above)]
    assert judged(two).failed == ("b", "a")
    not_two = [found("a", middle * above), found("b", least * below), found("c", last * below)]
    assert judged(not_two).failed == ("b",)
    all_three = [found("a", middle * below), found("b", least * below), found("c", last * below)]
    assert judged(all_three).failed == ("b", "a", "c")
    assert judged(two).findings == tuple(two)


# --- the shuffle passes ---------------------------------------------------------------------


def test_the_shuffle_of_production_passes_the_seven_tests() -> None:
    report = examine_decks(10_000, seeds_from(SEED))
    assert report.passed, report.verdict
    assert [finding.test for finding in report.verdict.findings] == [
        "chi-square",
        "overlaps",
        "coupon collector",
        "runs",
        "interplay correlation",
        "serial correlation",
        "duplicates",
    ]
    freedom = [finding.parameter for finding in report.verdict.findings]
    assert freedom[:2] == [51 * 51, 52 * 49 + 1]
    assert freedom[4:6] == [52 * 49 / 2, 51 * 51]
    assert report.verdict.findings[6].parameter == pytest.approx(10_000 * 9_999 / 2 / 2_598_960)


def test_its_generator_passes_the_three() -> None:
    report = examine_raw(1_000_000, seeds_from(SEED), alone=True)
    assert report.passed, report.verdict
    names = [finding.test for finding in report.verdict.findings]
    assert names == ["chi-square", "mono-bit", "runs"]
    assert report.opinions == ()


def test_a_seed_repeats_a_test_and_none_does_not() -> None:
    one, same = examine_decks(1_000, seeds_from(SEED)), examine_decks(1_000, seeds_from(SEED))
    assert one == same
    assert examine_decks(1_000, seeds_from(bytes(32))) != one
    fresh = [examine_decks(1_000, seeds_from(None)) for _ in range(2)]
    assert fresh[0] != fresh[1]


def test_every_deck_has_a_seed_of_its_own_and_comes_from_the_function_of_production() -> None:
    seeds = [bytes([n]) * 32 for n in range(3)]
    decks = list(islice(lab.shuffled_decks(given(seeds)), 3))
    assert decks == [deck_order(seed, lab.TABLE, n) for n, seed in enumerate(seeds, start=1)]


def test_raw_output_is_as_long_as_asked_for_and_fresh_entropy_enters_it() -> None:
    whole = b"".join(lab.raw_bytes(200_000, seeds_from(SEED)))
    assert len(whole) == 200_000
    for count in (1, 65_535, 65_536, 65_537, 131_072):
        assert b"".join(lab.raw_bytes(count, seeds_from(SEED))) == whole[:count]
    one, other = ([SEED, bytes([n]) * 32, SEED] for n in (1, 2))
    first, second = (b"".join(lab.raw_bytes(131_072, given(seeds))) for seeds in (one, other))
    assert first[:65_536] == second[:65_536]
    assert first[65_536:] != second[65_536:]


def given(seeds: list[bytes]) -> Seeds:
    left = iter(seeds)
    return lambda: next(left)


# --- broken shuffles fail -------------------------------------------------------------------


@cache
def fair() -> Decks:
    """Decks of production, all the same on every run."""
    rows = [bytes(deck) for deck in islice(lab.shuffled_decks(seeds_from(SEED)), DECKS)]
    return np.frombuffer(b"".join(rows), np.uint8).reshape(DECKS, 52)


def chance() -> np.random.Generator:
    return np.random.default_rng(20_260_101)


def swapped_with_any_place() -> Decks:
    """The best-known mistake: each card changes places with any card, not with one not yet done."""
    decks = np.tile(np.arange(52, dtype=np.uint8), (DECKS, 1))
    rows, rng = np.arange(DECKS), chance()
    for place in range(52):
        other = rng.integers(0, 52, DECKS)
        decks[rows, place], decks[rows, other] = decks[rows, other], decks[rows, place].copy()
    return decks


def stuck_card() -> Decks:
    """One deck in twenty keeps the ace of spades at the bottom."""
    decks = fair().copy()
    for deck in decks[::20]:
        place = int(np.flatnonzero(deck == 51)[0])
        deck[place], deck[51] = deck[51], deck[place]
    return decks


def rotated() -> Decks:
    """Every card comes to every place equally often, as no shuffle would have it."""
    turns = [np.roll(fair()[0], turn) for turn in range(52)]
    return np.tile(np.array(turns, np.uint8), (DECKS // 52, 1))


def sticky_pair() -> Decks:
    """In one deck of ten the two of diamonds stays behind the two of clubs."""
    decks = fair().copy()
    for deck in decks[::10]:
        rest = [card for card in deck.tolist() if card != 1]
        rest.insert(rest.index(0) + 1, 1)
        deck[:] = rest
    return decks


def ranks_in_time() -> Decks:
    """Somebody shuffles again when a rank is long in coming."""
    first = np.argsort(fair(), axis=1).reshape(-1, 13, 4).min(axis=2).max(axis=1)
    return fair()[first < 38]


def seldom_falling() -> Decks:
    """Somebody shuffles again when the cards go up and down too often."""
    return fair()[(fair()[:, 1:] < fair()[:, :-1]).sum(axis=1) < 28]


def top_like_bottom() -> Decks:
    """Top and bottom are both high or both low more often than not."""
    high = fair() >= 26
    return fair()[(high[:, 0] == high[:, 51]) | (chance().random(DECKS) < 0.3)]


def top_card_stays() -> Decks:
    """One shuffle in three leaves the top card of the last deck where it is."""
    decks = fair().copy()
    for before, deck in zip(decks[::3], decks[1::3], strict=False):
        place = int(np.flatnonzero(deck == before[0])[0])
        deck[0], deck[place] = deck[place], deck[0]
    return decks


def one_deck_twice() -> Decks:
    decks = fair().copy()
    decks[4_321] = decks[123]
    return decks


def first_hand_of_few() -> Decks:
    """A seed of twelve bits deals the first five cards; good entropy the others."""
    decks = fair().copy()
    for deck, hand in zip(decks, chance().integers(0, 4_096, DECKS), strict=True):
        first = fair()[hand, :5].tolist()
        deck[:] = first + [card for card in deck.tolist() if card not in first]
    return decks


def low_bits() -> Decks:
    """Fisher and Yates from the lowest bits of a linear congruential generator."""
    state = 1

    def below(n: int) -> int:
        nonlocal state
        state = (1_664_525 * state + 1_013_904_223) % 2**32
        return (state & 0xFF) % n

    rows = [bytes(shuffled([Card(n) for n in range(52)], below)) for _ in range(DECKS)]
    return np.frombuffer(b"".join(rows), np.uint8).reshape(DECKS, 52)


@pytest.mark.parametrize(
    ("broken", "test"),
    [
        (swapped_with_any_place, "chi-square"),
        (stuck_card, "chi-square"),
        (rotated, "chi-square"),
        (sticky_pair, "overlaps"),
        (ranks_in_time, "coupon collector"),
        (seldom_falling, "runs"),
        (top_like_bottom, "interplay correlation"),
        (top_card_stays, "serial correlation"),
        (one_deck_twice, "duplicates"),
        (first_hand_of_few, "duplicates"),
        (low_bits, "duplicates"),
    ],
)
def test_each_test_finds_what_it_looks_for(broken: Callable[[], Decks], test: str) -> None:
    verdict = judged_decks(broken())
    assert test in verdict.failed
    assert not verdict.passed


@pytest.mark.parametrize(
    ("broken", "test"),
    [
        (ranks_in_time, "coupon collector"),
        (top_like_bottom, "interplay correlation"),
        (top_card_stays, "serial correlation"),
        (one_deck_twice, "duplicates"),
    ],
)
def test_what_only_one_test_looks_for_only_that_test_finds(
    broken: Callable[[], Decks], test: str
) -> None:
    assert judged_decks(broken()).failed == (test,)


def test_broken_output_fails() -> None:
    output = b"".join(lab.raw_bytes(200_000, seeds_from(SEED)))
    values = np.frombuffer(output, np.uint8)
    assert judged(raw_findings(output)).passed

    never_255 = bytes(values[values != 255])
    assert "chi-square" in judged(raw_findings(never_255)).failed

    each_bit_twice = np.packbits(np.repeat(np.unpackbits(values), 2)).tobytes()
    verdict = judged(raw_findings(each_bit_twice))
    assert "runs" in verdict.failed
    assert "mono-bit" not in verdict.failed

    more_ones = np.unpackbits(values) | (chance().random(len(values) * 8) < 0.01)
    assert "mono-bit" in judged(raw_findings(np.packbits(more_ones).tobytes())).failed

    assert set(judged(raw_findings(bytes(10_000))).failed) == {"chi-square", "mono-bit", "runs"}


# --- other people's programs ----------------------------------------------------------------


def program(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    file.chmod(0o755)


def test_programs_that_are_not_installed_say_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert opinions(b"", iter(())) == ()


def test_programs_that_are_installed_are_fed_and_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One reads all it is given, the other stops when it has enough."""
    program(tmp_path, "ent", 'echo "read $(/usr/bin/wc -c) bytes"; echo')
    enough = "/usr/bin/head -c 100 > /dev/null; exec <&-"
    program(tmp_path, "dieharder", f'{enough}; echo "# head"; echo "test $4| PASSED  "')
    monkeypatch.setenv("PATH", str(tmp_path))
    ent, dieharder = opinions(bytes(200_000), lab.raw_output(seeds_from(SEED)))
    assert [line.split() for line in ent.says] == [["read", "200000", "bytes"]]
    assert dieharder.says == ("test 0| PASSED", "test 15| PASSED", "test 100| PASSED")
    assert not ent.failed
    assert not dieharder.failed


def test_a_program_that_condemns_the_output_fails_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "dieharder", 'echo "test $4| FAILED  "')
    monkeypatch.setenv("PATH", str(tmp_path))
    report = examine_raw(100_000, seeds_from(SEED), alone=False)
    assert report.verdict.passed
    assert not report.passed
