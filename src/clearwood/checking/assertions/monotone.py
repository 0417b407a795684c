"""Monotone: as a column rises, the share of a class (or the number) never falls, or never rises."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import ClassVar, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.auditing.curves import score_audits
from clearwood.checking.assertions.exact_proofs import (
    MonotoneProof,
    RowPair,
    WhichRows,
    check_which,
    exactly,
    possible_rows,
)
from clearwood.checking.assertions.model_and_rows import (
    ROUNDING,
    ModelAndRows,
    columns_asked,
    figures_of,
    row_of,
    rows_that_satisfy,
)
from clearwood.checking.assertions.verdict import AssertionVerdict, CounterRow, verdict_on
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Condition, written
from clearwood.models.account.account import Places, Slope
from clearwood.models.decision import Platt
from clearwood.models.kinds.additive.additive_model import curves_in, sides_of
from clearwood.models.kinds.kind import NumbersProfile
from clearwood.models.model import AdditiveModel, LinearModel, Model, RuleList, Tree, account_of
from clearwood.models.space.axes import inside
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.of_additive import additive_scores_of_one
from clearwood.predicting.row import row_predictor
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.raw import Cell
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

    kind: ClassVar = "monotone"
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
    column, rising = asserted.column, asserted.direction == "rises"
    is_asked, proof = column in columns_used(model), None
    if isinstance(model, Tree | RuleList):
        rows = possible_rows(model, conditions, asserted.rows, asserted.when)
        if is_asked:
            proof = exactly(model, *rows, column, about, rising=rising, budget=given.budget)
    elif is_asked and not conditions:
        proof = by_points(model, column, about, rising=rising)
    if not is_asked:
        return verdict_on(asserted, True, True, f"exact: the model does not ask about {column}")
    if proof is not None and proof.pair is not None:
        return _failed(asserted, given, proof.pair, exact=True, how=proof.how)
    if proof is not None and proof.open_from != 0:
        return verdict_on(asserted, True, proof.open_from is None, proof.how)
    if given.source is None and isinstance(model, Tree | RuleList):
        return verdict_on(asserted, None, False, "not settled within the budget, and there are no rows")
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


def _failed(
    asserted: MonotoneIn, given: ModelAndRows, pair: RowPair, *, exact: bool, how: str
) -> AssertionVerdict:
    rows = tuple(CounterRow(row, given.gives(row, asserted.share)) for row in pair)
    went = "falls" if asserted.direction == "rises" else "rises"
    cells = [each.row[asserted.column] for each in rows]
    because = f"it {went} from {asserted.column} {_cell(cells[0])} to {_cell(cells[1])}"
    return verdict_on(asserted, False, exact, how, because, rows)


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
        return verdict_on(asserted, None, False, f"{how}: too few to tell")
    before: Floats | None = None
    sign = 1.0 if asserted.direction == "rises" else -1.0
    for place, value in enumerate(values):
        rows = _with_value(table, attribute, value)
        figure = sign * figures_of(given.model, rows, about)
        if before is not None:
            worst = int(np.argmin(figure - before))
            if figure[worst] < before[worst] - ROUNDING:
                names = columns_asked(given.model)
                ends = _with_value(table, attribute, values[place - 1]), rows
                one, other = (row_of(each, worst, names) for each in ends)
                return _failed(asserted, given, (one, other), exact=False, how=how)
        before = figure
    return verdict_on(asserted, True, False, how)


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


# Monotone by points: where a linear or additive model can only go, its weights and curves say.


_TWO: Final = 2


def by_points(model: Model, column: str, about: int | None, *, rising: bool) -> MonotoneProof | None:
    """None where points cannot tell: of other kinds, of more than two classes, or where a calibration turns
    shares round."""
    if not isinstance(model, LinearModel | AdditiveModel) or not _keeps_order(model):
        return None
    # The points are those of one of the two classes: for the other they go the other way.
    must_rise = rising if about is None else rising == (about == _place_of_points(model))
    if isinstance(model, LinearModel):
        goes, how = _linear_course(model, column), "exact, by its weights"
    else:
        goes, how = _additive_course(model, column), "exact, by its curves"
    if goes in ("level", "up" if must_rise else "down"):
        return MonotoneProof(None, how)
    pair = next((each for each in _pairs(model, column) if _is_wrong(model, each, about, rising)), None)
    return None if pair is None else MonotoneProof(pair, how)


def _keeps_order(model: LinearModel | AdditiveModel) -> bool:
    """Is a share larger wherever its points are, or at least never smaller?"""
    if model.is_numeric:
        return True
    if len(model.schema.classes) != _TWO:
        return False
    if isinstance(model, LinearModel) and (len(model.contrasts) != 1 or model.against is None):
        return False
    if isinstance(model, AdditiveModel) and model.link != "logistic":
        return False
    calibration = model.decision.calibration
    return not isinstance(calibration, Platt) or all(slope >= 0 for slope in calibration.slopes)


def _place_of_points(model: LinearModel | AdditiveModel) -> int:
    return model.schema.classes.index(model.contrasts[0]) if isinstance(model, LinearModel) else 1


def _linear_course(model: LinearModel, column: str) -> str:
    """By the column's values from low to high; of numbers, from 0 to 1."""
    account = account_of(model)
    (score,), term = account.scored, next(each for each in account.terms if each.name == column)
    if isinstance(term, Slope):
        return _course([float(term.weights[score])])
    assert isinstance(term, Places)
    return _course(np.diff(term.added[: term.sides[0].known, score]).tolist())


def _additive_course(model: AdditiveModel, column: str) -> str:
    effects = score_audits(model)[0].columns
    return next(each.model for each in effects if each.name == column)


def _course(steps: list[float]) -> str:
    up, down = any(each > 0 for each in steps), any(each < 0 for each in steps)
    return "both ways" if up and down else "up" if up else "down" if down else "level"


def _is_wrong(model: Model, pair: RowPair, about: int | None, rising: bool) -> bool:
    """Does the predictor itself go the wrong way from the lower row to the higher?"""
    predictor = row_predictor(model)
    figures = []
    for row in pair:
        if about is None:
            answer = predictor(row)
            assert isinstance(answer, float)
            figures.append(answer)
        else:
            figures.append(list(predictor.shares(row).values())[about])
    low, high = figures if rising else reversed(figures)
    return high < low - ROUNDING


def _pairs(model: LinearModel | AdditiveModel, column: str) -> Iterator[RowPair]:
    """Rows that differ in neighbouring cells of the column; the other columns are empty, but for the partners
    of an additive model's pairs, whose cells are tried one by one."""
    empty: dict[str, Cell] = dict.fromkeys(columns_asked(model))
    for low, high in pairwise(_cells(model, column)):
        rows = {**empty, column: low}, {**empty, column: high}
        if isinstance(model, AdditiveModel):
            yield from _with_partners(model, column, *rows)
        else:
            yield rows


def _with_partners(
    model: AdditiveModel, column: str, low: dict[str, Cell], high: dict[str, Cell]
) -> Iterator[RowPair]:
    """Each partner has the cell with which the points rise least, then that with which they rise most."""
    partners = {name for pair in model.pairs if column in pair.names for name in pair.names if name != column}

    def rise(name: str, cell: Cell) -> float:
        one, other = (additive_scores_of_one(model, {**row, name: cell})[0, 0] for row in (low, high))
        return float(other - one)

    for choose in (min, max):
        chosen = {name: choose(_cells(model, name), key=partial(rise, name)) for name in sorted(partners)}
        yield {**low, **chosen}, {**high, **chosen}


def _cells(model: LinearModel | AdditiveModel, name: str) -> list[Cell]:
    """A cell of every kind that the model tells apart, in order."""
    attribute = model.schema[name]
    if isinstance(attribute, Nominal | Ordinal):
        return list(attribute.values)
    if isinstance(model, AdditiveModel):
        cuts = sorted(
            {cut for term in curves_in(model) for side, at in sides_of(term) if side == name for cut in at}
        )
        return [inside(low, high) for low, high in pairwise((-math.inf, *cuts, math.inf))]
    profile = None if model.profile is None else model.profile.columns.get(name)
    if isinstance(profile, NumbersProfile) and len(set(profile.quantiles)) > 1:
        return [profile.quantiles[0], profile.quantiles[-1]]
    return [0.0, 1.0]
