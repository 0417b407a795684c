"""An ILA task: a table's rows as codes, and what makes one description better than another."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.advice import Advice, Part
from clearwood.arrays import Longs
from clearwood.errors import LearningError
from clearwood.table.raw import Codes
from clearwood.table.table import Weights

MOST_COMBINATIONS: Final = 5_000_000  # of columns, in one size
MOST_WORK: Final = 6_000_000_000  # combinations times rows, in one size: a minute
_PER_SECOND: Final = 100_000_000  # of them on one core, roughly


@dataclass(frozen=True, slots=True, eq=False)
class IlaTask:
    """What the definition and its native twin both work on. Columns are those that conditions may test."""

    classes: tuple[str, ...]
    columns: tuple[Codes, ...]
    values: tuple[int, ...]  # [column] how many codes
    target: Codes
    units: Units | None  # [row] weight in whole units; None: 1 each
    order: tuple[int, ...]  # classes in the order they are described
    relevant: tuple[tuple[int, ...], ...]  # [class] columns that combinations of two and more may use
    penalty: Fraction | None = None  # what a wrongly covered row costs; None: it must not be
    fast: bool = False
    cautious: bool = False  # a missing cell of another class's row may be any value
    max_conditions: int | None = None

    def columns_for(self, cls: int, size: int) -> tuple[int, ...]:
        """The columns that descriptions of this size may combine."""
        return tuple(range(len(self.columns))) if size == 1 else self.relevant[cls]

    def largest(self, cls: int) -> int:
        """The most conditions that a description of the class may have."""
        widest = max(len(self.relevant[cls]), min(len(self.columns), 1))
        return widest if self.max_conditions is None else min(widest, self.max_conditions)

    def check_combinations(self, cls: int, size: int, left: int) -> None:
        """Refuse a size with more combinations than fit, or with too much work.

        Every combination is counted in the rows of the class that are `left` and in all rows of the others.
        With `max_conditions` that many are tried, however long they take.
        """
        columns = len(self.columns_for(cls, size))
        count = comb(columns, size)
        rows = left + int((self.target != cls).sum())
        if count > MOST_COMBINATIONS:
            limit: list[Part] = [
                f" (the limit is {MOST_COMBINATIONS:,}). Leave out columns, or stop before: ",
                Advice("max_conditions", size - 1, setting=True),
                ".",
            ]
        elif size > 1 and self.max_conditions is None and count * rows > MOST_WORK:
            limit = [
                f". With {rows:,} rows to count for each that is {count * rows:,} looks at a row, "
                f"{_duration(count * rows)} of work (the limit is {MOST_WORK:,}). "
                "Leave out columns; or to stop here: ",
                Advice("max_conditions", size - 1, setting=True),
                ", to wait: ",
                Advice("max_conditions", size, setting=True),
                ".",
            ]
        else:
            return
        raise LearningError(
            f"Class '{self.classes[cls]}' has {left:,} rows that fewer than {size} conditions do not "
            f"describe, and {columns} columns have {count:,} combinations of {size}",
            *limit,
        )


@dataclass(frozen=True, slots=True)
class Description:
    """Values of some columns that describe a class: what they cover of it, and what of other classes."""

    cls: int
    columns: tuple[int, ...]
    codes: tuple[int, ...]
    covers: int  # units of unmarked rows
    wrong: int = 0  # units of other classes' rows

    def score(self, penalty: Fraction | None) -> Fraction | int:
        """What it covers less the penalty; without a penalty nothing may be covered wrongly."""
        if penalty is None:
            return 0 if self.wrong else self.covers
        return self.covers - penalty * self.wrong


@dataclass(frozen=True, slots=True, eq=False)
class Descriptions:
    """The descriptions in the order they were found, and the rows that none describes."""

    descriptions: tuple[Description, ...]
    left: Longs


def _duration(work: int) -> str:
    """About how long this takes one core, in words.

    >>> _duration(MOST_WORK), _duration(12 * MOST_WORK), _duration(150 * MOST_WORK)
    ('about 60 seconds', 'about 12 minutes', 'about 2 hours')
    """
    seconds = work / _PER_SECOND
    if seconds < 120:
        return f"about {seconds:,.0f} seconds"
    return f"about {seconds / 60:,.0f} minutes" if seconds < 7200 else f"about {seconds / 3600:,.0f} hours"


# Weights in whole units: sums that no order of adding can change, so that equal scores are equal.


Units: TypeAlias = npt.NDArray[np.int64]  # [row]

_MOST: Final = 2**40  # units in all: a million times as many still fit a long
_PARTS: Final = 100  # of the lightest row that are tried as the unit


def whole_weights(weights: Weights) -> tuple[Units, float]:
    """Each weight as a number of units, and the unit: a part of the lightest weight that all are made of.

    Weights that share no such part are rounded, to about a billionth of the heaviest of a thousand rows.

    >>> whole_weights(np.array([0.1, 0.3, 0.25]))[0].tolist()
    [2, 6, 5]
    >>> whole_weights(np.array([1.0, 1.0, 3.0]))
    (array([1, 1, 3]), 1.0)
    """
    lightest, total = float(weights.min()), float(weights.sum())
    for parts in range(1, _PARTS + 1):
        unit = lightest / parts
        if total / unit > _MOST:
            break
        exact = weights / unit
        units = np.rint(exact)
        if (np.abs(exact - units) <= 1e-9 * units).all():
            return units.astype(np.int64), unit
    unit = total / _MOST
    return np.maximum(np.rint(weights / unit), 1.0).astype(np.int64), unit
