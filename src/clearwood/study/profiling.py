"""A profile of rows: what each column held, to be kept with a model and compared with later rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, TypeVar, assert_never

import numpy as np

from clearwood.arrays import Bools, Floats, Longs, weights_by_cell
from clearwood.counting.coding import interval_codes
from clearwood.errors import SettingError
from clearwood.measures.stability_index import stability_index, stability_index_p
from clearwood.models.kinds.kind import (
    QUANTILES,
    ColumnProfile,
    NumbersProfile,
    Profile,
    TextProfile,
    ValuesProfile,
)
from clearwood.models.model import Model, check_kind
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.columns import column_for
from clearwood.records import dataclass
from clearwood.study.data_sense import Finding
from clearwood.study.dividing import times_in
from clearwood.study.known_rows import row_marks_of, written_marks
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.folding import order_of_sums
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Column, Table
from clearwood.words.numbers import in_short, p_value

M = TypeVar("M", bound=Model)


def profile_of(table: Table, whole: Table | None = None) -> Profile:
    """Each column of the table, the target among them; ignored ones are left out. `whole` is the table of
    which these rows are a part, so that it is known again as well.

    Rows count by their weights, and the order in which they stand changes nothing, not even a last digit.

    >>> import clearwood as cw
    >>> profile = profile_of(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    >>> profile.rows, profile.columns["Wind"]
    (14, ValuesProfile(counts=(6.0, 8.0), missing=0.0))
    """
    given, table = table, order_of_sums(table)
    schema = table.schema
    weights = table.weights
    attributes = (*schema.attributes, *([] if schema.target is None else [schema.target]))
    columns = {
        each.name: _of_column(each, table.columns[each.name], weights)
        for each in attributes
        if not isinstance(each, Ignored) and each.name in table.columns
    }
    weight = float(len(table)) if weights is None else float(weights.sum())
    profile = Profile(len(table), weight, columns, written_marks(row_marks_of(given)))
    if whole is None or len(whole) == len(table):
        return profile
    return replace(profile, whole_rows=len(whole), whole_marks=written_marks(row_marks_of(whole)))


def with_profile(model: M, table: Table) -> M:
    """The model with a profile of the rows that it was learned from, as one that `clearwood fit` saves has;
    odds ratios per standard deviation and the best row of a linear model ask for it.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> model = with_profile(cw.Logistic().learn(table), table)
    >>> round(cw.estimates(model, per="sd")[1].odds_ratio, 2)
    7.95
    """
    from clearwood.deriving.deriving import check_same_table  # late: learning needs no derivation

    check_kind("with_profile", model)
    return replace(model, profile=profile_of(check_same_table(model, table)))


def _of_column(attribute: Attribute, cells: Column, weights: Floats | None) -> ColumnProfile:
    match attribute:
        case Nominal(_, values) | Ordinal(_, values):
            _, missing, *counts = np.bincount(cells - UNSEEN, weights, len(values) - UNSEEN).tolist()
            return ValuesProfile(tuple(map(float, counts)), float(missing))
        case Numeric():
            return _of_numbers(np.asarray(cells, dtype=np.float64), weights)
        case Text():
            weights = np.ones(len(cells)) if weights is None else weights
            known = np.array([cell is not None for cell in cells], dtype=np.bool_)
            words = np.array([0 if cell is None else len(cell.split()) for cell in cells], dtype=np.float64)
            weight = float(weights[known].sum())
            mean = float(words @ weights / weight) if weight > 0 else 0.0
            return TextProfile(weight, mean, float(weights[~known].sum()))
        case Ignored():
            raise AssertionError("ignored columns have no profile")
        case _:
            assert_never(attribute)


def _of_numbers(cells: Floats, weights: Floats | None) -> NumbersProfile:
    """An infinite number is no number that a model file could hold: it counts as missing."""
    known = np.isfinite(cells)
    parts: Floats | float = 1.0
    if weights is None:
        values = np.sort(cells if known.all() else cells[known])
        missing = float(len(cells) - len(values))
        weight = float(len(values))
    else:
        used = known & (weights > 0)
        missing = float(weights[~known].sum())
        values, parts = cells[used], weights[used]
        weight = float(parts.sum())
        if len(parts) and (parts == parts[0]).all():
            values = np.sort(values)
        else:  # one order, however the rows stand
            order = np.lexsort((parts, values))
            values, parts = values[order], parts[order]
    if not weight > 0:
        return NumbersProfile(None, None, (), 0.0, missing)
    # In units of a power of two near the largest, so that squares of large numbers do not overflow.
    unit = math.ldexp(1.0, math.frexp(float(np.abs(values[[0, -1]]).max()))[1] - 1)
    scaled = values / unit
    mean = float((scaled * parts).sum() / weight)
    deviation = float(np.sqrt((np.square(scaled - mean) * parts).sum() / weight))
    # The smallest number that at least 0, 5, … 100 % of the weight does not exceed.
    shares = np.arange(QUANTILES) / (QUANTILES - 1)
    if isinstance(parts, float):
        at = np.maximum(np.ceil(weight * shares).astype(np.int64) - 1, 0)
    else:
        below = np.cumsum(parts)
        at = np.searchsorted(below, below[-1] * shares)
    quantiles = values[np.minimum(at, len(values) - 1)]
    quantiles[0], quantiles[-1] = values[0], values[-1]
    return NumbersProfile(mean * unit, deviation * unit, tuple(quantiles.tolist()), weight, missing)


# Drift since training: how far the columns of rows differ from those that a model was learned from.


CHANGED: Final = 0.1  # the index from which a column is said to have changed; the usual limit
MUCH: Final = 0.25
BY_CHANCE: Final = 0.01


@dataclass(frozen=True, slots=True)
class Drifted:
    """A column's stability index against the training rows, and how often chance alone gives as much."""

    name: str
    index: float
    by_chance: float
    rows: int

    @property
    def has_changed(self) -> bool:
        """By the usual limit, and by more than chance."""
        return self.index >= CHANGED and self.by_chance < BY_CHANCE

    def to_json(self) -> dict[str, Any]:
        return {"psi": self.index, "p": self.by_chance, "changed": self.has_changed}


def drift_since_training(model: Model, table: Table) -> tuple[Drifted, ...]:
    """Of each column that the model asks about and knows its training rows of, the largest index first."""
    known = {} if model.profile is None or not len(table) else model.profile.columns
    names = [name for name in sorted(columns_used(model)) if name in known and name in table.columns]
    drifts = [column_drift(table, name, known[name], model.schema) for name in names]
    return tuple(sorted(filter(None, drifts), key=lambda each: -each.index))


def drift_words(drifts: Sequence[Drifted]) -> list[str]:
    """A sentence about the columns that have changed; none where none has."""
    changed = [each for each in drifts if each.has_changed]
    if not changed:
        return []
    figures = in_short([f"{each.name} {each.index:.2f} (p {p_value(each.by_chance)})" for each in changed])
    return [
        f"Drift since training, by the population stability index: {figures}. From 0.1 on a column has "
        "changed, from 0.25 much; p is how often chance alone gives as much."
    ]


def column_drift(table: Table, name: str, profile: ColumnProfile, schema: Schema) -> Drifted | None:
    """The stability index of one column; None of text, or where no row, now or in training, had a cell."""
    counted = _counts_before_and_after(table, name, profile, schema)
    if counted is None or not all(counts.sum() > 0 for counts in counted):
        return None
    return Drifted(name, *index_and_chance(*counted), len(table))


def index_and_chance(before: Floats, after: Floats) -> tuple[float, float]:
    """The stability index of two counts of the same parts, and how often chance alone gives as much."""
    index, filled = stability_index(before, after), int(((before + after) > 0).sum())
    return index, stability_index_p(index, float(before.sum()), float(after.sum()), filled)


def _counts_before_and_after(
    table: Table, name: str, profile: ColumnProfile, schema: Schema
) -> tuple[Floats, Floats] | None:
    """The training rows and these, by the parts of a column: its values, or ranges of its numbers, and last
    empty cells and values never met."""
    attribute = schema[name]
    weights = np.ones(len(table)) if table.weights is None else np.asarray(table.weights)
    match profile:
        case ValuesProfile(counts, missing):
            assert isinstance(attribute, Nominal | Ordinal)
            codes = column_for(attribute, table).astype(np.int64)
            # Values never met have a cell of their own, of which training had none.
            cells = np.where(codes >= 0, codes, len(counts) + (codes != MISSING))
            after = weights_by_cell(cells, weights, len(counts) + 2)
            return np.array([*counts, missing, 0.0]), after
        case NumbersProfile(_, _, quantiles, known, missing):
            if not quantiles:
                return None
            numbers = np.asarray(column_for(attribute, table), dtype=np.float64)
            last = len(quantiles) - 1
            cuts = np.array([cut for cut in dict.fromkeys(quantiles[2:last:2]) if cut < quantiles[-1]])
            cells = interval_codes(numbers, cuts, missing=len(cuts) + 1)
            now = weights_by_cell(cells, weights, len(cuts) + 2)
            return np.array([*_before(quantiles, cuts, now[:-1], known), missing]), now
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


# Drift: columns whose values changed between the early rows and the late ones.


_PARTS: Final = 10


def drift(table: Table, time: str) -> list[Finding]:
    """The columns, the target among them, whose stability index between the earlier and the later half of the
    rows is 0.1 or more, and more than chance would give; rows of one time stay in one half."""
    times = times_in(table, time)
    late = times > float(np.median(times))
    if not late.any():  # most rows are of the last time
        late = times == times.max()
    if late.all():
        raise SettingError(f"Every row has the same time in '{time}': nothing can have changed.")
    target = table.schema.target
    changed = []
    for attribute in (*table.schema.inputs, *(() if target is None else (target,))):
        if attribute.name == time or attribute.name not in table.columns or isinstance(attribute, Text):
            continue
        cells = _drift_cells(attribute, table, ~late)
        width = int(cells.max()) + 1
        before, after = (
            np.bincount(cells[rows], minlength=width).astype(np.float64) for rows in (~late, late)
        )
        index, p = index_and_chance(before, after)
        if index < CHANGED or p >= BY_CHANCE:
            continue
        what = "The target" if attribute is target else "Column"
        sentence = (
            f"{what} '{attribute.name}' changed {'much ' if index >= MUCH else ''}between the earlier and "
            f"the later half of the rows by '{time}' (stability index {index:.2f}; from 0.25 on it is much). "
            "Evaluate by time, not on rows drawn from both halves."
        )
        changed.append(Finding("drift", (attribute.name,), sentence, index >= MUCH, {"psi": index}))
    return sorted(changed, key=lambda each: -each.numbers["psi"])


def _drift_cells(attribute: Attribute, table: Table, early: Bools) -> Longs:
    """[row] the value's place, or one of ten parts by quantiles of the early rows; empty cells have one of
    their own."""
    column = table.columns[attribute.name]
    if not isinstance(attribute, Numeric):
        return column.astype(np.int64) + 2
    known = column[early & ~np.isnan(column)]
    cuts = np.unique(np.quantile(known, np.arange(1, _PARTS) / _PARTS)) if len(known) else np.zeros(0)
    return interval_codes(column, cuts, missing=len(cuts) + 1).astype(np.int64)
