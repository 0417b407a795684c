"""What no model may hold is refused by its own sentence, and what only just may is taken."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from clearwood.bounds import LARGEST_COST
from clearwood.errors import ClearwoodError, ColumnError
from clearwood.formulas.conditions import Above, AtMost, Condition, Equals, IsMissing, OneOf
from clearwood.models.decision import (
    Cutoff,
    Decision,
    Isotonic,
    Platt,
    check_answers,
    check_decision,
    check_smoothing,
)
from clearwood.models.kinds.additive.additive_model import AdditiveModel, PairShape, Shape
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Bag, Categorical, Cuts, Gaussian, Kernel, Words
from clearwood.models.kinds.ensemble.ensemble import Ensemble, LearningCurve
from clearwood.models.kinds.ensemble.many_trees import Trees, joined_trees
from clearwood.models.kinds.kind import (
    NumbersProfile,
    Profile,
    TextProfile,
    ValuesProfile,
    check_profile,
    kind_of,
)
from clearwood.models.kinds.linear.linear_model import (
    Fit,
    LinearModel,
    MissingTerm,
    NumberTerm,
    Separation,
    ValueTerm,
)
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Tree
from clearwood.models.lineage import Origin
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from tests.typed import mistyped

NO_YES = Nominal("y", ("no", "yes"))
V, X, T = Nominal("v", ("a", "b")), Numeric("x"), Text("t")
SCHEMA = Schema((X, V, T, Ordinal("size", ("S", "M", "L"))), NO_YES)
OF_NUMBERS = Schema((X, V), Numeric("price"))
Make = Callable[[], object]


def refused(make: Make, sentence: str) -> None:
    with pytest.raises(ClearwoodError) as error:
        make()
    assert sentence in str(error.value)


# Bayes tables.

HALF = Fraction(1, 2)
CATEGORICAL = Categorical("v", ((3, 1), (0, HALF)))
CUTS = Cuts("x", (1.0, 2.0), ((1, 0, 2), (0, 0, 1)))
GAUSSIAN = Gaussian("x", (2, 2), (3, 4), (5, 8))
KERNEL = Kernel("x", (((1.0, 1), (2.0, 1)), ((2.0, 2),)))
BAG = Bag(("x",), "multinomial", ((3,), (0,)))
BERNOULLI = Bag(("x",), "bernoulli", ((2,), (0,)), ((2,), (1,)))
WORDS = Words("t", "multinomial", ("bad", "good"), ((2, 0), (0, 3)), ((1, 0), (0, 2)), (1, 2), (1, 2), 3)


def bayes(*distributions: Any, schema: Schema = SCHEMA, **given: Any) -> BayesTables:
    return BayesTables(schema, given.pop("classes", (4, 3)), distributions, **given)


BAYES: list[tuple[Make, str]] = [
    (lambda: bayes(schema=OF_NUMBERS), "must be nominal or ordinal, with at least one class"),
    (lambda: bayes(classes=(4,)), "Class weights must be 2 numbers from 0 up."),
    (lambda: bayes(classes=(4, -1)), "Class weights must be 2 numbers from 0 up."),
    (lambda: bayes(classes=(4, 1.5)), "Class weights must be 2 numbers from 0 up."),
    (lambda: bayes(classes=(True, 1)), "Class weights must be 2 numbers from 0 up."),
    (lambda: bayes(classes=(0, 0)), "needs rows of at least one class"),
    (lambda: bayes(CATEGORICAL, CATEGORICAL), "The column 'v' has two distributions."),
    (lambda: bayes(GAUSSIAN, KERNEL), "The column 'x' has two distributions."),
    (lambda: bayes(priors="even"), "No priors called 'even'"),
    (lambda: bayes(priors=(1.0,)), "Priors must be 2 numbers from 0 up."),
    (lambda: bayes(priors=(1.5, -0.5)), "Priors must be 2 numbers from 0 up."),
    (lambda: bayes(priors=(math.nan, 1.0)), "Priors must be 2 numbers from 0 up."),
    (lambda: bayes(priors=(0.5, 0.4)), "Priors must sum to 1, not 0.9."),
    (lambda: bayes(replace(CATEGORICAL, name="w")), "No column 'w'"),
    (lambda: bayes(replace(CATEGORICAL, name="x")), "is numeric; it has no counts of values"),
    (lambda: bayes(replace(CATEGORICAL, counts=((3, 1),))), "must be 2 numbers for each of 2 classes"),
    (lambda: bayes(replace(CATEGORICAL, counts=((3, 1), (0,)))), "must be 2 numbers for each of 2 classes"),
    (lambda: bayes(replace(CATEGORICAL, counts=((3, 1), (0, -1)))), "counts must be numbers from 0 up"),
    (
        lambda: bayes(replace(CATEGORICAL, counts=mistyped(((3, 1), (0, 0.5))))),
        "counts must be numbers from 0 up",
    ),
    (lambda: bayes(replace(CATEGORICAL, smoothing=-0.5)), "'laplace' or a number m ≥ 0, not -0.5"),
    (lambda: bayes(replace(CATEGORICAL, smoothing=mistyped("m"))), "'laplace' or a number m ≥ 0, not 'm'"),
    (lambda: bayes(replace(CATEGORICAL, prior=(1.0,))), "its value prior must be 2 numbers from 0 up"),
    (lambda: bayes(replace(CATEGORICAL, prior=(1.5, -0.5))), "its value prior must be 2 numbers from 0 up"),
    (lambda: bayes(replace(CATEGORICAL, prior=(0.5, 0.4))), "its value prior must sum to 1"),
    (lambda: bayes(replace(CATEGORICAL, prior=mistyped("some"))), "No prior called 'some'"),
    (lambda: bayes(replace(CUTS, name="v")), "is nominal; this distribution is of numbers"),
    (lambda: bayes(replace(CUTS, name="z")), "No column 'z'"),
    (lambda: bayes(replace(CUTS, cuts=(1.0, 1.0))), "cuts must be finite and ascending"),
    (lambda: bayes(replace(CUTS, cuts=(1.0, math.inf))), "cuts must be finite and ascending"),
    (lambda: bayes(replace(CUTS, cuts=(1.0,))), "must be 2 numbers for each of 2 classes"),
    (lambda: bayes(replace(CUTS, smoothing=True)), "'laplace' or a number m ≥ 0, not True"),
    (lambda: bayes(replace(GAUSSIAN, weights=(2,))), "there must be 2 weights, sums and squares"),
    (lambda: bayes(replace(GAUSSIAN, sums=(2,))), "there must be 2 weights, sums and squares"),
    (lambda: bayes(replace(GAUSSIAN, squares=(2, 8, 1))), "there must be 2 weights, sums and squares"),
    (lambda: bayes(replace(GAUSSIAN, floor=-1e-9)), "floor must be a number from 0 up, not -1e-09"),
    (lambda: bayes(replace(GAUSSIAN, floor=math.nan)), "floor must be a number from 0 up, not nan"),
    (lambda: bayes(replace(GAUSSIAN, weights=(2, -2))), "and squares must be numbers from 0 up"),
    (lambda: bayes(replace(GAUSSIAN, squares=(5, -8))), "and squares must be numbers from 0 up"),
    (
        lambda: bayes(replace(GAUSSIAN, sums=mistyped((3, 0.5)))),
        "and squares must be numbers from 0 up",
    ),
    # Two numbers of sum 4 have squares of at least 4²/2 = 8.
    (lambda: bayes(replace(GAUSSIAN, squares=(5, 7))), "no numbers have this weight, sum and sum of squares"),
    (lambda: bayes(replace(GAUSSIAN, weights=(2, 0), sums=(3, 0))), "no numbers have this weight"),
    (lambda: bayes(replace(KERNEL, points=((),))), "there must be points of 2 classes"),
    (lambda: bayes(replace(KERNEL, bandwidth=mistyped("wide"))), "No bandwidth called 'wide'"),
    (lambda: bayes(replace(KERNEL, floor=-1.0)), "floor must be a number from 0 up"),
    (lambda: bayes(replace(KERNEL, points=(((1.0, 0),), ()))), "and a weight above 0"),
    (lambda: bayes(replace(KERNEL, points=(((math.inf, 1),), ()))), "and a weight above 0"),
    (
        lambda: bayes(replace(KERNEL, points=mistyped((((1.0, 0.5),), ())))),
        "and a weight above 0",
    ),
    (lambda: bayes(replace(KERNEL, points=(((1.0, 1), (1.0, 1)), ()))), "values of its points must increase"),
    (lambda: bayes(replace(BAG, names=())), "A group of columns needs at least one column."),
    (lambda: bayes(replace(BAG, names=("v",))), "this distribution is of numbers"),
    (lambda: bayes(replace(BAG, event=mistyped("poisson"))), "No event called 'poisson'"),
    (lambda: bayes(replace(BAG, counts=((3, 1), (0, 1)))), "must be 1 numbers for each of 2 classes"),
    (lambda: bayes(replace(BAG, alpha=-1.0)), "alpha must be a number from 0 up"),
    (lambda: bayes(replace(BAG, event="complement", alpha=0.0)), "complement needs an alpha above 0"),
    (lambda: bayes(replace(BAG, known=((3,), (1,)))), "only bernoulli keeps the weight of known rows"),
    (lambda: bayes(replace(BERNOULLI, known=((2,),))), "must be 1 numbers for each of 2 classes"),
    (lambda: bayes(replace(BERNOULLI, known=((1,), (1,)))), "more rows hold it than are known"),
    (lambda: bayes(replace(WORDS, name="x")), "is numeric; only text has words"),
    (lambda: bayes(replace(WORDS, event=mistyped("poisson"))), "No event called 'poisson'"),
    (lambda: bayes(replace(WORDS, alpha=-1.0)), "alpha must be a number from 0 up"),
    (lambda: bayes(replace(WORDS, alpha=0.0)), "words need an alpha above 0"),
    (lambda: bayes(replace(WORDS, words=("good", "bad"))), "in ascending order, each once"),
    (lambda: bayes(replace(WORDS, words=("bad", "bad"))), "in ascending order, each once"),
    (lambda: bayes(replace(WORDS, words=mistyped(("bad", 3)))), "in ascending order, each once"),
    (lambda: bayes(replace(WORDS, known=(1,))), "must be 2 numbers for each of 1 classes"),
    (lambda: bayes(replace(WORDS, counts=((2, 0), (0,)))), "must be 2 numbers for each of 2 classes"),
    (lambda: bayes(replace(WORDS, documents=((1,), (0,)))), "must be 2 numbers for each of 2 classes"),
    (lambda: bayes(replace(WORDS, texts=(1,))), "must be 2 whole numbers, and one read"),
    (
        lambda: bayes(replace(WORDS, texts=mistyped((1, 2.0)))),
        "must be 2 whole numbers, and one read",
    ),
    (lambda: bayes(replace(WORDS, read=mistyped(3.0))), "must be 2 whole numbers, and one read"),
    (lambda: bayes(replace(WORDS, texts=(-1, 2))), "its texts must be from 0 to the 3 read"),
    (lambda: bayes(replace(WORDS, texts=(1, 4))), "its texts must be from 0 to the 3 read"),
    (lambda: bayes(replace(WORDS, known=(1, 1))), "a word is in more texts than there are"),
    (lambda: bayes(replace(WORDS, counts=((2, 0), (0, 1)))), "a word is in more texts than it occurs times"),
]
TAKEN_BAYES: list[Make] = [
    lambda: bayes(CATEGORICAL, GAUSSIAN, WORDS, classes=(4, 0)),
    lambda: bayes(CUTS, priors=(0.0, 1.0)),
    lambda: bayes(KERNEL, priors=(0.5, 0.5 + 1e-10)),
    lambda: bayes(BAG, priors="equal"),
    lambda: bayes(BERNOULLI),
    lambda: bayes(replace(BAG, alpha=0.0)),
    lambda: bayes(replace(BAG, event="complement", alpha=1e-300)),
    lambda: bayes(replace(CATEGORICAL, smoothing=0, prior=(0.0, 1.0))),
    lambda: bayes(replace(CATEGORICAL, prior="overall")),
    lambda: bayes(replace(GAUSSIAN, weights=(2, 0), sums=(3, 0), squares=(5, 0), floor=0.0)),
    lambda: bayes(replace(GAUSSIAN, sums=(-3, HALF))),
    lambda: bayes(replace(KERNEL, points=((), ()), floor=0)),
    lambda: bayes(replace(WORDS, texts=(0, 3), documents=((0, 0), (0, 2)))),
    lambda: bayes(replace(WORDS, words=(), counts=((), ()), documents=((), ()), texts=(), read=0)),
]

# Weights.

LINEAR = LinearModel(
    SCHEMA,
    ("yes",),
    "no",
    (NumberTerm("x"), ValueTerm("v", "b")),
    (0.5,),
    ((1.0, -1.0),),
    {"v": "a"},
    {"x": 2.5, "v": "a"},
)
FIT = Fit(7, 7.0, -1.0, -2.0, (-1.0,), True)


def linear(**given: Any) -> LinearModel:
    return replace(LINEAR, **given)


WEIGHTS: list[tuple[Make, str]] = [
    (lambda: linear(schema=OF_NUMBERS), "must name a target with classes"),
    (lambda: linear(contrasts=("maybe",)), "No class 'maybe'"),
    (lambda: linear(against="maybe"), "No class 'maybe'"),
    (lambda: linear(contrasts=("no",)), "needs at least two different classes, not ('no', 'no')"),
    (lambda: linear(contrasts=(), intercepts=(), weights=()), "needs at least two different classes"),
    (lambda: linear(against=None), "needs at least two different classes, not ('yes',)"),
    (lambda: linear(terms=(NumberTerm("x"), NumberTerm("x"))), "has a term twice"),
    (lambda: linear(dependent=(NumberTerm("x"),)), "has a term twice"),
    (lambda: linear(intercepts=(0.5, 0.5)), "an intercept and a row of weights for each contrast"),
    (lambda: linear(weights=()), "an intercept and a row of weights for each contrast"),
    (lambda: linear(weights=((1.0,),)), "A contrast has 2 weights, one per term, not 1."),
    (lambda: linear(terms=(NumberTerm("x"), NumberTerm("z"))), "No column 'z'"),
    (lambda: linear(terms=(NumberTerm("x"), ValueTerm("v", "c"))), "No value of v called 'c'"),
    (lambda: linear(terms=(NumberTerm("x"), ValueTerm("v", "a"))), "'v = a' is the reference of its column"),
    (lambda: linear(terms=(NumberTerm("x"), NumberTerm("v"))), "'v' is nominal; it has no term 'v'"),
    (lambda: linear(terms=(NumberTerm("x"), ValueTerm("x", "1"))), "'x' is numeric; it has no term 'x = 1'"),
    (lambda: linear(terms=(NumberTerm("x"), MissingTerm("t"))), "it has no term 't is missing'"),
    (lambda: linear(references={}), "'v = b' has nothing to be compared with: references lack 'v'"),
    (lambda: linear(fills={"v": "a"}), "fills lack 'x': the value that replaces a missing cell"),
    (lambda: linear(fills={"x": "a", "v": "a"}), "The column 'x' is numeric; it cannot be 'a'"),
    (lambda: linear(fills={"x": 1.0, "v": 2.0}), "The column 'v' is nominal; it cannot be 2.0"),
    (lambda: linear(fills={"x": 1.0, "v": "c"}), "No value of v called 'c'"),
    (lambda: linear(references={"v": "a", "z": "a"}), "No column 'z'"),
    (lambda: linear(fit=replace(FIT, errors=((1.0, 1.0),))), "errors must be 1 rows of 3"),
    (lambda: linear(fit=replace(FIT, errors=((1.0, 1.0, 1.0),) * 2)), "errors must be 1 rows of 3"),
    (
        lambda: linear(fit=replace(FIT, separation=Separation(True, ((0, 1),), ()))),
        "directions must be 1 rows of 3",
    ),
    (lambda: linear(fit=replace(FIT, covariance=(1.0,) * 5)), "the lower triangle of 3 by 3 numbers"),
]
TAKEN_WEIGHTS: list[Make] = [
    lambda: linear(fit=replace(FIT, errors=((1.0, None, 1.0),), covariance=(1.0,) * 6)),
    lambda: linear(fit=replace(FIT, separation=Separation(True, ((0, 1, -1),), ()))),
    lambda: linear(contrasts=("no", "yes"), against=None, intercepts=(0, 0), weights=((1, 2), (3, 4))),
    lambda: linear(dependent=(MissingTerm("v"), MissingTerm("x"))),
    lambda: linear(fills={"x": 1, "v": "b"}),
]

# Curves.

CURVE = Shape("x", (1.0,), ((0.5, -0.5, 0.0, 0.0),))
VALUES = Shape("v", (), ((0.1, 0.2, 0.0, 0.0),))
PAIR = PairShape(("x", "v"), ((1.0,), ()), ((0.0,) * 16,))


def additive(*shapes: Shape, pairs: tuple[PairShape, ...] = (), **given: Any) -> AdditiveModel:
    return AdditiveModel(given.pop("schema", SCHEMA), given.pop("base", (0.0,)), shapes, pairs, **given)


CURVES: list[tuple[Make, str]] = [
    (lambda: additive(schema=Schema((X,))), "must name a target"),
    (lambda: additive(link="probit"), "No link 'probit'"),
    (lambda: additive(link="identity"), "The link 'identity' is not for classes."),
    (lambda: additive(schema=OF_NUMBERS), "The link 'logistic' is not for numbers."),
    (
        lambda: additive(schema=Schema((X,), Nominal("y", ("a", "b", "c")))),
        "The link 'logistic' is for two classes, not 3.",
    ),
    (lambda: additive(base=(0.0, 0.0)), "a base value for each of its 1 scores"),
    (lambda: additive(link="softmax"), "a base value for each of its 2 scores"),
    (lambda: additive(CURVE, CURVE), "A column has two curves."),
    (lambda: additive(pairs=(PAIR, PAIR)), "A pair is of two columns, and is there once."),
    (
        lambda: additive(pairs=(PairShape(("x", "x"), ((), ()), ((0.0,) * 9,)),)),
        "A pair is of two columns, and is there once.",
    ),
    (lambda: additive(replace(CURVE, name="z")), "No column 'z'"),
    (lambda: additive(replace(CURVE, name="t", cuts=())), "'t' is text; it has no curve"),
    (lambda: additive(replace(CURVE, cuts=(1.0, 1.0))), "must be finite numbers that increase"),
    (lambda: additive(replace(CURVE, cuts=(math.inf,))), "must be finite numbers that increase"),
    (lambda: additive(replace(VALUES, cuts=(1.0,))), "The column 'v' has values, and no cuts."),
    (lambda: additive(replace(CURVE, points=((0.0,) * 3,))), "x: points must be 1 rows of 4 numbers"),
    (lambda: additive(replace(CURVE, points=())), "x: points must be 1 rows of 4 numbers"),
    (lambda: additive(replace(CURVE, points=((math.nan,) * 4,))), "x: points must be finite numbers"),
    (lambda: additive(replace(CURVE, errors=((0.0,) * 5,))), "x: errors must be 1 rows of 4 numbers"),
    (lambda: additive(replace(CURVE, errors=((-1e-9,) * 4,))), "x: errors must not be below 0"),
    (lambda: additive(replace(CURVE, rows=(1.0,) * 3)), "x: rows must be 4 weights"),
    (lambda: additive(pairs=(replace(PAIR, points=((0.0,) * 15,)),)), "x × v: points must be 1 rows of 16"),
    (lambda: additive(CURVE)["v"], "No column 'v'"),
]
TAKEN_CURVES: list[Make] = [
    lambda: additive(replace(CURVE, errors=((0.0,) * 4,), rows=(1.0,) * 4), VALUES, pairs=(PAIR,)),
    lambda: additive(Shape("x", (), ((0.0,) * 3,) * 2), base=(0.0, 1.0), link="softmax"),
    lambda: additive(CURVE, schema=OF_NUMBERS, link="exp"),
    lambda: additive(CURVE, schema=OF_NUMBERS, link="identity"),
]


# Rules.


def rules(*listed: Any, schema: Schema = SCHEMA, otherwise: Any = "no", **given: Any) -> RuleList:
    return RuleList(schema, listed, Otherwise(otherwise, given.pop("counts", ())), **given)


RED = Rule((Equals("v", "a"),), "yes")

RULES: list[tuple[Make, str]] = [
    (lambda: rules(matching="all"), "No matching called 'all'"),
    (
        lambda: rules(schema=OF_NUMBERS, otherwise=1.0, matching="vote"),
        "for a number the first rule that holds decides",
    ),
    (lambda: rules(Rule(mistyped([]), "yes")), "Rule 1: a rule is Rule((condition, …), prediction)"),
    (lambda: rules(RED, "v = a"), "Rule 2: a rule is Rule((condition, …), prediction)"),
    (lambda: rules(RED, Rule((), None), matching="vote"), "Rule 2: a rule that refers its rows has no class"),
    (lambda: rules(Rule((), "maybe")), "Rule 1: No class 'maybe'"),
    (lambda: rules(otherwise="maybe"), "Otherwise: No class 'maybe'"),
    (lambda: rules(counts=(1.0,)), "Otherwise: counts must be 2 numbers, not 1."),
    (lambda: rules(Rule((), "no", (1.0, -1.0))), "weights not below 0: (1.0, -1.0)"),
    (lambda: rules(Rule((), "no", (1.0, math.inf))), "counts must be finite numbers"),
    (lambda: rules(schema=OF_NUMBERS, otherwise="a"), "Otherwise: 'price' is a finite number, not 'a'"),
    (lambda: rules(schema=OF_NUMBERS, otherwise=True), "'price' is a finite number, not True"),
    (lambda: rules(schema=OF_NUMBERS, otherwise=math.nan), "'price' is a finite number, not nan"),
    (
        lambda: rules(schema=OF_NUMBERS, otherwise=1.0, counts=(-1.0, 1.0, 0.0)),
        "weights not below 0: (-1.0, 1.0, 0.0)",
    ),
    (lambda: rules(schema=OF_NUMBERS, otherwise=1.0, counts=(1.0, 1.0)), "counts must be 3 numbers, not 2"),
    (lambda: rules(schema=Schema((X,))), "The schema of a rule list must name its target."),
    (lambda: rules(Rule((AtMost("z", 1.0),), "no")), "Rule 1: No column 'z'"),
    (lambda: rules(Rule((Equals("y", "no"),), "no")), "'y' is the target; a condition cannot test it"),
    (lambda: rules(Rule((Equals("v", "c"),), "no")), "Rule 1: No value of v called 'c'"),
    (lambda: rules(Rule((OneOf("v", ("a", "c")),), "no")), "Rule 1: No value of v called 'c'"),
    (lambda: rules(Rule((AtMost("x", math.nan),), "no")), "a limit of 'x' is no number (NaN)"),
    (lambda: rules(Rule((AtMost("v", 1.0),), "no")), "the column 'v' is nominal; it cannot have 'v ≤ 1'"),
    (lambda: rules(Rule((Equals("x", "1"),), "no")), "the column 'x' is numeric; it cannot have 'x = 1'"),
    (lambda: rules(Rule((IsMissing("t"),), "no")), "the column 't' is text; it cannot have"),
]
TAKEN_RULES: list[Make] = [
    lambda: rules(RED, Rule((IsMissing("x"), IsMissing("v"), IsMissing("size")), None, (0.0, 0.0))),
    lambda: rules(RED, matching="vote", otherwise=None),
    lambda: rules(schema=OF_NUMBERS, otherwise=-1, counts=(0.0, -1.0, 0.0)),
]

# Trees, and many of them.


def stump(schema: Schema = SCHEMA, cut: float = 1.0, counts: tuple[float, ...] = (3.0, 1.0)) -> Tree:
    half = tuple(each / 2 for each in counts)
    branches = Branch(AtMost("x", cut), 0.5, Leaf(half)), Branch(Above("x", cut), 0.5, Leaf(half))
    return tree_of(schema, Split(counts, {}, branches))


def split_by(*conditions: Condition) -> Tree:
    branches = tuple(Branch(each, 1 / len(conditions), Leaf((1.0, 1.0))) for each in conditions)
    return tree_of(SCHEMA, Split((float(len(conditions)),) * 2, {}, branches))


BY_VALUE = split_by(Equals("v", "a"), Equals("v", "b"))
TREES = joined_trees([stump().nodes, BY_VALUE.nodes], "shares")
STEPS = joined_trees([stump(OF_NUMBERS, counts=(2.0, 1.0, 0.0)).nodes] * 2, "step")


def ensemble(schema: Schema = SCHEMA, trees: Trees | None = TREES, **given: Any) -> Ensemble:
    return Ensemble(schema, trees, **given)


def trees(**given: Any) -> Trees:
    return replace(TREES, **given)


ENSEMBLES: list[tuple[Make, str]] = [
    (lambda: ensemble(Schema((X, V))), "An ensemble's schema must name a target."),
    (lambda: ensemble(combined_by="median"), "No way to combine called 'median'"),
    (lambda: ensemble(models=(stump(),)), "has trees, or models of other kinds: one of the two"),
    (lambda: ensemble(trees=None), "has trees, or models of other kinds: one of the two"),
    (lambda: ensemble(weights=(1.0,)), "a weight for each of its 2 members, or none"),
    (lambda: ensemble(weights=(1.0, math.inf)), "The weights of members must have a finite sum."),
    (lambda: ensemble(weights=(1e308, 1e308)), "The weights of members must have a finite sum."),
    (lambda: ensemble(weights=(1.0, -1e-9)), "Members weigh 0 or more, and not all of them 0."),
    (lambda: ensemble(weights=(0.0, 0.0)), "Members weigh 0 or more, and not all of them 0."),
    (lambda: ensemble(base=(0.0,)), "Only a sum has base values."),
    (lambda: ensemble(OF_NUMBERS, STEPS, combined_by="votes"), "Votes are for classes"),
    (lambda: ensemble(combined_by="sum", base=(0.0,), link="logistic"), "trees whose leaves are steps"),
    (
        lambda: ensemble(trees=None, models=(stump(),), combined_by="sum", base=(0.0,), link="logistic"),
        "trees whose leaves are steps",
    ),
    (lambda: ensemble(trees=STEPS, combined_by="sum", link="logistic"), "a base value for each of its 1"),
    (
        lambda: ensemble(
            trees=replace(STEPS, adds_to=np.array([0, 1])), combined_by="sum", base=(0.0,), link="logistic"
        ),
        "a base value for each of its 1 scores, and no tree another",
    ),
    (lambda: ensemble(trees=STEPS, combined_by="sum", base=(0.0,)), "'identity' is not for classes"),
    (lambda: ensemble(quantile=0.5), "A quantile lies between 0 and 1"),
    (
        lambda: ensemble(OF_NUMBERS, STEPS, combined_by="sum", base=(0.0,), quantile=1.0),
        "A quantile lies between 0 and 1",
    ),
    (
        lambda: ensemble(OF_NUMBERS, STEPS, combined_by="sum", base=(0.0,), quantile=0.0),
        "A quantile lies between 0 and 1",
    ),
    (
        lambda: ensemble(OF_NUMBERS, STEPS, combined_by="sum", base=(0.0,), link="exp", quantile=0.5),
        "is predicted by a sum of numbers",
    ),
    (lambda: ensemble(trees=None, models=(rules(schema=Schema((X,), NO_YES)),)), "share its schema"),
    (lambda: trees(start=np.array([0])), "Trees begin at 0"),
    (lambda: trees(start=np.array([1, 3, 6])), "Trees begin at 0"),
    (lambda: trees(start=np.array([0, 3, 5])), "the last ends with the nodes"),
    (lambda: trees(start=np.array([0, 3, 3, 6]), adds_to=np.zeros(3)), "each has at least one node"),
    (lambda: trees(adds_to=np.zeros(1)), "Each tree adds to one score, counted from 0."),
    (lambda: trees(adds_to=np.array([0, -1])), "Each tree adds to one score, counted from 0."),
    (lambda: trees(start=np.array([0, 2, 6])), "Each tree has one root, and it is its first node."),
    (lambda: LearningCurve("error", "training rows", ()), "at least one"),
    (lambda: LearningCurve("error", "training rows", (math.nan,)), "a finite number for each member"),
    (lambda: LearningCurve("error", "training rows", (0.5,), 2), "of 1 members cannot have kept 2"),
    (lambda: LearningCurve("error", "training rows", (0.5,), -1), "of 1 members cannot have kept -1"),
    (lambda: split_by(AtMost("v", 1.0), Above("v", 1.0)), "'v ≤ 1' asks for a number"),
    (lambda: split_by(AtMost("z", 1.0), Above("z", 1.0)), "No column 'z'"),
    (lambda: split_by(Equals("x", "1"), Above("x", 1.0)), "only a nominal or ordinal one has values to name"),
    (lambda: split_by(Equals("v", "a"), Equals("v", "c")), "No value of 'v' called 'c'"),
    (
        lambda: tree_of(
            SCHEMA,
            Split(
                (1.0, 1.0),
                {},
                (Branch(Equals("v", "a"), 0.5, Leaf((1.0,))), Branch(Equals("v", "b"), 0.5, Leaf((1.0,)))),
            ),
        ),
        "must count the same 2 classes as its root",
    ),
]
TAKEN_ENSEMBLES: list[Make] = [
    lambda: ensemble(weights=(0.0, 1e-9)),
    lambda: ensemble(combined_by="votes"),
    lambda: ensemble(trees=None, models=(stump(), rules())),
    lambda: ensemble(trees=STEPS, combined_by="sum", base=(0.0,), link="logistic", weights=(-1.0, 0.0)),
    lambda: ensemble(
        trees=replace(STEPS, adds_to=np.array([0, 1])), combined_by="sum", base=(0.0, 1.0), link="softmax"
    ),
    lambda: ensemble(OF_NUMBERS, STEPS, combined_by="sum", base=(0.0,), quantile=0.5),
    lambda: LearningCurve("error", "training rows", (0.5, 0.25), 0),
    lambda: LearningCurve("error", "training rows", (0.5, 0.25), 2),
    lambda: split_by(IsMissing("v"), OneOf("v", ("a", "b"))),
    lambda: split_by(IsMissing("x"), AtMost("x", math.inf)),
]

# Decisions, and other parts.

COSTS = ((0.0, 1.0), (2.0, 0.0))
CALIBRATION = Isotonic(((0.2, 0.4), (0.5,)), ((0.0, 1.0), (0.5,)))


def decision(width: int = 2, **given: Any) -> None:
    check_decision(Decision(**given), ("no", "yes", "maybe")[:width])


DECISIONS: list[tuple[Make, str]] = [
    (lambda: decision(factors=(1.0,)), "factors must be one number per class (2), or none, not (1.0,)"),
    (lambda: decision(factors=(1.0, -1e-9)), "factors must be finite numbers ≥ 0"),
    (lambda: decision(factors=(1.0, math.nan)), "factors must be finite numbers ≥ 0"),
    (lambda: decision(factors=(1.0, True)), "factors must be finite numbers ≥ 0"),
    (lambda: decision(costs=((0.0, 1.0),)), "costs must be a table of 2 by 2 numbers, or empty"),
    (lambda: decision(costs=((0.0, 1.0), (1.0,))), "costs must be a table of 2 by 2 numbers, or empty"),
    (lambda: decision(costs=((0.0, 1.0), (-1.0, 0.0))), "costs[1] must be finite numbers ≥ 0"),
    (lambda: decision(costs=((0.0, LARGEST_COST * 1.01), (1.0, 0.0))), "costs[0] must be at most 1e"),
    (lambda: decision(cutoff=Cutoff("maybe", 0.5)), "cutoff.positive: No class 'maybe'"),
    (lambda: decision(cutoff=Cutoff("yes", 1.01)), "cutoff.at must be a probability from 0 to 1, not 1.01"),
    (lambda: decision(cutoff=Cutoff("yes", -0.01)), "cutoff.at must be a probability from 0 to 1"),
    (lambda: decision(cutoff=Cutoff("yes", 0.5, ((0.0,),))), "cutoff.costs must be a table of 2 by 2"),
    (lambda: decision(cutoff=Cutoff("yes", 0.5), costs=COSTS), "costs and a cutoff both choose the class"),
    (lambda: decision(refer=1.5), "refer must be a probability from 0 to 1, for a target of classes"),
    (lambda: decision(0, refer=0.5), "refer must be a probability from 0 to 1, for a target of classes"),
    (lambda: decision(prevalence=(0.5, 0.5)), "prevalence and trained_at go together"),
    (lambda: decision(trained_at=(0.5, 0.5)), "prevalence and trained_at go together"),
    (
        lambda: decision(prevalence=(1.0,), trained_at=(0.5, 0.5)),
        "prevalence must be 2 probabilities that sum to 1, not (1.0,)",
    ),
    (lambda: decision(prevalence=(0.5, 0.49), trained_at=(0.5, 0.5)), "prevalence must be 2 probabilities"),
    (lambda: decision(prevalence=(0.5, 0.5), trained_at=(1.5, -0.5)), "trained_at must be 2 probabilities"),
    (
        lambda: decision(prevalence=(0.5, 0.5), trained_at=(1.0, 0.0)),
        "a class that no training row had cannot be given a probability",
    ),
    (lambda: decision(calibration=Platt((1.0, 1.0), (0.0, 0.0), 0.0)), "above 0 and below 0.5, not 0.0"),
    (lambda: decision(calibration=Platt((1.0, 1.0), (0.0,))), "calibration.intercepts must be 2 numbers"),
    (lambda: decision(0, calibration=Platt((), ())), "calibration.slopes must be 0 numbers"),
    (lambda: decision(0, calibration=Isotonic((), ())), "calibration must have steps of 0 classes, not 0"),
    (lambda: decision(calibration=replace(CALIBRATION, share=((0.0, 1.0), ()))), "at least one, not (0.5,)"),
    (lambda: decision(calibration=replace(CALIBRATION, at=((0.2, 0.4), ()))), "at least one, not ()"),
    (lambda: decision(calibration=replace(CALIBRATION, at=((0.2, 1.4), (0.5,)))), "must increase, from 0"),
    (lambda: decision(calibration=replace(CALIBRATION, at=((0.2, 0.2), (0.5,)))), "must increase, from 0"),
    (lambda: decision(factors=(1.0,) * 12), f"not {(1.0,) * 12}."),  # 60 characters
    (lambda: decision(factors=(1.0,) * 13), f"not {str((1.0,) * 13)[:57]}…."),
    (lambda: check_smoothing(-0.5), "None, 'laplace' or a number m ≥ 0, not -0.5"),
    (lambda: check_smoothing(math.inf), "None, 'laplace' or a number m ≥ 0, not inf"),
    (lambda: check_smoothing("m"), "None, 'laplace' or a number m ≥ 0, not 'm'"),
    (lambda: check_smoothing(True), "None, 'laplace' or a number m ≥ 0, not True"),
    (
        lambda: check_smoothing("laplace", Origin("CART", {"monotone": {"x": "up"}})),
        "The model keeps to directions (monotone)",
    ),
    (lambda: check_answers(mistyped("mode"), SCHEMA), "No meaning of predictions called 'mode'"),
    (lambda: check_answers("median", SCHEMA), "Leaves of classes hold probabilities, not a median."),
]
TAKEN_DECISIONS: list[Make] = [
    lambda: decision(factors=(0.0, 1), costs=((0.0, LARGEST_COST), (1, 0.0)), refer=1.0),
    lambda: decision(cutoff=Cutoff("yes", 0.0, COSTS), refer=0.0),
    lambda: decision(cutoff=Cutoff("yes", 1)),
    lambda: decision(prevalence=(1.0, 0.0), trained_at=(1.0, 0.0)),
    lambda: decision(prevalence=(0.5, 0.5 + 5e-10), trained_at=(0.3, 0.7)),
    lambda: decision(calibration=Isotonic(((0.0, 1.0), (0.5,)), ((0.5, 0.5), (1.0,)))),
    lambda: decision(calibration=Platt((1.0, -1.0), (0.0, 9.0), 0.4999)),
    lambda: decision(0),
    lambda: check_smoothing(0.0),
    lambda: check_smoothing(None, Origin("CART", {"monotone": {"x": "up"}})),
    lambda: check_smoothing(0, Origin("CART", {"monotone": {"x": "up"}})),
    lambda: check_smoothing("laplace", Origin("CART")),
    lambda: check_answers("median", OF_NUMBERS),
    lambda: check_answers("step", SCHEMA),
]

NUMBERS = NumbersProfile(1.0, 0.5, tuple(map(float, range(21))), 9.0)


def profile(**columns: Any) -> None:
    check_profile(Profile(9, 9.0, columns), SCHEMA)


PROFILES: list[tuple[Make, str]] = [
    (lambda: profile(z=NUMBERS), "profile.columns.z: the schema has no such column"),
    (lambda: profile(v=ValuesProfile((1.0,))), "profile.columns.v.counts must be 2 numbers, not 1."),
    (lambda: profile(y=ValuesProfile((1.0,))), "profile.columns.y.counts must be 2 numbers, not 1."),
    (lambda: profile(v=NUMBERS), "profile.columns.v is not a profile of this kind of column"),
    (lambda: profile(t=NUMBERS), "profile.columns.t is not a profile of this kind of column"),
    (lambda: profile(x=replace(NUMBERS, quantiles=(1.0,) * 20)), "x.quantiles must be 21 ascending numbers"),
    (
        lambda: profile(x=replace(NUMBERS, quantiles=NUMBERS.quantiles[::-1])),
        "x.quantiles must be 21 ascending numbers",
    ),
]
TAKEN_PROFILES: list[Make] = [
    lambda: profile(x=NUMBERS, v=ValuesProfile((1.0, 2.0)), y=ValuesProfile((0.0, 0.0)), t=TextProfile(1, 2)),
    lambda: profile(x=replace(NUMBERS, quantiles=())),
    lambda: profile(x=replace(NUMBERS, quantiles=(1.0,) * 21), size=ValuesProfile((1.0, 1.0, 1.0))),
]

REFUSED = [*BAYES, *WEIGHTS, *CURVES, *RULES, *ENSEMBLES, *DECISIONS, *PROFILES]
TAKEN = [
    *TAKEN_BAYES, *TAKEN_WEIGHTS, *TAKEN_CURVES, *TAKEN_RULES, *TAKEN_ENSEMBLES, *TAKEN_DECISIONS,
    *TAKEN_PROFILES,
]  # fmt: skip


@pytest.mark.parametrize(("make", "sentence"), REFUSED, ids=[sentence for _, sentence in REFUSED])
def test_what_no_model_may_hold_is_refused(make: Make, sentence: str) -> None:
    refused(make, sentence)


@pytest.mark.parametrize("make", TAKEN, ids=range(len(TAKEN)))
def test_what_only_just_may_be_is_taken(make: Make) -> None:
    make()


def test_a_distribution_is_found_by_its_column() -> None:
    model = bayes(CATEGORICAL, GAUSSIAN)
    assert (model["v"], model["x"]) == (CATEGORICAL, GAUSSIAN)
    assert model.columns == ("v", "x")
    with pytest.raises(ColumnError, match="No column 't'"):
        model["t"]


def test_nothing_that_is_no_model_has_a_kind() -> None:
    with pytest.raises(TypeError, match="A int is no model; models are: tree, rules, bayes"):
        kind_of(mistyped(3))
