"""The rows that rules are simplified on: those with weight and a class the rules know."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Floats, Ints
from clearwood.errors import LearningError, SchemaError, SettingError
from clearwood.models.balanced_rows import refuse_balanced
from clearwood.models.rule_list import RuleList
from clearwood.predict.columns import column_for
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The rows' classes and weights; `then` [rule] is the class each rule answers.

    `costs` [class, predicted] is what a row of the class costs when predicted so, times the class's factor;
    the last column is for no answer, as dear as the class's dearest mistake. Without costs a mistake costs 1.
    """

    target: Ints
    weights: Floats | None
    classes: int
    then: Ints
    costs: Floats


def rows_and_truth(rules: RuleList, table: Table) -> tuple[Table, Truth]:
    """The rows with weight and a class the rules know, or a sentence where simplifying makes no sense."""
    refuse_balanced(rules.origin, "Simplifying by tests")
    target = rules.schema.target
    if isinstance(target, Numeric):
        raise SettingError(
            f"Conditions are tested against a class, and these rules predict the number '{target.name}'."
        )
    if rules.matching == "vote":
        raise SettingError(
            "In this list all rules that hold vote; simplifying is for lists in which the first that holds"
            " decides."
        )
    if any(rule.then is None for rule in rules):
        raise SettingError(
            "A rule that refers its rows has no class to test conditions against. Take it out first."
        )
    if target is None or target.name not in table.columns:
        raise SchemaError("To test conditions against the class the table needs the rules' target column.")
    codes = column_for(target, table)
    known = codes >= 0
    if table.weights is not None:
        if not (np.isfinite(table.weights).all() and (table.weights >= 0).all()):
            raise LearningError("Row weights must be finite and not negative.")
        known &= table.weights > 0
    if not known.any():
        raise LearningError(f"No row has both a weight and a class of '{target.name}' that the rules know.")
    rows = table if known.all() else table.take(known)
    then = np.array([rules.schema.classes.index(str(rule.then)) for rule in rules], dtype=np.int32)
    target_codes = np.ascontiguousarray(codes[known], dtype=np.int32)
    return rows, Truth(target_codes, rows.weights, len(rules.schema.classes), then, _costs(rules))


def _costs(rules: RuleList) -> Floats:
    size = len(rules.schema.classes)
    costs = np.array(rules.decision.costs or 1.0 - np.eye(size), dtype=np.float64).reshape(size, size)
    factors = np.array(rules.decision.factors or (1.0,) * size)
    none = costs.max(axis=1, initial=1.0 if size == 1 else 0.0, keepdims=True)
    weighed: Floats = np.concatenate([costs, none], axis=1) * factors[:, None]
    return weighed
