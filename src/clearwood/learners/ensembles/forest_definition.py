"""A forest's split, defined: at each node some columns are drawn, and the best of their splits is taken.

`tests/definitions/forest.py` grows trees by these splits, and the native code grows the same. Sums are made
in the order of rows, then of values, so that both have the same numbers to the last digit even where weights
are no whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.counting.chance import chance_key, draw, drawn_below, parts
from clearwood.counting.coding import ColumnCoding
from clearwood.counting.cuts import everything_known, two_sides
from clearwood.counting.question import Takes
from clearwood.counting.ties import TIE, enough
from clearwood.learners.ensembles.forest_task import (
    COLUMNS,
    CUTS,
    ONE_BY_ONE,
    ForestTask,
    drawn_weights,
)
from clearwood.learners.trees.cart_definition import divisions, group_of


@dataclass(frozen=True, slots=True, eq=False)
class SplitByDraw:
    """One way to part a column's cells: what goes to each side, the known part of it, and the branches."""

    left: Floats  # [level]
    right: Floats
    known: tuple[float, float]  # the weight of known cells on each side
    takes: tuple[Takes, Takes]


@dataclass(slots=True, eq=False)
class OpenNode:
    """A node before it is split: its rows, what they count, and the branches that lead to it."""

    rows: Longs
    counts: tuple[float, ...]
    path: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RootColumn:
    """A column drawn at a root: what its best split sends to each side, by class or as weight and distance
    from the mean; None where nothing parts its cells."""

    position: int  # in the schema
    sides: tuple[Floats, Floats] | None


def root_columns(task: ForestTask, tree: int) -> tuple[Floats, list[RootColumn], int]:
    """What the root of a tree counts, the columns drawn there in order, and the place of the one taken; −1
    where the root stays a leaf."""
    weights = drawn_weights(task, tree)
    rows = np.flatnonzero(weights > 0)
    root = OpenNode(rows, summary_of_rows(task, rows, weights))
    found = best_of_drawn(task, tree, root, weights)
    drawn: list[RootColumn] = []
    if found is None:
        return np.asarray(root.counts), drawn, -1
    slack, taken = TIE * _impurity(task, root.counts), -1
    for k, (place, ways) in enumerate(_columns_drawn(task, tree, root, weights)):
        if k >= task.drawn_columns and taken >= 0:
            break
        best, sides = -math.inf, None
        for score, way in ways:
            if sides is None or score > best + slack:
                best, sides = score, (way.left, way.right)
        taken = k if place == found[0] else taken
        drawn.append(RootColumn(task.coded.coding.columns[place].position, sides))
    return np.asarray(root.counts), drawn, taken


def best_of_drawn(
    task: ForestTask, tree: int, node: OpenNode, weights: Floats
) -> tuple[int, SplitByDraw] | None:
    """A column and the best split of those drawn here; the first of equals, in the order of the draw."""
    how = task.settings
    weight = _in_order(node.counts) if task.classes else node.counts[0]
    pure = sum(each > 0 for each in node.counts) < 2 if task.classes else node.counts[2] <= 0
    deep = how.max_depth is not None and len(node.path) >= how.max_depth
    if deep or pure or not enough(weight, max(how.min_rows, 2 * how.min_leaf)):
        return None
    slack = TIE * _impurity(task, node.counts)
    best, chosen = -math.inf, None
    for k, (place, ways) in enumerate(_columns_drawn(task, tree, node, weights)):
        if k >= task.drawn_columns and chosen is not None:
            break
        for score, way in ways:
            if chosen is None or score > best + slack:
                best, chosen = score, (place, way)
    return chosen


def _columns_drawn(
    task: ForestTask, tree: int, node: OpenNode, weights: Floats
) -> Iterator[tuple[int, Iterator[tuple[float, SplitByDraw]]]]:
    """The columns in the order in which a node draws them, each with the score of every way to part it that
    leaves enough on both sides."""
    levels, least = _levels(task, node, weights), task.settings.min_leaf
    key = task.settings.seed, tree, *node.path
    for place in _drawn(chance_key(*key, COLUMNS), len(task.coded.columns)):
        ways = _ways(task, place, chance_key(*key, CUTS, place), node.rows, levels)
        yield (
            place,
            (
                (_purity(task, way.left) + _purity(task, way.right), way)
                for way in ways
                if all(enough(_rows_of(task, side), least) for side in (way.left, way.right))
            ),
        )


def _drawn(key: int, columns: int) -> Iterator[int]:
    """The columns in random order, drawn one by one without replacement (Fisher and Yates)."""
    order = list(range(columns))
    for k in range(columns):
        other = k + drawn_below(key, k, columns - k)
        order[k], order[other] = order[other], order[k]
        yield order[k]


def _ways(task: ForestTask, place: int, key: int, rows: Longs, levels: Floats) -> Iterator[SplitByDraw]:
    """Every way that is looked at to part these rows by a column; `levels` [row, level] is what they add."""
    column, codes = task.coded.coding.columns[place], task.coded.columns[place][rows]
    empty = codes == column.known
    met, value = np.unique(codes[~empty], return_inverse=True)
    by_value = _sums(levels[~empty], value, len(met))
    missing = _sums(levels[empty], np.zeros(int(empty.sum()), dtype=np.int64), 1)[0]
    if not column.ordered:
        rare = np.zeros(len(met), dtype=np.bool_)  # of which the node has too few rows to group them
        if column.known > ONE_BY_ONE:
            rare[:] = [not enough(_rows_of(task, each), task.settings.min_value) for each in by_value]
        missing = _in_rows(np.vstack([missing, by_value[rare]]))
        joins = bool(empty.any() or rare.any())
        yield from _groups(task, key, met[~rare], by_value[~rare], missing, joins)
    else:
        yield from _cuts(task, column, key, column.steps[met], by_value, missing, bool(empty.any()))


def _cuts(
    task: ForestTask, column: ColumnCoding, key: int, met: Floats, by_value: Floats, missing: Floats,
    joins: bool,
) -> Iterator[SplitByDraw]:  # fmt: skip
    """Cuts with the missing above them, then below; last, what is known against what is missing."""
    left = np.cumsum(by_value, axis=0)
    places = range(len(met) - 1)
    by_chance = task.settings.cuts == "random" and len(met) > 1
    if by_chance:
        lowest, highest, part = float(met[0]), float(met[-1]), float(parts(key, 1)[0])
        cut = lowest * (1 - part) + highest * part  # between them, the highest excluded
        cut = cut if lowest <= cut < highest else lowest
        places = range(i := int(np.searchsorted(met, cut, side="right")) - 1, i + 1)
    for below_cut in (False, True) if joins else (False,):
        for i in places:
            low, high = left[i], left[-1] - left[i]
            known = (weight_of_counts(task, low), weight_of_counts(task, high))
            sides = (low + missing, high) if below_cut else (low, high + missing)
            if by_chance:
                takes = two_sides(column.attribute, math.floor(cut), cut, cut)
            else:
                takes = two_sides(column.attribute, float(met[i]), float(met[i + 1]))
            if joins:
                takes = (
                    replace(takes[0], or_missing=below_cut), replace(takes[1], or_missing=not below_cut)
                )  # fmt: skip
            yield SplitByDraw(*sides, known, takes)
    if joins and len(met) and not by_chance:
        known = (weight_of_counts(task, left[-1]), 0.0)
        takes = everything_known(column.attribute), Takes(or_missing=True)
        yield SplitByDraw(left[-1], missing, known, takes)


def _groups(
    task: ForestTask, key: int, met: Floats, by_value: Floats, missing: Floats, joins: bool
) -> Iterator[SplitByDraw]:
    """Two groups of the values met here; the missing, where there are some, are a last value."""
    if not len(met):
        return
    table = np.vstack([by_value, missing]) if joins else by_value
    if len(table) < 2:
        return
    if task.settings.cuts == "random":
        far = _random_groups(key, len(table))[None]
    elif task.classes:
        far = divisions(table * (task.factors if len(task.factors) else 1.0), None)
    else:
        far = divisions(table, table[:, 1] / table[:, 0])
    codes = met.astype(np.int64).tolist()
    for goes in far:
        sums = [_sums(table[side], np.zeros(int(side.sum()), dtype=np.int64), 1)[0] for side in (~goes, goes)]
        knows = [weight_of_counts(task, _in_rows(by_value[side[: len(met)]])) for side in (~goes, goes)]
        takes = group_of(codes, ~goes, joins), group_of(codes, goes, joins)
        yield SplitByDraw(sums[0], sums[1], (knows[0], knows[1]), takes)


def _random_groups(key: int, values: int) -> Bools:
    """[value] each goes either way by the toss of a coin; tossed again while all go the same way."""
    toss = 0
    while True:
        sides = np.array([draw(key, toss * values + v) >> 63 for v in range(values)], dtype=np.bool_)
        if sides.any() and not sides.all():
            parted: Bools = sides != sides[0]
            return parted
        toss += 1


def _levels(task: ForestTask, node: OpenNode, weights: Floats) -> Floats:
    """[row, level] what a row adds: its weight at its class; of numbers the weight, and weight × distance."""
    weight = weights[node.rows]
    if not task.classes:
        return np.stack([weight, weight * (task.target[node.rows] - node.counts[1])], axis=1)
    levels = np.zeros((len(node.rows), task.classes))
    levels[np.arange(len(node.rows)), task.target[node.rows]] = weight
    return levels


def _sums(levels: Floats, place: Longs, places: int) -> Floats:
    """[place, level] added in the order of rows."""
    by_level = [np.bincount(place, weights=each, minlength=places) for each in levels.T]
    return np.stack(by_level, axis=1).astype(np.float64)


def _in_rows(levels: Floats) -> Floats:
    total: Floats = _sums(levels, np.zeros(len(levels), dtype=np.int64), 1)[0]
    return total


def _in_order(numbers: tuple[float, ...] | Floats) -> float:
    total = 0.0
    for each in numbers:
        total += float(each)
    return total


def summary_of_rows(task: ForestTask, rows: Longs, weights: Floats) -> tuple[float, ...]:
    """What a node keeps: weight by class, or weight, mean and squared error."""
    weight = weights[rows]
    if task.classes:
        return tuple(np.bincount(task.target[rows], weights=weight, minlength=task.classes).tolist())
    y = task.target[rows].astype(np.float64)
    total = _in_order(weight)
    mean = float(y[0]) + _in_order(weight * (y - y[0])) / total
    return total, mean, _in_order(weight * (y - mean) * (y - mean))


def _scored(task: ForestTask, counts: Floats) -> list[float]:
    """Counts with the factors of priors and costs."""
    scored: list[float] = (counts * task.factors if len(task.factors) else counts).tolist()
    return scored


def weight_of_counts(task: ForestTask, counts: Floats) -> float:
    return _in_order(np.asarray(_scored(task, counts))) if task.classes else float(counts[0])


def _rows_of(task: ForestTask, counts: Floats) -> float:
    return _in_order(counts) if task.classes else float(counts[0])


def _purity(task: ForestTask, counts: Floats) -> float:
    """What is larger the purer a branch is: its weight less its weight × impurity, or a constant more."""
    if not task.classes:
        return float(counts[1]) * float(counts[1]) * (1.0 / float(counts[0]))
    scored = _scored(task, counts)
    weight = _in_order(np.asarray(scored))
    if task.measure == "entropy":
        return _in_order(np.array([_xlog2x(n) for n in scored])) - _xlog2x(weight)
    return _in_order(np.array([n * n for n in scored])) * (1.0 / weight)


def _impurity(task: ForestTask, counts: tuple[float, ...]) -> float:
    """Weight × impurity of a node: the scale on which scores are equal but for rounding."""
    if not task.classes:
        return counts[2]
    here = np.asarray(counts)
    whole = 0.0 if task.measure == "entropy" else weight_of_counts(task, here)
    return max(whole - _purity(task, here), 0.0)


def _xlog2x(x: float) -> float:
    return x * math.log2(x) if x > 0 else 0.0
