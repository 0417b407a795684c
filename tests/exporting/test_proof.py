"""A proof runs the target on adversarial rows: what is right passes, what is wrong anywhere is found out."""

from __future__ import annotations

import io
import json
import math
import re
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import clearwood as cw
from clearwood.errors import ColumnError, SettingError, SourceError
from clearwood.exporting import RUNNERS
from clearwood.exporting.exported import Exported, Precision
from clearwood.exporting.proof import critical_cells, row_verdicts
from clearwood.exporting.proof.adversarial import AdversarialRows, adversarial_rows
from clearwood.exporting.proof.critical_cells import ColumnCuts
from clearwood.exporting.proof.proving import compared_rows, expected_answers, proof_of
from clearwood.exporting.proof.row_verdicts import beyond
from clearwood.exporting.running.runner import NotRun, Ran, Runner, TargetFailedError, output_of
from clearwood.formulas.conditions import AtMost, Equals
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule
from tests.exporting.models_to_export import SCHEMA, learners, made_rows, made_table
from tests.typed import mistyped, values_of

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")

TABLE = made_table()
TREE = cw.C45().learn(TABLE)
SCHEMA_OF_X = cw.Schema((cw.Numeric("x"), cw.Nominal("c", ("a", "b"))), cw.Nominal("y", ("no", "yes")))


def made(name: str) -> tuple[Any, AdversarialRows]:
    model = learners()[name].learn(TABLE)
    return model, adversarial_rows(model)


def test_every_cut_is_tried_on_below_and_above() -> None:
    tree, rows = made("cart")
    for node in tree:
        for child in tree.nodes.children(node):
            condition = tree.condition(child)
            if isinstance(condition, AtMost):
                cells = {row[condition.name] for row in rows}
                limit = condition.limit
                assert {limit, math.nextafter(limit, -math.inf), math.nextafter(limit, math.inf)} <= cells


@pytest.mark.parametrize("name", ["id3", "c45", "cart", "chaid"])
def test_every_leaf_is_reached(name: str) -> None:
    tree, rows = made(name)
    leaves = {node for node in tree if not tree.nodes.children(node)}
    assert set(cw.leaf_of(tree, list(rows)).tolist()) >= leaves
    assert rows.not_reached == ()


def test_every_rule_is_reached_and_one_that_is_not_is_named() -> None:
    rules = [
        Rule((Equals("c", "a"), AtMost("x", 3.0)), "yes"),
        Rule((AtMost("x", 2.0),), "no"),
        Rule((Equals("c", "a"), AtMost("x", 1.0)), "no"),
    ]
    model = cw.RuleList(SCHEMA_OF_X, tuple(rules), Otherwise("yes"))
    rows = adversarial_rows(model)
    assert rows.not_reached == ("rule 3: earlier rules take every row of it",)
    assert any(row["c"] != "a" and isinstance(row["x"], float) and row["x"] <= 2 for row in rows)


def test_every_value_an_unseen_one_and_a_missing_one_are_tried_in_every_column() -> None:
    _, rows = made("bayes")
    for attribute in SCHEMA.attributes:
        cells = [row[attribute.name] for row in rows]
        assert None in cells
        if not isinstance(attribute, cw.Numeric):
            assert {*values_of(attribute), "never met", "", "O'Hara", "two\nlines"} <= set(cells)
    assert any(all(cell is None for cell in row.values()) for row in rows)
    for name in SCHEMA.positions:
        assert any([key for key, cell in row.items() if cell is None] == [name] for row in rows)


def test_a_known_value_in_another_case_or_with_blanks_is_tried() -> None:
    _, rows = made("id3")
    assert {"RED", " red", "red ", "s"} <= {cell for row in rows for cell in row.values()}


def test_every_row_is_one_that_prediction_takes() -> None:
    for name in ("cart", "ripper", "kernel bayes", "logistic", "gam"):
        model, rows = made(name)
        assert len(cw.predict(model, list(rows))) == len(rows)
        assert not any(isinstance(cell, float) and math.isinf(cell) for row in rows for cell in row.values())


def test_of_a_large_model_rows_are_chosen_by_seed_and_that_is_recorded() -> None:
    model = learners()["boosting"].learn(TABLE)
    few, again, other = (adversarial_rows(model, most=200, seed=seed) for seed in (1, 1, 2))
    assert len(few) == 200
    assert few.rows == again.rows != other.rows
    assert sum(few.left_out.values()) > 0
    assert sum(few.made.values()) == 200


def test_in_single_precision_neighbours_of_cuts_are_others() -> None:
    rows = adversarial_rows(cw.CART().learn(TABLE), single=True, most=20000)
    assert len(rows) > len(adversarial_rows(cw.CART().learn(TABLE), most=20000))


def test_a_right_export_passes_with_the_users_rows() -> None:
    proof = cw.prove(cw.export(TREE, "python"), made_rows(30, 5, unseen=0.2))
    assert (proof.status, proof.different, proof.certificate.given) == ("passed", (), 30)
    assert len(proof.rows) == proof.certificate.rows == proof.certificate.compared
    assert str(proof).startswith(f"Passed: {len(proof.rows):,} rows, no differences.")


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("cart", "<=", "<"),
        ("cart", "<= ", "<= 1e-9 + "),
        ("cart in full", "!=", "=="),
        ("id3", "== 'red'", "== 'Red'"),
        ("id3", "'O\\'Brien'", "'O'"),
        ("id3", 'CLASSES = [\'yes\', \'no\'', 'CLASSES = [\'no\', \'yes\''),
        ("ila", " and ", " or "),
        ("bayes of cuts", "bisect_left(cuts", "bisect_right(cuts"),
        ("bayes of cuts", "return missing if", "return 0 if"),
        ("bayes of cuts", "else unseen", "else missing"),
        ("bayes", "share_1 = (raised_1 / raised)", "share_1 = (raised_1 / raised) + 1e-11"),
        ("logistic", "score_1 = (", "score_1 = (1e-9 + "),
        ("gam", "bisect_left(cuts", "bisect_right(cuts"),
    ],
)  # fmt: skip
def test_a_wrong_export_fails(name: str, right: str, wrong: str) -> None:
    exported = cw.export(learners()[name].learn(TABLE), "python")
    text = exported.text.replace(
        "from bisect import bisect_left", "from bisect import bisect_left, bisect_right"
    )
    broken = text.replace(right, wrong)
    if right == "'O\\'Brien'":
        broken = text.replace('"O\'Brien"', '"O"')
    assert broken != text
    proof = cw.prove(replace(exported, content=broken))
    assert proof.status == "failed"
    assert proof.different or "failed on the export" in proof.because


def test_one_wrong_leaf_of_many_is_found() -> None:
    tree = learners()["cart in full"].learn(TABLE)
    exported = cw.export(tree, "python")
    for leaf in (3, 11, 40):
        broken = re.sub(rf" = {leaf}\n", f" = {leaf + 1}\n", exported.text, count=1)
        assert broken != exported.text
        proof = cw.prove(replace(exported, content=broken))
        assert proof.status == "failed"


def test_an_export_that_does_not_run_has_failed() -> None:
    proof = cw.prove(replace(cw.export(TREE, "python"), content="1/0"))
    assert proof.status == "failed"
    assert "ZeroDivisionError" in proof.because
    assert str(proof).startswith("Failed: ")


def test_where_nothing_runs_it_the_proof_says_not_run() -> None:
    proof = cw.prove(cw.export(TREE, "mermaid"))
    assert (proof.status, proof.passed) == ("not run", False)
    assert str(proof).startswith("Not run: nothing here runs mermaid")
    assert proof.certificate.compared == 0


def test_where_the_target_is_not_installed_the_proof_says_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        RUNNERS, "python", Runner("python", lambda tasks: [NotRun("Python is not installed.")] * len(tasks))
    )
    proof = cw.prove(cw.export(TREE, "python"))
    assert (proof.status, proof.because) == ("not run", "Python is not installed.")


def test_a_difference_names_the_row_and_both_answers() -> None:
    exported = cw.export(TREE, "python")
    broken = exported.text.replace("CLASSES = ['yes', 'no'", "CLASSES = ['no', 'yes'")
    first = cw.prove(replace(exported, content=broken)).different[0]
    assert {first.expected, first.given} == {"yes", "no"}
    assert str(first).startswith(f"row {first.place + 1} (age=")
    assert str(first).endswith(f"{first.given!r}, not {first.expected!r}")


def test_the_same_proof_has_the_same_certificate_and_a_date_only_if_given(tmp_path: Path) -> None:
    one, two = (cw.prove(cw.export(TREE, "python"), TABLE) for _ in range(2))
    assert one.certificate == two.certificate
    assert one.certificate.date is None
    dated = cw.prove(cw.export(TREE, "python"), TABLE, date="2026-11-16")
    assert dated.certificate.to_json()["date"] == "2026-11-16"
    one.save(tmp_path / "proof.json")
    one.save(tmp_path / "proof.txt")
    assert json.loads((tmp_path / "proof.json").read_text("utf-8")) == one.certificate.to_json()
    assert (tmp_path / "proof.txt").read_text("utf-8") == f"{one}\n"


def test_a_certificate_is_verified_and_what_was_changed_is_named(tmp_path: Path) -> None:
    exported = cw.export(TREE, "python")
    proof, place, file = cw.prove(exported, TABLE), tmp_path / "c.json", tmp_path / "t.py"
    proof.save(place)
    exported.save(file)
    cw.save(TREE, tmp_path / "tree.json")
    assert cw.verify(place, file, tmp_path / "tree.json", TABLE).certificate == proof.certificate
    assert cw.verify(proof.certificate, file, TREE, TABLE).passed
    assert "Give the same rows" in cw.verify(place, file, TREE).because
    other = cw.verify(place, file, TREE, made_table(seed=9))
    assert (other.status, "the rows are not those" in other.because) == ("failed", True)
    assert "the model is not" in cw.verify(place, file, cw.C45(prune=False).learn(TABLE), TABLE).because
    file.write_text(exported.text + "\n", "utf-8")
    assert "the file is not" in cw.verify(place, file, TREE, TABLE).because


def test_what_is_no_certificate_is_refused(tmp_path: Path) -> None:
    place, file = tmp_path / "c.json", tmp_path / "t.py"
    cw.export(TREE, "python").save(file)
    with pytest.raises(SourceError, match="Cannot read"):
        cw.verify(place, file, TREE)
    place.write_text("not JSON")
    with pytest.raises(SettingError, match="is no JSON"):
        cw.verify(place, file, TREE)
    with pytest.raises(SettingError, match="no certificate of Clearwood"):
        cw.verify({"kind": "a cake"}, file, TREE)
    plain = cw.prove(cw.export(TREE, "python")).certificate.to_json()
    with pytest.raises(SettingError, match="damaged: its field 'seed'"):
        cw.verify({**plain, "seed": "many"}, file, TREE)
    with pytest.raises(SourceError, match="Cannot read"):
        cw.verify(plain, tmp_path / "none.py", TREE)


def test_rows_that_lack_a_column_are_refused() -> None:
    with pytest.raises(ColumnError, match="lacks a column of the model"):
        cw.prove(cw.export(TREE, "python"), [{"age": 3.0}])
    with pytest.raises(SettingError, match="prove takes what export makes"):
        cw.prove(mistyped(TREE))


def ran_at(model: Any, rows: list[dict[str, Any]], precision: Precision, answers: list[str]) -> Any:
    return compared_rows(
        model, rows, expected_answers(model, rows), Ran(tuple(answers), None, {}), precision, {"x": (0.1,)}
    )


def test_rows_nearer_to_a_cut_than_the_target_tells_apart_are_counted() -> None:
    model = cw.RuleList(SCHEMA_OF_X, (Rule((AtMost("x", 0.1),), "yes"),), Otherwise("no"))
    rows: list[dict[str, Any]] = [{"x": x, "c": "a"} for x in (0.1, math.nextafter(0.1, 1), 0.100000001, 0.2)]
    wrong = ["yes", "yes", "yes", "no"]
    double = ran_at(model, rows, "double", wrong)
    assert [each.place for each in double.different] == [1, 2]
    fifteen = ran_at(model, rows, "fifteen digits", wrong)
    assert [each.place for each in fifteen.different] == [2]
    assert fifteen.not_compared == {"nearer to a cut than fifteen digits tell apart": 1}
    single = ran_at(model, rows, "single", wrong)
    assert single.different == ()
    assert single.changed == {"nearer to a cut than single precision can tell apart": 2}
    assert beyond("single", {"x": 1e200}, {}) is not None
    assert ran_at(model, rows[3:], "single", ["yes"]).different


def test_a_tie_may_go_either_way_only_if_rounding_differs() -> None:
    model = cw.NaiveBayes().learn(TABLE)
    rows = made_rows(1, 4, missing=0.0)
    expected = expected_answers(model, rows)
    even = replace(expected, answers=("yes",), shares=((0.4, 0.4, 0.2),))
    for shares, same in (((0.4 - 1e-14, 0.4 + 1e-14, 0.2), True), ((0.4, 0.4, 0.2), False)):
        compared = compared_rows(model, rows, even, Ran(("no",), (shares,), {}), "double", {})
        assert (compared.different == ()) is same


def test_a_model_that_asks_for_nothing_is_proven_too() -> None:
    rows = [{"x": 1.0, "c": "a", "y": "yes"}] * 4
    leaf = cw.CART().learn(cw.encode(rows, SCHEMA_OF_X))
    assert cw.prove(cw.export(leaf, "python"), rows).passed


def test_numbers_are_proven() -> None:
    table = made_table(numeric=True)
    for learner in (cw.CART(), cw.GAM(bags=2, pairs=1)):
        assert cw.prove(cw.export(learner.learn(table), "python"), table).passed


def test_an_export_of_bytes_is_fingerprinted_as_it_is() -> None:
    exported = Exported("python", cw.export(TREE, "python").data, ".py", TREE)
    assert cw.prove(exported).certificate.is_text is False


def test_a_known_number_in_another_spelling_is_given_as_the_model_spells_it() -> None:
    schema = cw.Schema((cw.Nominal("zip", ("1", "02")),), cw.Nominal("y", ("no", "yes")))
    table = cw.encode([{"zip": z, "y": y} for z, y in (("1", "no"), ("02", "yes"))] * 5, schema)
    tree = cw.ID3().learn(table)
    proof = cw.prove(cw.export(tree, "python"), [{"zip": each} for each in ("01", " 1.0", "2", "x")])
    assert proof.passed
    assert [row["zip"] for row in proof.rows[-4:]] == ["1", "1", "02", "x"]
    assert "1 " not in {row["zip"] for row in proof.rows}


def test_a_program_that_does_not_end_has_failed() -> None:
    with pytest.raises(TargetFailedError, match=r"did not end within 0\.2 seconds"):
        output_of([sys.executable, "-c", "import time; time.sleep(60)"], seconds=0.2)


@pytest.mark.parametrize("format", ["dot", "mermaid"])
def test_a_picture_of_another_model_is_refused_in_words(format: str) -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    with pytest.raises(SettingError, match=r"not Bayes tables of 4 columns.*clearwood draw"):
        cw.export(cw.NaiveBayes().learn(table), format)


def test_rows_in_another_spelling_are_counted_in_the_certificate() -> None:
    schema = cw.Schema((cw.Nominal("zip", ("1", "02")),), cw.Nominal("y", ("no", "yes")))
    table = cw.encode([{"zip": z, "y": y} for z, y in (("1", "no"), ("02", "yes"))] * 5, schema)
    exported = cw.export(cw.ID3().learn(table), "python")
    proof = cw.prove(exported, [{"zip": each} for each in ("01", " 1.0", "2", "x", "1", None)])
    assert proof.certificate.respelled == 3
    assert "given to the target in the model's spelling: 3 rows" in str(proof)
    assert "in the model's spelling" not in str(cw.prove(exported, [{"zip": "1"}, {"zip": "02"}]))


FORGED: dict[str, Any] = {
    "status": "failed",
    "because": "it rained.",
    "target": "Mars",
    "precision": "fifteen digits",
    "bound": 1.0,
    "notes": ["hacked"],
    "model": "Foo",
    "is_text": False,
    "compared": 999999,
    "numeric": True,
    "shares_compared": False,
    "points_compared": True,
    "changed": {"the weather": 3},
    "not_compared": {"the weather": 3},
    "outputs_not_compared": ["colour"],
    "no_reasons": "there are none",
    "different": 3,
    "made": {"easy rows": 3},
    "left_out": {"easy rows": 3},
    "not_reached": ["leaf 1"],
    "respelled": 7,
}


@pytest.mark.parametrize("field", FORGED)
def test_what_a_certificate_says_otherwise_than_the_proof_made_again_is_named(
    field: str, tmp_path: Path
) -> None:
    exported = cw.export(TREE, "python")
    exported.save(tmp_path / "t.py")
    plain = cw.prove(exported, most=20).certificate.to_json()
    assert cw.verify(plain, tmp_path / "t.py", TREE).passed
    again = cw.verify({**plain, field: FORGED[field]}, tmp_path / "t.py", TREE)
    assert again.status == "failed"
    assert f"the certificate says of '{field}' " in again.because
    assert str(again).startswith("Failed: the certificate says of")


def test_versions_and_the_date_may_be_others_when_a_proof_is_made_again(tmp_path: Path) -> None:
    exported = cw.export(TREE, "python")
    exported.save(tmp_path / "t.py")
    plain = cw.prove(exported, most=20).certificate.to_json()
    other = {**plain, "versions": {"Python": "3.99"}, "clearwood": "99", "date": "2026-01-01"}
    assert cw.verify(other, tmp_path / "t.py", TREE).passed


def test_a_target_that_is_no_longer_here_makes_it_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = cw.export(TREE, "python")
    exported.save(tmp_path / "t.py")
    plain = cw.prove(exported, most=20).certificate.to_json()
    monkeypatch.setitem(
        RUNNERS, "python", Runner("python", lambda tasks: [NotRun("Python is not installed.")] * len(tasks))
    )
    again = cw.verify(plain, tmp_path / "t.py", TREE)
    assert (again.status, again.because) == (
        "not run",
        "it cannot be run here, and what was found then is not confirmed: Python is not installed.",
    )
    assert cw.verify({**plain, "notes": ["hacked"]}, tmp_path / "t.py", TREE).status == "failed"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("status", "zzz", r"No status 'zzz'\. Statuses: passed"),
        ("format", "cake", "No format 'cake'"),
        ("options", {"flavour": 1}, "option of python called"),
        ("most", 0, "most must be"),
    ],
)
def test_a_certificate_of_nothing_that_there_is_is_refused(
    field: str, value: Any, sentence: str, tmp_path: Path
) -> None:
    exported = cw.export(TREE, "python")
    exported.save(tmp_path / "t.py")
    plain = cw.prove(exported, most=20).certificate.to_json()
    with pytest.raises(SettingError, match=sentence):
        cw.verify({**plain, field: value}, tmp_path / "t.py", TREE)


def test_the_certificate_of_a_query_is_verified_with_its_options(tmp_path: Path) -> None:
    exported = cw.export(TREE, "sql", dialect="sqlite", source="people", outputs=("prediction", "shares"))
    proof = cw.prove(exported, most=20)
    proof.save(tmp_path / "c.json")
    exported.save(tmp_path / "q.sql")
    assert cw.verify(tmp_path / "c.json", tmp_path / "q.sql", TREE).passed
    assert "format    sql, dialect sqlite, form select, source people, outputs prediction shares\n" in str(
        proof
    )


def test_what_is_not_compared_is_written_in_the_certificate() -> None:
    for outputs, left, compared in [
        ("prediction,shares", ("leaf or rule", "reason"), "predictions equal, probabilities"),
        ("prediction,shares,region", ("reason",), "predictions and leaf or rule equal, probabilities"),
        ("prediction,shares,reason", ("leaf or rule",), "predictions and reason equal, probabilities"),
        ("prediction,shares,region,reason", (), "predictions and reasons equal, probabilities"),
    ]:
        proof = cw.prove(cw.export(TREE, "sql", dialect="sqlite", outputs=outputs), most=20)
        assert proof.passed
        assert proof.certificate.outputs_not_compared == left
        assert (f"\n  not compared: {', '.join(left)}\n" in str(proof)) == bool(left)
        assert f": {compared}" in str(proof)


def test_a_share_that_a_query_leaves_empty_is_not_zero() -> None:
    tree = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    exported = cw.export(tree, "sql", dialect="sqlite")
    broken = exported.text.replace("0e0", "NULL").replace("0.0", "NULL")
    assert broken != exported.text
    proof = cw.prove(replace(exported, content=broken), most=20)
    assert proof.status == "failed"
    assert None in proof.certificate.to_json()["differences"][0]["given_shares"]


def test_where_no_row_is_shown_to_be_alike_nothing_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    def beyond_all(*_: Any) -> str:
        return "the weather"

    monkeypatch.setattr(row_verdicts, "beyond", beyond_all)
    proof = cw.prove(replace(cw.export(TREE, "python"), precision="fifteen digits"), most=20)
    assert (proof.status, proof.certificate.compared) == ("failed", 0)
    assert "none could be shown to get the same prediction" in proof.because


def test_rows_that_narrower_numbers_answer_otherwise_are_in_the_first_line() -> None:
    proof = cw.prove(cw.export(TREE, "python"), most=20)
    narrow = replace(proof.certificate, precision="single", changed={"near": 5}, not_compared={"tie": 2})
    rows = proof.certificate.compared
    assert str(narrow).startswith(
        f"Passed: {rows - 5} rows alike, 5 other in single precision; 2 not compared."
    )


def test_the_text_says_what_was_compared_in_plain_words() -> None:
    certificate = cw.prove(cw.export(TREE, "python"), most=20).certificate
    assert "rows: predictions and reasons equal, probabilities to 1e-12\n" in str(certificate)
    assert "rows: predictions and reasons equal; probabilities not compared\n" in str(
        replace(certificate, shares_compared=False)
    )
    assert "rows: numbers to 1e-12\n" in str(replace(certificate, numeric=True, shares_compared=False))
    by_gcc = replace(certificate, versions={"gcc": "gcc (Debian 12.2.0)"})
    assert "\nrun by    gcc (Debian 12.2.0)\n" in str(by_gcc)
    bare = replace(certificate, options={"name": "Model", "package": "", "keep": None})
    assert "\nformat    python, name Model\n" in str(bare)


@pytest.mark.parametrize(
    "name", ["c45", "cart", "ripper", "bayes of cuts", "gam", "boosting", "bernoulli bayes"]
)
def test_a_cut_that_is_lost_on_the_way_to_the_export_is_aimed_at(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = learners()[name].learn(TABLE)
    cuts = {column: cut for column, cut in critical_cells.jumps_of(model, []).items() if cut}
    assert cuts
    monkeypatch.setattr(critical_cells, "cuts_of_program", lambda _: ColumnCuts({}, {}))
    assert {column: cut for column, cut in critical_cells.jumps_of(model, []).items() if cut} == cuts


def test_the_fingerprint_of_a_model_is_the_same_however_its_file_is_laid_out(tmp_path: Path) -> None:
    cw.save(TREE, tmp_path / "tree.json")
    plain = json.loads((tmp_path / "tree.json").read_text("utf-8"))
    (tmp_path / "wide.json").write_text(json.dumps(plain, indent=7), "utf-8")
    exported = cw.export(TREE, "python")
    exported.save(tmp_path / "t.py")
    certificate = cw.prove(exported, most=20).certificate
    assert cw.verify(certificate, tmp_path / "t.py", tmp_path / "wide.json").passed


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "bigquery"])
@pytest.mark.parametrize("name", ["c45", "ripper"])
def test_a_wrong_leaf_or_reason_of_a_query_fails_though_the_answer_is_right(name: str, dialect: str) -> None:
    if dialect == "bigquery":
        pytest.importorskip("sqlglot")
    exported = cw.export(learners()[name].learn(TABLE), "sql", dialect=dialect)
    wrong_number = exported.text.replace(" + 1 END AS", " + 2 END AS")
    wrong_reason = exported.text.replace("'IF ", "'WHERE ")
    wrong_both = wrong_number.replace("'IF ", "'WHERE ")
    for content in (wrong_number, wrong_reason, wrong_both):
        assert content != exported.text
        failed = cw.prove(replace(exported, content=content), most=100)
        assert failed.status == "failed"
        assert ": by " in str(failed.different[0])
    proof = cw.prove(exported, most=100)
    assert not proof.different, str(proof)
    assert proof.certificate.outputs_not_compared == ()


EVERYDAY = ("python", "javascript", "c")  # Java and LibreOffice take their time


def with_reasons(format: str) -> Any:
    return pytest.param(format, marks=[] if format in EVERYDAY else pytest.mark.prove)


@pytest.mark.parametrize(
    "format", [with_reasons(each) for each in ("python", "javascript", "c", "java", "pmml", "dmn")]
)
@pytest.mark.parametrize("name", ["c45", "ripper"])
def test_a_wrong_reason_fails_though_the_answer_is_right(name: str, format: str) -> None:
    exported = cw.export(learners()[name].learn(TABLE), format)
    proof = cw.prove(exported, most=100)
    if proof.status == "not run":
        pytest.skip(proof.because)
    assert proof.passed, str(proof)
    assert proof.certificate.outputs_not_compared == ()
    assert "predictions and reasons equal" in str(proof)
    failed = cw.prove(replace(exported, content=exported.text.replace(" THEN ", " SO ")), most=100)
    assert failed.status == "failed"
    assert " SO " in str(failed.different[0])
    assert "by 'IF" in str(failed.different[0]) or 'by "IF' in str(failed.different[0])


def test_a_wrong_reason_of_a_graph_fails_though_the_answer_is_right() -> None:
    pytest.importorskip("onnxruntime")
    exported = cw.export(learners()["ripper"].learn(TABLE), "onnx")
    assert "predictions and reasons equal" in str(cw.prove(exported, most=100))
    failed = cw.prove(replace(exported, content=exported.data.replace(b" THEN ", b" SOOO ")), most=100)
    assert failed.status == "failed"
    assert " SOOO " in str(failed.different[0])


@pytest.mark.prove
def test_a_wrong_reason_of_a_workbook_fails_though_the_answer_is_right() -> None:
    exported = cw.export(learners()["c45"].learn(TABLE), "excel")
    proof = cw.prove(exported, most=100)
    if proof.status == "not run":
        pytest.skip(proof.because)
    assert "predictions and reasons equal" in str(proof)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(exported.data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b" THEN ", b" SO "))
    failed = cw.prove(replace(exported, content=out.getvalue()), most=100)
    assert failed.status == "failed"
    assert " SO " in str(failed.different[0])


def test_another_row_of_a_table_fails_though_its_answer_is_right() -> None:
    """Of rules alike in answer and shares the one that holds first must answer."""
    rules = [Rule((AtMost("x", limit),), "yes") for limit in (1.0, 2.0)]
    model = cw.RuleList(SCHEMA_OF_X, tuple(rules), Otherwise("no"))
    exported = cw.export(model, "csv")
    assert "predictions and reasons equal" in str(cw.prove(exported, most=100))
    head, one, two, *others = exported.text.split("\n")
    failed = cw.prove(replace(exported, content="\n".join([head, two, one, *others])), most=100)
    assert failed.status == "failed"
    assert "by 'IF x ≤ 2 THEN yes', not 'IF x ≤ 1 THEN yes'" in {
        str(each).partition("): ")[2] for each in failed.different
    }


def test_of_a_model_that_names_no_leaf_or_rule_the_certificate_says_so() -> None:
    proof = cw.prove(cw.export(learners()["bayes"].learn(TABLE), "python"), most=20)
    assert proof.certificate.outputs_not_compared == ()
    assert "rows: predictions equal, probabilities to 1e-12\n  this model names no leaf or rule\n" in str(
        proof
    )


def test_of_a_format_that_names_no_leaf_or_rule_the_certificate_says_so() -> None:
    exported = cw.export(TREE, "python")
    rows = adversarial_rows(TREE, most=20)
    ran = RUNNERS["python"].run(exported, rows.rows)
    assert isinstance(ran, Ran)
    proof = proof_of(exported, rows, (), ran=replace(ran, reasons=()))
    assert proof.passed
    assert "rows: predictions equal, probabilities to 1e-12\n  this format names no leaf or rule\n" in str(
        proof
    )


def test_an_empty_text_is_compared_in_a_spreadsheet_where_a_missing_cell_is_answered_alike() -> None:
    rows = [{"b": b, "y": y} for b, y in (("x", "p"), ("z", "q"), ("", "q"), ("", "q"))] * 5
    schema = cw.Schema((cw.Nominal("b", ("x", "z", "")),), cw.Nominal("y", ("p", "q")))
    model = cw.CART(min_leaf=1).learn(cw.encode(rows, schema))
    asked = [{"b": ""}, {"b": "x"}]
    expected = expected_answers(model, asked)
    assert cw.predict(model, [{"b": None}])[0] == expected.answers[0]
    ran = Ran(expected.answers, expected.shares, {})
    alike = compared_rows(model, asked, expected, ran, "fifteen digits", {})
    wrong = compared_rows(model, asked, expected, replace(ran, answers=("p", "p")), "fifteen digits", {})
    assert (alike.compared, dict(alike.not_compared), len(wrong.different)) == (2, {}, 1)
    apart = cw.NaiveBayes().learn(cw.encode(rows, schema))
    expected = expected_answers(apart, asked)
    outcome = compared_rows(
        apart, asked, expected, Ran(expected.answers, expected.shares, {}), "fifteen digits", {}
    )
    assert sum(outcome.not_compared.values()) == 1


def test_rows_are_not_made_around_an_empty_text() -> None:
    rows = [{"a": float(k), "b": "" if k % 4 else "x", "y": "pq"[k > 9]} for k in range(20)]
    schema = cw.Schema((cw.Numeric("a"), cw.Nominal("b", ("", "x"))), cw.Nominal("y", ("p", "q")))
    made = adversarial_rows(cw.Logistic(penalty="l2").learn(cw.encode(rows, schema)), most=140)
    assert sum(row["b"] == "" for row in made) < len(made) / 4


def test_the_leaf_of_an_empty_text_is_not_asked_of_a_spreadsheet_which_has_an_empty_cell_there() -> None:
    judge = row_verdicts.RowJudge(TREE, "fifteen digits", {})
    ours = row_verdicts.OneAnswer({"a": ""}, "yes", (1.0, 0.0), None)
    assert judge.may_differ(ours, replace(ours, row={"a": None}))
    assert not judge.may_differ(replace(ours, row={"a": "b"}), None)
