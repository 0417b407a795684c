"""The gain of one way to part a node's rows, with the table it rests on and the impurity of every branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from clearwood.counting.cuts import two_sides
from clearwood.counting.question import Takes, condition
from clearwood.derive.trees.impurity import WrittenMeasure
from clearwood.derive.trees.parted import Parted
from clearwood.derive.trees.place import TreePlace
from clearwood.formulas.expressions import (
    Applied,
    Expression,
    Negative,
    Over,
    Product,
    Quotient,
    Sum,
    Symbol,
    part,
)
from clearwood.learners.trees.offers import Ways
from clearwood.working.figures import Figure, Grid, GridCell, OnSheet, prepared

_S: Final = Symbol("S", means="the set of rows here")
_N: Final = Symbol("n", means="the number of rows here")


def gain_figure(
    place: TreePlace,
    impurity: WrittenMeasure,
    name: str,
    names: Sequence[str],
    attribute: int,
    parted: Parted,
    value: float,
    because: str = "",
    grids: tuple[Grid, ...] = (),
) -> Figure:
    """How much purer the branches, of these `names`, are than the node; empty cells of none gain nothing."""
    known, missing = sum(parted.weights), parted.missing
    held = [branch for branch, weight in enumerate(parted.weights) if weight > 0]
    after = [
        Negative(
            Product(
                (
                    part(parted.weights[i], known),
                    impurity.named(names[i], parted.counts[i], parted.mixed[i]),
                )
            )
        )
        for i in held
    ]
    whole: list[float] = []
    before = 0.0
    if missing > 0:
        whole = [sum(level) for level in zip(*parted.counts, strict=True)]
        before = float(place.task.impurity(np.array(whole)))
        fall = Sum((impurity.named("known", whole, before), *after))
        put_in: Expression = Product((part(known, known + missing), fall))
    else:
        put_in = Sum((impurity.named("S", place.counts.tolist(), place.mixed), *after))

    def under() -> Callable[[int], Figure]:
        of_known = [impurity.figure("known", whole, before)] if missing > 0 else []
        of_branches = [impurity.figure(names[i], parted.counts[i], parted.mixed[i]) for i in held]
        if grids:  # of the best way, which a worksheet leaves open
            of_branches = [replace(each, on_sheet="in key") for each in of_branches]
        return [*of_known, *of_branches].__getitem__

    return Figure(
        name,
        value,
        _formula(impurity.sign, impurity.means, missing > 0),
        put_in,
        place.rows,
        because=because,
        grids=(_contingency(place, impurity, attribute, names, parted, best_of_several=bool(grids)), *grids),
        under=prepared(len(held) + (missing > 0), under),
    )


def branch_names(
    place: TreePlace, attribute: int, ways: Ways, way: int, most: int | None = None
) -> list[str]:
    """The conditions of a way's branches, or of the first `most`; of a cut, at the midpoint."""
    declared = place.task.schema.attributes[attribute]
    branches: tuple[Takes, ...]
    if ways.cuts is not None and ways.counts.shape[1] == 2 and way < len(ways.cuts.below) == len(ways.counts):
        branches = two_sides(declared, float(ways.cuts.below[way]), float(ways.cuts.above[way]))
    else:
        branches = ways.branches(way)
    return [str(condition(declared, each)) for each in branches[:most]]


def _contingency(
    place: TreePlace,
    impurity: WrittenMeasure,
    attribute: int,
    names: Sequence[str],
    parted: Parted,
    *,
    best_of_several: bool,
) -> Grid:
    """Branches against classes (or the numbers' centre), with the weight and impurity of each.

    `best_of_several`: they are the best of several ways, which a worksheet leaves to be worked out.
    """
    task = place.task
    assert task.schema.target is not None
    heading = task.schema.attributes[attribute].name
    of_branch = task.schema.classes if task.numbers is None else ("predicted",)

    def rows() -> Callable[[int], tuple[GridCell, ...]]:
        cells = parted.counts
        if task.numbers is not None:
            cells = task.numbers.centre_and_error(np.array(parted.counts))[0][:, None].tolist()
        return lambda branch: (names[branch], *cells[branch], parted.weights[branch], parted.mixed[branch])

    columns = (heading, *of_branch, "rows", impurity.sign)
    side: OnSheet = "asked" if best_of_several else "given"
    on_sheet: tuple[OnSheet, ...] = (*(side,) * (len(columns) - 1), "asked")
    title = f"{heading} × {task.schema.target.name}"
    return Grid(title, columns, prepared(len(names), rows), on_sheet=on_sheet)


@lru_cache
def _formula(sign: str, means: str, missing: bool) -> Expression:
    """I(S) − Σ n_v/n · I(S_v), on the known cells and for their part of the rows where some are empty."""

    def mixed(rows: Expression) -> Applied:
        return Applied(sign, (rows,), means=means)

    rows = Symbol("n", "known", "the number of rows whose value is known") if missing else _N
    share = Quotient(Symbol("n", "v", "the number of rows that follow branch v"), rows)
    after = Over("Σ", "v", Product((share, mixed(Symbol("S", "v", "the rows that follow branch v")))))
    whole = Symbol("known", means="the rows whose value is known") if missing else _S
    fall = Sum((mixed(whole), Negative(after)))
    return Product((Quotient(rows, _N), fall)) if missing else fall
