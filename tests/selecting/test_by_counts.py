"""Filters by counts: the book's numbers, other people's programs, missing cells, weights, numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn.metrics import mutual_info_score

import clearwood as cw
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.trees import tennis_table

BY_COUNTS = ("gain", "gain-ratio", "uncertainty", "chi2")


def nominal_table(rows: int, seed: int, *, missing: float = 0.0, weights: bool = False) -> Table:
    """Four columns of two to five values, the first of which goes with the class."""
    random = np.random.default_rng(seed)
    classes = random.integers(0, 3, rows).astype(np.int32)
    cells = {f"c{k}": random.integers(0, k + 2, rows).astype(np.int32) for k in range(4)}
    cells["c0"] = np.where(random.random(rows) < 0.6, classes % 2, cells["c0"]).astype(np.int32)
    for column in cells.values():
        column[random.random(rows) < missing] = -1
    attributes = tuple(Nominal(f"c{k}", tuple("abcde"[: k + 2])) for k in range(4))
    heavy = random.integers(1, 4, rows).astype(np.float64) if weights else None
    return Table(Schema(attributes, Nominal("y", ("p", "q", "r"))), {**cells, "y": classes}, heavy)


def test_gains_on_the_tennis_days_are_those_of_quinlan() -> None:
    ranking = cw.rank_columns(tennis_table(), "gain")
    assert [each.name for each in ranking.columns] == ["Outlook", "Humidity", "Wind", "Temperature"]
    assert [round(each.score, 3) for each in ranking.columns] == [0.247, 0.152, 0.048, 0.029]


@pytest.mark.parametrize("by", [*BY_COUNTS, "cfs", "mrmr"])
def test_numbers_in_which_no_cut_is_worth_making_are_named(by: str) -> None:
    rows = {"age": [1, 2, 3, 4, 5, 6] * 3, "colour": list("ab") * 9, "y": list("pqpqqp") * 3}
    notes = cw.rank_columns(cw.read_table(rows, target="y"), by).notes
    assert "age: no cut worth making, counted as 0; relieff does not cut." in notes
    assert not cw.rank_columns(cw.read_table(rows, target="y"), "relieff").notes


def test_gain_ratios_on_the_tennis_days_are_those_of_mitchell() -> None:
    ranking = cw.rank_columns(tennis_table(), "gain-ratio")
    assert {each.name: round(each.score, 3) for each in ranking.columns} == {
        "Outlook": 0.156, "Humidity": 0.152, "Wind": 0.049, "Temperature": 0.019
    }  # fmt: skip


def test_gain_is_the_mutual_information_of_scikit_learn() -> None:
    table = nominal_table(300, 1)
    for each in cw.rank_columns(table, "gain").columns:
        expected = mutual_info_score(table.columns[each.name], table.target) / np.log(2)
        assert each.score == pytest.approx(expected)


def test_symmetrical_uncertainty_is_twice_the_information_over_both_entropies() -> None:
    table = nominal_table(300, 2)
    for each in cw.rank_columns(table, "uncertainty").columns:
        cells = table.columns[each.name]
        own, other = mutual_info_score(cells, cells), mutual_info_score(table.target, table.target)
        assert each.score == pytest.approx(2 * mutual_info_score(cells, table.target) / (own + other))


def test_chi_square_is_that_of_scipy_and_ranks_by_its_p() -> None:
    table = nominal_table(300, 3)
    ranking = cw.rank_columns(table, "chi2")
    for each in ranking.columns:
        counts = np.zeros((5, 3))
        np.add.at(counts, (table.columns[each.name], table.target), 1)
        expected = chi2_contingency(counts[counts.sum(axis=1) > 0], correction=False)
        assert each.figures["chi-square"] == pytest.approx(expected.statistic)
        assert each.figures["p"] == pytest.approx(expected.pvalue)
        assert each.score == pytest.approx(-np.log10(expected.pvalue), abs=1e-9)
    assert [each.score for each in ranking.columns] == sorted(each.score for each in ranking.columns)[::-1]


@pytest.mark.parametrize("by", [*BY_COUNTS, "cfs", "mrmr"])
def test_a_row_of_weight_three_counts_as_three_rows(by: str) -> None:
    table = nominal_table(120, 4, missing=0.1, weights=True)
    assert table.weights is not None
    apart = table.take(np.repeat(np.arange(120), table.weights.astype(int)))
    repeated = Table(apart.schema, apart.columns)
    one, other = cw.rank_columns(table, by), cw.rank_columns(repeated, by)
    assert [each.name for each in one.columns] == [each.name for each in other.columns]
    assert [each.score for each in one.columns] == pytest.approx([each.score for each in other.columns])


def test_missing_cells_tell_nothing_by_the_part_that_is_missing() -> None:
    whole = nominal_table(400, 5)
    hidden = np.arange(400) % 4 == 0
    cells = np.where(hidden, np.int32(-1), whole.columns["c0"])
    table = Table(whole.schema, {**whole.columns, "c0": cells})
    known = cw.rank_columns(whole.take(~hidden), "gain")["c0"].score
    assert cw.rank_columns(table, "gain")["c0"].score == pytest.approx(0.75 * known)


def test_numbers_are_cut_by_the_classes_or_into_bins_of_equal_frequency() -> None:
    random = np.random.default_rng(0)
    good, noise = random.normal(size=400), random.normal(size=400)
    classes = (good > 0).astype(np.int32)
    schema = Schema((Numeric("noise"), Numeric("good")), Nominal("y", ("low", "high")))
    table = Table(schema, {"noise": noise, "good": good, "y": classes})
    by_classes = cw.rank_columns(table, "gain")
    assert by_classes.kept == ("good",)
    assert by_classes["good"].score == pytest.approx(float(cw.rank_columns(table, "gain")["good"].score))
    assert by_classes["noise"].score == 0
    by_frequency = cw.rank_columns(table, "gain", cuts="frequency", bins=4)
    assert 0 < by_frequency["noise"].score < 0.05 < by_frequency["good"].score


@pytest.mark.parametrize("by", [*BY_COUNTS, "cfs", "mrmr"])
def test_a_numeric_target_is_cut_into_ten_parts_and_the_ranking_says_so(by: str) -> None:
    random = np.random.default_rng(0)
    x, noise = random.normal(size=500), random.normal(size=500)
    schema = Schema((Numeric("noise"), Numeric("x")), Numeric("y"))
    table = Table(schema, {"noise": noise, "x": x, "y": 2 * x + 0.1 * random.normal(size=500)})
    ranking = cw.rank_columns(table, by)
    assert ranking.columns[0].name == "x"
    assert ranking.notes == (
        "y was cut into 10 parts of about equal weight.",
        "noise: no cut worth making, counted as 0; relieff does not cut.",
    )
