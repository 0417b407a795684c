"""Drift: columns whose values changed between the early rows and the late ones."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Bools, Longs
from clearwood.errors import SettingError
from clearwood.measures.stability_index import stability_index, stability_index_p
from clearwood.study.data_sense.finding import Finding
from clearwood.study.drift_since_training import BY_CHANCE, CHANGED, MUCH
from clearwood.study.times import times_in
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.table import Table

_PARTS: Final = 10


def drift(table: Table, time: str) -> list[Finding]:
    """The columns, the target among them, whose stability index between the earlier and the later half of the
    rows is 0.1 or more, and more than chance would give; rows of one time stay in one half."""
    times = times_in(table, time)
    middle = float(np.median(times))
    late = times > middle
    if not late.any():  # most rows are of the last time
        late = times == times.max()
    if late.all():
        raise SettingError(f"Every row has the same time in '{time}': nothing can have changed.")
    target = table.schema.target
    changed = []
    for attribute in (*table.schema.inputs, *(() if target is None else (target,))):
        if attribute.name == time or attribute.name not in table.columns:
            continue
        cells = _cells(attribute, table, ~late)
        if cells is None:
            continue
        width = int(cells.max()) + 1
        before, after = (np.bincount(cells[rows], minlength=width) for rows in (~late, late))
        index = stability_index(before, after)
        filled = int(((before + after) > 0).sum())
        p = stability_index_p(index, float((~late).sum()), float(late.sum()), filled)
        if index >= CHANGED and p < BY_CHANCE:
            changed.append(_finding(attribute, index, time, is_target=attribute is target))
    return sorted(changed, key=lambda each: -each.numbers["psi"])


def _cells(attribute: Attribute, table: Table, early: Bools) -> Longs | None:
    """[row] the value's place, or one of ten parts by quantiles of the early rows; empty cells have one of
    their own."""
    column = table.columns[attribute.name]
    if isinstance(attribute, Nominal | Ordinal):
        return column.astype(np.int64) + 2
    if not isinstance(attribute, Numeric):
        return None
    known = column[early & ~np.isnan(column)]
    if not len(known):
        return np.isnan(column).astype(np.int64)
    cuts = np.unique(np.quantile(known, np.arange(1, _PARTS) / _PARTS))
    parts = np.searchsorted(cuts, column, side="left")
    return np.where(np.isnan(column), len(cuts) + 1, parts).astype(np.int64)


def _finding(attribute: Attribute, index: float, time: str, *, is_target: bool) -> Finding:
    name = f"The target '{attribute.name}'" if is_target else f"Column '{attribute.name}'"
    much = "much " if index >= MUCH else ""
    sentence = (
        f"{name} changed {much}between the earlier and the later half of the rows by '{time}' (stability "
        f"index {index:.2f}; from 0.25 on it is much). Evaluate by time, not on rows drawn from both halves."
    )
    return Finding("drift", (attribute.name,), sentence, index >= MUCH, {"psi": index})
