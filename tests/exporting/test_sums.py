"""Points and weights as lines to add up, in Markdown and CSV: read back, they give what the model does."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import Any

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.exporting.tables import table_of
from clearwood.exporting.tables.sum_table import how_to_add, sum_table, sums_with_reading
from clearwood.exporting.tables.writing import cells_of_csv
from clearwood.models.decision import Cutoff, Decision, Platt
from tests.exporting.models_to_export import learners, made_table
from tests.exporting.test_cards import DECISIONS, ROWS, card, model_of, table

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
    words = {"cutoff": "from a probability of 0.3 up", "refer": "below 0.8", "costs": "least expected cost"}
    assert words[decision] in cw.export(model, "markdown").text


def test_a_card_reads_as_one() -> None:
    text = cw.export(card("cuts"), "markdown").text
    assert "A sum of S points is a probability 1 / (1 + 2^((600 - S) / 20)) of yes." in text
    assert "Above 600 points yes is predicted, else no." in text
    assert "| age | 30 < … ≤ 50 | 57 |" in text
    assert "| size | another value | 21 |" in text


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
        ("| start | 433 |", "| start | 432 |", ""),
        ("/ 20)", "/ 20.001)", ""),
        ("/ 20)", "/ 0)", "cannot be read back: No number of points doubles the odds"),
        ("/ 20)", "/ twenty)", "does not say how it is added up"),
        ("Above 600", "Above 601", "states two numbers as its base: 600 and 601"),
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
    assert bool(failed.different) == (because == "")


@pytest.mark.parametrize(
    ("decision", "old", "new"),
    [
        ("factors", "(yes 0.5, no 2)", "(yes 0.5, no 2.001)"),
        ("cutoff", "from a probability of 0.3 up", "from a probability of 0.9 up"),
        ("costs", "where yes is true, yes 0, no 4;", "where yes is true, yes 0, no 0.01;"),
        ("refer", "below 0.8 there", "below 0.99 there"),
    ],
)
def test_a_wrong_number_in_the_sentences_of_a_page_is_a_difference(decision: str, old: str, new: str) -> None:
    model = replace(
        model_of("units"), decision={**DECISIONS, "factors": Decision(factors=(0.5, 2.0))}[decision]
    )
    exported = cw.export(model, "markdown")
    assert old in exported.text
    failed = cw.prove(replace(exported, content=exported.text.replace(old, new)), ROWS, most=60)
    assert (failed.status, bool(failed.different)) == ("failed", True), failed.because


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


def test_the_formula_of_a_page_gives_the_shares_that_priors_make() -> None:
    model = cw.GAM(bags=1, seed=1, priors={"yes": 0.9, "no": 0.1}).learn(table())
    page = cw.export(model, "markdown").text
    stated = "A class's probability is e^sum times its factor ("
    assert f"{stated}yes " in page
    assert ", divided by the total of that of all; the sum of yes is 0." in page
    [(yes, no)] = re.findall(r"factor \(yes ([\d.e-]+), no ([\d.e-]+)\)", page)
    plain = cw.shares(replace(model, decision=Decision()), ROWS[:5])
    for (_, own), given in zip(plain, cw.shares(model, ROWS[:5]), strict=True):
        power = own / (1 - own)  # e^sum
        assert given[1] == pytest.approx(float(no) * power / (float(yes) + float(no) * power), rel=1e-9)
    for format in FORMATS:
        check(model, format, 60)
    wrong = cw.export(model, "markdown")
    wrong = replace(
        wrong,
        content=re.sub(
            r"A class's probability is.*?is 0\.", "A sum S is a probability 1 / (1 + e^-S) of no.", wrong.text
        ),
    )
    assert "does not say how it is added up" in cw.prove(wrong, most=10).because


def test_a_file_says_by_itself_how_its_points_become_a_share_and_an_answer() -> None:
    lines = list(csv.reader(io.StringIO(cw.export(card("cuts"), "csv").text)))
    how = next(at for at, line in enumerate(lines) if line[1] == "how to add up")
    assert "1 / (1 + 2^((600 - S) / 20)) of yes. Above 600 points yes is predicted" in lines[how][2]
    assert [line[1:] for line in lines[how + 1 :]] == [
        ["link", "points"],
        ["favoured class", "yes"],
        ["base", "600"],
        ["points that double the odds", "20"],
    ]


@pytest.mark.parametrize(
    ("of", "line", "instead"),
    [
        ("card", "base,600", "base,601"),
        ("card", "favoured class,yes", "favoured class,no"),
        ("card", "points that double the odds,20", "points that double the odds,21"),
        ("weights", "factor of no,2", "factor of no,3"),
        (
            "weights",
            "least probability of no to predict it,0.25",
            "least probability of no to predict it,0.9",
        ),
        ("weights", "reference class,yes", "reference class,no"),
    ],
)
def test_a_file_is_read_by_what_its_lines_state(of: str, line: str, instead: str) -> None:
    decision = Decision(factors=(0.5, 2.0), cutoff=Cutoff("no", 0.25))
    own: Any = card("cuts") if of == "card" else replace(model_of("units"), decision=decision)
    exported = cw.export(own, "csv")
    text = exported.text
    assert f",{line}\n" in text
    changed = replace(exported, content=text.replace(f",{line}\n", f",{instead}\n"))
    assert "in words" in cw.prove(changed, most=20).because
    read, _ = sums_with_reading(sum_table(own), cells_of_csv(changed.text))
    alike = replace(exported, content=changed.text.replace(how_to_add(sum_table(own)), how_to_add(read)))
    proof = cw.prove(alike, ROWS, most=60)
    assert proof.status == "failed"
    assert proof.different, proof.because


def test_costs_are_named_by_their_classes() -> None:
    page = cw.export(replace(model_of("units"), decision=DECISIONS["costs"]), "markdown").text
    assert "What predictions cost: where yes is true, yes 0, no 4; where no is true, yes 1, no 0." in page
    check(replace(model_of("units"), decision=DECISIONS["costs"]), "csv", 40)
