"""The gain of one way to part a node's rows, with the table it rests on and the impurity of every branch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from clearwood.derive.expressions import (
    Applied,
    Expression,
    Named,
    Negative,
    Over,
    Product,
    Quotient,
    Sum,
    Symbol,
)
from clearwood.derive.figures import Cell, Figure, Grid
from clearwood.derive.numbers import part
from clearwood.derive.trees.impurity import Impurity
from clearwood.derive.trees.place import Place
from clearwood.learners.by_counts.offers import Ways
from clearwood.learners.by_counts.question import condition
from clearwood.learners.by_counts.questions.cuts import two_sides
from clearwood.measures.counts import Floats


def gain_figure(
    place: Place,
    impurity: Impurity,
    name: str,
    attribute: int,
    ways: Ways,
    way: int,
    value: float,
    because: str = "",
    grids: tuple[Grid, ...] = (),
) -> Figure:
    """How much purer the branches are than the node; empty cells that follow none of them gain nothing."""
    counts = ways.counts[way]
    weights = counts.sum(axis=1)
    known, missing = float(weights.sum()), float(ways.missing.sum())
    names = branch_names(place, attribute, ways, way)
    mixed = place.task.impurity(counts)
    under = [impurity.figure(of, counts[i], float(mixed[i])) for i, of in enumerate(names) if weights[i] > 0]
    if missing > 0:
        whole = counts.sum(axis=0)
        under.insert(0, impurity.figure("known", whole, float(place.task.impurity(whole))))
        before: Expression = Named(under[0].name, _value(under[0]))
    else:
        before = Named(f"{impurity.sign}(S)", float(place.task.impurity(place.counts)))
    after = [
        Negative(Product((part(w, known), Named(f"{impurity.sign}({of})", m))))
        for w, of, m in zip(weights.tolist(), names, mixed.tolist(), strict=True)
        if w > 0
    ]
    put_in: Expression = Sum((before, *after))
    if missing > 0:
        put_in = Product((part(known, known + missing), put_in))
    table = _contingency(place, impurity, attribute, names, counts, mixed)
    return Figure(
        name,
        value,
        _formula(impurity.sign, missing > 0),
        put_in,
        place.rows,
        because=because,
        grids=(table, *grids),
        under=tuple(under),
    )


def branch_names(place: Place, attribute: int, ways: Ways, way: int) -> list[str]:
    """The conditions of a way's branches; of a cut, at the midpoint."""
    declared = place.task.schema.attributes[attribute]
    branches = ways.branches(way)
    if ways.cuts is not None and ways.counts.shape[1] == 2 and not any(b.or_missing for b in branches):
        size = len(ways.cuts.below)
        branches = two_sides(declared, float(ways.cuts.below[way % size]), float(ways.cuts.above[way % size]))
    return [str(condition(declared, each)) for each in branches]


def _contingency(
    place: Place,
    impurity: Impurity,
    attribute: int,
    names: Sequence[str],
    counts: Floats,
    mixed: Floats,
) -> Grid:
    """Branches against classes (or the numbers' centre), with the weight and impurity of each."""
    task = place.task
    heading = task.schema.attributes[attribute].name
    if task.values is not None and task.error_of is not None:
        centres, _ = task.error_of(task.values, counts)
        columns: tuple[str, ...] = ("rows", "answer", impurity.sign)
        said = np.column_stack([counts.sum(axis=1), centres, mixed]).tolist()
    else:
        columns = (*task.schema.classes, "rows", impurity.sign)
        said = np.column_stack([counts, counts.sum(axis=1), mixed]).tolist()
    rows: list[tuple[Cell, ...]] = [(name, *line) for name, line in zip(names, said, strict=True)]
    return Grid(
        f"{heading} × {task.schema.target.name if task.schema.target else ''}", (heading, *columns), rows
    )


@lru_cache
def _formula(sign: str, missing: bool) -> Expression:
    """I(S) − Σ n_v/n · I(S_v), on the known cells and for their part of the rows where some are empty."""
    share = Quotient(Symbol("n", "v"), Symbol("k" if missing else "n"))
    after = Over("Σ", "v", Product((share, Applied(sign, (Symbol("S", "v"),)))))
    fall = Sum((Applied(sign, (Symbol("known" if missing else "S"),)), Negative(after)))
    return Product((Quotient(Symbol("k"), Symbol("n")), fall)) if missing else fall


def _value(figure: Figure) -> float:
    assert isinstance(figure.value, float)
    return figure.value
