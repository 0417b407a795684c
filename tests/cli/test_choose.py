"""`clearwood choose` as a person uses it: a table, a recommendation, files; and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clearwood as cw
from clearwood.models.lineage import Chosen
from tests.cli.conftest import Command

TENNIS = str(cw.datasets.path("tennis"))


def test_the_recommendation_stands_under_the_table(clearwood: Command) -> None:
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", "-l", "id3", "-l", "cart:max_depth=1")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith(
        "PlayTennis of 14 rows by accuracy (more is better): 10 folds, the same rows"
    )
    assert "→ id3 " in outcome.out
    assert "Take id3: accuracy 0.800 ± 0.111, reading size 9." in outcome.out
    assert "cart:max_depth=1" in outcome.out


def test_files_are_written(clearwood: Command, tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("best.json", "chart.svg", "page.html", "out.csv")]
    save, chart, page, predictions = map(str, places)
    files = ["--save", save, "--chart", chart, "--report", page, "--predictions", predictions]
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", "-l", "id3", "-l", "bayes", *files)
    assert outcome.code == 0, outcome.err
    assert cw.load(places[0]).origin.after == (Chosen(("id3", "bayes"), "accuracy"),)
    assert places[1].read_text(encoding="utf-8").startswith("<?xml")
    assert "Which model to take" in places[2].read_text(encoding="utf-8")
    assert places[3].read_text(encoding="utf-8").startswith("contender,row,part,true,predicted,weight,")


def test_json_has_all_of_it(clearwood: Command) -> None:
    options = ["--yardstick", "knn", "--costs", "No/Yes:5", "--leave-one-out", "--json"]
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", "-l", "id3", "-l", "bayes", *options)
    data = json.loads(outcome.out)
    assert (data["score"], data["parts"]) == ("cost", 14)
    assert {each["name"] for each in data["contenders"]} == {"id3", "bayes", "knn"}
    assert data["recommended"] in ("id3", "bayes")


def test_a_budget_says_who_is_left_out(clearwood: Command) -> None:
    options = ["-l", "id3", "-l", "gam", "--budget", "0.001"]
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", *options)
    assert outcome.code == 0, outcome.err
    assert "note: gam is left out: it would take about" in outcome.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-l", "idd3"], "No learner 'idd3'. Did you mean 'id3'?"),
        (["-l", "svm"], "'svm' is no learner of ours: give it as --yardstick svm."),
        (["--yardstick", "smv"], "No yardstick 'smv'. Did you mean 'svm'?"),
        (["-l", "id3:max_deep=2"], "No setting of id3 called 'max_deep'."),
        (["-l", "id3", "-l", "id3"], "--learner id3 is given twice."),
        (["--score", "acuracy"], "No score 'acuracy'. Did you mean 'accuracy'?"),
        (["--positive", "Maybe"], "No class 'Maybe'."),
        (["--costs", "No/Yes"], "--costs takes"),
        (["--chart", "x.gif"], "--chart writes .svg, .png, .pdf, not 'x.gif'."),
        (["--report", "x.txt"], "--report writes .html, .htm, .pdf, not 'x.txt'."),
        (["--save", "nowhere/x.json"], "there is no directory nowhere"),
        (["--budget", "-1"], "budget must be above 0 seconds"),
        (["--test-part", "0.3", "--cross-validate", "3"], "Give --test-part or --cross-validate, not both."),
    ],
)
def test_what_it_refuses(clearwood: Command, options: list[str], sentence: str) -> None:
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", *options)
    assert outcome.code == 2 or outcome.code == 1
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
