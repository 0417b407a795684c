"""Models so small that every figure and every sentence about them is worked out on paper."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ModelFileError, SchemaError
from clearwood.formulas.conditions import Above, AtMost, Equals
from clearwood.models.decision import Decision, Isotonic, Platt, check_decision
from clearwood.models.files import from_json, to_json
from clearwood.models.files.packed import packed_column, unpacked
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    cell_in_words,
    curves_in_words,
)
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import categorical_chances
from clearwood.models.kinds.bayes.distributions import Categorical, ValuePrior
from clearwood.models.kinds.linear.linear_model import LinearModel, NumberTerm, ValueTerm
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList, behind_answers
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.nodes import cheaper_as_leaf
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Tree
from clearwood.models.program.evaluating import evaluated
from clearwood.models.program.program_of import program_of
from clearwood.models.space.axes import Axis, region_text
from clearwood.models.space.space_of import space_of
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema

YES_NO = Nominal("y", ("no", "yes"))
COLOURS = Nominal("colour", ("red", "green", "blue", "black", "white", "brown", "pink"))


def stump(low: tuple[float, float] = (3, 1), high: tuple[float, float] = (0, 4)) -> Tree:
    """x ≤ 1 and x > 1, with these counts of no and yes."""
    whole = tuple(one + other for one, other in zip(low, high, strict=True))
    parts = sum(low) / sum(whole), sum(high) / sum(whole)
    branches = (
        Branch(AtMost("x", 1.0), parts[0], Leaf(low)),
        Branch(Above("x", 1.0), parts[1], Leaf(high)),
    )
    return tree_of(Schema((Numeric("x"),), YES_NO), Split(whole, {"gain": 0.5}, branches))


# What is behind the answers of rules.


def test_a_default_without_rows_has_the_counts_of_all_rows_if_it_predicts_their_commonest_class() -> None:
    rule = Rule((Equals("colour", "red"),), "yes", (1.0, 5.0))
    schema = Schema((COLOURS,), YES_NO)
    commonest = RuleList(schema, (rule,), Otherwise("yes"))
    assert behind_answers(commonest) == [(1.0, 5.0), (1.0, 5.0)]
    other = RuleList(schema, (rule,), Otherwise("no"))
    assert behind_answers(other) == [(1.0, 5.0), (1 + 1 / 6, 5 / 6)]
    counted = RuleList(schema, (rule,), Otherwise("yes", (2.0, 1.0)))
    assert behind_answers(counted)[-1] == (2.0, 1.0)
    nothing_met = RuleList(schema, (Rule((Equals("colour", "red"),), "yes"),), Otherwise("no"))
    assert behind_answers(nothing_met) == [(0.0, 1.0), (1.0, 0.0)]


def test_rules_and_conditions_are_counted_in_the_singular_and_the_plural() -> None:
    schema = Schema((COLOURS,), YES_NO)
    red, green = (Rule((Equals("colour", each),), "yes") for each in ("red", "green"))
    assert repr(RuleList(schema, (red,), Otherwise("no"))).endswith(": 1 rule, 1 condition>")
    assert repr(RuleList(schema, (red, green), Otherwise("no"))).endswith(": 2 rules, 2 conditions>")
    assert repr(RuleList(schema, (), Otherwise("no"))).endswith(": 0 rules, 0 conditions>")


# Regions in words: sets of values, with or without values never met, and missing cells.


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ("red", "colour = red"),
        ("red green", "colour in {red, green}"),
        ("red green blue black white brown pink", "colour has a known value"),
        ("red green blue black white brown pink never", "colour is known"),
        ("never", "colour has a value never met"),
        ("red never", "colour = red or never met"),
        ("red green blue black white brown never", "colour not in {pink}"),
        ("red green blue black white never", "colour in {red, green, blue, black, white} or never met"),
        ("missing", "colour is missing"),
        ("red missing", "colour = red or missing"),
    ],
)
def test_sets_of_values_are_named_by_what_is_shortest(held: str, expected: str) -> None:
    cells = (*COLOURS.values, "something else", None)
    axis = Axis(COLOURS, (), cells, tuple(range(9)))
    place = {**{value: code for code, value in enumerate(COLOURS.values)}, "never": 7, "missing": 8}
    groups = axis.groups_of([place[each] for each in held.split()])
    assert region_text([axis], [groups]) == expected
    assert region_text([axis], [axis.everything]) == "any row"


# Cutting: a leaf that costs no more than its split goes.


@pytest.mark.parametrize(
    ("as_leaf", "of_split", "slack", "cut", "cost"),
    [
        ([5.0, 1.0, 3.0], 0.0, 0.0, False, 4.0),  # 5 as a leaf, 1 + 3 below
        ([4.0, 1.0, 3.0], 0.0, 0.0, True, 4.0),  # equal: the smaller tree
        ([5.0, 1.0, 3.0], 1.0, 0.0, True, 5.0),  # the split itself costs 1
        ([5.0, 1.0, 3.0], 0.0, 1.0, True, 4.0),  # within the slack
        ([5.5, 1.0, 3.0], 0.0, 1.0, False, 4.0),
        ([4.0 + 1e-12, 1.0, 3.0], 0.0, 0.0, True, 4.0),  # rounding never decides
    ],
)
def test_a_split_is_cut_where_a_leaf_costs_no_more(
    as_leaf: list[float], of_split: float, slack: float, cut: bool, cost: float
) -> None:
    cuts, costs = cheaper_as_leaf(stump().nodes, np.array(as_leaf), of_split, slack)
    assert cuts.tolist() == [cut, False, False]
    assert costs.tolist() == [cost, 1.0, 3.0]


# Decisions of a program: the true prevalence, and costs.


def test_probabilities_moved_to_the_true_prevalence_are_those_of_the_odds_formula() -> None:
    """P(yes) of the left leaf is 1/4: 1/4 · .1/.5 against 3/4 · .9/.5, that is .05 against 1.35."""
    tree = stump((3, 1), (1, 3))
    moved = Decision(prevalence=(0.9, 0.1), trained_at=(0.5, 0.5))
    program = program_of(type(tree)(tree.schema, tree.nodes, decision=moved))
    no, yes = evaluated(program, {"x": 0.0}).shares
    assert yes == pytest.approx(0.05 / 1.4)
    assert no == pytest.approx(1.35 / 1.4)


@pytest.mark.parametrize(("x", "odds"), [(0.0, math.log(1 / 3)), (2.0, math.log(999))])
def test_platts_curve_takes_certain_probabilities_for_those_that_are_least_certain(
    x: float, odds: float
) -> None:
    """yes has 1/4 on the left, whose odds are 1 : 3, and 1 on the right, taken for 0.999."""
    platt = Platt((0.5, 0.5), (0.2, -0.2), 0.001)
    tree = stump()
    program = program_of(type(tree)(tree.schema, tree.nodes, decision=Decision(calibration=platt)))
    no, yes = (1 / (1 + math.exp(-(0.5 * each + by))) for each, by in ((-odds, 0.2), (odds, -0.2)))
    assert evaluated(program, {"x": x}).shares == pytest.approx((no / (no + yes), yes / (no + yes)))


@pytest.mark.parametrize(
    ("calibration", "sentence"),
    [
        (Platt((1.0,), (0.0, 0.0)), "slopes"),
        (Platt((1.0, 1.0), (0.0, math.inf)), "intercepts"),
        (Platt((1.0, 1.0), (0.0, 0.0), 0.5), "above 0 and below 0.5"),
        (Isotonic(((0.5,),), ((0.5,),)), "steps of 2 classes"),
        (Isotonic(((0.5,), (0.5,)), ((0.5,),)), "steps of 2 classes"),
        (Isotonic(((0.5,), (0.5,)), ((0.5,), (0.5, 0.6))), "as many places as probabilities"),
        (Isotonic(((0.5, 0.4), (0.5,)), ((0.5, 0.6), (0.5,))), "must increase"),
        (Isotonic(((0.4, 0.5), (0.5,)), ((0.6, 0.5), (0.5,))), "must not fall"),
    ],
)
def test_a_calibration_that_does_not_fit_its_classes_is_refused(calibration: Any, sentence: str) -> None:
    with pytest.raises(SchemaError, match=sentence):
        check_decision(Decision(calibration=calibration), ("no", "yes"))


def test_costs_choose_the_class_of_least_expected_cost() -> None:
    """yes has 1/4: to say no costs 1/4 · 5 = 1.25, to say yes 3/4."""
    tree = stump((3, 1), (1, 3))
    costly = type(tree)(tree.schema, tree.nodes, decision=Decision(costs=((0.0, 1.0), (5.0, 0.0))))
    assert evaluated(program_of(costly), {"x": 0.0}).answer == "yes"
    assert evaluated(program_of(tree), {"x": 0.0}).answer == "no"


def test_a_missing_cell_follows_both_branches_by_their_share_of_the_rows() -> None:
    """3 of 8 rows go left, where 1 of 4 is yes; 4 of 8 … right, where all are: as the counts of all rows."""
    tree = stump((3, 1), (0, 4))
    no, yes = evaluated(program_of(tree), {"x": None}).shares
    assert (no, yes) == pytest.approx((3 / 8, 5 / 8))


# Bayes: probabilities of values.


def test_the_prior_of_values_is_equal_that_of_all_rows_or_as_given() -> None:
    """Counts 2, 1, 0 and 0, 1, 4 with m = 2: overall the values have 2/8, 2/8 and 4/8."""
    schema = Schema((Nominal("v", ("a", "b", "c")),), YES_NO)
    counts = tuple(tuple(map(Fraction, row)) for row in ((2, 1, 0), (0, 1, 4)))
    priors: list[tuple[ValuePrior, tuple[float, ...]]] = [
        ("equal", (1 / 3, 1 / 3, 1 / 3)),
        ("overall", (1 / 4, 1 / 4, 1 / 2)),
        ((0.2, 0.3, 0.5), (0.2, 0.3, 0.5)),
    ]
    for prior, p in priors:
        chances, unseen, sizes = categorical_chances(schema, Categorical("v", counts, 2.0, prior))
        expected = [
            [(float(n) + 2 * q) / size for n, q in zip(row, p, strict=True)]
            for row, size in zip(counts, (5, 7), strict=True)
        ]
        np.testing.assert_allclose(chances, expected)
        np.testing.assert_allclose(unseen, [2 * min(p) / 5, 2 * min(p) / 7])
        assert sizes.tolist() == [5.0, 7.0]


def test_a_class_of_prior_0_has_probability_0_and_the_others_share_what_is_left() -> None:
    schema = Schema((Nominal("v", ("a", "b")),), Nominal("y", ("no", "yes", "never")))
    counts = tuple(tuple(map(Fraction, row)) for row in ((3, 1), (1, 3), (0, 0)))
    model = BayesTables(schema, (Fraction(4), Fraction(4), Fraction(0)), (Categorical("v", counts, 0.0),))
    assert evaluated(program_of(model), {"v": "a"}).shares == pytest.approx((0.75, 0.25, 0.0))
    assert evaluated(program_of(model), {}).shares == pytest.approx((0.5, 0.5, 0.0))


# Curves: steps to read, and cells in words.


def curves() -> AdditiveModel:
    schema = Schema((Numeric("x"), COLOURS), YES_NO)
    x = Shape("x", (1.0, 2.0, 3.0), ((0.5, 0.5, -0.5, -0.5, 0.25, 0.0),))  # four intervals, missing, unseen
    colour = Shape("colour", (), ((0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.0, 0.0),))
    rows = [[0.1] * 9, [0.1] * 9, [0.0] * 9, [0.0] * 9]  # x by colour: one cut of x, missing and unseen
    pair = PairShape(("x", "colour"), ((2.0,), ()), (tuple(np.ravel(rows).tolist()),))
    return AdditiveModel(schema, (0.0,), (x, colour), (pair,))


def test_points_that_differ_from_the_one_before_are_steps_and_those_of_missing_cells_one_more() -> None:
    """x: .5 and −.5 are two steps, missing a third; colour: seven values; the pair: one row of x by seven
    colours, to which those of a missing colour come."""
    model = curves()
    alone = AdditiveModel(model.schema, model.base, model.shapes[:1])
    assert cw.reading_size(alone) == 3
    both = AdditiveModel(model.schema, model.base, model.shapes)
    assert cw.reading_size(both) == 3 + 7
    assert cw.reading_size(model) == 3 + 7 + 1 * 8


def test_cells_are_intervals_values_missing_or_unseen_and_of_a_pair_both() -> None:
    model = curves()
    x, colour = model.shapes
    words = [cell_in_words(model, x, cell) for cell in range(6)]
    assert words == ["≤ 1", "1 to 2", "2 to 3", "> 3", "missing", "unseen"]
    assert [cell_in_words(model, colour, cell) for cell in (0, 6, 7, 8)] == [
        "red",
        "pink",
        "missing",
        "unseen",
    ]
    (pair,) = model.pairs
    assert cell_in_words(model, pair, 0) == "≤ 2, red"
    assert cell_in_words(model, pair, 10) == "> 2, green"
    assert cell_in_words(model, pair, 18 + 7) == "missing, missing"
    flat = Shape("x", (), ((0.0, 0.0, 0.0),))
    assert cell_in_words(model, flat, 0) == "any number"
    assert curves_in_words(model) == "2 curves and 1 pair"
    assert curves_in_words(AdditiveModel(model.schema, model.base, model.shapes[:1])) == "1 curve"


# Weights: what the space says of columns.


def test_a_linear_model_says_what_an_unusable_cell_counts_as() -> None:
    schema = Schema((Numeric("x"), COLOURS), YES_NO)
    terms = (NumberTerm("x"), ValueTerm("colour", "green"))
    fills: dict[str, float | str] = {"x": 2.5, "colour": "red"}
    model = LinearModel(schema, ("yes",), "no", terms, (0.5,), ((1.0, -1.0),), {"colour": "red"}, fills)
    space = space_of(model)
    assert space.unusable("x") == "such a cell counts as 2.5"
    assert space.unusable("colour") == "such a cell counts as red"
    assert space.usual("x") == 2.5
    assert list(space.asked("x")) == ["in 1 term"]
    assert list(space.asked("colour")) == ["in 1 term"]
    assert space.columns() == ("x", "colour")
    assert space.spans() == {"x": (-math.inf, math.inf)}
    assert (space.limits(), space.pairs()) == ((), ())
    assert space.takes_missing() == set()
    # A value without a weight of its own, that is not the reference either, has no place.
    assert space.without_a_place(COLOURS) == [False, False, True, True, True, True, True]


# Files: packed columns, and forged trees.


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 255], "u1"), ([0, 256], "u2"), ([0, 65_535], "u2"), ([0, 65_536], "u4"), ([-128, 127], "i1"),
        ([-129, 0], "i2"), ([-1, 128], "i2"), ([-32_768, 32_767], "i2"), ([-32_769, 0], "i4"),
        ([-1, 32_768], "i4"), ([0.0, 255.0], "u1"), ([0.5, 1.0], "f4"), ([0.1, 1.0], "f8"),
        ([-0.0, 1.0], "f4"),
        ([2.0**31, 0.0], "f4"), ([2.0**31 - 1, 0.0], "u4"), ([2.0**31 + 1, 0.0], "f8"), ([np.nan, 0.5], "f4"),
    ],
)  # fmt: skip
def test_a_packed_column_takes_the_narrowest_type_that_holds_it_exactly(values: list[Any], kind: str) -> None:
    column = np.array(values)
    packed = packed_column(column)
    assert packed.type == kind
    np.testing.assert_array_equal(unpacked(packed, len(column), "here").astype(np.float64), column)


def forged(change: Any) -> str:
    data: Any = json.loads(to_json(stump()))
    change(data["body"]["nodes"][0]["score"])
    with pytest.raises(ModelFileError) as error:
        from_json(json.dumps(data))
    return str(error.value)


def test_a_split_whose_scores_are_not_those_that_are_declared_is_refused() -> None:
    assert forged(lambda score: score.clear()) == "body.nodes[0].score: 'gain' is missing."
    assert forged(lambda score: score.update(merit=1.0)).startswith("body.nodes[0].score: No field 'merit'.")
