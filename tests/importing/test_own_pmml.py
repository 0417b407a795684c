"""PMML that Clearwood itself exported comes back with its rows counted once, without false warnings, or is
refused with the way out."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ModelFileError
from clearwood.models.model import Model


@pytest.fixture(scope="module")
def gaps() -> cw.Table:
    """A table with empty cells, so that CART has surrogates."""
    draw = np.random.default_rng(3)
    first = draw.normal(size=80).round(2)
    second = (first + draw.normal(size=80) / 4).round(2)
    kind = np.where(second > 0.3, "u", "v")
    target = np.where(first + draw.normal(size=80) / 3 > 0, "yes", "no")
    rows = [
        {
            "a": None if draw.random() < 0.2 else float(first[i]),
            "b": None if draw.random() < 0.1 else float(second[i]),
            "c": str(kind[i]),
            "y": str(target[i]),
        }
        for i in range(80)
    ]
    return cw.read_table(rows, target="y")


def back(model: Model, folder: Path) -> Model:
    cw.export(model, "pmml").save(folder / "own.pmml")
    return cw.import_model(folder / "own.pmml")


def test_a_tree_with_surrogates_has_as_many_rows_as_before(gaps: cw.Table, tmp_path: Path) -> None:
    tree = cw.CART().learn(gaps)
    assert len(tree.nodes.s_attribute)
    again = back(tree, tmp_path)
    assert isinstance(again, cw.Tree)
    assert again.origin.rows == 80
    assert np.abs(again.nodes.counts[0] - tree.nodes.counts[0]).max() < 1e-4
    assert cw.predict(again, gaps).tolist() == cw.predict(tree, gaps).tolist()
    known = {tuple(row) for row in tree.nodes.counts.tolist()}
    heavy = [row for row in again.nodes.counts.tolist() if sum(row) > 0.5]
    assert {tuple(round(each, 4) for each in row) for row in heavy} <= known


def test_the_audit_of_such_a_tree_has_no_conflicts(gaps: cw.Table, tmp_path: Path) -> None:
    again = back(cw.CART(max_depth=2).learn(gaps), tmp_path)
    assert isinstance(again, cw.Tree)
    assert not cw.audit(again).conflicts


@pytest.mark.parametrize("learner", [cw.Forest(trees=3), cw.Boosting(trees=3)])
def test_trees_that_answer_every_row_warn_of_nothing(
    learner: cw.Forest | cw.Boosting, gaps: cw.Table, tmp_path: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = learner.learn(gaps)
        again = back(model, tmp_path)
    assert np.abs(cw.shares(again, gaps) - cw.shares(model, gaps)).max() < 1e-12


def test_logistic_regression_with_filled_cells_comes_back(gaps: cw.Table, tmp_path: Path) -> None:
    model = cw.Logistic().learn(gaps)
    again = back(model, tmp_path)
    assert isinstance(again, cw.LinearModel)
    odd = [{"a": None, "b": None, "c": None}, {"a": 0.1, "b": None, "c": "never met"}]
    for rows in (gaps, odd):
        assert np.abs(cw.shares(again, rows) - cw.shares(model, rows)).max() < 1e-12


def test_votes_come_back_with_what_decides_between_equal_ones(gaps: cw.Table, tmp_path: Path) -> None:
    model = cw.AdaBoost(trees=3).learn(gaps)
    again = back(model, tmp_path)
    assert isinstance(again, cw.Ensemble)
    assert again.combined_by == "votes"
    assert cw.predict(again, gaps).tolist() == cw.predict(model, gaps).tolist()
    assert np.abs(cw.shares(again, gaps) - cw.shares(model, gaps)).max() < 1e-12


def test_votes_that_something_else_decides_by_do_not_come_back(gaps: cw.Table, tmp_path: Path) -> None:
    model = cw.with_cutoff(cw.AdaBoost(trees=3).learn(gaps), "yes", 0.9)
    with pytest.raises(ModelFileError, match=r"load the JSON of the model instead\.$"):
        back(model, tmp_path)


@pytest.mark.parametrize("learner", [cw.C45(), cw.NaiveBayes(), cw.GAM()])
def test_what_does_not_come_back_names_the_way_out(
    learner: cw.C45 | cw.NaiveBayes | cw.GAM, gaps: cw.Table, tmp_path: Path
) -> None:
    with pytest.raises(ModelFileError, match=r"load the JSON of the model instead\.$"):
        back(learner.learn(gaps), tmp_path)
