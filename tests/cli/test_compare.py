"""`clearwood compare`: models on the same rows, learners by the same folds, scores of many tables."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from clearwood.cli import run
from tests.cli.conftest import Command
from tests.scoring.differences.demsar import AUC, LEARNERS


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows to learn from, later ones, and two models of the first."""
    chance = np.random.default_rng(2)
    lines = ["x,z,y"]
    for _ in range(200):
        x, z = chance.normal(size=2)
        lines.append(f"{x:.3f},{z:.3f},{'yes' if x + 0.5 * chance.normal() > 0 else 'no'}")
    place = tmp_path_factory.mktemp("compared")
    (place / "early.csv").write_text("\n".join(lines[:121]) + "\n")
    (place / "later.csv").write_text("\n".join([lines[0], *lines[121:]]) + "\n")
    (place / "small.csv").write_text("table,a\nx,1\ny,2\n")
    (place / "unnamed.csv").write_text("table,a,b\nx,1,2\n,2,1\n")
    assert run(["fit", str(place / "early.csv"), "-t", "x", "--save", str(place / "x.json"), "-q"]) == 0
    for name, more in (("a", ()), ("b", ("--ignore", "x"))):
        options = ("-t", "y", "-l", "cart", "--set", "max_depth=2", "-q", *more)
        assert run(["fit", str(place / "early.csv"), *options, "--save", str(place / f"{name}.json")]) == 0
    return place


@pytest.fixture
def folder(files: Path, tmp_path: Path) -> Path:
    """The same in the folder where commands run."""
    return Path(copytree(files, tmp_path, dirs_exist_ok=True))


@pytest.mark.usefixtures("folder")
def test_two_models_on_later_rows(clearwood: Command) -> None:
    done = clearwood("compare", "a.json", "b.json", "later.csv")
    assert done.code == 0, done.err
    assert "a.json and b.json on the same 80 rows" in done.out
    assert "a.json has a better accuracy than b.json." in done.out
    assert "Only b.json is right on row" in done.out
    data = clearwood("compare", "a.json", "b.json", "later.csv", "--json").json
    by_score = {each["score"]: each for each in data["differences"]}
    assert set(by_score) == {"accuracy", "auc", "brier"}
    assert by_score["accuracy"]["mcnemar"]["p"] == by_score["accuracy"]["p"] < 0.05
    assert data["agreements"][0]["only_first"] == len(data["agreements"][0]["rows_only_first"])


def test_rows_that_a_model_was_learned_from_are_named(clearwood: Command, folder: Path) -> None:
    done = clearwood("compare", "a.json", "b.json", "early.csv")
    assert done.code == 0
    assert "Nothing may be concluded of the accuracy of a.json and b.json" in " ".join(done.out.split())
    lines = (folder / "early.csv").read_text().splitlines()
    (folder / "turned.csv").write_text("\n".join([lines[0], *lines[:0:-1]]) + "\n")
    data = clearwood("compare", "a.json", "b.json", "turned.csv", "--json").json
    assert data["models"]["a.json"]["seen"] == "learned from these very rows"
    assert not data["differences"][0]["shown"]


def test_learners_by_the_same_folds_and_a_chart_of_their_differences(
    clearwood: Command, folder: Path
) -> None:
    learners = ("-l", "cart:max_depth=1", "-l", "c45:confidence=0.1", "-l", "bayes")
    asked = ("compare", "early.csv", "-t", "y", *learners, "--cross-validate", "5x2", "-o", "d.svg")
    done = clearwood(*asked)
    assert done.code == 0, done.err
    assert "5 folds, 2 times, the same rows for all." in " ".join(done.out.split())
    assert "Drawn to d.svg: Differences in accuracy at 95 %" in done.err
    assert (folder / "d.svg").read_text().startswith("<?xml")
    data = clearwood(*asked, "--json").json
    assert [len(each["scores"]) for each in data["learners"].values()] == [10, 10, 10]
    assert {each["comparisons"] for each in data["differences"]} == {3}
    assert data["saved"] == "d.svg"


@pytest.mark.slow
def test_a_table_of_scores_gives_demsars_figures(clearwood: Command, tmp_path: Path) -> None:
    lines = [
        ",".join(("table", *LEARNERS)),
        *(f"{name},{','.join(map(str, row))}" for name, row in AUC.items()),
    ]
    (tmp_path / "scores.csv").write_text("\n".join(lines) + "\n")
    done = clearwood("compare", "--scores", "scores.csv", "-o", "cd.png")
    assert done.code == 0, done.err
    assert "F(3, 39) 3.69, p 0.0198; χ² 9.28" in done.out
    assert "critical difference of mean ranks 1.25" in done.out
    assert (tmp_path / "cd.png").read_bytes().startswith(b"\x89PNG")
    wider = clearwood("compare", "--scores", "scores.csv", "--alpha", "0.1", "--json").json
    assert wider["groups"] == [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]
    errors = clearwood("compare", "--scores", "scores.csv", "--better", "less", "--json").json
    assert errors["friedman"]["mean_ranks"][0] == pytest.approx(5 - 3.143, abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "Name models and the rows to compare them on"),
        ("a.json", "a.json holds a model. Name another model, and last the rows"),
        ("a.json later.csv", "One model, a.json, and rows: name another model"),
        ("a.json b.json", "The last file is the rows to compare the models on, but b.json holds a model."),
        ("a.json a.json later.csv", "a.json is given twice."),
        ("a.json x.json later.csv", "'a.json' predicts y and 'x.json' x: only models of the same target"),
        ("a.json b.json later.csv -l cart", "--learner is for learners, but models are given"),
        ("a.json b.json later.csv --cross-validate 5", "--cross-validate is for learners"),
        ("a.json b.json later.csv -t y", "--target says what columns are, but models know"),
        ("a.json b.json later.csv --rope -1", "--rope is a difference from 0 up, not -1."),
        ("a.json b.json later.csv --costs x", "costs takes TRUE/PREDICTED:COST"),
        ("a.json b.json later.csv -o chart.txt", "Cannot draw to chart.txt"),
        ("a.json b.json later.csv --better less", "--better is for a table of scores"),
        ("later.csv -t y", "Which learners are to be compared?"),
        ("later.csv -t y -l cart", "One learner is given"),
        ("later.csv -t y -l cart -l cart", "--learner cart is given twice."),
        ("later.csv -t y -l cart -l c45 --score nope", "No score 'nope'."),
        ("later.csv -t y -l cart -l c45 --positive yes", "--positive names the class of scores"),
        ("later.csv -l cart -l c45", "Which column is to be predicted?"),
        ("--scores later.csv", "is not a number"),
        ("--scores later.csv a.json", "a.json is not for --scores"),
        ("--scores later.csv --costs no/yes:2", "--costs is not for --scores"),
        ("--scores later.csv -l cart", "--learner is not for --scores"),
        ("--scores small.csv", "A table of scores has the tables' names first"),
        ("--scores unnamed.csv", "row 2: the table has no name"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_is_ambiguous_or_makes_no_sense_is_refused(
    clearwood: Command, arguments: str, sentence: str
) -> None:
    done = clearwood("compare", *arguments.split())
    assert done.code == 2
    assert sentence in done.err
