"""Proxies: how well do the columns that a model may ask predict one that it may not?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.errors import ClearwoodError, SchemaError, SettingError
from clearwood.learners.ensembles.forest import Forest
from clearwood.learners.learner import Learner
from clearwood.learners.trees.cart import CART
from clearwood.models.model import Model
from clearwood.records import dataclass, json_of
from clearwood.scoring import Stakes
from clearwood.scoring.intervals import score_over_parts
from clearwood.scoring.predictions import ClassPredictions, Predictions
from clearwood.scoring.scores import scores_of
from clearwood.study.cross_validation import cross_validate
from clearwood.study.designs import Folds
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal
from clearwood.table.folding import groups_in, shuffled_rows
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import row_count

_FOLDS: Final = 5
MOST_ROWS: Final = 5_000  # a score of more would be no clearer
_STRONG: Final = 0.75  # an AUC, or a part of the variance over 0.25, that lets the column be guessed
_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class ProxyColumn:
    """What one column alone says of the protected one: the AUC, or of a number the part of its variance."""

    column: str
    score: float


@dataclass(frozen=True, slots=True)
class Proxies:
    """How well the asked columns predict a protected one, on rows held out by folds.

    `score` is the AUC, the mean over the folds (of several values the mean of each against the rest, by their
    rows), or of a number the part of the variance explained, with its 95 % interval; chance is 0.5, or 0. It
    is NaN where no fold has rows to rank. `accuracy` and its 95 % interval stand beside the part of the
    commonest value, `baseline`; of a number there are none. `columns` are those that say most alone, the best
    first.
    """

    protected: str
    score: float
    score_interval: tuple[float, float] | None
    is_number: bool
    accuracy: float | None
    interval: tuple[float, float] | None
    baseline: float | None
    columns: tuple[ProxyColumn, ...]
    rows: int
    of_rows: int  # in the table

    @property
    def score_name(self) -> str:
        return "R²" if self.is_number else "AUC"

    @property
    def verdict(self) -> str:
        """What the score means for a column that is not asked."""
        if math.isnan(self.score):
            return f"There are too few rows to say what the columns used tell about {self.protected}."
        chance = 0.0 if self.is_number else 0.5
        part = (self.score - chance) / (1 - chance)  # of the way from chance to certainty
        if part >= 2 * _STRONG - 1:
            best = self.columns[0].column if self.columns else ""
            most = f", above all by {best}" if best else ""
            return f"The asked columns tell {self.protected} well{most}: leaving it out does not hide it."
        if part >= 0.1:
            return f"The asked columns tell something of {self.protected}."
        return f"The asked columns tell next to nothing of {self.protected}."

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        columns = [{"column": each.column, self.score_name: each.score} for each in self.columns]
        score = {self.score_name: self.score}
        return json_of(self, "score", "is_number", **score, columns=columns, verdict=self.verdict)

    def __str__(self) -> str:
        heading = f"{self.protected} from the asked columns: {self.score_name} {self.score:.3f}"
        if self.score_interval is not None:
            heading += " ({:.3f} to {:.3f})".format(*self.score_interval)
        if self.accuracy is not None and self.interval is not None and self.baseline is not None:
            low, high = self.interval
            heading += (
                f", accuracy {self.accuracy:.3f} ({low:.3f} to {high:.3f}; the commonest value alone "
                f"{self.baseline:.3f})"
            )
        drawn = f", drawn from {self.of_rows:,}" if self.rows < self.of_rows else ""
        rows = [["alone", self.score_name]]
        rows += [[each.column, f"{each.score:.3f}".replace("-", "−")] for each in self.columns[:_SHOWN]]
        lines = [f"{heading}, in folds of {row_count(self.rows)}{drawn}", *in_columns(rows, "figures")]
        if len(self.columns) > _SHOWN:
            lines.append(f"and {len(self.columns) - _SHOWN} more columns")
        return "\n".join([*lines, self.verdict])


def proxies(
    table: Table,
    protected: str,
    *,
    learner: Learner[Model] | None = None,
    folds: int = _FOLDS,
    seed: int = 0,
    group: str | None = None,
) -> Proxies:
    """Learn the protected column from those that a model may ask, in folds, and by each of them alone.

    The `learner` is a small forest unless one is given; a column alone is learned by a tree. What the model
    predicts is not asked, nor is any other column that the schema ignores. Rows of one `group` are never on
    both sides of a fold, and its column is not asked. Of more than 5,000 rows so many are drawn by the seed.

    >>> import clearwood as cw
    >>> rows = {"height": [150, 160, 170, 180] * 15, "sex": list("ffmm") * 15, "y": [0, 1] * 30}
    >>> print(proxies(cw.read_table(rows, target="y"), "sex"))
    sex from the asked columns: AUC 1.000, accuracy 1.000 (0.940 to 1.000; the \
commonest value alone 0.500), in folds of 60 rows
    alone     AUC
    height  1.000
    The asked columns tell sex well, above all by height: leaving it out does not hide it.
    """
    asked = _asked(table, protected)
    if len(asked) > MOST_ROWS:
        asked = asked.take(np.sort(shuffled_rows(asked, seed)[:MOST_ROWS]))
    if group is not None and (group == protected or group not in asked.columns):
        group = None
    dealt = len(asked) if group is None else groups_in(asked, group).count
    folds = min(folds, dealt)
    if folds < 2:
        apart = "" if group is None else f" that differ in '{group}'"
        raise SchemaError(f"A proxy of '{protected}' is looked for in folds, which need two rows{apart}.")
    forest = Forest(trees=25, min_leaf=3, seed=seed) if learner is None else learner
    design = Folds(folds, seed, group=group)
    rows = cross_validate(forest, asked, design=design).predictions
    names = [each.name for each in asked.schema.inputs if each.name != group]
    alone = [ProxyColumn(name, _alone(asked, name, design)) for name in names]
    columns = [each for each in alone if not math.isnan(each.score)]
    columns.sort(key=lambda each: -each.score)
    counted = tuple(columns), len(asked), len(table)
    if not isinstance(rows, ClassPredictions):
        ends = scores_of(rows, only=("r2",), seed=seed).scored[0].interval
        return Proxies(protected, _score(rows), ends, True, None, None, None, *counted)
    ends = None
    if len(rows.classes) == 2:  # several values' mean AUC has no interval here
        ends = scores_of(rows, only=("auc",), seed=seed).scored[0].interval
    known, together = rows.truth >= 0, rows.evaluation
    commonest = float(np.bincount(rows.truth[known], rows.weights[known]).max() / rows.weights.sum())
    figures = together.accuracy, together.interval, commonest
    return Proxies(protected, _score(rows), ends, False, *figures, *counted)


def _asked(table: Table, protected: str) -> Table:
    """The rows whose protected cell is known, with that column as the target and the old target ignored."""
    schema = table.schema
    attribute = schema[protected]
    if schema.target is not None and protected == schema.target.name:
        raise SettingError(f"'{protected}' is what is predicted: it cannot be protected. Name another.")
    if isinstance(attribute, Ignored) or protected not in table.columns:
        raise SchemaError(f"Column '{protected}' was left out when the table was read. Keep it.")
    if not isinstance(attribute, Nominal | Ordinal | Numeric):
        raise SchemaError(f"Column '{protected}' is text: no proxy can be looked for. Name another.")
    others = tuple(each for each in schema.attributes if each.name != protected)
    kept = {each.name for each in others if not isinstance(each, Ignored)}
    columns = {name: column for name, column in table.columns.items() if name in kept or name == protected}
    cells = np.asarray(table.columns[protected])
    known = ~np.isnan(cells) if isinstance(attribute, Numeric) else cells >= 0
    if len(np.unique(cells[known])) < 2:
        raise SchemaError(f"Column '{protected}' has fewer than two values: no proxy can be looked for.")
    if not kept:
        raise SchemaError(f"No column is asked beside '{protected}': there is no proxy to look for.")
    inside = replace(
        table,
        schema=Schema(others, attribute, schema.weight, schema.weights_are),
        columns=columns,
        checked=True,
    )
    return inside.take(np.flatnonzero(known))


def _alone(table: Table, name: str, design: Folds) -> float:
    """The score of this column by itself; NaN where nothing can be learned from it."""
    kept = tuple(each for each in table.schema.attributes if each.name in (name, design.group))
    target = table.schema.predicted
    one = replace(
        table,
        schema=replace(table.schema, attributes=kept),
        columns={each: table.columns[each] for each in (*(of.name for of in kept), target.name)},
        checked=True,
    )
    try:
        return _score(cross_validate(CART(max_depth=4, min_leaf=5), one, design=design).predictions)
    except ClearwoodError:
        return math.nan  # text, or too few rows


def _score(predictions: Predictions) -> float:
    """The AUC, or the part of the variance explained."""
    if not isinstance(predictions, ClassPredictions):
        return predictions.evaluation.r2
    # Folds rank by models of their own: rows of two folds are not compared.
    values = predictions.classes[1:] if len(predictions.classes) == 2 else predictions.classes
    areas = np.array([score_over_parts("auc", predictions, Stakes(each)).value for each in values])
    own = [predictions.truth == predictions.classes.index(each) for each in values]
    rows = np.array([float(predictions.weights[each].sum()) for each in own])
    known = ~np.isnan(areas)
    total = sum(rows[known].tolist())
    return sum((areas * rows)[known].tolist()) / total if total > 0 else math.nan
