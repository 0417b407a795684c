"""Workbooks of models: formulas that Excel takes, and the answers of the model where they are worked out."""

from __future__ import annotations

import io
import math
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting import RUNNERS
from clearwood.exporting.excel.formulas import nesting_of
from clearwood.exporting.excel.package import cell_in_xml
from clearwood.exporting.exporting import export
from clearwood.exporting.running.runner import NotRun, Ran
from clearwood.models.kinds.rules.rule_reading import parse_rules
from clearwood.models.model import Model
from tests.exporting.models_to_export import learners, made_table, near, texts_in_columns
from tests.exporting.test_program import DECISIONS, ROWS

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
EXCEL = {  # the functions used, all of them in Excel since 2007
    *(
        "ABS",
        "AND",
        "COUNTA",
        "EXACT",
        "EXP",
        "IF",
        "IFERROR",
        "INDEX",
        "ISBLANK",
        "ISNA",
        "ISNUMBER",
        "ISTEXT",
    ),
    *("LN", "MAX", "NA", "OR", "SIGN", "SUMPRODUCT"),
}


def sheets(model: Model, rows: int = 2) -> dict[str, list[tuple[str, str]]]:
    """The cells with a formula of each sheet: where, and what."""
    content = export(model, "excel", rows=rows).data
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    found = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            root = ElementTree.fromstring(archive.read(name))
            if "worksheets" in name:
                cells = root.iter(f"{space}c")
                formulas = [(cell.get("r", ""), cell.find(f"{space}f")) for cell in cells]
                found[name] = [(at, each.text or "") for at, each in formulas if each is not None]
    return found


def check_formulas(model: Model) -> None:
    for formulas in sheets(model).values():
        for _, formula in formulas:
            assert len(formula) < 8192
            assert nesting_of(formula) < 64
            plain = re.sub(r'"[^"]*"', "", formula)
            assert set(re.findall(r"[A-Z]+(?=\()", plain)) <= EXCEL
            assert all(call.count(",") < 255 for call in re.findall(r"\(([^()]*)\)", plain))
            # In a formula Excel keeps fifteen digits of a number.
            numbers = re.findall(r"(?<![A-Z$\d.])\d[\d.]*", plain)
            assert all(len(each.replace(".", "").lstrip("0")) <= 15 for each in numbers)


@pytest.mark.parametrize("name", list(learners()))
def test_every_formula_is_one_that_excel_takes(name: str) -> None:
    check_formulas(learners()[name].learn(made_table()))


@pytest.mark.parametrize("rules", [70, 300])
def test_long_lists_of_rules_are_cut_into_columns(rules: int) -> None:
    schema = cw.Schema((cw.Numeric("x"), cw.Nominal("c", ("a" * 200, "b"))), cw.Nominal("y", ("p", "q")))
    text = "\n".join(f"IF x > {k} AND c = {'a' * 200} THEN {'pq'[k % 2]}" for k in range(rules))
    check_formulas(parse_rules(f"{text}\nOTHERWISE p", schema))


def test_a_deep_tree_is_cut_into_columns() -> None:
    rows = [{"x": float(x), "class": "ab"[x % 2]} for x in range(200)]
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("class", ("a", "b")))
    check_formulas(cw.CART(alpha=0.0, min_leaf=1).learn(cw.encode(rows, schema)))


def empty_texts(others: int) -> Model:
    """A tree that asks whether a value is the empty text, or one of many with it."""
    values = ("", *map(str, range(others)))
    schema = cw.Schema((cw.Nominal("a", values),), cw.Nominal("y", ("p", "q")))
    rows = [{"a": each, "y": "pq"[place < len(values) / 2]} for place, each in enumerate(values)]
    return cw.CART(min_leaf=1, alpha=0.0).learn(cw.encode(rows * 3, schema))


def test_a_missing_cell_is_not_taken_for_an_empty_text() -> None:
    formulas = [formula for of_sheet in sheets(empty_texts(1)).values() for _, formula in of_sheet]
    assert any("FALSE" in formula for formula in formulas)
    assert not any(re.search(r'EXACT\([^,]*,""\)', formula) for formula in formulas)


@pytest.mark.prove
@pytest.mark.parametrize("others", [1, 300])
def test_a_missing_cell_is_not_taken_for_an_empty_text_in_libreoffice(others: int) -> None:
    check(empty_texts(others), [{"a": None}, {"a": "0"}, {"a": "299"}, {"a": "never"}])


def test_a_cell_holds_no_infinite_number() -> None:
    assert cell_in_xml("A1", -math.inf, 0) == '<c r="A1" s="0"><v>-1e+300</v></c>'
    assert "#N/A" in cell_in_xml("A1", math.nan, 0)


def test_the_same_model_is_the_same_file() -> None:
    tree = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    assert export(tree, "excel").data == export(tree, "excel").data


def test_what_excel_has_no_room_for_is_refused() -> None:
    tree = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    with pytest.raises(SettingError, match="rows must be"):
        export(tree, "excel", rows=0)
    random = np.random.default_rng(0)
    columns = {name: random.normal(size=1500).round(3) for name in "abcd"}
    table = cw.read_table({**columns, "y": random.choice(["p", "q"], 1500)}, target="y")
    with pytest.raises(SettingError, match="Ask for fewer cases"):
        export(cw.CART(alpha=0.0, min_leaf=1).learn(table), "excel", rows=10_000)


def test_without_libreoffice_the_proof_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    tree = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    proof = cw.prove(export(tree, "excel", rows=2), most=20)
    assert proof.status == "not run"
    assert "LibreOffice" in proof.because


def check(model: Model, rows: list[dict[str, str | float | None]], size: int = 100) -> None:
    exported = export(model, "excel", rows=size)
    ran = RUNNERS["libreoffice"].run(exported, rows)
    if isinstance(ran, NotRun):
        pytest.skip(ran.because)
    assert isinstance(ran, Ran)
    answers = cw.predict(model, rows).tolist()
    if model.is_numeric:
        assert all(near(float(one), other) for one, other in zip(ran.answers, answers, strict=True))  # type: ignore[arg-type]
        return
    assert list(ran.answers) == answers
    assert ran.shares is not None
    assert np.abs(np.array(ran.shares) - cw.shares(model, rows)).max() < 1e-12


@pytest.mark.prove
@pytest.mark.parametrize("name", list(learners()))
def test_every_kind_of_model_in_libreoffice(name: str) -> None:
    check(learners()[name].learn(made_table()), ROWS)


@pytest.mark.prove
@pytest.mark.parametrize("name", ["c45", "cart in full", "cn2", "cn2 votes", "logistic", "forest", "gam"])
def test_rows_that_hurt_in_libreoffice(name: str) -> None:
    proof = cw.prove(export(learners()[name].learn(made_table()), "excel", rows=200), most=400)
    if proof.status == "not run":
        pytest.skip(proof.because)
    assert proof.status == "passed", proof.different[:3]


@pytest.mark.prove
@pytest.mark.parametrize("decision", list(DECISIONS))
def test_a_decision_goes_along(decision: str) -> None:
    for name in ("c45", "cn2 votes", "bayes"):
        check(replace(learners()[name].learn(made_table()), decision=DECISIONS[decision]), ROWS)


@pytest.mark.prove
def test_numbers_are_answered_as_well() -> None:
    check(cw.CART().learn(made_table(numeric=True)), ROWS)


@pytest.mark.prove
def test_a_number_next_to_a_point_of_a_curve_is_not_far_away() -> None:
    points = [0.0, 0.0, 1.0, 2.0, 3.0, 5.0]
    table = cw.read_table({"x": points, "y": list("ppppqq")}, target="y")
    check(cw.NaiveBayes(numeric="kernel").learn(table), [{"x": x} for x in (2.2250738585072014e-308, 1e-160)])


@pytest.mark.prove
def test_columns_and_values_may_be_called_anything() -> None:
    names = ["for", "1st", "a b", "größe", '"', "'", "\\", "=1+1", "${x}", "日本", "A1", "&", "a\nb"]
    values = [
        "a",
        " a",
        "a ",
        "A",
        '"',
        "'",
        "\\",
        "b\nc",
        "\t",
        "é",
        "e\u0301",
        "💚",
        "=2",
        "1",
        "TRUE",
        "_x0041_",
        "1.0",
    ]
    table, given = texts_in_columns(names, values, ("a  b", "=b\nc"), 48)
    check(cw.ID3().learn(table), given)
    check(cw.NaiveBayes().learn(table), given)


@pytest.mark.prove
def test_a_tree_of_thousands_of_leaves() -> None:
    random = np.random.default_rng(0)
    columns = {name: random.normal(size=6000).round(3) for name in "abcd"}
    table = cw.read_table({**columns, "y": random.choice(["p", "q"], 6000)}, target="y")
    tree = cw.CART(alpha=0.0, min_leaf=1).learn(table)
    assert tree.leaves > 1500
    check_formulas(tree)
    check(tree, [{name: float(random.normal()) for name in "abcd"} for _ in range(20)], size=20)
