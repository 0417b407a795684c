"""A journal keeps what was tried: a run that was killed goes on, and another's journal is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SourceError
from clearwood.table.table import Table

GRID = {"max_depth": (1, 2), "min_leaf": (1, 8)}


def noise(seed: int = 0) -> Table:
    chance = np.random.default_rng(seed)
    x = chance.normal(size=(3, 90))
    y = np.where(x[0] + chance.normal(size=90) > 0, "a", "b").astype(object)
    return cw.read_table({"p": x[0], "q": x[1], "r": x[2], "y": y}, target="y")


def tuned(place: Path, table: Table | None = None, **more: Any) -> cw.Tuning:
    how: dict[str, Any] = {"design": cw.Folds(3), "nested": 2, **more}
    learner = how.pop("learner", cw.CART())
    return cw.tune(learner, noise() if table is None else table, GRID, resume=place, **how)


def test_a_run_that_is_broken_off_anywhere_goes_on_to_the_same_answer(tmp_path: Path) -> None:
    place = tmp_path / "journal.jsonl"
    whole = tuned(place).to_json()
    assert whole == cw.tune(cw.CART(), noise(), GRID, design=cw.Folds(3), nested=2).to_json()
    data = place.read_bytes()
    lines = data.splitlines(keepends=True)
    assert len(lines) == 1 + 4 * 3 + 2 * 4 * 3
    ends = [0, len(lines[0]), len(lines[0]) + 20, sum(map(len, lines[:9])) - 1, len(data) - 3, len(data)]
    for end in ends:
        place.write_bytes(data[:end])
        assert tuned(place).to_json() == whole, end
        assert sorted(place.read_bytes().splitlines()) == sorted(data.splitlines()), end


def test_what_the_journal_has_is_not_learned_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "journal.jsonl"
    tuned(place, nested=None)
    learned: list[int] = []
    grow = cw.CART.grow

    def counted(self: cw.CART, table: Table) -> Any:
        learned.append(len(table))
        return grow(self, table)

    monkeypatch.setattr(cw.CART, "grow", counted)
    tuned(place, nested=None)
    assert learned == [90]  # the model of all rows alone


def test_a_larger_grid_takes_over_what_a_smaller_one_tried(tmp_path: Path) -> None:
    place = tmp_path / "journal.jsonl"
    tuned(place, nested=None)
    before = len(place.read_bytes().splitlines())
    more = {"max_depth": (1, 2, 3), "min_leaf": (1, 8)}
    cw.tune(cw.CART(), noise(), more, design=cw.Folds(3), resume=place)
    assert len(place.read_bytes().splitlines()) == before + 2 * 3


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"table": noise(1)}, "table"),
        ({"design": cw.Folds(4)}, "design"),
        ({"by": "auc"}, "score"),
        ({"by": "recall", "positive": "b"}, "score"),
        ({"learner": cw.CART(measure="entropy")}, "learner"),
    ],
)
def test_the_journal_of_something_else_is_refused(tmp_path: Path, more: dict[str, Any], what: str) -> None:
    place = tmp_path / "journal.jsonl"
    tuned(place, nested=None)
    data = place.read_bytes()
    with pytest.raises(SourceError, match=f"is the journal of another {what}"):
        tuned(place, nested=None, **more)
    assert place.read_bytes() == data


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"a,b\n1,2\n", "is no journal of tuning"),
        (b"{}\n", "is no journal of tuning"),
        (b"no line end", "is no journal of tuning"),
        (b"[" * 100_000 + b"\n", "is no journal of tuning"),
    ],
)
def test_what_is_no_journal_is_refused_and_left_alone(tmp_path: Path, data: bytes, sentence: str) -> None:
    place = tmp_path / "journal.jsonl"
    place.write_bytes(data)
    with pytest.raises(SourceError, match=sentence):
        tuned(place)
    assert place.read_bytes() == data


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"outer": "", "settings": {}, "fold": 0, "size": 1}'])
def test_a_line_that_is_none_is_named(tmp_path: Path, line: str) -> None:
    place = tmp_path / "journal.jsonl"
    tuned(place, nested=None)
    lines = place.read_text(encoding="utf-8").splitlines()
    place.write_text("\n".join([*lines[:3], line, *lines[3:]]) + "\n", encoding="utf-8")
    with pytest.raises(SourceError, match="line 4: this is no line of a tuning journal"):
        tuned(place)


def test_scores_are_kept_to_the_last_digit(tmp_path: Path) -> None:
    place = tmp_path / "journal.jsonl"
    first = tuned(place, by="auc", nested=None)
    scores = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()[1:]]
    assert next(each["score"] for each in scores if each["fold"] == 0) == first.trials[0].scores[0]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_a_killed_process_loses_at_most_a_line(tmp_path: Path) -> None:
    place = tmp_path / "journal.jsonl"
    program = (
        "import sys, time\n"
        "import clearwood as cw\n"
        "from tests.study.tuning.test_journal import GRID, noise\n"
        "def slowly(progress):\n"
        "    time.sleep(0.03)\n"
        "with cw.watching(slowly):\n"
        "    cw.tune(cw.CART(), noise(), GRID, design=cw.Folds(3), nested=2, resume=sys.argv[1])\n"
    )
    root = Path(__file__).parents[3]
    process = subprocess.Popen([sys.executable, "-c", program, str(place)], cwd=root)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not place.exists() or place.stat().st_size < 900):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = len(place.read_bytes().splitlines())
    assert 2 <= kept < 1 + 4 * 3 + 2 * 4 * 3
    assert tuned(place).to_json() == cw.tune(cw.CART(), noise(), GRID, design=cw.Folds(3), nested=2).to_json()
