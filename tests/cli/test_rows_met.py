"""What a model met in rows that judge it: unseen values, empty cells and drift, said by every command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood.measures.stability_index import stability_index
from clearwood.study.profiling import drift_since_training
from tests.cli.conftest import Command


def rows(seed: int, *, later: bool) -> dict[str, list[object]]:
    dice = np.random.default_rng(seed)
    purpose = dice.choice(["car", "home", "tv"], 400).astype(object)
    age = dice.normal(40, 10, 400).round(1).astype(object)
    score = dice.normal(size=400) + 1.5 * later
    if later:
        purpose[:93] = "crypto"
        age[100:120] = None
    y = np.where(score + (purpose == "car") > dice.normal(size=400), "good", "bad")
    return {"purpose": purpose.tolist(), "age": age.tolist(), "score": score.tolist(), "y": y.tolist()}


def written(path: Path, columns: dict[str, list[object]]) -> Path:
    lines = [
        ",".join("" if each is None else str(each) for each in row)
        for row in zip(*columns.values(), strict=True)
    ]
    path.write_text("\n".join([",".join(columns), *lines, ""]), encoding="utf-8")
    return path


@pytest.fixture
def models(clearwood: Command, tmp_path: Path) -> tuple[str, str]:
    """Two models of early.csv; same.csv and next.csv beside them."""
    written(tmp_path / "early.csv", rows(0, later=False))
    written(tmp_path / "same.csv", rows(1, later=False))
    written(tmp_path / "next.csv", rows(2, later=True))
    for name in ("bayes", "logistic"):
        assert clearwood("fit", "early.csv", "-t", "y", "-l", name, "--save", f"{name}.json").code == 0
    return "bayes.json", "logistic.json"


def test_each_command_that_judges_says_what_the_model_met(
    clearwood: Command, models: tuple[str, str]
) -> None:
    commands = [("evaluate", models[0]), ("calibration", models[0]), ("compare", *models), ("diff", *models)]
    commands += [("report", "--model", models[0], "-o", "page.html")]
    for command in commands:
        met = clearwood(*command, "next.csv").err
        if command[0] == "report":  # the page is not for whoever started it alone
            assert "Drift since training" in Path("page.html").read_text(encoding="utf-8")
        assert "93 cells with an unseen value ('crypto')" in met, command
        assert "age: 20 empty cells" in met
        assert "Drift since training, by the population stability index: " in met
        assert "purpose 1." in met.split("stability index: ", 1)[1]
        quiet = clearwood(*command, "same.csv").err
        assert "Drift" not in quiet
        assert "unseen" not in quiet


def test_the_figures_are_in_the_json_and_are_those_of_the_definition(
    clearwood: Command, models: tuple[str, str]
) -> None:
    told = clearwood("evaluate", models[0], "next.csv", "--json").json
    assert told["unusable"]["purpose"] == {"unseen": 93, "missing": 0, "not_numbers": 0}
    assert told["unusable"]["age"]["missing"] == 20
    early, later = rows(0, later=False)["purpose"], rows(2, later=True)["purpose"]
    values = ["car", "home", "tv", "crypto"]
    index = stability_index(*([each.count(value) for value in values] for each in (early, later)))
    assert told["drift"]["purpose"]["psi"] == pytest.approx(index)
    assert told["drift"]["purpose"]["changed"]
    assert told["drift"]["purpose"]["p"] < 0.0001


def test_a_model_without_a_profile_knows_no_drift() -> None:
    table = cw.read_table(rows(0, later=False), target="y")
    model = cw.NaiveBayes().learn(table)
    assert model.profile is None
    assert drift_since_training(model, table) == ()
