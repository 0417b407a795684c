"""Partial dependence: the mean answer of a model if every row had the same value of one column.

Individual curves are what the mean is taken of: a row's answer at each value, its other cells as they are
(Friedman 2001; Goldstein 2015). Where columns go together the rows so made may be unlike any that occurs;
`explain/local_effects.py` changes each row only to a neighbouring value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import whole
from clearwood.errors import SettingError
from clearwood.explain.answer_matrix import answer_matrix, score_names
from clearwood.models.kinds import check_kind
from clearwood.models.model import Model
from clearwood.predict.columns import column_for, columns_used, table_for
from clearwood.scoring.positive import positive_class_of
from clearwood.table.attributes import Nominal, Numeric, Ordinal, kind_of
from clearwood.table.row_keys import shuffled_rows
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
        return {
            "column": self.column,
            "target": self.target,
            "effect": self.effect,
            "rows": self.rows,
            "places": list(self.places),
            "weights": self.weights.tolist(),
            "centre": dict(zip(self.scores, self.centre.tolist(), strict=True)),
            "mean": {score: self.mean[:, k].tolist() for k, score in enumerate(self.scores)},
        }


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
                f"{'the target' if column not in model.schema.positions else kind_of(attribute)}."
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
        assert self.model.schema.target is not None
        return Dependence(
            self.column,
            self.model.schema.target.name,
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
