"""Marks by which the training rows are known again in any order: of each column a sum over its cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

from clearwood._native import row_marks
from clearwood.models.model import Model
from clearwood.models.profile import Profile
from clearwood.predict.columns import columns_used
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table

Marks: TypeAlias = Mapping[str, int]  # by column; marks of blocks add up to those of the whole

_ALL: Final = (1 << 64) - 1


def row_marks_of(table: Table, only: Collection[str] | None = None) -> dict[str, int]:
    """The marks of the columns of values and numbers (`only` these), each cell taken with its row's answer.

    They do not depend on the order of rows, but on which cell stands beside which answer.

    >>> import numpy as np
    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> reversed_days, fewer_days = days.take(np.arange(14)[::-1]), days.take(np.arange(1, 14))
    >>> row_marks_of(days) == row_marks_of(reversed_days), row_marks_of(days) == row_marks_of(fewer_days)
    (True, False)
    """
    target = table.schema.target
    if target is None or target.name not in table.columns:
        return {}
    names = [
        each.name
        for each in table.schema.attributes
        if isinstance(each, Nominal | Ordinal | Numeric)
        and each.name in table.columns
        and (only is None or each.name in only)
    ]
    marks = row_marks([table.columns[name] for name in names], table.columns[target.name])
    return dict(zip(names, marks, strict=True))


def joined_marks(marks: Marks, more: Marks) -> dict[str, int]:
    """The marks of both sets of rows together."""
    return {name: (marks.get(name, 0) + mark) & _ALL for name, mark in more.items()}


def written_marks(marks: Marks) -> dict[str, str]:
    """As a profile keeps them: sixteen digits each."""
    return {name: f"{mark:016x}" for name, mark in marks.items()}


def are_training_rows(profile: Profile | None, rows: int, marks: Marks) -> bool:
    """Are so many rows with these marks those that the profile is of? Columns without marks are not asked."""
    if profile is None or profile.rows != rows or not marks:
        return False
    return all(profile.marks.get(name) == mark for name, mark in written_marks(marks).items())


def has_seen(model: Model, table: Table) -> bool:
    """Was the model learned from these rows, in whatever order? Its profile must say so."""
    profile = model.profile
    if profile is None or profile.rows != len(table):
        return False
    return are_training_rows(profile, len(table), row_marks_of(table, columns_used(model)))
