"""Rows as points: the numbers and values between which a distance can be measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clearwood.advice import Advice, Place
from clearwood.arrays import Floats
from clearwood.errors import LearningError
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class RowPoints:
    """Rows by their numbers in standard deviations (ordinal values are numbered from low to high), and by the
    codes of their nominal values, among which a missing cell is a value of its own.

    Without scaling, a column in small units would decide alone which rows are near each other.
    """

    ordered: tuple[Numeric | Ordinal, ...]
    nominal: tuple[Nominal, ...]
    numbers: Floats  # [row, ordered column]
    codes: npt.NDArray[np.int64]  # [row, nominal column]
    centres: Floats
    scales: Floats

    @property
    def flat(self) -> Floats:
        """[row, ·] all of it as numbers, in which two nominal values are one standard deviation apart."""
        apart = [
            (self.codes[:, [place]] == np.unique(self.codes[:, place])) * np.sqrt(0.5)
            for place in range(len(self.nominal))
        ]
        return np.concatenate([self.numbers, *apart], axis=1)


def points_of(way: str, table: Table, *, fill: bool) -> RowPoints:
    """The rows as points; a missing number or ordinal value is refused, or with `fill` stands at the mean."""
    _check_weights(way, table)
    inputs = table.schema.inputs
    ordered = tuple(each for each in inputs if isinstance(each, Numeric | Ordinal))
    nominal = tuple(each for each in inputs if isinstance(each, Nominal))
    if not ordered and not nominal:
        raise LearningError(f"{way} needs a column of numbers or values to tell which rows are near.")
    numbers = np.empty((len(table), len(ordered)))
    for place, attribute in enumerate(ordered):
        column = table.columns[attribute.name].astype(np.float64)
        known = np.isfinite(column) if isinstance(attribute, Numeric) else column >= 0
        if not known.all():
            if not fill:
                raise _missing(way, table, attribute, int(np.argmin(known)))
            column[~known] = column[known].mean() if known.any() else 0.0
        numbers[:, place] = column
    codes = [table.columns[each.name].astype(np.int64) for each in nominal]
    centres, scales = numbers.mean(axis=0), numbers.std(axis=0)
    scales = np.where(scales > 0, scales, 1.0)
    return RowPoints(
        ordered,
        nominal,
        (numbers - centres) / scales,
        np.stack(codes, axis=1) if codes else np.empty((len(table), 0), dtype=np.int64),
        centres,
        scales,
    )


def refuse_text(way: str, table: Table) -> None:
    """No text can be made from two others."""
    texts = [each for each in table.schema.attributes if isinstance(each, Text)]
    if texts:
        raise LearningError(
            f"{way} makes new rows, and cannot make the text of column '{texts[0].name}'. Leave it out: ",
            Advice("ignore", [texts[0].name]),
            ", or balance by weights or over.",
            place=Place(column=texts[0].name),
        )


def table_columns(table: Table) -> tuple[str, ...]:
    """The columns that a made row must have."""
    target = table.schema.target
    names = [each.name for each in table.schema.attributes if not isinstance(each, Ignored)]
    return (*names, *([target.name] if target else []))


def _check_weights(way: str, table: Table) -> None:
    if table.weights is not None:
        raise LearningError(
            f"{way} takes every row for one, and these have weights. Balance by weights, under or over."
        )


def _missing(way: str, table: Table, attribute: Numeric | Ordinal, row: int) -> LearningError:
    number = table.row_number(row)
    return LearningError(
        f"{way} makes rows between two others, and column '{attribute.name}' is missing in row {number}. "
        "Leave the column out: ",
        Advice("ignore", [attribute.name]),
        ", fill it beforehand, or balance by weights or over.",
        place=Place(column=attribute.name, row=number),
    )
