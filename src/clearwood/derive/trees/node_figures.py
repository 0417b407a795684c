"""Figures of a node's own rows: how many of each class, with their factors, and how mixed they are."""

from __future__ import annotations

from typing import Final

from clearwood.derive.trees.impurity import WrittenMeasure
from clearwood.derive.trees.place import TreePlace
from clearwood.formulas.expressions import Expression, Number, Over, Product, Sum, Symbol, count
from clearwood.working.figures import Figure, Grid

_N_C: Final = Symbol("n", "c", "the number of rows of class c")

_ALL: Final = Over("Σ", "c", _N_C)
_WEIGHED: Final = Over(
    "Σ", "c", Product((Symbol("factor", "c", "the factor by which the priors weight class c"), _N_C))
)


def node_figures(place: TreePlace, impurity: WrittenMeasure) -> tuple[Figure, ...]:
    """The rows here, and their impurity."""
    mixed = impurity.figure("S", place.counts.tolist(), place.mixed, place.rows)
    return counts_figure(place), mixed


def counts_figure(place: TreePlace) -> Figure:
    """How many rows are here, by class; with a class's factor, where it has one, and what it then weighs."""
    task, weights = place.task, place.counts.tolist()
    total = float(task.weight(place.counts))
    if task.numbers is not None:
        return Figure("n", total, rows=place.rows)
    assert task.schema.target is not None
    name, classes = task.schema.target.name, task.schema.classes
    if (task.factors == 1.0).all():
        grid = Grid("Classes", (name, "rows"), list(zip(classes, weights, strict=True)))
        held: tuple[Expression, ...] = tuple(count(w) for w in weights if w > 0)
        return Figure("n", total, _ALL, Sum(held) if held else Number(0), place.rows, grids=(grid,))
    raw, factors = task.raw(place.counts).tolist(), task.factors.tolist()
    lines = list(zip(classes, raw, factors, weights, strict=True))
    grid = Grid("Classes", (name, "rows", "factor", "weight"), lines)
    held = tuple(Product((count(f), count(r))) for r, f in zip(raw, factors, strict=True) if r > 0)
    return Figure(
        "n, weighed", total, _WEIGHED, Sum(held) if held else Number(0), place.rows,
        because="So the rows weigh while the tree grows: priors and costs give each class a factor.",
        grids=(grid,),
    )  # fmt: skip
