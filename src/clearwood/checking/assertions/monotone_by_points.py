"""Monotone by points: where a linear or additive model can only go, its weights and curves say."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

from clearwood.audit.axes import inside
from clearwood.audit.curves import audit_curves
from clearwood.checking.assertions.exact_proofs import RowPair
from clearwood.checking.assertions.model_and_rows import ROUNDING, columns_asked
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.decision import Platt
from clearwood.models.linear_model import LinearModel, NumberTerm, ValueTerm
from clearwood.models.model import Model
from clearwood.models.profile import NumbersProfile
from clearwood.predict.of_additive import additive_scores_of_one, curves_in, sides_of
from clearwood.predict.row import row_predictor
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.raw import Cell

_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class DirectionByPoints:
    """Two rows between which the figure goes the wrong way, if it does, and how that is known."""

    pair: RowPair | None
    how: str


def by_points(model: Model, column: str, about: int | None, *, rising: bool) -> DirectionByPoints | None:
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
        return DirectionByPoints(None, how)
    pair = next((each for each in _pairs(model, column) if _is_wrong(model, each, about, rising)), None)
    return None if pair is None else DirectionByPoints(pair, how)


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
    steps = [high - low for low, high in pairwise(_weights_in_order(model, column))]
    return _course(steps)


def _weights_in_order(model: LinearModel, column: str) -> list[float]:
    """The points of the column's values from low to high; of numbers, of 0 and 1."""
    weights = {
        term: weight
        for term, weight in zip(model.terms, model.weights[0], strict=True)
        if term.name == column
    }
    attribute = model.schema[column]
    if isinstance(attribute, Numeric):
        return [0.0, sum(weight for term, weight in weights.items() if isinstance(term, NumberTerm))]
    assert isinstance(attribute, Nominal | Ordinal)
    by_value = {term.value: weight for term, weight in weights.items() if isinstance(term, ValueTerm)}
    fill = by_value.get(str(model.fills.get(column, "")), 0.0)
    reference = model.references.get(column)
    return [by_value.get(value, 0.0 if value == reference else fill) for value in attribute.values]


def _additive_course(model: AdditiveModel, column: str) -> str:
    effects = audit_curves(model).scores[0].columns
    return next(each.model for each in effects if each.name == column)


def _course(steps: list[float]) -> str:
    up, down = any(each > 0 for each in steps), any(each < 0 for each in steps)
    return "both ways" if up and down else "up" if up else "down" if down else "level"


def _is_wrong(model: Model, pair: RowPair, about: int | None, rising: bool) -> bool:
    """Does the predictor itself go the wrong way from the lower row to the higher?"""
    predictor = row_predictor(model)
    figures = []
    for row in (pair.low, pair.high):
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
            yield RowPair(*rows)


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
        yield RowPair({**low, **chosen}, {**high, **chosen})


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
