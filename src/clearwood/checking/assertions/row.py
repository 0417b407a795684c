"""Row: what one row gets, cell by cell as it is written."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, assert_never

from clearwood.checking.assertions.model_and_rows import ModelAndRows, bounds_words, check_bounds, meets
from clearwood.checking.assertions.verdict import AssertionVerdict, CounterRow, verdict_on
from clearwood.errors import ColumnError, SettingError, check_known, no_such
from clearwood.formulas.conditions import written
from clearwood.predicting.row import as_value, row_predictor
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.raw import Cell
from clearwood.words.numbers import number


@dataclass(frozen=True, slots=True, kw_only=True)
class RowGets:
    """This `row` gets this `answer` ("" stands for none), or a `share` of a class, or a number, within
    bounds.

    Columns that are not named are empty.
    """

    kind: ClassVar = "row"
    row: Mapping[str, Cell]
    answer: str | None = None
    share: str = ""
    at_least: float | None = None
    at_most: float | None = None
    name: str = ""

    def check_keys(self) -> None:
        """Refuse an assertion that says nothing of the row, or two things, and cells that are no numbers."""
        bounded = self.at_least is not None or self.at_most is not None
        if bounded == (self.answer is not None):
            raise SettingError("Give either answer, or at_least or at_most.")
        if bounded:
            check_bounds(self.at_least, self.at_most)
        for name, cell in self.row.items():
            if isinstance(cell, int | float) and not math.isfinite(cell):
                raise SettingError(
                    f"row.{name} must be a number, not {cell}. A column that is not named is missing."
                )

    @property
    def title(self) -> str:
        cells = ", ".join(f"{written(name)} = {_cell_words(cell)}" for name, cell in self.row.items())
        who = f"the row {cells}" if cells else "the row of empty cells"
        if self.answer is not None:
            return f"{who} gets {written(self.answer) if self.answer else 'no prediction'}"
        what = f"a probability of {written(self.share)}" if self.share else "a number"
        return f"{who} gets {what} of {bounds_words(self.at_least, self.at_most)}"


def _cell_words(cell: Cell) -> str:
    return "missing" if cell is None else written(cell) if isinstance(cell, str) else number(cell)


def check_row(asserted: RowGets, given: ModelAndRows) -> AssertionVerdict:
    """By the predictor of single rows, whatever the model."""
    model = given.model
    inputs = {each.name: each for each in model.schema.inputs}
    for name in asserted.row:
        check_known("column", name, inputs, error=ColumnError)
    row = {name: _cell(asserted.row.get(name), attribute) for name, attribute in inputs.items()}
    predictor = row_predictor(model)
    answer = predictor(row)
    if asserted.answer is not None:
        if model.is_numeric:
            raise SettingError("The model predicts numbers: give at_least or at_most.")
        if asserted.answer:
            given.class_place(asserted.answer)
        holds = answer == (asserted.answer or None)
    else:
        holds = meets(_figure(asserted, given, row, answer), asserted.at_least, asserted.at_most)
    gets = given.gives(row, asserted.share)
    named = {name: cell for name, cell in row.items() if name in asserted.row}
    shown = () if holds else (CounterRow(named, gets),)
    return verdict_on(asserted, holds, True, "exact, by the predictor", f"it gets {gets}", shown)


def _figure(asserted: RowGets, given: ModelAndRows, row: dict[str, Cell], answer: object) -> float:
    if given.model.is_numeric:
        if asserted.share:
            raise SettingError("The model predicts numbers, which have no probabilities. Leave share out.")
        return float(answer) if isinstance(answer, int | float) else float("nan")
    if not asserted.share:
        raise SettingError('Which class are the bounds about? Name it: share = "…".')
    given.class_place(asserted.share)
    return row_predictor(given.model).shares(row)[asserted.share]


def _cell(cell: Cell, attribute: Attribute) -> Cell:
    """As a column takes it: a value may be written as a number, such as 4. One that the column never had is
    refused: misspelt, it would be answered like any other unknown value, and the assertion might hold."""
    if cell is None or cell == "":
        return None
    match attribute:
        case Nominal(name, values) | Ordinal(name, values):
            text = cell if isinstance(cell, str) else number(float(cell))
            if as_value(attribute, text) not in values:
                raise SettingError(f"row.{name}: {no_such('value', text, values)}")
            return text
        case Numeric(name):
            if isinstance(cell, str):
                raise SettingError(f"row.{name} must be a number: the column is numeric, not '{cell}'.")
            return float(cell)
        case Text() | Ignored():
            return cell if isinstance(cell, str) else number(float(cell))
        case _:
            assert_never(attribute)
