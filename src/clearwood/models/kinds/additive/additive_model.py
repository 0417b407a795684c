"""An AdditiveModel: a base value and one curve per column (and per chosen pair), added up."""

from __future__ import annotations

import math
from dataclasses import field, replace
from itertools import pairwise
from typing import ClassVar, Literal, TypeAlias

from clearwood.errors import ColumnError, SchemaError, no_such
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import LearningCurve, Link, check_link, scores_of_link
from clearwood.models.kinds.kind import BaseModel, Profile
from clearwood.models.lineage import BY_HAND, Origin
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.words.numbers import many

ShapePoints: TypeAlias = tuple[tuple[float, ...], ...]  # [score][cell]
Spread: TypeAlias = Literal["", "standard errors", "spread"]


@dataclass(frozen=True, slots=True)
class Shape:
    """One column's curve: points for each of its cells.

    The cells of a number are the intervals between its `cuts` (low < x ≤ high), in order; those of a nominal
    or ordinal column its values, in the schema's order. Two more follow: a missing cell, and an unseen value.
    `errors` are as long as `points`, or empty; `rows` [cell] is the weight of the training rows in each.
    """

    name: str
    cuts: tuple[float, ...]
    points: ShapePoints
    errors: ShapePoints = ()
    rows: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class PairShape:
    """A pair's table: `points[score]` is row by row, the cells of the first column by those of the second."""

    names: tuple[str, str]
    cuts: tuple[tuple[float, ...], tuple[float, ...]]
    points: ShapePoints
    errors: ShapePoints = ()
    rows: tuple[float, ...] = ()


@dataclass(frozen=True)
class AdditiveModel(BaseModel):
    """Scores are `base` plus the points of each column's and pair's cell; `link` makes the prediction of
    them.

    Each shape is centred: its mean over the training rows is 0. `spread` is what `errors` are: "standard
    errors" of bags drawn with replacement, or the "spread" over parts of the rows.
    """

    kind: ClassVar = "additive"
    schema: Schema
    base: tuple[float, ...]  # [score]
    shapes: tuple[Shape, ...]
    pairs: tuple[PairShape, ...] = ()
    link: Link = "logistic"
    spread: Spread = ""
    curves: tuple[LearningCurve, ...] = ()
    decision: Decision = field(default_factory=Decision)
    origin: Origin = field(default_factory=lambda: Origin(BY_HAND))
    profile: Profile | None = None

    def __post_init__(self) -> None:
        check_additive(self)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it reads, in the schema's order."""
        read = {shape.name for shape in self.shapes} | {name for pair in self.pairs for name in pair.names}
        return tuple(each.name for each in self.schema.inputs if each.name in read)

    def __getitem__(self, name: str) -> Shape:
        for shape in self.shapes:
            if shape.name == name:
                return shape
        raise ColumnError(no_such("column", name, [shape.name for shape in self.shapes]))

    def __repr__(self) -> str:
        shapes, pairs = len(self.shapes), len(self.pairs)
        return (
            f"<AdditiveModel {self.origin.title}: {shapes:,} {'curve' if shapes == 1 else 'curves'},"
            f" {pairs:,} {'pair' if pairs == 1 else 'pairs'}>"
        )


def curves_about(model: AdditiveModel, positive: str) -> AdditiveModel:
    """The same model of two classes, its points for this class: which is the second in its schema.

    >>> schema = Schema((Numeric("x"),), Nominal("y", ("a", "b")))
    >>> model = AdditiveModel(schema, (0.5,), (Shape("x", (), ((1.0, 0.0, 0.0),)),))
    >>> turned = curves_about(model, "a")
    >>> turned.base, turned["x"].points, turned.schema.classes
    ((-0.5,), ((-1.0, 0.0, 0.0),), ('b', 'a'))
    """
    target = model.schema.target
    if model.link != "logistic" or not isinstance(target, Nominal) or positive != target.values[0]:
        return model
    return replace(
        model,
        schema=replace(model.schema, target=replace(target, values=target.values[::-1])),
        base=_turned((model.base,))[0],
        shapes=tuple(replace(each, points=_turned(each.points)) for each in model.shapes),
        pairs=tuple(replace(each, points=_turned(each.points)) for each in model.pairs),
    )


def _turned(points: ShapePoints) -> ShapePoints:
    return tuple(tuple(0.0 - each for each in row) for row in points)  # never −0


def cells_of_shape(schema: Schema, name: str, cuts: tuple[float, ...]) -> int:
    """How many cells a column has in a shape, those of missing and unseen included."""
    attribute = schema[name]
    match attribute:
        case Numeric():
            return len(cuts) + 3
        case Nominal(_, values) | Ordinal(_, values):
            return len(values) + 2
        case _:
            raise SchemaError(f"The column '{name}' is {attribute.kind}; it has no curve.")


def check_additive(model: AdditiveModel) -> None:
    """Refuse curves that do not fit the schema and each other."""
    if model.schema.target is None:
        raise SchemaError("An additive model's schema must name a target.")
    check_link(model.schema, model.link)
    scores = scores_of_link(model.schema, model.link)
    if len(model.base) != scores:
        raise SchemaError(f"An additive model has a base value for each of its {scores} scores.")
    read = [shape.name for shape in model.shapes]
    if len(set(read)) != len(read):
        raise SchemaError("A column has two curves.")
    pairs = [frozenset(pair.names) for pair in model.pairs]
    if len(set(pairs)) != len(pairs) or any(len(pair) != 2 for pair in pairs):
        raise SchemaError("A pair is of two columns, and is there once.")
    for shape in model.shapes:
        cells = _cells(model, shape.name, shape.cuts)
        _check_points(shape.name, scores, cells, shape)
    for pair in model.pairs:
        cells = math.prod(_cells(model, name, cuts) for name, cuts in zip(pair.names, pair.cuts, strict=True))
        _check_points(" × ".join(pair.names), scores, cells, pair)


def _cells(model: AdditiveModel, name: str, cuts: tuple[float, ...]) -> int:
    if name not in model.schema.positions:
        raise ColumnError(no_such("column", name, model.schema.positions))
    if not all(math.isfinite(cut) for cut in cuts) or not all(a < b for a, b in pairwise(cuts)):
        raise SchemaError(f"The cuts of '{name}' must be finite numbers that increase.")
    if cuts and not isinstance(model.schema[name], Numeric):
        raise SchemaError(f"The column '{name}' has values, and no cuts.")
    return cells_of_shape(model.schema, name, cuts)


def _check_points(name: str, scores: int, cells: int, shape: Shape | PairShape) -> None:
    for what, table in (("points", shape.points), ("errors", shape.errors)):
        if what == "errors" and not table:
            continue
        if len(table) != scores or any(len(row) != cells for row in table):
            raise SchemaError(f"{name}: {what} must be {scores} rows of {cells} numbers.")
        if not all(math.isfinite(each) for row in table for each in row):
            raise SchemaError(f"{name}: {what} must be finite numbers.")
        if what == "errors" and any(each < 0 for row in table for each in row):
            raise SchemaError(f"{name}: errors must not be below 0.")
    if shape.rows and len(shape.rows) != cells:
        raise SchemaError(f"{name}: rows must be {cells} weights.")


# An additive model in words: how many curves and pairs; its cells: intervals, values, missing, unseen.


def curves_in_words(model: AdditiveModel) -> str:
    """How many curves, and pairs where there are some: `20 curves and 10 pairs`."""
    pairs = f" and {many(len(model.pairs), 'pair')}" if model.pairs else ""
    return f"{many(len(model.shapes), 'curve')}{pairs}"


def cell_in_words(model: AdditiveModel, term: Shape | PairShape, cell: int) -> str:
    """A cell's interval or value, of a pair both."""
    if isinstance(term, Shape):
        return side_in_words(model, term.name, term.cuts, cell)
    wide = cells_of_shape(model.schema, term.names[1], term.cuts[1])
    first = side_in_words(model, term.names[0], term.cuts[0], cell // wide)
    return f"{first}, {side_in_words(model, term.names[1], term.cuts[1], cell % wide)}"


def side_in_words(model: AdditiveModel, name: str, cuts: tuple[float, ...], cell: int) -> str:
    """A column's interval (low to high, the high end in it) or value; missing; unseen."""
    attribute = model.schema[name]
    known = len(attribute.values) if isinstance(attribute, Nominal | Ordinal) else len(cuts) + 1
    if cell >= known:
        return "missing" if cell == known else "unseen"
    if isinstance(attribute, Nominal | Ordinal):
        return attribute.values[cell]
    if not cuts:
        return "any number"
    if cell == 0:
        return f"≤ {cuts[0]:g}"
    return f"> {cuts[-1]:g}" if cell == len(cuts) else f"{cuts[cell - 1]:g} to {cuts[cell]:g}"


TermSide: TypeAlias = tuple[str, tuple[float, ...]]  # a column and its cuts


def curves_in(model: AdditiveModel) -> tuple[Shape | PairShape, ...]:
    """The columns' curves, then the pairs' tables."""
    return (*model.shapes, *model.pairs)


def sides_of(term: Shape | PairShape) -> tuple[TermSide, ...]:
    """The one column of a curve, or the two of a pair."""
    if isinstance(term, Shape):
        return ((term.name, term.cuts),)
    return (term.names[0], term.cuts[0]), (term.names[1], term.cuts[1])


def name_of(term: Shape | PairShape) -> str:
    """A column's name, or both of a pair."""
    return term.name if isinstance(term, Shape) else " × ".join(term.names)
