"""Costs are judged where they decided: beside every accuracy stands what a row costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.editing.edited import EditedRules
from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.decision import Cutoff, Decision
from clearwood.scoring.costs import costs_behind, expected_cost
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.study.cross_validation import cross_validate
from clearwood.study.scores import evaluation_to_json, folds_to_json, phrase, phrase_of_folds
from tests.judging import judged
from tests.trees import tennis_table, tennis_tree

CLASSES = ("bad", "good")
CREDIT = ClassEvaluation(CLASSES, ((64.0, 11.0), (84.0, 91.0)), costs=((0.0, 5.0), (1.0, 0.0)))


def test_the_expected_cost_is_the_mean_over_the_rows_beside_the_cheapest_constant_answer() -> None:
    cost = CREDIT.cost
    assert cost is not None
    assert cost.per_row == pytest.approx(139 / 250)
    # Always good would cost 5 · 75 = 375, always bad 175.
    assert cost.constant == "bad"
    assert cost.constant_per_row == pytest.approx(175 / 250)
    low, high = cost.interval
    assert low < cost.per_row < high


def test_where_every_mistake_costs_one_the_interval_is_that_of_the_error_rate() -> None:
    plain = replace(CREDIT, costs=((0.0, 1.0), (1.0, 0.0)))
    low, high = plain.interval
    assert plain.cost is not None
    assert plain.cost.interval == pytest.approx((1 - high, 1 - low))


def test_the_interval_holds_the_true_cost_about_as_often_as_it_claims() -> None:
    drawing, shares = np.random.default_rng(3), np.array([[0.25, 0.05], [0.3, 0.4]])
    costs = ((0.0, 5.0), (1.0, 0.0))
    true, held = float((shares * np.array(costs)).sum()), 0
    for _ in range(1000):
        counts = drawing.multinomial(200, shares.ravel()).reshape(2, 2)
        found = expected_cost(CLASSES, tuple(map(tuple, counts.tolist())), costs)
        assert found is not None
        held += found.interval[0] <= true <= found.interval[1]
    assert 930 <= held <= 970


def test_rows_that_cost_nothing_are_no_proof_that_none_will() -> None:
    found = expected_cost(CLASSES, ((3.0, 0.0), (0.0, 4.0)), ((0.0, 5.0), (1.0, 0.0)))
    assert found is not None
    assert found.interval[0] == 0
    assert found.interval[1] > 1


def test_without_costs_there_is_no_expected_cost() -> None:
    plain = replace(CREDIT, costs=())
    assert plain.cost is None
    assert "cost" not in phrase(plain)
    assert evaluation_to_json(plain)["expected_cost"] is None


def test_a_cutoff_stands_for_the_costs_under_which_it_is_right() -> None:
    of_three = costs_behind(Decision(cutoff=Cutoff("b", 0.25)), ("a", "b", "c"))
    assert of_three == ((0.0, 1.0, 0.0), (3.0, 0.0, 3.0), (0.0, 1.0, 0.0))
    assert costs_behind(Decision(), ("a", "b")) == ()


def test_a_model_with_costs_or_a_cutoff_is_judged_by_them() -> None:
    tree, table = tennis_tree(), tennis_table()
    costly = replace(tree, decision=Decision(costs=((0.0, 2.0), (1.0, 0.0))))
    assert judged(costly, table).costs == ((0.0, 2.0), (1.0, 0.0))
    cut = replace(tree, decision=Decision(cutoff=Cutoff("Yes", 0.5)))
    assert judged(cut, table).costs == ((0.0, 1.0), (1.0, 0.0))


def test_a_phrase_a_printout_and_json_have_the_cost_beside_the_accuracy() -> None:
    said = "expected cost 0.556 per row (95 % interval 0.438 to 0.701); always answering bad: 0.7"
    assert phrase(CREDIT).endswith(f"%); {said}")
    assert str(CREDIT).splitlines()[1] == said
    paid = evaluation_to_json(CREDIT)["expected_cost"]
    assert paid["per_row"] == pytest.approx(0.556)
    assert paid["constant"] == "bad"
    assert "cost 0.556 per row" in str(EditedRules(rules_of(tennis_tree()), (CREDIT, CREDIT), None))


def test_folds_have_their_costs() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    found = cross_validate(cw.CART(costs={("No", "Yes"): 5}), table, folds=3)
    assert len(found.costs) == 3
    assert "expected cost" in phrase_of_folds(found)
    assert str(found).splitlines()[1].split() == ["fold", "accuracy", "cost", "leaves"]
    assert folds_to_json(found)["costs"] == found.costs
    assert isinstance(found.together, ClassEvaluation)
    assert found.together.costs == ((0.0, 5.0), (1.0, 0.0))
