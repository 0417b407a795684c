"""Naive Bayes and logistic regression at the command line, and Bayes' rule as a calculator."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from io import StringIO
from math import exp
from pathlib import Path
from typing import Any

import pytest

import clearwood as cw
from clearwood import datasets
from clearwood.errors import SettingError
from clearwood.models.kinds.kind import NumbersProfile, Profile
from tests.cli.conftest import Command

TABLE = datasets.path("tennis_numeric")
ROW = "Outlook=Sunny,Humidity=70"


@pytest.fixture
def bayes(clearwood: Command) -> str:
    assert clearwood("fit", TABLE, "-t", "Play", "-l", "bayes", "--save", "nb.json").code == 0
    return "nb.json"


@pytest.fixture
def logistic(clearwood: Command) -> str:
    result = clearwood("fit", TABLE, "-t", "Play", "-l", "logistic", "-s", "penalty=l2", "--save", "lr.json")
    assert result.code == 0
    return "lr.json"


@pytest.mark.slow
def test_bayes_prints_counts_and_fractions(clearwood: Command) -> None:
    result = clearwood("fit", datasets.path("buys_computer"), "-t", "buys_computer", "-l", "bayes")
    assert "P(income | buys_computer)" in result.out
    assert "(2+1)/(9+3) = 0.25" in result.out
    assert "training  " in result.out


def test_logistic_prints_weights_with_odds_ratios_intervals_and_tests(
    clearwood: Command, tmp_path: Path
) -> None:
    rows = "\n".join(f"{hours},{passed}" for hours, passed in enumerate("nnynnyynyyy"))
    (tmp_path / "exam.csv").write_text(f"hours,passed\n{rows}\n")
    result = clearwood("fit", "exam.csv", "-t", "passed", "-l", "logistic", "--kind", "hours=numeric")
    head = r"log odds of passed = y against n +weight +std. error +odds ratio +95 % interval +z +p\n"
    assert re.search(head + r"\(intercept\) .*\nhours +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ to [\d.]+", result.out)


def test_separation_is_a_note_in_the_words_of_a_shell(clearwood: Command) -> None:
    result = clearwood("fit", TABLE, "-t", "Play", "-l", "logistic")
    assert result.code == 0
    assert "note: The classes are completely separated" in result.err
    assert "--set penalty=l2" in result.err


@pytest.mark.parametrize("learner", ["bayes", "logistic"])
def test_fit_answers_as_json(clearwood: Command, learner: str) -> None:
    data = clearwood("fit", TABLE, "-t", "Play", "-l", learner, "--cross-validate", 2, "--json").json
    assert data["model"]["schema"]["target"]["name"] == "Play"
    assert data["training"]["accuracy"] > 0.7


def test_many_values_are_cut_to_a_page(clearwood: Command, tmp_path: Path) -> None:
    rows = "\n".join(f"v{i % 70},w{i % 50},{'ab'[i % 2]}" for i in range(700))
    (tmp_path / "many.csv").write_text(f"x,z,y\n{rows}\n")
    result = clearwood("fit", "many.csv", "-t", "y", "-l", "bayes")
    assert len(result.out.partition("\n\n")[2].splitlines()) < 70  # beneath the verdict
    assert "more lines. To see all, save and show it." in result.out


def test_bayes_rule_is_worked_out_as_in_the_book(clearwood: Command) -> None:
    result = clearwood("bayes-rule", "--prior", 0.008, "--sensitivity", 0.98, "--false-positive", 0.03)
    assert result.out.splitlines()[-1] == "P(yes | positive) = 0.00784 / 0.0376 = 0.208511"
    other = clearwood("bayes-rule", "--prior", 0.008, "--sensitivity", 0.98, "--specificity", 0.97, "--json")
    assert other.json["posterior"] == pytest.approx(0.208510638, abs=1e-9)


def test_bayes_rule_shows_how_every_number_came_about(clearwood: Command) -> None:
    given = ("bayes-rule", "--prior", 0.008, "--sensitivity", 0.98, "--false-positive", 0.03)
    result = clearwood(*given, "--detail", "full")
    assert "P(positive) = P(yes and positive) + P(no and positive)" in result.out
    assert "0.00784/0.0376" in result.out
    wrong = clearwood(*given, "--detail", "fulll")
    assert wrong.code == 2
    assert "Did you mean 'full'" in wrong.err


@pytest.mark.parametrize("prior", [0, 1])
def test_no_test_moves_a_certain_prior(clearwood: Command, prior: int) -> None:
    result = clearwood(
        "bayes-rule", "--prior", prior, "--sensitivity", 0.9, "--false-positive", 0.1, "--json"
    )
    assert result.json["posterior"] == prior


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (("--prior", 1.5, "--sensitivity", 1, "--specificity", 0), "prior must be a probability"),
        (("--prior", 0.5, "--sensitivity", -1, "--specificity", 0), "sensitivity must be a probability"),
        (("--prior", 0.5, "--sensitivity", 1, "--specificity", 97), "specificity must be a probability"),
        (("--prior", 0.5, "--sensitivity", 1), "Give --false-positive or --specificity"),
        (
            ("--prior", 0.5, "--sensitivity", 1, "--specificity", 1, "--false-positive", 0),
            "Give --false-positive or --specificity",
        ),
        (("--prior", 0, "--sensitivity", 1, "--specificity", 1), "the test is never positive"),
    ],
)
def test_what_is_no_probability_is_refused(
    clearwood: Command, given: tuple[object, ...], sentence: str
) -> None:
    result = clearwood("bayes-rule", *given)
    assert result.code == 2
    assert sentence in result.err


@pytest.mark.parametrize("model", ["bayes", "logistic"])
def test_evidence_adds_up_to_the_answer(
    clearwood: Command, model: str, request: pytest.FixtureRequest
) -> None:
    place = request.getfixturevalue(model)
    output = clearwood("evidence", place, "--row", ROW, "--positive", "Play", "--json").json
    together = sum(bar["log_odds"] for bar in output["bars"])
    assert output["shares"]["Play"] == pytest.approx(1 / (1 + exp(-together)))
    row = {"Outlook": "Sunny", "Humidity": 70.0, "Temperature": None, "Wind": None}
    assert output["shares"] == pytest.approx(cw.row_predictor(cw.load(place)).shares(row))
    text = clearwood("evidence", place, "--row", ROW).out
    assert "Humidity: 70" in text
    assert text.splitlines()[1].startswith({"bayes": "prior", "logistic": "average row"}[model])


@pytest.mark.parametrize(
    ("reference", "humidity", "compared"),
    [
        (None, None, "the average row"),
        ("average", None, "the average row"),
        ("zero", 0.0, None),
        ("Humidity=90,Outlook=Rain", 90.0, "the given row"),
    ],
)
def test_a_linear_piece_is_weight_times_what_differs_from_the_reference(
    clearwood: Command, logistic: str, reference: str | None, humidity: float | None, compared: str | None
) -> None:
    model = cw.load(logistic)
    assert isinstance(model, cw.LinearModel)
    weight = {str(term): each for term, each in zip(model.terms, model.weights[0], strict=True)}
    option = () if reference is None else ("--relative-to", reference)
    data = clearwood(
        "evidence", logistic, "--row", ROW, "--positive", model.contrasts[0], *option, "--json"
    ).json
    humid = next(bar["log_odds"] for bar in data["bars"] if bar["name"] == "Humidity")
    usual = float(model.fills["Humidity"]) if humidity is None else humidity
    assert humid == pytest.approx((70 - usual) * weight["Humidity"])
    assert data["compared_with"] == compared
    together = sum(bar["log_odds"] for bar in data["bars"])
    assert data["shares"][model.contrasts[0]] == pytest.approx(1 / (1 + exp(-together)))


def test_a_reference_that_is_none_is_refused(clearwood: Command, logistic: str, bayes: str) -> None:
    result = clearwood("evidence", logistic, "--row", ROW, "--relative-to", "middle")
    assert result.code == 2
    assert "--relative-to is average, zero, best or a row" in result.err
    assert (
        "against is for linear models"
        in clearwood("evidence", bayes, "--row", ROW, "--relative-to", "zero").err
    )


def test_explain_says_what_the_cells_are_compared_with(clearwood: Command, logistic: str) -> None:
    assert "each cell compared with the average row" in clearwood("explain", logistic, "--row", ROW).out
    given = clearwood("explain", logistic, "--row", ROW, "--relative-to", "Humidity=90", "--json").json
    assert given["why"]["compared_with"] == "the given row"


@pytest.mark.parametrize(
    ("reference", "against", "title"),
    [
        ("average", "average", "Compared with the average row"),
        ("best", "best", "Compared with the row most in favour of "),
        ("Humidity=90", {"Humidity": 90}, "Compared with the given row"),
        ("zero", "zero", None),
    ],
)
def test_derive_compares_the_row_with_the_reference_that_is_asked_for(
    clearwood: Command, logistic: str, reference: str, against: Any, title: str | None
) -> None:
    asked = ("derive", "-m", logistic, "--row", ROW, "--relative-to", reference, "--json")
    steps = [step["title"] for step in clearwood(*asked).json["steps"]]
    compared = [each for each in steps if each.startswith("Compared with")]
    assert [each.startswith(title or "") for each in compared] == [True] * (title is not None)
    in_python = cw.derive(cw.load(logistic), row={"Humidity": 70}, against=against)
    assert [step.title for step in in_python if step.title.startswith("Compared")][:1] == compared


def test_derive_refuses_a_reference_without_a_row_or_without_weights(
    clearwood: Command, logistic: str, bayes: str
) -> None:
    no_row = clearwood("derive", "-m", logistic, "--relative-to", "zero")
    assert no_row.code == 2
    assert "but no row is given. Leave it out." in no_row.err
    no_weights = clearwood("derive", "-m", bayes, "--row", ROW, "--relative-to", "zero")
    assert no_weights.code == 2
    assert "in a linear model, but this is Bayes tables of 4 columns." in no_weights.err
    with pytest.raises(SettingError, match="against is for linear models"):
        cw.derive(cw.load(bayes), row={"Humidity": 70}, against="zero")
    with pytest.raises(SettingError, match="no row is given"):
        cw.derive(cw.load(logistic), against="zero")


@pytest.mark.parametrize("command", [("explain",), ("evidence",), ("derive", "-m")])
def test_a_word_for_a_number_in_a_reference_names_the_option_that_gave_it(
    clearwood: Command, logistic: str, command: tuple[str, ...]
) -> None:
    result = clearwood(*command, logistic, "--row", ROW, "--relative-to", "Humidity=damp")
    assert result.code == 2
    assert "Column 'Humidity' is numeric, but --relative-to says 'damp'. Give a number." in result.err


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("Outlok=Sunny", "No column 'Outlok'. Did you mean 'Outlook'?"),
        ("Humidity=high", "Column 'Humidity' is numeric, but --row says 'high'. Give a number."),
        ("Outlook", "--row takes COLUMN=VALUE, not 'Outlook'."),
    ],
)
def test_a_row_that_does_not_fit_is_refused(clearwood: Command, bayes: str, row: str, sentence: str) -> None:
    result = clearwood("evidence", bayes, "--row", row)
    assert result.code == 2
    assert sentence in result.err


def test_a_value_never_met_and_an_empty_one_are_evidence_too(clearwood: Command, bayes: str) -> None:
    data = clearwood("evidence", bayes, "--row", "Outlook=Foggy, grey", "--row", "Wind=?", "--json").json
    standing = {each["name"]: (each["standing"], each["value"]) for each in data["pieces"]}
    assert standing["Outlook"] == ("unseen", "Foggy, grey")
    assert standing["Wind"] == ("missing", None)


def test_trees_and_rules_have_no_evidence_to_add_up(clearwood: Command, model: Path) -> None:
    result = clearwood("evidence", model, "--row", "Wind=Weak")
    assert result.code == 2
    assert "clearwood explain MODEL --row" in result.err


def test_any_model_is_calibrated(clearwood: Command, bayes: str, logistic: str, tmp_path: Path) -> None:
    assert clearwood("fit", TABLE, "-t", "Play", "-l", "ripper", "--save", "rules.json").code == 0
    # Three days with the other class again: rules without an error on the days alone have some here.
    head, *days = TABLE.read_text().splitlines()
    other = {"Play": "Don't Play", "Don't Play": "Play"}
    turned = [f"{cells},{other[play]}" for cells, play in (day.rsplit(",", 1) for day in days[:3])]
    (tmp_path / "more.csv").write_text("\n".join([head, *days, *turned]))
    for place in (bayes, logistic, "rules.json"):
        result = clearwood("calibration", place, "more.csv")
        assert result.out.startswith("log loss ")
        assert "probability of Play" in result.out
        figures = clearwood("calibration", place, "more.csv", "--bins", 4, "--equal", "rows", "--json").json
        assert 0 < figures["brier"] < 0.3


def test_calibration_needs_what_came_true(clearwood: Command, bayes: str, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("Outlook,Temperature,Humidity,Wind\nSunny,20,70,Weak\n")
    result = clearwood("calibration", bayes, "new.csv")
    assert result.code == 2
    assert "lacks the true classes. No column 'Play'." in result.err


def test_a_scorecard_is_printed_and_answers_as_json(clearwood: Command, logistic: str) -> None:
    result = clearwood("scorecard", logistic, "--points-per-doubling", 10, "--cuts", "Humidity=75,85")
    assert "75 < Humidity ≤ 85" in result.out
    card = clearwood("scorecard", logistic, "--json").json
    assert card["points_per_doubling"] == 20
    assert {"when": "Outlook = Sunny", "points": 0} in card["lines"]


def test_points_come_from_weights_alone(clearwood: Command, bayes: str, logistic: str) -> None:
    assert "points come from weights" in clearwood("scorecard", bayes).err
    assert "Did you mean 'Humidity'?" in clearwood("scorecard", logistic, "--cuts", "Humidty=75").err
    assert "are numbers with commas" in clearwood("scorecard", logistic, "--cuts", "Humidity=a").err


def test_predictions_move_with_the_prevalence(clearwood: Command, bayes: str) -> None:
    def shares(*more: object) -> list[float]:
        result = clearwood("predict", bayes, TABLE, "--shares", *more)
        return [float(row["share_Play"]) for row in csv.DictReader(StringIO(result.out))]

    assert all(rare < usual for rare, usual in zip(shares("--prevalence", "Play:0.1"), shares(), strict=True))
    assert set(shares("--prevalence", "Play:1")) == {1.0}
    wrong = clearwood("predict", bayes, TABLE, "--prevalence", "Play:1.2")
    assert "must lie from 0 to 1" in wrong.err
    assert "takes CLASS:NUMBER" in clearwood("predict", bayes, TABLE, "--prevalence", "Play").err


def test_prevalence_is_for_bayes_models(clearwood: Command, logistic: str) -> None:
    result = clearwood("predict", logistic, TABLE, "--prevalence", "Play:0.1")
    assert result.code == 2
    assert "--set priors=CLASS:SHARE" in result.err


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["bayes", "logistic"])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "empty"),
        ("x,y\n", "rows"),
        ("x,z,y\n1,a,\n2,b,\n", "y"),
        ("x,z,w\n1,a,1\n", "No column 'y'"),
    ],
)
def test_tables_that_teach_nothing_are_refused_in_a_sentence(
    clearwood: Command, tmp_path: Path, learner: str, text: str, sentence: str
) -> None:
    (tmp_path / "t.csv").write_text(text)
    result = clearwood("fit", "t.csv", "-t", "y", "-l", learner)
    assert result.code == 2
    assert sentence in result.err
    assert "Traceback" not in result.err


@pytest.fixture
def with_gaps(tmp_path: Path) -> Path:
    place = tmp_path / "new.csv"
    place.write_text(
        "Outlook,Temperature,Humidity,Wind\n"
        "Sunny,24,80,Weak\nFoggy,24,80,Weak\n,24,80,Strng\nRain,20,70,Weak\n"
    )
    return place


@pytest.mark.parametrize("model", ["bayes", "logistic"])
def test_predict_counts_the_cells_that_it_could_not_use(
    clearwood: Command, model: str, with_gaps: Path, request: pytest.FixtureRequest
) -> None:
    place = request.getfixturevalue(model)
    data = clearwood("predict", place, with_gaps, "--json").json
    assert data["unusable"] == {
        "Outlook": {"unseen": 1, "missing": 1, "not_numbers": 0},
        "Wind": {"unseen": 1, "missing": 0, "not_numbers": 0},
    }
    new = "Outlook: 1 cell with an unseen value ('Foggy') and 1 empty cell"
    assert new in data["notes"][0]
    assert "note: Outlook: 1 cell" in clearwood("predict", place, with_gaps).err


def test_predict_refuses_such_rows_by_strict(clearwood: Command, logistic: str, with_gaps: Path) -> None:
    result = clearwood("predict", logistic, with_gaps, "--strict")
    assert (result.code, result.out) == (2, "")
    assert "row 2 (Outlook = 'Foggy'); row 3 (Outlook is empty, Wind = 'Strng')" in result.err


def test_predict_marks_such_rows_in_a_column(clearwood: Command, logistic: str, with_gaps: Path) -> None:
    lines = clearwood("predict", logistic, with_gaps, "--flag-cells", "not_used").out.splitlines()
    assert lines[0].endswith(",prediction,not_used")
    assert [line.rsplit(",", 1)[1] for line in lines[1:]] == [
        "",
        "Outlook unseen",
        "Outlook missing; Wind unseen",
        "",
    ]


def test_weights_per_standard_deviation_need_a_profile(clearwood: Command, logistic: str, bayes: str) -> None:
    model = cw.load(logistic)
    assert isinstance(model, cw.LinearModel)
    columns = {name: NumbersProfile(20.0, 5.0, (), 14.0) for name in ("Temperature", "Humidity")}
    cw.save(replace(model, profile=None), "without.json")
    cw.save(replace(model, profile=Profile(14, 14.0, columns)), "with.json")
    assert "has no profile of its training rows" in clearwood("show", "without.json", "--per", "sd").err
    shown = clearwood("show", "with.json", "--per", "sd").out
    assert "Humidity  (per standard deviation, 5)" in shown
    assert "--per is for the weights of a linear model" in clearwood("show", bayes, "--per", "sd").err


def test_a_model_that_fit_saved_is_shown_per_standard_deviation(clearwood: Command, logistic: str) -> None:
    done = clearwood("show", logistic, "--per", "sd")
    assert done.code == 0, done.err
    assert "(per standard deviation, " in done.out


def test_where_there_is_no_profile_the_sentence_says_how_to_get_one(
    clearwood: Command, logistic: str
) -> None:
    model = cw.load(logistic)
    assert isinstance(model, cw.LinearModel)
    cw.save(replace(model, profile=None), "without.json")
    answers = " ".join(clearwood("show", "without.json", "--per", "sd").err.split())
    assert "clearwood fit --save keeps one; in Python give it one with with_profile(model, table)." in answers


@pytest.mark.parametrize("learner", ["logistic", "gam"])
def test_log_odds_are_printed_for_the_positive_class_named_or_guessed(
    clearwood: Command, tmp_path: Path, learner: str
) -> None:
    rows = [f"{hours % 9},{'left' if hours * 7 % 11 > 2 + hours % 9 else 'stayed'}" for hours in range(60)]
    (tmp_path / "staff.csv").write_text("\n".join(["hours,status", *rows]))
    fit = ("fit", "staff.csv", "-t", "status", "-l", learner, "--kind", "hours=numeric", "--no-judge")
    texts = {}
    for positive in ("left", "stayed"):
        learned = clearwood(*fit, "--positive", positive, "--save", "m.json")
        texts[positive] = clearwood("show", "m.json", "--positive", positive).out.rstrip()
        assert texts[positive] in learned.out
        assert re.search(rf"log odds of (status = )?{positive}\b", texts[positive], re.IGNORECASE)
    guessed = re.findall(r"Points are about (\w+)", clearwood("scorecard", "m.json").err)[0]
    assert clearwood("show", "m.json").out.rstrip() == texts[guessed]
    numbers = {name: re.findall(r"(?m)^hours +(.*)", text)[0].split() for name, text in texts.items()}
    if learner == "logistic":
        assert numbers["left"][0] == f"−{numbers['stayed'][0]}".replace("−−", "")
        odds = [float(numbers[name][2]) for name in texts]
        assert odds[0] * odds[1] == pytest.approx(1, rel=1e-3)
    else:  # from and to change sides, and where they are
        assert [each.strip("+−") for each in numbers["left"][1:3]] == [
            each.strip("+−") for each in numbers["stayed"][2:0:-1]
        ]
    assert "of two classes" in clearwood("show", "m.json", "--positive", "left", "--json").out
    for positive, other in (("left", "stayed"), ("stayed", "left")):
        clearwood("report", "staff.csv", "--model", "m.json", "--positive", positive, "-o", "page.html")
        page = (tmp_path / "page.html").read_text()
        assert re.search(rf"Log odds of {positive}\b", page)
        assert not re.search(rf"Log odds of {other}\b", page)
