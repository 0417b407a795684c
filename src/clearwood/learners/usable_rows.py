"""The rows a model can be learned from, and a sentence where there are none or their numbers are no use."""

from __future__ import annotations

import warnings
from typing import Any, Final

import numpy as np

from clearwood.advice import Advice, Place
from clearwood.errors import ClearwoodWarning, ColumnError, LearningError, no_such
from clearwood.learners.learner import Learner
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.table.row_keys import order_of_sums
from clearwood.table.table import Table, Weights

_MOST_CLASSES: Final = 2000  # every leaf and every cell of a count holds a number for each
_LARGEST_TARGET: Final = 1e150  # its square is still a number
_WIDEST_WEIGHTS: Final = 1e12  # beyond, the smallest rows are less than the rounding of the largest


def usable_rows(learner: Learner[Any], table: Table, *, reads_text: bool = False) -> Table:
    """The rows with weight and a target, in the order of their content if their weights are parts of rows; a
    learner that cannot read text names the columns it leaves out."""
    if not isinstance(table, Table):
        raise LearningError(
            f"{type(learner).__name__} learns from a Table, not {type(table).__name__}. "
            "Make one: clearwood.read_table(…, target='…')."
        )
    check_target(learner, table)
    for attribute in table.schema.inputs:
        if attribute.name not in table.columns:
            raise ColumnError(
                f"The table lacks a column of its schema. {no_such('column', attribute.name, table.columns)}"
            )
    if not len(table):
        raise LearningError("The table has no rows to learn from.")
    target, column = table.schema.target, table.target
    known = ~np.isnan(column) if isinstance(target, Numeric) else column >= 0
    if table.weights is not None:
        _check_weights(table.weights)
        known &= table.weights > 0
    if not known.any():
        name = target.name if target else ""
        raise LearningError(f"No row has both a weight and a value of the target '{name}'.")
    rows = order_of_sums(table if known.all() else table.take(known))
    texts = [attribute.name for attribute in table.schema.attributes if isinstance(attribute, Text)]
    name = type(learner).__name__
    for warning in (
        f"{name} cannot ask about text; left out: {', '.join(texts)}." if texts and not reads_text else None,
        _too_light(learner, rows),
    ):
        if warning:
            warnings.warn(warning, ClearwoodWarning, stacklevel=4)
    return rows


def check_target(learner: Learner[Any], table: Table) -> None:
    """Refuse a target the learner cannot learn, more classes than fit, or numbers too large to square."""
    target = table.schema.target
    if isinstance(target, Nominal | Ordinal) and len(target.values) > _MOST_CLASSES:
        raise LearningError(
            f"Target '{target.name}' has {len(target.values):,} classes, and all that is counted is counted "
            f"once per class: the limit is {_MOST_CLASSES:,}. Join the rare ones into one class such as "
            "'other', or choose a coarser target."
        )
    if not isinstance(target, Numeric):
        return
    if not getattr(learner, "learns_numbers", False):
        raise LearningError(
            f"{type(learner).__name__} learns classes, and '{target.name}' is a number. "
            "Use CART or CHAID, or declare it: ",
            Advice("kinds", {target.name: "nominal"}),
            ".",
            place=Place(column=target.name),
        )
    far = np.abs(table.target) > _LARGEST_TARGET
    if far.any():
        row = int(np.argmax(far))
        raise LearningError(
            f"Target '{target.name}', row {table.row_number(row)}: {table.target[row]} is too large to learn "
            f"from (the limit is {_LARGEST_TARGET:g}). Give the target in larger units.",
            place=Place(column=target.name, row=table.row_number(row)),
        )


def _check_weights(weights: Weights) -> None:
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise LearningError("Row weights must be finite and not negative.")
    with np.errstate(over="ignore"):
        sums = (float(weights.sum()), float(np.dot(weights, weights)))
    if not np.isfinite(sums).all():
        raise LearningError("Row weights are so large that their sum or squares are not finite. Scale them.")
    heavy = weights[weights > 0]
    if len(heavy) and heavy.max() > _WIDEST_WEIGHTS * heavy.min():
        raise LearningError(
            f"Row weights reach from {heavy.min():g} to {heavy.max():g}: the light ones would be lost in the "
            f"rounding of the heavy (the limit is 1 to {_WIDEST_WEIGHTS:g}). Leave the lightest rows out."
        )


def _too_light(learner: Learner[Any], rows: Table) -> str | None:
    """The warning where no split and hardly a rule is possible only because of the scale of the weights."""
    if rows.weights is None:
        return None
    total = float(rows.weights.sum())
    least = getattr(learner, "min_rows", 0)
    leaf = getattr(learner, "min_leaf", least)
    needed = max(least, 2 * (1 if leaf is None else leaf))
    if not (total < needed <= len(rows) and 10 * total < len(rows)):
        return None
    return (
        f"The weights of {len(rows):,} rows sum to {total:g}, too little for a split or for most rules. "
        "Scale them so that a row of ordinary weight counts 1."
    )
