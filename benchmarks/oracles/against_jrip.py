"""RIPPER against WEKA's JRip: accuracy on the same held-out rows, and the number of rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from tests.shared_data import describe, load_shared

from benchmarks.oracles import weka
from benchmarks.oracles.against_weka import reference_tables
from benchmarks.oracles.jrip import jrip
from clearwood.table.folding import folds
from clearwood.table.table import Table


def divisions(name: str) -> Iterator[tuple[Table, Table]]:
    """What is learned from and what is tested on: the table's own split, or ten folds.

    The folds are dealt five times where the table is small, for there the luck of one division is large.
    """
    table = load_shared(name)
    if "split" in describe(name):
        train = describe(name)["split"]["train_rows"]
        yield table.take(np.arange(train)), table.take(np.arange(train, len(table)))
        return
    for seed in range(5 if len(table) < 2000 else 1):
        for train, test in folds(table, 10, seed):
            yield table.take(train), table.take(test)


def figures(tables: int) -> dict[str, Any]:  # noqa: ARG001 (every oracle is asked alike)
    """What the tests store: JRip's accuracy over the divisions, and its rules on all the training rows."""
    reference = {}
    for name in reference_tables():
        right = rows = 0
        for train, test in divisions(name):
            right += jrip(train, test).right
            rows += len(test)
        whole = jrip(load_shared(name, train=True))
        reference[name] = {"accuracy": round(right / rows, 6), "rows": rows, "rules": whole.rules}
        print(name, reference[name], round(whole.seconds, 2), flush=True)
    return {"program": f"{weka.version()} JRip -F 3 -N 2.0 -O 2 -S 1", "reference": reference}
