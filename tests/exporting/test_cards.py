"""A scorecard leaves as a model does, with its points, and is proven against the card itself."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.explaining.card_lines import PointsPerUnit
from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import program_to_export
from clearwood.exporting.proof.adversarial import adversarial_rows
from clearwood.exporting.proof.critical_cells import jumps_of
from clearwood.models.decision import Cutoff, Decision
from clearwood.models.program.evaluating import evaluated
from tests.exporting.every_format import formats_that_answer, options_for
from tests.exporting.models_to_export import SCHEMA, Row, made_rows, made_table, rows_of

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
CARDS: dict[str, dict[str, Any]] = {
    "units": {},
    "cuts": {"cuts": {"age": [30, 50], "n": [0.5]}, "base": 600},
    "few points": {"points_per_doubling": 3, "base": 0.25},
    "curves": {},
    "curves in few intervals": {"bins": 3, "cuts": {"age": [33.3]}, "base": -20},
}
ROWS = [*made_rows(40, 7, missing=0.2, unseen=0.1), *made_rows(1, 9, missing=1.0)]
DECISIONS = {
    "cutoff": Decision(cutoff=Cutoff("no", 0.3)),
    "refer": Decision(refer=0.8),
    "costs": Decision(costs=((0.0, 4.0), (1.0, 0.0))),
}


@cache
def table() -> cw.Table:
    """Two classes by every kind of column."""
    whole = made_table(160)
    codes = whole.columns["class"].tolist()
    schema = cw.Schema(SCHEMA.attributes, cw.Nominal("class", ("yes", "no")))
    rows = [
        {**row, "class": "yes" if code == 0 else "no"}
        for row, code in zip(rows_of(whole), codes, strict=True)
    ]
    return cw.encode(rows, schema)


@cache
def model_of(name: str) -> Any:
    learner: Any = cw.GAM(bags=3, pairs=2, seed=1) if "curves" in name else cw.Logistic(penalty="l2")
    return learner.learn(table())


@cache
def card(name: str) -> Scorecard:
    return cw.scorecard(model_of(name), **CARDS[name])


def check_program(own: Scorecard, rows: list[Row]) -> None:
    program = program_to_export(own)
    sums, shares, classes = own.score(rows), own.class_shares(rows), own.predict(rows)
    for place, row in enumerate(rows):
        given = evaluated(program, row)
        assert (given.points, given.answer) == (sums[place], classes[place]), row
        assert np.allclose(given.shares, shares[place], rtol=0, atol=1e-12)


def check(own: Scorecard, format: str, options: dict[str, Any], most: int) -> None:
    proof = cw.prove(cw.export(own, format, **options), ROWS, most=most)
    if proof.status == "not run":
        pytest.skip(proof.because)
    assert proof.status == "passed", (proof.because, [str(each) for each in proof.different[:3]])


@pytest.mark.parametrize("name", list(CARDS))
def test_the_program_of_a_card_adds_up_as_the_card_does(name: str) -> None:
    check_program(card(name), [*ROWS, *map(dict, adversarial_rows(card(name), most=150))])


@pytest.mark.parametrize("decision", list(DECISIONS))
@pytest.mark.parametrize("name", ["units", "curves"])
def test_the_decision_of_the_model_goes_along(name: str, decision: str) -> None:
    model = replace(model_of(name), decision=DECISIONS[decision])
    check_program(cw.scorecard(model, **CARDS[name]), ROWS)


def test_above_the_base_the_favoured_class_answers_and_at_the_base_the_other() -> None:
    own = card("units")
    points = own.score(ROWS)
    at = replace(own, base=float(points[0]))
    assert at.share(points[0]) == 0.5
    assert own.favours == "yes"
    assert at.predict(ROWS[:1])[0] == "no"
    assert (own.predict(ROWS) == np.where(points > own.base, "yes", "no")).all()
    check_program(at, ROWS)


@pytest.mark.parametrize("format", ["python", "javascript", "sql"])
@pytest.mark.parametrize("name", ["units", "curves in few intervals"])
def test_a_card_is_proven_in_the_target(name: str, format: str) -> None:
    check(card(name), format, {}, most=80)


@pytest.mark.parametrize("format", ["c", "onnx", pytest.param("java", marks=pytest.mark.prove)])
def test_a_small_card_is_proven_in_targets_with_types_of_their_own(format: str) -> None:
    check(card("few points"), format, {}, most=40)


@pytest.mark.prove
@pytest.mark.parametrize("format", formats_that_answer())
@pytest.mark.parametrize("name", list(CARDS))
def test_a_card_is_proven_in_every_target(name: str, format: str) -> None:
    for options in options_for(card(name)).get(format, ()):
        check(card(name), format, options, most=500)


@pytest.mark.prove
@pytest.mark.parametrize("format", formats_that_answer())
@pytest.mark.parametrize("decision", list(DECISIONS))
def test_its_decision_is_proven_in_every_target(decision: str, format: str) -> None:
    own = cw.scorecard(replace(model_of("units"), decision=DECISIONS[decision]))
    for options in options_for(own).get(format, ()):
        check(own, format, options, most=300)


def test_a_point_more_or_less_fails_the_proof() -> None:
    exported = cw.export(card("curves"), "python")
    wrong = replace(exported, content=exported.text.replace("points = (", "points = (1.0 + "))
    proof = cw.prove(wrong, most=20)
    assert proof.status == "failed"
    assert "points, not" in str(proof.different[0])


def test_the_numbers_at_which_points_are_rounded_are_tried() -> None:
    own = card("units")
    line = next(each for each in own.lines if isinstance(each, PointsPerUnit) and each.name == "age")
    tried = {row["age"] for row in adversarial_rows(own) if isinstance(row["age"], float)}
    halves = [each for each in tried if abs(each * line.points % 1 - 0.5) < 1e-9 and abs(each) < 1e6]
    assert len(halves) >= 6  # a number, and the floats beside it
    near = jumps_of(own, [{"age": 31.0}])["age"]
    assert any(31.0 - 1 / abs(line.points) <= each <= 31.0 + 1 / abs(line.points) for each in near)


def test_a_certificate_says_how_the_card_was_made_and_is_verified_by_its_model(tmp_path: Path) -> None:
    exported = cw.export(card("cuts"), "python")
    exported.save(tmp_path / "card.py")
    proof = cw.prove(exported, ROWS, most=40)
    assert proof.certificate.scorecard == {
        "positive": "yes",
        "points_per_doubling": 20.0,
        "base": 600.0,
        "cuts": {"age": [30.0, 50.0], "n": [0.5]},
        "bins": None,
    }
    cw.save(model_of("cuts"), tmp_path / "model.json")
    again = cw.verify(proof.certificate, tmp_path / "card.py", tmp_path / "model.json", ROWS)
    assert again.passed, again.because
    assert cw.verify(proof.certificate, tmp_path / "card.py", card("cuts"), ROWS).passed
    other = cw.verify(proof.certificate, tmp_path / "card.py", card("units"), ROWS)
    assert other.because == "the model is not the one that the certificate is of."


def test_a_certificate_of_a_card_that_was_changed_is_damaged(tmp_path: Path) -> None:
    exported = cw.export(card("units"), "python")
    exported.save(tmp_path / "card.py")
    certificate = cw.prove(exported, most=10).certificate.to_json()
    changed: list[dict[str, Any]] = [
        {"colour": 1},
        {"cuts": 5},
        {"cuts": {"age": ["x"]}},
        {"base": "low"},
        {"points_per_doubling": 10**400},
    ]
    for broken in changed:
        with pytest.raises(SettingError, match="'scorecard' is not as it was written"):
            cw.verify({**certificate, "scorecard": broken}, tmp_path / "card.py", model_of("units"))
    other = cw.verify(
        {**certificate, "scorecard": {"cuts": {"height": [3.0]}}}, tmp_path / "card.py", model_of("units")
    )
    assert (other.status, "No number in the model called 'height'" in other.because) == ("failed", True)


def test_a_tree_is_not_the_model_of_a_card(tmp_path: Path) -> None:
    exported = cw.export(card("units"), "python")
    exported.save(tmp_path / "card.py")
    certificate = cw.prove(exported, most=10).certificate
    proof = cw.verify(certificate, tmp_path / "card.py", cw.CART(max_depth=2).learn(table()))
    assert proof.because == "the model is not the one that the certificate is of."


def test_a_certificate_says_whether_points_were_compared() -> None:
    proof = cw.prove(cw.export(card("units"), "sql"), most=20)
    assert proof.certificate.points_compared
    assert ": predictions and points equal, probabilities to 1e-12\n" in str(proof)
    short = cw.export(card("few points"), "sql", form="expression")
    assert any("without the points" in each for each in short.notes)
    proof = cw.prove(short, most=20)
    assert proof.passed
    assert not proof.certificate.points_compared
    assert ": predictions equal; probabilities and points not compared\n" in str(proof)


def test_a_difference_in_points_is_in_the_certificate() -> None:
    exported = cw.export(card("units"), "python")
    wrong = replace(exported, content=exported.text.replace("points = (", "points = (1.0 + "))
    listed = cw.prove(wrong, most=20).certificate.to_json()["differences"][0]
    assert listed["given_points"] == listed["expected_points"] + 1


def test_what_is_no_program_of_sums_refuses_a_card_with_the_way_out() -> None:
    for format in ("dot", "mermaid", "dmn"):
        with pytest.raises(SettingError, match=r"a scorecard of \d+ lines"):
            cw.export(card("units"), format)


def test_dmn_names_the_tables_that_hold_what_adds_up() -> None:
    for of in (card("units"), model_of("units"), model_of("curves")):
        with pytest.raises(SettingError, match=r"which adds up\. Export it to markdown or csv"):
            cw.export(of, "dmn")


def test_a_table_names_all_that_it_can_hold_where_it_refuses_an_ensemble() -> None:
    for format in ("csv", "markdown", "dmn"):
        with pytest.raises(SettingError, match=r"an ensemble of 2 members\. Export it to excel"):
            cw.export(cw.Bagging(trees=2).learn(table()), format)
