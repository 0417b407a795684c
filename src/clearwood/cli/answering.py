"""Rows with answers beside them: answered block by block, written as lines, cells as they were, or listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood._native import lines_of_columns, lines_of_text
from clearwood.arrays import Bools
from clearwood.cli.evaluation_rows import UnusableCounts, unusable_in
from clearwood.cli.output import lines_file, without_gz, working
from clearwood.cli.sources import check_data, coded_for, raw_in
from clearwood.errors import Advice, ClearwoodError, SchemaError, Sentence, SettingError, SourceError
from clearwood.files import is_stream, write_whole
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.model import Model
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.batch import predict, predict_codes, shares
from clearwood.predicting.intervals import intervals as intervals
from clearwood.predicting.of_rules import counted_behind
from clearwood.predicting.unusable import referred, unanswered, unusable_cells
from clearwood.scoring.evaluation import Evaluation, ForeignClassesError, evaluate_answers
from clearwood.study.cross_validation import together
from clearwood.study.known_rows import (
    among_words,
    are_training_rows,
    hold_training_rows,
    joined_marks,
    row_marks_of,
)
from clearwood.table.encoding import CellError, refusal_of, without_wrong_cells
from clearwood.table.raw import Raw, RawColumn, RawNumbers, RawStrings
from clearwood.table.sources import blocks as in_blocks
from clearwood.table.sources.blocks import Block, LaterNotUtf8Error, RowTexts
from clearwood.table.table import Table
from clearwood.words.numbers import many

if TYPE_CHECKING:
    from clearwood.cli.commands.predict import PredictOptions

AnswerColumns: TypeAlias = dict[str, RawColumn]  # column's name → its cells


@dataclass(frozen=True, slots=True)
class LineForm:
    """What stands between cells, and whether texts that a spreadsheet would run are escaped."""

    delimiter: str
    escape: bool

    def cell(self, text: str) -> str:
        """The text as a cell of a line.

        >>> LineForm(",", escape=False).cell('5" pipe'), LineForm(",", escape=True).cell("=1+1")
        ('"5"" pipe"', "'=1+1")
        """
        text = escaped(text) if self.escape else text
        if self.delimiter in text or '"' in text or "\n" in text or "\r" in text:
            text = text.replace('"', '""')
            return f'"{text}"'
        return text

    def line(self, cells: Iterable[str]) -> str:
        return self.delimiter.join(map(self.cell, cells))


def output_lines(
    rows: Block, answers: Mapping[str, RawColumn], form: LineForm, kept: Bools | None
) -> memoryview:
    """The rows that are kept (None: all), each a line with its answers: as it stands in its source where that
    is text of the same form."""
    beside = [_column(each, form) for each in answers.values()]
    picked = None if kept is None else np.flatnonzero(kept).astype(np.int64)
    if rows.written is None:
        columns = [_column(each, form) for each in rows.raw.columns]
        return lines_of_columns(columns, len(rows.raw), beside, form.delimiter, picked).data
    written = _escaped(rows.written, form) if form.escape else rows.written
    return lines_of_text(
        written.text, written.spans, written.form.delimiter, beside, form.delimiter, picked
    ).data


def as_list(column: RawColumn) -> list[Any]:
    """The cells as JSON has them: None where there is nothing."""
    cells: list[Any]
    if isinstance(column, RawNumbers):
        cells = column.values.tolist()
    else:
        cells = np.array([*column.values, None], dtype=object)[column.codes].tolist()
    return cells


def _column(column: RawColumn, form: LineForm) -> Any:
    """As the native writer takes it: numbers, or codes and the texts of their values."""
    if isinstance(column, RawNumbers):
        if column.texts is None:
            return np.ascontiguousarray(column.values, np.float64)
        column = column.texts()
    values = tuple(map(escaped, column.values)) if form.escape else column.values
    return np.ascontiguousarray(column.codes), values


def _escaped(written: RowTexts, form: LineForm) -> RowTexts:
    """The same rows with texts that a spreadsheet would run escaped."""
    lines = [form.line(cells).encode() for cells in written.cells()]
    ends = np.cumsum([len(line) for line in lines], dtype=np.int64)
    spans = np.column_stack([np.concatenate([[0], ends[:-1]]), ends]).astype(np.int64)
    text = np.frombuffer(b"".join(lines), np.uint8)
    return RowTexts(text, spans, replace(written.form, delimiter=form.delimiter))


def coded(codes: npt.NDArray[np.int32], values: Iterable[str]) -> RawStrings:
    """Answers that are positions in a list of values; −1 where there is none."""
    return RawStrings(np.asarray(codes, dtype=np.int32), tuple(values))


# Texts that a spreadsheet would run as formulas when it opens a file of rows.


_BEGIN: Final = ("=", "+", "-", "@", "\t", "\r")


def is_formula(text: str) -> bool:
    """Would a spreadsheet run this? A number with a sign is a number.

    >>> [text for text in ("=1+2", "-3.5", "- none", "a=b", "@SUM(A1)") if is_formula(text)]
    ['=1+2', '- none', '@SUM(A1)']
    """
    if not text.startswith(_BEGIN):
        return False
    try:
        float(text)
    except ValueError:
        return True
    return False


def escaped(text: str) -> str:
    """The text with ' before it where it would be run, as spreadsheets have it."""
    return f"'{text}" if is_formula(text) else text


def formulas_in(texts: Iterable[Any]) -> list[str]:
    """Those of the texts that would be run, each once."""
    return sorted({text for text in texts if isinstance(text, str) and is_formula(text)})


# Answers to a block of rows, and what is known when all are done.


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

    @property
    def score(self) -> Evaluation | None:
        """All blocks as one evaluation."""
        return together(self.scores) if self.scores and self.foreign is None else None

    def is_learned_from(self, model: Model) -> bool:
        """Are the rows of all blocks those that the model was learned from, in whatever order?"""
        return bool(self.scores) and are_training_rows(model.profile, self.rows, self.marks)

    def learned_among(self, model: Model) -> int:
        """How many of the rows of all blocks the model was learned from, where they are the table of which
        those were a part; else 0."""
        held = bool(self.scores) and hold_training_rows(model.profile, self.rows, self.marks)
        return model.profile.rows if held and model.profile is not None else 0


def answers_to(
    rows: Block, rest: Iterator[Block], model: Model, asked: PredictOptions, tally: Tally
) -> tuple[Bools | None, AnswerColumns]:
    """The answers to a block of rows, and which of them are kept (None: all); the tally goes on."""
    needed = columns_used(model)
    raw, errors = without_wrong_cells(rows.raw, model.schema, needed, rows.before)
    if errors and asked.on_error == "stop":
        # Whoever mends the file wants all of them, not one at a time.
        for each in rest:
            errors += without_wrong_cells(each.raw, model.schema, needed, each.before)[1]
        refused = refusal_of(errors)
        way_on = " To go on all the same: --on-error skip or keep."
        raise SchemaError(refused.sentence, way_on, place=refused.place)
    table, kept = coded_for(model, raw, only=needed, before=rows.before), None
    if errors and asked.on_error == "skip":
        kept = np.ones(len(raw), dtype=np.bool_)
        kept[[each.row - rows.before - 1 for each in errors]] = False
    unusable = unusable_in(raw, unusable_cells(model, table), errors, rows.before, kept)
    if asked.strict:
        unusable.refuse()
    tally.unusable.add(unusable)
    flagged = [] if asked.flag_cells is None else unusable.flags()
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
    answers = _answers_of(model, table, called, asked, tally)
    if asked.flag_cells is not None:
        if asked.flag_cells in answers:
            raise SettingError(
                f"--flag-cells: '{asked.flag_cells}' is a column of predictions. Name another."
            )
        values = {flag: code for code, flag in enumerate(dict.fromkeys(flagged))}
        answers[asked.flag_cells] = coded(np.array([values[flag] for flag in flagged], np.int32), values)
    _judge(model, table, called, tally)
    return kept, answers


def _answers_of(
    model: Model, table: Table, called: npt.NDArray[np.generic], asked: PredictOptions, tally: Tally
) -> AnswerColumns:
    """The answer to each row, and what stands behind it, as named columns."""
    name = asked.column
    answers: AnswerColumns = {
        name: _numbers(called)
        if model.is_numeric
        else coded(called.astype(np.int32, copy=False), model.schema.classes)
    }
    if asked.shares:
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
    if asked.intervals:
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


# All rows, block by block, and what is to be known of them in the end.


def predict_rows(
    asked: PredictOptions, model: Model, place: Path | None
) -> tuple[Tally, dict[str, list[Any]] | None]:
    """The tally of all rows, and their answers by column where they are not written but listed."""
    listing = place is None and asked.output.as_json

    def done(blocks: Iterator[Block], tally: Tally) -> dict[str, list[Any]] | None:
        if not listing:
            _write(blocks, model, asked, place, tally)
            return None
        listed: dict[str, list[Any]] = {}
        for block in blocks:
            for name, column in answers_to(block, blocks, model, asked, tally)[1].items():
                listed.setdefault(name, []).extend(as_list(column))
        return listed

    check_data(asked.new)
    tally = Tally()
    try:
        with working(f"Reading {asked.new}") if place else nullcontext():
            return tally, done(in_blocks.blocks_of(asked.new, asked.reading.as_arguments()), tally)
    except LaterNotUtf8Error:
        if asked.new == "-" or (place is None and not listing):  # partly given out, or not to be read again
            name = "standard input" if asked.new == "-" else Path(asked.new).name
            raise SourceError(
                f"{name} is not UTF-8 after its row {tally.rows:,}. Give its encoding, e.g. ",
                Advice("encoding", "cp1252"),
                "." if asked.new == "-" else ", or name a file for the rows: --output FILE.",
            ) from None
    tally = Tally()
    return tally, done(iter([Block(raw_in(asked.new, asked.reading))]), tally)


def _write(
    blocks: Iterator[Block], model: Model, asked: PredictOptions, place: Path | None, tally: Tally
) -> None:
    tabbed = place is not None and without_gz(place).suffix.lower() == ".tsv"
    form = LineForm("\t" if tabbed else ",", asked.escape_formulas)
    # The first block is answered before the file is opened: what is refused at once leaves nothing behind.
    block: Block | None = next(blocks)
    assert block is not None
    kept, answers = answers_to(block, blocks, model, asked, tally)
    _check_names(block.raw, answers, asked)
    with lines_file(place) as write:
        write(form.line([*block.raw.names, *answers]).encode() + b"\n")
        tally.formulas |= set() if form.escape else set(formulas_in((*block.raw.names, *answers)))
        while block is not None:
            write(output_lines(block, answers, form, kept))
            if not form.escape:
                columns = (*block.raw.columns, answers[asked.column])
                texts = chain(*(() if isinstance(each, RawNumbers) else each.values for each in columns))
                tally.formulas |= set(formulas_in(texts))
            with _after(tally.rows if place is None or is_stream(place) else 0):
                block = next(blocks, None)
                if block is not None:
                    kept, answers = answers_to(block, blocks, model, asked, tally)


@contextmanager
def _after(rows: int) -> Iterator[None]:
    """Errors say how many rows were given out before, which nobody can take back."""
    try:
        yield
    except ClearwoodError as error:
        if not rows:
            raise
        written = f" {many(rows, 'row was', 'rows were')} written before it; with -o FILE nothing is written."
        raise type(error)(error.sentence, written, place=error.place) from None


def _check_names(raw: Raw, answers: AnswerColumns, asked: PredictOptions) -> None:
    for name in answers:
        if name not in raw.names:
            continue
        if name == asked.flag_cells:
            way = "Call the column of flags another: --flag-cells NAME."
        elif asked.shares and name.startswith("share_"):
            way = "Rename it, or leave --shares out."
        else:
            way = "Give the prediction another name: --column NAME."
        raise SettingError(f"{raw.where} has a column '{name}' already. {way}")


def notes_on_tally(tally: Tally, model: Model, asked: PredictOptions, place: Path | None) -> list[str]:
    """What must be known of the answers, in the order in which it is said."""
    notes = [*tally.notes, *_notes_on_errors(tally, asked, place), *tally.unusable.notes(model)]
    notes += _notes_on_unanswered(tally, model)
    if tally.uncounted:
        notes.append(
            f"No training rows are counted for the rules that predict {many(tally.uncounted, 'row')}: their "
            f"probabilities are left empty. To count them: clearwood edit {asked.model} --train DATA --save "
            "MODEL.json."
        )
    if tally.formulas:
        first, *others = sorted(tally.formulas)
        notes.append(
            f"A spreadsheet would run {first!r}{' and other texts' if others else ''} as a formula."
            " To have ' put before such texts: --escape-formulas."
        )
    if tally.foreign is not None:
        notes.append(Sentence("They are not evaluated. ", tally.foreign))
    if tally.is_learned_from(model):
        notes.append("These are the rows that the model was learned from: scores on them are too good.")
    elif among := tally.learned_among(model):
        notes.append(f"{among_words(among, tally.rows)}: scores on them are too good.")
    return notes


def _notes_on_errors(tally: Tally, asked: PredictOptions, place: Path | None) -> list[str]:
    """How many cells could not be used, by column; beside a file of rows stands one that lists them."""
    if not tally.errors:
        return []
    by_column: dict[str, list[CellError]] = {}
    for each in tally.errors:
        by_column.setdefault(each.column, []).append(each)
    counted = "; ".join(
        f"'{name}' {len(cells):,}, the first in row {cells[0].row} ('{cells[0].cell}')"
        for name, cells in by_column.items()
    )
    rows = len({each.row for each in tally.errors})
    left = f"so {many(rows, 'row is', 'rows are')} left out"
    done = left if asked.on_error == "skip" else "and count as missing"
    notes = [f"{many(len(tally.errors), 'cell').capitalize()} could not be used, {done}: {counted}."]
    if place is not None:
        beside = place.with_name(f"{place.name}.errors.csv")
        form = LineForm(",", asked.escape_formulas)
        lines = [form.line((str(e.row), e.column, e.cell, e.wrong)) for e in tally.errors]
        write_whole(beside, "\n".join(["row,column,cell,wrong", *lines, ""]).encode())
        notes.append(f"They are listed in {beside}.")
    return notes


def _notes_on_unanswered(tally: Tally, model: Model) -> list[str]:
    """How many rows have an empty cell for an answer, and why."""
    if not tally.unanswered:
        return []
    others = tally.unanswered - tally.referred
    reasons = [many(tally.referred, "is referred", "are referred")] if tally.referred else []
    if others and isinstance(model, RuleList):
        reasons.append(many(others, "is covered by no rule", "are covered by no rule"))
    elif others:
        reasons.append(many(others, "has no probability of any class", "have no probability of any class"))
    left = "has no prediction" if tally.unanswered == 1 else "have no prediction"
    return [
        f"{tally.unanswered:,} of {many(tally.rows, 'row')} {left}: {' and '.join(reasons)}. "
        "Their prediction is an empty cell."
    ]
