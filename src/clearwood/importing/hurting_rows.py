"""Rows that hurt: on every threshold of a model and beside it, empty cells, and values that were never
met."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, assert_never

import numpy as np

from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.conditions import bounds_of
from clearwood.models.distributions import Bag
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.nodes import Nodes
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema

RowCells: TypeAlias = dict[str, float | str | None]
UNSEEN: Final = "a value never met"
_ROWS_OF_EACH: Final = 20  # with a column empty, or with a value never met


@dataclass(frozen=True, slots=True)
class RowsThatHurt:
    """Rows with one thing in common, which the origin may refuse together."""

    what: str
    rows: list[RowCells]


def rows_beside_thresholds(
    model: Model, base: Sequence[RowCells] = (), most: int = 4000
) -> list[RowsThatHurt]:
    """Rows made from the model's thresholds and values, in groups; cells that do not hurt are those of
    `base`."""
    draw = random.Random(0)
    schema, cuts = model.schema, thresholds(model)
    counted = _counted(model)
    pool = list(base) or [_middle(schema, cuts, counted, draw) for _ in range(50)]
    known: list[RowCells] = []
    for name, limits in cuts.items():
        beside = sorted({number for limit in limits for number in neighbours(limit)})
        share = max(10, most // max(len(cuts), 1))
        for number in beside if len(beside) <= share else draw.sample(beside, share):
            known.append({**draw.choice(pool), name: number})
    for attribute in schema.inputs:
        if isinstance(attribute, Nominal | Ordinal):
            known += [{**draw.choice(pool), attribute.name: value} for value in attribute.values[:200]]
    known += [_middle(schema, cuts, counted, draw) for _ in range(200)]
    groups = [RowsThatHurt("rows on thresholds and beside them", known)]
    picked = [draw.choice(known) for _ in range(_ROWS_OF_EACH)]
    for attribute in schema.inputs:
        name = attribute.name
        groups.append(RowsThatHurt(f"{name} missing", [{**row, name: None} for row in picked]))
        if isinstance(attribute, Nominal | Ordinal):
            groups.append(
                RowsThatHurt(f"a value of {name} never met", [{**row, name: UNSEEN} for row in picked])
            )
    groups.append(RowsThatHurt("every cell missing", [{each.name: None for each in schema.inputs}]))
    return groups


def neighbours(limit: float) -> Iterable[float]:
    """A threshold, the doubles beside it, and the numbers of single precision around it."""
    single = np.float32(limit)
    return {
        limit,
        math.nextafter(limit, -math.inf),
        math.nextafter(limit, math.inf),
        float(single),
        float(np.nextafter(single, np.float32(-np.inf))),
        float(np.nextafter(single, np.float32(np.inf))),
    }


def thresholds(model: Model) -> Mapping[str, list[float]]:
    """The numbers at which each column is cut."""
    schema = model.schema
    match model:
        case Tree():
            return _of_nodes(schema, model.nodes)
        case Ensemble():
            if model.trees is not None:
                return _of_nodes(schema, model.trees.nodes)
            return {}
        case RuleList():
            found: dict[str, set[float]] = {}
            for condition in (each for rule in model for each in rule.when):
                found.setdefault(condition.name, set()).update(filter(_is_near, bounds_of(condition)))
            return {name: sorted(limits) for name, limits in found.items() if limits}
        case BayesTables() | LinearModel() | AdditiveModel():
            return {}
        case _:
            assert_never(model)


def _of_nodes(schema: Schema, nodes: Nodes) -> dict[str, list[float]]:
    found: dict[str, set[float]] = {}
    for place, attribute in enumerate(schema.attributes):
        if isinstance(attribute, Numeric):
            own = nodes.attribute == place
            limits = np.concatenate(
                [nodes.low[own], nodes.high[own], nodes.s_limit[nodes.s_attribute == place]]
            )
            found[attribute.name] = set(filter(_is_near, limits.tolist()))
    return {name: sorted(limits) for name, limits in found.items() if limits}


def _is_near(limit: float) -> bool:
    """Is it a number that single precision has, too?"""
    return abs(limit) < float(np.finfo(np.float32).max) / 2


def _counted(model: Model) -> frozenset[str]:
    """The columns that count things, and so have no number below 0."""
    if not isinstance(model, BayesTables):
        return frozenset()
    return frozenset(name for each in model.distributions if isinstance(each, Bag) for name in each.names)


def _middle(
    schema: Schema, cuts: Mapping[str, list[float]], counted: frozenset[str], draw: random.Random
) -> RowCells:
    """A row of numbers around the thresholds, and of values."""
    row: dict[str, Any] = {}
    for attribute in schema.inputs:
        if isinstance(attribute, Nominal | Ordinal):
            row[attribute.name] = draw.choice(attribute.values) if attribute.values else None
        elif attribute.name in cuts:
            limits = cuts[attribute.name]
            row[attribute.name] = draw.choice(limits) + draw.gauss(0, 1) * (limits[-1] - limits[0] + 1e-3)
        else:
            number = draw.gauss(0, 1)
            row[attribute.name] = abs(number) if attribute.name in counted else number
    return row
