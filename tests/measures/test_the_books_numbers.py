"""The measures give the worked examples' figures."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clearwood.datasets import path
from clearwood.measures import IMPURITIES, TESTS
from clearwood.measures.inference import extra_errors, wilson
from clearwood.measures.information import gain, gain_ratio, split_information

HERE = Path(__file__).parent.parent / "worked_examples"
EXPECTED: dict[str, Any] = json.loads((HERE / "expected.json").read_text())
TARGETS = {"tennis": "Play", "hire": "Hire", "buys_computer": "buys_computer"}


def close(value: float | list[float]) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-9)


ATTRIBUTES = {f"{n}-{a}": f for n in TARGETS for a, f in EXPECTED[n]["attributes"].items()}


@pytest.mark.parametrize("name", list(ATTRIBUTES))
def test_an_attribute_has_the_books_gain_and_ratio(name: str) -> None:
    figures = ATTRIBUTES[name]
    classes = sorted({c for branch in figures["counts"].values() for c in branch})
    counts = np.array([[branch.get(c, 0) for c in classes] for branch in figures["counts"].values()])
    assert IMPURITIES["entropy"](counts).tolist() == close(list(figures["entropy"].values()))
    assert float(gain(counts)) == close(figures["gain"])
    assert float(split_information(counts.sum(axis=1))) == close(figures["split_info"])
    assert float(gain_ratio(counts)) == close(figures["gain_ratio"])


@pytest.mark.parametrize("name", list(TARGETS))
def test_a_table_has_the_books_entropy(name: str) -> None:
    counts = np.array(list(EXPECTED[name]["classes"].values()))
    assert float(IMPURITIES["entropy"](counts)) == close(EXPECTED[name]["entropy"])


@pytest.mark.parametrize("attribute", ["Weight", "Height"])
def test_the_animals_cuts_have_the_books_gini(attribute: str) -> None:
    rows = list(csv.DictReader(path("animals").open()))
    target = list(rows[0])[-1]
    classes = sorted({row[target] for row in rows})
    for cut in EXPECTED["animals"][attribute]:
        sides = [
            [r for r in rows if (float(r[attribute]) <= cut["midpoint"]) is side] for side in (True, False)
        ]
        counts = np.array([[sum(r[target] == c for r in side) for c in classes] for side in sides])
        before = EXPECTED["animals"]["gini"]
        assert before - float(gain(counts, IMPURITIES["gini"])) == close(cut["weighted_gini"])


@pytest.mark.parametrize("name", list(EXPECTED["contingency"]))
def test_a_condition_has_the_books_tests(name: str) -> None:
    figures = EXPECTED["contingency"][name]
    table = np.array(figures["observed"])
    actual = {key: test(table) for key, test in TESTS.items()}
    assert float(actual["chi_square"].statistic) == close(figures["chi_square"])
    assert float(actual["chi_square"].p) == close(figures["p"])
    assert float(actual["yates"].statistic) == close(figures["yates"])
    assert float(actual["yates"].p) == close(figures["yates_p"])
    assert float(actual["fisher"].p) == close(figures["fisher_two_sided_p"])


@pytest.mark.parametrize("name", list(TESTS))
def test_every_test_takes_many_tables_at_once(name: str) -> None:
    tables = np.array([[[8, 12], [28, 8]], [[12, 8], [24, 12]], [[5, 0], [7, 0]]])
    together = TESTS[name](tables)
    assert together.p.tolist() == [float(TESTS[name](table).p) for table in tables]
    assert together.p[2] == 1


@pytest.mark.parametrize("name", list(IMPURITIES))
def test_every_impurity_is_0_when_pure_or_empty_and_largest_when_even(name: str) -> None:
    impurity = IMPURITIES[name]
    pure, empty, uneven, even = impurity(np.array([[7, 0, 0], [0, 0, 0], [3, 2, 1], [2, 2, 2]]))
    assert pure == empty == 0 < uneven < even


def test_extra_errors_follow_the_line_between_no_error_and_one() -> None:
    none, half, one = (extra_errors(10, e) for e in (0, 0.5, 1))
    assert half == pytest.approx((none + one) / 2)
    assert none == pytest.approx(10 * (1 - 0.25**0.1))


def test_quinlans_table_charges_a_little_more_than_the_exact_deviate() -> None:
    assert extra_errors(100, 10, 0.25, "quinlan") > extra_errors(100, 10, 0.25, "normal")
    assert extra_errors(3, 2.8, 0.25, "quinlan") == pytest.approx(0.67 * 0.2)


def test_wilsons_interval_stays_within_0_and_1() -> None:
    low, high = wilson([0, 5, 10, 0], [10, 10, 10, 0])
    assert (low >= 0).all()
    assert (high <= 1).all()
    assert low[0] == 0
    assert high[2] == 1
    assert (low[3], high[3]) == (0, 1)
