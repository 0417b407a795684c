"""Values and classes without a declared order come in one that rows have no part in."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.table import read_table
from clearwood.table.attributes import Nominal, joined_values, natural_order

CELLS = st.lists(
    st.sampled_from(["<100", ">=1000", "100<=X<500", "10", "9", "b", "a", "Q10", "Q9", "é"]), min_size=2
)


@given(CELLS, st.randoms(use_true_random=False))
def test_rows_in_any_order_make_the_same_schema(cells: list[str], chance: object) -> None:
    rows = [{"x": each, "y": each[:1]} for each in cells]
    other = list(rows)
    chance.shuffle(other)  # type: ignore[attr-defined]
    one, two = (
        read_table(each, target="y", kinds={"x": "nominal", "y": "nominal"}).schema for each in (rows, other)
    )
    assert one == two


@given(CELLS)
def test_the_place_of_two_values_does_not_depend_on_others(cells: list[str]) -> None:
    everything = natural_order({*cells, "m", "50"})
    assert natural_order(set(cells)) == tuple(each for each in everything if each in cells)


@pytest.mark.parametrize(
    "values",
    [
        ("<0", "0<=X<200", ">=200", "no checking"),
        ("<=30", "31...40", ">40"),
        ("(-inf-0.5]", "(0.5-10.5]", "(10.5-inf)"),
        ("1st", "2nd", "10th", "crew"),
        ("-10", "-9", "0", "1e3"),
    ],
)
def test_intervals_and_numbers_come_by_what_they_say(values: tuple[str, ...]) -> None:
    assert natural_order(reversed(values)) == values


def test_a_declared_order_is_kept() -> None:
    sizes = pd.Categorical(["S", "L", "M"], categories=["S", "M", "L"])
    schema = read_table(pd.DataFrame({"size": sizes, "y": ["b", "a", "b"]}), target="y").schema
    assert schema["size"] == Nominal("size", ("S", "M", "L"))
    assert schema.classes == ("a", "b")


def test_lists_that_are_joined_stay_natural_in_any_order() -> None:
    assert joined_values(("b",), ("a", "c")) == joined_values(("a", "c"), ("b",)) == ("a", "b", "c")
    assert joined_values(("low", "high"), ("extreme",)) == ("low", "high", "extreme")


def test_rows_are_numbered_in_any_order() -> None:
    rows = {"x": [3, 1, 2, 5, 4, 7, 6, 9, 8, 10], "y": list("ababababab")}
    assert "it numbers the rows" in read_table(rows, target="y").notes[0]
