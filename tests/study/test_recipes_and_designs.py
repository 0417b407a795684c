"""A recipe is a learner with prunings, a design says which rows judge it, and both are plain data."""

from __future__ import annotations

import pytest

import clearwood as cw
from clearwood.catalogue import PRUNERS
from clearwood.scoring.evaluation import evaluate
from clearwood.study.designs import Folds, HoldOut, TrainingRows
from clearwood.study.recipe import Pruning, Recipe
from clearwood.study.scores import phrase_of_folds
from clearwood.study.study import study_of

BY_TEST = Pruning("chi-square", PRUNERS["chi-square"], {"alpha": 0.001})
BY_FRESH_ROWS = Pruning("reduced-error", PRUNERS["reduced-error"], {})


@pytest.fixture
def table() -> cw.Table:
    return cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")


def test_a_recipe_keeps_every_round_of_pruning(table: cw.Table) -> None:
    learned = Recipe(cw.ID3(), (BY_TEST,)).carry_out(table)
    assert learned.rounds[0].before == cw.ID3().learn(table)
    assert learned.ledgers[0].pruner == "chi-square"
    assert isinstance(learned.model, cw.Tree)
    assert learned.model.size < learned.rounds[0].before.size


def test_a_pruner_that_needs_fresh_rows_gets_a_third_kept_back(table: cw.Table) -> None:
    study = study_of(Recipe(cw.ID3(), (BY_FRESH_ROWS,)), table, TrainingRows())
    assert study.grown_on is not None
    assert study.kept_back is not None
    assert (len(study.grown_on), len(study.kept_back)) == (9, 5)
    assert study.training == evaluate(study.model, study.grown_on)
    assert study.pruning == evaluate(study.model, study.kept_back)
    assert study.seen == evaluate(study.model, table)


def test_a_design_says_which_rows_judge(table: cw.Table) -> None:
    held = study_of(cw.ID3(), table, HoldOut(0.5, seed=3))
    assert held.held_out is not None
    assert (held.model.origin.rows, len(held.held_out), held.seed) == (7, 7, 3)
    by_folds = study_of(cw.ID3(), table, Folds(7))
    assert by_folds.folds is not None
    assert (by_folds.model.origin.rows, len(by_folds.folds.folds)) == (14, 7)
    alone = study_of(cw.ID3(), table, TrainingRows())
    assert alone.judged is None


def test_a_report_takes_a_recipe_as_it_takes_a_learner(table: cw.Table) -> None:
    report = cw.report(table, learner=Recipe(cw.ID3(), (BY_TEST,)))
    assert [each.ledger.pruner for each in report.study.rounds] == ["chi-square"]


def test_one_fold_says_nothing_of_the_spread_of_folds(table: cw.Table) -> None:
    train, test = cw.hold_out(table, 0.5)
    by_one = cw.cross_validate(cw.ID3(), table, folds=[(train, test)])
    assert str(by_one).splitlines()[0].endswith("on 1 fold")
    accuracy = f"{100 * by_one.score:.1f}"
    assert phrase_of_folds(by_one) == f"accuracy {accuracy} % (1 fold)"
    numbers = cw.read_table({"x": list(range(20)), "y": [i * 0.5 for i in range(20)]}, target="y")
    by_one = cw.cross_validate(cw.CART(), numbers, folds=[cw.hold_out(numbers, 0.5)])
    assert "nan" not in str(by_one).splitlines()[0] + phrase_of_folds(by_one)
