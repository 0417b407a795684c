"""What a bag of sparse columns adds to each class, by the cells that are stored alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clearwood.arrays import Floats
from clearwood.predict.bayes_terms import Presence, Times, apart
from clearwood.table.sparse_columns import SparseColumns


def added_by_bag(terms: Sequence[Times | Presence], columns: SparseColumns, *, level: bool = False) -> Floats:
    """[row, class] the sum of all these terms; with `level` less what all classes share, column by column."""
    joint = np.zeros((columns.matrix.shape[0], len(terms[0].sizes)))
    times = [term for term in terms if isinstance(term, Times)]
    if times:
        logs = np.array([term.logs for term in times])
        joint += columns.counts([term.name for term in times]) @ (apart(logs) if level else logs)
    presence = [term for term in terms if isinstance(term, Presence)]
    if presence:
        joint += _present_or_absent(presence, columns, level=level)
    return joint


def _present_or_absent(terms: Sequence[Presence], columns: SparseColumns, *, level: bool) -> Floats:
    """[row, class] as if every column were absent, and what changes where one is present."""
    absent, present = (
        np.array(logs) for logs in zip(*((each.absent, each.present) for each in terms), strict=True)
    )
    if level:
        absent, present = apart(absent), apart(present)
    sure = np.isneginf(absent + present).any(axis=1)
    usual = [terms[j].name for j in np.flatnonzero(~sure).tolist()]
    held = columns.counts(usual)
    held.data[:] = 1.0
    joint: Floats = absent[~sure].sum(axis=0) + held @ (present[~sure] - absent[~sure])
    for j in np.flatnonzero(sure).tolist():  # what is −∞ cannot be taken back
        joint += np.where(columns[terms[j].name][:, None] > 0, present[j], absent[j])
    return joint
