"""Answers to blocks of rows, what is known of them when all are done, and cells the model could not use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from clearwood.cli.scored_rows import AnswerColumns, KeptRows, coded
from clearwood.cli.sources import coded_for
from clearwood.errors import SchemaError, SettingError, no_such
from clearwood.models.columns_used import columns_used
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.model import Model
from clearwood.predicting import intervals as intervals
from clearwood.predicting import predict, predict_codes, shares
from clearwood.predicting.of_rules import counted_behind
from clearwood.predicting.unusable import Unusable, referred, rule_for_unusable, unanswered, unusable_cells
from clearwood.scoring.evaluation import Evaluation, ForeignClassesError, evaluate_answers
from clearwood.study.cross_validation import together
from clearwood.study.known_rows import are_training_rows, hold_training_rows, joined_marks, row_marks_of
from clearwood.table.attributes import natural_order
from clearwood.table.coding import as_strings
from clearwood.table.describe import excerpt
from clearwood.table.encoding import CellError, refusal_of, without_wrong_cells
from clearwood.table.raw import Raw, RawNumbers
from clearwood.table.sources.blocks import Block
from clearwood.table.table import Table
from clearwood.words.numbers import many

_NAMED: Final = 3  # values or rows that a sentence lists


@dataclass(frozen=True, slots=True, eq=False)
class UnusableInBlock:
    """The cells of a block that the model could not use, in the rows that are kept.

    `wrong` has those that were taken as missing because they are no numbers, by column and row of the block.
    """

    raw: Raw
    cells: tuple[Unusable, ...]
    wrong: dict[str, dict[int, CellError]]
    before: int  # how many rows came earlier

    def flags(self) -> list[str]:
        """[row] the columns that the model could not use, each with the reason; nothing where it used all."""
        flags_by_row: list[list[str]] = [[] for _ in range(len(self.raw))]
        for each in self.cells:
            wrong = self.wrong.get(each.name, {})
            for row in np.flatnonzero(each.either).tolist():
                reason = "unseen" if each.unseen[row] else "not a number" if row in wrong else "missing"
                flags_by_row[row].append(f"{each.name} {reason}")
        return ["; ".join(row) for row in flags_by_row]

    def refuse(self) -> None:
        """Refuse rows with such cells, the first of them named."""
        if not self.cells:
            return
        rows = np.flatnonzero(np.any([each.either for each in self.cells], axis=0)).tolist()
        named = [self._row(row) for row in rows[:_NAMED]]
        more = f" and {many(len(rows) - _NAMED, 'row', 'rows')} more" if len(rows) > _NAMED else ""
        raise SchemaError(
            f"{self.raw.where}: the model cannot use every cell: {'; '.join(named)}{more}. "
            "Correct the cells, or replace --strict by --flag-cells NAME, which marks such rows."
        )

    def _row(self, row: int) -> str:
        cells = [self._cell(each, row) for each in self.cells if each.either[row]]
        return f"row {self.before + row + 1:,} ({', '.join(cells)})"

    def _cell(self, each: Unusable, row: int) -> str:
        wrong = self.wrong.get(each.name, {}).get(row)
        if wrong is not None:
            return f"{each.name} = '{excerpt(wrong.cell)}' {wrong.wrong}"
        return (
            f"{each.name} is empty" if each.missing[row] else f"{each.name} = '{_value(self.raw, each, row)}'"
        )


def unusable_in(
    raw: Raw, cells: Sequence[Unusable], errors: Sequence[CellError], before: int, kept: KeptRows | None
) -> UnusableInBlock:
    """Those of the rows that are kept (None: all); `errors` are the cells that are no numbers."""
    wrong: dict[str, dict[int, CellError]] = {}
    for error in errors:
        wrong.setdefault(error.column, {})[error.row - before - 1] = error
    if kept is not None:
        cells = [Unusable(each.name, each.unseen & kept, each.missing & kept) for each in cells]
    return UnusableInBlock(raw, tuple(each for each in cells if each.either.any()), wrong, before)


@dataclass(slots=True)
class UnusableCounts:
    """By column, over all blocks: the cells with a new value, the empty ones, those that are no numbers and
    were taken as missing, and what is written in those that are not empty."""

    unseen: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)
    values: dict[str, dict[str, None]] = field(default_factory=dict)  # the first few by their order
    wrong_values: dict[str, dict[str, None]] = field(default_factory=dict)

    def add(self, block: UnusableInBlock) -> None:
        for each in block.cells:
            name = each.name
            wrong = [error for row, error in block.wrong.get(name, {}).items() if each.missing[row]]
            self.unseen[name] = self.unseen.get(name, 0) + int(each.unseen.sum())
            self.missing[name] = self.missing.get(name, 0) + int(each.missing.sum()) - len(wrong)
            self.wrong[name] = self.wrong.get(name, 0) + len(wrong)
            known = self.values.setdefault(name, {})
            if each.unseen.any():
                self.values[name] = _first_of([*known, *_values(block.raw, each)])
            known = self.wrong_values.setdefault(name, {})
            if wrong and len(known) <= _NAMED:
                known |= dict.fromkeys(excerpt(error.cell) for error in wrong)

    def notes(self, model: Model) -> list[str]:
        """A sentence for each column."""
        notes = []
        for name in self.unseen:
            parts = []
            if self.unseen[name]:
                count = many(self.unseen[name], "cell", "cells")
                parts.append(f"{count} with an unseen value ({_listed(self.values[name])})")
            if self.wrong[name]:
                count = many(self.wrong[name], "cell that is not a number", "cells that are not numbers")
                parts.append(f"{count} ({_listed(self.wrong_values[name])}), taken as missing,")
            if self.missing[name]:
                parts.append(many(self.missing[name], "empty cell", "empty cells"))
            notes.append(f"{name}: {' and '.join(parts).rstrip(',')}; {rule_for_unusable(model, name)}.")
        return notes

    def to_json(self) -> dict[str, dict[str, int]]:
        """By column how many cells are new values, how many are empty, and how many are no numbers."""
        return {
            name: {"unseen": unseen, "missing": self.missing[name], "not_numbers": self.wrong[name]}
            for name, unseen in self.unseen.items()
        }


def _first_of(values: Sequence[str]) -> dict[str, None]:
    """As many as a sentence lists and one more, by an order in which that of the rows has no part."""
    return dict.fromkeys(natural_order(dict.fromkeys(values))[: _NAMED + 1])


def _listed(values: dict[str, None]) -> str:
    more = ", …" if len(values) > _NAMED else ""
    return ", ".join(f"'{value}'" for value in list(values)[:_NAMED]) + more


def _values(raw: Raw, cells: Unusable) -> list[str]:
    """The values never met, in order of appearance, as they were written."""
    strings = as_strings(raw.columns[raw.names.index(cells.name)])
    codes = dict.fromkeys(strings.codes[cells.unseen].tolist())
    return [strings.values[code] for code in codes if code >= 0]


def _value(raw: Raw, cells: Unusable, row: int) -> str:
    strings = as_strings(raw.columns[raw.names.index(cells.name)])
    return str(strings.values[int(strings.codes[row])])


OnError: TypeAlias = Literal["stop", "skip", "keep"]


@dataclass(frozen=True, slots=True)
class Answering:
    """What is answered beside each row, and how it is written."""

    column: str
    shares: bool
    intervals: bool
    prevalence: str | None
    escape_formulas: bool
    strict: bool
    flag_cells: str | None
    on_error: OnError = "stop"


def way_on(word: str) -> OnError:
    """What is done with a cell that cannot be used, by its name."""
    ways: dict[str, OnError] = {each: each for each in get_args(OnError)}
    if word not in ways:
        raise SettingError(no_such("way on after an error", word, ways, plural="ways on"))
    return ways[word]


@dataclass(slots=True)
class Tally:
    """What is known when all blocks are done."""

    rows: int = 0
    unanswered: int = 0
    referred: int = 0  # of those unanswered; no rule answers the others
    uncounted: int = 0  # whose shares are left empty: no rows were counted for the rule that answers
    weighted: bool = False
    notes: dict[str, None] = field(default_factory=dict)  # in order, each once
    formulas: set[str] = field(default_factory=set)
    errors: list[CellError] = field(default_factory=list)
    unusable: UnusableCounts = field(default_factory=UnusableCounts)
    scores: list[Evaluation] = field(default_factory=list)
    foreign: str | None = None  # why rows are not judged: the model calls their classes otherwise
    marks: dict[str, int] = field(default_factory=dict)  # by which the training rows are known again


def answers_to(
    rows: Block, rest: Iterator[Block], model: Model, answering: Answering, tally: Tally
) -> tuple[KeptRows | None, AnswerColumns]:
    """The answers to a block of rows, and which of them are kept (None: all); the tally goes on."""
    needed = columns_used(model)
    raw, errors = _without_wrong_cells(rows, model, needed)
    if errors and answering.on_error == "stop":
        # Whoever mends the file wants all of them, not one at a time.
        errors += chain.from_iterable(_without_wrong_cells(each, model, needed)[1] for each in rest)
        refused = refusal_of(errors)
        way_on = " To go on all the same: --on-error skip or keep."
        raise SchemaError(refused.sentence, way_on, place=refused.place)
    table, kept = coded_for(model, raw, only=needed, before=rows.before), None
    if errors and answering.on_error == "skip":
        kept = np.ones(len(raw), dtype=np.bool_)
        kept[[each.row - rows.before - 1 for each in errors]] = False
    unusable = unusable_in(raw, unusable_cells(model, table), errors, rows.before, kept)
    if answering.strict:
        unusable.refuse()
    tally.unusable.add(unusable)
    flagged = [] if answering.flag_cells is None else unusable.flags()
    if kept is not None:
        table = table.take(kept)
        flagged = [flag for flag, keep in zip(flagged, kept.tolist(), strict=False) if keep]
    tally.notes |= dict.fromkeys(table.notes)
    tally.errors += errors
    tally.rows += len(table)
    tally.weighted |= table.weights is not None
    called = (predict if model.is_numeric else predict_codes)(model, table)
    silent = unanswered(called)
    if silent.any():
        tally.unanswered += int(silent.sum())
        tally.referred += int(referred(model, table.take(silent)).sum())
    answers = _answers_of(model, table, called, answering, tally)
    if answering.flag_cells is not None:
        if answering.flag_cells in answers:
            raise SettingError(
                f"--flag-cells: '{answering.flag_cells}' is a column of predictions. Name another."
            )
        values = {flag: code for code, flag in enumerate(dict.fromkeys(flagged))}
        answers[answering.flag_cells] = coded(np.array([values[flag] for flag in flagged], np.int32), values)
    _judge(model, table, called, tally)
    return kept, answers


def evaluation_of_tally(tally: Tally) -> Evaluation | None:
    """All blocks as one evaluation."""
    return together(tally.scores) if tally.scores and tally.foreign is None else None


def on_training_rows(tally: Tally, model: Model) -> bool:
    """Are the rows of all blocks those that the model was learned from, in whatever order?"""
    return bool(tally.scores) and are_training_rows(model.profile, tally.rows, tally.marks)


def on_training_rows_and_others(tally: Tally, model: Model) -> int:
    """How many of the rows of all blocks the model was learned from, where they are the table of which those
    were a part; else 0."""
    held = bool(tally.scores) and hold_training_rows(model.profile, tally.rows, tally.marks)
    return model.profile.rows if held and model.profile is not None else 0


def _without_wrong_cells(rows: Block, model: Model, needed: Collection[str]) -> tuple[Raw, list[CellError]]:
    """The rows, and the cells that cannot be used."""
    return without_wrong_cells(rows.raw, model.schema, needed, rows.before)


def _answers_of(
    model: Model, table: Table, called: npt.NDArray[np.generic], answering: Answering, tally: Tally
) -> AnswerColumns:
    """The answer to each row, and what stands behind it, as named columns."""
    name = answering.column
    answers: AnswerColumns = {
        name: _numbers(called)
        if model.is_numeric
        else coded(called.astype(np.int32, copy=False), model.schema.classes)
    }
    if answering.shares:
        if model.is_numeric:
            raise SettingError(
                "This model predicts a number, which has no probabilities. Leave --shares out."
            )
        rested = shares(model, table)
        if isinstance(model, RuleList):
            counted = counted_behind(model, table)
            rested = np.where(counted[:, None], rested, np.nan)
            tally.uncounted += int((~counted).sum())
        columns = rested.T
        answers |= {
            f"share_{each}": _numbers(cells)
            for each, cells in zip(model.schema.classes, columns, strict=True)
        }
    if answering.intervals:
        low, high = intervals(model, table).T
        answers |= {f"{name}_low": _numbers(low), f"{name}_high": _numbers(high)}
    return answers


def _numbers(cells: npt.NDArray[np.generic]) -> RawNumbers:
    return RawNumbers(cells.astype(np.float64, copy=False), whole=False)


def _judge(model: Model, table: Table, called: npt.NDArray[np.generic], tally: Tally) -> None:
    """Where the rows know the truth, compare."""
    target = model.schema.target
    if target is None or target.name not in table.columns or not len(table):
        return
    if tally.foreign is None:
        try:
            score = evaluate_answers(model, table, called)
        except ForeignClassesError as error:
            tally.foreign = error.sentence
    if tally.foreign is not None:
        return
    tally.scores.append(score)
    profile = model.profile
    if profile is not None and tally.rows <= max(profile.rows, profile.whole_rows):  # more rows are others
        tally.marks = joined_marks(tally.marks, row_marks_of(table, columns_used(model)))
