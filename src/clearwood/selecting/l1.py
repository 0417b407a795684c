"""L1: columns in the order in which logistic regression gives them a weight as its penalty falls.

Under a penalty by absolute values (the lasso of Tibshirani 1996) most weights are 0; the columns that the
target needs most keep theirs under the largest penalty.
"""

from __future__ import annotations

import math
import warnings
from typing import Annotated, Final

from clearwood.bounds import Within
from clearwood.errors import ClearwoodWarning
from clearwood.learners.linear.logistic import Logistic
from clearwood.models.linear_model import LinearModel
from clearwood.registry import checked
from clearwood.selecting.selector import ColumnScore, Order, Selector
from clearwood.table.attributes import Text
from clearwood.table.table import Table

_STEP: Final = 0.85  # from one penalty to the next


@checked
def order_by_l1(
    rows: Table,
    keep: int | None = None,
    *,
    least: Annotated[float, Within(0, 1), "The smallest penalty, as a part of the largest."] = 0.001,
) -> Order:
    """The part of the largest penalty at which the column gets its first weight: 1 is the first, 0 never.

    Where no number of columns is given, those are chosen that have a weight at the penalty of the least BIC:
    ln(rows) · weights − 2 · log-likelihood. Missing cells have a weight of their own.
    """
    names = [each.name for each in rows.schema.inputs if not isinstance(each, Text)]
    entered: dict[str, float] = {}
    chosen: frozenset[str] = frozenset()
    least_bic = math.inf
    total = float(len(rows) if rows.weights is None else rows.weights.sum())
    largest = _largest(rows, total)
    strength = largest
    while largest > 0 and strength >= least * largest and len(entered) < len(names):
        model = _learned(rows, strength)
        with_weight = _columns(model)
        for name in names:
            if name in with_weight:
                entered.setdefault(name, strength / largest)
        bic = _bic(model, total)
        if bic < least_bic:
            least_bic, chosen = bic, frozenset(with_weight)
        if keep is not None and len(entered) >= keep:
            break
        strength *= _STEP
    scored = [ColumnScore(name, entered.get(name, 0.0), chosen=name in chosen) for name in names]
    # A weight may return to 0 as others get theirs: what the chosen model has comes first.
    return Order(tuple(sorted(scored, key=lambda each: (keep is None and not each.chosen, -each.score))))


def _largest(rows: Table, total: float) -> float:
    """Just above the penalty at which the first column gets a weight; 0 where none ever does."""
    strength = 4 * total
    for _ in range(60):
        if _columns(_learned(rows, strength)):
            return 2 * strength
        strength /= 2
    return 0.0


def _learned(rows: Table, strength: float) -> LinearModel:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)  # of a model that nobody will see
        return Logistic(penalty="l1", strength=strength).learn(rows)


def _columns(model: LinearModel) -> set[str]:
    by_term = zip(model.terms, *model.weights, strict=True)
    return {term.name for term, *weights in by_term if any(weights)}


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
