"""Exports to PMML: JPMML-Evaluator gives every row what the model does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting import RUNNERS
from clearwood.exporting.running.runner import NotRun
from clearwood.models.model import Model
from tests import trees
from tests.exporting.models_to_export import learners, made_table, rows_of
from tests.exporting.test_onnx import large_table, oddly_named, oddly_named_table
from tests.exporting.test_program import DECISIONS, ROWS
from tests.rules_of_every_kind import rule_lists
from tests.rules_of_every_kind import tables as tables_for_rules

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
SPACE = "{http://www.dmg.org/PMML-4_4}"
EVERYDAY = ("cart in full",)  # Java takes two seconds for each
KINDS = ("c45", "cart", "cn2", "cn2 votes", "bayes", "logistic", "forest")


def check(model: Model, rows: object, *, most: int = 1) -> None:
    proof = cw.prove(cw.export(model, "pmml"), rows, most=most)
    if proof.status == "not run":
        pytest.skip(proof.because)
    assert proof.status == "passed", proof.different[:3]


def names() -> Iterator[object]:
    for name in learners():
        yield pytest.param(name, marks=[] if name in EVERYDAY else pytest.mark.prove)


@pytest.mark.parametrize("name", list(names()))
def test_every_kind_of_model_answers_alike_in_jpmml(name: str) -> None:
    check(learners()[name].learn(made_table()), ROWS, most=500)


def test_columns_and_values_may_be_called_anything() -> None:
    check(*oddly_named(cw.ID3()), most=300)


@pytest.mark.prove
@pytest.mark.parametrize(
    "learner",
    [
        cw.CART(),
        cw.NaiveBayes(),
        cw.CN2(),
        cw.Logistic(penalty="l2"),
        cw.Forest(trees=3, seed=1),
        cw.GAM(bags=2),
    ],
    ids=lambda each: type(each).__name__,
)
def test_columns_and_values_may_be_called_anything_in_other_models(learner: cw.CART) -> None:
    table, rows = oddly_named_table()
    check(learner.learn(table), rows, most=2000)


@pytest.mark.prove
@pytest.mark.parametrize("decision", list(DECISIONS))
@pytest.mark.parametrize("name", KINDS)
def test_a_decision_goes_along(name: str, decision: str) -> None:
    model = learners()[name].learn(made_table())
    check(replace(model, decision=DECISIONS[decision]), ROWS, most=200)


@pytest.mark.prove
@pytest.mark.parametrize(
    "learner",
    [
        cw.CART(),
        cw.CART(measure="absolute"),
        cw.Forest(trees=4, seed=1),
        cw.Boosting(trees=5),
        cw.GAM(bags=3),
    ],
    ids=lambda each: type(each).__name__,
)
def test_numbers_are_answered_as_well(learner: cw.CART) -> None:
    check(learner.learn(made_table(numeric=True)), ROWS, most=300)


@pytest.mark.prove
@given(st.data())
@settings(max_examples=40, deadline=None)
def test_any_tree(data: st.DataObject) -> None:
    tree = data.draw(trees.trees())
    check(tree, rows_of(data.draw(trees.tables(tree.schema, rows=12))) or None, most=200)


@pytest.mark.prove
@given(rule_lists(), st.data())
@settings(max_examples=40, deadline=None)
def test_any_rules(rules: cw.RuleList, data: st.DataObject) -> None:
    check(rules, rows_of(data.draw(tables_for_rules(max_rows=12))) or None, most=200)


@pytest.mark.prove
def test_large_models() -> None:
    check(cw.CART(alpha=0.0, min_leaf=1).learn(large_table(12000)), None, most=300)
    check(cw.Forest(trees=100, seed=1, max_depth=6).learn(large_table(800)), None, most=100)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("cart", "TreeModel."),
        ("cart in full", "TreeModel."),  # with surrogates
        ("ripper", "TreeModel."),
        ("c45", "derived fields"),  # rows are divided among leaves
        ("bayes", "derived fields"),
    ],
)
def test_pmmls_own_trees_are_used_where_they_say_the_same(name: str, kind: str) -> None:
    exported = cw.export(learners()[name].learn(made_table()), "pmml")
    assert kind in exported.notes[0]
    assert (ElementTree.fromstring(exported.text).find(f".//{SPACE}DerivedField") is None) == ("Tree" in kind)


def test_a_leaf_that_is_referred_has_no_score() -> None:
    model = replace(learners()["cart"].learn(made_table()), decision=DECISIONS["refer"])
    exported = cw.export(model, "pmml")
    assert "derived fields" in exported.notes[0]
    assert 'noTrueChildStrategy="returnNullPrediction"' in exported.text


def test_the_dictionary_has_the_columns_their_values_and_doubles_without_loss() -> None:
    rows = [{"x": 0.1 + 0.2 + at / 1e17, "c": "<&>\n"[at % 4], "y": "pq"[at % 2]} for at in range(24)]
    schema = cw.Schema((cw.Numeric("x"), cw.Nominal("c", ("<", "&", ">", "\n"))), cw.Nominal("y", ("p", "q")))
    exported = cw.export(cw.CART(min_leaf=1, alpha=0.0).learn(cw.encode(rows, schema)), "pmml")
    root = ElementTree.fromstring(exported.text)
    assert root.get("version") == "4.4"
    fields = {each.get("name"): each for each in root.iter(f"{SPACE}DataField")}
    assert [each.get("value") for each in fields["c"]] == ["<", "&", ">", "\n"]
    assert [each.get("value") for each in fields["y"]] == ["p", "q"]


def test_a_text_that_xml_cannot_hold_is_refused() -> None:
    schema = cw.Schema((cw.Nominal("c", ("a\x01", "b")),), cw.Nominal("y", ("p", "q")))
    rows = [{"c": ("a\x01", "b")[at % 2], "y": "pq"[at % 2]} for at in range(8)]
    with pytest.raises(SettingError, match="XML cannot hold"):
        cw.export(cw.ID3().learn(cw.encode(rows, schema)), "pmml")


def test_without_jpmml_nothing_is_said_to_have_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    exported = cw.export(learners()["cart"].learn(made_table()), "pmml")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert isinstance(RUNNERS["jpmml"].run(exported, ROWS), NotRun)
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert isinstance(RUNNERS["jpmml"].run(exported, ROWS), NotRun)


def test_names_that_pmml_cannot_have_are_refused_with_a_sentence() -> None:
    def tree(column: str, target: str) -> cw.Tree:
        rows = [{column: "ab"[x % 2], target: "yn"[x % 2]} for x in range(20)]
        schema = cw.Schema((cw.Nominal(column, ("a", "b")),), cw.Nominal(target, ("y", "n")))
        return cw.ID3().learn(cw.encode(rows, schema))

    with pytest.raises(SettingError, match="without a name"):
        cw.export(tree("", "t"), "pmml")
    for format in ("pmml", "dmn"):
        with pytest.raises(SettingError, match="XML cannot hold"):
            cw.export(tree("a", "t\0"), format)
    assert 'name="answer"' in cw.export(tree("a", ""), "pmml").text
