"""Points and weights as lines to add up, in Markdown and CSV: read back, they give what the model does."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.export.tables import table_of
from clearwood.models.decision import Cutoff, Decision, Platt
from tests.export.models_to_export import learners, made_table
from tests.export.test_cards import DECISIONS, ROWS, card, model_of

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
FORMATS = ("csv", "markdown")


def check(of: Any, format: str, most: int = 120) -> None:
    proof = cw.prove(cw.export(of, format), ROWS, most=most)
    assert proof.status == "passed", (proof.because, [str(each) for each in proof.different[:3]])


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ["units", "cuts", "curves in few intervals"])
def test_the_lines_of_a_card_add_up_to_its_points(name: str, format: str) -> None:
    check(card(name), format)


@pytest.mark.parametrize("format", FORMATS)
def test_weights_of_two_or_more_classes_add_up(format: str) -> None:
    check(model_of("units"), format)
    check(learners()["logistic"].learn(made_table(100)), format)


def test_curves_add_up_to_shares_or_to_a_number() -> None:
    check(model_of("curves"), "csv", 60)
    number = cw.GAM(bags=2).learn(made_table(100, numeric=True))
    assert cw.prove(cw.export(number, "markdown"), most=40).passed


@pytest.mark.parametrize("decision", list(DECISIONS))
def test_the_page_says_how_is_decided_and_decides_so(decision: str) -> None:
    model = replace(model_of("units"), decision=DECISIONS[decision])
    for of in (model, cw.scorecard(model)):
        check(of, "markdown", 40)
    words = {"cutoff": "from a share of 0.3 up", "refer": "below 0.8", "costs": "least expected cost"}
    assert words[decision] in cw.export(model, "markdown").text


def test_a_card_reads_as_one() -> None:
    text = cw.export(card("cuts"), "markdown").text
    assert "A sum of S points is a share 1 / (1 + 2^((600 - S) / 20)) of no." in text
    assert "Above 600 points no answers, else yes." in text
    assert "| age | 30 < … ≤ 50 | 57 |" in text
    assert "| size | another value | 36 |" in text


def test_an_intercept_and_weights_are_written_without_loss() -> None:
    model = model_of("units")
    lines = list(csv.reader(io.StringIO(cw.export(model, "csv").text)))
    assert lines[0] == ["column", "cell", "log odds of no"]
    assert lines[1] == ["", "start", repr(model.intercepts[0])]
    age = next(line for line in lines if line[:2] == ["age", "each unit"])
    weight = next(w for term, w in zip(model.terms, model.weights[0], strict=True) if term.name == "age")
    assert float(age[2]) == weight


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("| 57 |", "| 58 |", ""),
        ("| start | 495 |", "| start | 494 |", ""),
        ("/ 20)", "/ 30)", "does not say how it is added up"),
        ("| column | cell | points |", "| column | cell | weight |", "the heading of column 3"),
        ("| 57 |", "| many |", "cannot be read back"),
    ],
)
def test_a_page_that_says_something_else_fails_the_proof(old: str, new: str, because: str) -> None:
    exported = cw.export(card("cuts"), "markdown")
    assert old in exported.text
    failed = cw.prove(replace(exported, content=exported.text.replace(old, new, 1)), most=60)
    assert failed.status == "failed"
    assert because in failed.because


@pytest.mark.parametrize("format", FORMATS)
def test_names_and_values_that_are_words_of_the_table_are_read_back(format: str) -> None:
    values = ("each unit", "another value", "start", "is missing", "a|b", "=1", "", "-5 to 3")
    names = ("column", "", "=x|y")
    schema = cw.Schema(tuple(cw.Nominal(each, values) for each in names), cw.Nominal("c", ("p", "q")))
    rows = [
        {**{name: values[(at * (k + 1)) % 8] for k, name in enumerate(names)}, "c": "pq"[at % 3 == 0]}
        for at in range(64)
    ]
    model = cw.Logistic(penalty="l2").learn(cw.encode(rows, schema))
    for of in (model, cw.scorecard(model)):
        proof = cw.prove(cw.export(of, format), most=150)
        assert proof.status == "passed", (proof.because, [str(each) for each in proof.different[:3]])


def test_what_no_sum_says_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    mended = Decision(calibration=Platt((1.5, 0.7), (-0.2, 0.3)))
    with pytest.raises(SettingError, match=r"calibration or prevalence.*Export it to excel"):
        cw.export(replace(model_of("units"), decision=mended), "csv")
    monkeypatch.setattr(table_of, "MOST_LINES", 10)
    with pytest.raises(SettingError, match=r"would have \d+ lines. Make a scorecard of it"):
        cw.export(model_of("curves"), "markdown")


def test_priors_are_named_as_factors() -> None:
    model = replace(model_of("units"), decision=Decision(factors=(0.5, 2.0), cutoff=Cutoff("no", 0.25)))
    assert "times its factor (yes 0.5, no 2)" in cw.export(model, "markdown").text
    check(model, "csv", 40)
