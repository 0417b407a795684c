"""Evidence: the pieces of a row's answer add up to it, and a nomogram's points to the same share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood import datasets
from clearwood.errors import ColumnError, SettingError
from clearwood.explaining.evidence import evidence
from clearwood.explaining.nomogram import nomogram
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.predicting import shares as bayes_shares
from clearwood.predicting.bayes import log_joint
from clearwood.table import read_table
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from tests.learners.bayes_tables import LEARNERS, many, tables_for
from tests.typed import mistyped


def first_row(table: Table) -> dict[str, str | float | None]:
    row: dict[str, str | float | None] = {}
    for attribute in table.schema.inputs:
        cell = table.columns[attribute.name][0]
        if isinstance(attribute, Nominal | Ordinal):
            row[attribute.name] = attribute.values[cell] if cell >= 0 else None
        else:
            row[attribute.name] = None if np.isnan(cell) else float(cell)
    return row


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@many
@given(data=st.data())
def test_the_pieces_add_up_to_the_answer(name: str, data: st.DataObject) -> None:
    table = data.draw(tables_for(name))
    model = LEARNERS[name].learn(table)
    contributions = evidence(model, first_row(table))
    one = table.take(np.array([0]))
    np.testing.assert_array_equal(contributions.joint, log_joint(model, one)[0])
    np.testing.assert_array_equal(contributions.shares, bayes_shares(model, one)[0])
    for c in range(len(contributions.classes)):
        added = contributions.log_priors[c]
        for piece in contributions.pieces:
            added += piece.logs[c]
        assert added == contributions.joint[c]
    if len(contributions.classes) > 1 and not contributions.by_limit and sorted(contributions.shares)[-2] > 0:
        bars = contributions.bars()
        best, next_best = sorted(contributions.shares)[-1], sorted(contributions.shares)[-2]
        total = math.fsum(bar.log_odds for bar in bars)
        assert total == pytest.approx(math.log(best / next_best), abs=1e-8)


def test_missing_and_unseen_cells_are_named() -> None:
    model = NaiveBayes().learn(read_table(datasets.path("tennis_numeric"), target="Play"))
    contributions = evidence(model, {"Outlook": "Fog", "Humidity": 70})
    standing = {piece.name: (piece.value, piece.standing) for piece in contributions.pieces}
    assert standing == {
        "Outlook": ("Fog", "unseen"),
        "Temperature": (None, "missing"),
        "Humidity": (70.0, "known"),
        "Wind": (None, "missing"),
    }


def test_a_column_or_class_that_is_not_there_is_refused() -> None:
    model = NaiveBayes().learn(read_table(datasets.path("tennis"), target="PlayTennis"))
    with pytest.raises(ColumnError, match="Did you mean 'Humidity'"):
        evidence(model, {"Humidty": "High"})
    with pytest.raises(SettingError, match="No class 'Maybe'"):
        evidence(model, {}).bars("Maybe")
    with pytest.raises(SettingError, match="against itself"):
        nomogram(model, "Yes", "Yes")


@pytest.mark.parametrize("numeric", ["gaussian", "kernel", "cuts"])
def test_the_points_of_a_nomogram_add_up_to_the_share(numeric: str) -> None:
    table = read_table(datasets.path("tennis_numeric"), target="Play")
    model = NaiveBayes(numeric=mistyped(numeric)).learn(table)
    chart = nomogram(model, "Play")
    row, points = {}, 0.0
    for scale in chart.scales:
        tick = scale.ticks[len(scale.ticks) // 2]
        if numeric == "cuts" and scale.name in ("Temperature", "Humidity"):
            points += chart.skipped[scale.name]
            continue
        assert tick.points is not None
        points += tick.points
        attribute = model.schema[scale.name]
        row[scale.name] = tick.label if isinstance(attribute, Nominal) else float(tick.label)
    contributions = evidence(model, row)
    assert chart.share(points) == pytest.approx(
        contributions.shares[model.schema.classes.index("Play")], rel=1e-9
    )
    assert max(scale.length for scale in chart.scales) == pytest.approx(100)


def test_an_unsmoothed_zero_has_no_points() -> None:
    model = NaiveBayes(smoothing="none").learn(read_table(datasets.path("tennis"), target="PlayTennis"))
    ticks = {tick.label: tick.points for tick in nomogram(model, "Yes").scales[0].ticks}
    assert ticks["Overcast"] is None
    assert ticks["Sunny"] == 0


def test_a_nomogram_shows_no_value_beyond_the_table_it_is_given() -> None:
    table = read_table(datasets.path("hire_numeric"), target="Hire")
    model = NaiveBayes().learn(table)
    for scale in nomogram(model, "yes", table=table).scales:
        if not isinstance(table.schema[scale.name], Numeric):
            continue
        met = table.columns[scale.name]
        shown = [float(tick.label) for tick in scale.ticks]
        assert met.min() - 0.05 <= min(shown)
        assert max(shown) <= met.max() + 0.05


def test_a_nomogram_without_a_table_goes_two_standard_deviations_beyond_the_means() -> None:
    table = read_table({"Height": [1.0, 2.0, 3.0, 11.0, 12.0, 13.0], "Kind": list("aaabbb")}, target="Kind")
    (scale,) = nomogram(NaiveBayes().learn(table)).scales
    shown = [float(tick.label.replace("−", "-")) for tick in scale.ticks]
    spread = (shown[-1] - shown[0] - 10) / 4
    assert 0.75 < spread < 1.05  # of three values a step apart, by either way of dividing


@pytest.mark.parametrize("learner", [cw.NaiveBayes(), cw.Logistic(penalty="l2")])
def test_a_model_that_tests_no_column_explains_any_row_by_its_prior_alone(learner: Any) -> None:
    table = cw.read_table({"x": ["v", "v", "v"], "y": ["a", "b", "a"]}, target="y")
    model = learner.learn(table)
    for row in ({"x": "v"}, {}):
        assert cw.evidence(model, row).pieces == ()
        assert cw.explain(model, row).answer == "a"
        assert cw.derive(model, row=row)[-1].outcome is not None
