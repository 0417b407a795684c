"""What `predict` does: rows as they were read, with columns of answers beside them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood.cli.formulas import escaped, formulas_in
from clearwood.cli.options import Output, Reading
from clearwood.cli.output import as_options, note, say_json
from clearwood.cli.running.unusable import cells_to_json, flags, notes_on_cells, refuse_unusable
from clearwood.cli.settings import value_of
from clearwood.cli.sources import coded_for, load_model, raw_in
from clearwood.cli.writing import check_place, is_compressed, text_file
from clearwood.errors import SettingError
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.model import Model
from clearwood.predict import intervals, predict, shares
from clearwood.predict.columns import names_asked
from clearwood.predict.prevalence import at_prevalence
from clearwood.predict.unusable import unusable_cells
from clearwood.registry import Setting
from clearwood.scoring.evaluation import evaluate
from clearwood.study.scores import evaluation_to_json, phrase
from clearwood.table.raw import Raw, RawColumn, RawNumbers
from clearwood.table.table import Table
from clearwood.words.numbers import number

Answers: TypeAlias = dict[str, list[Any]]  # column's name → its cells

_FORMS: Final = ("", ".csv", ".tsv", ".txt")


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


def run(model: Path, new: str, file: str, reading: Reading, output: Output, answering: Answering) -> None:
    """Predict new rows, and judge where they know the truth."""
    place = None if file == "-" else Path(file)
    if place is not None:
        check_place(place, new, model)
        _check_form(place)
    loaded = load_model(model)
    if answering.prevalence is not None:
        loaded = _at_prevalence(loaded, answering.prevalence)
    raw = raw_in(new, reading)
    table = coded_for(loaded, raw, only=names_asked(loaded))
    unusable = unusable_cells(loaded, table)
    if answering.strict:
        refuse_unusable(raw, unusable)
    answers = _answers_of(loaded, table, answering)
    if answering.flag_cells is not None:
        if answering.flag_cells in answers:
            raise SettingError(
                f"--flag-cells: '{answering.flag_cells}' is a column of answers. Name another."
            )
        answers[answering.flag_cells] = flags(unusable, len(table))
    target = loaded.schema.target
    score = evaluate(loaded, table) if target and target.name in table.columns else None
    notes = [*table.notes, *notes_on_cells(loaded, raw, unusable)]
    if place is not None or not output.as_json:
        notes += _notes_on_formulas(raw, answers, answering)
        _write_rows(raw, answers, place, escape=answering.escape_formulas)
    elif answering.escape_formulas:
        raise SettingError("--escape-formulas is for files of rows; JSON has no formulas. Leave it out.")
    if output.as_json:
        say_json(
            {
                "rows": len(table),
                "classes": loaded.schema.classes,
                "answers": None if place is not None else answers,
                "scores": None if score is None else evaluation_to_json(score),
                "unusable": cells_to_json(unusable),
                "saved": None if place is None else file,
                "notes": as_options(notes),
            }
        )
        return
    if score is not None and score.weight:
        notes.append(f"{phrase(score, weighted=table.weights is not None)}.")
    if place is not None:
        notes.append(f"{len(table):,} rows written to {file}.")
    note(notes, output)


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


def _notes_on_formulas(raw: Raw, answers: Answers, answering: Answering) -> list[str]:
    """What a spreadsheet would run instead of show, unless it is escaped."""
    if answering.escape_formulas:
        return []
    cells = [*(_distinct(each) for each in raw.columns), set(answers[answering.column])]
    found = formulas_in(chain(raw.names, answers, *cells))
    if not found:
        return []
    return [
        f"A spreadsheet would run {found[0]!r}{' and other texts' if found[1:] else ''} as a formula."
        " To have ' put before such texts: --escape-formulas."
    ]


def _write_rows(raw: Raw, answers: Answers, place: Path | None, *, escape: bool) -> None:
    """Write the rows as read, then their answers; tabs between cells if the file's name ends in .tsv."""
    for name in answers:
        if name in raw.names:
            raise SettingError(
                f"{raw.where} has a column '{name}' already. Call the answer another: --column NAME."
            )
    cells: list[Iterable[str]] = [
        *(_texts(column) for column in raw.columns),
        *(map(_text, column) for column in answers.values()),
    ]
    heading = [*raw.names, *answers]
    if escape:
        heading, cells = [escaped(each) for each in heading], [map(escaped, column) for column in cells]
    tabbed = place is not None and _without_gz(place).suffix.lower() == ".tsv"
    with text_file(place) as file:
        writer = csv.writer(file, delimiter="\t" if tabbed else ",", lineterminator="\n")
        writer.writerows(chain([heading], zip(*cells, strict=True)))


def _distinct(column: RawColumn) -> Iterable[str]:
    """The texts of a column; numbers are none."""
    return () if isinstance(column, RawNumbers) else column.values


def _texts(column: RawColumn) -> list[str]:
    """The cells as they were written; nothing where nothing was."""
    if isinstance(column, RawNumbers):
        if column.texts is None:
            return ["" if np.isnan(cell) else number(cell) for cell in column.values.tolist()]
        column = column.texts()
    values = np.array([*column.values, ""], dtype=object)
    cells: list[str] = values[column.codes].tolist()
    return cells


def _text(answer: str | float | None) -> str:
    """The answer as it is written; nothing where the model says nothing."""
    if answer is None or answer != answer:
        return ""
    return answer if isinstance(answer, str) else number(answer)


def _without_gz(place: Path) -> Path:
    return place.with_suffix("") if is_compressed(place) else place
