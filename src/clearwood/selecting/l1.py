"""L1: columns in the order in which logistic regression gives them a weight as its penalty falls.

Under a penalty by absolute values (the lasso of Tibshirani 1996) most weights are 0; the columns that the
target needs most keep theirs under the largest penalty.
"""

from __future__ import annotations

import math
import warnings
from typing import Annotated, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import Within
from clearwood.errors import ClearwoodWarning
from clearwood.learners.linear.logistic import Logistic
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.predicting.batch import shares
from clearwood.registry import checked
from clearwood.selecting.ranking import ColumnOrder, ColumnScore, Selector
from clearwood.selecting.selection import only_columns
from clearwood.table.attributes import Numeric, Text
from clearwood.table.table import Table

_STEP: Final = 0.85  # from one penalty to the next


@checked
def order_by_l1(
    rows: Table,
    keep: int | None = None,
    *,
    least: Annotated[float, Within(0, 1), "The smallest penalty, as a part of the largest."] = 0.001,
) -> ColumnOrder:
    """The part of the largest penalty at which the column gets its first weight: 1 is the first, 0 never.

    Where no number of columns is given, those are chosen that have a weight at the penalty of the least BIC:
    ln(rows) · weights − 2 · log-likelihood. Missing cells have a weight of their own.
    """
    names = [each.name for each in rows.schema.inputs if not isinstance(each, Text)]
    total = float(len(rows) if rows.weights is None else rows.weights.sum())
    model = _learned(only_columns(rows, ()), 1.0)
    pulls = _pulls(rows, model, names)
    largest = max(pulls.values(), default=0.0)
    entered: dict[str, float] = {}
    chosen: frozenset[str] = frozenset()
    least_bic, strength = _bic(model, total), largest
    while largest > 0 and strength > least * largest and len(entered) < len(names):
        strength *= _STEP
        model, pulls = _next(rows, names, strength, pulls, set(entered))
        by_term = zip(model.terms, *model.weights, strict=True)
        with_weight = {term.name for term, *weights in by_term if any(weights)}
        for name in names:
            if name in with_weight:
                entered.setdefault(name, strength / largest)
        bic = _bic(model, total)
        if bic < least_bic:
            least_bic, chosen = bic, frozenset(with_weight)
        if keep is not None and len(entered) >= keep:
            break
    scored = [ColumnScore(name, entered.get(name, 0.0), chosen=name in chosen) for name in names]
    # A weight may return to 0 as others get theirs: what the chosen model has comes first.
    return ColumnOrder(
        tuple(sorted(scored, key=lambda each: (keep is None and not each.chosen, -each.score)))
    )


def _next(
    rows: Table, names: list[str], strength: float, pulls: dict[str, float], before: set[str]
) -> tuple[LinearModel, dict[str, float]]:
    """The model at the next penalty, learned from those columns only that can have a weight there.

    A column is tried if it had a weight before, or pulled nearly as strongly as the penalty holds (the strong
    rule of Tibshirani et al. 2012); if another pulls more strongly in the end, it is tried as well.
    """
    tried = before | {name for name in names if pulls[name] >= (2 - 1 / _STEP) * strength}
    while True:
        model = _learned(only_columns(rows, tried), strength)
        pulls = _pulls(rows, model, names)
        more = {name for name in names if name not in tried and pulls[name] > strength}
        if not more:
            return model, pulls
        tried |= more


def _pulls(rows: Table, model: LinearModel, names: list[str]) -> dict[str, float]:
    """By column how strongly the likelihood would change its weights: the largest slope of its terms."""
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    errors = -shares(model, rows)
    errors[np.arange(len(rows)), rows.target] += 1.0
    errors *= weights[:, None]
    return {name: _pull(rows, name, errors, weights) for name in names}


def _pull(rows: Table, name: str, errors: Floats, weights: Floats) -> float:
    cells = rows.columns[name]
    attribute = rows.schema[name]
    if not isinstance(attribute, Numeric):
        codes = np.where(cells < 0, len(getattr(attribute, "values", ())), cells)
        slopes = np.stack([np.bincount(codes, each) for each in errors.T])
        return float(np.abs(slopes).max())
    known = np.isfinite(cells)
    if not known.any():
        return 0.0
    numbers = cells.astype(np.float64)
    unit = float(np.abs(numbers[known]).max()) or 1.0  # so that squares of large numbers do not overflow
    mean = float(np.average(numbers[known] / unit, weights=weights[known]))
    away = np.where(known, numbers / unit - mean, 0.0)
    spread = math.sqrt(float(weights @ away**2) / float(weights.sum()))
    slope = float(np.abs(errors.T @ away).max()) / spread if spread > 0 else 0.0
    return max(slope, float(np.abs(errors[~known].sum(axis=0)).max()) if not known.all() else 0.0)


def _learned(rows: Table, strength: float) -> LinearModel:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)  # of a model that nobody will see
        return Logistic(penalty="l1", strength=strength).learn(rows)


def _bic(model: LinearModel, total: float) -> float:
    assert model.fit is not None
    size = sum(1 for contrast in model.weights for weight in contrast if weight)
    return math.log(max(total, 1.0)) * size - 2 * model.fit.log_likelihood


SELECTOR: Final = Selector(
    order_by_l1,
    "The order in which logistic regression gives weights as an L1 penalty falls.",
    "enters at",
    chooses=True,
    of_numbers=False,
)
