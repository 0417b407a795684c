"""GAM: one curve per column, and tables of a few pairs, found by boosting one column at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal

import numpy as np

from clearwood import _native
from clearwood.bounds import Whole, Within
from clearwood.errors import LearningError
from clearwood.learners.decision import decision_of
from clearwood.learners.ensembles import gam_definition
from clearwood.learners.ensembles.gam_cells import CellColumn, cell_columns
from clearwood.learners.ensembles.gam_curves import UNIT, curves, logistic_shares, softmax_shares
from clearwood.learners.ensembles.gam_pairs import candidates, pair_cuts, pair_side, pair_term, places_of
from clearwood.learners.ensembles.gam_tables import PairTable, curves_of
from clearwood.learners.ensembles.gam_task import Bags, Boosted, GamRows, GamSettings, GamTerm, Start
from clearwood.learners.origin_of import origin_of
from clearwood.learners.usable_rows import usable_rows
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.ensemble import LearningCurve, Link
from clearwood.models.nodes import Floats, Longs
from clearwood.registry import Costs, Letter, Priors, check
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

_NEVER: Final = -32.0  # the score of a class that no row has: its share is 0 in units
_MOST_DRAWS: Final = 16  # draws per row: of heavier rows the weight is a chance only
_PLACES: Final = 32  # at which a pair's columns may be cut


@dataclass(frozen=True, slots=True, kw_only=True)
class GAM:
    """An additive model (Hastie and Tibshirani 1986) by cyclic boosting (Lou and others 2012, 2013)."""

    learns_numbers: ClassVar[bool] = True

    pairs: Annotated[int, Whole(0), "Pairs of columns that get a table of their own, at most."] = 10
    bags: Annotated[int, Whole(1, 1000), Letter("B"), "Bags of rows drawn with replacement."] = 14
    rate: Annotated[float, Within(0, 1, including_high=True), Letter("ν"), "Part of Newton's step."] = 0.1
    leaves: Annotated[int, Whole(2, 1000), "Leaves of the tree of each step."] = 8
    rounds: Annotated[int, Whole(1), "Rounds over the columns, at most."] = 1000
    patience: Annotated[int, Whole(1), "Rounds without a better loss after which a bag ends."] = 30
    bins: Annotated[int, Whole(2, 60_000), "Intervals of a number, at most."] = 255
    min_leaf: Annotated[int, Whole(1), "Least drawn rows in a leaf."] = 4
    l2: Annotated[float, Within(0, 1e9), Letter("λ"), "Added to the second derivative of a leaf."] = 1.0
    seed: Annotated[int, Whole(0), "Which rows the bags draw."] = 0
    priors: Annotated[Priors, "Share of each class to answer for; 'equal', or by class."] = None
    costs: Annotated[Costs, "Cost of answering one class for another."] = None
    engine: Annotated[Literal["auto", "native", "definition"], "Which code does the work."] = "auto"

    def __post_init__(self) -> None:
        check(self)

    def learn(self, table: Table) -> AdditiveModel:
        rows = usable_rows(self, table)
        columns = cell_columns(rows, self.bins)
        target, scale, centre = _target(rows)
        total = float(len(rows)) if rows.weights is None else float(rows.weights.sum())
        draws = int(min(max(round(total), 1), _MOST_DRAWS * len(rows)))
        bags = Bags(self.bags, draws, self.seed)
        settings = GamSettings(
            self.rounds, self.patience, self.leaves, float(self.rate), float(self.l2), self.min_leaf
        )
        terms = [GamTerm(each.codes, each.cells, each.ordered) for each in columns]
        boosted = self._boost(target, bags, Start(), terms, settings)
        mains = _by_term(boosted.points, [term.cells for term in terms])
        weights = [_weights(rows, each.codes, each.cells) for each in columns]
        found = self._pairs(rows, target, columns, mains, weights, (bags, settings, terms, boosted))
        base, shapes, pairs = curves_of(
            columns,
            [scale * each for each in mains],
            weights,
            [scaled(each, scale) for each in found],
            scale * target.base / UNIT + centre,
        )
        return AdditiveModel(
            schema=table.schema,
            base=base,
            shapes=shapes,
            pairs=pairs,
            link=_link(target),
            spread="standard errors" if self.bags > 1 else "",
            curves=_curves(target, boosted),
            decision=_decision(self, rows),
            origin=origin_of(self, table),
        )

    def _boost(
        self, target: GamRows, bags: Bags, start: Start, terms: list[GamTerm], settings: GamSettings
    ) -> Boosted:
        if self.engine == "definition":
            return gam_definition.boost(target, bags, start, terms, settings)
        points, best, losses = _native.gam_boost(
            target.native(),
            (bags.bags, bags.draws, bags.seed),
            curves(),
            [term.native() for term in start.terms],
            None if start.points is None else np.ascontiguousarray(start.points).ravel(),
            [term.native() for term in terms],
            settings.native(),
        )
        return Boosted(points, best, losses)

    def _pairs(
        self,
        rows: Table,
        target: GamRows,
        columns: list[CellColumn],
        mains: list[Floats],
        weights: list[Floats],
        so_far: tuple[Bags, GamSettings, list[GamTerm], Boosted],
    ) -> list[PairTable]:
        bags, settings, terms, boosted = so_far
        if not self.pairs or len(columns) < 2:
            return []
        places = [
            places_of(column, weight, main.mean(axis=0), _PLACES)
            for column, weight, main in zip(columns, weights, mains, strict=True)
        ]
        tried = candidates(columns, places)
        if not tried:
            return []
        gains = self._rank(target, residuals(target, terms, boosted), terms, places)
        worth = [gains[i * (2 * len(columns) - i - 1) // 2 + j - i - 1] for i, j in tried]
        order = sorted(range(len(tried)), key=lambda k: -worth[k])[: self.pairs]
        chosen = [tried[k] for k in order]
        pair_terms = [pair_term((columns[i], columns[j]), (places[i], places[j])) for i, j in chosen]
        more = self._boost(target, bags, Start(terms, boosted.points), [term for term, _ in pair_terms], settings)
        points = _by_term(more.points, [term.cells for term, _ in pair_terms])
        return [
            PairTable(
                (i, j),
                (pair_cuts(columns[i], places[i]), pair_cuts(columns[j], places[j])),
                (pair_side(columns[i], places[i])[0], pair_side(columns[j], places[j])[0]),
                table.reshape(*table.shape[:2], *shape),
                _weights(rows, term.codes, term.cells).reshape(shape),
            )
            for (i, j), (term, shape), table in zip(chosen, pair_terms, points, strict=True)
        ]

    def _rank(
        self, target: GamRows, residual: Longs, terms: list[GamTerm], places: list[list[int]]
    ) -> Sequence[float]:
        if self.engine == "definition":
            return gam_definition.rank(target, residual, terms, places)
        gains: Any = _native.gam_rank(target.native(), residual, [term.native() for term in terms], places)
        return list(gains.tolist())


def scaled(pair: PairTable, scale: float) -> PairTable:
    return PairTable(pair.columns, pair.cuts, pair.sides, scale * pair.points, pair.weights)


def residuals(target: GamRows, terms: Sequence[GamTerm], boosted: Boosted) -> Longs:
    """[row, score] what the mean of the bags leaves over: the true share, or number, less the model's."""
    points = np.rint(boosted.points.mean(axis=0)).astype(np.int64)
    scores = np.tile(target.base, (len(target), 1))
    offset = 0
    for term in terms:
        scores += points[:, offset + term.codes.astype(np.int64)].T
        offset += term.cells
    if target.loss == "squared":
        return target.numbers[:, None] - scores
    if target.loss == "logistic":
        return target.classes[:, None].astype(np.int64) * UNIT - logistic_shares(scores)
    true = target.classes[:, None] == np.arange(scores.shape[1])
    return true.astype(np.int64) * UNIT - softmax_shares(scores)


def _by_term(points: Longs, cells: Sequence[int]) -> list[Floats]:
    """[term][bag, score, cell] on the scale of scores."""
    ends = np.cumsum([0, *cells]).tolist()
    return [points[:, :, low:high] / UNIT for low, high in zip(ends, ends[1:], strict=False)]


def _weights(rows: Table, codes: Any, cells: int) -> Floats:
    return np.bincount(codes, rows.weights, cells).astype(np.float64)


def _target(rows: Table) -> tuple[GamRows, float, Any]:
    """The target in whole numbers, and the scale and centre by which scores become the user's numbers."""
    weights = rows.weights
    equal = weights is None or bool((weights == weights[0]).all())
    cumulative = None if equal or weights is None else np.cumsum(weights)
    no_classes, no_numbers = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64)
    if isinstance(rows.schema.target, Numeric):
        y = rows.target.astype(np.float64)
        w = np.ones(len(y)) if weights is None else weights
        whole = math.fsum(w.tolist())
        centre = math.fsum((w * (y / whole)).tolist())
        off = y - centre
        largest = float(np.abs(off).max())
        scale = largest and largest * math.sqrt(math.fsum((w * (off / largest) ** 2).tolist()) / whole)
        scale = scale or 1.0
        numbers = np.rint(off / scale * UNIT).astype(np.int64)
        base = np.zeros(1, dtype=np.int64)
        return GamRows("squared", no_classes, numbers, weights, cumulative, base), scale, centre
    names = rows.schema.classes
    by_class = np.bincount(rows.target, weights, len(names))
    met = np.flatnonzero(by_class > 0)
    if len(met) < 2:
        raise LearningError(
            f"Every row is of one class, '{names[met[0]]}': there is nothing to learn. GAM needs two classes."
        )
    classes = np.ascontiguousarray(rows.target, dtype=np.int32)
    if len(names) == 2:
        odds = [math.log(float(by_class[1]) / float(by_class[0]))]
        loss: Literal["logistic", "softmax"] = "logistic"
    else:
        odds = [math.log(float(each / by_class.sum())) if each > 0 else _NEVER for each in by_class]
        loss = "softmax"
    base = np.array([round(each * UNIT) for each in odds], dtype=np.int64)
    return GamRows(loss, classes, no_numbers, weights, cumulative, base), 1.0, 0.0


def _link(target: GamRows) -> Link:
    return "identity" if target.loss == "squared" else target.loss


def _decision(learner: GAM, rows: Table) -> Any:
    classes = rows.schema.classes
    weights = np.bincount(rows.target, rows.weights, len(classes)).astype(np.float64) if classes else np.empty(0)
    return decision_of(rows.schema, weights, learner.priors, learner.costs)


def _curves(target: GamRows, boosted: Boosted) -> tuple[LearningCurve, ...]:
    return ()
