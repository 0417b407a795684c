"""A model's program gives every row what the model does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.exporting.exportable import program_to_export
from clearwood.exporting.proof.adversarial import adversarial_rows
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Equals
from clearwood.models.decision import Cutoff, Decision, Isotonic, Platt
from clearwood.models.kinds.rules.rule_list import Otherwise
from clearwood.models.model import Model
from clearwood.models.program.evaluating import evaluated
from tests import trees
from tests.exporting.models_to_export import learners, made_rows, made_table, near, rows_of
from tests.rules_of_every_kind import rule_lists
from tests.rules_of_every_kind import tables as tables_for_rules

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")

ROWS = [
    *made_rows(60, 7, missing=0.2, unseen=0.1),
    *made_rows(20, 8, missing=0.0),
    *made_rows(1, 9, missing=1.0),
]
DECISIONS = {
    "factors": Decision((2.0, 0.5, 1.0)),
    "cutoff": Decision(cutoff=Cutoff("no", 0.3)),
    "refer": Decision(refer=0.6),
    "costs": Decision(costs=((0.0, 1.0, 4.0), (2.0, 0.0, 1.0), (1.0, 3.0, 0.0))),
    "platt": Decision(calibration=Platt((1.5, 0.7, 1.0), (-0.2, 0.3, 0.0)), refer=0.5),
    "isotonic": Decision(
        calibration=Isotonic(
            ((0.1, 0.4, 0.9), (0.0, 0.5, 1.0), (0.5,)), ((0.0, 0.5, 0.8), (0.1, 0.2, 1.0), (0.4,))
        ),
        cutoff=Cutoff("may be", 0.25),
    ),
    "prevalence": Decision(prevalence=(0.1, 0.2, 0.7), trained_at=(0.3, 0.5, 0.2), refer=0.4),
}


def check(model: Model, rows: list[dict[str, str | float | None]]) -> None:
    if not rows:
        return
    program = program_to_export(model)
    answers = cw.predict(model, rows)
    shares = None if model.is_numeric else cw.shares(model, rows)
    for place, row in enumerate(rows):
        given = evaluated(program, row)
        if shares is None:
            nothing = given.answer is None
            assert np.isnan(answers[place]) if nothing else near(float(given.answer), float(answers[place]))  # type: ignore[arg-type]
        else:
            assert given.answer == answers[place], row
            assert all(near(one, other) for one, other in zip(given.shares, shares[place], strict=True)), row


@pytest.mark.parametrize("name", list(learners()))
def test_every_kind_of_model_answers_as_its_program(name: str) -> None:
    check(learners()[name].learn(made_table()), ROWS)


@pytest.mark.parametrize("decision", list(DECISIONS))
@pytest.mark.parametrize("name", ["c45", "cart", "ila", "cn2 votes", "bayes", "logistic", "forest", "gam"])
def test_a_decision_goes_along(name: str, decision: str) -> None:
    model = learners()[name].learn(made_table())
    check(replace(model, decision=DECISIONS[decision]), ROWS)


@pytest.mark.parametrize(
    "learner",
    [
        cw.CART(),
        cw.CART(measure="absolute"),
        cw.Forest(trees=4, seed=1),
        cw.Boosting(trees=5),
        cw.GAM(bags=3, pairs=1),
    ],
    ids=lambda each: type(each).__name__,
)
def test_numbers_are_answered_as_well(learner: cw.CART) -> None:
    check(learner.learn(made_table(numeric=True)), ROWS)


@given(st.data())
@settings(max_examples=60)
def test_any_tree(data: st.DataObject) -> None:
    tree = data.draw(trees.trees())
    table = data.draw(trees.tables(tree.schema, rows=12))
    check(tree, rows_of(table))


@given(rule_lists(), st.data())
@settings(max_examples=60)
def test_any_rules(rules: cw.RuleList, data: st.DataObject) -> None:
    table = data.draw(tables_for_rules(max_rows=12))
    check(rules, rows_of(table))


def test_a_deep_tree_is_cut_into_steps() -> None:
    rows = [{"x": float(x), "class": "ab"[x % 2]} for x in range(200)]
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("class", ("a", "b")))
    tree = cw.CART(alpha=0.0, min_leaf=1).learn(cw.encode(rows, schema))
    assert tree.depth > 30
    check(tree, [{"x": x / 4} for x in range(-4, 820, 3)])
    steps = program_to_export(tree).steps
    assert 5 < len(steps) < len(tree.nodes) / 4
    assert max(_choices_within(step.value) for step in steps) <= 20


def _choices_within(part: Any) -> int:
    """How many choices lie one in the other."""
    match part:
        case f.Choose(cases, otherwise):
            return 1 + max(map(_choices_within, [*(case.then for case in cases), otherwise]))
        case _:
            return 0


def test_a_shallow_tree_is_chosen_from_in_one_step() -> None:
    steps = program_to_export(cw.CART(max_depth=2, surrogates=0).learn(made_table(missing=0.0))).steps
    assert [step.name for step in steps if "below" in step.name] == []
    assert max(_choices_within(step.value) for step in steps) == 2


def test_a_leaf_alone_and_rules_without_rows_answer_as_well() -> None:
    table = made_table()
    check(cw.CART(max_depth=0).learn(table), ROWS[:5])
    check(cw.C45(max_depth=0).learn(table), ROWS[:5])
    rules = (cw.Rule((Equals("size", "S"),), "yes", (0.0, 0.0, 0.0)),)
    check(cw.RuleList(table.schema, rules, Otherwise("no", (1.0, 3.0, 2.0)), matching="vote"), ROWS)


@pytest.mark.parametrize("numeric", ["gaussian", "cuts", "kernel", "multinomial", "bernoulli"])
def test_an_unsmoothed_zero_leaves_the_classes_with_the_fewest(numeric: str) -> None:
    settings: dict[str, Any] = {"numeric": numeric}
    model = cw.NaiveBayes(smoothing=0.0, **settings).learn(made_table(40, seed=3))
    check(model, [*ROWS, *adversarial_rows(model)])


@pytest.mark.parametrize("name", ["bayes", "kernel bayes"])
def test_a_number_far_from_every_curve_is_given_to_the_nearest(name: str) -> None:
    model = learners()[name].learn(made_table())
    far = [1e100, -1e155, 1e200, -1e300, 1.7e308]
    check(model, [{**row, "age": x, "n": n} for row in ROWS[:4] for x in far for n in (None, 1.0, *far[::2])])
