"""A million rows predicted from the command line, as a whole process: text, packed text, and Parquet."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.comparison import Comparison, Contestant, Entrant, Size, at_most, entrant
from benchmarks.processes import python

ROWS = 1_000_000
LEARNED_FROM = 20_000
NUMBERS, WORDS = 15, 5

POLARS = """
import sys
import polars as pl
pl.scan_csv(sys.argv[1]).sink_csv(sys.argv[2])
"""


def _frame(rows: int) -> pd.DataFrame:
    random = np.random.default_rng(1)
    numbers = np.round(random.normal(size=(rows, NUMBERS)) * 100, 3)
    frame = pd.DataFrame({f"x{i}": numbers[:, i] for i in range(NUMBERS)})
    for i in range(WORDS):
        values = np.array([f"value {code}" for code in range(4 * 3**i)], dtype=object)
        frame[f"c{i}"] = values[random.integers(0, len(values), rows)]
    known = numbers[:, 0] + numbers[:, 1] + 50 * (frame["c0"] == "value 1") + 20 * random.normal(size=rows)
    frame["y"] = np.where(known > 0, "good", "bad")
    return frame


def _enter(size: Size) -> Sequence[Entrant]:
    # Kept alive by the closures below; the folder goes when the comparison is done.
    folder = tempfile.TemporaryDirectory()
    place = Path(folder.name)
    frame = _frame(size.rows(ROWS))
    frame.to_csv(place / "rows.csv", index=False)
    frame.to_csv(place / "rows.csv.gz", index=False, compression={"method": "gzip", "compresslevel": 1})
    frame[:LEARNED_FROM].to_csv(place / "known.csv", index=False)
    for learner in ("c45", "bayes", "logistic"):
        fit = ["fit", "known.csv", "--target", "y", "--learner", learner, "--save", f"{learner}.json", "-q"]
        python(["-m", "clearwood", *fit], place)

    def predict(learner: str, source: str) -> Callable[[], Any]:
        command = ["predict", f"{learner}.json", source, "--output", "scored.csv", "-q"]
        return lambda: (folder, python(["-m", "clearwood", *command], place))[1]

    entrants: list[Entrant] = [
        Contestant("C4.5, CSV", predict("c45", "rows.csv")),
        Contestant("Naive Bayes, CSV", predict("bayes", "rows.csv")),
        Contestant("logistic, CSV", predict("logistic", "rows.csv")),
        Contestant("C4.5, CSV by gzip", predict("c45", "rows.csv.gz")),
    ]
    try:
        frame.to_parquet(place / "rows.parquet")
    except ImportError:
        pass
    else:
        entrants.append(Contestant("C4.5, Parquet", predict("c45", "rows.parquet")))
    copy = entrant(
        "polars, which only copies",
        "polars",
        lambda: python(["-c", POLARS, "rows.csv", "scored.csv"], place),
    )
    return [*entrants, copy]


COMPARISONS = (
    Comparison(
        "scored-files",
        "`clearwood predict` on 1,000,000 rows of 15 numbers and 5 nominal columns, the whole process",
        _enter,
        (
            *(at_most(5, f"{learner}, CSV", "s") for learner in ("C4.5", "Naive Bayes", "logistic")),
            at_most(2, "C4.5, Parquet", "s"),
        ),
    ),
)
