"""`clearwood choose` as a person uses it: a table, a recommendation, files; and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from time import process_time

import pytest

import clearwood as cw
from clearwood.cli.commands import choose as command
from clearwood.models.lineage import Chosen
from tests.cli.conftest import Command

TENNIS = str(cw.datasets.path("tennis"))


def test_the_recommendation_stands_under_the_table(clearwood: Command) -> None:
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", "-l", "id3", "-l", "cart:max_depth=1")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("│ Verdict: Not shown to be better than always predicting Yes.\n")
    table = "\n\nPlayTennis of 14 rows by accuracy (more is better): 10 folds, the same rows"
    assert table in outcome.out
    assert "→ id3 " in outcome.out
    assert "Take id3: accuracy 0.714 ± 0.196, reading size 9." in outcome.out
    assert "cart:max_depth=1" in outcome.out


def test_a_group_alone_takes_ten_folds_of_groups(clearwood: Command, tmp_path: Path) -> None:
    lines = [f"c{row // 3},{row % 3},{'ab'[row % 2]}" for row in range(36)]
    (tmp_path / "rows.csv").write_text("\n".join(["customer,x,y", *lines]) + "\n")
    options = ["-t", "y", "-l", "id3", "-l", "bayes", "--group", "customer"]
    outcome = clearwood("choose", "rows.csv", *options)
    assert outcome.code == 0, outcome.err
    assert "10 folds" in outcome.out
    (tmp_path / "rows.csv").write_text("\n".join(["customer,x,y", *lines[:12]]) + "\n")
    few = clearwood("choose", "rows.csv", *options)
    assert few.code == 0, few.err
    assert "4 folds" in few.out


def test_a_contender_that_is_ahead_has_a_minus_and_the_table_says_so(clearwood: Command) -> None:
    options = ["-l", "cart:max_depth=1", "--yardstick", "knn"]
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", *options)
    assert outcome.code == 0, outcome.err
    (line,) = (each for each in outcome.out.splitlines() if each.startswith("  knn"))
    assert "  −0." in line
    assert "with a minus: ahead of it." in " ".join(outcome.out.split())


def test_refusals_of_contenders_advise_in_words_of_the_shell(clearwood: Command, tmp_path: Path) -> None:
    lines = [f"{row % 7 or ''},{row % 5},{'ab'[row % 3 == 0]}" for row in range(40)]
    (tmp_path / "rows.csv").write_text("\n".join(["x,z,y", *lines]) + "\n")
    refused = clearwood("choose", "rows.csv", "-t", "y", "-l", "c45", "-l", "id3", "--balance", "smote")
    assert refused.code == 2
    assert "Leave the column out: --ignore x, fill it" in refused.err
    assert "ignore=" not in refused.err
    options = ["-l", "c45", "--yardstick", "knn", "--balance", "smote"]  # yardsticks learn as rows are
    some = clearwood("choose", "rows.csv", "-t", "y", *options)
    assert some.code == 0, some.err
    assert "Leave the column out: --ignore x, fill it" in " ".join(some.out.split())


def test_more_columns_than_there_are_cannot_be_kept_and_no_argument_of_python_is_named(
    clearwood: Command,
) -> None:
    refused = clearwood("fit", TENNIS, "-t", "PlayTennis", "-l", "id3", "--select", "99")
    assert refused.code == 2
    assert "99 cannot be kept: there are only 4 columns to choose from." in refused.err


def test_a_group_that_is_left_out_by_hand_is_to_be_left_in(clearwood: Command) -> None:
    options = ["--group", "Wind", "--ignore", "Wind", "--cross-validate", "2"]
    refused = clearwood("fit", TENNIS, "-t", "PlayTennis", "-l", "id3", *options)
    assert refused.code == 2
    assert "do without --ignore Wind " in refused.err


def test_an_estimate_counts_contenders_and_parts(clearwood: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_LONG", 0.0)
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", "-l", "id3", "-l", "bayes")
    assert "for 2 contenders in 10 parts, by a sample of the rows." in outcome.err


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


def test_who_is_stopped_by_the_budget_stands_in_the_table_by_name(
    clearwood: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Which contender is the quicker one is seen by processor time: tests share their machine.
    monkeypatch.setattr("clearwood.study.contest.planning.perf_counter", process_time)
    options = ["-l", "id3", "-l", "gam", "--budget", "0.001"]
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", *options)
    assert outcome.code == 0, outcome.err
    assert re.search(r"^  gam +no time$", outcome.out, re.MULTILINE)
    assert "gam: Not evaluated for lack of time: it would take about" in outcome.out
    data = json.loads(clearwood("choose", TENNIS, "-t", "PlayTennis", *options, "--json").out)
    assert [each["stopped"] for each in data["contenders"]] == [False, True]


def test_rows_are_prepared_and_answers_decided_within_every_part(clearwood: Command, tmp_path: Path) -> None:
    steps = ["--select", "2", "--balance", "over", "--calibrate", "platt", "--seed", "3"]
    options = ["-l", "id3", "-l", "bayes", "--yardstick", "knn", "--cross-validate", "3", *steps]
    saved = tmp_path / "best.json"
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", *options, "--save", str(saved), "--json")
    assert outcome.code == 0, outcome.err
    notes = json.loads(outcome.out)["notes"]
    assert (
        "Within every part, for each learner: columns selected by mrmr, rows balanced by over, "
        "probabilities calibrated by platt."
    ) in notes
    assert "Reference models learn from the rows as they are: knn." in notes
    done = cw.load(saved).origin.after
    assert [type(each).__name__ for each in done] == ["Selected", "Balanced", "Calibrated", "Chosen"]
    table = cw.read_table(TENNIS, target="PlayTennis")
    recipe = cw.Recipe(
        cw.ID3(),
        before=(cw.Selection(keep=2), cw.Balance("over", seed=3)),
        after=(cw.Deciding(calibrate="platt", seed=3),),
    )
    alone = cw.choose(table, {"id3": recipe}, design=cw.Folds(3, 3))["id3"]
    judged = {each["name"]: each for each in json.loads(outcome.out)["contenders"]}
    assert judged["id3"]["scores"] == list(alone.scores)


def test_columns_are_selected_with_each_contender_where_a_selector_tries_one(clearwood: Command) -> None:
    options = ["-l", "id3", "-l", "bayes", "--cross-validate", "2", "--select", "forward:1"]
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", *options)
    assert outcome.code == 0, outcome.err
    assert "for each learner: columns selected by forward." in outcome.err


@pytest.mark.parametrize(
    "command", [["choose", "-l", "cart"], ["tune", "-l", "cart", "--grid", "max_depth=1,2"]]
)
@pytest.mark.parametrize("step", [["--balance", "over"], ["--calibrate", "platt"], ["--refer", "0.8"]])
def test_what_is_for_classes_is_refused_for_numbers(
    clearwood: Command, command: list[str], step: list[str], tmp_path: Path
) -> None:
    rows = tmp_path / "numbers.csv"
    rows.write_text("x,y\n" + "".join(f"{k % 7},{k * k / 3}\n" for k in range(30)), encoding="utf-8")
    outcome = clearwood(command[0], str(rows), "-t", "y", *command[1:], *step)
    assert outcome.code != 0
    assert "are for classes, but the target is a number." in outcome.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-l", "idd3"], "No learner 'idd3'. Did you mean 'id3'?"),
        (
            ["-l", "svm"],
            "'svm' is not a learner of Clearwood: give it as a reference model, --yardstick svm.",
        ),
        (["--yardstick", "smv"], "No yardstick 'smv'. Did you mean 'svm'?"),
        (["-l", "id3:max_deep=2"], "No setting of id3 called 'max_deep'."),
        (["-l", "id3", "-l", "id3"], "--learner id3 is given twice."),
        (["--score", "acuracy"], "No score 'acuracy'. Did you mean 'accuracy'?"),
        (["--positive", "Maybe"], "No class 'Maybe'."),
        (["--costs", "No/Yes"], "--costs takes"),
        (["--chart", "x.gif"], "--chart writes .svg, .png, .pdf, not 'x.gif'."),
        (["--report", "x.txt"], "--report writes .html, .htm, .pdf, not 'x.txt'."),
        (["--save", "nowhere/x.json"], "there is no directory nowhere"),
        (["--costs", "No/Yes:2", "--cutoff", "No:0.3"], "Give --costs, by which every contender decides, or"),
        (["--select", "mrmmr:2"], "No selector 'mrmmr'. Did you mean 'mrmr'"),
        (["--balance", "ovr"], "'ovr'. Did you mean 'over'"),
        (["--budget", "-1"], "budget must be above 0 seconds"),
        (["--test-part", "0.3", "--cross-validate", "3"], "Give --test-part or --cross-validate, not both."),
    ],
)
def test_what_it_refuses(clearwood: Command, options: list[str], sentence: str) -> None:
    outcome = clearwood("choose", TENNIS, "-t", "PlayTennis", *options)
    assert outcome.code == 2 or outcome.code == 2
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
