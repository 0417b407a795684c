"""Growing a tree: what all learners do with a table first, their settings, the way to native growers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats
from clearwood.bounds import Least, OneWord, Whole, Within
from clearwood.counting.coding import numbers_of
from clearwood.counting.engine import exponent_for
from clearwood.errors import LearningError
from clearwood.learners.directions import MonotoneLimits
from clearwood.learners.learner import TreeLearner
from clearwood.learners.training import class_weights, decision_of, origin_of, scoring_factors, usable_rows
from clearwood.measures import IMPURITIES
from clearwood.measures.inference import ConfidenceTable
from clearwood.models.decision import Decision
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import Origin
from clearwood.records import dataclass
from clearwood.registry import Letter
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.folding import places_of_sums, rows_by_content
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table, empty_cells


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """The rows that count, how counts become an answer, and what a class weighs while splits are scored.

    `factors` [class] is empty where nothing steers the splits.
    """

    rows: Table
    decision: Decision
    factors: Floats
    score_names: tuple[str, ...]
    measure: str
    origin: Origin

    def tree(self, nodes: Nodes) -> Tree:
        """The tree of the nodes that were grown from these rows."""
        return Tree(
            self.rows.schema,
            nodes,
            self.score_names,
            self.decision,
            self.origin,
            answers="median" if self.measure == "absolute" else "shares",
            measure=self.measure,
        )


def prepare(learner: TreeLearner, table: Table) -> Prepared:
    """What a learner grows its tree from."""
    rows = usable_rows(learner, table)
    weights = class_weights(rows)
    decision = decision_of(rows.schema, weights, learner.priors, learner.costs)
    steering = steering_of(learner, decision)
    factors = scoring_factors(steering, weights) if steering != Decision() else np.empty(0)
    if isinstance(rows.schema.target, Numeric) or not units_settle_sums(rows, factors):
        rows = rows_to_add_up(rows)
    measure = learner.measure_for(rows.schema)
    return Prepared(rows, decision, factors, learner.score_names, measure, origin_of(learner, table))


def rows_to_add_up(rows: Table, tested: Collection[str] | None = None) -> Table:
    """The rows in an order of their own where parts of rows may be added up, whose sum depends on the order
    in its last digit: parts by weight, or by an empty cell, which is divided among branches. Where it is
    known which inputs are `tested`, only these are moved, and kept."""
    named = [each.name for each in rows.schema.inputs if not isinstance(each, Text)]
    asked = named if tested is None else tested
    divided = any(empty_cells(np.asarray(rows.columns[name])).any() for name in asked)
    places = rows_by_content(rows) if divided else places_of_sums(rows)
    if places is None:
        return rows
    if tested is not None and rows.schema.target is not None:
        kept = (*tested, rows.schema.target.name)
        rows = replace(rows, columns={name: rows.columns[name] for name in kept}, checked=True)
    return rows.take(places)


def steering_of(learner: TreeLearner, decision: Decision) -> Decision:
    """The part of a decision that weighs rows while this learner's splits are scored."""
    return Decision(
        decision.factors if "priors" in learner.steered_by else (),
        decision.costs if "costs" in learner.steered_by else (),
    )


def fitting_measure(measure: str, allowed: Sequence[str], *, numeric: bool) -> str:
    """The measure that "auto" stands for, and a sentence where measure and target don't fit."""
    if measure == "auto":
        return "squared" if numeric else "gini"
    if measure not in allowed:
        raise LearningError(
            f"The measure '{measure}' does not fit a {'numeric' if numeric else 'nominal'} target. "
            f"Choose from: {', '.join(allowed)}."
        )
    return measure


# Settings that tree learners share, each declared once with its bound and its meaning.


ImpurityName: TypeAlias = Annotated[str, OneWord(lambda: tuple(IMPURITIES)), "What makes a node impure."]
MaxDepth: TypeAlias = Annotated[
    int | None, Whole(0), Letter("max_depth"), "Most splits from the root to a leaf; none: no limit."
]
MinRows: TypeAlias = Annotated[
    float, Least(0), Letter("min_rows"), "Least weight of the rows of a node that is split."
]
MinLeaf: TypeAlias = Annotated[float, Least(0), Letter("min_leaf"), "Least weight of rows in a leaf."]
Confidence: TypeAlias = Annotated[
    float, Within(0, 1), Letter("CF"), "Smaller prunes more: the confidence in the training errors."
]
QuantileTable: TypeAlias = Annotated[
    ConfidenceTable, "normal: exact quantiles; quinlan: the table of his program."
]
RaiseSubtrees: TypeAlias = Annotated[bool, "In pruning, a branch may replace its parent."]
GroupValues: TypeAlias = Annotated[bool, "Let a branch have several values of a nominal column."]
OrdinalAs: TypeAlias = Annotated[
    Literal["values", "cut"], "values: a branch for each; cut: two branches, low and high."
]


# The way to the native growers and back: columns out, a tree's columns in.


NATIVE_MEASURES = frozenset({"gini", "entropy", "error", "squared", "absolute"})


@dataclass(frozen=True, slots=True, eq=False)
class SplitColumns:
    """A table's columns as the native code wants them, and how to read its answer in the schema's terms."""

    schema: Schema
    positions: tuple[int, ...]  # [column] its place in the schema
    arrays: list[Column]  # float32, float64 or int32 codes
    values: list[int]  # [column] how many codes; 0 for numbers
    steps: frozenset[int]  # schema positions of attributes that went as steps of a ladder

    def nodes(self, grown: dict[str, Any]) -> Nodes:
        """The native answer with schema positions, sets for ordered values, given cuts for their steps."""
        grown = by_schema_position(grown, self.positions)
        if len(grown["s_attribute"]):
            grown["s_attribute"] = np.array(self.positions, dtype=np.int32)[grown["s_attribute"]]
            # Summed in two orders, the rows that agree can weigh a rounding more than all rows.
            grown["s_agreement"] = np.minimum(grown["s_agreement"], 1.0)
        for position in sorted(self.steps):
            attribute = self.schema.attributes[position]
            if isinstance(attribute, Numeric):
                _steps_to_cuts(grown, position, attribute)
            elif isinstance(attribute, Ordinal):
                _steps_to_sets(grown, position, attribute)
        return Nodes(**grown)


def by_schema_position(grown: dict[str, Any], positions: Sequence[int]) -> dict[str, Any]:
    """A native answer with its columns by their place in the schema; −1, the root's, stays −1."""
    place = np.array([*positions, -1], dtype=np.int32)
    return {**grown, "attribute": place[np.asarray(grown["attribute"])]}


def split_columns(table: Table, ordinal: OrdinalAs) -> SplitColumns:
    """Every column a tree can ask about: numbers as they are, codes, or the steps of an ordered attribute."""
    positions, arrays, values, steps = [], [], [], set()
    for position, attribute in enumerate(table.schema.attributes):
        match attribute:
            case Numeric() if attribute.cuts:
                arrays.append(numbers_of(attribute, table.columns[attribute.name]).astype(np.float32))
                values.append(0)
                steps.add(position)
            case Numeric():
                arrays.append(table.columns[attribute.name])
                values.append(0)
            case Ordinal(_, names) if ordinal == "cut":
                codes = table.columns[attribute.name]
                arrays.append(np.where(codes < 0, np.nan, codes).astype(np.float32))
                values.append(0)
                steps.add(position)
            case Nominal(_, names) | Ordinal(_, names):
                arrays.append(table.columns[attribute.name])
                values.append(len(names))
            case Text() | Ignored():
                continue
            case _:
                assert_never(attribute)
        positions.append(position)
    return SplitColumns(table.schema, tuple(positions), arrays, values, frozenset(steps))


def grow_native(
    routine: Callable[..., dict[str, Any]],
    table: Table,
    factors: Floats,
    *,
    ordinal: OrdinalAs = "values",
    limits: MonotoneLimits | None = None,
    **settings: Any,
) -> Nodes:
    """Call one of the native growers on a table without zero weights; `factors` [class], empty for none."""
    columns = split_columns(table, ordinal)
    if limits is not None:
        settings["signs"] = [limits.signs[position] for position in columns.positions]
        settings["margin"] = limits.margin
    classes = len(table.schema.classes)
    target = table.target if classes else np.ascontiguousarray(table.target, dtype=np.float64)
    weights = table.weights
    if units_settle_sums(table, factors):
        settings["units"] = 2.0 ** exponent_for(np.ones(len(table)) if weights is None else weights)
    grown = routine(columns.arrays, columns.values, classes, target, weights, factors.tolist(), **settings)
    return columns.nodes(grown)


def units_settle_sums(table: Table, factors: Floats) -> bool:
    """Are all rows whole, and none weighed by a factor, so that only parts of rows need to be rounded?"""
    return not len(factors) and (
        table.weights is None or bool((table.weights == np.floor(table.weights)).all())
    )


def _steps_to_cuts(grown: dict[str, Any], position: int, attribute: Numeric) -> None:
    cuts = np.asarray(attribute.cuts)
    for bound in ("low", "high"):
        here = (grown["attribute"] == position) & np.isfinite(grown[bound])
        step = np.where(here, np.floor(grown[bound]), 0).astype(np.int64)
        grown[bound] = np.where(here, cuts[step], grown[bound])
    stands_in = grown["s_attribute"] == position
    limit = np.where(stands_in, np.floor(grown["s_limit"]), 0).astype(np.int64)
    grown["s_limit"] = np.where(stands_in, cuts[limit], grown["s_limit"])


def _steps_to_sets(grown: dict[str, Any], position: int, attribute: Ordinal) -> None:
    """Intervals of steps become sets of codes: a branch holds every declared value on its side."""
    codes = np.arange(len(attribute.values), dtype=np.int32)
    sets = np.split(grown["set_codes"], grown["set_start"][1:-1])
    for node in np.flatnonzero(grown["attribute"] == position).tolist():
        low, high = float(grown["low"][node]), float(grown["high"][node])
        taken = (codes > np.floor(low)) & (codes <= np.floor(high))
        sets[node] = codes[taken] if low != np.inf else codes[:0]
        grown["low"][node], grown["high"][node] = -np.inf, np.inf
    grown["set_codes"], grown["set_start"] = np.concatenate(sets), _starts(sets)
    surrogates = np.flatnonzero(grown["s_attribute"] == position).tolist()
    if not surrogates:
        return
    sets = np.split(grown["s_set_codes"], grown["s_set_start"][1:-1])
    firsts = (grown["s_set_split"] - grown["s_set_start"][:-1]).tolist()
    for each in surrogates:
        below = int(np.floor(grown["s_limit"][each])) + 1
        sets[each], firsts[each] = codes, below
        grown["s_limit"][each] = 0.0
    grown["s_set_codes"], grown["s_set_start"] = np.concatenate(sets), _starts(sets)
    grown["s_set_split"] = grown["s_set_start"][:-1] + np.asarray(firsts, dtype=np.int64)


def _starts(sets: list[Any]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum([len(each) for each in sets])]).astype(np.int64)
