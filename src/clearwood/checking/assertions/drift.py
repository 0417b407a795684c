"""Drift: the columns of the rows are spread as they were in training, by the population stability index."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.checking.assertions.model_and_rows import ModelAndRows
from clearwood.checking.assertions.verdict import AssertionVerdict
from clearwood.errors import ColumnError, SettingError, no_such
from clearwood.measures.stability_index import stability_index
from clearwood.models.profile import ColumnProfile, NumbersProfile, Profile, TextProfile, ValuesProfile
from clearwood.models.words import written
from clearwood.predict.columns import column_for, columns_used, table_for
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Table
from clearwood.words.numbers import in_digits, many, number, row_count


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftWithin:
    """The stability index of each column that the model asks about (or of these `columns`), the rows against
    the training rows, is `at_most` so large: 0.1 is a change by the usual limits, 0.25 a large one."""

    at_most: float
    columns: tuple[str, ...] = ()
    name: str = ""

    def check_keys(self) -> None:
        """Refuse a column without a name."""
        if not all(self.columns):
            raise SettingError('Name the columns: columns = ["…"].')

    @property
    def title(self) -> str:
        of = ", ".join(map(written, self.columns)) if self.columns else "every column"
        return f"the stability index of {of} is at most {number(self.at_most)}"


def check_drift(asserted: DriftWithin, given: ModelAndRows) -> AssertionVerdict:
    """On the rows of the table, against the profile that the model keeps of its training rows."""
    profile = given.model.profile
    if profile is None:
        raise SettingError(
            "This model has no profile of its training rows, to which others could be compared. "
            "Learn it again, or leave [[drift]] out."
        )
    if given.source is None:
        raise SettingError(f"{asserted.title}: drift is of rows, and none are given. Give a table.")
    names = _names(asserted, given, profile)
    source = given.source
    table = source if isinstance(source, Table) else table_for(given.model, source)
    indices = {
        name: index
        for name in names
        if (index := column_drift(table, name, profile.columns[name], given.model.schema)) is not None
    }
    how = f"{given.on_rows(len(table))} against {row_count(profile.rows)} of training"
    title = asserted.name or asserted.title
    if not indices or not len(table):
        return AssertionVerdict("drift", title, None, False, how, "there is nothing to compare")
    broken = {name: each for name, each in indices.items() if each > asserted.at_most}
    if broken:
        listed = sorted(broken.items(), key=lambda each: -each[1])
        because = ", ".join(f"{written(name)} {in_digits(each, 3)}" for name, each in listed)
        return AssertionVerdict("drift", title, False, False, how, because)
    worst = max(indices, key=indices.__getitem__)
    because = f"{many(len(indices), 'column')}, at most {in_digits(indices[worst], 3)} ({written(worst)})"
    return AssertionVerdict("drift", title, True, False, how, because)


def _names(asserted: DriftWithin, given: ModelAndRows, profile: Profile) -> list[str]:
    if not asserted.columns:
        return [name for name in profile.columns if name in columns_used(given.model)]
    for name in asserted.columns:
        if name not in profile.columns or name not in columns_used(given.model):
            known = [each for each in profile.columns if each in columns_used(given.model)]
            raise ColumnError(
                no_such("column that the model asks about called", name, known, plural="columns")
            )
    return list(asserted.columns)


def column_drift(table: Table, name: str, profile: ColumnProfile, schema: Schema) -> float | None:
    """The stability index of one column; None of text, or where no training row had a cell."""
    attribute = schema[name]
    weights = np.ones(len(table)) if table.weights is None else np.asarray(table.weights)
    match profile:
        case ValuesProfile(counts, missing):
            assert isinstance(attribute, Nominal | Ordinal)
            codes = column_for(attribute, table).astype(np.int64)
            # Values never met have a cell of their own, of which training had none.
            cells = np.where(codes >= 0, codes, len(counts) + (codes != MISSING))
            after = np.bincount(cells, weights, minlength=len(counts) + 2)
            return stability_index([*counts, missing, 0.0], after)
        case NumbersProfile(_, _, quantiles, known, missing):
            if not quantiles:
                return None
            numbers = np.asarray(column_for(attribute, table), dtype=np.float64)
            last = len(quantiles) - 1
            cuts = np.array([cut for cut in dict.fromkeys(quantiles[2:last:2]) if cut < quantiles[-1]])
            places = np.searchsorted(cuts, numbers, side="left")
            cells = np.where(np.isnan(numbers), len(cuts) + 1, places)
            now = np.bincount(cells, weights, minlength=len(cuts) + 2).astype(np.float64)
            return stability_index([*_before(quantiles, cuts, now[:-1], known), missing], now)
        case TextProfile():
            return None
        case _:
            assert_never(profile)


def _before(quantiles: tuple[float, ...], cuts: Floats, after: Floats, known: float) -> list[float]:
    """The training rows between the cuts. Where numbers repeat the quantiles say it only roughly: what they
    leave open is taken as these rows have it, so that no change is seen where none can be known."""
    total = float(after.sum())
    seen = np.cumsum(after)[:-1] / total if total > 0 else np.zeros(len(cuts))
    pairs = zip(cuts.tolist(), seen.tolist(), strict=True)
    parts = [0.0, *(_part_up_to(quantiles, cut, part) for cut, part in pairs), 1.0]
    return [(high - low) * known for low, high in pairwise(parts)]


def _part_up_to(quantiles: tuple[float, ...], cut: float, seen: float) -> float:
    """The part of the training rows that are at most `cut`, one of the quantiles: from its part to that of
    the next one, where several quantiles are equal or whole numbers are near to each other."""
    last = len(quantiles) - 1
    place = max(at for at, each in enumerate(quantiles) if each <= cut)
    unknown = 0.0
    if quantiles.index(cut) < place:
        unknown = 1.0
    elif all(each == int(each) for each in quantiles):
        unknown = 1.0 / (quantiles[place + 1] - cut)
    return min(max(seen, place / last), (place + unknown) / last)
