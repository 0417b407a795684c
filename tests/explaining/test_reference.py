"""A linear model's cells are compared with a stated reference, and the bars add up by any of them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ColumnError, SettingError, SourceError
from clearwood.models.kinds.kind import NumbersProfile, Profile
from clearwood.models.kinds.linear.linear_model import LinearModel
from tests.learners.linear_tables import noisy_table
from tests.typed import mistyped

ROW = {"x": 1.5, "z": 40.0, "noise": 0.2, "c": "v2"}


def _profiled(table: cw.Table, model: LinearModel) -> LinearModel:
    columns = {}
    for name in ("x", "z", "noise"):
        cells = table.columns[name]
        quantiles = tuple(np.quantile(cells, np.linspace(0, 1, 21)).tolist())
        columns[name] = NumbersProfile(float(cells.mean()), float(cells.std()), quantiles, len(cells))
    return replace(model, profile=Profile(len(table), float(len(table)), columns))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("priors", [None, "equal"])
@pytest.mark.parametrize("against", [None, "average", "zero", "best", {"x": 0.0, "z": 50.0, "c": "v1"}])
def test_the_bars_add_up_to_the_answer_by_any_reference(classes: int, priors: Any, against: Any) -> None:
    table = noisy_table(300, 2, classes)
    model = _profiled(table, cw.Logistic(priors=priors).learn(table))
    contributions = cw.evidence(model, ROW, against=against)
    for called in model.schema.classes:
        for other in model.schema.classes:
            if called != other:
                places = [model.schema.classes.index(name) for name in (called, other)]
                odds = math.log(contributions.shares[places[0]] / contributions.shares[places[1]])
                assert sum(bar.log_odds for bar in contributions.bars(called, other)) == pytest.approx(odds)
    assert contributions.shares == pytest.approx(cw.shares(model, [ROW])[0])


def test_a_piece_does_not_depend_on_which_value_is_the_reference_of_its_column() -> None:
    table = noisy_table()
    common, first = (cw.Logistic(reference=each).learn(table) for each in ("most common", {"c": "v2"}))
    assert first.references["c"] == "v2"
    for one, other in zip(cw.evidence(common, ROW).bars(), cw.evidence(first, ROW).bars(), strict=True):
        assert one.log_odds == pytest.approx(other.log_odds, abs=1e-6)
    assert abs(cw.evidence(first, ROW).pieces[-1].logs[1]) > 0.1  # the reference itself is no nothing


def test_the_average_row_is_where_the_pieces_begin() -> None:
    table = noisy_table()
    model = cw.Logistic().learn(table)
    contributions = cw.evidence(model, ROW)
    assert contributions.begins == "average row"
    pieces = [[piece.logs[1] for piece in cw.evidence(model, row).pieces] for row in _rows(table)]
    assert np.mean(pieces, axis=0) == pytest.approx(0.0, abs=1e-9)


def _rows(table: cw.Table) -> list[dict[str, Any]]:
    return [
        {
            **{name: float(table.columns[name][i]) for name in ("x", "z", "noise")},
            "c": f"v{table.columns['c'][i]}",
        }
        for i in range(len(table))
    ]


def test_against_the_best_row_every_cell_is_a_reason_for_the_answer() -> None:
    table = noisy_table()
    model = _profiled(table, cw.Logistic().learn(table))
    for row in _rows(table)[:40]:
        contributions = cw.evidence(model, row, against="best")
        assert contributions.begins in ("row most in favour of A", "row most in favour of B")
        assert all(bar.log_odds >= -1e-9 for bar in contributions.bars()[1:])


def test_references_that_a_model_lacks_are_refused() -> None:
    model = cw.Logistic().learn(noisy_table())
    bare = replace(model, averages={})
    assert cw.evidence(bare, ROW).begins == "intercept"
    with pytest.raises(SettingError, match="keeps no averages"):
        cw.evidence(bare, ROW, against="average")
    with pytest.raises(SettingError, match="needs the range of 'x'"):
        cw.evidence(model, ROW, against="best")
    with pytest.raises(SettingError, match="against must be"):
        cw.evidence(model, ROW, against=mistyped("middle"))
    with pytest.raises(ColumnError, match="against: No column 'xx'"):
        cw.evidence(model, ROW, against={"xx": 1})
    tree = cw.C45().learn(noisy_table())
    with pytest.raises(SettingError, match="against is for linear models"):
        cw.explain(tree, ROW, against="average")


def test_an_explanation_says_what_it_compares_with() -> None:
    model = cw.Logistic().learn(noisy_table())
    text = str(cw.explain(model, ROW))
    assert "each cell compared with the average row" in text
    assert "to 1  of the average row" in text
    assert "compared with" not in str(cw.explain(model, ROW, against="zero"))


@pytest.mark.slow
def test_a_report_says_what_its_evidence_is_compared_with() -> None:
    page = cw.report(noisy_table(), learner=cw.Logistic()).html
    assert "beyond what its column adds on average over the training rows" in page


def test_odds_ratios_can_be_per_standard_deviation() -> None:
    table = noisy_table()
    plain = cw.Logistic().learn(table)
    model = _profiled(table, plain)
    unit, sd = cw.estimates(model)[2], cw.estimates(model, per="sd")[2]
    deviation = float(table.columns["z"].std())
    assert sd.odds_ratio == pytest.approx(unit.odds_ratio**deviation)
    assert sd.odds_interval == pytest.approx([end**deviation for end in unit.odds_interval or ()])
    assert (sd.z, sd.p) == (unit.z, unit.p)
    assert cw.estimates(model, per="sd")[-1] == cw.estimates(model)[-1]  # values have no deviation
    with pytest.raises(SettingError, match="no profile of its training rows"):
        cw.estimates(plain, per="sd")


def test_an_infinite_number_to_compare_with_is_refused() -> None:
    model = cw.Logistic().learn(noisy_table(300, 2, 2))
    with pytest.raises(SourceError, match="inf is infinite"):
        cw.explain(model, ROW, against={**ROW, "x": math.inf})
