"""Which rows judge, as options say it: folds, repeats, groups, time, samples, and what contradicts itself."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Command


@pytest.fixture
def credit(tmp_path: Path) -> Path:
    chance = np.random.default_rng(3)
    lines = ["customer,day,income,class"]
    for _ in range(120):
        income = chance.integers(10, 90)
        good = income + chance.normal(0, 15) > 45
        day = f"2024-{chance.integers(1, 13):02}-{chance.integers(1, 28):02}"
        lines.append(f"K{chance.integers(0, 25):03},{day},{income},{'good' if good else 'bad'}")
    place = tmp_path / "credit.csv"
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--cross-validate", "4x3"], "4 folds, 3 times)"),
        (["--cross-validate", "4x3", "--group", "customer"], "4 folds of groups by customer, 3 times)"),
        (["--time", "day"], "5 steps in time by day)"),
        (["--time", "day", "--cross-validate", "3", "--window", "90", "--gap", "7"], "by day, sliding)"),
        (["--leave-one-out", "--group", "customer"], "groups by customer left out)"),
        (["--bootstrap", "20"], "20 bootstrap samples); by the .632+ estimate"),
        (["--folds-in", "customer"], "folds given by customer)"),
    ],
)
def test_a_model_is_judged_as_the_options_say(
    clearwood: Command, credit: Path, options: list[str], words: str
) -> None:
    outcome = clearwood("fit", credit, "-t", "class", *options)
    assert outcome.code == 0, outcome.err
    assert words in outcome.out
    if "customer" in options or "day" in options:
        assert "for evaluation, so it is not learned from." in outcome.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--group", "customer"], "Say also how: --cross-validate 10"),
        (["--cross-validate", "10x0"], "a number of folds, such as 10"),
        (["--cross-validate", "500"], "between 2 and the number of rows (120), not 500"),
        (["--cross-validate", "5", "--bootstrap", "9"], "Give --cross-validate or --bootstrap, not both."),
        (["--window", "9"], "--window is for evaluation by time"),
        (["--time", "day", "--group", "customer"], "--group has no effect beside --time"),
        (["--time", "day", "--cross-validate", "3x2"], "Splits by time cannot be repeated"),
        (["--time", "class"], "'class' is what is predicted"),
        (["--cross-validate", "4", "--group", "custmer"], "Did you mean 'customer'?"),
        (["--no-stratify"], "--no-stratify is for"),
        (["--predictions", "p.csv"], "Say also how: --cross-validate 10"),
    ],
)
def test_what_contradicts_itself_is_refused_with_a_sentence(
    clearwood: Command, credit: Path, options: list[str], sentence: str
) -> None:
    outcome = clearwood("fit", credit, "-t", "class", *options)
    assert outcome.code != 0
    assert sentence in outcome.err


def test_predictions_out_of_fold_are_written_row_by_row(clearwood: Command, credit: Path) -> None:
    assert (
        clearwood("fit", credit, "-t", "class", "--cross-validate", "5", "--predictions", "p.csv").code == 0
    )
    with Path("p.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert sorted(int(row["row"]) for row in rows) == list(range(1, 121))
    assert {row["part"] for row in rows} == set("12345")
    data = list(csv.DictReader(credit.open(encoding="utf-8")))
    assert all(data[int(row["row"]) - 1]["class"] == row["true"] for row in rows)
    assert all(float(row["share of good"]) + float(row["share of bad"]) == pytest.approx(1) for row in rows)


def test_the_design_and_its_correction_are_in_the_json(clearwood: Command, credit: Path) -> None:
    judged = clearwood("fit", credit, "-t", "class", "--bootstrap", "15", "--json").json["cross_validation"]
    assert judged["design"] == "15 bootstrap samples"
    bootstrap = judged["bootstrap"]
    assert bootstrap["training"] <= bootstrap["estimate_632_plus"] <= bootstrap["no_information"]


def test_held_out_groups_are_printed_with_an_interval_of_groups(clearwood: Command, credit: Path) -> None:
    options = ["-t", "class", "-l", "cart", "--test-part", "0.4", "--group", "customer"]
    lines = clearwood("fit", credit, *options).out.splitlines()
    held_out = next(line for line in lines if line.startswith("held out"))
    assert re.search(r"95 % interval [0-9.]+ to [0-9.]+ %, by groups", held_out)
    training = next(line for line in lines if line.startswith("training"))
    assert "interval" not in training


def test_fit_leaves_out_the_interval_of_training_rows_that_belong_together(
    clearwood: Command, tmp_path: Path
) -> None:
    lines = [f"{i % 13},k{i // 4},{'ab'[i % 13 > 5]}" for i in range(80)]
    (tmp_path / "d.csv").write_text("\n".join(["x,g,y", *lines, ""]))
    asked = ("fit", "d.csv", "-t", "y", "-l", "cart", "--test-part", 0.3, "--json")
    assert clearwood(*asked, "--group", "g").json["training"]["interval"] is None
    assert clearwood(*asked).json["training"]["interval"] is not None
