"""`clearwood decide`, `fit --cutoff` and `fit --protected`: what they print, save and refuse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from tests.cli.conftest import Command


@pytest.fixture
def saved(clearwood: Command, tmp_path: Path) -> Path:
    """A model of early.csv; later.csv beside it."""
    rng = np.random.default_rng(0)
    for name, rows in (("early.csv", 300), ("later.csv", 200)):
        x, sex = rng.normal(size=rows), rng.choice(["f", "m"], rows)
        bad = rng.random(rows) < 1 / (1 + np.exp(1.5 - 1.5 * x))
        lines = [f"{a:.2f},{s},{'bad' if b else 'good'}" for a, s, b in zip(x, sex, bad, strict=True)]
        (tmp_path / name).write_text("x,sex,class\n" + "\n".join(lines) + "\n")
    assert clearwood("fit", "early.csv", "-t", "class", "-l", "bayes", "--save", "m.json").code == 0
    return tmp_path / "m.json"


def test_fresh_rows_set_a_cutoff_that_the_saved_model_keeps(clearwood: Command, saved: Path) -> None:
    done = clearwood("decide", saved, "later.csv", "--cutoff", "bad:recall=0.8", "--save", "new.json")
    assert done.code == 0
    assert "for a recall of at least 0.8, on 200 rows given for it" in done.out
    assert "← chosen" in done.out
    assert "These rows chose the cutoff" in done.err
    model = cw.load("new.json")
    assert model.decision.cutoff is not None
    assert clearwood("show", "new.json").code == 0
    assert "These rows chose the cutoff" in clearwood("calibration", "new.json", "later.csv").err


def test_a_cutoff_for_cost_without_costs_says_that_none_are_given(clearwood: Command, saved: Path) -> None:
    done = clearwood("decide", saved, "later.csv", "--cutoff", "bad:cost", "--save", "new.json")
    assert done.code == 0
    assert "for the fewest mistakes, as no costs are given" in done.out
    assert "No costs are given: every mistake counts the same. Give --costs" in done.err
    assert "expected cost" not in clearwood("evaluate", "new.json", "early.csv").out
    stated = clearwood("decide", saved, "later.csv", "--cutoff", "bad:cost", "--costs", "bad/good:5")
    assert "No costs are given" not in stated.err


def test_json_has_the_decision_the_table_and_the_curve(clearwood: Command, saved: Path) -> None:
    data = clearwood(
        "decide", saved, "later.csv", "--cutoff", "bad:cost", "--costs", "bad/good:5", "--refer", "0.6",
        "--calibrate", "platt", "--json",
    ).json  # fmt: skip
    assert data["decision"]["cutoff"]["positive"] == "bad"
    assert data["decision"]["refer"] == 0.6
    assert data["decision"]["calibration"]["method"] == "platt"
    assert [each["did"] for each in data["done"]] == ["calibrated", "decided", "decided"]
    assert sum(line["chosen"] for line in data["cutoffs"]["cutoffs"]) == 1
    assert "cost" in data["cutoffs"]["cutoffs"][0]
    assert data["coverage"]["chosen"] == 0.6


def test_what_is_given_needs_no_rows_and_a_picture_is_drawn(clearwood: Command, saved: Path) -> None:
    given = clearwood("decide", saved, "--cutoff", "bad:0.3", "--refer", "0.55", "--save", "g.json")
    assert given.code == 0
    assert cw.load("g.json").decision.cutoff == cw.Cutoff("bad", 0.3)
    assert "Predicts bad from a probability of 0.3 on." in given.out
    drawn = clearwood("decide", saved, "later.csv", "--positive", "bad", "-o", "c.svg")
    assert drawn.code == 0
    assert Path("c.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "Nothing is asked for"),
        (("--cutoff", "bad:recall=0.8"), "needs DATA"),
        (("--cutoff", "bad"), "takes CLASS:SHARE"),
        (("--cutoff", "bad:gain=3"), "takes recall=SHARE"),
        (("--cutoff", "worse:0.3"), "No class 'worse'"),
        (("--cutoff", "bad:1.3"), "numbers from 0 to 1"),
        (("--refer", "speed=0.3"), "accuracy=SHARE"),
        (("--calibrate", "plat"), "No method 'plat'"),
        (("later.csv", "--cutoff", "bad:precision=1"), "No cutoff on the probability of bad"),
        (("early.csv", "--calibrate", "platt"), "learned from"),
        (("later.csv", "--positive", "bad", "-o", "c.txt"), "a picture's name ends"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    clearwood: Command, saved: Path, options: tuple[str, ...], sentence: str
) -> None:
    done = clearwood("decide", saved, *options)
    assert done.code != 0
    assert sentence in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_few_rows_for_isotonic_steps_are_noted(clearwood: Command, saved: Path, tmp_path: Path) -> None:
    lines = (tmp_path / "later.csv").read_text().splitlines()
    (tmp_path / "few.csv").write_text("\n".join(lines[:60]) + "\n")
    assert "follow chance" in clearwood("decide", saved, "few.csv", "--calibrate", "isotonic").err


def test_fit_decides_by_folds_of_the_training_rows(clearwood: Command, saved: Path) -> None:
    done = clearwood(
        "fit", "early.csv", "-t", "class", "-l", "bayes", "--cutoff", "bad:recall=0.8",
        "--calibrate", "platt", "--refer", "0.55", "--test-part", "0.3", "--save", "f.json", "-q",
    )  # fmt: skip
    assert done.code == 0
    assert "these rows also chose the calibration and the cutoff" in " ".join(done.out.split())
    about_good = clearwood(
        "fit", "early.csv", "-t", "class", "--test-part", "0.3", "--cutoff", "good:0.6", "-q"
    )
    assert "for good: recall" in about_good.out
    decision = cw.load("f.json").decision
    assert decision.cutoff is not None
    assert decision.refer == 0.55
    assert decision.calibration is not None
    assert saved.exists()


def test_fit_learns_without_protected_columns_and_compares_their_groups(
    clearwood: Command, saved: Path
) -> None:
    done = clearwood(
        "fit", "early.csv", "-t", "class", "--protected", "sex", "--favourable", "good", "--test-part", "0.4",
        "--save", "p.json",
    )  # fmt: skip
    assert done.code == 0
    assert "By sex, about the class bad" in done.out
    assert "Four-fifths rule: predicted good" in done.out
    assert "sex from the asked columns: AUC" in done.out
    assert cw.load("p.json").schema["sex"] == cw.Ignored("sex", "it is protected")
    data = clearwood("fit", "early.csv", "-t", "class", "--protected", "sex", "--json").json
    assert data["fairness"]["groups"][0]["column"] == "sex"
    assert "training rows" not in data["fairness"]["on"]
    unjudged = ["--protected", "sex", "--no-judge", "--json"]
    assert "training rows" in clearwood("fit", "early.csv", "-t", "class", *unjudged).json["fairness"]["on"]
    assert "cannot be set aside" in clearwood("fit", "early.csv", "-t", "class", "--protected", "class").err
    assert saved.exists()


def test_evaluate_compares_the_groups_of_a_column_that_the_model_never_saw(
    clearwood: Command, saved: Path
) -> None:
    assert clearwood("fit", "early.csv", "-t", "class", "--protected", "sex", "--save", "p.json").code == 0
    done = clearwood("evaluate", "p.json", "later.csv", "--by", "sex", "--favourable", "good")
    assert done.code == 0
    assert "By sex, about the class bad" in done.out
    assert "Four-fifths rule: predicted good" in done.out
    assert "Brier score" in done.out.split("Four-fifths rule")[1]
    data = clearwood("evaluate", "p.json", "later.csv", "--by", "sex,x", "--json").json
    assert [each["column"] for each in data["by_group"]] == ["sex", "x"]
    assert data["by_group"][0]["scores"][0]["scores"]["auc"]["interval"] is not None
    assert "No column 'seks'" in clearwood("evaluate", "p.json", "later.csv", "--by", "seks").err
    assert saved.exists()


def test_calibration_shows_a_calibrated_model_before_and_after(clearwood: Command, saved: Path) -> None:
    assert clearwood("decide", saved, "later.csv", "--calibrate", "platt", "--save", "c.json").code == 0
    done = clearwood("calibration", "c.json", "early.csv")
    assert "Platt's curve  log loss" in done.out
    assert "recalibration" in clearwood("calibration", "c.json", "early.csv", "--json").json


@pytest.mark.usefixtures("saved")
def test_the_report_has_sections_on_deciding_and_on_fairness(clearwood: Command) -> None:
    done = clearwood(
        "report", "early.csv", "-t", "class", "-l", "bayes", "--cutoff", "bad:recall=0.8", "--refer", "0.55",
        "--calibrate", "platt", "--protected", "sex", "--favourable", "good", "-o", "r.html",
    )  # fmt: skip
    assert done.code == 0
    page = Path("r.html").read_text()
    decides = page.split('<section id="decision"', 1)[1].split("</section>", 1)[0]
    for words in (
        "Cutoffs on the probability of bad",
        "Coverage and accuracy",
        "Calibration by Platt",
        "(chosen)",
    ):
        assert words in decides
    fair = page.split('<section id="fairness"', 1)[1].split("</section>", 1)[0]
    for words in ("sex is protected", "demographic parity", "Four-fifths rule", "Proxies of sex"):
        assert words in fair
    plain = cw.report("early.csv", target="class", learner=cw.C45(), folds=3).html
    assert '<section id="decision"' not in plain


def test_the_report_of_a_saved_model_compares_groups_and_says_whether_it_asks_them(
    clearwood: Command, saved: Path
) -> None:
    given = ("--protected", "sex", "--favourable", "good", "-o", "q.html")
    assert clearwood("report", "later.csv", "-m", saved, *given).code == 0
    fair = Path("q.html").read_text().split('<section id="fairness"', 1)[1].split("</section>", 1)[0]
    for words in ("demographic parity", "Four-fifths rule", "Proxies of sex"):
        assert words in fair
    asks = "sex" in {each.name for each in cw.load(saved).schema.inputs}
    assert ("may use" in fair) == asks
    clearwood("fit", "early.csv", "-t", "class", "--protected", "sex", "--save", "p.json")
    assert clearwood("report", "later.csv", "-m", "p.json", *given).code == 0
    fair = Path("q.html").read_text().split('<section id="fairness"', 1)[1].split("</section>", 1)[0]
    assert "the model does not use" in fair
    made = cw.report("later.csv", model=cw.load("p.json"), protected=["sex"], favourable="good").study
    assert made.fairness is not None
    assert made.fairness.on == "on the held-out rows"
    assert (
        "No column 'sxe'"
        in clearwood("report", "later.csv", "-m", saved, "--protected", "sxe", "-o", "q.html").err
    )
