"""The terms of Bayes tables worked out by hand: chances of values, and widths of bells."""

from __future__ import annotations

from math import sqrt
from typing import Literal

import numpy as np
import pytest

from clearwood.models.distributions import Categorical, Kernel
from clearwood.predict.bayes_terms import categorical_chances, value_chances, widths_of
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema

SCHEMA = Schema((Nominal("a", ("x", "y")),), Nominal("class", ("yes", "no")))


def test_a_value_never_met_has_the_least_of_the_prior() -> None:
    chances, unseen, sizes = value_chances(np.array([[6.0, 2.0]]), 2.0, np.array([0.7, 0.3]))
    assert chances[0].tolist() == pytest.approx([(6 + 1.4) / 10, (2 + 0.6) / 10])
    assert unseen.tolist() == pytest.approx([0.6 / 10])
    assert sizes.tolist() == [10.0]


def test_a_class_without_rows_and_smoothing_has_the_prior() -> None:
    chances, unseen, _ = value_chances(np.array([[0.0, 0.0]]), 0.0, np.array([0.7, 0.3]))
    assert chances[0].tolist() == [0.7, 0.3]
    assert unseen.tolist() == [0.3]


def test_the_prior_overall_is_that_of_all_rows_and_an_equal_one_where_there_are_none() -> None:
    met = categorical_chances(SCHEMA, Categorical("a", ((3, 1), (3, 1)), 4.0, "overall"))
    assert met[0].tolist() == [[0.75, 0.25]] * 2
    empty = categorical_chances(SCHEMA, Categorical("a", ((0, 0), (0, 0)), 4.0, "overall"))
    assert empty[0].tolist() == [[0.5, 0.5]] * 2


@pytest.mark.parametrize(("rule", "n"), [("scott", 4.0), ("silverman", 3.0)])
def test_the_width_of_bells_goes_by_the_spread_of_a_class_or_else_of_all(
    rule: Literal["scott", "silverman"], n: float
) -> None:
    kernel = Kernel("x", (((1.0, 2), (3.0, 2)), ((5.0, 4),)), rule)
    assert widths_of(kernel) == pytest.approx((sqrt(4 / 3) / n**0.2, sqrt(0.5) / n**0.2))


def test_a_column_that_never_varied_has_no_width() -> None:
    assert widths_of(Kernel("x", (((2.0, 3),), ((2.0, 1),)))) is None
