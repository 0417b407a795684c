"""What an assertion is checked against: a model, and perhaps rows, coded as it needs them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.errors import ColumnError, SettingError, check_known
from clearwood.formulas.conditions import Condition
from clearwood.models.kinds.rules.rule_list import Rule
from clearwood.models.kinds.rules.rule_reading import parse_conditions
from clearwood.models.model import Model
from clearwood.models.space.settling import BUDGET
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.batch import predict, shares
from clearwood.predicting.columns import column_for
from clearwood.predicting.row import row_predictor
from clearwood.predicting.satisfied import as_truths, satisfied
from clearwood.scoring.positive import check_positive
from clearwood.table import encode
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.raw import Cell
from clearwood.table.table import Table
from clearwood.words.numbers import number, row_count


@dataclass(frozen=True, slots=True, eq=False)
class ModelAndRows:
    """A model, the rows to check it on (None: there are none), what they are called, and the budget."""

    model: Model
    source: Any = None
    name: str = "the table"
    budget: int = BUDGET

    def table(self, what: str, conditions: Iterable[Condition] = ()) -> Table:
        """The rows as the model codes them, with the columns that it and these conditions ask about."""
        if self.source is None:
            raise SettingError(f"{what} is checked on rows, and none are given. Give a table.")
        if isinstance(self.source, Table):
            return self.source
        schema = replace(self.model.schema, target=None, weight=None)
        return encode(self.source, schema, only=columns_used(self.model) | {each.name for each in conditions})

    def on_rows(self, rows: int) -> str:
        """`on 1,000 rows of data.csv`"""
        return f"on {row_count(rows)} of {self.name}"

    def when(self, text: str) -> tuple[Condition, ...]:
        """The conditions of a text such as `age < 18 AND sex = male`; none of an empty one."""
        return parse_conditions(text, self.model.schema, "when") if text.strip() else ()

    def attribute(self, column: str) -> Nominal | Ordinal | Numeric:
        """A column of the model that can be asked about."""
        known = [each.name for each in self.model.schema.inputs]
        check_known("column", column, known, error=ColumnError)
        attribute = self.model.schema[column]
        if not isinstance(attribute, Nominal | Ordinal | Numeric):
            raise ColumnError(f"The column '{column}' is text: it has neither values nor an order.")
        return attribute

    def class_place(self, name: str) -> int:
        """The position of a class."""
        classes = self.model.schema.classes
        check_positive(name, classes)
        return classes.index(name)

    def gives(self, row: dict[str, Cell], share: str = "") -> str:
        """What the predictor gives one row: its answer, with the share of a class if one is named."""
        predictor = row_predictor(self.model)
        answer = predictor(row)
        words = "no prediction" if answer is None else answer if isinstance(answer, str) else number(answer)
        if not share:
            return words
        return f"{words}, probability of {share} {number(round(predictor.shares(row)[share], 6))}"


def rows_that_satisfy(
    given: ModelAndRows, conditions: tuple[Condition, ...], table: Table, *, known: bool
) -> Longs:
    """The rows that satisfy all of these; `known`: only those whose cells the model can use, none missing and
    no value never met."""
    rule = Rule(conditions, None)
    inside = as_truths(satisfied(given.model.schema, (rule,), table).covered()[0], len(table))
    for name in columns_asked(given.model) if known else ():
        attribute = given.model.schema[name]
        if isinstance(attribute, Nominal | Ordinal):
            inside = inside & (column_for(attribute, table) >= 0)
        elif isinstance(attribute, Numeric):
            inside = inside & ~np.isnan(column_for(attribute, table))
    return np.flatnonzero(inside)


def columns_asked(model: Model) -> list[str]:
    """The columns that the model asks about, in the order of its schema."""
    used = columns_used(model)
    return [name for name in model.schema.positions if name in used]


def row_of(table: Table, place: int, names: Iterable[str]) -> dict[str, Cell]:
    """One row's cells by name, as they are spelled; a value never met is called so."""
    row: dict[str, Cell] = {}
    for name in names:
        attribute, cell = table.schema[name], table.columns[name][place]
        if isinstance(attribute, Nominal | Ordinal):
            code = int(cell)
            row[name] = attribute.values[code] if code >= 0 else None if code == -1 else "(never met)"
        elif isinstance(attribute, Numeric):
            value = float(cell)
            row[name] = None if value != value else value
        else:
            row[name] = cell
    return row


def figures_of(model: Model, rows: Table, about: int | None) -> Floats:
    """[row] the share of a class, or the predicted number."""
    if about is None:
        return np.asarray(predict(model, rows), dtype=np.float64)
    figures: Floats = shares(model, rows)[:, about]
    return figures


# Bounds that an assertion sets to a number: at least, at most, or both.


ROUNDING: Final = 1e-12  # a share that is off by less is not off


def check_bounds(at_least: float | None, at_most: float | None) -> None:
    """Refuse bounds that say nothing, or that no number meets."""
    if at_least is None and at_most is None:
        raise SettingError("at_least or at_most is needed, or both.")
    if at_least is not None and at_most is not None and at_least > at_most:
        raise SettingError(
            f"at_least {number(at_least)} is above at_most {number(at_most)}: no number can be both."
        )


def meets(value: float, at_least: float | None, at_most: float | None) -> bool:
    """Is it within the bounds? NaN never is."""
    low = at_least is None or value >= at_least - ROUNDING
    return low and (at_most is None or value <= at_most + ROUNDING) and value == value


def bounds_words(at_least: float | None, at_most: float | None) -> str:
    """
    >>> bounds_words(0.7, None), bounds_words(0.2, 0.4)
    ('at least 0.7', 'at least 0.2 and at most 0.4')
    """
    words = [] if at_least is None else [f"at least {number(at_least)}"]
    return " and ".join(words if at_most is None else [*words, f"at most {number(at_most)}"])
