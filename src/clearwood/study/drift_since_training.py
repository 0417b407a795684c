"""Drift since training: how far the columns of rows differ from those that a model was learned from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.coding import interval_codes
from clearwood.measures.stability_index import stability_index, stability_index_p
from clearwood.models.columns_used import columns_used
from clearwood.models.model import Model
from clearwood.models.profile import ColumnProfile, NumbersProfile, TextProfile, ValuesProfile
from clearwood.predicting.columns import column_for
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Table
from clearwood.words.numbers import in_short, p_value

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
    known = {} if model.profile is None else model.profile.columns
    drifts = [
        drift
        for name in sorted(columns_used(model))
        if name in known and name in table.columns and len(table)
        if (drift := column_drift(table, name, known[name], model.schema)) is not None
    ]
    return tuple(sorted(drifts, key=lambda each: -each.index))


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
    counted = _counts(table, name, profile, schema)
    if counted is None:
        return None
    before, after = counted
    if not before.sum() > 0 or not after.sum() > 0:
        return None
    index = stability_index(before, after)
    filled = int(((before + after) > 0).sum())
    chance = stability_index_p(index, float(before.sum()), float(after.sum()), filled)
    return Drifted(name, index, chance, len(table))


def _counts(table: Table, name: str, profile: ColumnProfile, schema: Schema) -> tuple[Floats, Floats] | None:
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
            after = np.bincount(cells, weights, minlength=len(counts) + 2)
            return np.array([*counts, missing, 0.0]), after.astype(np.float64)
        case NumbersProfile(_, _, quantiles, known, missing):
            if not quantiles:
                return None
            numbers = np.asarray(column_for(attribute, table), dtype=np.float64)
            last = len(quantiles) - 1
            cuts = np.array([cut for cut in dict.fromkeys(quantiles[2:last:2]) if cut < quantiles[-1]])
            cells = interval_codes(numbers, cuts, missing=len(cuts) + 1)
            now = np.bincount(cells, weights, minlength=len(cuts) + 2).astype(np.float64)
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
