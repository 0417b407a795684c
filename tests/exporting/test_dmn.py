"""DMN decision tables: FEEL that engines read, and the answers of the model where they are asked."""

from __future__ import annotations

import math
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting import RUNNERS
from clearwood.exporting.exporting import export
from clearwood.exporting.running.runner import NotRun
from clearwood.exporting.tables.dmn import feel_number
from clearwood.models.kinds.rules.rule_reading import parse_rules
from clearwood.models.model import Model
from tests.book_tables import book_table
from tests.exporting.models_to_export import learners, made_table, texts_in_columns
from tests.exporting.test_program import DECISIONS
from tests.exporting.test_tables import SHORT

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
SPACE = "{https://www.omg.org/spec/DMN/20191111/MODEL/}"


def test_a_tree_is_a_decision_table() -> None:
    tree = cw.ID3().learn(book_table("tennis", target="PlayTennis"))
    root = ElementTree.fromstring(export(tree, "dmn").data)
    table = next(root.iter(f"{SPACE}decisionTable"))
    assert table.get("hitPolicy") == "FIRST"
    first = next(table.iter(f"{SPACE}rule"))
    assert [each.findtext(f"{SPACE}text") for each in first] == [
        *('"Sunny"', '"High"', "-", '"No"', "1", "0"),
        "IF Outlook = Sunny AND Humidity = High THEN No",
    ]


def test_a_table_of_which_one_row_holds_says_so() -> None:
    days = book_table("tennis_numeric", target="Play", ignore=["Outlook", "Wind"])
    text = export(cw.CART(alpha=0.0, surrogates=0).learn(days), "dmn").text
    assert 'hitPolicy="UNIQUE"' in text


def test_what_it_cannot_say_is_refused_with_the_way_out() -> None:
    with pytest.raises(SettingError, match="Export it to excel"):
        export(learners()["bayes"].learn(made_table()), "dmn")
    schema = cw.Schema((cw.Nominal("a\x07", ("x", "y")),), cw.Nominal("c", ("p", "q")))
    rules = parse_rules('IF "a\\u0007" = x THEN p', schema)
    with pytest.raises(SettingError, match="XML cannot hold"):
        export(rules, "dmn")


def test_limits_that_are_none_are_larger_than_any_number() -> None:
    assert float(feel_number(math.inf)) == math.inf
    assert float(feel_number(-math.inf)) == -math.inf


def test_without_the_engine_the_proof_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NODE_PATH", raising=False)
    tree = cw.ID3().learn(book_table("tennis", target="PlayTennis"))
    proof = cw.prove(export(tree, "dmn"), most=20)
    assert proof.status == "not run"
    assert "installed" in proof.because or "set NODE_PATH to the folder" in proof.because


def check(model: Model) -> None:
    proof = cw.prove(export(model, "dmn"), most=300)
    if proof.status == "not run":
        pytest.skip(proof.because)
    assert proof.status == "passed", proof.different[:3]


@pytest.mark.prove
@pytest.mark.parametrize("name", list(SHORT))
def test_a_feel_engine_answers_as_the_model(name: str) -> None:
    check(SHORT[name].learn(made_table()))


@pytest.mark.prove
@pytest.mark.parametrize("decision", list(DECISIONS))
def test_a_decision_goes_along(decision: str) -> None:
    check(replace(SHORT["cart"].learn(made_table()), decision=DECISIONS[decision]))


@pytest.mark.prove
def test_numbers_are_answered_as_well() -> None:
    check(cw.CART(max_depth=3).learn(made_table(numeric=True)))


@pytest.mark.prove
def test_columns_and_values_may_be_called_anything() -> None:
    names = ["for", "1st", "a b", "a_b", "größe", '"', "'", "\\", "${x}", "日本", "<b>", "null", "a\nb"]
    values = [
        "a",
        " a",
        "A",
        '"',
        "'",
        "\\",
        "b\nc",
        "\t",
        "\r",
        "é",
        "e\u0301",
        "💚",
        "-",
        "null",
        "< 5",
        "]]>",
        "\\u0041",
    ]
    table, given = texts_in_columns(names, values, ("<a>", '"b"'), 51)
    model = cw.ID3().learn(table)
    ran = RUNNERS["feel"].run(export(model, "dmn"), given)
    if isinstance(ran, NotRun):
        pytest.skip(ran.because)
    assert list(ran.answers) == cw.predict(model, given).tolist()


@pytest.mark.prove
def test_rules_that_ask_nothing_are_a_table_too() -> None:
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("c", ("p", "q")))
    check(parse_rules("OTHERWISE p", schema))
