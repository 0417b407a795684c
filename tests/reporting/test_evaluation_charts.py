"""The charts of a report's evaluation: of answers by models that had not seen the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.catalogue import LEARNERS
from clearwood.learners.entry import LearnerEntry
from clearwood.learners.learner import Learner
from clearwood.learners.training import origin_of
from clearwood.reporting import evaluation_charts
from clearwood.reporting.evaluation_charts import growth_of
from clearwood.reporting.evaluation_section import evaluation_section
from clearwood.scoring.predictions import Judged, TrueAndPredicted
from clearwood.scoring.roc import roc_of
from clearwood.study.behaviour.overfitting import Overfitting, overfitting
from clearwood.study.study import study_of


def noisy(rows: int) -> cw.Table:
    """A class that x tells of in three rows of four."""
    x = [i * 37 % 101 for i in range(rows)]
    y = ["high" if (value > 50) != (i % 4 == 0) else "low" for i, value in enumerate(x)]
    return cw.read_table({"x": x, "y": y}, target="y")


def test_folds_hold_the_shares_that_each_row_got_unseen() -> None:
    table = noisy(60)
    validation = cw.cross_validate(cw.C45(), table, folds=3)
    assert isinstance(validation.held_out, Judged)
    train, test = cw.hold_out(table, 1 / 3)
    alone = cw.cross_validate(cw.C45(), table, folds=[(train, test)])
    assert isinstance(alone.held_out, Judged)
    model = cw.C45().learn(table.take(train))
    assert np.array_equal(alone.held_out.shares, cw.shares(model, table.take(test)))
    assert len(validation.held_out.truth) == 60
    one, other = roc_of(table.schema.classes, alone.held_out), cw.roc(model, table.take(test))
    assert one.curves[0].auc == other.curves[0].auc


@pytest.mark.slow
def test_folds_of_enough_rows_have_their_curves_and_few_rows_have_none() -> None:
    many = evaluation_section(study_of(cw.C45(), noisy(60))).html
    few = evaluation_section(study_of(cw.C45(), noisy(39))).html
    assert ">ROC</title>" in many
    assert ">Calibration</title>" in many
    assert ">ROC</title>" not in few


@pytest.mark.slow
def test_numbers_are_shown_true_against_predicted_and_what_a_leaf_cost() -> None:
    rows = {"x": [i * 7 % 60 / 2 for i in range(60)], "y": [i * 7 % 60 // 10 + i % 5 / 10 for i in range(60)]}
    study = study_of(cw.CART(alpha="cv"), cw.read_table(rows, target="y"))
    assert study.folds is not None
    assert isinstance(study.folds.held_out, TrueAndPredicted)
    html = evaluation_section(study).html
    assert ">True and predicted</title>" in html
    assert "What a leaf costs" in html


def test_the_curve_is_of_the_tree_before_its_learner_prunes_whatever_the_setting_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Trimming:
        """CART with another name for its pruning."""

        trim: bool = True

        def learn(self, table: cw.Table) -> cw.Tree:
            tree = cw.CART(alpha=0.05).learn(table) if self.trim else self.grow(table)
            return replace(tree, origin=origin_of(self, table))

        def grow(self, table: cw.Table) -> cw.Tree:
            return cw.CART().grow(table)

    grown: list[cw.Tree] = []

    def kept(learner: Learner[cw.Tree], table: cw.Table, *, seed: int) -> Overfitting:
        grown.append(learner.learn(table))
        return overfitting(learner, table, seed=seed)

    table = noisy(60)
    monkeypatch.setitem(LEARNERS, "trimming", LearnerEntry(Trimming, "CART, trimmed.", "tree"))
    monkeypatch.setattr(evaluation_charts, "overfitting", kept)
    growth_of(study_of(Trimming(), table))
    assert [each.size for each in grown] == [cw.CART().learn(table).size]
    assert grown[0].size > cw.CART(alpha=0.05).learn(table).size
