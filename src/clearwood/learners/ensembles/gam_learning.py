"""From rows to curves: boost the columns, rank the pairs, boost the best of them, average over the bags."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Longs
from clearwood.learners.ensembles import gam_definition
from clearwood.learners.ensembles.gam_tables import (
    PairTable,
    candidates,
    learning_curves,
    pair_places,
    pair_table,
)
from clearwood.learners.ensembles.gam_task import (
    SURELY,
    UNIT,
    Boosted,
    CellColumn,
    GamTask,
    GamTerm,
    Start,
    WatchRounds,
    cell_columns,
    column_term,
    curves,
    gam_task,
    logistic_shares,
    softmax_shares,
)
from clearwood.learners.ensembles.members import ended_early
from clearwood.learners.progress import Progress, is_enough, native_watch
from clearwood.models.kinds.additive.additive_model import PairShape, Shape
from clearwood.models.kinds.ensemble.ensemble import LearningCurve, Link
from clearwood.models.lineage import EndedEarly
from clearwood.table.attributes import Nominal
from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood.learners.ensembles.gam import GAM

_BEST_CROSS_BY_CHANCE: Final = 10.0  # of one pair, in variances of the residuals
_MOST_COPIES: Final = 4  # per row, of which a table is made
_PLACES: Final = 32  # at which a pair's columns may be cut
_WEIGHT_UNIT: Final = 2.0**-16  # of the mean weight: pairs are ranked by such parts, so that sums are exact


@dataclass(frozen=True, slots=True)
class LearnedCurves:
    """What the rows made: all of a model but its schema, decision and origin."""

    base: tuple[float, ...]
    shapes: tuple[Shape, ...]
    pairs: tuple[PairShape, ...]
    link: Link
    curves: tuple[LearningCurve, ...]
    bags: int = 1  # of which they are the mean
    ended: tuple[EndedEarly, ...] = ()  # why there are fewer rounds than asked for, or no pairs, if so


@dataclass(frozen=True, slots=True, eq=False)
class _Mains:
    """The columns as boosted: their terms, each bag's points, and the weight of the rows by cell."""

    columns: list[CellColumn]
    terms: list[GamTerm]
    boosted: Boosted
    points: list[Floats]  # [column][bag, score, cell]
    weights: list[Floats]  # [column][cell]


def learn_curves(
    learner: GAM, rows: Table, engine: Engine, signs: Mapping[str, int] | None = None
) -> LearnedCurves:
    """Base, curves and pairs of these rows; `signs` are the directions of curves, by column."""
    rows, columns = prepared_gam(rows, learner.bins, signs)
    if rows.schema.classes and len(np.unique(rows.target)) < 2:
        return _of_one_class(rows)
    task = gam_task(learner, rows)
    terms = [column_term(each) for each in columns]
    boosted, ended = _watched_boost(engine, task, Start(), terms)
    mains = _Mains(
        columns,
        terms,
        boosted,
        _by_term(boosted.points, terms),
        [_weights(rows, each) for each in terms],
    )
    tables: list[PairTable] = []
    if not ended:
        tables, ended = _boost_pairs(rows, task, engine, mains)
    base, shapes, pair_shapes = learning_curves(
        columns,
        [task.scale * each for each in mains.points],
        mains.weights,
        [replace(each, points=task.scale * each.points) for each in tables],
        task.scale * task.base / UNIT + task.centre,
    )
    link: Link = "identity" if task.loss == "squared" else task.loss
    losses: tuple[LearningCurve, ...] = ()
    if len(boosted.losses) > 1:  # by round, of the rows as the bags answer them that did not draw them
        score, factor = task.score
        values = tuple(factor * loss for loss in boosted.losses[1:])
        losses = (LearningCurve(score, "out-of-bag rows", values, boosted.best),)
    return LearnedCurves(base, shapes, pair_shapes, link, losses, task.bags, ended)


def _watched_boost(
    engine: Engine, task: GamTask, start: Start, terms: list[GamTerm]
) -> tuple[Boosted, tuple[EndedEarly, ...]]:
    """All rounds, or those up to which whoever watches said that it is enough."""
    (score, factor), rounds = task.score, task.settings.rounds
    unit: Literal["round of the pairs", "round of the curves"] = (
        "round of the pairs" if start.terms else "round of the curves"
    )
    progress = Progress(0, rounds, unit, score, "out-of-bag rows")
    watch = native_watch(progress)
    heeded = None if watch is None else lambda done, loss: watch(done, factor * loss)
    boosted = engine.boost(task, start, terms, heeded)
    done = max(len(boosted.losses) - 1, 0)
    is_enough(replace(progress, done=done))
    return boosted, ended_early(done, rounds, unit) if boosted.interrupted else ()


def prepared_gam(
    rows: Table, bins: int, signs: Mapping[str, int] | None = None
) -> tuple[Table, list[CellColumn]]:
    """The rows as they are drawn from, and their cells: in an order of their own, so that the model does not
    depend on the order they came in."""
    rows = _repeated(rows)
    columns = [replace(each, direction=(signs or {}).get(each.name, 0)) for each in cell_columns(rows, bins)]
    keys: list[Any] = [] if rows.weights is None else [rows.weights]
    order = np.arange(len(rows))
    for key in (*keys, rows.target, *(_rank(rows, column) for column in reversed(columns))):
        order = order[np.argsort(key[order], kind="stable")]
    return rows.take(order), [replace(each, codes=each.codes[order]) for each in columns]


def _rank(rows: Table, column: CellColumn) -> Any:
    """[row] by which rows are put in order: the cell, of values by their names, however they are listed."""
    attribute = rows.schema[column.name]
    if not isinstance(attribute, Nominal):
        return column.codes
    names = sorted(range(len(attribute.values)), key=attribute.values.__getitem__)
    rank = np.empty(column.cells, dtype=np.uint16)
    rank[[*names, column.cells - 2, column.cells - 1]] = np.arange(column.cells)
    return rank[column.codes]


def _of_one_class(rows: Table) -> LearnedCurves:
    """Every row is of one class: it is answered surely, and there is nothing to add."""
    classes = rows.schema.classes
    only = int(rows.target[0])
    if len(classes) == 2:
        return LearnedCurves((SURELY if only == 1 else -SURELY,), (), (), "logistic", ())
    return LearnedCurves(
        tuple(0.0 if c == only else -SURELY for c in range(len(classes))), (), (), "softmax", ()
    )


def _repeated(rows: Table) -> Table:
    """A row of weight 3 as three rows, which bags draw one by one; where weights are whole and not large."""
    weights = rows.weights
    if weights is None or not (weights == np.floor(weights)).all():
        return rows
    if float(weights.sum()) > _MOST_COPIES * len(rows):
        return rows
    copies = rows.take(np.repeat(np.arange(len(rows)), weights.astype(np.int64)))
    return replace(copies, weights=None, weights_are=None, checked=True)


def _by_term(points: Longs, terms: Sequence[GamTerm]) -> list[Floats]:
    """[term][bag, score, cell] on the scale of scores."""
    ends = np.cumsum([0, *(term.cells for term in terms)]).tolist()
    return [points[:, :, low:high] / UNIT for low, high in pairwise(ends)]


def _weights(rows: Table, term: GamTerm) -> Floats:
    return np.bincount(term.codes, rows.weights, term.cells).astype(np.float64)


def _boost_pairs(
    rows: Table, task: GamTask, engine: Engine, mains: _Mains
) -> tuple[list[PairTable], tuple[EndedEarly, ...]]:
    """The tables of the best pairs, boosted on from each bag's own curves; none if a watcher ends them."""
    columns, most = mains.columns, task.settings.most_pairs(task.draws)
    places = [
        pair_places(column, weight, points.mean(axis=0), _PLACES)
        for column, weight, points in zip(columns, mains.weights, mains.points, strict=True)
    ]
    tried = candidates(columns, places) if most else []
    chosen = _best_pairs(task, engine, mains, places, tried)[:most] if tried else []
    if not chosen:
        return [], ()
    pairs = [pair_table(each, columns, places) for each in chosen]
    terms = [each.term for each in pairs]
    boosted, ended = _watched_boost(engine, task, Start(mains.terms, mains.boosted.points), terms)
    if ended or not boosted.best:  # the rows not drawn gain nothing by pairs
        return [], ended
    points = _by_term(boosted.points, terms)
    return [
        replace(
            pair,
            points=table.reshape(*table.shape[:2], *pair.shape),
            weights=_weights(rows, pair.term).reshape(pair.shape),
        )
        for pair, table in zip(pairs, points, strict=True)
    ], ()


def _best_pairs(
    task: GamTask, engine: Engine, mains: _Mains, places: list[list[int]], tried: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The pairs tried, the one with most to add first; unless their number is given, those that add more than
    by chance."""
    count = len(mains.columns)
    weighed, mean = task, 1.0
    if task.weights is not None:
        unit = _WEIGHT_UNIT * float(task.weights.mean())
        weights = np.rint(task.weights / unit) * _WEIGHT_UNIT
        weighed, mean = replace(task, weights=weights), float(weights.mean())
    residuals = _residuals(task, mains)
    gains = engine.rank(weighed, residuals, mains.terms, places)
    number = {(i, j): i * (2 * count - i - 1) // 2 + j - i - 1 for i, j in tried}
    ordered = sorted(tried, key=lambda pair: -gains[number[pair]])
    if task.settings.pairs is not None:
        return ordered
    # The best of so many pairs gains so much, in variances of the residuals, where nothing is to be found.
    variance = float(np.square(residuals / UNIT).mean()) * mean
    by_chance = (2 * math.log(len(tried)) + _BEST_CROSS_BY_CHANCE) * variance
    return [pair for pair in ordered if gains[number[pair]] > by_chance]


def _residuals(task: GamTask, mains: _Mains) -> Longs:
    """[row, score] what the mean of the bags leaves over: the true share, or number, less the model's."""
    points = np.rint(mains.boosted.points.mean(axis=0)).astype(np.int64)
    scores = np.tile(task.base, (len(task), 1))
    offset = 0
    for term in mains.terms:
        scores += points[:, offset + term.codes.astype(np.int64)].T
        offset += term.cells
    if task.loss == "squared":
        return task.numbers[:, None] - scores
    if task.loss == "logistic":
        return task.classes[:, None].astype(np.int64) * UNIT - logistic_shares(scores)
    true = task.classes[:, None] == np.arange(scores.shape[1])
    left: Longs = true.astype(np.int64) * UNIT - softmax_shares(scores)
    return left


# The two engines that boost an additive model: the native code, and the definition it is held to.


# Rounds of all bags; fewer where the watch, which hears how many are done and the loss, says: enough.
Boost: TypeAlias = Callable[[GamTask, Start, Sequence[GamTerm], WatchRounds | None], Boosted]
Rank: TypeAlias = Callable[[GamTask, Longs, Sequence[GamTerm], Sequence[Sequence[int]]], list[float]]


@dataclass(frozen=True, slots=True)
class Engine:
    """How terms are boosted, and pairs ranked."""

    boost: Boost
    rank: Rank


def _boost(task: GamTask, start: Start, terms: Sequence[GamTerm], watch: WatchRounds | None) -> Boosted:
    how = task.settings
    boosted = _native.gam_boost(
        task.native(),
        (task.bags, task.draws, how.seed),
        curves(),
        [term.native() for term in start.terms],
        None if start.points is None else np.ascontiguousarray(start.points).ravel(),
        [term.native() for term in terms],
        (how.rounds, how.patience, how.leaves, float(how.rate), float(how.l2), how.min_leaf, how.smoothing),
        watch,
    )
    return Boosted(*boosted)


def _rank_by_engine(
    task: GamTask, residuals: Longs, terms: Sequence[GamTerm], places: Sequence[Sequence[int]]
) -> list[float]:
    gains = _native.gam_rank(
        task.native(), residuals, [term.native() for term in terms], [list(at) for at in places]
    )
    return [float(gain) for gain in gains]


NATIVE: Final = Engine(_boost, _rank_by_engine)
DEFINITION: Final = Engine(gam_definition.boost, gam_definition.rank)
