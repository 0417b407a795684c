"""Marks by which the training rows are known again in any order: of each column a sum over its cells."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from hashlib import blake2b
from typing import Final, TypeAlias

from clearwood._native import row_marks
from clearwood.models.columns_used import columns_used
from clearwood.models.model import Model
from clearwood.models.profile import Profile
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


def unordered_mark(model: Model, table: Table) -> str:
    """Sixteen digits of the rows, whatever their order, by the columns that the model asks for; "" where none
    of these has marks."""
    marks = row_marks_of(table, columns_used(model))
    if not marks:
        return ""
    return blake2b(json.dumps([len(table), sorted(marks.items())]).encode(), digest_size=8).hexdigest()


def are_training_rows(profile: Profile | None, rows: int, marks: Marks) -> bool:
    """Are so many rows with these marks those that the profile is of? Columns without marks are not asked."""
    return profile is not None and profile.rows == rows and _are(profile.marks, marks)


def hold_training_rows(profile: Profile | None, rows: int, marks: Marks) -> bool:
    """Are so many rows with these marks the table of which the profile's rows were a part?"""
    return profile is not None and profile.whole_rows == rows and _are(profile.whole_marks, marks)


def _are(known: Mapping[str, str], marks: Marks) -> bool:
    return bool(marks) and all(known.get(name) == mark for name, mark in written_marks(marks).items())


def has_seen(model: Model, table: Table) -> bool:
    """Was the model learned from these rows, in whatever order? Its profile must say so."""
    profile = model.profile
    if profile is None or profile.rows != len(table):
        return False
    return are_training_rows(profile, len(table), row_marks_of(table, columns_used(model)))


def learned_among(model: Model, table: Table) -> int:
    """How many of these rows the model was learned from, where they are the table of which its training rows
    were a part, in whatever order; 0 of any others, of the training rows alone as well."""
    profile = model.profile
    if profile is None or profile.whole_rows != len(table):
        return 0
    held = hold_training_rows(profile, len(table), row_marks_of(table, columns_used(model)))
    return profile.rows if held else 0


def among_words(among: int, rows: int) -> str:
    """The beginning of a sentence on rows of which some were learned from.

    >>> among_words(210, 300)
    'The model was learned from 210 of these 300 rows'
    """
    return f"The model was learned from {among:,} of these {rows:,} rows"
