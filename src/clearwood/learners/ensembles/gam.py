"""GAM: one curve per column, and tables of a few pairs, found by boosting one column at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Longs
from clearwood.bounds import Whole, Within
from clearwood.learners.class_order import classes_in_turn
from clearwood.learners.directions import Directions, directions_of, with_directions
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
    GamTask,
    GamTerm,
    Start,
    WatchRounds,
    cell_columns,
    curves,
    gam_task,
    logistic_shares,
    softmax_shares,
)
from clearwood.learners.ensembles.members import ended_early
from clearwood.learners.progress import Progress, is_enough, native_watch
from clearwood.learners.training import class_weights, decision_of, origin_of, usable_rows
from clearwood.models.decision import Decision
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.ensemble.ensemble import LearningCurve, Link
from clearwood.models.lineage import EndedEarly, Origin
from clearwood.registry import CheckedSettings, Costs, Letter, Priors, Proportion
from clearwood.table.attributes import Nominal
from clearwood.table.table import Table

_MOST_BAGS: Final = 14
_LEAST_BAGS: Final = 5
_DRAWN_IN_ALL: Final = 14 * 50_000
_ROWS_FOR_A_PAIR: Final = 200
_MOST_PAIRS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class GAM(CheckedSettings):
    """A generalised additive model by cyclic boosting (Lou, Caruana and others 2012, 2013; as EBM has it).

    Each of `bags` bags draws as many rows as there are, with replacement. Round after round, each column in
    turn is moved by a tree of at most `leaves` leaves on that column alone, by `rate` of Newton's step less
    the part that chance alone would gain, and all the steps of a column add up to its curve. In the first
    `smoothing` rounds the cuts of columns in order fall by chance, which keeps the curves smooth where the
    rows say little; then the best cuts are sought. Each row is evaluated by the mean of the bags that did not
    draw it: learning ends when their loss has not fallen for `patience` rounds, or by less than a
    ten-thousandth once the best cuts are sought, and the best round is kept.
    The curves are the mean over the bags, and their spread over the bags is their standard error. Then the
    best `pairs` pairs of columns, by what four quadrants explain of the residuals (FAST), get tables in the
    same way, if that lowers the loss of the rows not drawn; everything that one column says alone is taken
    out of them.

    A number has at most `bins` intervals; an empty cell has points of its own; a value that no row had gets
    the points of the average row. Nominal values are put in order, anew in each step, by their slopes. Two
    classes have one curve per column (log odds of the second), more have one each, centred over the classes.

    `monotone` {"duration": "up:bad"} keeps a column's curve from turning: leaves of a step that would go the
    other way are pooled with their neighbours, and the column is in no pair. Its empty cells are free.
    """

    learns_numbers: ClassVar[bool] = True

    pairs: Annotated[
        int | None,
        Whole(0),
        "Pairs of columns that get a table of their own, at most; none: one for each 200 rows, up to 10.",
    ] = None
    bags: Annotated[
        int | None,
        Whole(1, 1000),
        Letter("bags"),
        "Bags of rows drawn with replacement; none: 14, and from 50,000 rows on fewer, 5 at least.",
    ] = None
    rate: Annotated[Proportion, Letter("ν"), "Part of Newton's step that is taken."] = 0.25
    leaves: Annotated[int, Whole(2, 1000), "Leaves of a step's tree, at most."] = 3
    rounds: Annotated[int, Whole(1), "Rounds over the columns, at most."] = 1000
    patience: Annotated[
        int, Whole(1), "Rounds without a loss lower by a ten-thousandth after which learning ends."
    ] = 20
    bins: Annotated[int, Whole(2, 60_000), "Intervals of a number, at most."] = 255
    min_leaf: Annotated[int, Whole(1), "Drawn rows in a leaf, at least."] = 4
    l2: Annotated[
        float, Within(0, 1e9, including_high=True), Letter("λ"), "Added to a leaf's second derivative."
    ] = 1.0
    smoothing: Annotated[int, Whole(0), "First rounds, whose cuts are random: smoother curves."] = 100
    monotone: Directions = None
    seed: Annotated[int, Whole(0), "Which rows the bags draw."] = 0
    priors: Annotated[Priors, "Class frequencies to predict for: 'equal', or by class."] = None
    costs: Annotated[Costs, "Cost of predicting one class for another."] = None

    @classes_in_turn
    def learn(self, table: Table) -> AdditiveModel:
        rows = usable_rows(self, table)
        self = with_directions(self, rows)  # every class is named from here on
        decision = decision_of(rows.schema, class_weights(rows), self.priors, self.costs)
        return learn_curves(self, rows, NATIVE, self.signs(rows), decision, origin_of(self, table))

    def signs(self, rows: Table) -> dict[str, int]:
        """[column] 1 where the score never falls as it rises, −1 where it never rises; only the limited."""
        classes = rows.schema.classes
        positive = classes[1] if len(classes) > 1 else ""
        return {each.column: each.sign(positive) for each in directions_of(self.monotone, rows)}

    def bags_of(self, rows: int) -> int:
        """How many bags there are: of many rows each bag is nearer to their mean."""
        return min(max(_DRAWN_IN_ALL // rows, _LEAST_BAGS), _MOST_BAGS) if self.bags is None else self.bags

    def most_pairs(self, rows: int) -> int:
        """How many pairs get tables: few rows do not tell many apart from chance."""
        return min(max(rows // _ROWS_FOR_A_PAIR, 1), _MOST_PAIRS) if self.pairs is None else self.pairs


# From rows to curves: boost the columns, rank the pairs, boost the best of them, average over the bags.


_BEST_CROSS_BY_CHANCE: Final = 10.0  # of one pair, in variances of the residuals
_MOST_COPIES: Final = 4  # per row, of which a table is made
_PLACES: Final = 32  # at which a pair's columns may be cut
_WEIGHT_UNIT: Final = 2.0**-16  # of the mean weight: pairs are ranked by such parts, so that sums are exact


@dataclass(frozen=True, slots=True, eq=False)
class _Mains:
    """The columns as boosted: each bag's points, and the weight of the rows by cell."""

    columns: list[GamTerm]
    boosted: Boosted
    points: list[Floats]  # [column][bag, score, cell]
    weights: list[Floats]  # [column][cell]


def learn_curves(
    learner: GAM, rows: Table, engine: Engine, signs: Mapping[str, int], decision: Decision, origin: Origin
) -> AdditiveModel:
    """Base, curves and pairs of these rows; `signs` are the directions of curves, by column."""
    rows, columns = prepared_gam(rows, learner.bins, signs)
    if rows.schema.classes and len(np.unique(rows.target)) < 2:
        return _of_one_class(rows, decision, origin)
    task = gam_task(learner, rows)
    boosted, ended = _watched_boost(engine, task, Start(), columns)
    mains = _Mains(
        columns, boosted, _by_term(boosted.points, columns), [_weights(rows, each) for each in columns]
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
    return AdditiveModel(
        schema=rows.schema,
        base=base,
        shapes=shapes,
        pairs=pair_shapes,
        link=link,
        spread="standard errors" if task.bags > 1 else "",
        curves=losses,
        decision=decision,
        origin=origin.then(*ended),
    )


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
) -> tuple[Table, list[GamTerm]]:
    """The rows as they are drawn from, and their cells: in an order of their own, so that the model does not
    depend on the order they came in."""
    rows = _repeated(rows)
    columns = [replace(each, direction=(signs or {}).get(each.name, 0)) for each in cell_columns(rows, bins)]
    keys: list[Any] = [] if rows.weights is None else [rows.weights]
    order = np.arange(len(rows))
    for key in (*keys, rows.target, *(_rank(rows, column) for column in reversed(columns))):
        order = order[np.argsort(key[order], kind="stable")]
    return rows.take(order), [replace(each, codes=each.codes[order]) for each in columns]


def _rank(rows: Table, column: GamTerm) -> Any:
    """[row] by which rows are put in order: the cell, of values by their names, however they are listed."""
    attribute = rows.schema[column.name]
    if not isinstance(attribute, Nominal):
        return column.codes
    names = sorted(range(len(attribute.values)), key=attribute.values.__getitem__)
    rank = np.empty(column.cells, dtype=np.uint16)
    rank[[*names, column.cells - 2, column.cells - 1]] = np.arange(column.cells)
    return rank[column.codes]


def _of_one_class(rows: Table, decision: Decision, origin: Origin) -> AdditiveModel:
    """Every row is of one class: it is answered surely, and there is nothing to add."""
    classes, only = len(rows.schema.classes), int(rows.target[0])
    link: Link = "softmax" if classes != 2 else "logistic"
    base = tuple(0.0 if c == only else -SURELY for c in range(classes))
    if link == "logistic":
        base = (SURELY if only == 1 else -SURELY,)
    return AdditiveModel(rows.schema, base, (), link=link, decision=decision, origin=origin)


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
    boosted, ended = _watched_boost(engine, task, Start(mains.columns, mains.boosted.points), terms)
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
    gains = engine.rank(weighed, residuals, mains.columns, places)
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
    for term in mains.columns:
        scores += points[:, offset + term.codes.astype(np.int64)].T
        offset += term.cells
    if task.loss == "squared":
        return task.numbers[:, None] - scores
    if task.loss == "logistic":
        return task.classes[:, None].astype(np.int64) * UNIT - logistic_shares(scores)
    true = task.classes[:, None] == np.arange(scores.shape[1])
    left: Longs = true.astype(np.int64) * UNIT - softmax_shares(scores)
    return left


# What boosts an additive model: the native code, held to its definition in tests.


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
