"""What `predict` does: rows as they were read, with columns of answers beside them.

A text file is read, answered and written in blocks of whole rows, in the memory of one block.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np

from clearwood.advice import Advice
from clearwood.cli.formulas import formulas_in
from clearwood.cli.options import Output, Reading
from clearwood.cli.output import as_options, note, print_json
from clearwood.cli.running.unusable import UnusableCounts, flags, refuse_unusable
from clearwood.cli.scored_rows import Answers, LineForm, lines_of, written
from clearwood.cli.sources import coded_for, load_model, raw_in
from clearwood.cli.streams import check_input
from clearwood.cli.writing import check_place, is_compressed, text_file
from clearwood.errors import SchemaError, SettingError, SourceError, no_such
from clearwood.files import write_whole
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.model import Model
from clearwood.predict import intervals, predict, shares
from clearwood.predict.columns import columns_used
from clearwood.predict.prevalence import at_prevalence
from clearwood.predict.unusable import unusable_cells
from clearwood.registry import Setting
from clearwood.scoring.evaluation import Evaluation, NumberEvaluation, evaluate
from clearwood.study.cross_validation import together
from clearwood.study.scores import evaluation_to_json, phrase
from clearwood.table.cell_errors import CellError, refusal_of, without_wrong_cells
from clearwood.table.raw import Raw, RawColumn, RawNumbers
from clearwood.table.sources.csv_blocks import CsvBlock, NotInBlocksError, comes_in_blocks, csv_blocks
from clearwood.table.table import Table
from clearwood.words.numbers import many

OnError: TypeAlias = Literal["stop", "skip", "keep"]

_FORMS: Final = ("", ".csv", ".tsv", ".txt")
_MOST_LISTED: Final = 1000  # of the cells that cannot be used, in JSON


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
    found: dict[str, OnError] = {each: each for each in get_args(OnError)}
    if word not in found:
        raise SettingError(no_such("way on after an error", word, found, plural="ways on"))
    return found[word]


@dataclass(slots=True)
class _Tally:
    """What is known when all blocks are done."""

    rows: int = 0
    weighted: bool = False
    notes: dict[str, None] = field(default_factory=dict)  # in order, each once
    formulas: set[str] = field(default_factory=set)
    errors: list[CellError] = field(default_factory=list)
    unusable: UnusableCounts = field(default_factory=UnusableCounts)
    scores: list[Evaluation] = field(default_factory=list)
    means: list[tuple[float, float]] = field(default_factory=list)  # weight and mean of the true numbers


def run(
    model: Path,
    new: str,
    file: str,
    reading: Reading,
    output: Output,
    answering: Answering,
    schema: Path | None = None,
) -> None:
    """Predict new rows, and judge where they know the truth."""
    place = None if file == "-" else Path(file)
    if place is not None:
        check_place(place, new, model)
        _check_form(place)
    loaded = load_model(model, schema)
    if answering.prevalence is not None:
        loaded = _at_prevalence(loaded, answering.prevalence)
    answers: Answers | None = None
    if place is None and output.as_json:
        if answering.escape_formulas:
            raise SettingError("--escape-formulas is for files of rows; JSON has no formulas. Leave it out.")
        tally = _Tally()
        _, answers = _answered(raw_in(new, reading), iter(()), loaded, answering, tally)
    else:
        tally = _written(new, reading, loaded, answering, place)
    notes = [*tally.notes, *_notes_on_errors(tally, answering, place), *tally.unusable.notes(loaded)]
    notes += _notes_on_formulas(tally)
    score = _score_of(tally)
    if output.as_json:
        print_json(
            {
                "rows": tally.rows,
                "classes": loaded.schema.classes,
                "answers": answers,
                "scores": None if score is None else evaluation_to_json(score),
                "unusable": tally.unusable.to_json(),
                "saved": None if place is None else file,
                "errors": [
                    {"row": each.row, "column": each.column, "cell": each.cell, "wrong": each.wrong}
                    for each in tally.errors[:_MOST_LISTED]
                ],
                "notes": as_options(notes),
            }
        )
        return
    if score is not None and score.weight:
        notes.append(f"{phrase(score, weighted=tally.weighted)}.")
    if place is not None:
        notes.append(f"{tally.rows:,} rows written to {file}.")
    note(notes, output)


def _written(new: str, reading: Reading, model: Model, answering: Answering, place: Path | None) -> _Tally:
    """Answer and write block by block; a file that does not come in blocks is one."""
    check_input(new)
    if comes_in_blocks(new, reading.as_arguments()):
        tally = _Tally()
        try:
            _write(csv_blocks(Path(new), **reading.as_arguments()), model, answering, place, tally)
            return tally
        except NotInBlocksError:
            if place is None and tally.rows:
                raise SourceError(
                    f"{Path(new).name} is not UTF-8 after its row {tally.rows:,}. Give its encoding, e.g. ",
                    Advice("encoding", "cp1252"),
                    ", or name a file for the rows: --output FILE.",
                ) from None
    tally = _Tally()
    _write(iter([raw_in(new, reading)]), model, answering, place, tally)
    return tally


def _write(
    blocks: Iterator[CsvBlock | Raw],
    model: Model,
    answering: Answering,
    place: Path | None,
    tally: _Tally,
) -> None:
    tabbed = place is not None and _without_gz(place).suffix.lower() == ".tsv"
    form = LineForm("\t" if tabbed else ",", answering.escape_formulas)
    # The first block is answered before the file is opened: what is refused at once leaves nothing behind.
    first = next(blocks)
    kept, answers = _answered(first, blocks, model, answering, tally)
    raw = first.raw if isinstance(first, CsvBlock) else first
    _check_names(raw, answers)
    with text_file(place) as file:
        file.write(form.line([*raw.names, *answers]) + "\n")
        tally.formulas |= set() if form.escape else set(formulas_in((*raw.names, *answers)))
        block: CsvBlock | Raw | None = first
        while block is not None:
            lines = lines_of(block, form)
            if kept is not None:
                lines = [line for line, keep in zip(lines, kept.tolist(), strict=True) if keep]
            file.writelines(written(lines, answers, form))
            if not form.escape:
                raw = block.raw if isinstance(block, CsvBlock) else block
                cells = [*map(_distinct, raw.columns), set(answers[answering.column])]
                tally.formulas |= set(formulas_in(chain(*cells)))
            block = next(blocks, None)
            if block is not None:
                kept, answers = _answered(block, blocks, model, answering, tally)


def _answered(
    rows: Raw | CsvBlock,
    rest: Iterator[CsvBlock | Raw],
    model: Model,
    answering: Answering,
    tally: _Tally,
) -> tuple[np.ndarray[Any, np.dtype[np.bool_]] | None, Answers]:
    """The answers to a block of rows, and which of them are kept (None: all); what is found is tallied."""
    asked = columns_used(model)
    raw, before, errors = _without_wrong_cells(rows, model, asked)
    if errors and answering.on_error == "stop":
        # Whoever mends the file wants all of them, not one at a time.
        errors += chain.from_iterable(_without_wrong_cells(each, model, asked)[2] for each in rest)
        refused = refusal_of(errors)
        way_on = " To go on all the same: --on-error skip or keep."
        raise SchemaError(refused.sentence, way_on, place=refused.place)
    table, kept = coded_for(model, raw, only=asked), None
    unusable = unusable_cells(model, table)
    if answering.strict:
        refuse_unusable(raw, unusable, before)
    tally.unusable.add(raw, unusable)
    flagged = [] if answering.flag_cells is None else flags(unusable, len(table))
    if errors and answering.on_error == "skip":
        kept = np.ones(len(raw), dtype=np.bool_)
        kept[[each.row - before - 1 for each in errors]] = False
        table = table.take(kept)
        flagged = [flag for flag, keep in zip(flagged, kept.tolist(), strict=False) if keep]
    tally.notes |= dict.fromkeys(table.notes)
    tally.errors += errors
    tally.rows += len(table)
    tally.weighted |= table.weights is not None
    answers = _answers_of(model, table, answering)
    if answering.flag_cells is not None:
        if answering.flag_cells in answers:
            raise SettingError(
                f"--flag-cells: '{answering.flag_cells}' is a column of answers. Name another."
            )
        answers[answering.flag_cells] = flagged
    target = model.schema.target
    if target is not None and target.name in table.columns and len(table):
        score = evaluate(model, table)
        tally.scores.append(score)
        if isinstance(score, NumberEvaluation) and score.weight:
            known = ~np.isnan(table.target) & ~np.isnan(np.array(answers[answering.column], dtype=np.float64))
            weights = None if table.weights is None else table.weights[known]
            tally.means.append((score.weight, float(np.average(table.target[known], weights=weights))))
    return kept, answers


def _without_wrong_cells(
    rows: Raw | CsvBlock, model: Model, asked: Collection[str]
) -> tuple[Raw, int, list[CellError]]:
    """The rows, how many came before them, and the cells that cannot be used."""
    raw, before = (rows.raw, rows.before) if isinstance(rows, CsvBlock) else (rows, 0)
    raw, errors = without_wrong_cells(raw, model.schema, asked, before)
    return raw, before, errors


def _score_of(tally: _Tally) -> Evaluation | None:
    """All blocks as one evaluation; numbers spread about the mean of all rows, not of their block."""
    if not tally.scores:
        return None
    score = together(tally.scores)
    if isinstance(score, NumberEvaluation) and len(tally.means) > 1:
        mean = sum(weight * each for weight, each in tally.means) / score.weight
        between = sum(weight * (each - mean) ** 2 for weight, each in tally.means)
        return replace(score, spread=score.spread + between)
    return score


def _check_names(raw: Raw, answers: Answers) -> None:
    for name in answers:
        if name in raw.names:
            raise SettingError(
                f"{raw.where} has a column '{name}' already. Call the answer another: --column NAME."
            )


def _check_form(place: Path) -> None:
    """Refuse a name that promises rows in a form we do not write."""
    form = _without_gz(place).suffix.lower()
    if form not in _FORMS:
        raise SettingError(f"Cannot write rows as {form}. Name a .csv or .tsv file, or one of them with .gz.")


def _at_prevalence(model: Model, text: str) -> Model:
    """The model for a place where its classes are more, or less, common: Bayes keeps priors apart."""
    if not isinstance(model, BayesTables):
        raise SettingError(
            "--prevalence is for Bayes models, which keep priors apart. For others say it when learning: "
            "clearwood fit DATA --set priors=CLASS:SHARE,…"
        )
    from clearwood.cli.settings import value_of  # late: it knows every learner, and a quarter second of them

    return at_prevalence(model, value_of(Setting("--prevalence", (Mapping[str, float],), None), text))


def _answers_of(model: Model, table: Table, answering: Answering) -> Answers:
    """The answer to each row, and what stands behind it, as named columns."""
    name = answering.column
    answers: Answers = {name: predict(model, table).tolist()}
    if answering.shares:
        if model.is_numeric:
            raise SettingError("This model predicts a number, which has no shares. Leave --shares out.")
        columns = shares(model, table).T.tolist()
        answers |= {f"share_{each}": cells for each, cells in zip(model.schema.classes, columns, strict=True)}
    if answering.intervals:
        low, high = intervals(model, table).T.tolist()
        answers |= {f"{name}_low": low, f"{name}_high": high}
    return answers


def _notes_on_errors(tally: _Tally, answering: Answering, place: Path | None) -> list[str]:
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
    done = left if answering.on_error == "skip" else "and count as missing"
    notes = [f"{many(len(tally.errors), 'cell').capitalize()} could not be used, {done}: {counted}."]
    if place is not None:
        beside = place.with_name(f"{place.name}.errors.csv")
        form = LineForm(",", answering.escape_formulas)
        lines = [form.line((str(e.row), e.column, e.cell, e.wrong)) for e in tally.errors]
        write_whole(beside, "\n".join(["row,column,cell,wrong", *lines, ""]).encode())
        notes.append(f"They are listed in {beside}.")
    return notes


def _notes_on_formulas(tally: _Tally) -> list[str]:
    """What a spreadsheet would run instead of show, unless it is escaped."""
    found = sorted(tally.formulas)
    if not found:
        return []
    return [
        f"A spreadsheet would run {found[0]!r}{' and other texts' if found[1:] else ''} as a formula."
        " To have ' put before such texts: --escape-formulas."
    ]


def _distinct(column: RawColumn) -> tuple[str, ...]:
    """The texts of a column; numbers are none."""
    return () if isinstance(column, RawNumbers) else column.values


def _without_gz(place: Path) -> Path:
    return place.with_suffix("") if is_compressed(place) else place
