"""A model as it is served: its name, its version, and answers to rows with what stands behind them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.errors import SettingError
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.files.storing import model_fingerprint
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict.batch import predict, shares
from clearwood.predict.intervals import intervals
from clearwood.predict.of_rules import counted_behind
from clearwood.predict.one import rules_that_hold
from clearwood.predict.one_by_weights import LinearRow
from clearwood.predict.row import RowPredictor, row_predictor
from clearwood.serve.drift import Drift
from clearwood.serve.row_reading import JsonRow, RowRead, RowReader
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
    _linear: LinearRow | None = field(repr=False, kw_only=True)
    _backings: dict[int, Backing] = field(default_factory=dict, repr=False, kw_only=True)

    def answer(self, row: JsonRow, *, ignore_unknown: bool = False) -> AnswerJson:
        """The answer to one row, quickly."""
        read = self.reader.read(row, ignore_unknown=ignore_unknown)
        sums: list[float]
        linear = None if self._linear is None else self._linear(read.codes)
        if linear is not None:
            result, sums = linear._asdict(), list(linear.shares.values())
        elif self._is_quick(read):
            result, sums = self._quickly(read)
        else:
            results, all_sums = self._together(self.reader.table([read.codes]))
            result, sums = results[0], all_sums[0].tolist()
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
        match self.model:
            case Tree():
                return self._predictor.leaf(read.cells) is not None
            case RuleList():
                return self.model.matching == "first"
            case BayesTables():
                return UNSEEN not in read.codes
            case Ensemble():
                return not any(code in (MISSING, UNSEEN) or code != code for code in read.codes)
            case AdditiveModel():
                return True
            case LinearModel():
                return False
            case _:
                assert_never(self.model)

    def _quickly(self, read: RowRead) -> tuple[AnswerJson, list[float]]:
        """The answer to one row, and what drift adds up: the shares of its classes, or its number."""
        backing = self._backing(read)
        if not self.model.schema.classes:
            number = self._predictor(read.cells)
            sums = [math.nan if number is None else float(number)]
            answer = None if math.isnan(sums[0]) else sums[0]
            return {"answer": answer, "shares": None, "interval": backing.interval}, sums
        named, by_class = self._predictor.both(read.cells)
        shown = by_class if backing.counted else None
        return {"answer": named, "shares": shown, "interval": backing.interval}, list(by_class.values())

    def _together(self, table: Table) -> tuple[list[AnswerJson], Floats]:
        """The answers to many rows, and [row, class] or [row, 1] what drift adds up."""
        model = self.model
        called = predict(model, table).tolist()
        sums = shares(model, table) if model.schema.classes else np.array(called, dtype=np.float64)[:, None]
        by_class = sums.tolist() if model.schema.classes else None
        ends, counted = self._intervals(table), self._counted(table).tolist()
        intervals_of = [(math.nan, math.nan)] * len(called) if ends is None else ends.tolist()
        results: list[AnswerJson] = [
            {
                "answer": None if answer != answer else answer,
                "shares": None
                if by_class is None or not counted[i]
                else dict(zip(model.schema.classes, by_class[i], strict=True)),
                "interval": (low, high) if math.isfinite(high - low) else None,
            }
            for i, (answer, (low, high)) in enumerate(zip(called, intervals_of, strict=True))
        ]
        return results, sums

    def _backing(self, read: RowRead) -> Backing:
        """Of a tree's leaf and of a rule it is worked out once: all rows that come to one have the same."""
        match self.model:
            case BayesTables() | Ensemble() | AdditiveModel():
                return Backing(None, True)
            case Tree():
                place = self._predictor.leaf(read.cells)
            case RuleList():
                place = None
                if self.model.matching == "first":
                    held = rules_that_hold(self.model, self._predictor.spelled(read.cells))
                    place = held[0] if held else len(self.model)
            case LinearModel():
                place = None
            case _:
                assert_never(self.model)
        if place is None:
            return self._worked_out(self.reader.table([read.codes]))
        backing = self._backings.get(place)
        if backing is None:
            backing = self._backings[place] = self._worked_out(self.reader.table([read.codes]))
        return backing

    def _worked_out(self, table: Table) -> Backing:
        ends = self._intervals(table)
        low, high = (math.nan, math.nan) if ends is None else ends[0].tolist()
        interval = (low, high) if math.isfinite(high - low) else None
        return Backing(interval, bool(self._counted(table)[0]))

    def _intervals(self, table: Table) -> Floats | None:
        """[row, 2] where the model has intervals, as `intervals` says."""
        try:
            return intervals(self.model, table)
        except SettingError:
            return None

    def _counted(self, table: Table) -> Bools:
        if isinstance(self.model, RuleList):
            return counted_behind(self.model, table)
        return np.ones(len(table), dtype=np.bool_)


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
        _linear=LinearRow(model, reader.table([])) if isinstance(model, LinearModel) else None,
    )
