"""The page answers as Python does: on every leaf, threshold, missing and unseen cell, for every kind of
model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import LearningError, SettingError
from clearwood.explaining.by_path import path_of
from clearwood.models.decision import Decision
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.predicting.batch import predict_codes
from clearwood.predicting.columns import table_for
from clearwood.predicting.of_rules import counted_behind
from clearwood.reporting.model_json import letters_for_page, model_for_page
from clearwood.study.profiling import profile_of
from tests.learners.random_tables import random_tables
from tests.predicting.test_deciding import DECISIONS, MODELS
from tests.reporting.representative_rows import representative_rows
from tests.rule_lists import rules_and_tables
from tests.trees import trees

_FEW = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

_ASK = """([model, letters, rows]) => {
  const ask = predictor(model, letters);
  const answers = rows.map((row) => ask(new Map(Object.entries(row))));
  return answers.map(({ answer, shares }) => [answer, shares]);
}"""


@_FEW
@given(tree=trees(), seed=st.integers(0, 1000))
def test_a_tree_answers_as_in_python(run_module: Any, tree: cw.Tree, seed: int) -> None:
    check(run_module, tree, seed)


_WALK = """([model, rows]) => {
  const shape = tree_js.shapeOf(model);
  return rows.map((row) => {
    const { leaves, moves } = tree_js.walk(shape, new Map(Object.entries(row)));
    const placed = (when) => (when === undefined ? null : when.column);
    return {
      leaves: leaves.map(({ node, weight }) => [node, weight]),
      moves: moves.map(({ to, part, because, when }) => [to, part, because, placed(when)]),
    };
  });
}"""


@_FEW
@given(tree=trees(), seed=st.integers(0, 1000))
def test_a_row_goes_down_a_tree_by_the_same_branches_for_the_same_reasons(
    run_module: Any, tree: cw.Tree, seed: int
) -> None:
    rows = representative_rows(tree, seed=seed)
    for row, walked in zip(rows, run_module("tree.js", _WALK, [model_for_page(tree), rows]), strict=True):
        arrivals = path_of(tree, row).leaves
        assert walked["leaves"] == [[leaf.node, pytest.approx(leaf.weight)] for leaf in arrivals]
        steps = {step.node: step for leaf in arrivals for step in leaf.steps}
        moves = {move[0]: move[1:] for move in walked["moves"]}
        assert moves == {
            node: [step.share, step.by, None if step.surrogate is None else step.surrogate.when.name]
            for node, step in steps.items()
        }


@_FEW
@given(drawn=rules_and_tables(), voting=st.booleans(), counted=st.booleans(), seed=st.integers(0, 1000))
def test_rules_answer_as_in_python(
    run_module: Any, drawn: tuple[RuleList, cw.Table], voting: bool, counted: bool, seed: int
) -> None:
    rules, table = drawn
    listed = RuleList(rules.schema, rules.rules, rules.otherwise, "vote" if voting else "first")
    check(run_module, cw.recounted(listed, table) if counted else listed, seed)


_COUNTED = """([model, rows]) => {
  const ask = predictor(model);
  const answers = rows.map((row) => ask(new Map(Object.entries(row))));
  return answers.map(({ answer, counted }) => answer === null || counted);
}"""


@_FEW
@given(
    drawn=rules_and_tables(), voting=st.booleans(), bare=st.sets(st.integers(0, 5)), seed=st.integers(0, 9)
)
def test_the_page_knows_which_answers_rows_were_counted_for(
    run_module: Any, drawn: tuple[RuleList, cw.Table], voting: bool, bare: set[int], seed: int
) -> None:
    rules, table = drawn
    counted = cw.recounted(replace(rules, matching="vote" if voting else "first"), table)
    some = tuple(replace(rule, counts=()) if i in bare else rule for i, rule in enumerate(counted.rules))
    model = replace(counted, rules=some)
    rows = representative_rows(model, seed=seed)
    silent = predict_codes(model, rows) < 0
    known = silent | counted_behind(model, table_for(model, rows))
    assert run_module("predict.js", _COUNTED, [model_for_page(model), rows]) == known.tolist()


@_FEW
@given(drawn=rules_and_tables(target="numeric"), seed=st.integers(0, 1000))
def test_rules_for_numbers_answer_as_in_python(
    run_module: Any, drawn: tuple[RuleList, cw.Table], seed: int
) -> None:
    check(run_module, drawn[0], seed)


@pytest.mark.parametrize("numeric", ["gaussian", "kernel", "cuts", "multinomial", "bernoulli", "complement"])
@settings(parent=_FEW, max_examples=6)
@given(
    table=random_tables(("nominal",), max_rows=30, max_values=12),
    smoothing=st.sampled_from(["laplace", "none", 0.7]),
    prior=st.sampled_from(["equal", "overall"]),
    seed=st.integers(0, 1000),
)
def test_bayes_tables_answer_as_in_python(
    run_module: Any, numeric: Any, table: cw.Table, smoothing: Any, prior: Any, seed: int
) -> None:
    if numeric in ("multinomial", "bernoulli", "complement"):
        for name in table.schema.positions:
            if name in table.columns and table.columns[name].dtype != np.int32:
                table.columns[name][:] = np.abs(np.round(table.columns[name]))
    model = cw.NaiveBayes(numeric=numeric, smoothing=smoothing, m_prior=prior).learn(table)
    check(run_module, model, seed)


@pytest.mark.parametrize("event", ["multinomial", "bernoulli", "complement"])
@pytest.mark.parametrize("limits", [{}, {"min_documents": 2}, {"most_words": 3}, {"max_documents": 0.6}])
def test_words_of_texts_answer_as_in_python(run_module: Any, event: Any, limits: Any) -> None:
    texts = [
        "Good news, e\u0301 news",
        "don’t 日本 read",
        "NEW and good 👍🏽",
        "old news",
        None,
        "2 good’n’new",
    ]
    schema = cw.Schema((cw.Text("t"),), cw.Nominal("y", ("no", "yes")))
    rows = [{"t": text, "y": ("no", "yes", "yes")[i % 3]} for i, text in enumerate(texts)]
    table = cw.encode(rows, schema)
    learner = cw.NaiveBayes(text=event, ngrams=(1, 2), stop_words=["and"], **limits)
    check(run_module, learner.learn(table), 0)


@settings(parent=_FEW, max_examples=8)
@given(
    table=random_tables(
        ("nominal",), max_rows=40, max_values=8, columns=("real", "binary", "nominal", "ordinal")
    ),
    seed=st.integers(0, 1000),
)
def test_weights_answer_as_in_python(run_module: Any, table: cw.Table, seed: int) -> None:
    if len(np.unique(table.columns["y"])) > 1:
        check(run_module, cw.Logistic(penalty="l2").learn(table), seed)


_EVIDENCE = """([model, rows]) => {
  const ask = predictor(model);
  return rows.map((row) => {
    const { priors, pieces, begins } = ask(new Map(Object.entries(row))).evidence;
    return [begins, priors, pieces.map(({ logs }) => logs)];
  });
}"""


@pytest.mark.parametrize("averages", [True, False])
@settings(parent=_FEW, max_examples=5)
@given(
    table=random_tables(
        ("nominal",), max_rows=40, max_values=5, columns=("real", "binary", "nominal", "ordinal")
    ),
    seed=st.integers(0, 1000),
)
def test_cells_are_compared_with_the_same_row_as_in_python(
    run_module: Any, averages: bool, table: cw.Table, seed: int
) -> None:
    if len(np.unique(table.columns["y"])) < 2:
        return
    model = cw.Logistic(penalty="l2").learn(table)
    if not averages:
        model = replace(model, averages={})
    rows = representative_rows(model, most=40, seed=seed)
    for row, (begins, priors, logs) in zip(
        rows, run_module("predict.js", _EVIDENCE, [model_for_page(model), rows]), strict=True
    ):
        contributions = cw.evidence(model, row)
        assert begins == contributions.begins
        assert [-np.inf if each is None else each for each in priors] == pytest.approx(
            contributions.log_priors
        )
        for own, piece in zip(logs, contributions.pieces, strict=True):
            assert own == pytest.approx(piece.logs, rel=1e-9, abs=1e-6)


_COMPARED = """([model, rows, reference]) => {
  const ask = predictor(model);
  const given = typeof reference === "string" ? reference : new Map(Object.entries(reference));
  return rows.map((row) => {
    const { priors, pieces, begins } = ask(new Map(Object.entries(row)), given).evidence;
    return [begins, priors, pieces.map(({ logs }) => logs)];
  });
}"""


@pytest.mark.parametrize("reference", ["best", "zero", "average", "row"])
@settings(parent=_FEW, max_examples=5)
@given(
    table=random_tables(
        ("nominal",), max_rows=40, max_values=5, columns=("real", "binary", "nominal", "ordinal")
    ),
    seed=st.integers(0, 1000),
)
def test_cells_are_compared_with_any_reference_as_in_python(
    run_module: Any, reference: str, table: cw.Table, seed: int
) -> None:
    if len(np.unique(table.columns["y"])) < 2:
        return
    try:
        model = replace(cw.Logistic(penalty="l2").learn(table), profile=profile_of(table))
    except LearningError:
        return  # too few rows with a class
    if not model.columns():
        return  # nothing to compare
    rows = representative_rows(model, most=30, seed=seed)
    against: Any = rows[0] if reference == "row" else reference
    try:
        expected = [cw.evidence(model, row, against=against) for row in rows]
    except SettingError:
        return  # a column of numbers that is empty has no best cell
    answered = run_module("predict.js", _COMPARED, [model_for_page(model), rows, against])
    for actual, (begins, priors, logs) in zip(expected, answered, strict=True):
        if reference == "best" and _is_tied(actual.shares):
            continue  # which of equal classes is the runner-up, only rounding says
        assert begins == actual.begins
        assert [-np.inf if each is None else each for each in priors] == pytest.approx(actual.log_priors)
        for own, piece in zip(logs, actual.pieces, strict=True):
            assert own == pytest.approx(piece.logs, rel=1e-9, abs=1e-6)


def _is_tied(shares: Sequence[float]) -> bool:
    ranked = sorted(shares, reverse=True)[:3]
    return any(abs(one - other) < 1e-9 for one, other in pairwise(ranked))


def check(run_module: Any, model: Any, seed: int) -> None:
    """Answers and shares of representative rows, in the page and in Python."""
    rows = representative_rows(model, seed=seed)
    given = [model_for_page(model), letters_for_page(model), rows]
    completed = run_module("predict.js", _ASK, given)
    answers = cw.predict(model, rows)
    if model.is_numeric:
        numbers = np.array(
            [np.nan if answer is None else answer for answer, _ in completed], dtype=np.float64
        )
        np.testing.assert_allclose(numbers, answers.astype(np.float64), rtol=1e-12, atol=1e-12)
        return
    assert [answer for answer, _ in completed] == list(answers)
    nothing = [0.0] * len(model.schema.classes)
    shares = np.array([nothing if shares is None else shares for _, shares in completed])
    np.testing.assert_allclose(shares, cw.shares(model, rows), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("decision", DECISIONS.values(), ids=DECISIONS)
@pytest.mark.parametrize("name", MODELS)
def test_a_decision_is_honoured_as_in_python(run_module: Any, name: str, decision: Decision) -> None:
    check(run_module, replace(MODELS[name], decision=decision), 0)
