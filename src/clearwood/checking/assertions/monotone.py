"""Monotone: as a column rises, the share of a class (or the number) never falls, or never rises."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.checking.assertions.exact_proofs import (
    RowPair,
    WhichRows,
    check_possible,
    check_which,
    exactly,
)
from clearwood.checking.assertions.model_and_rows import (
    ROUNDING,
    ModelAndRows,
    columns_asked,
    row_of,
    rows_that_satisfy,
)
from clearwood.checking.assertions.monotone_by_points import by_points
from clearwood.checking.assertions.verdict import AssertionVerdict, CounterRow
from clearwood.errors import SettingError
from clearwood.models.conditions import Condition
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.models.words import written
from clearwood.predict import predict, shares
from clearwood.predict.columns import columns_used
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import many, row_count

ShareDirection: TypeAlias = Literal["rises", "falls"]

_MOST_VALUES: Final = 40  # of a column, tried in every row
_MOST_ROWS: Final = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class MonotoneIn:
    """As `column` rises, the `share` of a class "rises" (it never falls) or "falls" (it never rises).

    Of a model of numbers leave `share` out: it is about the number. `when` restricts it to some rows, `rows`
    "known" to those without an empty cell and without a value never met.
    """

    column: str
    share: str = ""
    direction: ShareDirection = "rises"
    when: str = ""
    rows: WhichRows = "all"
    name: str = ""

    def check_keys(self) -> None:
        """Refuse a direction that there is not, and an assertion that names no column."""
        check_which(self.rows)
        if not self.column:
            raise SettingError('Name the column: column = "…".')
        if self.direction not in ("rises", "falls"):
            raise SettingError(f"direction is 'rises' or 'falls', not '{self.direction}'.")

    @property
    def title(self) -> str:
        what = f"the probability of {written(self.share)}" if self.share else "the number"
        never = "falls" if self.direction == "rises" else "rises"
        when = " ".join(self.when.split())  # it may be written in several lines
        where = f" where {when}" if when else ""
        return f"{what} never {never} as {written(self.column)} rises{where}"


def check_monotone(asserted: MonotoneIn, given: ModelAndRows) -> AssertionVerdict:
    """Exact of trees and rules by the walks, of linear and additive models by their points; else by rows."""
    model = given.model
    about = _about(asserted, given)
    attribute = given.attribute(asserted.column)
    if isinstance(attribute, Nominal):
        raise SettingError(
            f"The column '{asserted.column}' is nominal: its values have no order in which they could rise."
        )
    conditions = given.when(asserted.when)
    if any(each.name == asserted.column for each in conditions):
        raise SettingError(f"when asks about '{asserted.column}', the column that rises. Ask about others.")
    if isinstance(model, Tree | RuleList):
        check_possible(model, asserted.when, conditions, asserted.rows)
    rising = asserted.direction == "rises"
    if asserted.column not in columns_used(model):
        return _verdict(asserted, True, True, f"exact: the model does not ask about {asserted.column}")
    if isinstance(model, Tree | RuleList):
        proof = exactly(
            model,
            asserted.column,
            about,
            rising=rising,
            conditions=conditions,
            known=asserted.rows == "known",
            budget=given.budget,
        )
        if proof.pair is not None:
            return _failed(asserted, given, proof.pair, exact=True, how=str(proof.reach))
        if proof.reach.open_from != 0:
            return _verdict(asserted, True, proof.reach.is_whole, str(proof.reach))
    elif not conditions:
        points = by_points(model, asserted.column, about, rising=rising)
        if points is not None and points.pair is not None:
            return _failed(asserted, given, points.pair, exact=True, how=points.how)
        if points is not None:
            return _verdict(asserted, True, True, points.how)
    if given.source is None and isinstance(model, Tree | RuleList):
        return _verdict(asserted, None, False, "not settled within the budget, and there are no rows")
    return _by_rows(asserted, given, attribute, conditions, about)


def _about(asserted: MonotoneIn, given: ModelAndRows) -> int | None:
    """The class that it is about; None of a model of numbers."""
    if given.model.is_numeric:
        if asserted.share:
            raise SettingError("The model predicts numbers, which have no probabilities. Leave share out.")
        return None
    if not asserted.share:
        raise SettingError('Which class is it about? Name it: share = "…".')
    return given.class_place(asserted.share)


def _verdict(asserted: MonotoneIn, holds: bool | None, exact: bool, how: str) -> AssertionVerdict:
    return AssertionVerdict("monotone", asserted.name or asserted.title, holds, exact, how)


def _failed(
    asserted: MonotoneIn, given: ModelAndRows, pair: RowPair, *, exact: bool, how: str
) -> AssertionVerdict:
    rows = tuple(CounterRow(row, given.gives(row, asserted.share)) for row in (pair.low, pair.high))
    went = "falls" if asserted.direction == "rises" else "rises"
    cells = [each.row[asserted.column] for each in rows]
    because = f"it {went} from {asserted.column} {_cell(cells[0])} to {_cell(cells[1])}"
    return AssertionVerdict("monotone", asserted.name or asserted.title, False, exact, how, because, rows)


def _cell(cell: object) -> str:
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


def _by_rows(
    asserted: MonotoneIn,
    given: ModelAndRows,
    attribute: Ordinal | Numeric,
    conditions: tuple[Condition, ...],
    about: int | None,
) -> AssertionVerdict:
    """Every row with every value of the column in turn."""
    table = given.table(asserted.title, conditions)
    table = table.take(rows_that_satisfy(given, conditions, table, known=asserted.rows == "known"))
    whole = len(table)
    if whole > _MOST_ROWS:
        table = table.take(np.unique(np.linspace(0, whole - 1, _MOST_ROWS).astype(np.int64)))
    values = _values(attribute, table)
    some = f"{row_count(len(table))} of {whole:,}" if len(table) < whole else row_count(whole)
    how = f"on {some} of {given.name}, each with {many(len(values), 'value')} of {asserted.column}"
    if not len(table) or len(values) < 2:
        return _verdict(asserted, None, False, f"{how}: too few to tell")
    before: Floats | None = None
    sign = 1.0 if asserted.direction == "rises" else -1.0
    for place, value in enumerate(values):
        rows = _with_value(table, attribute, value)
        figure = sign * _figures(given.model, rows, about)
        if before is not None:
            worst = int(np.argmin(figure - before))
            if figure[worst] < before[worst] - ROUNDING:
                names = columns_asked(given.model)
                pair = RowPair(
                    row_of(_with_value(table, attribute, values[place - 1]), worst, names),
                    row_of(rows, worst, names),
                )
                return _failed(asserted, given, pair, exact=False, how=how)
        before = figure
    return _verdict(asserted, True, False, how)


def _values(attribute: Ordinal | Numeric, table: Table) -> list[float]:
    """The values to try, ascending: codes of an ordinal column, quantiles of many numbers."""
    if isinstance(attribute, Ordinal):
        own = table.schema[attribute.name]
        assert isinstance(own, Nominal | Ordinal)
        return [float(code) for code, value in enumerate(attribute.values) if value in own.values]
    column = np.asarray(table.columns[attribute.name], dtype=np.float64)
    known = np.unique(column[~np.isnan(column)])
    if len(known) > _MOST_VALUES:
        known = np.unique(np.quantile(known, np.linspace(0, 1, _MOST_VALUES), method="nearest"))
    return [float(each) for each in known]


def _with_value(table: Table, attribute: Ordinal | Numeric, value: float) -> Table:
    own = table.schema[attribute.name]
    if isinstance(attribute, Ordinal):
        assert isinstance(own, Nominal | Ordinal)
        # The table may know the values in another order than the model.
        code = (
            own.values.index(attribute.values[int(value)]) if own.values != attribute.values else int(value)
        )
        column = np.full(len(table), code, dtype=np.int32)
    else:
        column = np.full(len(table), value, dtype=np.float64)
    return replace(table, columns={**table.columns, attribute.name: column}, checked=True)


def _figures(model: Model, rows: Table, about: int | None) -> Floats:
    if about is None:
        return np.asarray(predict(model, rows), dtype=np.float64)
    figures: Floats = shares(model, rows)[:, about]
    return figures
