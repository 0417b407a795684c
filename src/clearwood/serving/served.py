"""A model as it is served: its name, its version, and answers to rows with what stands behind them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.coding import interval_codes
from clearwood.errors import SettingError
from clearwood.measures.stability_index import stability_index, stability_index_p
from clearwood.models.files.storing import model_fingerprint
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.kind import ColumnProfile, NumbersProfile, TextProfile, ValuesProfile
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model, tree_or_rules
from clearwood.predicting.batch import predict, shares
from clearwood.predicting.intervals import intervals
from clearwood.predicting.of_linear import IntervalsOfRows
from clearwood.predicting.of_rules import counted_behind
from clearwood.predicting.one import rules_that_hold
from clearwood.predicting.row import RowPredictor, row_predictor
from clearwood.serving.row_reading import JsonRow, RowCodes, RowRead, RowReader
from clearwood.study.profiling import Drifted, index_and_chance
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import MISSING, UNSEEN, Table

AnswerJson: TypeAlias = dict[str, Any]  # answer, shares, interval; columns where a value was never met


class Backing(NamedTuple):
    """What an answer rests on: its interval, None where it has none, and whether rows were counted for it."""

    interval: tuple[float, float] | None
    counted: bool


@dataclass(frozen=True, slots=True, eq=False)
class ServedModel:
    """A model under a name. The version is its fingerprint, the same that its exports and their certificates
    have; `source` is the file that it was read from."""

    name: str
    version: str
    model: Model
    reader: RowReader
    drift: Drift
    source: Path | None = None
    _predictor: RowPredictor = field(repr=False, kw_only=True)
    _intervals_of_rows: IntervalsOfRows | None = field(repr=False, kw_only=True)  # of a linear model
    _backings: dict[int, Backing] = field(default_factory=dict, repr=False, kw_only=True)

    def answer(self, row: JsonRow, *, ignore_unknown: bool = False) -> AnswerJson:
        """The answer to one row, quickly."""
        read = self.reader.read(row, ignore_unknown=ignore_unknown)
        quickly = self._quickly(read) if self._is_quick(read) else None
        if quickly is None:
            results, all_sums = self._together(self.reader.table([read.codes]))
            quickly = results[0], all_sums[0].tolist()
        result, sums = quickly
        self.drift.add_row(read.codes, sums)
        unseen = self.reader.unseen(read)
        if unseen:
            result["columns"] = unseen
        return result

    def answers(self, table: Table, unseen: Mapping[int, Mapping[str, str]]) -> list[AnswerJson]:
        """The answers to many rows; `unseen` are sentences on values never met, by row and column."""
        results, sums = self._together(table)
        self.drift.add_table(table, sums)
        for row, sentences in unseen.items():
            results[row]["columns"] = sentences
        return results

    def _is_quick(self, read: RowRead) -> bool:
        """Has the one-row predictor a short way for this row? Otherwise a table of one row is quicker."""
        if isinstance(self.model, Tree):
            return self._predictor.leaf(read.cells) is not None
        if isinstance(self.model, RuleList):
            return self.model.matching == "first"
        if isinstance(self.model, Ensemble):
            unusual = (code in (MISSING, UNSEEN) or code != code for code in read.codes)
            return self.model.trees is None or not any(unusual)
        return True

    def _quickly(self, read: RowRead) -> tuple[AnswerJson, list[float]] | None:
        """The answer to one row, and what drift adds up: the shares of its classes, or its number; None where
        its sums are too large for numbers, which a table of it is refused for."""
        backing = self._backing(read)
        if not self.model.schema.classes:
            number = self._predictor(read.cells)
            sums = [math.nan if number is None else float(number)]
            answer = None if math.isnan(sums[0]) else sums[0]
            return {"answer": answer, "shares": None, "interval": backing.interval}, sums
        named, by_class = self._predictor.both(read.cells)
        sums = list(by_class.values())
        if not math.isfinite(sum(sums)):
            return None
        interval = backing.interval
        if self._intervals_of_rows is not None and named is not None:
            interval = self._intervals_of_rows(read.codes, sums)
        return {"answer": named, "shares": by_class if backing.counted else None, "interval": interval}, sums

    def _together(self, table: Table) -> tuple[list[AnswerJson], Floats]:
        """The answers to many rows, and [row, class] or [row, 1] what drift adds up."""
        model = self.model
        called = predict(model, table).tolist()
        sums = shares(model, table) if model.schema.classes else np.array(called, dtype=np.float64)[:, None]
        by_class = sums.tolist() if model.schema.classes else None
        results: list[AnswerJson] = [
            {
                "answer": None if answer != answer else answer,
                "shares": None
                if by_class is None or not backing.counted
                else dict(zip(model.schema.classes, by_class[i], strict=True)),
                "interval": backing.interval,
            }
            for i, (answer, backing) in enumerate(zip(called, self._backings_of(table), strict=True))
        ]
        return results, sums

    def _backing(self, read: RowRead) -> Backing:
        """Of a tree's leaf and of a rule it is worked out once: all rows that come to one have the same."""
        model = tree_or_rules(self.model)
        if model is None:
            return Backing(None, True)
        place = self._predictor.leaf(read.cells)
        if isinstance(model, RuleList) and model.matching == "first":
            held = rules_that_hold(model, self._predictor.spelled(read.cells))
            place = held[0] if held else len(model)
        backing = None if place is None else self._backings.get(place)
        if backing is None:
            (backing,) = self._backings_of(self.reader.table([read.codes]))
            if place is not None:
                self._backings[place] = backing
        return backing

    def _backings_of(self, table: Table) -> list[Backing]:
        """[row] what its answer rests on."""
        try:
            ends = intervals(self.model, table)
        except SettingError:  # such a model has none
            ends = np.full((len(table), 2), np.nan)
        counted = [True] * len(table)
        if isinstance(self.model, RuleList):
            counted = counted_behind(self.model, table).tolist()
        return [
            Backing((low, high) if math.isfinite(high - low) else None, each)
            for (low, high), each in zip(ends.tolist(), counted, strict=True)
        ]


def served(model: Model, name: str, source: Path | None = None) -> ServedModel:
    """A model ready to answer.

    >>> import clearwood as cw
    >>> tree = cw.C45().learn(cw.read_table(cw.datasets.path("tennis_numeric"), target="Play"))
    >>> served(tree, "tennis").answer({"Outlook": "Overcast", "Humidity": None, "Wind": "Weak"})["answer"]
    'Play'
    """
    reader = RowReader(model)
    return ServedModel(
        name,
        model_fingerprint(model),
        model,
        reader,
        Drift(model, reader),
        source,
        _predictor=row_predictor(model),
        _intervals_of_rows=IntervalsOfRows(model, reader.table([]))
        if isinstance(model, LinearModel)
        else None,
    )


# Drift: how far the rows that are asked about lately differ from those that the model was learned from.
#
# Counted are the last 5,000 to 10,000 rows: a window of counts fills up and becomes the one before, so that
# memory stays what it is and an old change is forgotten. Only columns that the model asks about are
# counted.


WINDOW: Final = 5_000  # rows after which a window is full


class RecentCells:
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
        return Drifted(self.name, *index_and_chance(self.expected, recent), int(rows))


class Drift:
    """The columns that a model asks about, and its answers."""

    def __init__(self, model: Model, reader: RowReader) -> None:
        known = {} if model.profile is None else model.profile.columns
        self.columns = tuple(RecentCells(each, known.get(each.name)) for each in reader.columns)
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
                    places = interval_codes(np.asarray(cells, dtype=np.float64), column.cuts)
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
