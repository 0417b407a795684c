"""Rows that tell models apart: every value, none, an unknown one, and numbers on, just under and just over
each threshold."""

from __future__ import annotations

import math

import numpy as np

from clearwood.formulas.conditions import Condition, bounds_of, holds, takes_missing, values_of
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Cuts, Gaussian, Kernel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree, path_to
from clearwood.models.model import Model
from clearwood.table.attributes import Nominal, Numeric, Ordinal

Cell = str | float | None
Row = dict[str, Cell]


def representative_rows(model: Model, most: int = 300, seed: int = 0) -> list[Row]:
    """A row for every leaf or rule, one for every cell that may decide, and random mixtures of those."""
    random = np.random.default_rng(seed)
    cells = {attribute.name: _cells(model, attribute.name) for attribute in model.schema.inputs}

    def mixture() -> Row:
        return {name: each[int(random.integers(len(each)))] for name, each in cells.items()}

    rows = [mixture() | {name: cell} for name, each in cells.items() for cell in each]
    for conditions in _ways(model):
        row = mixture()
        for condition in conditions:
            row[condition.name] = _satisfying(condition, cells[condition.name])
        rows.append(row)
    rows += [dict.fromkeys(cells, None), *(mixture() for _ in range(40))]
    return [rows[i] for i in random.permutation(len(rows))[:most]] if len(rows) > most else rows


def _cells(model: Model, name: str) -> list[Cell]:
    attribute = model.schema[name]
    if isinstance(attribute, Nominal | Ordinal):
        return [*attribute.values[:20], None, "never met before"]
    if not isinstance(attribute, Numeric):
        return [None, "", "good news, good and NEW", "Don’t 日本 👍🏽 e\u0301 ’n’ 2"]
    actual: list[Cell] = [None, 0.0, -1e6, 1e6]
    for limit in _limits(model, name):
        actual += [limit, math.nextafter(limit, -math.inf), math.nextafter(limit, math.inf)]
    return actual


def _limits(model: Model, name: str) -> list[float]:
    conditions: list[Condition] = [each for way in _ways(model) for each in way]
    if isinstance(model, Tree):
        conditions += [model.condition(node) for node in range(1, model.size)]
        conditions += [each.when for node in model for each in model.surrogates(node)]
    if isinstance(model, BayesTables) and name in model.columns:
        match model[name]:
            case Cuts(_, cuts):
                return list(cuts)
            case Kernel(_, points):
                return [value for each in points for value, _ in each][:10]
            case Gaussian(_, weights, sums):
                return [float(s / w) for s, w in zip(sums, weights, strict=True) if w]
            case _:
                return [1.0, 2.0, 3.0]
    limits = {b for c in conditions if c.name == name for b in bounds_of(c)}
    return sorted(limit for limit in limits if math.isfinite(limit))[:30]


def _ways(model: Model) -> list[tuple[Condition, ...]]:
    match model:
        case Tree():
            return [path_to(model, node) for node in model if model.nodes.is_leaf[node]]
        case RuleList():
            return [rule.when for rule in model]
        case _:
            return []


def _satisfying(condition: Condition, cells: list[Cell]) -> Cell:
    if values_of(condition):
        return min(values_of(condition))
    if takes_missing(condition):
        return None
    return next((cell for cell in cells if holds(condition, cell)), None)
