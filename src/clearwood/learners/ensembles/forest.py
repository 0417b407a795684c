"""Forest: many trees, each on drawn rows and at each node on drawn columns (Breiman 2001; Geurts et al. 2006)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.bounds import Least, OneWord, Whole, Within
from clearwood.errors import LearningError
from clearwood.learners.decision import decision_of, scoring_factors
from clearwood.learners.ensembles.forest_task import ForestTask, forest_columns
from clearwood.learners.learner import Steering
from clearwood.learners.origin_of import origin_of
from clearwood.learners.trees.settings import MaxDepth, MinRows
from clearwood.learners.usable_rows import usable_rows
from clearwood.measures.counts import Floats
from clearwood.models.decision import Decision
from clearwood.models.ensemble import Ensemble, LearningCurve
from clearwood.models.many_trees import Trees
from clearwood.models.nodes import Nodes
from clearwood.registry import Costs, Letter, Priors, check
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

Measure: TypeAlias = Annotated[
    str,
    OneWord(lambda: ("auto", "gini", "entropy", "squared")),
    "What makes a node impure; squared is for numbers, auto is gini or squared.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """Unpruned trees whose answers are averaged.

    Each tree learns from as many rows as there are, drawn with replacement, or from a part of them. At each
    node `columns` columns are drawn, and more until one of them can split; missing cells follow the branch
    in which they lower the impurity more. `cuts` "random" draws one cut per column instead of searching for
    the best. The rows a tree did not draw give the out-of-bag error, at no cost of rows to learn from.
    """

    learns_numbers: ClassVar[bool] = True
    steered_by: ClassVar[Steering] = ("priors", "costs")

    trees: Annotated[int, Whole(1, 100_000), "Number of trees."] = 100
    columns: Annotated[
        int | None, Whole(1), Letter("m"),
        "Columns drawn at each node; none: the square root of their number, for numbers a third.",
    ] = None  # fmt: skip
    rows: Annotated[
        float | Literal["bootstrap"],
        Within(0, 1, including_high=True),
        "bootstrap: as many rows as there are, with replacement; a number: this part of them, without.",
    ] = "bootstrap"
    max_depth: MaxDepth = None
    min_rows: MinRows = 2
    min_leaf: Annotated[
        float | None, Least(0), Letter("min_leaf"),
        "Least weight of rows in a leaf; none: 1, for numbers 5.",
    ] = None  # fmt: skip
    cuts: Annotated[
        Literal["best", "random"], "best: the best cut of a column; random: one drawn between its ends."
    ] = "best"
    measure: Measure = "auto"
    combine: Annotated[
        Literal["mean", "votes"], "mean: of the trees' shares; votes: each tree votes for a class."
    ] = "mean"
    out_of_bag: Annotated[bool, "Keep the error on rows that a tree did not draw, by number of trees."] = True
    seed: Annotated[int, Whole(0), "The seed of random choices."] = 0
    priors: Priors = None
    costs: Costs = None

    def __post_init__(self) -> None:
        check(self)

    def learn(self, table: Table) -> Ensemble:
        rows = usable_rows(self, table)
        numeric = isinstance(rows.schema.target, Numeric)
        if numeric and self.combine == "votes":
            raise LearningError("Votes are for classes; the trees' numbers are combined by their mean.")
        weights = _class_weights(rows)
        decision = decision_of(rows.schema, weights, self.priors, self.costs)
        task = self.task(rows, decision, weights)
        trees, curves = grow(self, task, decision)
        return Ensemble(
            rows.schema,
            trees,
            combined_by=self.combine,
            curves=curves,
            decision=decision,
            origin=origin_of(self, table),
        )

    def task(self, rows: Table, decision: Decision, class_weights: Floats) -> ForestTask:
        """What every tree is grown from: rows with weight and target, and the settings for them."""
        numeric = isinstance(rows.schema.target, Numeric)
        columns = forest_columns(rows)
        width = len(columns)
        default = max(1, width // 3 if numeric else math.isqrt(width))
        if self.columns is not None and self.columns > max(width, 1):
            raise LearningError(
                f"columns = {self.columns} are drawn at each node, and the table has {width} that trees can "
                "ask about. Give a smaller number."
            )
        return ForestTask(
            columns=columns,
            classes=len(rows.schema.classes),
            target=np.ascontiguousarray(rows.target, dtype=np.float64 if numeric else np.int32),
            weights=rows.weights,
            factors=scoring_factors(decision, class_weights) if decision != Decision() else np.empty(0),
            measure=self.measure_of(numeric=numeric),
            drawn_columns=default if self.columns is None else self.columns,
            part=0.0 if isinstance(self.rows, str) else float(self.rows),
            random_cuts=self.cuts == "random",
            max_depth=-1 if self.max_depth is None else self.max_depth,
            min_rows=self.min_rows,
            min_leaf=(5.0 if numeric else 1.0) if self.min_leaf is None else self.min_leaf,
            seed=self.seed,
        )

    def measure_of(self, *, numeric: bool) -> str:
        """The measure that "auto" stands for, and a sentence where measure and target don't fit."""
        allowed = ("squared",) if numeric else ("gini", "entropy")
        if self.measure == "auto":
            return allowed[0]
        if self.measure not in allowed:
            raise LearningError(
                f"The measure '{self.measure}' does not fit a {'numeric' if numeric else 'nominal'} target. "
                f"Choose from: {', '.join(allowed)}."
            )
        return self.measure


def grow(learner: Forest, task: ForestTask, decision: Decision) -> tuple[Trees, tuple[LearningCurve, ...]]:
    """The trees by native code, and the out-of-bag curve."""
    grown = _native.grow_forest(
        [each.cells for each in task.columns],
        [each.values for each in task.columns],
        [each.levels for each in task.columns],
        [list(each.cuts) for each in task.columns],
        task.classes,
        task.target,
        task.weights,
        task.factors.tolist(),
        first=0,
        trees=learner.trees,
        measure=task.measure,
        drawn_columns=task.drawn_columns,
        part=task.part,
        random_cuts=task.random_cuts,
        max_depth=task.max_depth,
        min_rows=task.min_rows,
        min_leaf=task.min_leaf,
        seed=task.seed,
        out_of_bag=learner.out_of_bag and task.part < 1,
        by_votes=learner.combine == "votes",
        priors=list(decision.factors),
        costs=[cost for row in decision.costs for cost in row],
        sums_before=None,
        size_before=None,
    )
    start, wrong, whole = grown.pop("start"), grown.pop("wrong"), grown.pop("all")
    del grown["sums"], grown["size"]
    place = np.array([*(each.position for each in task.columns), -1], dtype=np.int32)
    grown["attribute"] = place[grown["attribute"]]
    size = len(grown["parent"])
    nothing = np.empty(0)
    grown |= dict.fromkeys(
        ("s_attribute", "s_limit", "s_branch", "s_agreement", "s_set_split", "s_set_codes"), nothing
    )
    grown |= {"scores": np.empty((size, 0)), "s_start": np.zeros(size + 1, np.int64), "s_set_start": np.zeros(1)}
    trees = Trees(
        Nodes(**grown),
        start,
        np.zeros(learner.trees, dtype=np.int32),
        "shares" if task.classes else "mean",
        measure=task.measure,
    )
    return trees, _curve(wrong, whole, numeric=not task.classes)


def _curve(wrong: Floats, whole: Floats, *, numeric: bool) -> tuple[LearningCurve, ...]:
    """The error by number of trees; before a row was out of bag, that of the first tree that left one."""
    met = whole > 0
    if not met.any():
        return ()
    values = np.where(met, wrong / np.where(met, whole, 1.0), wrong[met][0] / whole[met][0])
    score = "squared error" if numeric else "error"
    return (LearningCurve(score, "out-of-bag rows", tuple(values.tolist())),)


def _class_weights(table: Table) -> Floats:
    if isinstance(table.schema.target, Numeric):
        return np.empty(0)
    classes = len(table.schema.classes)
    return np.bincount(table.target, weights=table.weights, minlength=classes).astype(np.float64)
