"""CN2 against Orange's: accuracy on the same ten folds, and how many rules, on the reference tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tests.shared_data import load_shared

from benchmarks.apart import as_numbers, ask
from benchmarks.oracles.verdict import Verdict
from clearwood.evaluate import cross_validate
from clearwood.learners.cn2 import CN2
from clearwood.table.folding import folds
from clearwood.table.table import Table

TABLES = (  # Orange takes many minutes for ten folds of larger ones
    "balance_scale", "breast_cancer", "contact_lenses", "glass", "iris", "labor", "monks_1", "monks_2",
    "monks_3", "penguins", "vote", "weather_nominal", "zoo",
)  # fmt: skip
LEARNERS = {"ordered": CN2(order="ordered", beam=10), "unordered": CN2(order="unordered", beam=10)}
SEED = 0


def compare(tables: int) -> Iterator[Verdict]:  # noqa: ARG001 (the reference tables only)
    for name in TABLES:
        table = load_shared(name, train=True)
        theirs = orange(table)
        for order, learner in LEARNERS.items():
            found = cross_validate(learner, table, folds=_folds(table))
            scores = np.array(theirs[order]["scores"])
            error = scores.std(ddof=1) / np.sqrt(len(scores))
            rules = len(learner.learn(table))
            detail = (
                f"{found.score:.3f} and {scores.mean():.3f} ± {error:.3f}, "
                f"rules {rules} and {theirs[order]['rules']}"
            )
            yield Verdict(f"{name} {order}", bool(found.score >= scores.mean() - error), detail)


def figures(tables: int) -> dict[str, Any]:  # noqa: ARG001
    """What the tests store."""
    return {
        "program": "Orange 3.40.0 CN2Learner and CN2UnorderedLearner",
        "tables": {name: orange(load_shared(name, train=True)) for name in TABLES},
    }


def orange(table: Table) -> dict[str, Any]:
    """What Orange learns from this table."""
    folds = [test.tolist() for _, test in _folds(table)]
    return ask(Path(__file__).with_name("orange_cn2.py"), {**as_numbers(table), "folds": folds})


def _folds(table: Table) -> list[tuple[Any, Any]]:
    return list(folds(table, min(10, len(table)), SEED))
