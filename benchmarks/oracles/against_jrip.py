"""RIPPER against WEKA's JRip: accuracy on the same held-out rows, and the number of rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from tests.jrip_divisions import divisions, seeds
from tests.shared_data import load_shared

from benchmarks.oracles import weka
from benchmarks.oracles.against_weka import reference_tables
from benchmarks.oracles.jrip import jrip
from benchmarks.oracles.verdict import Verdict
from clearwood.learners.ripper import RIPPER


def compare(tables: int) -> Iterator[Verdict]:  # noqa: ARG001 (every oracle is asked alike)
    """Are there about as many rules on every reference table: within a factor of 1.5, or three?"""
    for name in reference_tables():
        table = load_shared(name, train=True)
        ours, theirs = len(RIPPER().learn(table)) + 1, jrip(table).rules
        close = abs(ours - theirs) <= max(3, 0.5 * theirs)
        yield Verdict(name, close, f"{ours} rules and {theirs}, the default among them")


def figures(tables: int) -> dict[str, Any]:  # noqa: ARG001
    """What the tests store: JRip's accuracy over the divisions, and its rules on all the training rows."""
    return {
        "program": f"{weka.version()} JRip -F 3 -N 2.0 -O 2",
        "reference": {name: _figures(name) for name in reference_tables()},
    }


def _figures(name: str) -> dict[str, float]:
    shares = [
        [jrip(train, test, f"-S {seed}").right / len(test) for seed in seeds(name)]
        for train, test in divisions(name)
    ]
    rules = [jrip(load_shared(name, train=True), options=f"-S {seed}").rules for seed in seeds(name)]
    return {"accuracy": round(float(np.mean(shares)), 6), "rules": round(float(np.mean(rules)), 2)}
