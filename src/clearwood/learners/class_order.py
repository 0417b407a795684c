"""The order of classes: learners that take classes in turn take them by name, however they are declared.

Of equals one comes first, rules are made for one class after another, and whole numbers are rounded down: so
the order of classes would decide, if it were not always the same one. What was learned is then written in the
order that was declared.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from clearwood.learners.training import fingerprint
from clearwood.models.decision import Decision
from clearwood.models.kinds.additive.additive_model import AdditiveModel, PairShape, Shape, ShapePoints
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.folding import classes_by_name
from clearwood.table.schema import Schema
from clearwood.table.table import Table

M = TypeVar("M", bound=RuleList | AdditiveModel | Ensemble)
L = TypeVar("L")
R = TypeVar("R")


def classes_in_turn(learn: Callable[[L, Table], R]) -> Callable[[L, Table], R]:
    """A learner's method that sees the classes in the order of their names; what it gives is a model, or a
    model and more, in the order that the table declares."""

    @wraps(learn)
    def learned(learner: L, table: Table) -> R:
        ordered = by_name(table) if isinstance(table, Table) else table
        made: R = as_declared(learn(learner, ordered), ordered, table)
        return made

    return learned


def as_declared(made: Any, ordered: Table, table: Table) -> Any:
    """A model, or a model and more, learned from the ordered table: with the classes of the table itself."""
    if ordered is table:
        return made
    model, *more = made if isinstance(made, tuple) else (made,)
    origin = replace(model.origin, fingerprint=fingerprint(table))
    model = replace(with_classes_of(model, table.schema), origin=origin)
    return (model, *more) if more else model


def by_name(table: Table) -> Table:
    """The table with its classes in the order of their names; itself where they are.

    >>> import clearwood as cw
    >>> declared = cw.read_table({"x": [1, 2]}).schema
    >>> rows = {"x": np.array([1.0, 2.0]), "y": np.array([0, 1], dtype=np.int32)}
    >>> table = Table(replace(declared, target=Nominal("y", ("yes", "no"))), rows)
    >>> by_name(table).schema.classes, by_name(table).target.tolist()
    (('no', 'yes'), [1, 0])
    """
    target = table.schema.target
    if not isinstance(target, Nominal | Ordinal):
        return table
    names = tuple(sorted(target.values))
    if names == target.values or target.name not in table.columns:
        return table
    codes = np.where(table.target >= 0, classes_by_name(table), table.target).astype(np.int32)
    schema = replace(table.schema, target=replace(target, values=names))
    return replace(table, schema=schema, columns={**table.columns, target.name: codes}, checked=True)


def with_classes_of(model: M, schema: Schema) -> M:
    """The same model under a schema that lists the same classes in another order."""
    if model.schema.classes == schema.classes:
        return model
    order = order_of_classes(model.schema, schema)
    if isinstance(model, RuleList):
        rules = tuple(replace(each, counts=in_order(each.counts, order)) for each in model.rules)
        otherwise = replace(model.otherwise, counts=in_order(model.otherwise.counts, order))
        return replace(
            model, schema=schema, rules=rules, otherwise=otherwise, decision=_decided(model.decision, order)
        )
    if isinstance(model, Ensemble):
        assert model.trees is not None
        assert model.trees.answers == "shares"
        nodes = replace(model.trees.nodes, counts=np.ascontiguousarray(model.trees.nodes.counts[:, order]))
        trees = replace(model.trees, nodes=nodes)
        return replace(model, schema=schema, trees=trees, decision=_decided(model.decision, order))
    return replace(
        model,
        schema=schema,
        base=tuple(base for (base,) in _scores(tuple((each,) for each in model.base), order)),
        shapes=tuple(_points(each, order) for each in model.shapes),
        pairs=tuple(_points(each, order) for each in model.pairs),
        decision=_decided(model.decision, order),
    )


T = TypeVar("T", Shape, PairShape)


def _points(shape: T, order: Sequence[int]) -> T:
    errors = shape.errors if len(shape.errors) < 2 else tuple(shape.errors[code] for code in order)
    return replace(shape, points=_scores(shape.points, order), errors=errors)


def _scores(points: ShapePoints, order: Sequence[int]) -> ShapePoints:
    """[score][cell] of the classes in this order; of two classes the log odds of the other one."""
    if len(points) > 1:
        return tuple(points[code] for code in order)
    return points if list(order) == [0, 1] else tuple(tuple(0.0 - each for each in row) for row in points)


def _decided(decision: Decision, order: Sequence[int]) -> Decision:
    costs = tuple(in_order(decision.costs[code], order) for code in order) if decision.costs else ()
    return replace(decision, factors=in_order(decision.factors, order), costs=costs)


def order_of_classes(of: Schema, schema: Schema) -> list[int]:
    """[class of `schema`] its place in the other one."""
    place = {name: code for code, name in enumerate(of.classes)}
    return [place[name] for name in schema.classes]


def in_order(values: tuple[float, ...], order: Sequence[int]) -> tuple[float, ...]:
    """One of each class, in this order."""
    return tuple(values[code] for code in order) if values else ()
