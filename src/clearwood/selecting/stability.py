"""Stability: how often each column is kept when the rows are drawn anew, and is that more than chance?

A selection that changes with a few rows says little about the columns. Nogueira, Sechidis and Brown (2018)
measure it by 1 − Σ s² ÷ (d · k̄/d · (1 − k̄/d)): the mean variance of a column's being kept, over what it would
be if k̄ of d columns were drawn by chance. It is 1 where the same columns are kept each time and 0 by chance;
where always equally many are kept it is Kuncheva's index (2007).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from clearwood.arrays import Bools
from clearwood.errors import SettingError
from clearwood.records import json_of
from clearwood.selecting.selection import Selection
from clearwood.study.designs import Bootstrap, Design
from clearwood.study.dividing import parts_of, rows_to_learn
from clearwood.table.table import Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import in_digits, many, percent_to

_Z: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class ColumnKept:
    """A column, how many of the samples kept it, the part that is of them, and its mean rank."""

    name: str
    times: int
    part: float
    rank: float


@dataclass(frozen=True, slots=True)
class SelectionStability:
    """How often each column is kept, the most often kept first, and the index of all of them together.

    `index` is NaN where no column or every column was kept each time: then there was nothing to choose.
    `interval` is at 95 %, for samples drawn from the same rows; None where there is no index. `sizes` are how
    many columns each sample kept.
    """

    by: str
    samples: int
    index: float
    interval: tuple[float, float] | None
    columns: tuple[ColumnKept, ...]
    sizes: tuple[int, ...]

    def __getitem__(self, name: str) -> ColumnKept:
        return next(each for each in self.columns if each.name == name)

    def to_json(self) -> dict[str, Any]:
        """As plain values, ready for `json.dumps`; an index that there is none of is None."""
        return json_of(self)

    @property
    def in_words(self) -> str:
        """The index in a sentence, by Nogueira's own bounds."""
        if math.isnan(self.index):
            return "no stability: none or all of the columns were kept each time"
        word = "high" if self.index > 0.75 else "fair" if self.index >= 0.4 else "poor"
        low, high = self.interval or (math.nan, math.nan)
        return f"stability {self.index:.2f} ({low:.2f} to {high:.2f}), {word}: 1 is always the same, 0 chance"

    def __str__(self) -> str:
        mean = sum(self.sizes) / len(self.sizes)
        head = f"{self.by}: {self.in_words}"
        rows = [["column", "kept in", "mean rank"]]
        rows += [[each.name, percent_to(each.part, 0), f"{each.rank:.1f}"] for each in self.columns]
        kept = f"{many(self.samples, 'sample')}, {in_digits(mean, 3)} columns kept on average"
        return "\n".join([head, *in_columns(rows, "figures"), kept])


def selection_stability(
    table: Table, selection: Selection | str = "mrmr", design: Design | None = None
) -> SelectionStability:
    """Select by the training rows of each part of a design (50 bootstrap samples unless given).

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis_56"), target="Play")
    >>> steady = selection_stability(days, Selection("gain", keep=2))
    >>> steady.columns[0].name, steady.samples
    ('Outlook', 50)
    """
    how = Selection(selection) if isinstance(selection, str) else selection
    if not isinstance(how, Selection):
        raise SettingError(f"selection must be a Selection, such as Selection('mrmr', keep=8), not {how!r}.")
    design = Bootstrap() if design is None else design
    parts = parts_of(design, table)
    table = rows_to_learn(design, table)
    if len(parts) < 2:
        raise SettingError("Stability needs at least two samples: give a design of several, as Folds(10).")
    rankings = [how.rank(table.take(part.learn)) for part in parts]
    names = sorted((each.name for each in rankings[0].columns), key=table.schema.positions.__getitem__)
    kept = np.array([[ranking[name].kept for name in names] for ranking in rankings])
    ranks = np.array([[ranking[name].rank for name in names] for ranking in rankings], dtype=np.float64)
    index, interval = nogueira(kept)
    columns = [
        ColumnKept(name, int(kept[:, at].sum()), float(kept[:, at].mean()), float(ranks[:, at].mean()))
        for at, name in enumerate(names)
    ]
    columns.sort(key=lambda each: (-each.times, each.rank))
    sizes = tuple(kept.sum(axis=1).tolist())
    return SelectionStability(how.by, len(rankings), index, interval, tuple(columns), sizes)


def nogueira(kept: Bools) -> tuple[float, tuple[float, float] | None]:
    """[sample, column] → the index and its interval at 95 % (2018, theorems 6 and 7).

    >>> index, _ = nogueira(np.array([[True, True, False, False]] * 3))
    >>> index
    1.0
    """
    samples, columns = kept.shape
    part = kept.mean(axis=0)
    mean = float(kept.sum(axis=1).mean())
    chance = mean / columns * (1 - mean / columns)
    if not chance > 0 or samples < 2:
        return math.nan, None
    variance = part * (1 - part) * samples / (samples - 1)
    index = 1 - float(variance.mean()) / chance
    sizes = kept.sum(axis=1)
    phi = (
        (kept * part).mean(axis=1)
        - sizes * mean / columns**2
        + index / 2 * (2 * mean * sizes / columns**2 - sizes / columns - mean / columns + 1)
    ) / chance
    spread = 4 / samples**2 * float(((phi - phi.mean()) ** 2).sum())
    half = _Z * math.sqrt(spread)
    return index, (index - half, min(1.0, index + half))
