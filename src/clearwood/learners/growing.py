"""From a table and a learner to a tree: natively where the settings allow it, else by counts."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clearwood import __version__
from clearwood.errors import ClearwoodWarning, LearningError
from clearwood.models.nodes import Nodes
from clearwood.models.origin import Origin, Plain
from clearwood.models.tree import Decision, Tree
from clearwood.table.attributes import Numeric, Text
from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood.learners.c45 import C45
    from clearwood.learners.cart import CART
    from clearwood.learners.chaid import CHAID
    from clearwood.learners.id3 import ID3

TreeLearner: TypeAlias = "ID3 | C45 | CART | CHAID"

SCORE_NAMES: Mapping[str, tuple[str, ...]] = {
    "ID3": ("gain",),
    "C45": ("gain", "gain_ratio"),
    "CART": ("decrease",),
    "CHAID": ("statistic", "p", "adjusted_p"),
}


def origin_of(learner: Any, table: Table) -> Origin:
    """Who learned from what: the settings as plain values, and a fingerprint of the data."""
    from clearwood.learners.fingerprint import fingerprint

    settings = {each.name: _plain(getattr(learner, each.name)) for each in fields(learner)}
    return Origin(type(learner).__name__, settings, __version__, fingerprint(table), len(table))


def usable_rows(learner: Any, table: Table) -> Table:
    """The rows with weight and a target; a sentence where nothing can be learned from them."""
    name = type(learner).__name__
    target = table.schema.target
    column = table.target
    if isinstance(target, Numeric) and name not in ("CART", "CHAID"):
        raise LearningError(
            f"{name} learns classes, and '{target.name}' is numeric. "
            f"Use CART or CHAID, or declare it: kinds={{'{target.name}': 'nominal'}}."
        )
    if not len(table):
        raise LearningError("The table has no rows to learn from.")
    known = ~np.isnan(column) if isinstance(target, Numeric) else column >= 0
    if table.weights is not None:
        if not (np.isfinite(table.weights).all() and (table.weights >= 0).all()):
            raise LearningError("Row weights must be finite and not negative.")
        known &= table.weights > 0
    if not known.any():
        name = target.name if target else ""
        raise LearningError(f"No row has both a weight and a value of the target '{name}'.")
    texts = [attribute.name for attribute in table.schema.attributes if isinstance(attribute, Text)]
    if texts:
        warnings.warn(
            f"A tree cannot ask about text; left out: {', '.join(texts)}.", ClearwoodWarning, stacklevel=4
        )
    return table if known.all() else table.take(known)


def grow(learner: TreeLearner, table: Table) -> Tree:
    """The learner's tree for a table, grown but not pruned."""
    from clearwood.learners.decision import decision_of, scoring_factors

    rows = usable_rows(learner, table)
    weights = _class_weights(rows)
    decision = decision_of(rows.schema, weights, learner.priors, learner.costs)
    factors = np.empty(0)
    if decision.factors or (decision.costs and type(learner).__name__ == "CART"):
        scored = decision if type(learner).__name__ == "CART" else Decision(decision.factors)
        factors = scoring_factors(scored, weights)
    nodes = _grow(learner, rows, factors)
    return Tree(rows.schema, nodes, SCORE_NAMES[type(learner).__name__], decision, origin_of(learner, table))


def _grow(learner: TreeLearner, rows: Table, factors: Any) -> Nodes:
    from clearwood import _native
    from clearwood.learners.c45 import C45
    from clearwood.learners.cart import CART
    from clearwood.learners.id3 import ID3
    from clearwood.learners.native import NATIVE_MEASURES, grow_native

    match learner:
        case CART():
            measure = measure_for(learner, rows)
            if measure not in NATIVE_MEASURES:
                return _by_counts(learner, rows)
            return grow_native(
                _native.grow_cart,
                rows,
                factors,
                ordinal="cut",
                measure=measure,
                max_depth=-1 if learner.max_depth is None else learner.max_depth,
                min_rows=learner.min_rows,
                min_leaf=learner.min_leaf,
                min_decrease=learner.min_decrease,
                missing_by_direction=learner.missing == "direction",
                surrogates=learner.surrogates,
            )
        case C45():
            return grow_native(
                _native.grow_c45,
                rows,
                factors,
                ordinal=learner.ordinal,
                min_rows=learner.min_rows,
                max_depth=-1 if learner.max_depth is None else learner.max_depth,
                group_values=learner.group_values,
                threshold_from_data=learner.threshold == "data",
                min_gap=learner.min_gap,
            )
        case ID3():
            if learner.measure not in NATIVE_MEASURES:
                return _by_counts(learner, rows)
            return grow_native(
                _native.grow_id3,
                rows,
                factors,
                measure=learner.measure,
                max_depth=-1 if learner.max_depth is None else learner.max_depth,
                min_rows=learner.min_rows,
                min_leaf=learner.min_leaf,
                min_gain=learner.min_gain,
            )
        case _:
            from clearwood.learners.native_chaid import grow_chaid

            return grow_chaid(learner, rows)


def measure_for(learner: CART, table: Table) -> str:
    """The measure that "auto" stands for, and a sentence where measure and target don't fit."""
    from clearwood.measures import ERRORS, IMPURITIES

    numeric = isinstance(table.schema.target, Numeric)
    if learner.measure == "auto":
        return "squared" if numeric else "gini"
    allowed = tuple(ERRORS if numeric else IMPURITIES)
    if learner.measure not in allowed:
        raise LearningError(
            f"The measure '{learner.measure}' does not fit a {'numeric' if numeric else 'nominal'} target. "
            f"Choose from: {', '.join(allowed)}."
        )
    return learner.measure


def _by_counts(learner: TreeLearner, rows: Table) -> Nodes:
    from clearwood.learners.by_counts import grow_by_counts

    return grow_by_counts(learner, rows).nodes


def _class_weights(table: Table) -> Any:
    if isinstance(table.schema.target, Numeric):
        return np.empty(0)
    classes = len(table.schema.classes)
    return np.bincount(table.target, weights=table.weights, minlength=classes).astype(np.float64)


def _plain(value: Any) -> Plain:
    """Settings as JSON has them; costs, whose keys are pairs, become a table of tables."""
    if isinstance(value, Mapping):
        if any(isinstance(key, tuple) for key in value):
            nested: dict[str, dict[str, Plain]] = {}
            for (true, called), cost in value.items():
                nested.setdefault(str(true), {})[str(called)] = _plain(cost)
            return nested
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_plain(each) for each in value)
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)
