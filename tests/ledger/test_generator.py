"""HMAC_DRBG against NIST's own vectors: CAVS 14.3, HMAC_DRBG.rsp, SHA-256.

They are of the sections without prediction resistance and without additional input. Each vector
asks twice for 128 bytes; the second answer is the one given.
"""

from __future__ import annotations

from math import factorial

import pytest

from croupier.law.refused import Refused
from croupier.ledger import generator as module
from croupier.ledger.generator import MOST_BYTES, SEED_BYTES, Generator, fresh_seed

NO_RESEED = [
    (
        "ca851911349384bffe89de1cbdc46e6831e44d34a4fb935ee285dd14b71a7488",
        "659ba96c601dc69fc902940805ec0ca8",
        "",
        "e528e9abf2dece54d47c7e75e5fe302149f817ea9fb4bee6f4199697d04d5b89"
        "d54fbb978a15b5c443c9ec21036d2460b6f73ebad0dc2aba6e624abf07745bc1"
        "07694bb7547bb0995f70de25d6b29e2d3011bb19d27676c07162c8b5ccde0668"
        "961df86803482cb37ed6d5c0bb8d50cf1f50d476aa0458bdaba806f48be9dcb8",
    ),
    (
        "79737479ba4e7642a221fcfd1b820b134e9e3540a35bb48ffae29c20f5418ea3",
        "3593259c092bef4129bc2c6c9e19f343",
        "",
        "cf5ad5984f9e43917aa9087380dac46e410ddc8a7731859c84e9d0f31bd43655"
        "b924159413e2293b17610f211e09f770f172b8fb693a35b85d3b9e5e63b1dc25"
        "2ac0e115002e9bedfb4b5b6fd43f33b8e0eafb2d072e1a6fee1f159df9b51e6c"
        "8da737e60d5032dd30544ec51558c6f080bdbdab1de8a939e961e06b5f1aca37",
    ),
    (
        "5cacc68165a2e2ee20812f35ec73a79dbf30fd475476ac0c44fc6174cdac2b55",
        "6f885496c1e63af620becd9e71ecb824",
        "e72dd8590d4ed5295515c35ed6199e9d211b8f069b3058caa6670b96ef1208d0",
        "f1012cf543f94533df27fedfbf58e5b79a3dc517a9c402bdbfc9a0c0f721f9d5"
        "3faf4aafdc4b8f7a1b580fcaa52338d4bd95f58966a243cdcd3f446ed4bc546d"
        "9f607b190dd69954450d16cd0e2d6437067d8b44d19a6af7a7cfa8794e5fbd72"
        "8e8fb2f2e8db5dd4ff1aa275f35886098e80ff844886060da8b1e7137846b23b",
    ),
]
RESEEDED = [
    (
        "06032cd5eed33f39265f49ecb142c511da9aff2af71203bffaf34a9ca5bd9c0d",
        "0e66f71edc43e42a45ad3c6fc6cdc4df",
        "01920a4e669ed3a85ae8a33b35a74ad7fb2a6bb4cf395ce00334a9c9a5a5d552",
        "76fc79fe9b50beccc991a11b5635783a83536add03c157fb30645e611c2898bb"
        "2b1bc215000209208cd506cb28da2a51bdb03826aaf2bd2335d576d519160842"
        "e7158ad0949d1a9ec3e66ea1b1a064b005de914eac2e9d4f2d72a8616a802254"
        "22918250ff66a41bd2f864a6a38cc5b6499dc43f7f2bd09e1e0f8f5885935124",
    ),
    (
        "aadcf337788bb8ac01976640726bc51635d417777fe6939eded9ccc8a378c76a",
        "9ccc9d80c89ac55a8cfe0f99942f5a4d",
        "03a57792547e0c98ea1776e4ba80c007346296a56a270a35fd9ea2845c7e81e2",
        "17d09f40a43771f4a2f0db327df637dea972bfff30c98ebc8842dc7a9e3d681c"
        "61902f71bffaf5093607fbfba9674a70d048e562ee88f027f630a78522ec6f70"
        "6bb44ae130e05c8d7eac668bf6980d99b4c0242946452399cb032cc6f9fd9628"
        "4709bd2fa565b9eb9f2004be6c9ea9ff9128c3f93b60dc30c5fc8587a10de68c",
    ),
]
SEED = bytes(range(32))


@pytest.mark.parametrize(("entropy", "nonce", "personalization", "returned"), NO_RESEED)
def test_it_answers_as_nist_says(
    entropy: str, nonce: str, personalization: str, returned: str
) -> None:
    generator = Generator(
        bytes.fromhex(entropy), bytes.fromhex(nonce), bytes.fromhex(personalization)
    )
    generator.generate(128)
    assert generator.generate(128).hex() == returned


@pytest.mark.parametrize(("entropy", "nonce", "reseed", "returned"), RESEEDED)
def test_reseeded_it_answers_as_nist_says(
    entropy: str, nonce: str, reseed: str, returned: str
) -> None:
    generator = Generator(bytes.fromhex(entropy), bytes.fromhex(nonce))
    generator.reseed(bytes.fromhex(reseed))
    generator.generate(128)
    assert generator.generate(128).hex() == returned


def test_a_short_answer_is_the_start_of_a_long_one() -> None:
    long = Generator(SEED, b"").generate(100)
    for count in (1, 31, 32, 33, 64, 100):
        assert Generator(SEED, b"").generate(count) == long[:count]


def test_a_seed_has_room_for_every_order_of_a_deck() -> None:
    assert factorial(52) < 256**SEED_BYTES


def test_fresh_seeds_differ() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {SEED_BYTES}


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(Refused, match=f"A seed has 32 bytes, not {size}"):
        Generator(bytes(size), b"")
    with pytest.raises(Refused, match=f"A seed has 32 bytes, not {size}"):
        Generator(SEED, b"").reseed(bytes(size))


def test_one_request_gives_at_most_what_the_standard_allows() -> None:
    generator = Generator(SEED, b"")
    assert len(generator.generate(MOST_BYTES)) == MOST_BYTES == 2**19 // 8
    for count in (-1, 0, MOST_BYTES + 1):
        with pytest.raises(Refused, match="One request gives 1 to 65,536 bytes"):
            generator.generate(count)


def test_after_its_last_request_it_must_be_reseeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The standard's limit is 2^48; nobody waits for that."""
    assert module.MOST_REQUESTS == 2**48
    monkeypatch.setattr(module, "MOST_REQUESTS", 2)
    generator = Generator(SEED, b"")
    generator.generate(1)
    generator.generate(1)
    with pytest.raises(Refused, match="must be reseeded"):
        generator.generate(1)
    generator.reseed(SEED)
    assert len(generator.generate(1)) == 1
