"""Folds and dealt rows stay what they were in every version: a seed in a paper still gives its rows."""

from __future__ import annotations

from clearwood.counting.chance import chance_key, draw
from clearwood.learners.rules.ripper_definition import Dealer
from clearwood.mixing import GOLDEN, mixed
from clearwood.table.folding import shuffled


def test_bits_are_mixed_as_splitmix64_does() -> None:
    # The first three numbers of SplitMix64 from the seed 0, as its authors' program prints them.
    assert [mixed(k * GOLDEN) for k in (1, 2, 3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_a_seed_gives_the_same_order_of_rows_in_every_version() -> None:
    assert shuffled(12, seed=0).tolist() == [2, 4, 6, 8, 5, 10, 1, 11, 7, 0, 9, 3]
    assert shuffled(12, seed=1).tolist() == [6, 11, 5, 4, 9, 1, 3, 2, 7, 8, 10, 0]
    assert shuffled(12, seed=-3).tolist() == [7, 2, 3, 6, 10, 9, 4, 8, 5, 11, 0, 1]


def test_a_dealer_draws_the_same_numbers_in_every_version() -> None:
    dealer = Dealer(5)
    assert [dealer.below(1000) for _ in range(9)] == [386, 752, 232, 99, 187, 380, 985, 511, 426]


def test_a_counted_draw_is_the_mixed_key() -> None:
    key = chance_key(7, 1)
    assert draw(key, 3) == mixed(key + 4 * GOLDEN)
