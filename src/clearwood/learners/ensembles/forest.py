"""Forest: many trees on drawn rows, and at each node on drawn columns (Breiman 2001; Geurts et al. 2006)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np

from clearwood.advice import Advice
from clearwood.arrays import Floats
from clearwood.bounds import Least, OneWord, Whole, Within
from clearwood.counting.coding import on_ladders
from clearwood.errors import LearningError
from clearwood.learners.class_order import by_name, classes_in_turn, with_classes_of
from clearwood.learners.ensembles.forest_task import ForestTask, check_more, forest_answers, grow
from clearwood.learners.learner import Steering
from clearwood.learners.training import decision_of, origin_of, scoring_factors, usable_rows
from clearwood.learners.trees.growing import MaxDepth, MinRows
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.records import dataclass
from clearwood.registry import Costs, Letter, Priors, check
from clearwood.table.attributes import Numeric
from clearwood.table.row_keys import rows_by_content
from clearwood.table.table import Table

# Of the registered measures those that the forest's own counting knows; the first of each is "auto".
MEASURES_OF_CLASSES: Final = ("gini", "entropy")
MEASURES_OF_NUMBERS: Final = ("squared",)
ForestMeasure: TypeAlias = Annotated[
    str,
    OneWord(lambda: ("auto", *MEASURES_OF_CLASSES, *MEASURES_OF_NUMBERS)),
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
        int | None, Whole(1), Letter("columns"),
        "Columns drawn at each node; none: the square root of their number, for numbers all of them.",
    ] = None  # fmt: skip
    rows: Annotated[
        float | Literal["bootstrap"],
        Within(0, 1, including_high=True),
        "bootstrap: as many rows as there are, with replacement; a number: this part of them, without.",
    ] = "bootstrap"
    max_depth: MaxDepth = None
    min_rows: MinRows = 2
    min_leaf: Annotated[
        float, Least(0), Letter("min_leaf"), "Least weight of rows in a leaf.",
    ] = 1.0  # fmt: skip
    min_value: Annotated[
        float,
        Least(0),
        "Rows of a nominal value at a node, at least; rarer ones follow the missing cells there.",
    ] = 3.0
    cuts: Annotated[
        Literal["best", "random"], "best: the best cut of a column; random: one drawn between its ends."
    ] = "best"
    measure: ForestMeasure = "auto"
    combine: Annotated[
        Literal["mean", "votes"], "mean: of the trees' probabilities; votes: each tree votes for a class."
    ] = "mean"
    out_of_bag: Annotated[bool, "Keep the error on rows that a tree did not draw, by number of trees."] = True
    seed: Annotated[int, Whole(0), "The seed of random choices."] = 0
    priors: Priors = None
    costs: Costs = None

    def __post_init__(self) -> None:
        check(self)

    @classes_in_turn
    def learn(self, table: Table) -> Ensemble:
        rows = usable_rows(self, table)
        if self.combine == "votes" and isinstance(rows.schema.target, Numeric):
            raise LearningError(
                "Votes are for classes, and this target is a number. Use ",
                Advice("combine", "mean", setting=True),
                ".",
            )
        weights = class_weights(rows)
        decision = decision_of(rows.schema, weights, self.priors, self.costs)
        grown = grow(self, self.task(rows, decision, weights), decision, self.trees)
        return Ensemble(
            rows.schema,
            grown.trees,
            combined_by=self.combine,
            curves=grown.curves,
            decision=decision,
            origin=origin_of(self, table).then(*grown.ended),
        )

    def learn_more(self, forest: Ensemble, table: Table) -> Ensemble:
        """The forest of the same rows with so many trees more (`trees`): the one learned with all at once.

        >>> from clearwood import datasets, read_table
        >>> table = read_table(datasets.path("tennis"), target="PlayTennis")
        >>> Forest(trees=20).learn_more(Forest(trees=10).learn(table), table)
        <Ensemble Forest: 30 members>
        """
        check_more(forest, origin_of(self, table))
        rows = usable_rows(self, by_name(table))
        forest = with_classes_of(forest, rows.schema)
        assert forest.trees is not None
        weights = class_weights(rows)
        task = self.task(rows, forest.decision, weights)
        before = forest_answers(forest, rows, task) if self.out_of_bag and task.part < 1 else None
        grown = grow(self, task, forest.decision, self.trees, first=forest.size, before=before)
        trees = joined_trees(
            [*forest.trees, *grown.trees], forest.trees.answers, measure=forest.trees.measure
        )
        curves = tuple(
            replace(old, values=old.values + new.values)
            for old, new in zip(forest.curves, grown.curves, strict=False)
        )
        origin = origin_of(replace(self, trees=forest.size + self.trees), table).then(*grown.ended)
        return with_classes_of(replace(forest, trees=trees, curves=curves, origin=origin), table.schema)

    def task(self, rows: Table, decision: Decision, class_weights: Floats) -> ForestTask:
        """What every tree is grown from: rows with weight and target, and the settings for them."""
        numeric = isinstance(rows.schema.target, Numeric)
        coded = on_ladders(rows)
        width = len(coded.columns)
        default = max(1, width if numeric else math.isqrt(width))
        if self.columns is not None and self.columns > max(width, 1):
            raise LearningError(
                f"columns = {self.columns} are drawn at each node, and the table has {width} that trees can "
                "ask about. Give a smaller number."
            )
        return ForestTask(
            coded=coded,
            class_names=rows.schema.classes,
            target=np.ascontiguousarray(rows.target, dtype=np.float64 if numeric else np.int32),
            weights=rows.weights,
            order=rows_by_content(rows),
            factors=scoring_factors(decision, class_weights) if decision != Decision() else np.empty(0),
            measure=self.measure_of(numeric=numeric),
            drawn_columns=default if self.columns is None else self.columns,
            part=0.0 if isinstance(self.rows, str) else float(self.rows),
            random_cuts=self.cuts == "random",
            max_depth=-1 if self.max_depth is None else self.max_depth,
            min_rows=self.min_rows,
            min_leaf=float(self.min_leaf),
            min_value=float(self.min_value),
            seed=self.seed,
        )

    def measure_of(self, *, numeric: bool) -> str:
        """The measure that "auto" stands for, and a sentence where measure and target don't fit."""
        allowed = MEASURES_OF_NUMBERS if numeric else MEASURES_OF_CLASSES
        if self.measure == "auto":
            return allowed[0]
        if self.measure not in allowed:
            raise LearningError(
                f"The measure '{self.measure}' does not fit a {'numeric' if numeric else 'nominal'} target. "
                f"Choose from: {', '.join(allowed)}."
            )
        return self.measure


def class_weights(table: Table) -> Floats:
    """[class] the weight of its rows; none of a number."""
    if isinstance(table.schema.target, Numeric):
        return np.empty(0)
    classes = len(table.schema.classes)
    return np.bincount(table.target, weights=table.weights, minlength=classes).astype(np.float64)
