"""Answers worked out on paper: decisions at their limits, Bayes terms, links, votes, long programs."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Above, AtMost, Between, Equals, OneOf
from clearwood.models.account.account import ColumnPlaces, NormalDensity, PerCount, Places, Presence
from clearwood.models.decision import (
    Cutoff,
    Decision,
    Isotonic,
    Platt,
    adjusted,
    cheapest,
    cheapest_of_one,
    decided,
    divided,
)
from clearwood.models.files import from_json, to_json
from clearwood.models.files.forms import Misplaced, sum_from_json, sum_to_json, without_point
from clearwood.models.in_words import costs_in_words, decision_words, weights_in_full, with_weights
from clearwood.models.kinds.additive.additive_model import AdditiveModel, Shape, curves_about
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import (
    bell_of,
    log_priors,
    widths_of,
)
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Gaussian,
    Kernel,
    Words,
    faded,
    scaled,
    total,
)
from clearwood.models.kinds.bayes.word_terms import by_word, kept_words, known_words_of
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.kinds.linear.linear_model import Fit, LinearModel, NumberTerm, Separation, weights_about
from clearwood.models.kinds.rules.rule_list import (
    Otherwise,
    Rule,
    RuleList,
    answer_text,
    answers_with_rows,
    by_shares,
    counts_of_all,
)
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import (
    Branch,
    Leaf,
    Split,
    Surrogate,
    Tree,
    node_codes,
    node_shares,
    node_values,
    shown_shares,
)
from clearwood.models.lineage import LearnerAsData, Origin, frozen, thawed
from clearwood.models.model import Model, account_of, check_kind, kept, reading_size
from clearwood.models.program.evaluating import evaluated
from clearwood.models.program.program_of import program_of
from clearwood.models.space.space_of import columns_used, inputs_used, schema_of_rows
from clearwood.table.attributes import Nominal, Numeric, Text
from clearwood.table.schema import Schema
from clearwood.table.text import TextReading
from tests.typed import mistyped

NO_YES = Nominal("y", ("no", "yes"))
SCHEMA = Schema((Numeric("x"), Nominal("v", ("a", "b"))), NO_YES)
THREE = Schema((Numeric("x"),), Nominal("y", ("a", "b", "c")))


def answered(model: Model, row: dict[str, Any]) -> tuple[object, tuple[float, ...]]:
    """The answer and probabilities by the program, which many rows and one row must have as well."""
    of_program = evaluated(program_of(model), row)
    row = {**dict.fromkeys(model.schema.positions), **row}
    assert cw.predict(model, [row]).tolist() == [of_program.answer]
    assert cw.row_predictor(model)(row) == of_program.answer
    if not model.is_numeric:
        np.testing.assert_allclose(cw.shares(model, [row])[0], of_program.shares, rtol=1e-12)
    return of_program.answer, of_program.shares


# Decisions at their limits.


def one_leaf(counts: tuple[float, ...], schema: Schema = THREE, **decision: Any) -> Tree:
    return tree_of(schema, Leaf(counts), decision=Decision(**decision))


@pytest.mark.parametrize(
    ("counts", "decision", "answer"),
    [
        ((1.0, 1.0, 2.0), {}, "c"),
        ((2.0, 2.0, 0.0), {}, "a"),  # of equals the first
        ((0.0, 2.0, 2.0), {}, "b"),
        ((2.0, 1.0, 1.0), {"refer": 0.5}, "a"),  # at the limit it is answered
        ((2.0, 1.0, 1.0), {"refer": 0.5000001}, None),
        ((2.0, 1.0, 1.0), {"cutoff": Cutoff("c", 0.25)}, "c"),  # at the cutoff it is the class
        ((2.0, 1.0, 1.0), {"cutoff": Cutoff("c", 0.2500001)}, "a"),
        ((2.0, 2.0, 4.0), {"cutoff": Cutoff("c", 0.51)}, "a"),  # the best of the others, the first of equals
        ((2.0, 3.0, 4.0), {"cutoff": Cutoff("c", 0.51)}, "b"),
        ((4.0, 3.0, 2.0), {"cutoff": Cutoff("a", 0.51)}, "b"),
        ((4.0, 1.0, 2.0), {"cutoff": Cutoff("a", 0.0), "refer": 0.9}, None),
        # Expected costs: a 1·2/4, b 4·2/4, c 1·2/4 — of equals the first.
        ((2.0, 0.0, 2.0), {"costs": ((0.0, 4.0, 1.0), (1.0, 0.0, 1.0), (1.0, 4.0, 0.0))}, "a"),
        ((2.0, 0.0, 2.5), {"costs": ((0.0, 4.0, 1.0), (1.0, 0.0, 1.0), (1.0, 4.0, 0.0))}, "c"),
        ((3.0, 1.0, 0.0), {"factors": (1.0, 4.0, 1.0)}, "b"),
        ((3.0, 1.0, 0.0), {"factors": (1.0, 3.0, 1.0)}, "a"),
        ((3.0, 1.0, 0.0), {"prevalence": (0.2, 0.8, 0.0), "trained_at": (0.5, 0.5, 0.0)}, "b"),
        ((4.0, 1.0, 0.0), {"prevalence": (0.2, 0.8, 0.0), "trained_at": (0.5, 0.5, 0.0)}, "a"),
        # Only the class has rows that does not occur: what occurs answers.
        ((0.0, 0.0, 4.0), {"prevalence": (0.2, 0.8, 0.0), "trained_at": (0.3, 0.3, 0.4)}, "b"),
        (
            (2.0, 1.0, 1.0),
            {"calibration": Isotonic(((0.5,), (0.25,), (0.25,)), ((0.1,), (0.1,), (0.2,)))},
            "c",
        ),
        # Every class is calibrated to 0: the probabilities stay as they are.
        (
            (2.0, 1.0, 1.0),
            {"calibration": Isotonic(((0.5,), (0.25,), (0.25,)), ((0.0,), (0.0,), (0.0,)))},
            "a",
        ),
    ],
)  # fmt: skip
def test_a_decision_at_its_limits(
    counts: tuple[float, ...], decision: dict[str, Any], answer: str | None
) -> None:
    tree = one_leaf(counts, **decision)
    assert answered(tree, {"x": 1.0})[0] == answer
    # The same of a row that is divided among two leaves which have half of the rows each.
    half = tuple(each / 2 for each in counts)
    branches = (Branch(AtMost("x", 1.0), 0.5, Leaf(half)), Branch(Above("x", 1.0), 0.5, Leaf(half)))
    split = tree_of(THREE, Split(counts, {}, branches), decision=Decision(**decision))
    for x in (None, 0.0, 2.0):
        assert answered(split, {"x": x})[0] == answer
    # And of rules of which the first answers, by a decision that says more than its class; votes always.
    rule = Rule((), THREE.classes[int(np.argmax(counts))], counts)
    votes = RuleList(THREE, (rule,), Otherwise("a"), "vote", Decision(**decision))
    assert answered(votes, {"x": 1.0})[0] == answer
    # Bayes tables without columns have the classes' parts, and factors of their own.
    if not decision.get("factors"):
        weights = tuple(Fraction(each) for each in counts)
        tables = BayesTables(THREE, weights, (), decision=Decision(**decision))
        assert answered(tables, {"x": 1.0})[0] == answer
    decided_at_once = decided(
        adjusted(node_shares(tree), tree.decision), tree.decision, ("a", "b", "c")
    ).tolist()
    assert decided_at_once == [-1 if answer is None else "abc".index(answer)]


def test_probabilities_between_two_steps_lie_on_a_straight_line() -> None:
    """yes is 1/4, half-way from 0 to 1/2: (.1 + .5) / 2 = .3; no is 3/4, above the last step: .6."""
    steps = Isotonic(((0.5, 0.7), (0.0, 0.5, 1.0)), ((0.5, 0.6), (0.1, 0.5, 0.9)))
    tree = one_leaf((3.0, 1.0), SCHEMA, calibration=steps)
    assert answered(tree, {})[1] == pytest.approx((0.6 / 0.9, 0.3 / 0.9))
    # At a step its own figure, below the first and above the last theirs.
    for counts, (no, yes) in (((1.0, 1.0), (0.5, 0.5)), ((0.0, 4.0), (0.5, 0.9)), ((4.0, 0.0), (0.6, 0.1))):
        shares = answered(one_leaf(counts, SCHEMA, calibration=steps), {})[1]
        assert shares == pytest.approx((no / (no + yes), yes / (no + yes)))


def test_no_answer_stays_no_answer_whatever_the_decision_would_make_of_it() -> None:
    shares = np.array([[0.0, 0.0], [0.25, 0.75]])
    moved = Decision(prevalence=(0.75, 0.25), trained_at=(0.5, 0.5))
    np.testing.assert_allclose(adjusted(shares, moved), [[0.0, 0.0], [0.5, 0.5]])
    platt = Decision(calibration=Platt((1.0, 1.0), (5.0, -5.0)))
    assert adjusted(shares, platt)[0].tolist() == [0.0, 0.0]
    assert adjusted(shares, Decision(refer=0.5)) is shares
    classes = ("no", "yes")
    assert decided(shares, Decision(), classes).tolist() == [-1, 1]
    named = np.array([0, -2], dtype=np.int32)
    assert decided(shares, Decision(), classes, named).tolist() == [-1, 1]
    assert decided(shares[1:], Decision(), classes, named[:1]).tolist() == [0]
    assert decided(shares[1:], Decision(), classes, np.array([-1])).tolist() == [-1]
    cut = Decision(cutoff=Cutoff("no", 0.25))
    assert decided(shares[1:], cut, classes, np.array([1])).tolist() == [0]
    assert divided(np.array([[3.0, 1.0], [0.0, 0.0]])).tolist() == [[0.75, 0.25], [0.5, 0.5]]


def test_of_one_line_the_cheapest_is_as_of_many() -> None:
    costs = ((0.0, 1.0, 2.0), (3.0, 0.0, 1.0), (2.0, 2.0, 0.0))
    for line in ((0.2, 0.3, 0.5), (0.5, 0.3, 0.2), (0.4, 0.4, 0.2), (0.0, 0.0, 0.0)):
        for decision in (Decision(), Decision(costs=costs)):
            expected = [sum(line[t] * costs[t][c] for t in range(3)) for c in range(3)]
            best = expected.index(min(expected)) if decision.costs else line.index(max(line))
            assert cheapest_of_one(line, decision) == best
            matrix = np.array(costs) if decision.costs else None
            assert cheapest(np.array([line]), matrix).tolist() == [best]


def test_a_decision_says_what_chooses_and_which_costs_were_behind_it() -> None:
    costs = ((0.0, 1.0), (2.0, 0.0))
    cut = Decision(cutoff=Cutoff("yes", 0.3, costs))
    assert [each.by for each in (Decision(), Decision(costs=costs), cut)] == ["share", "costs", "cutoff"]
    assert [each.costs_kept for each in (Decision(), Decision(costs=costs), cut)] == [(), costs, costs]
    assert Decision(costs=costs, factors=(1.0, 2.0)).is_plain
    moved = Decision(prevalence=(0.5, 0.5), trained_at=(0.3, 0.7))
    platt = Decision(calibration=Platt((1.0, 1.0), (0.0, 0.0)))
    assert [each.is_plain for each in (cut, moved, platt, Decision(refer=0.5))] == [False] * 4
    assert [each.adjusts for each in (cut, moved, platt, Decision(refer=0.5))] == [False, True, True, False]


def test_a_decision_is_told_in_its_order() -> None:
    words = decision_words(
        one_leaf(
            (2.0, 2.0),
            SCHEMA,
            factors=(1.0, 2.5),
            calibration=Isotonic(((0.5,), (0.5,)), ((0.5,), (0.5,))),
            prevalence=(0.9, 0.1),
            trained_at=(0.5, 0.5),
            refer=0.6,
            cutoff=Cutoff("yes", 0.3, ((0.0, 1.0), (2.0, 0.0))),
        )
    )
    assert words == [
        "Probabilities are weighted by priors: no × 1, yes × 2.5.",
        "Probabilities are calibrated by steps that rise with them.",
        "Probabilities are moved to the prevalence no 0.9, yes 0.1; in training it was no 0.5, yes 0.5.",
        "Refers rows whose largest probability is below 0.6.",
        "Predicts yes from a probability of 0.3 on, chosen by the costs of mistakes: no predicted as yes 1, "
        "yes predicted as no 2.",
    ]
    platt = one_leaf((2.0, 2.0), SCHEMA, calibration=Platt((1.0, 1.0), (0.0, 0.0)), cutoff=Cutoff("yes", 0.3))
    assert decision_words(platt) == [
        "Probabilities are calibrated by Platt's curve.",
        "Predicts yes from a probability of 0.3 on.",
    ]
    assert decision_words(one_leaf((2.0, 2.0), SCHEMA)) == []
    rules = RuleList(SCHEMA, (), Otherwise("no"), decision=Decision(costs=((0.0, 1.0), (0.0, 0.0))))
    assert decision_words(rules) == [
        "Learned with costs of mistakes: no predicted as yes 1, yes predicted as no 0."
    ]
    assert decision_words(replace(rules, matching="vote"))[0].startswith("Predicts by the costs of mistakes")
    tables = BayesTables(SCHEMA, (1, 1), (), decision=Decision(factors=(1.0, 2.0)))
    assert decision_words(tables) == []  # it prints its own priors
    # Of more classes only what costs anything is named, twelve of them.
    assert costs_in_words(((0, 1, 0), (0, 0, 0), (2, 0, 3)), ("a", "b", "c")) == (
        "a predicted as b 1, c predicted as a 2, c predicted as c 3"
    )
    twelve = [[float(place < 12) for place in range(13)]] + [[0.0] * 13] * 12
    names = [f"c{place}" for place in range(13)]
    assert costs_in_words(twelve, names).endswith("c0 predicted as c11 1")
    thirteen = [[1.0] * 13] + [[0.0] * 13] * 12
    assert costs_in_words(thirteen, names).endswith("c0 predicted as c11 1, and 1 more")
    assert with_weights(Origin("C45", weights_are="counts")) == ", with weights that count equal rows"
    assert weights_in_full("counts").endswith(": a row of weight w counts as w rows")
    assert weights_in_full("sampling").startswith("sampling weights: they add up to Kish's")


# Trees: counts above a node without rows, smoothing.


def test_a_node_without_rows_answers_as_the_nearest_above_and_smoothing_comes_after_factors() -> None:
    empty = Split(
        (0.0, 0.0),
        {},
        (
            Branch(Equals("v", "a"), 0.0, Leaf((0.0, 0.0))),
            Branch(Equals("v", "b"), 0.0, Leaf((0.0, 0.0))),
        ),
    )
    root = Split(
        (6.0, 2.0),
        {},
        (Branch(AtMost("x", 1.0), 1.0, Leaf((6.0, 2.0))), Branch(Above("x", 1.0), 0.0, empty)),
    )
    tree = tree_of(SCHEMA, root)
    assert node_shares(tree).tolist() == [[0.75, 0.25]] * 5
    weighed = replace(tree, decision=Decision(factors=(1.0, 3.0)))
    assert node_shares(weighed).tolist() == [[0.5, 0.5]] * 5
    np.testing.assert_allclose(node_shares(tree, "laplace")[1], [7 / 10, 3 / 10])
    np.testing.assert_allclose(node_shares(weighed, "laplace")[1], [7 / 14, 7 / 14])
    np.testing.assert_allclose(node_shares(tree, 4.0)[1], [9 / 12, 3 / 12])
    assert node_codes(tree).tolist() == [0] * 5
    costly = replace(tree, decision=Decision(costs=((0.0, 1.0), (4.0, 0.0))))
    assert node_codes(costly).tolist() == [1] * 5  # no: 4 · 1/4, yes: 3/4
    referred = replace(tree, decision=Decision(refer=0.9, prevalence=(0.1, 0.9), trained_at=(0.75, 0.25)))
    assert node_codes(referred).tolist() == [1] * 5
    np.testing.assert_allclose(shown_shares(referred)[0], [0.1, 0.9])
    numbers = tree_of(Schema(SCHEMA.attributes, Numeric("p")), Leaf((3.0, 7.5, 1.0)))
    assert node_values(numbers).tolist() == [7.5]
    assert answered(numbers, {}) == (7.5, ())


# Bayes: terms of columns.


def tables(*distributions: Any, schema: Schema = SCHEMA, **given: Any) -> BayesTables:
    return BayesTables(schema, given.pop("classes", (4, 4)), distributions, **given)


def test_priors_are_estimated_equal_or_given() -> None:
    logs = [log_priors(tables(classes=(3, 1), priors=each)) for each in ("estimated", "equal", (0.1, 0.9))]
    np.testing.assert_allclose(np.exp(logs), [[0.75, 0.25], [0.5, 0.5], [0.1, 0.9]])
    assert log_priors(tables(classes=(3, 0))).tolist() == [math.log(1.0), -math.inf]


def test_a_bell_of_equal_cells_has_the_variance_within_the_classes() -> None:
    """no: 1 and 3, mean 2, variance 1; yes: 5 twice, no spread: it has (2 · 1 + 2 · 0) / 4 = 1/2."""
    bells = bell_of(Gaussian("x", (2, 2), (4, 10), (10, 50)))
    assert bells is not None
    assert [each.tolist() for each in bells] == [[2.0, 5.0], [1.0, 0.5]]
    # A class without cells has mean and variance of all: 4/2 = 2 and 10/2 − 4 = 1.
    bells = bell_of(Gaussian("x", (2, 0), (4, 0), (10, 0)))
    assert bells is not None
    assert [each.tolist() for each in bells] == [[2.0, 2.0], [1.0, 1.0]]
    # No variance is below the floor's part of that of all: (1 + 9 + 25 + 25)/4 − 3.5² = 2.75.
    bells = bell_of(Gaussian("x", (2, 2), (4, 10), (10, 50), floor=0.4))
    assert bells is not None
    assert bells[1].tolist() == pytest.approx([1.1, 1.1])
    assert bell_of(Gaussian("x", (2, 2), (4, 4), (8, 8))) is None
    assert account_of(tables(Gaussian("x", (2, 2), (4, 4), (8, 8)))).terms == ()
    (term,) = account_of(tables(Gaussian("x", (2, 2), (4, 10), (10, 50)))).terms
    assert isinstance(term, NormalDensity)
    np.testing.assert_allclose(term.constants, [-0.5 * math.log(2 * math.pi), -0.5 * math.log(math.pi)])
    np.testing.assert_allclose(term.precisions, [0.5, 1.0])


def test_the_width_of_hills_by_the_range_is_at_least_a_sixth_of_the_gap() -> None:
    """no: 0 to 6, four rows: 6/√4 = 3. yes: 12 alone: no range; values 0, 6, 12 lie 6 apart: a sixth is 1."""
    points = (((0.0, 2), (6.0, 2)), ((12.0, 1),))
    assert widths_of(Kernel("x", points, "range")) == pytest.approx((3.0, 1.0))
    # A class without points has the range of all: 12/√5.
    empty = (((0.0, 2), (6.0, 2), (12.0, 1)), ())
    assert widths_of(Kernel("x", empty, "range")) == pytest.approx((12 / math.sqrt(5),) * 2)
    # h² is at least the floor's part of the variance of all: 0, 0, 6, 6, 12 have 20.16.
    assert widths_of(Kernel("x", points, "range", floor=0.25)) == pytest.approx((3.0, math.sqrt(5.04)))
    # s · n^(−1/5), by the divisor n − 1: 0, 0, 6, 6 have 36/3 = 12; one row alone has the variance within,
    # (4 · 9 + 1 · 0) / 5 = 7.2.
    assert widths_of(Kernel("x", points, "scott")) == pytest.approx((math.sqrt(12) / 4**0.2, math.sqrt(7.2)))
    # Half a row has no divisor n − 1: its variance as it is.
    half = (((0.0, Fraction(1, 4)), (6.0, Fraction(1, 4))), ((12.0, 1),))
    assert widths_of(Kernel("x", half, "scott")) == pytest.approx((3 / 0.5**0.2, math.sqrt(3.0)))
    assert account_of(tables(Kernel("x", (((2.0, 3),), ((2.0, 1),))))).terms == ()


def test_counted_columns_by_each_event() -> None:
    """x and z are met 3 and 1 times with no, 0 and 4 times with yes; α = 1."""
    schema = Schema((Numeric("x"), Numeric("z")), NO_YES)
    counts = ((3, 1), (0, 4))
    x, z = account_of(tables(Bag(("x", "z"), "multinomial", counts), schema=schema)).terms
    assert isinstance(x, PerCount)
    assert isinstance(z, PerCount)
    np.testing.assert_allclose(np.exp([x.logs, z.logs]), [[4 / 6, 1 / 6], [2 / 6, 5 / 6]])
    assert x.sizes.tolist() == [6.0, 6.0]
    x, z = account_of(tables(Bag(("x", "z"), "complement", counts), schema=schema)).terms
    assert isinstance(x, PerCount)
    assert isinstance(z, PerCount)
    # With no the others' counts 0 and 4 count, and the other way round; 1 ÷ P.
    np.testing.assert_allclose(np.exp([x.logs, z.logs]), [[6 / 1, 6 / 4], [6 / 5, 6 / 2]])
    known = ((4, 2), (4, 4))
    x, z = account_of(tables(Bag(("x", "z"), "bernoulli", counts, known), schema=schema)).terms
    assert isinstance(x, Presence)
    assert isinstance(z, Presence)
    np.testing.assert_allclose(np.exp([x.present, z.present]), [[4 / 6, 1 / 6], [2 / 4, 5 / 6]])
    np.testing.assert_allclose(np.exp([x.absent, z.absent]), [[2 / 6, 5 / 6], [2 / 4, 1 / 6]])
    nothing = account_of(
        tables(Bag(("x",), "bernoulli", ((0,), (2,)), ((0,), (4,)), 0.0), schema=schema)
    ).terms[0]
    assert isinstance(nothing, Presence)
    np.testing.assert_allclose(np.exp([nothing.present, nothing.absent]), [[0.5, 0.5], [0.5, 0.5]])
    unmet = account_of(
        tables(Bag(("x", "z"), "multinomial", ((0, 0), (1, 3)), alpha=0.0), schema=schema)
    ).terms
    logs = [each.logs for each in unmet if isinstance(each, PerCount)]
    np.testing.assert_allclose(np.exp(logs), [[0.5, 0.25], [0.5, 0.75]])


def test_intervals_have_one_probability_more_than_cuts() -> None:
    (term,) = account_of(tables(Cuts("x", (1.0, 2.0), ((2, 1, 0), (0, 0, 3)), 3.0))).terms
    assert isinstance(term, Places)
    values, (missing, _) = term.added[:3], term.added[3:]
    np.testing.assert_allclose(np.exp(values), [[3 / 6, 1 / 6], [2 / 6, 1 / 6], [1 / 6, 4 / 6]])
    assert missing.tolist() == [0.0, 0.0]
    assert term.sides == (ColumnPlaces("x", (1.0, 2.0), None),)


@pytest.mark.parametrize(
    ("distribution", "row", "no_to_yes"),
    [
        (Categorical("v", ((3, 1), (1, 3)), 0.0), {"v": "a"}, 3.0),
        (Categorical("v", ((3, 1), (1, 3))), {"v": "a"}, 2.0),
        (Categorical("v", ((3, 1), (1, 3)), 4.0, (0.75, 0.25)), {"v": "a"}, 6 / 4),
        (Categorical("v", ((3, 1), (7, 1)), 2.0, "overall"), {"v": "b"}, 10 / 6),
        (Categorical("v", ((3, 1), (7, 1))), {"v": "another"}, (1 / 6) / (1 / 10)),
        (Categorical("v", ((3, 1), (7, 1))), {"v": None}, 1.0),
        (Categorical("v", ((4, 0), (2, 2)), 0.0), {"v": "b"}, 0.0),
        (Categorical("v", ((4, 0), (4, 0)), 0.0), {"v": "b"}, 1.0),  # impossible for both: neither
        (Gaussian("x", (2, 2), (4, 12), (10, 74)), {"x": 2.0}, math.exp(8.0)),  # means 2 and 6, variance 1
        (Gaussian("x", (2, 2), (4, 12), (10, 74)), {"x": None}, 1.0),
        (Gaussian("x", (2, 2), (4, 12), (10, 74)), {"x": 4.0}, 1.0),
        (Gaussian("x", (2, 2), (4, 12), (10, 74)), {"x": 1e200}, 1.0),  # as good as equally far
        (Gaussian("x", (2, 2), (4, 12), (10, 74)), {"x": -1e200}, 1.0),
        (Bag(("x",), "bernoulli", ((3,), (1,)), ((4,), (4,))), {"x": 1.0}, 2.0),
        (Bag(("x",), "bernoulli", ((3,), (1,)), ((4,), (4,))), {"x": 0.0}, 0.5),
        (Bag(("x",), "bernoulli", ((3,), (1,)), ((4,), (4,))), {"x": None}, 1.0),
    ],
)  # fmt: skip
def test_bayes_of_one_column(distribution: Any, row: dict[str, Any], no_to_yes: float) -> None:
    """Both classes have as many rows: the odds of no are the ratio of the column's probabilities."""
    shares = answered(tables(distribution), row)[1]
    assert shares == pytest.approx((no_to_yes / (1 + no_to_yes), 1 / (1 + no_to_yes)))


def test_classes_that_only_rounding_sets_apart_are_equal() -> None:
    """1/10 · 2/10 · 7/10 in one order and in others: sums of logs differ in the last digit."""
    values = Nominal("v", ("a", "b"))
    schema = Schema(tuple(replace(values, name=name) for name in "pqr"), NO_YES)
    orders = [((1, 2, 7), (7, 1, 2)), ((3, 7, 9), (9, 3, 7)), ((1, 3, 7), (3, 7, 1)), ((2, 3, 9), (9, 2, 3))]
    for one, other in orders:
        columns = [
            Categorical(name, ((a, 10 - a), (b, 10 - b)), 0.0)
            for name, a, b in zip("pqr", one, other, strict=True)
        ]
        model = BayesTables(schema, (10, 10), tuple(columns))
        row = dict.fromkeys("pqr", "a")
        assert evaluated(program_of(model), row).shares == (0.5, 0.5)
        assert evaluated(program_of(model), row).answer == "no"
        assert cw.shares(model, [row]).tolist() == [[0.5, 0.5]]


def test_words_are_kept_by_the_numbers_of_texts_and_the_most_frequent() -> None:
    def words(reading: TextReading | None = None, **given: Any) -> Words:
        counts = ((5, 1, 0), (0, 1, 4))
        documents = ((3, 1, 0), (0, 1, 2))
        made = Words("t", "multinomial", ("ant", "bee", "cat"), counts, documents, (3, 2), (3, 2, 2), 5)
        made = made if reading is None else replace(made, reading=reading)
        return replace(made, **given)

    assert kept_words(words()).tolist() == [0, 1, 2]
    assert kept_words(words(TextReading(min_documents=3))).tolist() == [0]
    assert kept_words(words(TextReading(min_documents=2, max_documents=2))).tolist() == [1, 2]
    assert kept_words(words(TextReading(min_documents=0.6))).tolist() == [0]
    assert kept_words(words(TextReading(max_documents=0.4))).tolist() == [1, 2]
    assert kept_words(words(TextReading(most_words=2))).tolist() == [0, 2]  # met 5, 2 and 4 times
    assert kept_words(words(TextReading(most_words=3))).tolist() == [0, 1, 2]
    assert kept_words(words(TextReading(most_words=1), counts=((4, 1, 0), (0, 1, 4)))).tolist() == [0]
    gone = words(documents=((3, 0, 0), (0, 0, 2)))
    assert kept_words(gone).tolist() == [0, 2]
    # Multinomial, α = 1: of no (6, 2, 1) of 9, of yes (1, 2, 5) of 8.
    term = by_word(words())
    np.testing.assert_allclose(np.exp(term.logs), [[6 / 9, 1 / 8], [2 / 9, 2 / 8], [1 / 9, 5 / 8]])
    assert (term.base.tolist(), term.once) == ([0.0, 0.0], False)
    # Complement: with no what yes has, 1 ÷ (1, 2, 5) of 8.
    other = by_word(words(event="complement"))
    np.testing.assert_allclose(np.exp(other.logs), [[8, 9 / 6], [8 / 2, 9 / 2], [8 / 5, 9]])
    # Bernoulli: of 3 and 2 texts (4, 2, 1) of 5 and (1, 2, 3) of 4; base is that of none of the words.
    there = by_word(words(event="bernoulli"))
    assert there.once
    np.testing.assert_allclose(np.exp(there.base), [(1 / 5) * (3 / 5) * (4 / 5), (3 / 4) * (2 / 4) * (1 / 4)])
    np.testing.assert_allclose(np.exp(there.logs), [[4, 1 / 3], [2 / 3, 1], [1 / 4, 3]])
    known = known_words_of(term, "Bee and bee, an ant; dog")
    assert [(str(each), each.times) for each in known] == [("bee ×2", 2), ("ant", 1)]
    np.testing.assert_allclose(np.exp(known[0].logs), [(2 / 9) ** 2, (2 / 8) ** 2])
    np.testing.assert_allclose(np.exp(known_words_of(there, "bee bee")[0].logs), [2 / 3, 1])
    assert known_words_of(term, "zebra aardvark") == []
    schema = Schema((Text("t"),), NO_YES)
    model = BayesTables(schema, (3, 2), (words(),))
    assert answered(model, {"t": "bee bee"})[1] == pytest.approx(_parts(3 * (2 / 9) ** 2, 2 * (2 / 8) ** 2))
    assert answered(model, {"t": None})[1] == pytest.approx((0.6, 0.4))
    once = BayesTables(schema, (3, 2), (words(event="bernoulli"),))
    no, yes = 3 * (1 / 5) * (2 / 5) * (4 / 5), 2 * (3 / 4) * (2 / 4) * (1 / 4)
    assert answered(once, {"t": "bee bee"})[1] == pytest.approx(_parts(no, yes))


def _parts(*parts: float) -> tuple[float, ...]:
    return tuple(each / sum(parts) for each in parts)


def test_exact_sums_stay_exact() -> None:
    assert (scaled(3, 2), scaled(0, -5), scaled(12, -1), scaled(1, -3)) == (12, 0, 6, Fraction(1, 8))
    assert isinstance(scaled(12, -1), int)
    assert total([Fraction(1, 2), Fraction(1, 2), 3]) == 4
    assert isinstance(total([Fraction(1, 2), Fraction(1, 2)]), int)
    long = Fraction(1, 3**200)
    down, up = faded(long, 0.5), faded(long, 0.5, up=True)
    assert down < long / 2 < up
    assert up - down < long / 2**250
    assert down.denominator.bit_length() < 600
    assert faded(Fraction(1, 3), 0.75) == Fraction(1, 4)
    for value in (
        3,
        -3,
        1 << 53,
        (1 << 53) + 1,
        10**400,
        Fraction(5, 2),
        Fraction(-1, 3),
        Fraction(10**400, 7),
    ):
        assert sum_from_json(sum_to_json(value)) == value
    assert sum_to_json(1 << 53) == 1 << 53
    assert sum_to_json((1 << 53) + 1) == str((1 << 53) + 1)
    assert sum_to_json(1 << 60) == float(1 << 60)
    for wrong in ("1/0", "x", "1/3/5", math.inf, "1" * 5000):
        with pytest.raises(Misplaced, match="must be a finite number or the text of a fraction"):
            sum_from_json(wrong)
    assert repr([without_point(each) for each in (7.0, -0.0, 0.5, 1e15, 1e15 - 1)]) == (
        "[7, -0.0, 0.5, 1000000000000000.0, 999999999999999]"
    )


# Weights and curves turned to the other class; sums and links.


def test_weights_turned_to_the_other_class_are_their_negatives_and_twice_turned_themselves() -> None:
    fit = Fit(9, 9.0, -1.0, -2.0, (-1.0,), True, separation=Separation(True, ((0, 1),), ("x parts them",)))
    x = (NumberTerm("x"),)
    model = LinearModel(SCHEMA, ("yes",), "no", x, (0.5,), ((-1.5,),), fills={"x": 1.0}, fit=fit)
    model = replace(model, averages={"x": (0.25,)})
    turned = weights_about(model, "no")
    assert (turned.contrasts, turned.against) == (("no",), "yes")
    assert (turned.intercepts, turned.weights, turned.averages["x"]) == ((-0.5,), ((1.5,),), (-0.25,))
    assert turned.fit is not None
    assert turned.fit.separation is not None
    assert turned.fit.separation.directions == ((0, -1),)
    assert weights_about(turned, "yes") == model
    assert weights_about(model, "yes") is model
    assert weights_about(replace(model, fit=None), "no").fit is None
    for number in (-1.0, None, 3.0):
        row = {"x": number}
        assert answered(turned, row)[0] == answered(model, row)[0]
        assert answered(turned, row)[1] == pytest.approx(answered(model, row)[1])
    assert copy.deepcopy(model) == pickle.loads(pickle.dumps(model)) == from_json(to_json(model)) == model
    every = LinearModel(SCHEMA, ("no", "yes"), None, x, (0.0, 1.0), ((0.0,), (1.0,)), fills={"x": 0.0})
    assert weights_about(every, "no") is every
    assert answered(every, {"x": -1.0})[1] == pytest.approx((0.5, 0.5))
    assert answered(every, {"x": -1.0})[0] == "no"  # of equals the first


@pytest.mark.parametrize(
    ("link", "target", "answer"),
    [
        ("logistic", NO_YES, (1 / (1 + math.e**2), 1 / (1 + math.e**-2))),
        ("identity", Numeric("p"), 2.0),
        ("exp", Numeric("p"), math.e**2),
    ],
)
def test_a_sum_becomes_a_probability_or_a_number_by_its_link(link: Any, target: Any, answer: Any) -> None:
    """Base ½, and 3/2 where x ≤ 1: together 2; −5/2 above it: together −2."""
    schema = Schema((Numeric("x"),), target)
    model = AdditiveModel(schema, (0.5,), (Shape("x", (1.0,), ((1.5, -2.5, 0.25, 0.0),)),), link=link)
    given, shares = answered(model, {"x": 1.0})
    assert (shares or given) == pytest.approx(answer)
    given, shares = answered(model, {"x": 1.5})  # ½ − 5/2 = −2
    turned_about = {"logistic": (1 / (1 + math.e**-2), 1 / (1 + math.e**2)), "exp": math.e**-2}
    assert (shares or given) == pytest.approx(turned_about.get(link, -2.0))
    if link == "logistic":
        assert [answered(model, {"x": x})[0] for x in (1.0, 1.5, None)] == ["yes", "no", "yes"]
        turned = curves_about(model, "no")
        assert turned.schema.classes == ("yes", "no")
        assert curves_about(model, "yes") is model
        assert [answered(turned, {"x": x})[0] for x in (1.0, 1.5, None)] == ["yes", "no", "yes"]
    else:
        assert curves_about(model, "no") is model
    trees = tree_of(
        Schema((Numeric("x"),), Numeric("step")),
        Split(
            (2.0, 0.0, 0.0),
            {},
            (
                Branch(AtMost("x", 1.0), 0.5, Leaf((1.0, 1.5, 0.0))),
                Branch(Above("x", 1.0), 0.5, Leaf((1.0, -2.5, 0.0))),
            ),
        ),
    )
    summed = Ensemble(schema, joined_trees([trees.nodes], "step"), combined_by="sum", base=(0.5,), link=link)
    for x in (1.0, 1.5):
        one, other = answered(summed, {"x": x}), answered(model, {"x": x})
        assert one[1] == pytest.approx(other[1])
        assert one[0] == pytest.approx(other[0]) if model.is_numeric else one[0] == other[0]


# Rules: what is counted, and by what they answer.


def test_rules_count_what_they_met() -> None:
    rule, other = Rule((Equals("v", "a"),), "yes", (1.0, 5.0)), Rule((Equals("v", "b"),), None)
    rules = RuleList(SCHEMA, (rule, other), Otherwise("no"))
    assert counts_of_all(rules) == (1.0, 5.0)
    assert answers_with_rows(rules) == [True, True, True]
    unmet = RuleList(SCHEMA, (replace(rule, counts=()),), Otherwise("no"))
    assert counts_of_all(unmet) == (0.0, 0.0)
    assert answers_with_rows(unmet) == [False, False]
    votes = RuleList(SCHEMA, (rule, rule), Otherwise("no", (3.0, 5.0)), "vote")
    assert counts_of_all(votes) == (3.0, 5.0)
    assert counts_of_all(replace(votes, otherwise=Otherwise("no"))) == (2.0, 10.0)
    assert rules.weight(rule) == 6.0
    assert rules.weight(rules.otherwise) == 0.0
    assert [answer_text(each) for each in (None, "yes", 2.0)] == [
        "refer",
        "yes",
        "2",
    ]
    assert answered(rules, {"v": "b"}) == (None, (0.0, 0.0))
    assert answered(rules, {"v": "a"}) == ("yes", (1 / 6, 5 / 6))
    shares = by_shares(replace(rules, rules=(replace(rule, then="no"), other)))
    assert [each.then for each in shares.entries] == ["yes", None, "no"]
    costly = by_shares(replace(rules, decision=Decision(costs=((0.0, 9.0), (1.0, 0.0)))))
    assert costly.rules[0].then == "no"  # no: 5 · 1, yes: 1 · 9
    assert by_shares(replace(rules, rules=(replace(rule, counts=(3.0, 3.0)),))).rules[0].then == "no"
    assert len(rules) == 2
    assert [*rules] == [rule, other]


def test_votes_are_added_up_and_of_no_votes_the_default_answers() -> None:
    """Votes 1 : 5 and 0 : 2, together 1 : 7; where no rule holds the default answers, or nothing does."""
    first, second = Rule((AtMost("x", 2.0),), "yes", (1.0, 5.0)), Rule((AtMost("x", 1.0),), "yes", (0.0, 2.0))
    rules = RuleList(SCHEMA, (first, second), Otherwise("no", (6.0, 2.0)), "vote")
    assert answered(rules, {"x": 1.0}) == ("yes", (0.125, 0.875))
    assert answered(rules, {"x": 2.0}) == ("yes", (1 / 6, 5 / 6))
    assert answered(rules, {"x": 3.0}) == ("no", (0.75, 0.25))
    silent = replace(rules, otherwise=Otherwise(None))
    assert answered(silent, {"x": 3.0}) == (None, (0.0, 0.0))
    # A default that is not the commonest class answers all the same, but where a cutoff decides, or too
    # little is sure.
    stubborn = replace(rules, otherwise=Otherwise("yes", (6.0, 2.0)))
    assert answered(stubborn, {"x": 3.0})[0] == "yes"
    assert answered(replace(stubborn, decision=Decision(cutoff=Cutoff("yes", 0.5))), {"x": 3.0})[0] == "no"
    assert answered(replace(stubborn, decision=Decision(refer=0.75)), {"x": 3.0})[0] == "yes"
    assert answered(replace(stubborn, decision=Decision(refer=0.76)), {"x": 3.0})[0] is None
    # Rules that have no votes leave every class as likely.
    empty = replace(rules, rules=(replace(first, counts=(0.0, 0.0)),), decision=Decision(factors=(0.0, 0.0)))
    assert answered(empty, {"x": 2.0})[1] == (0.5, 0.5)


# Programs of many steps.


def choices_within(part: Any) -> int:
    """How many choices lie one in the other."""
    if isinstance(part, f.Choose):
        return 1 + max(map(choices_within, [*(case.then for case in part.cases), part.otherwise]))
    return 0


def comb(depth: int) -> Tree:
    """Leaves on the left all the way down: x ≤ 1, else x ≤ 2, else …"""
    below: Leaf | Split = Leaf((0.0, 1.0)) if depth % 2 else Leaf((1.0, 0.0))
    for level in range(depth, 0, -1):
        leaf = Leaf((0.0, 1.0)) if level % 2 else Leaf((1.0, 0.0))
        counts = tuple(one + other for one, other in zip(leaf.counts, below.counts, strict=True))
        part = 1 / sum(counts)
        branches = (
            Branch(AtMost("x", float(level)), part, leaf),
            Branch(Above("x", float(level)), 1 - part, below),
        )
        below = Split(counts, {}, branches, otherwise=0)
    return tree_of(SCHEMA, below)


@pytest.mark.parametrize(("depth", "steps"), [(1, 0), (12, 0), (13, 1), (14, 1), (25, 2), (40, 3)])
def test_a_deep_tree_is_cut_into_steps_of_twelve_levels(depth: int, steps: int) -> None:
    tree = comb(depth)
    program = program_of(tree)
    below = [step for step in program.steps if "below" in step.name]
    assert len(below) == steps
    assert max(choices_within(step.value) for step in program.steps) <= 13
    for x in range(depth + 2):
        expected = "no" if min(x, depth) % 2 == 0 and x > 0 else "yes"
        assert answered(tree, {"x": float(x)})[0] == (expected if x else "yes")
    assert answered(tree, {"x": None})[0] == "yes"


@pytest.mark.parametrize(("rules", "steps"), [(100, 0), (101, 1), (250, 2)])
def test_many_rules_are_asked_in_steps_of_a_hundred(rules: int, steps: int) -> None:
    listed = tuple(
        Rule((Between("x", float(place), float(place + 1)),), "yes" if place % 2 else "no")
        for place in range(rules)
    )
    model = RuleList(SCHEMA, listed, Otherwise(None))
    program = program_of(model)
    assert sum(step.name.startswith("rules_") for step in program.steps) == steps
    for place in (0, 1, 98, 99, 100 % rules, rules - 1):
        given = evaluated(program, {"x": place + 0.5})
        assert (given.answer, given.region) == ("yes" if place % 2 else "no", place)
    assert evaluated(program, {"x": -1.0}).region == rules


def test_a_branch_that_several_tests_lead_to_is_a_step_of_its_own() -> None:
    surrogates = (Surrogate(Equals("v", "a"), 1, OneOf("v", ("b",)), 0.75),)
    deep = comb(2).root
    assert isinstance(deep, Split)
    total_counts = tuple(2 * each for each in deep.counts)
    branches = (Branch(AtMost("x", 1.0), 0.5, deep), Branch(Above("x", 1.0), 0.5, deep))
    tree = tree_of(SCHEMA, Split(total_counts, {}, branches, surrogates, 0))
    program = program_of(tree)
    assert [step.name for step in program.steps if step.name.startswith("branch_")] == [
        "branch_6", "branch_1", "branch_0",
    ]  # fmt: skip
    undecided = replace(tree, nodes=replace(tree.nodes, otherwise=np.full(len(tree.nodes), -1)))
    for model in (tree, undecided):
        for x in (0.0, 1.0, 1.5, 2.0, 9.0, None):
            for v in ("a", "b", "another", None):
                answered(model, {"x": x, "v": v})
    no, yes = answered(undecided, {})[1]
    assert (no, yes) == pytest.approx((2 / 3, 1 / 3))
    assert evaluated(program_of(undecided), {}).region == -1


# What is kept of a model, and refusals of kinds.


class Thing:
    """Something that can be remembered."""


def test_what_is_worked_out_is_kept_of_the_last_thirty_two() -> None:
    asked: list[Thing] = []

    def times(thing: Thing) -> int:
        asked.append(thing)
        return len(asked)

    sizes = kept(times)
    things = [Thing() for _ in range(33)]
    assert [sizes(each) for each in things[:32]] == [*range(1, 33)]
    assert [sizes(each) for each in things[:32]] == [*range(1, 33)]
    assert sizes(things[32]) == 33  # the first is forgotten, and asked again
    assert sizes(things[1]) == 2
    assert sizes(things[0]) == 34


def test_a_wrong_kind_is_told_the_way() -> None:
    rules = RuleList(SCHEMA, (), Otherwise("no"))
    check_kind("a verb", rules)
    check_kind("a verb", rules, Tree, RuleList)
    with pytest.raises(SettingError, match=r"^a verb takes a Tree or Ensemble, not a RuleList\.$"):
        check_kind("a verb", rules, Tree, Ensemble)
    with pytest.raises(SettingError, match=r"^a verb takes an Ensemble, not a RuleList\.$"):
        check_kind("a verb", rules, Ensemble)
    with pytest.raises(SettingError, match=r"^a verb takes a model, not a Thing\.$"):
        check_kind("a verb", Thing())
    with pytest.raises(SettingError, match=r"rules first: rules_of\(tree\)\.$"):
        check_kind("a verb", one_leaf((1.0, 1.0), SCHEMA), RuleList)
    with pytest.raises(SettingError, match=r"takes a BayesTables, not a Tree\.$"):
        check_kind("a verb", one_leaf((1.0, 1.0), SCHEMA), BayesTables)


def test_columns_that_are_used_are_those_that_are_asked() -> None:
    tree = comb(2)
    used = columns_used(tree)
    used.add("more")  # a set of one's own
    assert columns_used(tree) == {"x"}
    assert inputs_used(tree) == (Numeric("x"),)
    assert schema_of_rows(tree) == Schema(SCHEMA.attributes)


def test_settings_are_views_that_can_be_copied() -> None:
    settings: dict[str, Any] = {
        "of": LearnerAsData("C45", {"confidence": 0.1}),
        "listed": [1, (2, {"deep": 3})],
    }
    view = frozen(settings)
    settings["listed"] = []
    assert thawed(view) == {"of": LearnerAsData("C45", {"confidence": 0.1}), "listed": (1, (2, {"deep": 3}))}
    with pytest.raises(TypeError):
        mistyped(view)["listed"] = 1
    assert copy.deepcopy(LearnerAsData("C45", {"a": (1,)})) == LearnerAsData("C45", {"a": (1,)})
    made = Origin("Bagging", {"of": LearnerAsData("C45", {"a": (1,)})}, rows=9, weights_are="counts")
    assert copy.deepcopy(made) == pickle.loads(pickle.dumps(made)) == made
    assert made.made == LearnerAsData("Bagging", made.settings)


@pytest.mark.parametrize(
    ("distribution", "size"),
    [
        (Categorical("v", ((3, 1), (0, 1))), 4),
        (Cuts("x", (1.0, 2.0), ((1, 0, 2), (0, 0, 1))), 6),
        (Gaussian("x", (2, 2), (3, 4), (5, 8)), 4),
        (Kernel("x", (((1.0, 1), (2.0, 1)), ((2.0, 2),))), 3),
        (Bag(("x",), "multinomial", ((3,), (0,))), 2),
    ],
)
def test_each_cell_of_a_table_is_a_statement_to_read(distribution: Any, size: int) -> None:
    model = tables(distribution)
    assert reading_size(model) == size
    assert copy.deepcopy(model) == pickle.loads(pickle.dumps(model)) == from_json(to_json(model)) == model
    assert repr(model).endswith(": 2 classes, 1 column>")
    assert repr(tables(distribution, replace(CATEGORICAL, name="w"), schema=WIDER)).endswith(", 2 columns>")


CATEGORICAL = Categorical("w", ((3, 1), (0, 1)))
WIDER = Schema((*SCHEMA.attributes, Nominal("w", ("a", "b"))), NO_YES)
