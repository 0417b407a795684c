"""A linear model's scorecard: its weights as whole points, and the points of rows by its lines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, assert_never

import numpy as np

from clearwood.advice import Advice
from clearwood.arrays import Bools, Floats, Longs
from clearwood.errors import SettingError
from clearwood.explain.card_lines import (
    Points,
    PointsPerUnit,
    ScorecardLine,
    column_of,
    whole_points,
)
from clearwood.explain.curve_groups import AnotherValue, CellWords
from clearwood.models.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    OnNumbers,
    bounds_of,
)
from clearwood.models.linear_model import LinearModel, MissingTerm, NumberTerm, ValueTerm
from clearwood.predict.columns import column_for
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import MISSING, Column, Table


def lines_of_linear(
    model: LinearModel, factor: float, cuts: Mapping[str, tuple[float, ...]]
) -> tuple[float, tuple[ScorecardLine, ...]]:
    """What the card starts with, not yet rounded, and its lines; `factor` points are one of the log odds."""
    if model.fit is not None and model.fit.separation is not None:
        raise SettingError(
            "Some weights of this model have no finite estimate, and so no points: classes are separated. "
            "Learn it with ",
            Advice("penalty", "l2", setting=True),
            ".",
        )
    weights = dict(zip(model.terms, model.weights[0], strict=True))
    start = factor * model.intercepts[0]
    lines: list[ScorecardLine] = []
    for name in model.columns():
        attribute = model.schema[name]
        gap = factor * weights[MissingTerm(name)] if MissingTerm(name) in weights else None
        if MissingTerm(name) in model.dependent and not isinstance(attribute, Numeric):
            gap = 0.0
        worth: list[tuple[Condition, float]] = []
        if isinstance(attribute, Numeric):
            weight, fill = factor * weights.get(NumberTerm(name), 0.0), float(model.fills[name])
            if not cuts.get(name) and NumberTerm(name) in weights:
                shown = float(f"{weight:.3g}")
                # What three digits take from each unit the start gives back to a row at the mean.
                start += (weight - shown) * fill
                lines.append(PointsPerUnit(name, shown, weight, whole_points(shown * fill + (gap or 0.0))))
                continue
            worth = [(when, weight * middle) for when, middle in _intervals(name, cuts.get(name, ()), fill)]
            worth = worth or [(AtMost(name, math.inf), 0.0)]
            if gap is not None:
                worth.append((IsMissing(name), weight * fill + gap))
        elif isinstance(attribute, Nominal | Ordinal):
            steps = {model.references.get(name, ""): 0.0}
            steps |= {t.value: 0.0 for t in model.dependent if isinstance(t, ValueTerm) and t.name == name}
            steps |= {
                t.value: factor * w for t, w in weights.items() if isinstance(t, ValueTerm) and t.name == name
            }
            worth = [(Equals(name, value), steps[value]) for value in attribute.values if value in steps]
            if gap is not None:
                worth.append((IsMissing(name), gap))
        least = min(points for _, points in worth)
        start += least
        lines += [Points(when, whole_points(points - least), points - least) for when, points in worth]
    return start, tuple(lines)


def points_of_linear(
    model: LinearModel, lines: Sequence[ScorecardLine], factor: float, table: Table
) -> Longs:
    """[row] the points of all lines that hold."""
    total = np.zeros(len(table), dtype=np.int64)
    for name in model.columns():
        own = [line for line in lines if column_of(line) == name]
        total += points_of_column(model, own, name, column_for(model.schema[name], table), factor)
    return total


def points_of_column(
    model: LinearModel, lines: Sequence[ScorecardLine], name: str, cells: Column, factor: float
) -> Longs:
    """[cell] the points of cells of a column by the lines that are about it."""
    attribute = model.schema[name]
    points = np.zeros(len(cells), dtype=np.int64)
    fill = model.fills[name]
    if isinstance(attribute, Numeric):
        empty = np.isnan(cells)
        numbers = np.where(empty, float(fill), cells)
        for line in lines:
            match line:
                case PointsPerUnit():
                    within = np.clip(numbers, -line.reach, line.reach)
                    points += np.floor(within * line.points + 0.5).astype(np.int64)
                    points[empty] = line.missing
                case Points(when):
                    gaps = empty & (MissingTerm(name) in model.terms)
                    points[_numbers_of(when, numbers, empty, gaps)] = line.points
                case _:
                    assert_never(line)
    elif isinstance(attribute, Nominal | Ordinal):
        places = {value: code for code, value in enumerate(attribute.values)}
        by_code = np.full(len(places) + 2, _unusable(model, lines, name, factor), dtype=np.int64)
        for line in lines:
            match line:
                case Points(when):
                    by_code[_code_of(when, places) + 2] = line.points
                case PointsPerUnit():
                    raise _unfitting(line)
                case _:
                    assert_never(line)
        points = by_code[cells + 2]
    return points


def _unusable(model: LinearModel, lines: Sequence[ScorecardLine], name: str, factor: float) -> int:
    """The points of a cell that no line is about: the average's, or those of what it is taken for."""
    taken = model.references.get(name) if name in model.averages else model.fills[name]
    line = next((n for n in lines if isinstance(n, Points) and n.when == Equals(name, str(taken))), None)
    if line is None:
        return 0
    if name not in model.averages:
        return line.points
    # The reference adds nothing: its exact points are what the column's least value takes away.
    return round(line.exact + factor * model.averages[name][0])


def _intervals(name: str, cuts: tuple[float, ...], mean: float) -> list[tuple[Condition, float]]:
    """The intervals between cuts, each with the number in its middle."""
    if not cuts:
        return []
    reach = abs(mean - cuts[0]) or 1.0
    low = (cuts[1] - cuts[0]) / 2 if len(cuts) > 1 else reach
    high = (cuts[-1] - cuts[-2]) / 2 if len(cuts) > 1 else reach
    inner: list[tuple[Condition, float]] = [(Between(name, a, b), (a + b) / 2) for a, b in pairwise(cuts)]
    return [(AtMost(name, cuts[0]), cuts[0] - low), *inner, (Above(name, cuts[-1]), cuts[-1] + high)]


def _numbers_of(when: CellWords, numbers: Floats, empty: Bools, gaps: Bools) -> Bools:
    """[row] Which numbers of a column a line's condition is about; `gaps` are left to the line of gaps."""
    match when:
        case IsMissing():
            return empty
        case AtMost() | Below() | Above() | AtLeast() | Between():
            return np.asarray(_within(when, numbers) & ~gaps)
        case Equals() | OneOf() | AnotherValue():
            raise _unfitting(when)
        case _:
            assert_never(when)


def _code_of(when: CellWords, places: Mapping[str, int]) -> int:
    """The code of the value that a line's condition is about."""
    match when:
        case Equals(_, value):
            return places[value]
        case IsMissing():
            return MISSING
        case OneOf() | AtMost() | Below() | Above() | AtLeast() | Between() | AnotherValue():
            raise _unfitting(when)
        case _:
            assert_never(when)


def _unfitting(what: object) -> SettingError:
    return SettingError(f"This scorecard has a line that its column's kind cannot have: {what}.")


def _within(when: OnNumbers, numbers: Floats) -> Any:
    low, high = bounds_of(when)
    return (numbers > low) & (numbers <= high)
