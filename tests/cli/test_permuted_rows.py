"""The same rows in another order: every command says and writes the same."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

import clearwood as cw
from clearwood.catalogue import LEARNERS
from clearwood.cli import run
from clearwood.serving import serving
from tests.cli.conftest import Command
from tests.cli.test_options import SCENES, made_files, outcome, server_in_short

ORDER = random.Random(5).sample(range(30), 30)

# Commands that answer row by row, in the order of the file, or about the row that stands at a place.
LINE_BY_LINE = ("predict", "predict to a file")
BY_PLACE = ("explain a row of a file",)

# Marks of files and of rows as they lie, places of rows, times: the only things that the order decides.
MARKS = re.compile(
    r"\b[0-9a-f]{64}\b|\b[0-9a-f]{16}\b|\bcw[0-9a-f]{8}\b|\brows? \d+(, \d+)*|<?\d+(\.\d+)? m?s\b"
)


# Steps that draw rows, which no scene of the options has.
DRAWN = {
    "fit, calibrated": ("fit", "d.csv", "-t", "Play", "-l", "bayes", "--calibrate", "isotonic"),
    "decide, calibrated": ("decide", "bayes.json", "fresh.csv", "--calibrate", "platt", "--save", "o.json"),
    "overfitting of noise": ("overfitting", "d.csv", "-t", "Play", "--noise", "0.2"),
    "select by shadows": ("select", "d.csv", "-t", "Play", "--method", "shadows:rounds=3,trees=5"),
    "fit, balanced": ("fit", "d.csv", "-t", "Play", "-l", "cart", "--balance", "smote:k=2"),
    "fit, cleaned": ("fit", "d.csv", "-t", "Play", "-l", "cart", "--balance", "tomek"),
    "choose beside a forest": (
        "choose",
        "d.csv",
        "-t",
        "Play",
        "-l",
        "bayes",
        "--yardstick",
        "random_forest",
    ),
}
STATED = {**SCENES, **DRAWN}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The files of every scene, and the same with their rows in another order."""
    return (
        made_files(tmp_path_factory.mktemp("order"), range(30)),
        made_files(tmp_path_factory.mktemp("order"), ORDER),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "scene",
    [each for each in STATED if each not in BY_PLACE],
)
def test_every_command_says_the_same_of_rows_in_another_order(
    scene: str,
    folders: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(serving, "run_app", server_in_short)
    said: list[Any] = []
    for folder in folders:
        monkeypatch.chdir(folder)
        capsys.readouterr()
        lines = _lines(outcome(folder, capsys, STATED[scene]))
        said.append(sorted(lines) if scene in LINE_BY_LINE else lines)
    assert said[0] == said[1]


@pytest.mark.slow
@pytest.mark.parametrize("weights_are", ["", "counts", "importance", "sampling"])
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_saved_model_is_the_same_file(learner: str, weights_are: str, tmp_path: Path) -> None:
    """With its profile: sums of numbers that no double holds exactly end in other digits in another order."""
    chance = random.Random(8)
    rows = []
    for i in range(60):
        x, z, colour = chance.gauss(0, 1), chance.random() * 1e5, chance.choice("rgb")
        y = "yes" if x + (colour == "g") + chance.gauss(0, 0.5) > 0.2 else "no"
        rows.append(f"{x},{'' if i % 9 == 0 else z},{colour},{0.1 + chance.random()},{y}")
    written = []
    for turn, order in enumerate((range(60), chance.sample(range(60), 60))):
        data, saved = tmp_path / "d.csv", tmp_path / f"{turn}.json"
        data.write_text("\n".join(["x,z,colour,w,y", *(rows[i] for i in order)]) + "\n")
        weights = ("--weight", "w", "--weights-are", weights_are) if weights_are else ("--ignore", "w")
        fit = ("fit", str(data), "-t", "y", "-l", learner, *weights, "--no-judge", "-q", "--save", str(saved))
        assert run(fit) == 0
        written.append(MARKS.sub("", saved.read_text()))
    assert written[0] == written[1]


def _lines(left: tuple[Any, ...]) -> list[str]:
    """What a command leaves: its status, what it prints and writes, without marks."""
    code, out, err, files = left
    texts = [str(code), out, err, *(data.decode("utf-8", "replace") for _, data in files)]
    return [line.rstrip() for text in texts for line in MARKS.sub("", text).splitlines()]


@pytest.mark.parametrize("command", ["fit", "tune", "choose", "report"])
def test_a_direction_without_a_class_is_about_the_one_that_positive_names(
    clearwood: Command, tmp_path: Path, command: str
) -> None:
    rows = [f"{n % 10},{n % 7},{'left' if n * 7 % 11 > 2 + n % 10 else 'stayed'}" for n in range(80)]
    (tmp_path / "staff.csv").write_text("\n".join(["hours,age,status", *rows]))
    given = ("staff.csv", "-t", "status", "--positive", "stayed")
    learner = {
        "tune": ("-l", "cart", "--set", "monotone=hours:down", "--grid", "max_depth=1,2", "--score", "auc"),
        "choose": ("-l", "cart:monotone=hours:down", "--yardstick", "none", "--cross-validate", "2"),
    }.get(command, ("-l", "cart", "--set", "monotone=hours:down"))
    save = ("-o", "page.html") if command == "report" else ("--save", "m.json")
    outcome = clearwood(command, *given, *learner, *save)
    assert "names no class" not in outcome.err
    if command == "report":
        assert "down:stayed" in (tmp_path / "page.html").read_text()
    else:
        assert cw.load(tmp_path / "m.json").origin.settings["monotone"] == {"hours": "down:stayed"}
