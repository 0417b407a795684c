"""`distil` and `effect` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from tests.cli.conftest import Command


@pytest.fixture
def model(tmp_path: Path) -> Path:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    place = tmp_path / "model.json"
    cw.save(cw.Bagging(of=cw.C45(), trees=9).learn(table), place)
    return place


DATA = str(cw.datasets.path("tennis_numeric"))


def test_a_model_is_distilled_into_a_tree_that_can_be_loaded(
    clearwood: Command, model: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree.json"
    done = clearwood("distil", str(model), DATA, "-l", "c45", "--made", "10", "--save", str(tree))
    assert done.code == 0
    assert "learned from the predictions for 10 rows and 100 made of their cells" in done.out
    assert "rows that were not used the two predict the same for" in done.out
    loaded = cw.load(tree)
    assert isinstance(loaded, cw.Tree)
    assert loaded.origin.title == "C45, distilled from Bagging"


def test_distil_answers_with_json(clearwood: Command, model: Path) -> None:
    done = clearwood("distil", str(model), DATA, "-l", "ripper", "--imitate", "shares", "--json")
    data = json.loads(done.out)
    assert data["learned_from"] == data["made"] == 10
    assert 0 <= data["fidelity"] <= 1
    assert sum(each["weight"] for each in data["regions"]) == 4


def test_distil_refuses_a_part_that_leaves_no_rows(clearwood: Command, model: Path) -> None:
    done = clearwood("distil", str(model), DATA, "-l", "c45", "--test-part", "0.001")
    assert done.code == 2
    assert "--test-part must leave rows on both sides" in done.err


def test_advice_is_in_words_that_the_command_takes(clearwood: Command, model: Path, tmp_path: Path) -> None:
    done = clearwood("distil", str(model), DATA, "-l", "prism", "--imitate", "shares")
    assert "Leave out --imitate shares, or" in done.err
    numbers = tmp_path / "numbers.json"
    table = cw.read_table(DATA, target="Humidity")
    cw.save(cw.Forest(trees=3).learn(table), numbers)
    done = clearwood("distil", str(numbers), DATA, "-l", "c45")
    assert done.code == 2
    assert "the model predicts numbers. To imitate it, use CART or CHAID." in done.err
    assert "--kind" not in done.err


def test_distil_keeps_the_whole_tree_if_asked(clearwood: Command, tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    columns = {"x": random.uniform(size=200), "y": random.uniform(size=200)}
    rows = tmp_path / "rows.csv"
    rows.write_text("x,y\n" + "".join(f"{x:.3f},{y:.3f}\n" for x, y in zip(*columns.values(), strict=True)))
    model = tmp_path / "model.json"
    cw.save(cw.Forest(trees=5).learn(cw.read_table(rows, target="y")), model)
    cut, whole = (
        json.loads(clearwood("distil", str(model), str(rows), "-l", "cart", "--json", *more).out)["regions"]
        for more in ((), ("--no-prune",))
    )
    assert len(cut) < len(whole)


def test_distil_refuses_what_would_have_no_effect(clearwood: Command, model: Path) -> None:
    done = clearwood("distil", str(model), DATA, "-l", "ripper", "--no-prune")
    assert done.code == 2
    assert "--no-prune is for trees, but ripper learns none. Leave it out." in done.err
    for learner, setting in (("cart", "alpha=0.05"), ("c45", "confidence=0.1")):
        done = clearwood("distil", str(model), DATA, "-l", learner, "--imitate", "shares", "-s", setting)
        assert done.code == 2
        assert f"{setting} of {learner.upper()} prunes by errors" in done.err
        assert "leave out --imitate shares." in done.err


def test_one_row_is_not_divided(clearwood: Command, model: Path, tmp_path: Path) -> None:
    one = tmp_path / "one.csv"
    one.write_text("".join(Path(DATA).read_text().splitlines(keepends=True)[:2]))
    done = clearwood("distil", str(model), str(one), "-l", "c45")
    assert done.code == 2
    assert "needs at least two rows: one to learn from and one to compare on." in done.err
    done = clearwood("fit", str(one), "-t", "Play", "--test-part", "0.3")
    assert done.code == 2
    assert "--test-part needs at least two rows: one to learn from and one to test on." in done.err


@pytest.mark.parametrize("learner", ["forest", "bayes"])
def test_fit_refuses_the_rules_of_what_has_none(clearwood: Command, learner: str, tmp_path: Path) -> None:
    place = tmp_path / "saved.json"
    done = clearwood("fit", DATA, "-t", "Play", "-l", learner, "--rules", "--save", str(place))
    assert done.code == 2
    assert f"--rules is for trees and rules, but {learner} learns none." in done.err
    assert f"clearwood distil {place} DATA -l c45." in " ".join(done.err.split())
    assert not place.exists()
    done = clearwood("fit", DATA, "-t", "Humidity", "-l", "forest", "--rules")
    assert "clearwood distil MODEL DATA -l cart (MODEL: what --save writes)." in done.err


def test_the_effect_of_a_column_is_printed_or_drawn(clearwood: Command, model: Path, tmp_path: Path) -> None:
    done = clearwood("effect", str(model), DATA, "--of", "Humidity", "--positive", "Play")
    assert done.code == 0
    assert done.out.startswith("mean prediction over 14 rows\nHumidity")
    picture = tmp_path / "effect.svg"
    done = clearwood("effect", str(model), DATA, "--of", "Outlook", "--as", "local", "-o", str(picture))
    assert done.code == 0
    assert "added to the mean prediction over 14 rows" in done.out
    assert "Effect on probability of" in picture.read_text(encoding="utf-8")
    data = json.loads(clearwood("effect", str(model), DATA, "--of", "Outlook", "--json").out)
    assert data["places"] == ["Overcast", "Rain", "Sunny"]


def test_an_effect_is_refused_with_the_way_out(clearwood: Command, model: Path) -> None:
    done = clearwood("effect", str(model), DATA, "--of", "Humidty")
    assert done.code != 0
    assert "Did you mean 'Humidity'" in done.err
    done = clearwood("effect", str(model), DATA, "--of", "Humidity", "--as", "global")
    assert "partial" in done.err
    done = clearwood("effect", str(model), DATA, "--of", "Humidity", "-o", "effect.gif")
    assert "ends in one of" in done.err
    done = clearwood("effect", str(model), DATA, "--of", "Humidity", "--positive", "Perhaps")
    assert "No class 'Perhaps'" in done.err
