"""`--balance`: the classes of the training rows are balanced, and what is printed says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood.models.lineage import Balanced
from tests.balancing.rare_classes import rare_table
from tests.cli.conftest import Command


@pytest.fixture
def rare(tmp_path: Path) -> Path:
    table = rare_table(300)
    names = list(table.columns)
    cells = [table.columns[name].tolist() for name in names]
    words = {"size": ["S", "M", "L", "XL"], "color": ["red", "green", "blue"], "class": ["common", "rare"]}
    lines = [
        ",".join(
            str(words[name][cell]) if name in words else f"{cell:.3f}"
            for name, cell in zip(names, row, strict=True)
        )
        for row in zip(*cells, strict=True)
    ]
    place = tmp_path / "rare.csv"
    place.write_text("\n".join([",".join(names), *lines]))
    return place


@pytest.mark.parametrize(
    "by", ["weights", "under:ratio=0.5", "over", "smote:k=3", "smote-nc", "tomek", "enn"]
)
def test_fit_balances_prints_it_and_keeps_it_in_the_model(clearwood: Command, rare: Path, by: str) -> None:
    done = clearwood("fit", rare, "-t", "class", "-l", "ripper", "--balance", by, "--save", "m.json")
    assert done.code == 0
    name = by.partition(":")[0]
    assert f"of the training rows balanced by {name} (common" in done.out
    model = cw.load(rare.parent / "m.json")
    (entry,) = [each for each in model.origin.after if isinstance(each, Balanced)]
    assert entry.by == name
    assert model.origin.rows == 300
    shown = clearwood("derive", rare, "--model", "m.json")
    assert shown.code == 0


def test_class_weights_are_written_by_class(clearwood: Command, rare: Path) -> None:
    done = clearwood("fit", rare, "-t", "class", "--balance", "weights:by_class=rare:5,common:1", "--json")
    assert done.code == 0
    entry = done.json["model"]["origin"]["after"][0]
    assert entry["settings"]["by_class"] == {"rare": 5.0, "common": 1.0}
    odds = np.array(entry["after"]) / (np.array(entry["before"]) * [1, 5])
    assert odds[0] == pytest.approx(odds[1])


def test_the_seed_of_the_command_is_that_of_the_balance(clearwood: Command, rare: Path) -> None:
    done = clearwood("fit", rare, "-t", "class", "--balance", "under", "--seed", 7, "--json")
    assert done.json["model"]["origin"]["after"][0]["settings"]["seed"] == 7
    assert "changes nothing" not in done.err


def test_folds_balance_their_training_rows(clearwood: Command, rare: Path) -> None:
    done = clearwood(
        "fit", rare, "-t", "class", "-l", "cart", "--balance", "over", "--cross-validate", 3, "-q"
    )
    assert done.code == 0
    assert "3 folds" in done.out


def test_a_report_is_written_of_a_balanced_model(clearwood: Command, rare: Path) -> None:
    done = clearwood("report", rare, "-t", "class", "-l", "cart", "--balance", "under", "-o", "r.html")
    assert done.code == 0
    assert "of the training rows balanced by under" in (rare.parent / "r.html").read_text()


@pytest.mark.parametrize(
    ("balance", "sentence"),
    [
        ("smot", "Did you mean 'smote'"),
        ("under:ratio=3", "ratio must lie above 0 and at most 1"),
        ("under:ratio", "NAME=VALUE"),
        ("over:k=3", "No setting of over called 'k'"),
        ("tomek:k=3", "tomek has no settings"),
        ("weights:by_class=rar:3", "Did you mean 'rare'"),
        ("smote:k=400", "balance by over or weights"),
    ],
)
def test_a_wrong_balance_is_refused_in_a_sentence(
    clearwood: Command, rare: Path, balance: str, sentence: str
) -> None:
    done = clearwood("fit", rare, "-t", "class", "--balance", balance)
    assert done.code == 2
    assert sentence in done.err.replace("\n", " ")


def test_a_saved_model_is_not_balanced(clearwood: Command, rare: Path) -> None:
    clearwood("fit", rare, "-t", "class", "--save", "m.json")
    done = clearwood("report", rare, "--model", "m.json", "--balance", "under", "-o", "r.html")
    assert done.code == 2
    assert "--balance is for learning" in done.err


def test_numbers_are_not_balanced(clearwood: Command, rare: Path) -> None:
    done = clearwood("fit", rare, "-t", "x", "--balance", "under")
    assert done.code == 2
    assert "'x' is a number" in done.err


def test_learners_lists_the_ways_to_balance_and_their_settings(clearwood: Command) -> None:
    done = clearwood("learners", "smote")
    assert "ratio" in done.out
    assert "nearest rows of its class" in done.out
    assert clearwood("learners", "under", "--json").json["under"]["draws"] == "by seed"
    assert "Did you mean 'smote'" in clearwood("learners", "smot").err
