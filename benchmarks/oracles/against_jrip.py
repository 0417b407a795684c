"""RIPPER against WEKA's JRip: the rules grown, accuracy on the same held-out rows, the number of rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from tests.jrip_divisions import divisions, seeds
from tests.jrip_rules import by_position, growing_tables
from tests.shared_data import load_shared

from benchmarks.oracles import weka
from benchmarks.oracles.against_weka import reference_tables
from benchmarks.oracles.jrip import jrip
from benchmarks.oracles.verdict import Verdict
from clearwood.learners.rules.ripper import RIPPER

GROWING = "-P -O 0"


def compare(tables: int) -> Iterator[Verdict]:  # noqa: ARG001 (every oracle is asked alike)
    """Are unpruned rules the same, and on every reference table about as many: within half, or three?"""
    for seed, table in growing_tables():
        grown = by_position(RIPPER(prune=False).learn(table))
        same = tuple(grown) == jrip(table, options=GROWING).lines
        yield Verdict(f"generated {seed}", same, f"unpruned: {grown}")
    for name in reference_tables():
        table = load_shared(name, train=True)
        ours, theirs = len(RIPPER().learn(table)) + 1, jrip(table).rules
        close = abs(ours - theirs) <= max(3, 0.5 * theirs)
        yield Verdict(name, close, f"{ours} rules and {theirs}, the default among them")


def figures(tables: int) -> dict[str, Any]:  # noqa: ARG001
    """What the tests store: JRip's unpruned rules, its accuracy, how many rules on all training rows."""
    return {
        "program": f"{weka.version()} JRip -F 3 -N 2.0 -O 2",
        "grown": {str(seed): list(jrip(table, options=GROWING).lines) for seed, table in growing_tables()},
        "reference": {name: _figures(name) for name in reference_tables()},
    }


def _figures(name: str) -> dict[str, float]:
    shares = [
        [jrip(train, test, f"-S {seed}").right / len(test) for seed in seeds(name)]
        for train, test in divisions(name)
    ]
    rules = [jrip(load_shared(name, train=True), options=f"-S {seed}").rules for seed in seeds(name)]
    return {"accuracy": round(float(np.mean(shares)), 6), "rules": round(float(np.mean(rules)), 2)}
