"""The gain of one way to part a node's rows, with the table it rests on and the impurity of every branch."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from clearwood.derive.expressions import (
    Applied,
    Expression,
    Negative,
    Over,
    Product,
    Quotient,
    Sum,
    Symbol,
)
from clearwood.derive.figures import Figure, Grid
from clearwood.derive.lazily import Lazily, Row
from clearwood.derive.numbers import part
from clearwood.derive.trees.impurity import Impurity
from clearwood.derive.trees.place import Place
from clearwood.learners.by_counts.offers import Ways
from clearwood.learners.by_counts.question import Takes, condition
from clearwood.learners.by_counts.questions.cuts import two_sides
from clearwood.learners.by_counts.task import Task
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
    weights = counts.sum(axis=1).tolist()
    known, missing = sum(weights), float(ways.missing.sum())
    names = branch_names(place, attribute, ways, way)
    mixed = place.task.impurity(counts).tolist()
    under = [impurity.figure(of, counts[i], mixed[i]) for i, of in enumerate(names) if weights[i] > 0]
    after = [
        Negative(Product((part(weight, known), impurity.named(names[i], counts[i], mixed[i]))))
        for i, weight in enumerate(weights)
        if weight > 0
    ]
    if missing > 0:
        whole = counts.sum(axis=0)
        before = float(place.task.impurity(whole))
        under.insert(0, impurity.figure("known", whole, before))
        fall = Sum((impurity.named("known", whole, before), *after))
        put_in: Expression = Product((part(known, known + missing), fall))
    else:
        put_in = Sum((impurity.named("S", place.counts, place.mixed), *after))
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
    branches: tuple[Takes, ...]
    if ways.cuts is not None and ways.counts.shape[1] == 2 and way < len(ways.cuts.below) == len(ways.counts):
        branches = two_sides(declared, float(ways.cuts.below[way]), float(ways.cuts.above[way]))
    else:
        branches = ways.branches(way)
    return [str(condition(declared, each)) for each in branches]


def _contingency(
    place: Place, impurity: Impurity, attribute: int, names: list[str], counts: Floats, mixed: list[float]
) -> Grid:
    """Branches against classes (or the numbers' centre), with the weight and impurity of each."""
    task = place.task
    assert task.schema.target is not None
    heading = task.schema.attributes[attribute].name
    of_branch = task.schema.classes if task.values is None else ("answer",)

    def rows() -> Callable[[int], Row]:
        said = counts if task.values is None else _centres(task, counts)
        numbers = np.column_stack([said, counts.sum(axis=1), mixed]).tolist()
        return lambda branch: (names[branch], *numbers[branch])

    columns = (heading, *of_branch, "rows", impurity.sign)
    return Grid(f"{heading} × {task.schema.target.name}", columns, Lazily(len(names), rows))


@lru_cache
def _formula(sign: str, missing: bool) -> Expression:
    """I(S) − Σ n_v/n · I(S_v), on the known cells and for their part of the rows where some are empty."""
    share = Quotient(Symbol("n", "v"), Symbol("k" if missing else "n"))
    after = Over("Σ", "v", Product((share, Applied(sign, (Symbol("S", "v"),)))))
    fall = Sum((Applied(sign, (Symbol("known" if missing else "S"),)), Negative(after)))
    return Product((Quotient(Symbol("k"), Symbol("n")), fall)) if missing else fall


def _centres(task: Task, counts: Floats) -> Floats:
    """[branch] the number that each would answer."""
    assert task.values is not None
    assert task.error_of is not None
    return task.error_of(task.values, counts)[0]
