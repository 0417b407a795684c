"""A Question: what a node asks, and which cells, or codes, follow each branch."""

import math
from typing import TypeAlias

import numpy as np

from clearwood.arrays import Bools, Longs
from clearwood.counting.coding import Coding, ColumnCoding
from clearwood.formulas.conditions import Condition, interval, one_of
from clearwood.models.routing import Route, first_that_holds, route
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.table import MISSING, Column


@dataclass(frozen=True, slots=True)
class Takes:
    """The cells one branch takes: low < x ≤ high, or these codes, and perhaps the empty ones."""

    low: float = math.inf
    high: float = math.inf
    codes: tuple[int, ...] = ()
    or_missing: bool = False


@dataclass(frozen=True, slots=True)
class SurrogateQuestion:
    """A surrogate: an attribute whose cells say which of the two branches to follow."""

    attribute: int
    when: Takes
    then: int
    other: Takes
    agreement: float


@dataclass(frozen=True, slots=True)
class Question:
    """One attribute, one `Takes` per branch; rows that none takes go by surrogates, `otherwise` or shares."""

    attribute: int
    branches: tuple[Takes, ...]
    scores: tuple[float, ...]
    shares: tuple[float, ...]
    otherwise: int = -1
    surrogates: tuple[SurrogateQuestion, ...] = ()


def takes(attribute: Attribute, branch: Takes, cells: Column) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """[row] Does the branch take the cell?"""
    if isinstance(attribute, Numeric):
        # Comparisons with an empty cell are false, so it is taken by no interval.
        taken = (cells > branch.low) & (cells <= branch.high)
        empty = np.isnan(cells)
    else:
        taken = np.isin(cells, branch.codes)
        empty = cells < 0
    return taken | (empty & branch.or_missing)


def condition(attribute: Attribute, branch: Takes) -> Condition:
    """A branch's condition as it is printed.

    >>> str(condition(Numeric("Humidity"), Takes(-math.inf, 75.0)))
    'Humidity ≤ 75'
    """
    if isinstance(attribute, Nominal | Ordinal):
        values = tuple(attribute.values[code] for code in branch.codes)
        return one_of(attribute.name, values, branch.or_missing)
    return interval(attribute.name, branch.low, branch.high, branch.or_missing)


# Routing by codes: which branch of a question each code of a column follows.


# A column, by its place in the coding, and [code] whether it is taken.
CodeTest: TypeAlias = tuple[int, Bools]


def code_route(coding: Coding, question: Question) -> Route[CodeTest]:
    """The question's tests in order, and where the rest goes (`models/routing.py`)."""
    return route(
        [_test(coding, question.attribute, each) for each in question.branches],
        [
            (_test(coding, by.attribute, by.when), _test(coding, by.attribute, by.other), by.then)
            for by in question.surrogates
        ],
        None if question.otherwise < 0 else question.otherwise,
        question.shares,
    )


def branch_of_code(column: ColumnCoding, question: Question) -> Longs:
    """[code] the first branch that takes it; −1 where none does. The last code is that of the empty cells."""
    cells = cells_of_codes(column)
    return first_that_holds(
        question.branches, lambda each: takes(column.attribute, each, cells), column.known + 1
    )


def codes_taken(column: ColumnCoding, branch: Takes) -> Bools:
    """[code] does a branch take it? The last code is that of the empty cells."""
    return takes(column.attribute, branch, cells_of_codes(column))


def cells_of_codes(column: ColumnCoding) -> Column:
    """[code] a cell that has it: of numbers between cuts the largest, of the last code an empty cell."""
    if not column.numeric:
        return np.array([*range(column.known), MISSING], dtype=np.int32)
    if len(column.ladder):
        return np.append(column.ladder, np.nan)
    return np.concatenate([column.cuts, [np.inf, np.nan]])


def _test(coding: Coding, attribute: int, branch: Takes) -> CodeTest:
    place = coding.positions.index(attribute)
    return place, codes_taken(coding.columns[place], branch)
