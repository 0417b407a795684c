"""Partial dependence: the mean answer of a model if every row had the same value of one column.

Individual curves are what the mean is taken of: a row's answer at each value, its other cells as they are
(Friedman 2001; Goldstein 2015). Where columns go together the rows so made may be unlike any that occurs;
`explaining/dependence.py` changes each row only to a neighbouring value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import whole
from clearwood.errors import SettingError
from clearwood.models.model import Model, check_kind
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.batch import predict, shares
from clearwood.predicting.columns import column_for, table_for
from clearwood.records import json_with
from clearwood.scoring.positive import positive_class_of
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.folding import shuffled_rows
from clearwood.table.table import Column, Table

Effect: TypeAlias = Literal["partial", "local"]
_DECILES: Final = np.linspace(0, 1, 11)


@dataclass(frozen=True, slots=True, eq=False)
class Dependence:
    """How predictions depend on one column: `mean` [place, score] at each of `places`, numbers or values.

    Of "partial" effects it is the mean prediction, and `curves` [row, place, score] are those of single rows.
    Of "local" ones it is what is added to or taken from the mean prediction, `centre` [score]; there are no
    curves. `weights` [place] are the rows that have the value, and `deciles` of a number where the rows are.
    """

    column: str
    target: str
    scores: tuple[str, ...]
    is_numeric: bool  # is the answer a number, not a share?
    effect: Effect
    places: tuple[float, ...] | tuple[str, ...]
    mean: Floats
    centre: Floats
    curves: Floats
    weights: Floats
    deciles: tuple[float, ...]
    rows: int
    positive: str = ""  # the class that is shown where nobody names one, of two

    @property
    def of_numbers(self) -> bool:
        """Is the column numeric?"""
        return bool(self.deciles)

    def to_json(self) -> dict[str, Any]:
        """As plain data; curves are left out."""
        by_score = {"centre": self.centre, "mean": self.mean.T}
        figures = {name: dict(zip(self.scores, each, strict=True)) for name, each in by_score.items()}
        return json_with(self, "column", "target", "effect", "rows", "places", "weights", **figures)


def partial_dependence(
    model: Model,
    table: Any,
    column: str,
    *,
    points: int = 40,
    rows: int = 1000,
    curves: int = 60,
    seed: int = 0,
) -> Dependence:
    """The mean prediction at each value of a column, over at most `rows` rows of the table, drawn by the
    seed.

    Of a numeric column the places are at most `points` quantiles of its known cells, by the rows' weights.
    So many `curves` of single rows are kept.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> effect = partial_dependence(cw.C45().learn(days), days, "Humidity")
    >>> effect.scores[0], effect.places[:3], [round(p, 3) for p in effect.mean[[0, -1], 0].tolist()]
    ("Don't Play", (65.0, 70.0, 75.0), [0.143, 0.5])
    """
    check_kind("partial_dependence", model)
    whole("points", points, 2)
    whole("rows", rows, 1)
    whole("curves", curves, 0)
    asked = Asked.of(model, table, column, rows, seed)
    places, codes = asked.places(points)
    answers = np.stack([asked.answers(np.full(len(asked.table), code)) for code in codes], axis=1)
    mean = np.average(answers, axis=0, weights=asked.weights)
    return asked.dependence("partial", places, mean, answers[:curves])


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A model, rows of a table in the order of a seed, and one column of theirs, as the model codes it."""

    model: Model
    table: Table
    column: str
    cells: Column
    weights: Floats

    @classmethod
    def of(cls, model: Model, rows: Any, column: str, most: int, seed: int) -> Asked:
        """Refuses a column that is neither numbers nor values, and rows that say nothing of it."""
        attribute = model.schema[column]
        if not isinstance(attribute, Nominal | Ordinal | Numeric) or column not in model.schema.positions:
            raise SettingError(
                f"Only a column of numbers or of values has an effect to show; '{column}' is "
                f"{'the target' if column not in model.schema.positions else attribute.kind}."
            )
        table = rows
        if not isinstance(rows, Table):
            table = table_for(model, rows)
            if column not in columns_used(model):
                raise SettingError(f"The model does not use '{column}': it has no effect.")
        if not len(table):
            raise SettingError("There are no rows to predict.")
        table = table.take(shuffled_rows(table, seed)[:most])
        weights = (
            np.ones(len(table)) if table.weights is None else np.asarray(table.weights, dtype=np.float64)
        )
        if not weights.sum() > 0:
            raise SettingError("Every row has the weight 0: there is no mean prediction.")
        cells = column_for(attribute, table)
        known = cells[weights > 0]
        if not (np.isfinite(known) if isinstance(attribute, Numeric) else known >= 0).any():
            raise SettingError(f"There are no rows with a value of '{column}'.")
        return cls(model, table, column, cells, weights)

    @property
    def numeric(self) -> bool:
        return isinstance(self.model.schema[self.column], Numeric)

    @property
    def values(self) -> tuple[str, ...]:
        attribute = self.model.schema[self.column]
        assert isinstance(attribute, Nominal | Ordinal)
        return attribute.values

    def answers(self, cells: Column, of: Any = slice(None)) -> Floats:
        """[row, score] as if the column had these cells; of some of the rows if they are named."""
        own = self.model.schema[self.column]
        table = self.table.take(np.arange(len(self.table))[of])
        schema = table.schema
        # The column as the model codes it, in a schema that says so.
        place = schema.positions[self.column]
        attributes = (*schema.attributes[:place], own, *schema.attributes[place + 1 :])
        kind = np.float64 if self.numeric else np.int32
        columns = {**table.columns, self.column: np.asarray(cells, dtype=kind)}
        return answer_matrix(
            self.model, replace(table, schema=replace(schema, attributes=attributes), columns=columns)
        )

    def quantiles(self, parts: Floats) -> Floats:
        """Of the known numbers, by weight: the lowest that so large a part is not above."""
        numbers = self.cells.astype(np.float64)
        kept = np.isfinite(numbers) & (self.weights > 0)
        order = np.argsort(numbers[kept], kind="stable")
        numbers, upto = numbers[kept][order], np.cumsum(self.weights[kept][order])
        found = np.searchsorted(upto, parts * upto[-1] * (1 - 1e-12))
        quantiles: Floats = numbers[np.minimum(found, len(numbers) - 1)]
        return quantiles

    def places(self, points: int) -> tuple[tuple[float, ...] | tuple[str, ...], list[Any]]:
        """Where the answers are asked, and as cells."""
        if not self.numeric:
            return self.values, list(range(len(self.values)))
        known = np.unique(self.cells[np.isfinite(self.cells) & (self.weights > 0)].astype(np.float64))
        if len(known) > points:
            known = np.unique(self.quantiles(np.linspace(0, 1, points)))
        return tuple(known.tolist()), known.tolist()

    def dependence(self, effect: Effect, places: Any, mean: Floats, curves: Floats) -> Dependence:
        """The effect with what a chart needs beside it."""
        if self.numeric:
            cells, deciles = self.cells.astype(np.float64), tuple(self.quantiles(_DECILES).tolist())
            weights = np.array([self.weights[cells == place].sum() for place in places])
        else:
            code = {value: number for number, value in enumerate(self.values)}
            weights = np.array([self.weights[self.cells == code[place]].sum() for place in places])
            deciles = ()
        own = np.average(answer_matrix(self.model, self.table), axis=0, weights=self.weights)
        return Dependence(
            self.column,
            self.model.schema.predicted.name,
            score_names(self.model),
            self.model.is_numeric,
            effect,
            places,
            mean,
            own,
            curves,
            weights,
            deciles,
            len(self.table),
            positive_class_of(self.model)[0] if len(self.model.schema.classes) == 2 else "",
        )


# Accumulated local effects: how the answer changes from each value of a column to the next, added up.
#
# Each row is asked at the two ends of its own interval only, so that no row is made that is unlike all others
# (Apley and Zhu 2020). What the mean of these differences adds up to is moved to a mean of 0 over the rows.


def local_effects(
    model: Model, table: Any, column: str, *, points: int = 40, rows: int = 10_000, seed: int = 0
) -> Dependence:
    """What each value of a column adds to the mean prediction, accumulated over steps between neighbours.

    Numbers are cut at `points` quantiles. Ordinal values stand in their order, nominal ones so that those
    whose rows are alike in the other columns are neighbours. Rows with an empty cell are left out.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> effect = local_effects(cw.C45().learn(days), days, "Humidity", points=4)
    >>> effect.scores[0], effect.places, [round(each, 3) for each in effect.mean[:, 0].tolist()]
    ("Don't Play", (65.0, 75.0, 85.0, 96.0), [-0.107, -0.107, 0.143, 0.143])
    """
    check_kind("local_effects", model)
    whole("points", points, 2)
    whole("rows", rows, 1)
    asked = Asked.of(model, table, column, rows, seed)
    places, effects = _of_numbers(asked, points) if asked.numeric else _of_values(asked)
    return asked.dependence("local", places, effects, np.empty((0, *effects.shape)))


def _of_numbers(asked: Asked, points: int) -> tuple[tuple[float, ...], Floats]:
    ends = np.unique(asked.quantiles(np.linspace(0, 1, points)))
    numbers = asked.cells.astype(np.float64)
    rows = np.flatnonzero(np.isfinite(numbers) & (asked.weights > 0))
    weights = asked.weights[rows]
    if len(ends) < 2:
        return tuple(ends.tolist()), np.zeros((1, asked.answers(asked.cells[:1], slice(1)).shape[1]))
    # The first interval has both of its ends, each other one its upper end alone.
    interval = np.maximum(np.searchsorted(ends, numbers[rows]) - 1, 0)
    change = asked.answers(ends[interval + 1], rows) - asked.answers(ends[interval], rows)
    steps = _means(interval, change, weights, len(ends) - 1)
    effects = np.concatenate([np.zeros((1, change.shape[1])), np.cumsum(steps, axis=0)])
    within = np.bincount(interval, weights, minlength=len(ends) - 1)
    middle = np.average((effects[1:] + effects[:-1]) / 2, axis=0, weights=within)
    return tuple(ends.tolist()), effects - middle


def _of_values(asked: Asked) -> tuple[tuple[str, ...], Floats]:
    codes = asked.cells.astype(np.int64)
    within = np.bincount(codes[codes >= 0], asked.weights[codes >= 0], minlength=len(asked.values))
    present = np.flatnonzero(within > 0)
    if not isinstance(asked.model.schema[asked.column], Ordinal):
        present = by_likeness(asked.table, asked.column, codes, asked.weights, present)
    place = np.full(len(asked.values), -1)
    place[present] = np.arange(len(present))
    rows = np.flatnonzero((codes >= 0) & (asked.weights > 0))
    at, weights = place[codes[rows]], asked.weights[rows]
    own = asked.answers(codes[rows], rows)
    after = asked.answers(present[np.minimum(at + 1, len(present) - 1)], rows) - own
    before = own - asked.answers(present[np.maximum(at - 1, 0)], rows)
    # The step from one value to the next is that of the rows at both of them.
    step = np.concatenate([at, at - 1])
    change, twice = np.concatenate([after, before]), np.concatenate([weights, weights])
    inside = (step >= 0) & (step < len(present) - 1)
    steps = _means(step[inside], change[inside], twice[inside], len(present) - 1)
    effects = np.concatenate([np.zeros((1, own.shape[1])), np.cumsum(steps, axis=0)])
    middle = np.average(effects, axis=0, weights=within[present])
    return tuple(asked.values[code] for code in present.tolist()), effects - middle


def _means(group: Longs, numbers: Floats, weights: Floats, groups: int) -> Floats:
    """[group, score] by weight; 0 of a group without rows."""
    total = np.bincount(group, weights, minlength=groups)
    sums = [np.bincount(group, weights * each, minlength=groups) for each in numbers.T]
    means: Floats = np.divide(
        np.array(sums).T, total[:, None], out=np.zeros((groups, len(sums))), where=total[:, None] > 0
    )
    return means


# The order of nominal values by likeness: neighbours are values whose rows are alike in other columns.


def by_likeness(table: Table, column: str, codes: Longs, weights: Floats, present: Longs) -> Longs:
    """The codes in `present`, along the line that keeps their distances best (Apley and Zhu 2020).

    The distance of two values is summed over the other columns: the largest difference between the
    distributions of numbers, half the sum of differences between the shares of values. The line is the first
    axis of classical scaling; it begins with the value that the schema lists first of its two ends.
    """
    if len(present) < 3:
        return present
    apart = np.zeros((len(present), len(present)))
    for attribute in table.schema.inputs:
        if attribute.name == column or attribute.name not in table.columns:
            continue
        cells = table.columns[attribute.name]
        match attribute:
            case Numeric():
                known = np.isfinite(cells)
                levels, place = np.unique(cells[known], return_inverse=True)
                profile = _shares(codes[known], place, weights[known], present, len(levels)).cumsum(axis=1)
                apart += [np.abs(profile - one).max(axis=1, initial=0.0) for one in profile]
            case Nominal(_, values) | Ordinal(_, values):
                known = cells >= 0
                profile = _shares(codes[known], cells[known], weights[known], present, len(values))
                apart += [np.abs(profile - one).sum(axis=1) / 2 for one in profile]
            case Text() | Ignored():
                pass
            case _:
                assert_never(attribute)
    middle = np.eye(len(present)) - 1 / len(present)
    lengths, axes = np.linalg.eigh(-0.5 * middle @ apart**2 @ middle)
    if not lengths[-1] > 1e-12:
        return present
    # Rounded, so that values that are alike but for the last bit keep the schema's order.
    line = np.round(axes[:, -1], 9)
    order = np.argsort(line, kind="stable")
    if order[0] > order[-1]:
        order = np.argsort(-line, kind="stable")
    return present[order]


def _shares(codes: Longs, place: Longs, weights: Floats, present: Longs, width: int) -> Floats:
    """[value of `present`, ·] by value the shares of the other column's levels; 0 where no cell is known."""
    counts = np.zeros((int(present.max()) + 1, max(width, 1)))
    kept = (codes >= 0) & (codes <= int(present.max()))
    np.add.at(counts, (codes[kept], place[kept]), weights[kept])
    total = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)[present]
    return shares


# A model's answers to many rows as one matrix: the share of each class, or one number.


def score_names(model: Model) -> tuple[str, ...]:
    """What the columns of the matrix are called: the classes, or the number that is predicted."""
    return (model.schema.predicted.name,) if model.is_numeric else model.schema.classes


def answer_matrix(model: Model, table: Table) -> Floats:
    """[row, score]; NaN, or shares of 0, where a rule list says nothing."""
    if not model.is_numeric:
        return shares(model, table)
    return np.asarray(predict(model, table), dtype=np.float64)[:, None]
