"""What derivations of ensembles have in common: how many members they show, rows by number, long sums."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from clearwood.arrays import Longs
from clearwood.catalogue import entry_of
from clearwood.deriving.deriving import counted_rows
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.formulas.expressions import Expression, Number, Sum
from clearwood.learners.training import usable_rows
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.lineage import LearnedMore
from clearwood.registry import imported
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation
from clearwood.working.figures import GIVEN, Grid, GridCell, Lazy, OnSheet, plain

MOST_MEMBERS: Final = 10  # shown number by number; nobody computes more by hand
MOST_TERMS: Final = 20  # of a sum written out


def rows_learned_from(learner: Any, table: Table, *, reads_text: bool = True) -> Table:
    """The rows that the members learned from; what is remarkable about them was remarked on in learning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        return usable_rows(learner, table, reads_text=reads_text)


def title_of(model: Ensemble) -> str:
    """What is derived."""
    return f"{model.origin.learner} on {model.schema.predicted.name}"


def and_more(shown: int, size: int, what: str) -> str:
    """The sentence that so many more follow; nothing where all are shown.

    >>> and_more(10, 50, "rounds"), and_more(3, 3, "rounds")
    (' 40 more rounds follow in the same way.', '')
    """
    more = size - shown
    return f" {more:,} more {what} follow in the same way." if more > 0 else ""


def grid_of_rows(
    title: str,
    rows: Table,
    heads: tuple[str, ...],
    cells: Sequence[tuple[GridCell, ...]],
    on_sheet: tuple[OnSheet, ...],
    order: Longs | None = None,
) -> Grid:
    """The rows in this order: of each its number, its class or value, and these cells [row] under `heads`."""
    classes = rows.schema.classes

    def line(place: int) -> tuple[GridCell, ...]:
        row = place if order is None else int(order[place])
        target = rows.target[row]
        return rows.row_number(row), classes[int(target)] if classes else float(target), *cells[row]

    columns = ("row", "class" if classes else "value", *heads)
    return Grid(title, columns, Lazy(len(rows), line), on_sheet=(GIVEN, GIVEN, *on_sheet))


def added_up(values: Sequence[float]) -> tuple[Expression, str]:
    """The sum of these; where they are many, of what ten stretches of them come to, and a sentence about it.

    >>> added_up([1.0, 2.5])[0]
    Sum(terms=(Number(value=1), Number(value=2.5)))
    >>> added_up([1.0] * 1000)[1]
    'Added up 100 at a time.'
    """
    if len(values) <= MOST_TERMS:
        return Sum(tuple(plain(float(each)) for each in values)) if len(values) else Number(0), ""
    size = math.ceil(len(values) / 10)
    parts = [math.fsum(values[first : first + size]) for first in range(0, len(values), size)]
    return Sum(tuple(map(plain, parts))), f"Added up {size:,} at a time."


def check_alike(model: Ensemble, own: Sequence[float], again: Sequence[float]) -> None:
    """Refuse a model whose numbers are not those that its learner finds in the table."""
    if len(own) != len(again) or not np.allclose(own, again, rtol=1e-9, atol=1e-12):
        raise LearningError(
            f"{model.origin.learner} does not learn this ensemble from these rows: it was changed, or made "
            "by another version. Learn it again."
        )


# The derivation of an ensemble: by its learner's own steps, where it has some.


def derive_ensemble(model: Ensemble, table: Table | None) -> Derivation:
    """The steps by which its learner made it, from the table it was learned from."""
    entry = entry_of(model.origin.learner)
    if entry is None or not entry.steps:
        raise SettingError(
            f"The steps of {model.origin.learner} are not derived. Derive how the members predict a row: "
            "derive(model, row=row)."
        )
    if any(isinstance(done, LearnedMore) for done in model.origin.after):
        raise SettingError(
            "This ensemble learned more later, and steps are derived from one learning. Derive how its "
            "members predict a row: derive(model, row=row)."
        )
    derivation: Derivation = imported(entry.steps)(model, counted_rows(model, table))
    return derivation
