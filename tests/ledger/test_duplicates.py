"""Ten thousand messages that come twice, late or in the wrong order: each command acts once."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from helpers import ALL_BOOKS, NJ_UTH
from ledger_driver import at
from msgspec.structs import replace

from croupier.ledger.audit import audit
from croupier.ledger.crowd import WAYS, Crowd
from croupier.ledger.keeper import Answer, Keeper
from croupier.ledger.refusals import SENTENCES
from croupier.ledger.surveillance import watched
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table.commands import DEALER, Command, player


def told_again(first: Answer, again: Answer) -> bool:
    """The same answer. Of a refusal, the code and the clause are stored, not what was refused, so
    the sentence of a later answer may be the general one."""
    if first.refused and again.refused:
        sentences = {first.refused.sentence, SENTENCES[Refusal(first.refused.code)]}
        assert again.refused.sentence in sentences
        first = replace(first, refused=replace(first.refused, sentence=""))
        again = replace(again, refused=replace(again.refused, sentence=""))
    return again == first


EACH = 2_000  # messages at each of the five tables


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_two_thousand_messages_doubled_and_out_of_order_act_once_each(
    book: str, tmp_path: Path
) -> None:
    ledger = at(tmp_path / "evening.db", tmp_path / "evening.db")
    keeper = Keeper.open(ledger, "t1", {"rulebook": book, **WAYS[0]}, 1_000_000_00)
    rng = random.Random(book)
    crowd = Crowd(lambda: keeper.kept, rng, unruly=0.1)
    sent: dict[str, Command] = {}
    answers: dict[str, Answer] = {}
    met: Counter[str] = Counter()
    while met.total() < EACH:
        for _ in range(rng.choice((1, 1, 1, 3))):  # said at once; only one of three can be lawful
            sent[str(len(sent) + 1)] = crowd.next()
        mail = [each for each in sent if each not in answers] * rng.choice((1, 2))
        mail += rng.choices([*answers], k=min(len(answers), 9))
        rng.shuffle(mail)
        for command_id in mail:
            before = keeper.kept
            answer = keeper.execute(sent[command_id], command_id)
            if command_id in answers:
                assert told_again(answers[command_id], answer)
                assert keeper.kept is before
                met["again"] += 1
            else:
                answers[command_id] = answer
                met["refused" if answer.refused else "acted"] += 1
    eye = watched(ledger, "t1")
    assert eye.kept == keeper.kept
    assert len(eye.answers) == met["acted"] + 1  # the opening
    print(book, dict(met), "rounds:", eye.rounds, "cents moved:", eye.money, "doubled: 0")
    assert met["again"] > EACH // 2, met
    assert keeper.table.rounds >= 3
    assert audit(ledger).discrepancies == []
    ledger.close()


def test_a_refusal_is_answered_the_same_by_another_process_once_anything_was_written(
    where: str, beside: Path
) -> None:
    one, other = at(where, beside), at(where, beside, seed=2)
    first = Keeper.open(one, "t1", {"rulebook": NJ_UTH}, 1_000_00)
    refused = first.execute(c.Settle(DEALER, 1), "id 1")
    assert refused.refused
    first.execute(c.SitDown(player("Ann"), 1, 500_00), "id 2")
    second = Keeper.resume(other, "t1")
    again = second.execute(c.Settle(DEALER, 1), "id 1")
    assert told_again(refused, again)
    assert again.refused
    assert again.refused.sentence == SENTENCES[Refusal.NO_ROUND]
    one.close()
    other.close()


def test_what_acted_elsewhere_is_not_refused_for_having_been_refused_here(
    where: str, beside: Path
) -> None:
    """Two owners may judge a command at different times; what one of them wrote is what holds."""
    one, other = at(where, beside), at(where, beside, seed=2)
    first = Keeper.open(one, "t1", {"rulebook": NJ_UTH}, 1_000_00)
    second = Keeper.resume(other, "t1")
    buy = c.BuyChips(player("Ann"), 5_00)
    assert first.execute(buy, "id 1").refused  # Ann is not there
    second.execute(c.SitDown(player("Ann"), 1, 500_00), "id 2")
    acted = second.execute(buy, "id 1")
    assert acted.events
    assert first.execute(buy, "id 1") == acted
    assert first.execute(c.BuyChips(player("Ann"), 6_00), "id 3").events
    assert first.execute(buy, "id 1") == second.execute(buy, "id 1") == acted
    one.close()
    other.close()
