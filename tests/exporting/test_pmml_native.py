"""PMML in elements of the model's own kind: what they are, and that JPMML answers as the model does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from xml.etree import ElementTree

import pytest

import clearwood as cw
from clearwood.models.decision import Cutoff, Decision, Platt
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, NumberTerm, ValueTerm
from clearwood.models.model import Model
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.exporting.models_to_export import SCHEMA, learners, made_rows, made_table
from tests.exporting.test_pmml import SPACE, check
from tests.exporting.test_program import DECISIONS, ROWS

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
COSTS = {("yes", "no"): 3.0, ("no", "yes"): 1.5}
ONE_NUMBER = Schema((Numeric("x"),), Nominal("c", ("a", "b", "z")))


def two_classes() -> Table:
    rows = []
    for place, row in enumerate(made_rows(240, 3)):
        score = float(row["age"] or 40) / 15 + Random(place).gauss(0, 1)
        rows.append({**row, "class": "p" if score > 2.7 else "n"})
    return cw.encode(rows, Schema(SCHEMA.attributes, Nominal("class", ("n", "p"))))


def counts() -> Table:
    rows = [{**row, "class": float(max(0, round(float(row["age"] or 40) / 10)))} for row in made_rows(200, 5)]
    return cw.encode(rows, Schema(SCHEMA.attributes, Numeric("class")))


def linear(contrasts: tuple[str, ...], against: str | None, *terms: NumberTerm | MissingTerm) -> LinearModel:
    weights = tuple(
        tuple((place + 1) / (at + 3) for at in range(len(terms))) for place in range(len(contrasts))
    )
    intercepts = tuple(0.2 * place - 0.3 for place in range(len(contrasts)))
    return LinearModel(ONE_NUMBER, contrasts, against, terms, intercepts, weights, fills={"x": 2.0})


def filled() -> LinearModel:
    return cw.Logistic(missing="fill", penalty="l2").learn(made_table())


def forest(numeric: bool = False) -> cw.Ensemble:
    return cw.Forest(trees=4, seed=1, max_depth=3).learn(made_table(numeric=numeric))


CHAIN = "a chain of "
VARIANTS: dict[str, tuple[str, Callable[[], Model]]] = {
    "logistic, filled": ("a RegressionModel.", filled),
    "logistic without averages": ("a RegressionModel.", lambda: replace(filled(), averages={})),
    "logistic of two classes": ("a RegressionModel.", lambda: cw.Logistic(penalty="l2").learn(two_classes())),
    "sparse logistic": (
        "a RegressionModel.",
        lambda: cw.Logistic(penalty="l1", strength=20).learn(made_table()),
    ),
    "logistic with priors": (
        "a RegressionModel.",
        lambda: cw.Logistic(penalty="l2", priors="equal").learn(made_table()),
    ),
    "logistic with costs": (
        CHAIN + "RegressionModel, TreeModel",
        lambda: cw.Logistic(penalty="l2", costs=COSTS).learn(made_table()),
    ),
    "calibrated small shares": (
        CHAIN + "RegressionModel, TreeModel",
        lambda: replace(
            cw.Logistic(penalty="l2").learn(two_classes()),
            decision=Decision(calibration=Platt((0.1, 0.1), (0.0, 0.0)), cutoff=Cutoff("p", 0.4)),
        ),
    ),
    "a class without log-odds": ("derived fields", lambda: linear(("b",), "a", NumberTerm("x"))),
    "weights of every class": (
        "a RegressionModel.",
        lambda: linear(("b", "z", "a"), None, NumberTerm("x"), MissingTerm("x")),
    ),
    "intercepts alone": ("a RegressionModel.", lambda: linear(("b", "z"), "a")),
    "boosting of two classes": (
        CHAIN + "MiningModel, RegressionModel.",
        lambda: cw.Boosting(trees=5).learn(two_classes()),
    ),
    "boosting with priors": (
        CHAIN + "MiningModel, RegressionModel, TreeModel.",
        lambda: cw.Boosting(trees=5, priors="equal").learn(two_classes()),
    ),
    "boosting with costs": (
        "RegressionModel, TreeModel.",
        lambda: cw.Boosting(trees=5, costs=COSTS).learn(made_table()),
    ),
    "boosting of numbers": ("a MiningModel.", lambda: cw.Boosting(trees=5).learn(made_table(numeric=True))),
    "boosting of a quantile": (
        "a MiningModel.",
        lambda: cw.Boosting(trees=5, loss="quantile", quantile=0.8).learn(made_table(numeric=True)),
    ),
    "boosting of counts": (
        CHAIN + "MiningModel, RegressionModel.",
        lambda: cw.Boosting(trees=5, loss="poisson").learn(counts()),
    ),
    "boosting without a split": ("derived", lambda: cw.Boosting(trees=2, gamma=1e9).learn(made_table())),
    "forest of numbers": ("a MiningModel.", lambda: forest(numeric=True)),
    "weighted forest": ("a MiningModel.", lambda: replace(forest(), weights=(1.0, 0.5, 0.0, 3.0))),
    "weighted forest of numbers": (
        "a MiningModel.",
        lambda: replace(forest(numeric=True), weights=(1.0, 0.5, 0.0, 3.0)),
    ),
    "forest with priors": (
        "a MiningModel.",
        lambda: cw.Forest(trees=4, seed=1, max_depth=3, priors="equal").learn(made_table()),
    ),
    "forest with trees of one leaf": (
        "a MiningModel.",
        lambda: cw.Forest(trees=6, seed=1, min_leaf=60.0, columns=1).learn(made_table()),
    ),
    "bagging with surrogates": (
        "a MiningModel.",
        lambda: cw.Bagging(trees=3, seed=1, of=cw.CART(alpha=0.0, surrogates=3)).learn(made_table()),
    ),
    "bagging of divided rows": ("derived", lambda: learners()["bagging"].learn(made_table())),
    "curves of two classes": ("a RegressionModel.", lambda: cw.GAM(bags=3, pairs=2).learn(two_classes())),
    "curves of a number": (
        "a RegressionModel.",
        lambda: cw.GAM(bags=3, pairs=2).learn(made_table(numeric=True)),
    ),
    "curves with priors": (
        CHAIN + "RegressionModel, TreeModel",
        lambda: cw.GAM(bags=3, pairs=1, priors="equal").learn(made_table()),
    ),
}


@pytest.mark.prove
@pytest.mark.parametrize("name", list(VARIANTS))
def test_every_native_form_answers_alike_in_jpmml(name: str) -> None:
    written_as, made = VARIANTS[name]
    model = made()
    assert written_as in cw.export(model, "pmml").notes[0]
    check(model, ROWS if model.schema.inputs == SCHEMA.inputs else None, most=300)


@pytest.mark.prove
@pytest.mark.parametrize("decision", list(DECISIONS))
@pytest.mark.parametrize("name", ["forest by votes", "adaboost", "boosting", "gam"])
def test_a_decision_stands_behind_native_shares(name: str, decision: str) -> None:
    model = learners()[name].learn(made_table())
    check(replace(model, decision=DECISIONS[decision]), ROWS, most=200)


def test_a_chain_of_a_native_model_and_its_decision_answers_alike() -> None:
    model = replace(
        linear(("b", "z"), "a", NumberTerm("x")), decision=Decision(cutoff=Cutoff("z", 0.4), refer=0.45)
    )
    check(model, None, most=60)


def written(model: Model) -> ElementTree.Element:
    return ElementTree.fromstring(cw.export(model, "pmml").text)


def test_a_linear_model_is_a_regression_with_its_own_weights() -> None:
    schema = Schema((Numeric("x"), Nominal("c", ("r", "s"))), Nominal("y", ("no", "yes")))
    model = LinearModel(
        schema,
        ("yes",),
        "no",
        (NumberTerm("x"), ValueTerm("c", "s"), MissingTerm("c")),
        (-4.0,),
        ((1.5, 0.25, -0.5),),
        references={"c": "r"},
        fills={"x": 3.0, "c": "r"},
    )
    regression = written(model).find(f"{SPACE}RegressionModel")
    assert regression is not None
    assert regression.get("normalizationMethod") == "softmax"
    reference, table = regression.findall(f"{SPACE}RegressionTable")
    assert (reference.get("targetCategory"), reference.get("intercept"), len(reference)) == ("no", "0.0", 0)
    assert (table.get("targetCategory"), table.get("intercept")) == ("yes", "-4.0")
    assert [(each.get("name"), each.get("value"), each.get("coefficient")) for each in table] == [
        ("x", None, "1.5"),
        ("c is missing", None, "-0.5"),
        ("c", "s", "0.25"),
    ]
    fills = {each.get("name"): each.get("missingValueReplacement") for each in regression[0]}
    assert fills == {"x": "3.0", "c": None, "y": None}


def test_a_forest_is_the_average_of_its_trees() -> None:
    mining = written(forest()).find(f"{SPACE}MiningModel")
    assert mining is not None
    segmentation = mining.find(f"{SPACE}Segmentation")
    assert segmentation is not None
    assert segmentation.get("multipleModelMethod") == "average"
    assert [each[1].tag for each in segmentation] == [f"{SPACE}TreeModel"] * 4
    assert mining.find(f".//{SPACE}DerivedField") is None


def test_votes_have_weights_and_ties_are_decided_behind_them() -> None:
    chain = written(learners()["adaboost"].learn(made_table())).find(
        f"{SPACE}MiningModel/{SPACE}Segmentation"
    )
    assert chain is not None
    assert chain.get("multipleModelMethod") == "modelChain"
    votes = chain[0][1].find(f"{SPACE}Segmentation")
    assert votes is not None
    assert votes.get("multipleModelMethod") == "weightedMajorityVote"
    assert all(each.get("weight") for each in votes)
    assert {each.get("isFinalResult") for each in chain[0].iter(f"{SPACE}OutputField")} == {"false"}


def test_boosting_is_sums_of_trees_and_a_link() -> None:
    model = cw.Boosting(trees=2, max_depth=2).learn(made_table())
    chain = written(model).find(f"{SPACE}MiningModel/{SPACE}Segmentation")
    assert chain is not None
    *sums, link = [each[1] for each in chain]
    methods = [each.find(f"{SPACE}Segmentation") for each in sums]
    assert [each.get("multipleModelMethod") for each in methods if each is not None] == ["sum"] * 3
    tables = link.findall(f"{SPACE}RegressionTable")
    assert [float(each.get("intercept", "")) for each in tables] == list(model.base)


def test_curves_are_fields_that_a_regression_adds() -> None:
    regression = written(cw.GAM(bags=1, pairs=0, rounds=5).learn(two_classes())).find(
        f"{SPACE}RegressionModel"
    )
    assert regression is not None
    table = regression.findall(f"{SPACE}RegressionTable")[1]
    names = [each.get("name") for each in table]
    assert "points of age" in names
    assert {each.get("coefficient") for each in table} == {"1.0"}
    derived = {each.get("name") for each in regression.iter(f"{SPACE}DerivedField")}
    assert set(names) <= derived
