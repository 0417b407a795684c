"""Permutation importance: how much worse a model answers if the cells of one column are dealt out anew.

The cells of a column are shuffled among the rows, so that they keep their distribution and tell nothing of
the row (Breiman 2001; for any model Fisher 2019). Rows that the model did not learn from say what the column
is worth to it there; a column whose news another column has as well is worth little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, assert_never, get_args

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import choice, whole
from clearwood.errors import SettingError
from clearwood.explaining.dependence import answer_matrix
from clearwood.models.model import Model, check_kind
from clearwood.models.predicted import predicted_quantile
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.batch import predict, predict_codes
from clearwood.predicting.columns import table_for
from clearwood.records import JsonRecord
from clearwood.scoring.evaluation import true_answers
from clearwood.table.folding import in_order_of_content, shuffled
from clearwood.table.table import Table
from clearwood.words.numbers import many

Loss: TypeAlias = Literal["auto", "error", "log loss", "squared error", "absolute error", "quantile loss"]
_LEAST = 1e-15  # a share of 0 loses as much as this


@dataclass(frozen=True, slots=True)
class ColumnLoss:
    """A column, what it costs on average to shuffle it, and the standard error of that over the rows.

    `by_shuffle` is each shuffle's cost.
    """

    name: str
    importance: float
    error: float
    by_shuffle: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PermutationImportance(JsonRecord):
    """The columns that the model asks about, the most important first; `baseline` is the loss as they are."""

    loss: str
    baseline: float
    rows: int
    columns: tuple[ColumnLoss, ...]

    def __getitem__(self, name: str) -> ColumnLoss:
        return next(each for each in self.columns if each.name == name)

    def __str__(self) -> str:
        from clearwood.words.columns import in_columns

        lines = [
            (each.name, f"{each.importance:+.4f}".replace("-", "−"), f"± {each.error:.4f}")
            for each in self.columns
        ]
        head = f"{self.loss} {self.baseline:.4f} on {many(self.rows, 'row')}; shuffled, it rises by"
        return "\n".join([head, *in_columns(lines, "figures")])


def permutation_importance(
    model: Model, rows: Any, *, loss: Loss = "auto", shuffles: int = 5, seed: int = 0
) -> PermutationImportance:
    """How much the loss rises when each column is shuffled, on rows whose target is known.

    The loss is "error" for classes (the part predicted wrongly; or "log loss" of the probabilities); for
    numbers "squared error", where medians are predicted "absolute error", where other quantiles are "quantile
    loss"; all by the rows' weights. The standard error is that of a mean over these rows.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> worth = permutation_importance(cw.ID3().learn(days), days, shuffles=20)
    >>> worth.baseline, [each.name for each in worth.columns]
    (0.0, ['Outlook', 'Humidity', 'Wind'])
    """
    check_kind("permutation_importance", model)
    choice("loss", loss, get_args(Loss))
    whole("shuffles", shuffles, 1)
    loss = _fitting(model) if loss == "auto" else loss
    if model.is_numeric == (loss in ("error", "log loss")):
        kind = (
            f"numbers: its loss is '{_fitting(model)}'"
            if model.is_numeric
            else "classes, which have no squares"
        )
        raise SettingError(f"The model predicts {kind}.")
    if loss == "quantile loss" and predicted_quantile(model) is None:
        raise SettingError("The model predicts means, not quantiles: its loss is 'squared error'.")
    table = rows if isinstance(rows, Table) else table_for(model, rows, with_target=True)
    judged = _Judged.of(model, in_order_of_content(table), loss)
    before = judged.losses(judged.table)
    worth = []
    used = columns_used(model)
    for place, attribute in enumerate(model.schema.attributes):
        if attribute.name in used:
            worth.append(_worth(judged, attribute.name, before, shuffles, seed + place * shuffles))
    worth.sort(key=lambda each: -each.importance)
    baseline = float(np.average(before, weights=judged.weights))
    return PermutationImportance(loss, baseline, len(judged.table), tuple(worth))


def _fitting(model: Model) -> Loss:
    """The loss that what the model predicts makes least."""
    if not model.is_numeric:
        return "error"
    quantile = predicted_quantile(model)
    if quantile is None:
        return "squared error"
    return "absolute error" if quantile == 0.5 else "quantile loss"


def _worth(judged: _Judged, name: str, before: Floats, shuffles: int, seed: int) -> ColumnLoss:
    table, cells = judged.table, judged.table.columns[name]
    rises = np.empty((shuffles, len(table)))
    for shuffle in range(shuffles):
        mixed = replace(table, columns={**table.columns, name: cells[shuffled(len(table), seed + shuffle)]})
        rises[shuffle] = judged.losses(mixed) - before
    weights = judged.weights / judged.weights.sum()
    by_row = rises.mean(axis=0)
    mean = float(weights @ by_row)
    # The rows' own spread: shuffles of one table share its rows, and are no sample of others.
    spread = float(np.sqrt((weights**2) @ (by_row - mean) ** 2))
    return ColumnLoss(name, mean, spread, tuple((rises @ weights).tolist()))


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """Rows with a known target, and how a model's answers to them are judged."""

    model: Model
    table: Table
    target: np.ndarray[Any, Any]
    weights: Floats
    loss: Loss

    @classmethod
    def of(cls, model: Model, table: Table, loss: Loss) -> _Judged:
        target: np.ndarray[Any, Any] = true_answers(model, table)
        known = np.isfinite(target) if model.is_numeric else target >= 0
        if table.weights is not None:
            known &= table.weights > 0
        if not known.any():
            raise SettingError("There are no rows whose target is known: nothing can be evaluated.")
        kept = table.take(np.flatnonzero(known))
        weights = np.ones(len(kept)) if kept.weights is None else np.asarray(kept.weights, dtype=np.float64)
        return cls(model, kept, target[known], weights, loss)

    def losses(self, table: Table) -> Floats:
        """[row]"""
        match self.loss:
            case "error":
                return np.asarray(predict_codes(self.model, table) != self.target, dtype=np.float64)
            case "log loss":
                given = answer_matrix(self.model, table)[np.arange(len(table)), self.target]
                lost: Floats = -np.log(np.maximum(given, _LEAST))
                return lost
            case "squared error" | "absolute error" | "quantile loss":
                errors: Floats = self.target - np.asarray(predict(self.model, table), dtype=np.float64)
                if self.loss == "squared error":
                    return errors**2
                part = predicted_quantile(self.model) if self.loss == "quantile loss" else None
                return np.abs(errors) if part is None else np.maximum(part * errors, (part - 1) * errors)
            case "auto":
                raise AssertionError("the loss was chosen before")
            case _:
                assert_never(self.loss)
