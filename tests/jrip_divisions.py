"""How JRip and RIPPER are set beside each other: the same rows to learn from, the same rows held out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clearwood.table.folding import folds
from clearwood.table.table import Table
from tests.shared_data import describe, load_shared


def divisions(name: str) -> Iterator[tuple[Table, Table]]:
    """Rows to learn from and rows held out: the table's own split, or ten folds, five deals if small."""
    table = load_shared(name)
    if "split" in describe(name):
        train = describe(name)["split"]["train_rows"]
        yield table.take(np.arange(train)), table.take(np.arange(train, len(table)))
        return
    for seed in range(5 if len(table) < 2000 else 1):
        for learned, held in folds(table, 10, seed):
            yield table.take(learned), table.take(held)


def seeds(name: str) -> range:
    """The learners' own seeds: five, and twenty where there is but one small division."""
    return range(1, 21 if "split" in describe(name) and describe(name)["rows"] < 2000 else 6)
