"""Leaves told: their share, their number and the interval of either are those that prediction gives."""

from __future__ import annotations

from typing import Any

import pytest

import clearwood as cw
from clearwood.formulas.expressions import Number
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure
from tests.deriving.checking import check


def tennis() -> Table:
    return cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")


def numbers() -> Table:
    cells: dict[str, list[Any]] = {
        "x": ["a", "a", "b", "b", None, "b"],
        "y": [1.1, 2.2, 3.3, 4.4, 5.5, 7.0],
    }
    return cw.read_table(cells, target="y")


def by_name(step: Step) -> dict[str, Figure]:
    return {figure.name: figure for figure in step.figures}


def test_priors_weigh_in_the_interval_as_in_the_share() -> None:
    table, rainy = tennis(), {"Outlook": "Rainy"}
    tree = cw.ID3(max_depth=1, priors={"No": 0.9, "Yes": 0.1}).learn(table)
    derivation = cw.derive(tree, table, at="Outlook = Rainy")
    check(derivation)
    own = by_name(derivation[0])
    ends = [own["interval from"].value, own["interval to"].value]
    assert ends == pytest.approx(cw.intervals(tree, [rainy])[0].tolist())
    answer = cw.derive(tree, row=rainy)
    check(answer)
    assert ends == pytest.approx([answer.figure(f"interval {end}").value for end in ("from", "to")])
    assert own["P(No)"].value == answer.figure("P(No | the row)").value


def test_rows_weighed_by_factors_are_told_apart_from_rows_counted() -> None:
    table = tennis()
    tree = cw.CART(max_depth=1, costs={("No", "Yes"): 5.0}).learn(table)
    derivation = cw.derive(tree, table)
    check(derivation)
    for step in derivation:
        own = by_name(step)
        assert "n" not in own, "rows counted are those of the step"
        assert own["n, weighed"].put_in is not None


def test_a_leaf_of_numbers_shows_its_mean_and_its_squared_error() -> None:
    table = numbers()
    derivation = cw.derive(cw.CART(max_depth=1).learn(table), table)
    check(derivation)
    own = by_name(derivation[1])
    assert own["n"].formula is None
    assert own["prediction"].put_in is not None
    assert own["prediction"].value == pytest.approx(1.65)
    assert own["MSE"].value == pytest.approx(0.55**2)


def test_the_rows_behind_an_answer_of_several_leaves_are_counted_in_the_open() -> None:
    tree = cw.ID3().learn(tennis())
    row = {"Outlook": None, "Humidity": "High", "Wind": "Weak"}
    derivation = cw.derive(tree, row=row)
    check(derivation)
    behind = derivation.figure("n")
    assert behind.put_in is not None
    assert behind.value == pytest.approx((5 * 3 + 4 * 4 + 5 * 3) / 14)
    ends = [derivation.figure(f"interval {end}").value for end in ("from", "to")]
    assert ends == pytest.approx(cw.intervals(tree, [row])[0].tolist())


def test_an_end_at_1_has_its_numbers_put_in_too() -> None:
    table = tennis()
    end = by_name(cw.derive(cw.ID3().learn(table), table, at="Outlook = Overcast")[0])["interval to"]
    assert end.value == 1
    assert end.put_in is not None
    assert not isinstance(end.put_in, Number)
