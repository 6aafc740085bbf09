"""The law over HTTP: every clause is served, and each that is enforced has a place and a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx2
import pytest
from room_driver import Running, running

from croupier.law.clause import BOOK_IDS, Disposition, books, clause, rulebook, rulings

EVERY = [each for book in books() for each in book]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(room: Running) -> Iterator[httpx2.Client]:
    with room.client() as opened:
        opened.timeout = httpx2.Timeout(60)
        yield opened


def one(client: httpx2.Client, full_id: str, query: str = "") -> httpx2.Response:
    return client.get(f"/api/law/clauses/{quote(full_id, safe='')}{query}")


def test_every_book_counts_its_clauses_by_what_became_of_them(client: httpx2.Client) -> None:
    told = client.get("/api/law").json()
    assert [each["id"] for each in told] == list(BOOK_IDS)
    for each in told:
        assert (
            each["clauses"] == len(rulebook(each["id"]).clauses) == sum(each["by_status"].values())
        )
    assert {each["jurisdiction"] for each in told} == {"New Jersey", "Massachusetts"}
    assert [each["id"] for each in told if each["supplied"]] == ["nj-caribbean-stud-supplied"]


def test_every_clause_of_the_registry_is_listed_in_order(client: httpx2.Client) -> None:
    told = client.get("/api/law/clauses?limit=700").json()
    assert [(each["id"], each["says"]) for each in told] == [(c.id, c.says) for c in EVERY]
    for each in told:
        assert each["id"].startswith(each["section"])
        assert set(each["rulings"]) <= set(rulings())


def test_the_list_is_read_in_pages_that_join_without_gap(client: httpx2.Client) -> None:
    found: list[str] = []
    while page := client.get(
        "/api/law/clauses", params={"limit": 97, "after": found[-1] if found else ""}
    ).json():
        found += [each["id"] for each in page]
    assert found == [each.id for each in EVERY]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ({"q": "32.13(a)"}, {"NJ 19:47-32.13(a)"}),
        ({"q": "LIFTS ten", "book": "nj-let-it-ride"}, {"NJ 19:47-18.5(c)1ii"}),
        ({"q": "K9", "book": "nj-ultimate-texas-holdem"}, {"NJ 19:47-32.13(b)"}),
        ({"q": "no such words"}, set()),
        ({"book": "nowhere"}, set()),
    ],
)
def test_clauses_are_found_by_number_words_or_ruling(
    client: httpx2.Client, query: dict[str, str], ids: set[str]
) -> None:
    assert {each["id"] for each in client.get("/api/law/clauses", params=query).json()} == ids


def test_a_status_leaves_the_others_out(client: httpx2.Client) -> None:
    told = client.get("/api/law/clauses?status=physical&limit=700").json()
    assert {each["id"] for each in told} == {
        each.id for each in EVERY if each.disposition is Disposition.PHYSICAL
    }


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=701", "limit=x", "status=maybe", "after=NJ 1", f"q={'x' * 201}"]
)
def test_a_query_that_makes_no_sense_is_refused_in_one_sentence(
    client: httpx2.Client, query: str
) -> None:
    answer = client.get(f"/api/law/clauses?{query}")
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "BAD_REQUEST"


def test_every_clause_is_served_and_each_enforced_one_has_its_place_and_test(
    client: httpx2.Client,
) -> None:
    for each in EVERY:
        answer = one(client, each.id)
        assert answer.status_code == 200, each.id
        told = answer.json()
        assert (told["id"], told["says"], told["book"]) == (each.id, each.says, each.book)
        assert [ruling["id"] for ruling in told["rulings"]] == list(each.rulings)
        if each.disposition is Disposition.IMPLEMENTED:
            assert told["enforced_in"], each.id
            assert told["tests"], each.id
            assert all(place["name"] and place["line"] > 0 for place in told["enforced_in"])


def test_twins_name_each_other_both_ways(client: httpx2.Client) -> None:
    void = one(client, "NJ 19:47-32.13(a)").json()
    ids = [twin["id"] for twin in void["twins"]]
    assert "MA UTH 15(a)" in ids
    for twin in ids:
        back = one(client, twin).json()
        assert void["id"] in [each["id"] for each in back["twins"]]
        assert twin not in [each["id"] for each in back["twins"]]


def test_a_brief_answer_leaves_code_and_example_out(client: httpx2.Client) -> None:
    told = one(client, "NJ 19:47-32.10(h)3", "?brief=1").json()
    assert told["says"] == clause("NJ 19:47-32.10(h)3").says
    assert (told["enforced_in"], told["tests"], told["example"]) == ([], [], None)


def test_a_clause_there_is_not_is_not_found(client: httpx2.Client) -> None:
    assert one(client, "NJ 1:1").status_code == 404


# --- examples -------------------------------------------------------------------------------


def test_an_example_cites_its_clause_and_shows_the_cards_that_settled_it(
    client: httpx2.Client,
) -> None:
    """Equal hands push: dealer, player and board are there to be seen."""
    example = one(client, "NJ 19:47-32.10(h)3").json()["example"]
    last = example["sentences"][-1]
    assert last["clause"] == "NJ 19:47-32.10(h)3"
    assert "pushed" in last["sentence"]
    shown = [code for line in example["sentences"] for code in line["cards"]]
    assert len(shown) == len(set(shown)) == 9


def test_an_exposed_card_has_a_real_ruling_for_its_example(client: httpx2.Client) -> None:
    example = one(client, "NJ 19:47-32.13(a)").json()["example"]
    assert any("All hands are void" in line["sentence"] for line in example["sentences"])


def test_an_arranged_example_is_served(client: httpx2.Client) -> None:
    example = one(client, "SUPPLIED S2.8(c)").json()["example"]
    assert example["title"] == "Two royal flushes in one round"
    assert example["sentences"][-1]["clause"] == "SUPPLIED S2.8(c)"
