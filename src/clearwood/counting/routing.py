"""Routing by codes: which branch of a question each code of a column follows."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from clearwood.arrays import Bools, Longs
from clearwood.counting.coding import Coding, ColumnCoding
from clearwood.counting.question import Question, Takes, takes
from clearwood.models.routing import Route, first_that_holds, route
from clearwood.table.table import MISSING, Column

CodeTest: TypeAlias = tuple[
    int, Bools
]  # a column, by its place in the coding, and [code] whether it is taken


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
