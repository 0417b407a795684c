"""Two models on the same rows: whose answers and shares changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats
from clearwood.checking.difference.difference import ChangedRow, Difference, Flow, Given
from clearwood.models.model import Model
from clearwood.predicting.batch import predict, shares
from clearwood.table.table import Table

_ROUNDING: Final = 1e-9  # of numbers that are sums of parts


def with_rows(
    difference: Difference, old: Model, new: Model, tables: Sequence[Table], most: int
) -> Difference:
    """The difference with rows, as each model codes them: the weight of all and of those that changed, the
    first of these, and how far shares moved."""
    before, after = predict(old, tables[0]), predict(new, tables[1])
    weights = np.ones(len(before)) if tables[0].weights is None else np.asarray(tables[0].weights)
    which = differ(before, after)
    places = np.flatnonzero(which)
    flows: dict[tuple[Given, Given], float] = {}
    if not old.is_numeric:
        for place in places.tolist():
            pair = (before[place], after[place])
            flows[pair] = flows.get(pair, 0.0) + float(weights[place])
    examples = tuple(
        ChangedRow(tables[0].row_number(place), given(before[place]), given(after[place]))
        for place in places[:most].tolist()
    )
    moved = largest = None
    if not old.is_numeric and len(before):
        _, one, other = named_shares(old, new, *tables)
        move = np.abs(other - one).max(axis=1, initial=0.0)
        largest = float(move.max())
        by = difference.by_more_than
        moved = None if by is None else float(weights[move > by + 1e-12].sum())
    ordered = sorted(flows.items(), key=lambda each: -each[1])
    return replace(
        difference,
        rows=float(weights.sum()),
        changed=float(weights[which].sum()),
        flows=tuple(Flow(one, other, rows) for (one, other), rows in ordered),
        changed_rows=examples,
        moved_rows=moved,
        largest_move=largest,
    )


def differ(before: npt.NDArray[Any], after: npt.NDArray[Any]) -> Bools:
    """[row] are the two answers different? Numbers are by more than rounding; no answer is like no answer."""
    if before.dtype == object or after.dtype == object:
        different: Bools = before != after
        return different
    silent = np.isnan(before) & np.isnan(after)
    with np.errstate(invalid="ignore"):
        near = np.abs(before - after) <= _ROUNDING * np.maximum(1.0, np.abs(before))
    changed: Bools = ~(silent | near)
    return changed


def named_shares(old: Model, new: Model, rows: Table, same_rows: Table) -> tuple[list[str], Floats, Floats]:
    """[row, class] the shares of both models for the classes of either."""
    names = list(dict.fromkeys((*old.schema.classes, *new.schema.classes)))
    made = []
    for model, table in ((old, rows), (new, same_rows)):
        own = shares(model, table)
        whole = np.zeros((len(own), len(names)))
        whole[:, [names.index(name) for name in model.schema.classes]] = own
        made.append(whole)
    return names, made[0], made[1]


def given(answer: Any) -> Given:
    """An answer as a difference has it; None also for NaN, the number that is no answer."""
    if answer is None or isinstance(answer, str):
        return answer
    number = float(answer)
    return None if number != number else number
