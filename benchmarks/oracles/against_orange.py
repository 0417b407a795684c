"""CN2 against Orange's: accuracy on the same ten folds, and how many rules, on the reference tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tests.shared_data import load_shared

from benchmarks.apart import as_numbers, ask
from benchmarks.oracles.verdict import Verdict
from clearwood.learners.rules.cn2 import CN2
from clearwood.study.cross_validation import cross_validate
from clearwood.table.folding import folds
from clearwood.table.table import Table

TABLES = (  # Orange takes many minutes for ten folds of larger ones
    "balance_scale", "breast_cancer", "contact_lenses", "glass", "iris", "labor", "monks_1", "monks_2",
    "monks_3", "penguins", "vote", "weather_nominal", "zoo",
)  # fmt: skip
LEARNERS = {"ordered": CN2(rules="ordered", beam=10), "unordered": CN2(rules="unordered", beam=10)}
# Of these one division into folds says too little: five are averaged.
CLOSE = {"monks_3": "unordered", "zoo": "ordered", "labor": "unordered", "breast_cancer": "ordered"}
DIVISIONS = 5


def compare(tables: int) -> Iterator[Verdict]:  # noqa: ARG001 (the reference tables only)
    for name in TABLES:
        table = load_shared(name, train=True)
        theirs = [orange(table, seed) for seed in range(DIVISIONS if name in CLOSE else 1)]
        for order, learner in LEARNERS.items():
            used = theirs if CLOSE.get(name) == order else theirs[:1]
            ours = np.mean(
                [cross_validate(learner, table, folds=_folds(table, i)).score for i in range(len(used))]
            )
            scores = np.array([each[order]["scores"] for each in used])  # [division, fold]
            error = np.mean(scores.std(axis=1, ddof=1)) / np.sqrt(scores.shape[1])
            rules = len(learner.learn(table))
            detail = (
                f"{ours:.3f} and {scores.mean():.3f} ± {error:.3f}, "
                f"rules {rules} and {theirs[0][order]['rules']}"
            )
            yield Verdict(f"{name} {order}", bool(ours >= scores.mean() - error), detail)


def figures(tables: int) -> dict[str, Any]:  # noqa: ARG001
    """What the tests store."""
    figures_of = {
        name: [orange(load_shared(name, train=True), i) for i in range(DIVISIONS if name in CLOSE else 1)]
        for name in TABLES
    }
    return {
        "program": "Orange 3.40.0 CN2Learner and CN2UnorderedLearner",
        "tables": {name: each[0] for name, each in figures_of.items()},
        "divisions": {
            name: {order: [each[order]["scores"] for each in figures_of[name]]}
            for name, order in CLOSE.items()
        },
    }


def orange(table: Table, seed: int) -> dict[str, Any]:
    """What Orange learns from this table, and how well from its folds."""
    tests = [test.tolist() for _, test in _folds(table, seed)]
    return ask(Path(__file__).with_name("orange_cn2.py"), {**as_numbers(table), "folds": tests})


def _folds(table: Table, seed: int) -> list[tuple[Any, Any]]:
    return list(folds(table, min(10, len(table)), seed))
