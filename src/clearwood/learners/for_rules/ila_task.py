"""An ILA task: a table's rows as codes, and what makes one description better than another."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.errors import LearningError
from clearwood.learners.for_rules.whole_weights import Units

Codes: TypeAlias = npt.NDArray[np.int32]  # [row], below zero missing
Places: TypeAlias = npt.NDArray[np.int64]  # positions of rows

MOST_COMBINATIONS: Final = 5_000_000  # of columns, in one size


@dataclass(frozen=True, slots=True, eq=False)
class IlaTask:
    """What the definition and its native twin both work on. Columns are those that may be asked about."""

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
        """Refuse a size with more combinations than anyone would wait for."""
        columns = len(self.columns_for(cls, size))
        count = comb(columns, size)
        if count > MOST_COMBINATIONS:
            raise LearningError(
                f"Class '{self.classes[cls]}' has {left:,} rows that fewer than {size} conditions do not "
                f"describe, and {columns} columns have {count:,} combinations of {size} (the limit is "
                f"{MOST_COMBINATIONS:,}): leave out columns, or set max_conditions={size - 1}."
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
class Found:
    """The descriptions in the order they were found, and the rows that none describes."""

    descriptions: tuple[Description, ...]
    left: Places
