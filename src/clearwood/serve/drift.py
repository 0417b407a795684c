"""Drift: how far the rows that are asked about lately differ from those that the model was learned from.

Counted are the last 5,000 to 10,000 rows: a window of counts fills up and becomes the one before, so that
memory stays what it is and an old change is forgotten. Only columns that the model asks about are counted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from threading import Lock
from typing import Any, Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.stability_index import stability_index, stability_index_p
from clearwood.models.model import Model
from clearwood.models.profile import ColumnProfile, NumbersProfile, TextProfile, ValuesProfile
from clearwood.serve.row_reading import RowCodes, RowReader
from clearwood.study.drift_since_training import Drifted
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import MISSING, Table

WINDOW: Final = 5_000  # rows after which a window is full


class ColumnCounts:
    """One column: how often each of its cells occurred lately.

    Values have a place each, numbers one of up to ten parts by the quantiles of the training rows. The last
    two places are unseen values and empty cells: their codes, −2 and −1, count from the end.
    """

    def __init__(self, attribute: Attribute, profile: ColumnProfile | None) -> None:
        self.name = attribute.name
        self.is_numeric = isinstance(attribute, Numeric)
        self.is_text = isinstance(attribute, Text)
        self.cuts, self.expected = _expected(attribute, profile)
        values = len(attribute.values) if isinstance(attribute, Nominal | Ordinal) else len(self.cuts) + 1
        self._size = values + 2
        self.now, self.before = [0] * self._size, [0] * self._size
        self.unseen = self.missing = 0  # since the start

    def place(self, code: Any) -> int:
        """Where a coded cell is counted: a number, NaN where it is empty, a text, or a value's code."""
        if self.is_numeric:
            return MISSING if code != code else bisect_left(self.cuts, code)
        if self.is_text:
            return MISSING if code is None else 0
        place: int = code
        return place

    def add(self, place: int, rows: int = 1) -> None:
        self.now[place] += rows
        if place < 0:
            if place == MISSING:
                self.missing += rows
            else:
                self.unseen += rows

    def turn(self) -> None:
        """The window is full: it becomes the one before."""
        self.before, self.now = self.now, [0] * self._size

    def drifted(self) -> Drifted | None:
        """None where the training rows are not known, or nothing was asked yet."""
        recent = np.array(self.before, dtype=np.float64) + self.now
        rows = float(recent.sum())
        if self.expected is None or not rows:
            return None
        index = stability_index(self.expected, recent)
        filled = int(((self.expected + recent) > 0).sum())
        chance = stability_index_p(index, float(self.expected.sum()), rows, filled)
        return Drifted(self.name, index, chance, int(rows))


class Drift:
    """The columns that a model asks about, and its answers."""

    def __init__(self, model: Model, reader: RowReader) -> None:
        known = {} if model.profile is None else model.profile.columns
        self.columns = tuple(ColumnCounts(each, known.get(each.name)) for each in reader.columns)
        target = model.schema.target
        profile = None if target is None else known.get(target.name)
        self._classes = profile.counts if isinstance(profile, ValuesProfile) else None
        self._numbers = profile if isinstance(profile, NumbersProfile) else None
        width = max(1, len(model.schema.classes))
        self._width = width
        self._sums, self._sums_before = [0.0] * width, [0.0] * width  # of shares by class, or of numbers
        self._rows = 0  # in the window
        self._answered = self._answered_before = 0
        self._lock = Lock()

    def add_row(self, codes: RowCodes, sums: Sequence[float]) -> None:
        """Count a row; `sums` are the shares of its classes, or its number alone, NaN without an answer."""
        with self._lock:
            for column, code in zip(self.columns, codes, strict=True):
                column.add(column.place(code))
            if sums[0] == sums[0]:
                self._answered += 1
                for place, share in enumerate(sums):
                    self._sums[place] += share
            self._end(1)

    def add_table(self, table: Table, sums: Floats) -> None:
        """Count many rows at once; `sums` is [row, class] or [row, 1]; NaN where there is no answer."""
        with self._lock:
            for column in self.columns:
                cells = table.columns[column.name]
                if column.is_numeric:
                    numbers = np.asarray(cells, dtype=np.float64)
                    places = np.where(np.isnan(numbers), MISSING, np.searchsorted(column.cuts, numbers))
                elif column.is_text:
                    places = np.array([MISSING if each is None else 0 for each in cells])
                else:
                    places = cells
                found, counts = np.unique(places, return_counts=True)
                for place, rows in zip(found.tolist(), counts.tolist(), strict=True):
                    column.add(place, rows)
            answered = sums[np.isfinite(sums).all(axis=1)]
            self._answered += len(answered)
            for place, total in enumerate(answered.sum(axis=0).tolist()):
                self._sums[place] += total
            self._end(len(table))

    def inputs(self) -> list[Drifted]:
        """The index of each column whose training rows are known."""
        with self._lock:
            return [each for column in self.columns if (each := column.drifted()) is not None]

    def answers(self) -> Drifted | None:
        """The stability index of the classes' mean shares against how common they were in training.

        None of a model that predicts numbers, or whose training rows are not known.
        """
        with self._lock:
            recent = np.add(self._sums, self._sums_before)
            rows = self._answered + self._answered_before
        if self._classes is None or not rows:
            return None
        expected = np.array(self._classes)
        index = stability_index(expected, recent)
        chance = stability_index_p(index, float(expected.sum()), rows, int(((expected + recent) > 0).sum()))
        return Drifted("", index, chance, rows)

    def shift(self) -> float | None:
        """How far the mean of the numbers answered is from that of the training rows, in their deviations."""
        with self._lock:
            total, rows = self._sums[0] + self._sums_before[0], self._answered + self._answered_before
        known = self._numbers
        if known is None or known.mean is None or not known.deviation or not rows:
            return None
        return (total / rows - known.mean) / known.deviation

    def _end(self, rows: int) -> None:
        self._rows += rows
        if self._rows < WINDOW:
            return
        for column in self.columns:
            column.turn()
        self._sums_before, self._sums = self._sums, [0.0] * self._width
        self._answered_before, self._answered = self._answered, 0
        self._rows = 0


def _expected(attribute: Attribute, profile: ColumnProfile | None) -> tuple[list[float], Floats | None]:
    """The cuts of a numeric column, and the weight of the training rows in each place."""
    match attribute, profile:
        case _, None:
            return [], None
        case (Nominal() | Ordinal(), ValuesProfile(counts, missing)):
            return [], np.array([*counts, 0.0, missing])
        case (Numeric(), NumbersProfile(_, _, quantiles, known, missing)):
            if not quantiles:
                return [], np.array([0.0, 0.0, missing])
            steps = len(quantiles) - 1
            cuts = sorted({each for each in quantiles[2:-1:2] if each < quantiles[-1]})
            # The share of the training rows up to a cut: as exactly as steps of 5 % know it.
            below = [0.0, *(max(k for k in range(steps) if quantiles[k] <= cut) / steps for cut in cuts), 1.0]
            return cuts, np.array([*(known * (b - a) for a, b in pairwise(below)), 0.0, missing])
        case (Text(), TextProfile(known, _, missing)):
            return [], np.array([known, 0.0, missing])
        case (Nominal() | Ordinal() | Numeric() | Text() | Ignored(), _):
            raise AssertionError("a model's profile fits its schema")
        case _:
            assert_never(attribute)
