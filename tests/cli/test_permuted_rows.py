"""The same rows in another order: every command says and writes the same."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path
from typing import Any

import pytest

import clearwood as cw
from clearwood.catalogue import LEARNERS
from clearwood.cli import run
from clearwood.cli.commands import choose
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
    monkeypatch.setattr(choose, "_SOON", math.inf)  # what is shown while contenders run is up to the clock
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


def made_rows(count: int) -> list[str]:
    """Rows of three columns, a class and a number, with parts that no double holds."""
    chance = random.Random(12)
    rows = []
    for _ in range(count):
        x, z, colour = chance.gauss(0, 1), chance.randint(1, 60), chance.choice("rgb")
        price = round(100 + 30 * x + 2 * z + chance.gauss(0, 9), 1)
        rows.append(f"{x:.3f},{z},{colour},{price},{'yes' if price + chance.gauss(0, 20) > 160 else 'no'}")
    return rows


def in_both_orders(tmp_path: Path, rows: list[str], head: str) -> tuple[Path, Path]:
    """Two folders with the same table, its rows in another order in the second."""
    folders = tmp_path / "as made", tmp_path / "otherwise"
    shuffled = random.Random(3).sample(rows, len(rows))
    for folder, these in zip(folders, (rows, shuffled), strict=True):
        folder.mkdir()
        (folder / "d.csv").write_text("\n".join([head, *these]) + "\n")
    return folders


@pytest.mark.parametrize("learner", ["cart", "chaid", "forest", "boosting", "gam"])
def test_a_saved_model_of_numbers_with_parts_is_the_same_file(
    learner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    for folder in in_both_orders(tmp_path, made_rows(120), "x,z,colour,price,y"):
        monkeypatch.chdir(folder)
        few = ("--set", "trees=20") if learner in ("forest", "boosting") else ()
        fit = ("fit", "d.csv", "-t", "price", "-l", learner, *few, "--ignore", "y", "-q", "--save", "m.json")
        assert run(fit) == 0
        written.append(MARKS.sub("", (folder / "m.json").read_text()))
    assert written[0] == written[1]


@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "gam.json", "d.csv", "--by", "colour"),
        ("evaluate", "gam.json", "d.csv", "--costs", "no/yes:3"),
        ("evaluate", "cart.json", "d.csv"),
        ("calibration", "gam.json", "d.csv"),
        ("compare", "gam.json", "logistic.json", "d.csv"),
        ("fit", "d.csv", "-t", "y", "--ignore", "price", "-l", "bayes"),
        ("fit", "d.csv", "-t", "price", "--ignore", "y", "-l", "cart"),
    ],
    ids=" ".join,
)
def test_every_digit_of_json_is_the_same(
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = []
    for folder in in_both_orders(tmp_path, made_rows(120), "x,z,colour,price,y"):
        monkeypatch.chdir(folder)
        for learner in ("gam", "logistic", "cart"):
            fit = ("fit", "d.csv", "-t", "y", "-l", learner, "--ignore", "price", "--no-judge", "-q")
            assert run((*fit, "--save", f"{learner}.json")) == 0
        capsys.readouterr()
        assert run((*command, "--json", "-q")) == 0
        said.append(_without_places(json.loads(capsys.readouterr().out)))
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "command", [("evaluate", "m.json", "d.csv"), ("fit", "d.csv", "-t", "y", "-l", "cart")]
)
def test_every_digit_of_rows_that_weigh_parts_is_the_same(
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    chance, said = random.Random(2), []
    rows = [f"{row},{chance.choice(['0.5', '1', '1.7', '2.25'])}" for row in made_rows(240)]
    weighed = ("--weight", "w", "--weights-are", "sampling", "--ignore", "price")
    for folder in in_both_orders(tmp_path, rows, "x,z,colour,price,y,w"):
        monkeypatch.chdir(folder)
        fit = ("fit", "d.csv", "-t", "y", "-l", "cart", *weighed, "--no-judge", "-q", "--save", "m.json")
        assert run(fit) == 0
        capsys.readouterr()
        assert run((*command, *(weighed if command[0] == "fit" else ()), "--json", "-q")) == 0
        said.append(_without_places(json.loads(capsys.readouterr().out)))
    assert said[0] == said[1]


def _without_places(data: Any) -> Any:
    """Without places of rows, times and fingerprints, which the order decides."""
    if isinstance(data, dict):
        left_out = ("rows_only_first", "rows_only_second", "seconds", "fingerprint")
        return {name: _without_places(each) for name, each in data.items() if name not in left_out}
    if isinstance(data, list):
        return [_without_places(each) for each in data]
    return MARKS.sub("", data) if isinstance(data, str) else data


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
