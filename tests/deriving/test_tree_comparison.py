"""Side by side: where learners part on one table, and the numbers that made them part."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import clearwood as cw
from clearwood.catalogue import LEARNERS
from clearwood.deriving.tree_comparison import usual_learners
from clearwood.errors import SettingError
from clearwood.table.table import Table
from tests.book_tables import book_table
from tests.learners.random_tables import random_tables
from tests.typed import mistyped


def book(name: str, target: str) -> Table:
    return book_table(name, target=target)


def test_the_usual_four_part_at_the_top_of_the_tennis_table() -> None:
    comparison = cw.compare_trees(book("tennis", "PlayTennis"))
    assert list(comparison.models) == ["ID3", "C4.5", "CART", "CHAID"]
    assert comparison.alike == (("ID3", "C4.5"), ("CART",), ("CHAID",))
    assert comparison.right == {"ID3": 14, "C4.5": 14, "CART": 14, "CHAID": 9}
    parting = comparison.parting
    assert parting is not None
    assert parting.rows.when == ()
    assert parting.counts == (5, 9)
    branches = {name: [str(each) for each in choice.asks] for name, choice in parting.choices.items()}
    assert branches == {
        "ID3": ["Outlook = Sunny", "Outlook = Overcast", "Outlook = Rainy"],
        "C4.5": ["Outlook = Sunny", "Outlook = Overcast", "Outlook = Rainy"],
        "CART": ["Outlook in {Sunny, Rainy}", "Outlook = Overcast"],
        "CHAID": [],
    }
    scores = {name: choice.scores["Outlook"] for name, choice in parting.choices.items()}
    assert scores["ID3"]["Gain"] == pytest.approx(0.2467, abs=5e-5)
    assert scores["C4.5"]["Gain ratio"] == pytest.approx(0.1564, abs=5e-5)
    assert scores["CART"]["Decrease"] == pytest.approx(0.1020, abs=5e-5)
    assert scores["CHAID"]["adjusted p"] == pytest.approx(0.2330, abs=5e-4)
    assert parting.choices["CHAID"].because == (
        "Humidity has the smallest adjusted p, 0.094, which is above 0.05: a leaf.",
    )


def test_what_was_set_for_a_small_table_is_said() -> None:
    comparison = cw.compare_trees(book("tennis", "PlayTennis"))
    assert comparison.notes == (
        "CHAID's usual minimums, 100 rows to split and 50 in a branch, are made for surveys. For 14 rows "
        "they are 2 and 1 here.",
    )
    assert comparison.models["CHAID"].origin.settings["min_rows"] == 2
    large = cw.read_table({"x": np.arange(1000.0), "y": list("ab") * 500}, target="y")
    learners, notes = usual_learners(large)
    assert learners["CHAID"] == cw.CHAID()
    assert notes == ()


def test_a_learner_of_ones_own_joins_the_default_comparison_by_its_entry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = book("tennis", "PlayTennis")
    assert list(cw.compare_trees(table).models) == ["ID3", "C4.5", "CART", "CHAID"]
    stump = replace(LEARNERS["id3"], presets={"max_depth": 1}, compared_as="Stump")
    monkeypatch.setitem(LEARNERS, "stump", stump)
    assert cw.compare_trees(table).models["Stump"].depth == 1
    number = cw.read_table({"x": [1, 1, 2, 2], "y": [0.5, 1.5, 7.5, 8.25]}, target="y")
    learners, notes = usual_learners(number)
    assert list(learners) == ["CART", "CHAID"]
    assert notes[-1].startswith("ID3, C4.5 and Stump learn classes only")


def test_they_part_below_the_top_where_they_agree_there() -> None:
    comparison = cw.compare_trees(book("hire", "Hire"))
    assert comparison.parting is not None
    assert [str(each) for each in comparison.parting.rows.when] == ["Favorite Language = Objective-C"]
    assert comparison.parting.rows.weight == 7


def test_pruning_is_the_reason_where_it_made_a_leaf() -> None:
    table = book("tennis", "PlayTennis")
    learners = {"kept": cw.CART(), "pruned": cw.CART(alpha=0.2)}
    parting = cw.compare_trees(table, learners).parting
    assert parting is not None
    assert parting.choices["pruned"].because == (
        "Outlook has the largest decrease, 0.102: split on it.",
        "Its α is 0.1071, the error saved per leaf, and α is set to 0.2: it becomes a leaf.",
    )


def test_thresholds_between_the_same_values_are_no_difference() -> None:
    table = book("animals", "Class")
    comparison = cw.compare_trees(table, [cw.ID3(), cw.C45()])
    assert str(comparison.models["ID3"].condition(1)) != str(comparison.models["C45"].condition(1))
    assert comparison.parting is None
    assert "They never part" in str(comparison)


def test_numbers_are_compared_by_cart_and_chaid() -> None:
    x = np.arange(40) / 7
    table = cw.read_table({"x": x, "y": np.sin(x)}, target="y")
    comparison = cw.compare_trees(table)
    assert list(comparison.models) == ["CART", "CHAID"]
    assert "ID3 and C4.5 learn classes only, so for a number there are CART and CHAID." in comparison.notes
    assert comparison.right == {}
    str(comparison)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(table=random_tables(max_values=12, max_rows=40))
def test_any_table_can_be_compared_and_told(table: Table) -> None:
    comparison = cw.compare_trees(table)
    assert str(comparison)
    data = json.loads(json.dumps(comparison.to_json(), allow_nan=False))
    assert set(data["learners"]) == set(comparison.models)
    same = {name for group in comparison.alike if len(group) == len(comparison.models) for name in group}
    assert (comparison.parting is None) == (same == set(comparison.models))


@pytest.mark.parametrize(
    ("learners", "sentence"),
    [
        ([cw.CART(), cw.CART(min_leaf=2)], "Several learners are CART"),
        ([cw.CART()], "at least two"),
        ({"a": cw.CART(), "b": cw.NaiveBayes()}, "'b' is no tree learner"),
    ],
)
def test_what_cannot_be_compared_is_refused(learners: Any, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        cw.compare_trees(book("tennis", "PlayTennis"), learners)


def test_a_table_is_asked_for() -> None:
    with pytest.raises(SettingError, match="compare_trees takes a Table, not list"):
        cw.compare_trees(mistyped([]))


def test_names_that_would_break_the_lines_are_shown() -> None:
    columns = {"two\nlines": list("aabb"), "<b>": list("xyxy"), "y": list("pqqq")}
    assert "two\\nlines" in str(cw.compare_trees(cw.read_table(columns, target="y")))
