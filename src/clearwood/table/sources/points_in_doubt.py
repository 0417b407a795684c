"""Points in doubt: `1.200` between semicolons may be a decimal of three digits, or a German thousand.

Such a column is read as decimals, and announced: a file of Germans that happens to hold only round amounts
looks so. Between commas it is not in doubt, for there the point is the decimal mark as a rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.table.raw import RawColumn, RawNumbers

FEW: Final = 20  # rows looked at before all are
_GROUPED: Final = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}", re.ASCII)
_SMALL: Final = re.compile(r"[+-]?\d{1,3}", re.ASCII)  # as written either way
_NAMED: Final = 3


@dataclass(slots=True)
class PointsInDoubt:
    """What is known of a file's columns, over all blocks of it: those settled need no second look."""

    settled: set[int] = field(default_factory=set)

    def notes(
        self,
        where: str,
        names: Sequence[str],
        columns: Sequence[RawColumn],
        first: Sequence[Sequence[bytes]],
        missing: Sequence[str],
    ) -> tuple[str, ...]:
        """A sentence for the columns newly in doubt; `first` are the cells of the first few rows."""
        doubtful: dict[str, str] = {}  # column → a cell
        for j, column in enumerate(columns):
            if j in self.settled:
                continue
            cell = _grouped_cell(column, [row[j] for row in first if j < len(row)], missing)
            if cell is None:
                continue
            self.settled.add(j)
            if cell:
                doubtful[names[j]] = cell
        if not doubtful:
            return ()
        listed = ", ".join(f"'{name}'" for name in list(doubtful)[:_NAMED])
        listed += f" and {len(doubtful) - _NAMED:,} more" if len(doubtful) > _NAMED else ""
        cell = next(iter(doubtful.values()))
        return (
            Sentence(
                f"{where}, column{'s' if len(doubtful) > 1 else ''} {listed}: cells such as '{cell}' are "
                f"read as decimals ({float(cell):.15g}). If the point stands between thousands: ",
                Advice("decimal", ","),
                " or ",
                Advice("thousands", "."),
                "; if it does not: ",
                Advice("decimal", "."),
                ".",
            ),
        )


def _grouped_cell(column: RawColumn, first: Sequence[bytes], missing: Sequence[str]) -> str | None:
    """A cell with such a point; '' if some cell says that points are decimal marks, or the column has no
    numbers; None if there is nothing to go by."""
    if not isinstance(column, RawNumbers):
        return "" if column.values else None
    sample = [cell.decode().strip() for cell in first]
    if not all(_fits(cell) for cell in sample if cell not in missing):
        return ""
    known = column.values[~np.isnan(column.values)]
    if not len(known):
        return None
    if (np.abs(known) >= 1000).any():
        return ""
    if column.texts is None:  # whole numbers, written plainly
        return None
    texts = column.texts().values
    if not all(map(_fits, texts)):
        return ""
    return next((text.strip() for text in texts if _GROUPED.fullmatch(text.strip())), None)


def _fits(cell: str) -> bool:
    return bool(_GROUPED.fullmatch(cell.strip()) or _SMALL.fullmatch(cell.strip()))
