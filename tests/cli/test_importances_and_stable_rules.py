"""`importances` and `stable-rules` on the command line: what their functions in Python say."""

from __future__ import annotations

from pathlib import Path

import pytest

import clearwood as cw
from tests.cli.conftest import Command

DATA = cw.datasets.path("tennis_numeric")


@pytest.fixture
def forest(clearwood: Command, tmp_path: Path) -> Path:
    assert clearwood("fit", DATA, "-t", "Play", "-l", "forest", "--save", "f.json").code == 0
    return tmp_path / "f.json"


def test_importances_are_those_of_the_function(clearwood: Command, forest: Path) -> None:
    rows = cw.read_table(DATA, target="Play")
    worth = cw.permutation_importance(cw.load(forest), rows, shuffles=3, seed=4, loss="log loss")
    asked = ("importances", forest, DATA, "--shuffles", 3, "--seed", 4, "--loss", "log-loss")
    assert clearwood(*asked).out.strip() == str(worth)
    said = clearwood(*asked, "--json").json
    assert said["columns"][0]["name"] == worth.columns[0].name
    assert said["columns"][0]["importance"] == worth.columns[0].importance


def test_rows_that_a_model_learned_from_are_pointed_out(clearwood: Command, forest: Path) -> None:
    done = clearwood("importances", forest, DATA)
    assert "These are the rows that the model was learned from" in done.err
    assert "--out-of-bag" in done.err
    lines = DATA.read_text().splitlines()
    Path("others.csv").write_text("\n".join(lines[:10]) + "\n")
    assert clearwood("importances", forest, "others.csv").err == ""


def test_a_forest_is_judged_by_the_rows_that_its_trees_did_not_draw(clearwood: Command, forest: Path) -> None:
    rows = cw.read_table(DATA, target="Play")
    model = cw.load(forest)
    assert isinstance(model, cw.Ensemble)
    done = clearwood("importances", forest, DATA, "--out-of-bag")
    assert (done.out.strip(), done.err) == (str(cw.importances(model, rows)).strip(), "")
    assert clearwood("importances", forest, DATA, "--out-of-bag", "--json").json["trees"] == 100


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--loss", "squares"), "No loss 'squares'"),
        (("--loss", "squared-error"), "classes, which have no squares"),
        (("--out-of-bag", "--shuffles", "3"), "leave --loss, --shuffles out"),
    ],
)
def test_what_does_not_fit_is_refused(
    options: tuple[str, ...], sentence: str, clearwood: Command, forest: Path
) -> None:
    done = clearwood("importances", forest, DATA, *options)
    assert done.code == 2
    assert sentence in done.err


def test_a_tree_drew_no_rows(clearwood: Command) -> None:
    assert clearwood("fit", DATA, "-t", "Play", "--save", "t.json").code == 0
    done = clearwood("importances", "t.json", DATA, "--out-of-bag")
    assert done.code == 2
    assert "--out-of-bag is for forests" in done.err
    done = clearwood("stable-rules", "t.json", DATA)
    assert done.code == 2
    assert "stable-rules takes an Ensemble, not a Tree" in done.err


def test_stable_rules_are_those_of_the_function(clearwood: Command, forest: Path) -> None:
    rows = cw.read_table(DATA, target="Play")
    model = cw.load(forest)
    assert isinstance(model, cw.Ensemble)
    rules = cw.stable_rules(model, rows, depth=1, cuts=4, least=0.1, most=3)
    asked = ("--conditions", 1, "--parts", 4, "--least", 0.1, "--most", 3)
    done = clearwood("stable-rules", forest, DATA, *asked)
    assert done.out.strip() == str(rules)
    assert clearwood("stable-rules", forest, DATA, *asked, "--json").json["rules"] == rules.to_json()["rules"]
