"""Rows with their answers: columns of answers beside the columns that were read."""

from __future__ import annotations

import csv
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from clearwood.cli.writing import is_tabbed, whole_file
from clearwood.errors import SettingError
from clearwood.models.model import Model
from clearwood.predict import intervals as intervals_of
from clearwood.predict import predict
from clearwood.predict import shares as shares_of
from clearwood.table.raw import Raw, RawColumn, RawNumbers
from clearwood.table.table import Table
from clearwood.words.numbers import number

Answers: TypeAlias = dict[str, list[Any]]  # column's name → its cells


def answers_of(model: Model, table: Table, name: str, *, shares: bool, intervals: bool) -> Answers:
    """The answer to each row, and what stands behind it, as named columns."""
    found: Answers = {name: predict(model, table).tolist()}
    if shares:
        if model.is_numeric:
            raise SettingError("This model predicts a number, which has no shares. Leave --shares out.")
        columns = shares_of(model, table).T.tolist()
        found |= {f"share_{each}": cells for each, cells in zip(model.schema.classes, columns, strict=True)}
    if intervals:
        low, high = intervals_of(model, table).T.tolist()
        found |= {f"{name}_low": low, f"{name}_high": high}
    return found


def write_rows(raw: Raw, answers: Answers, place: Path | None) -> None:
    """Write the rows as read, then their answers; tabs between cells if the file's name ends in .tsv."""
    for name in answers:
        if name in raw.names:
            raise SettingError(
                f"{raw.where} has a column '{name}' already. Call the answer another: --column NAME."
            )
    cells = [
        *(_texts(column) for column in raw.columns),
        *(map(_text, column) for column in answers.values()),
    ]
    tabbed = place is not None and is_tabbed(place)
    with whole_file(place) as file:
        writer = csv.writer(file, delimiter="\t" if tabbed else ",", lineterminator="\n")
        writer.writerows(chain([(*raw.names, *answers)], zip(*cells, strict=True)))


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
