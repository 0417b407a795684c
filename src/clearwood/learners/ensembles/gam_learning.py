"""From rows to curves: boost the columns, rank the pairs, boost the best of them, average over the bags."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, Protocol

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Longs
from clearwood.learners.ensembles import gam_definition
from clearwood.learners.ensembles.gam_tables import (
    PairTable,
    candidates,
    learning_curves,
    pair_cuts,
    pair_places,
    pair_side,
    pair_term,
)
from clearwood.learners.ensembles.gam_task import (
    SURELY,
    UNIT,
    Bags,
    Boosted,
    CellCodes,
    CellColumn,
    GamRows,
    GamSettings,
    GamTerm,
    Start,
    WatchRounds,
    cell_columns,
    column_term,
    curves,
    gam_target,
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

_BEST_CROSS_BY_CHANCE: Final = 10.0  # of one pair, in variances of the residuals
_MOST_DRAWS: Final = 16  # draws per row: beyond, a heavy row's weight is a chance only
_MOST_COPIES: Final = 4  # per row, of which a table is made
_PLACES: Final = 32  # at which a pair's columns may be cut
_WEIGHT_UNIT: Final = (
    2.0**-16
)  # pairs are ranked by weights in such parts of the mean weight, so that sums are exact


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
    rows: Table, engine: Engine, settings: GamSettings, *, bins: int, pairs: int, bags: int, seed: int,
    every_pair: bool = True, signs: Mapping[str, int] | None = None,
) -> LearnedCurves:  # fmt: skip
    """Base, curves and pairs of these rows; `signs` are the directions of curves, by column."""
    rows, columns = prepared_gam(rows, bins, signs)
    if rows.schema.classes and len(np.unique(rows.target)) < 2:
        return _of_one_class(rows)
    target, scale, centre = gam_target(rows)
    bagging = Bags(bags, draws_of(rows), seed)
    terms = [column_term(each) for each in columns]
    boosted, ended = _watched_boost(engine, target, bagging, Start(), terms, settings, scale)
    mains = _Mains(
        columns,
        terms,
        boosted,
        _by_term(boosted.points, [term.cells for term in terms]),
        [_weights(rows, each.codes, each.cells) for each in columns],
    )
    tables: list[PairTable] = []
    if not ended:
        tables, ended = _boost_pairs(rows, target, engine, settings, bagging, mains, pairs, every_pair, scale)
    base, shapes, pair_shapes = learning_curves(
        columns,
        [scale * each for each in mains.points],
        mains.weights,
        [replace(each, points=scale * each.points) for each in tables],
        scale * target.base / UNIT + centre,
    )
    link: Link = "identity" if target.loss == "squared" else target.loss
    return LearnedCurves(
        base, shapes, pair_shapes, link, _learning_curve(target, boosted, scale), bags, ended
    )


def _watched_boost(
    engine: Engine,
    target: GamRows,
    bags: Bags,
    start: Start,
    terms: list[GamTerm],
    settings: GamSettings,
    scale: float,
) -> tuple[Boosted, tuple[EndedEarly, ...]]:
    """All rounds, or those up to which whoever watches said that it is enough."""
    squared = target.loss == "squared"
    factor = scale * scale if squared else 1.0
    progress = Progress(
        0,
        settings.rounds,
        "round of the pairs" if start.terms else "round of the curves",
        "squared error" if squared else "log loss",
        "out-of-bag rows",
    )
    watch = native_watch(progress)
    heeded = None if watch is None else lambda done, loss: watch(done, factor * loss)
    boosted = engine.boost(target, bags, start, terms, settings, heeded)
    done = max(len(boosted.losses) - 1, 0)
    is_enough(replace(progress, done=done))
    return boosted, ended_early(done, settings.rounds, progress.unit) if boosted.interrupted else ()


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


def draws_of(rows: Table) -> int:
    """How many rows a bag draws: as many as the weights count."""
    total = float(len(rows)) if rows.weights is None else float(rows.weights.sum())
    return int(min(max(round(total), 1), _MOST_DRAWS * len(rows)))


def _by_term(points: Longs, cells: Sequence[int]) -> list[Floats]:
    """[term][bag, score, cell] on the scale of scores."""
    ends = np.cumsum([0, *cells]).tolist()
    return [points[:, :, low:high] / UNIT for low, high in pairwise(ends)]


def _weights(rows: Table, codes: CellCodes, cells: int) -> Floats:
    return np.bincount(codes, rows.weights, cells).astype(np.float64)


def _boost_pairs(
    rows: Table,
    target: GamRows,
    engine: Engine,
    settings: GamSettings,
    bags: Bags,
    mains: _Mains,
    most: int,
    every: bool,
    scale: float,
) -> tuple[list[PairTable], tuple[EndedEarly, ...]]:
    """The tables of the best pairs, boosted on from each bag's own curves; none if a watcher ends them."""
    columns = mains.columns
    places = [
        pair_places(column, weight, points.mean(axis=0), _PLACES)
        for column, weight, points in zip(columns, mains.weights, mains.points, strict=True)
    ]
    tried = candidates(columns, places) if most else []
    if not tried:
        return [], ()
    chosen = _best_pairs(target, engine, mains, places, tried, every)[:most]
    if not chosen:
        return [], ()
    terms = [pair_term((columns[i], columns[j]), (places[i], places[j])) for i, j in chosen]
    start = Start(mains.terms, mains.boosted.points)
    boosted, ended = _watched_boost(engine, target, bags, start, [term for term, _ in terms], settings, scale)
    if ended or not boosted.best:  # the rows not drawn gain nothing by pairs
        return [], ended
    points = _by_term(boosted.points, [term.cells for term, _ in terms])
    tables = [
        PairTable(
            (i, j),
            (pair_cuts(columns[i], places[i]), pair_cuts(columns[j], places[j])),
            (pair_side(columns[i], places[i])[0], pair_side(columns[j], places[j])[0]),
            table.reshape(*table.shape[:2], *shape),
            _weights(rows, term.codes, term.cells).reshape(shape),
        )
        for (i, j), (term, shape), table in zip(chosen, terms, points, strict=True)
    ]
    return tables, ()


def _best_pairs(
    target: GamRows, engine: Engine, mains: _Mains, places: list[list[int]], tried: list[tuple[int, int]],
    every: bool,
) -> list[tuple[int, int]]:  # fmt: skip
    """The pairs tried, the one with most to add first; unless `every`, those that add more than by chance."""
    count = len(mains.columns)
    weighed = target
    if target.weights is not None:
        unit = _WEIGHT_UNIT * float(target.weights.mean())
        weighed = replace(target, weights=np.rint(target.weights / unit) * _WEIGHT_UNIT)
    residuals = _residuals(target, mains)
    gains = engine.rank(weighed, residuals, mains.terms, places)
    number = {(i, j): i * (2 * count - i - 1) // 2 + j - i - 1 for i, j in tried}
    ordered = sorted(tried, key=lambda pair: -gains[number[pair]])
    if every:
        return ordered
    # The best of so many pairs gains so much, in variances of the residuals, where nothing is to be found.
    variance = float(np.square(residuals / UNIT).mean()) * (1.0 if target.weights is None else _mean(weighed))
    by_chance = (2 * math.log(len(tried)) + _BEST_CROSS_BY_CHANCE) * variance
    return [pair for pair in ordered if gains[number[pair]] > by_chance]


def _mean(rows: GamRows) -> float:
    return 1.0 if rows.weights is None else float(rows.weights.mean())


def _residuals(target: GamRows, mains: _Mains) -> Longs:
    """[row, score] what the mean of the bags leaves over: the true share, or number, less the model's."""
    points = np.rint(mains.boosted.points.mean(axis=0)).astype(np.int64)
    scores = np.tile(target.base, (len(target), 1))
    offset = 0
    for term in mains.terms:
        scores += points[:, offset + term.codes.astype(np.int64)].T
        offset += term.cells
    if target.loss == "squared":
        return target.numbers[:, None] - scores
    if target.loss == "logistic":
        return target.classes[:, None].astype(np.int64) * UNIT - logistic_shares(scores)
    true = target.classes[:, None] == np.arange(scores.shape[1])
    left: Longs = true.astype(np.int64) * UNIT - softmax_shares(scores)
    return left


def _learning_curve(target: GamRows, boosted: Boosted, scale: float) -> tuple[LearningCurve, ...]:
    """By round the loss of the rows, each answered by the bags that did not draw it."""
    if len(boosted.losses) < 2:
        return ()
    squared = target.loss == "squared"
    factor = scale * scale if squared else 1.0
    values = tuple(factor * loss for loss in boosted.losses[1:])
    return (
        LearningCurve("squared error" if squared else "log loss", "out-of-bag rows", values, boosted.best),
    )


# The two engines that boost an additive model: the native code, and the definition it is held to.


class Boost(Protocol):
    """Rounds of all bags; fewer where `watch`, which hears how many are done and the loss, says: enough."""

    def __call__(
        self,
        rows: GamRows,
        bags: Bags,
        start: Start,
        terms: Sequence[GamTerm],
        settings: GamSettings,
        watch: WatchRounds | None = None,
    ) -> Boosted: ...


class Rank(Protocol):
    def __call__(
        self, rows: GamRows, residuals: Longs, terms: Sequence[GamTerm], places: Sequence[Sequence[int]]
    ) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class Engine:
    """How terms are boosted, and pairs ranked."""

    boost: Boost
    rank: Rank


def _boost(
    rows: GamRows,
    bags: Bags,
    start: Start,
    terms: Sequence[GamTerm],
    settings: GamSettings,
    watch: WatchRounds | None = None,
) -> Boosted:
    points, best, losses, interrupted = _native.gam_boost(
        rows.native(),
        (bags.bags, bags.draws, bags.seed),
        curves(),
        [term.native() for term in start.terms],
        None if start.points is None else np.ascontiguousarray(start.points).ravel(),
        [term.native() for term in terms],
        settings.native(),
        watch,
    )
    return Boosted(points, best, losses, interrupted)


def _rank_by_engine(
    rows: GamRows, residuals: Longs, terms: Sequence[GamTerm], places: Sequence[Sequence[int]]
) -> list[float]:
    gains = _native.gam_rank(
        rows.native(), residuals, [term.native() for term in terms], [list(at) for at in places]
    )
    return [float(gain) for gain in gains]


NATIVE: Final = Engine(_boost, _rank_by_engine)
DEFINITION: Final = Engine(gam_definition.boost, gam_definition.rank)
