"""Decision tables in Markdown and CSV say what the model does: they are read back and asked."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting.exporting import export
from clearwood.exporting.running.table import run_table
from clearwood.exporting.tables import table_of
from clearwood.exporting.tables.lines import hit_of
from clearwood.exporting.tables.table_of import decision_table, refused_by_table
from clearwood.formulas.conditions import holds
from clearwood.models.model import Model
from clearwood.table.raw import Cell
from tests import trees
from tests.exporting.models_to_export import learners, made_table, near, rows_of
from tests.exporting.test_program import DECISIONS
from tests.rules_of_every_kind import rule_lists
from tests.rules_of_every_kind import tables as tables_for_rules

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
FORMATS = ("csv", "markdown")
SHORT: dict[str, Any] = {
    "id3": cw.ID3(max_depth=2),
    "c45": cw.C45(max_depth=2),
    "cart": cw.CART(max_depth=3),
    "cart without surrogates": cw.CART(alpha=0.0, surrogates=0),
    "chaid": cw.CHAID(),
    "ila": cw.ILA(cuts="frequency"),
    "cn2": cw.CN2(),
    "ripper": cw.RIPPER(),
}


def check(model: Model, format: str, most: int = 200) -> None:
    proof = cw.prove(export(model, format), most=most)
    assert proof.status == "passed", proof.different[:3]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", list(SHORT))
def test_a_table_read_back_answers_as_the_model(name: str, format: str) -> None:
    check(SHORT[name].learn(made_table()), format)


@pytest.mark.parametrize("decision", list(DECISIONS))
def test_a_decision_goes_along(decision: str) -> None:
    for name in ("c45", "cart", "ila"):
        check(replace(SHORT[name].learn(made_table()), decision=DECISIONS[decision]), "csv", 80)


@pytest.mark.parametrize("format", FORMATS)
def test_numbers_are_answered_as_well(format: str) -> None:
    check(cw.CART(max_depth=3).learn(made_table(numeric=True)), format)


@given(st.data())
@settings(max_examples=20)
def test_any_tree_with_a_table_of_its_own(data: st.DataObject) -> None:
    tree = data.draw(trees.trees())
    rows = rows_of(data.draw(trees.tables(tree.schema, rows=8)))
    if refused_by_table(tree) is None and rows:
        compare(tree, rows)


@given(rule_lists(), st.data())
@settings(max_examples=20)
def test_any_rules_of_which_the_first_answers(rules: cw.RuleList, data: st.DataObject) -> None:
    rows = rows_of(data.draw(tables_for_rules(max_rows=8)))
    if rules.matching == "first" and rows:
        compare(rules, rows)


def compare(model: Model, rows: list[dict[str, str | float | None]]) -> None:
    for format in FORMATS:
        ran = run_table(export(model, format), rows)
        answers = cw.predict(model, rows).tolist()
        if model.is_numeric:
            for one, other in zip(ran.answers, answers, strict=True):
                assert other != other if one is None else near(float(one), other)
        else:
            assert list(ran.answers) == answers
        if ran.shares is not None:
            for mine, theirs in zip(ran.shares, cw.shares(model, rows).tolist(), strict=True):
                assert all(near(one, other) for one, other in zip(mine, theirs, strict=True))


def test_of_a_unique_table_no_two_rows_hold() -> None:
    tree = cw.CART(surrogates=0, alpha=0.0).learn(
        cw.read_table(cw.datasets.path("tennis_numeric"), target="Play", ignore=["Outlook", "Wind"])
    )
    table = decision_table(tree)
    assert table.policy == "unique"
    for row in (
        {"Temperature": t, "Humidity": h} for t in (None, 60.0, 75.0, 90.0) for h in (None, 60.0, 80.0)
    ):
        hits = [each for each in table.rows if all(holds(c, row.get(name)) for name, c in each.when.items())]
        assert len(hits) == 1


def test_a_row_divided_among_leaves_is_mixed_from_them() -> None:
    tree = cw.C45().learn(cw.read_table(cw.datasets.path("tennis_numeric"), target="Play"))
    table = decision_table(tree)
    nothing = dict.fromkeys(each.name for each in table.inputs)
    mixed = table.rows[hit_of(table, nothing) or 0]
    assert mixed.weight is None
    assert mixed.shares == pytest.approx(cw.shares(tree, [nothing])[0], abs=1e-12)


def test_what_a_table_cannot_say_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_of, "MOST_MIXED", 100)
    table = made_table()
    for name in ("cn2 votes", "bayes", "forest"):
        with pytest.raises(SettingError, match="Export"):
            export(learners()[name].learn(table), "markdown")
    with pytest.raises(SettingError, match="without surrogates"):
        export(cw.C45(prune=False).learn(table), "csv")


def test_a_tree_of_thousands_of_leaves_has_as_many_rows() -> None:
    tree = cw.CART(alpha=0.0, min_leaf=1, surrogates=0).learn(noise(1500))
    assert tree.leaves > 300
    assert len(decision_table(tree).rows) == tree.leaves
    compare(tree, [{"a": a, "b": b, "c": 0.0, "d": 0.5} for a in (-1.0, 1.0) for b in (-0.5, 0.7)])


def noise(rows: int) -> cw.Table:
    random = np.random.default_rng(0)
    columns = {name: random.normal(size=rows).round(3) for name in "abcd"}
    return cw.read_table({**columns, "y": random.choice(["p", "q"], rows)}, target="y")


def test_names_and_values_that_are_markup_are_read_back() -> None:
    values = (
        "a|b",
        "*a*",
        "any other",
        "–",
        "\\",
        "\\|",
        "a\nb",
        "`",
        "= 1",
        "in {x}",
        "… x",
        "<b>",
        "&amp;",
        "-1",
        "",
        " a",
    )
    names = ("x|y", "…", "a\nb", "*", "#")
    rows: list[dict[str, Cell]] = [
        {name: values[(at * (k + 1)) % len(values)] for k, name in enumerate(names)} for at in range(48)
    ]
    schema = cw.Schema(
        tuple(cw.Nominal(each, values) for each in names), cw.Nominal("|class\n", ("a|", "refer"))
    )
    table = cw.encode([{**row, "|class\n": ("a|", "refer")[at % 2]} for at, row in enumerate(rows)], schema)
    compare(cw.ID3().learn(table), rows)
    compare(cw.CN2().learn(table), rows)


def tree_of(name: str, values: tuple[str, ...]) -> cw.Tree:
    """A tree with a leaf for each of these values, which is a class as well."""
    schema = cw.Schema((cw.Nominal(name, values),), cw.Nominal(f"{name}!", values))
    return cw.ID3().learn(cw.encode([{name: each, f"{name}!": each} for each in values] * 3, schema))


@pytest.mark.parametrize("format", FORMATS)
def test_a_value_with_an_underscore_is_read_back(format: str) -> None:
    check(tree_of("a_b", ("ret_allw", "_", "\\_", "a<b", "\\a")), format)


FORMULAS = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "＝1",
    "'=1",
    "''=1",
    "-1",
    "=cmd|' /C calc'!A0",
)


def test_no_cell_of_a_csv_is_a_formula_and_all_are_read_back() -> None:
    exported = export(tree_of("=HYPERLINK(A1)", FORMULAS), "csv")
    cells = [cell for line in csv.reader(io.StringIO(exported.text, newline="")) for cell in line]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@＝\t\r") and cell != "-1"]
    assert "apostrophe" in exported.notes[-1]
    proof = cw.prove(exported, [{"=HYPERLINK(A1)": each} for each in FORMULAS])
    assert proof.status == "passed", proof.different[:3]


def test_a_span_that_begins_below_zero_is_no_formula() -> None:
    rows = [{"n": float(x), "y": "ab"[-5 < x <= 3]} for x in range(-20, 20)]
    tree = cw.CART(alpha=0.0).learn(cw.read_table(rows, target="y"))
    exported = export(tree, "csv")
    assert "'-4.5 < … ≤ 3.5" in exported.text
    check(tree, "csv")


def test_a_csv_states_its_hit_policy_in_its_own_words() -> None:
    exported = export(cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")), "csv")
    head, *lines = csv.reader(io.StringIO(exported.text, newline=""))
    assert head[-1] == "hit policy"
    assert {line[-1] for line in lines} == {"first"}
    assert "An empty cell is any value" in exported.notes[0]
    assert "–" not in exported.notes[0]
    assert len(exported.notes) == 1


def test_a_note_on_shares_is_for_classes_alone() -> None:
    table = made_table(numeric=True)
    assert export(cw.CART(max_depth=2).learn(table), "markdown").notes == ()
    assert export(cw.CART(max_depth=2).learn(made_table()), "markdown").notes


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("wrong", ["#,a\n1\n", "| # |\n| - |\n| 1 |\n", '#\n1,in {,x,"\n'])
def test_a_table_that_cannot_be_read_back_has_failed(format: str, wrong: str) -> None:
    proof = cw.prove(replace(export(tree_of("a", ("b", "c")), format), content=wrong), most=5)
    assert proof.status == "failed"


def test_the_table_reads_as_one() -> None:
    tree = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    text = export(tree, "markdown").text
    assert "Hit policy: first." in text
    assert "| 1 | Overcast | – | – | Yes | 0 | 1 | 4 |" in text
    assert "| 5 | Sunny | High | – | No | 1 | 0 | 3 |" in text


@pytest.mark.parametrize("format", ["csv", "markdown"])
def test_headings_that_are_not_those_of_the_cells_fail_the_proof(format: str) -> None:
    exported = export(cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")), format)
    proof = cw.prove(exported, most=20)
    assert proof.passed
    assert "\nrun by    nothing; read back by Clearwood " in str(proof)
    lines = exported.text.split("\n")
    at = next(place for place, line in enumerate(lines) if "Outlook" in line)
    for one, other in (("Outlook", "Humidity"), ("of No", "of Yes")):
        head = lines[at].replace(one, "\0").replace(other, one).replace("\0", other)
        swapped = replace(exported, content="\n".join([*lines[:at], head, *lines[at + 1 :]]))
        failed = cw.prove(swapped, most=20)
        assert failed.status == "failed"
        assert "the heading of column" in failed.because


def test_a_page_without_the_hit_policy_of_its_table_fails_the_proof() -> None:
    exported = export(cw.C45(max_depth=2).learn(made_table()), "markdown")
    failed = cw.prove(replace(exported, content=exported.text.replace("policy: first", "policy: unique")))
    assert failed.status == "failed"
    assert "hit policy" in failed.because


def test_a_file_whose_lines_name_another_hit_policy_fails_the_proof() -> None:
    exported = export(cw.C45(max_depth=2).learn(made_table()), "csv")
    failed = cw.prove(replace(exported, content=exported.text.replace(",first\n", ",unique\n")), most=20)
    assert "hit policy" in failed.because
