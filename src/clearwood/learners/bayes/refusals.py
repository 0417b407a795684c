"""Numbers that a Bayes model cannot learn from, each refused with its place and the way out."""

from __future__ import annotations

from typing import Final, NoReturn

import numpy as np

from clearwood.advice import Advice, Place
from clearwood.errors import LearningError
from clearwood.table.table import Table

_FAR: Final = 2.0**498  # as in native/core/counting/moments.hpp


def refuse_negative(name: str, rows: Table) -> None:
    """Refuse a negative number in a column that counts things."""
    column = rows.columns[name]
    below = column < 0
    if below.any():
        row = int(np.argmax(below))
        raise LearningError(
            f"Column '{name}', row {rows.row_number(row)}: {column[row]:g} is no count. Choose another "
            "distribution for it, as in ",
            Advice("distributions", {name: "gaussian"}, setting=True),
            ".",
            place=Place(column=name, row=rows.row_number(row)),
        )


def check_finite(name: str, rows: Table) -> None:
    """Refuse an infinite number."""
    column = rows.columns[name]
    far = np.isinf(column)
    if far.any():
        row = int(np.argmax(far))
        raise LearningError(
            f"Column '{name}', row {rows.row_number(row)}: {column[row]} is no number to learn from. "
            "Leave the cell empty."
        )


def check_near(name: str, rows: Table) -> None:
    """Refuse a number whose square cannot be added up."""
    column = rows.columns[name]
    far = np.abs(column.astype(np.float64)) >= _FAR
    if far.any():
        refuse_far(name, rows, int(np.argmax(far)))


def refuse_far(name: str, rows: Table, row: int) -> NoReturn:
    raise LearningError(
        f"Column '{name}', row {rows.row_number(row)}: {rows.columns[name][row]} is too large to learn from "
        "(the limit is 8e149). Give the column in larger units, or leave the cell empty."
    )
