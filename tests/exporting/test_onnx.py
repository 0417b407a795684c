"""Exports to ONNX: onnxruntime gives every row what the model does."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import ClearwoodError, SettingError
from clearwood.exporting import RUNNERS
from clearwood.exporting.running.runner import NotRun
from clearwood.models.model import Model
from tests import trees
from tests.exporting.models_to_export import learners, made_table, rows_of
from tests.exporting.test_program import DECISIONS, ROWS
from tests.rules_of_every_kind import rule_lists
from tests.rules_of_every_kind import tables as tables_for_rules

pytest.importorskip("onnx", reason="The library onnx is not installed.")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed.")
pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
KINDS = ("c45", "cart in full", "cn2 votes", "bayes", "logistic", "forest", "gam")


def check(model: Model, rows: object, *, most: int = 1, **options: str) -> cw.Proof:
    proof = cw.prove(cw.export(model, "onnx", **options), rows, most=most)
    assert proof.status == "passed", proof.different[:3]
    return proof


@pytest.mark.parametrize("name", list(learners()))
def test_every_kind_of_model_answers_alike_in_onnxruntime(name: str) -> None:
    check(learners()[name].learn(made_table()), ROWS)


@pytest.mark.parametrize("decision", list(DECISIONS))
def test_a_decision_goes_along(decision: str) -> None:
    model = learners()["cn2 votes"].learn(made_table())
    check(replace(model, decision=DECISIONS[decision]), ROWS)


@pytest.mark.prove
@pytest.mark.parametrize("decision", list(DECISIONS))
@pytest.mark.parametrize("name", KINDS)
def test_every_decision_of_every_kind_goes_along(name: str, decision: str) -> None:
    model = learners()[name].learn(made_table())
    check(replace(model, decision=DECISIONS[decision]), ROWS, most=300)


@pytest.mark.prove
@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("name", list(learners()))
def test_every_kind_passes_on_rows_that_hurt(name: str, precision: str) -> None:
    check(learners()[name].learn(made_table()), None, most=3000, precision=precision)


@pytest.mark.parametrize("learner", [cw.CART(), cw.Boosting(trees=5)], ids=["tree", "boosting"])
def test_numbers_are_answered_as_well(learner: cw.CART) -> None:
    check(learner.learn(made_table(numeric=True)), ROWS, most=100)


def test_cuts_are_doubles() -> None:
    model = cw.CART(min_leaf=1, alpha=0.0).learn(_apart())
    check(model, [{"x": 0.1}, {"x": 0.10000000000000002}], most=200)


def test_in_single_precision_the_rows_that_change_are_counted() -> None:
    model = cw.CART(min_leaf=1, alpha=0.0).learn(_apart())
    proof = check(model, [{"x": 0.1}, {"x": 0.10000000000000002}], most=200, precision="single")
    assert sum(proof.certificate.changed.values()) > 0
    assert "rows near a cut" in " ".join(proof.certificate.notes)


def test_columns_and_values_may_be_called_anything() -> None:
    model, rows = oddly_named(cw.ID3())
    check(model, rows, most=300)
    check(cw.NaiveBayes().learn(oddly_named_table()[0]), rows, most=300)


def test_an_empty_text_is_no_missing_one() -> None:
    table = cw.encode(
        [{"a": a, "y": y} for a, y in (("", "p"), ("b", "q"), (None, "q"), ("", "p"))] * 3,
        cw.Schema((cw.Nominal("a", ("", "b")),), cw.Nominal("y", ("p", "q"))),
    )
    check(cw.NaiveBayes().learn(table), [{"a": ""}, {"a": None}, {"a": "b"}, {"a": "c"}])


def test_a_text_for_missing_that_is_a_value_is_refused() -> None:
    model = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    with pytest.raises(SettingError, match="value of 'Outlook'"):
        cw.export(model, "onnx", missing="Sunny")
    with pytest.raises(SettingError, match="is a class"):
        cw.export(model, "onnx", missing="No")
    with pytest.raises(SettingError, match="No precision"):
        cw.export(model, "onnx", precision="half")
    check(model, None, most=100, missing="?")


def test_a_model_that_asks_nothing_answers_every_row() -> None:
    table = cw.read_table({"a": [1.0, 2.0, 3.0], "y": ["p", "p", "q"]}, target="y")
    check(cw.CART(min_leaf=20).learn(table), None)


def test_without_onnx_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    model = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    with pytest.raises(ClearwoodError, match=r"pip install 'clearwood\[onnx\]'"):
        cw.export(model, "onnx")


def test_without_onnxruntime_nothing_is_said_to_have_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    exported = cw.export(learners()["cart"].learn(made_table()), "onnx")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert isinstance(RUNNERS["onnxruntime"].run(exported, ROWS), NotRun)


def test_the_file_is_valid_and_says_what_it_is(tmp_path: Path) -> None:
    import onnx

    model = learners()["cart"].learn(made_table())
    cw.export(model, "onnx").save(tmp_path / "model.onnx")
    read = onnx.load(tmp_path / "model.onnx")
    onnx.checker.check_model(read, full_check=True)
    assert [each.name for each in read.graph.output] == ["label", "probabilities", "reason"]
    assert "Predict class" in read.doc_string
    assert {each.key for each in read.metadata_props} == {"classes", "columns", "missing"}


@pytest.mark.prove
@given(st.data())
@settings(max_examples=150, deadline=None)
def test_any_tree(data: st.DataObject) -> None:
    tree = data.draw(trees.trees())
    check(tree, rows_of(data.draw(trees.tables(tree.schema, rows=12))) or None, most=200)


@pytest.mark.prove
@given(rule_lists(), st.data())
@settings(max_examples=150, deadline=None)
def test_any_rules(rules: cw.RuleList, data: st.DataObject) -> None:
    check(rules, rows_of(data.draw(tables_for_rules(max_rows=12))) or None, most=200)


@pytest.mark.prove
def test_large_models_are_quick_to_load() -> None:
    table = large_table(12000)
    tree = cw.CART(alpha=0.0, min_leaf=1).learn(table)
    assert tree.leaves > 3000
    check(tree, None, most=300)
    check(cw.Forest(trees=100, seed=1, max_depth=8).learn(large_table(800)), None, most=300)


def large_table(rows: int) -> cw.Table:
    random = np.random.default_rng(0)
    columns = {name: random.normal(size=rows).round(3) for name in "abcd"}
    return cw.read_table({**columns, "y": random.choice(["p", "q"], rows)}, target="y")


def oddly_named_table() -> tuple[cw.Table, list[dict[str, str | float | None]]]:
    """Names and values that are quoted, normalised or trimmed where a writer is careless."""
    names = [
        "for",
        "a b",
        "größe",
        '"',
        "'",
        "\\",
        "<&>",
        "日本",
        "leaf",
        "answer",
        "label",
        "probability(a)",
    ]
    values = ["a", " a", "a ", "A", '"', "'", "\\", "\n", "\t", "\r\n", "é", "e\u0301", "💚", "&lt;", "", " "]
    rows: list[dict[str, str | float | None]] = [
        {name: values[(at * (place + 1)) % len(values)] for place, name in enumerate(names)}
        for at in range(48)
    ]
    schema = cw.Schema(
        tuple(cw.Nominal(name, tuple(values)) for name in names), cw.Nominal("class\n<", ("a", " b\n"))
    )
    classed = [{**row, "class\n<": ("a", " b\n")[at % 2]} for at, row in enumerate(rows)]
    return cw.encode(classed, schema), rows


def oddly_named(learner: cw.ID3) -> tuple[Model, list[dict[str, str | float | None]]]:
    table, rows = oddly_named_table()
    return learner.learn(table), rows


def _apart() -> cw.Table:
    """Two classes that only the last digits of doubles tell apart."""
    numbers = [0.1, 0.10000000000000003, 0.2, 5.0]
    return cw.read_table({"x": numbers * 4, "y": ["p", "q", "p", "q"] * 4}, target="y")


def test_a_number_that_single_precision_rounds_may_be_answered_as_the_rounded_one() -> None:
    rows = [{"a": 1.0, "b": "x", "y": "p"}, {"a": 2.0, "b": "z", "y": "q"}, {"a": None, "b": None, "y": "p"}]
    schema = cw.Schema((cw.Numeric("a"), cw.Nominal("b", ("x", "z"))), cw.Nominal("y", ("p", "q")))
    model = cw.NaiveBayes().learn(cw.encode(rows, schema))
    proof = check(model, [{"a": 2.0**53 + 2, "b": "x"}], most=200, precision="single")
    assert proof.certificate.changed["numbers that single precision rounds"] > 0


def test_a_row_that_rounding_does_not_explain_is_a_difference() -> None:
    table = cw.read_table({"a": [0.1, 0.2, 1.1, 1.2] * 5, "y": ["p", "p", "q", "q"] * 5}, target="y")
    exported = cw.export(cw.CART().learn(table), "onnx", precision="single")
    other = replace(exported, model=cw.CART().learn(table.take(np.array([0, 1]))))
    assert cw.prove(other, [{"a": 1.3}], most=1).different  # 1.3 is no float32
