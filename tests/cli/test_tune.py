"""`clearwood tune`: grids as typed, what is printed, saved, drawn and refused, and going on after an end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood.cli.commands.tune import grid_in
from clearwood.cli.output import _Work, time_left
from clearwood.errors import SettingError
from clearwood.learners.progress import Progress
from tests.cli.conftest import Command


@pytest.fixture
def credit(tmp_path: Path) -> Path:
    chance = np.random.default_rng(3)
    lines = ["customer,income,age,class"]
    for _ in range(150):
        income, age = chance.integers(10, 90), chance.integers(18, 80)
        good = income + age / 4 + chance.normal(0, 15) > 55
        lines.append(f"K{chance.integers(0, 25):03},{income},{age},{'good' if good else 'bad'}")
    place = tmp_path / "credit.csv"
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("max_depth=3..6", cw.Range(3, 6)),
        ("min_leaf=3..30:3", cw.Range(3, 30, 3)),
        ("alpha=0.001..0.1:log", cw.Range(0.001, 0.1, log=True)),
        ("alpha=1e-4..1e-2:log:9", cw.Range(1e-4, 1e-2, log=True, count=9)),
        ("alpha=0..0.01:0.005", cw.Range(0, 0.01, 0.005)),
        ("max_depth=3,none", (3, None)),
        ("alpha=cv,1se,0.01", ("cv", "1se", 0.01)),
        ("measure=gini,entropy", ("gini", "entropy")),
    ],
)
def test_values_are_typed_as_ranges_or_with_commas(text: str, values: object) -> None:
    name = text.partition("=")[0]
    assert dict(grid_in("cart", [text], cw.CART).over) == {name: values}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("max_depth", "--grid takes NAME=VALUES, not 'max_depth'"),
        ("max_dept=3..5", "Did you mean 'max_depth'?"),
        ("max_depth=3..x", "cannot be read. Write LOW..HIGH"),
        ("max_depth=3..9:log:x", "cannot be read"),
        ("max_depth=3..9:1:2", "cannot be read"),
        ("max_depth=9..3", "from low to high"),
        ("max_depth=deep", "max_depth takes a whole number or none, not 'deep'"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(SettingError) as refused:
        grid_in("cart", [text], cw.CART)
    assert sentence in str(refused.value)


def test_tuning_prints_what_was_tried_saves_the_model_and_draws(
    clearwood: Command, credit: Path, tmp_path: Path
) -> None:
    model, chart = tmp_path / "model.json", tmp_path / "curve.svg"
    grid = ["--grid", "max_depth=1..4", "--grid", "min_leaf=1,10"]
    more = ["--one-se", "--score", "auc", "--nested", "3", "--cross-validate", "4", "--seed", "1"]
    files = ["--save", str(model), "--chart", str(chart)]
    done = clearwood(
        "tune", str(credit), "-t", "class", "-l", "cart", "--ignore", "customer", *grid, *more, *files
    )
    assert done.code == 0, done.err
    assert "max_depth  min_leaf  AUC" in done.out
    assert "of 8 settings tried" in done.out
    assert "over 4 folds is optimistic" in done.out
    assert "over 3 outer folds, whose rows chose nothing, may be quoted" in done.out
    assert "AUC is about one class, taken to be 'bad'. For another: --positive CLASS." in done.err
    assert "<svg" in chart.read_text(encoding="utf-8")
    table = cw.read_table(credit, target="class", ignore=("customer",))
    learner_grid = {"max_depth": cw.Range(1, 4), "min_leaf": (1, 10)}
    tuned = cw.tune(cw.CART(), table, learner_grid, design=cw.Folds(4, 1), by="auc", one_se=True)
    assert cw.load(model) == tuned.model
    shown = clearwood("show", str(model))
    assert "Settings tuned by auc" in shown.out


def test_json_has_the_trials_and_the_model(clearwood: Command, credit: Path) -> None:
    how = ["--grid", "max_depth=1..9", "--draws", "3", "--group", "customer", "--json"]
    done = clearwood("tune", str(credit), "-t", "class", "-l", "cart", *how)
    assert done.code == 0, done.err
    data = json.loads(done.out)
    assert len(data["trials"]) == 3
    assert data["design"] == "10 folds of groups by customer"
    assert data["model"]["model"] == "tree"
    assert data["nested"] is None


def test_without_a_learner_the_usual_one_is_tuned(clearwood: Command, credit: Path) -> None:
    done = clearwood("tune", str(credit), "-t", "class", "--grid", "confidence=0.1,0.3", "-q")
    assert done.code == 0, done.err
    assert "--nested 5" in done.out
    number = clearwood("tune", str(credit), "-t", "income", "--grid", "max_depth=1..2")
    assert "The target is a number, so CART learns it" in number.err
    assert "RMSE" in number.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "--grid max_depth=3..10"),
        (["--grid", "max_dept=1..2"], "Did you mean 'max_depth'?"),
        (["--grid", "max_depth=1..2", "--set", "max_depth=3"], "given by --set and by --grid"),
        (["--grid", "max_depth=1..2", "--score", "ac"], "No score 'ac'"),
        (["--grid", "max_depth=1..2", "--one-se", "--test-part", "0.3"], "one part"),
        (["--grid", "max_depth=1..2", "--chart", "curve.txt"], "a picture's name ends in"),
        (["--grid", "max_depth=1..2", "--positive", "bad"], "--positive is for a score about one class"),
        (["--grid", "max_depth=1..2", "--score", "auc", "--costs", "bad/good:3"], "no effect on AUC"),
        (["--grid", "max_depth=1..2", "--costs", "bad/god:3"], "Did you mean 'good'?"),
        (["--grid", "max_depth=1..2", "--time", "day", "--group", "x"], "--group has no effect"),
    ],
)
def test_a_wrong_request_is_one_sentence(
    clearwood: Command, credit: Path, options: list[str], sentence: str
) -> None:
    done = clearwood("tune", str(credit), "-t", "class", "-l", "cart", *options)
    assert done.code != 0
    assert sentence in done.err
    assert "Traceback" not in done.err


def test_a_journal_is_gone_on_with_and_that_of_another_table_refused(
    clearwood: Command, credit: Path, tmp_path: Path
) -> None:
    journal = tmp_path / "journal.jsonl"
    tune = ["tune", str(credit), "-t", "class", "-l", "cart", "--grid", "max_depth=1..3", "-q"]
    first = clearwood(*tune, "--resume", str(journal))
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:11]) + lines[11][:9])
    again = clearwood(*tune, "--resume", str(journal))
    assert again.out == first.out == clearwood(*tune).out
    assert sorted(journal.read_bytes().splitlines(keepends=True)) == sorted(lines)
    credit.write_text(credit.read_text(encoding="utf-8") + "K001,20,30,bad\n", encoding="utf-8")
    refused = clearwood(*tune, "--resume", str(journal))
    assert refused.code != 0
    assert "is the journal of another table" in refused.err


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_an_interruption_keeps_the_folds_that_all_settings_have(credit: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    command = [sys.executable, "-m", "clearwood", "tune", str(credit), "-t", "class", "-l", "gam", "-q"]
    command += ["--grid", "bags=6..8", "--cross-validate", "40", "--resume", str(journal)]
    environment = {**os.environ, "CLEARWOOD_THREADS": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not journal.exists() or journal.read_bytes().count(b"\n") < 8):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 0, error
    assert "Tuning was interrupted after " in out
    assert " of 40 folds." in out


def test_the_time_left_of_folds_is_counted_from_the_first_fold_not_from_the_trees_before() -> None:
    work = _Work("Learning")
    for progress in (Progress(1, 50, "tree"), Progress(50, 50, "tree"), Progress(1, 5, "fold")):
        work.heed(progress)
    assert work.left == ""
    work.heed(Progress(2, 5, "fold"))
    assert work.left == ", less than 1 s left"


def test_the_time_left_is_said_in_round_numbers() -> None:
    assert time_left(89.2) == "about 90 s left"
    assert time_left(91) == "about 2 min left"


def test_rows_are_prepared_and_answers_decided_in_every_fold(clearwood: Command, tmp_path: Path) -> None:
    saved = tmp_path / "tree.json"
    steps = ["--select", "gain:2", "--balance", "over", "--calibrate", "platt", "--cross-validate", "3"]
    data = str(cw.datasets.path("tennis"))
    options = ["-t", "PlayTennis", "-l", "id3", "--grid", "max_depth=1,2", *steps, "--save", str(saved)]
    outcome = clearwood("tune", data, *options, "--json")
    assert outcome.code == 0, outcome.err
    recipe = cw.Recipe(
        cw.ID3(),
        before=(cw.Selection("gain", keep=2), cw.Balance("over")),
        after=(cw.Deciding(calibrate="platt"),),
    )
    table = cw.read_table(data, target="PlayTennis")
    alone = cw.tune(recipe, table, {"max_depth": (1, 2)}, design=cw.Folds(3))
    assert cw.load(saved) == alone.model
    done = {type(each).__name__ for each in alone.model.origin.after}
    assert done == {"Tuned", "Selected", "Balanced", "Calibrated"}


def test_one_setting_is_no_choice(clearwood: Command, credit: Path) -> None:
    outcome = clearwood("tune", str(credit), "-t", "class", "-l", "cart", "--grid", "max_depth=2")
    assert outcome.code == 0, outcome.err
    assert "There was nothing to choose: one setting was tried, max_depth = 2." in outcome.out
    assert "--nested" not in outcome.out
