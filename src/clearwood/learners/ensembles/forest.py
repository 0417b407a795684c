"""Forest: many trees on drawn rows, and at each node on drawn columns (Breiman 2001; Geurts et al. 2006)."""

import math
from dataclasses import replace
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np

from clearwood.bounds import OneWord, Whole, Within
from clearwood.counting.coding import on_ladders
from clearwood.errors import LearningError
from clearwood.learners.class_order import by_name, classes_in_turn, with_classes_of
from clearwood.learners.ensembles.forest_task import ForestTask, check_more, forest_answers, grow
from clearwood.learners.ensembles.members import MinValue, check_combined
from clearwood.learners.learner import Steering
from clearwood.learners.training import class_weights, decision_of, origin_of, scoring_factors, usable_rows
from clearwood.learners.trees.growing import MaxDepth, MinLeaf, MinRows, fitting_measure
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.records import dataclass
from clearwood.registry import CheckedSettings, Costs, Letter, Priors
from clearwood.table.attributes import Numeric
from clearwood.table.folding import rows_by_content
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
class Forest(CheckedSettings):
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
    min_leaf: MinLeaf = 1.0
    min_value: MinValue = 3.0
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

    @classes_in_turn
    def learn(self, table: Table) -> Ensemble:
        rows = usable_rows(self, table)
        check_combined(self.combine, rows)
        decision = decision_of(rows.schema, class_weights(rows), self.priors, self.costs)
        grown = grow(self.task(rows, decision), decision)
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
        task = self.task(rows, forest.decision)
        before = forest_answers(forest, rows, task) if self.out_of_bag and task.part < 1 else None
        grown = grow(task, forest.decision, first=forest.size, before=before)
        trees = joined_trees(
            [*forest.trees, *grown.trees], forest.trees.answers, measure=forest.trees.measure
        )
        curves = tuple(
            replace(old, values=old.values + new.values)
            for old, new in zip(forest.curves, grown.curves, strict=False)
        )
        origin = origin_of(replace(self, trees=forest.size + self.trees), table).then(*grown.ended)
        return with_classes_of(replace(forest, trees=trees, curves=curves, origin=origin), table.schema)

    def task(self, rows: Table, decision: Decision) -> ForestTask:
        """What every tree is grown from: rows with weight and target, and the settings for them."""
        numeric = isinstance(rows.schema.target, Numeric)
        coded = on_ladders(rows)
        width = len(coded.columns)
        drawn = self.columns or max(1, width if numeric else math.isqrt(width))
        if drawn > max(width, 1):
            raise LearningError(
                f"columns = {drawn} are drawn at each node, and the table has {width} that trees can "
                "ask about. Give a smaller number."
            )
        allowed = MEASURES_OF_NUMBERS if numeric else MEASURES_OF_CLASSES
        return ForestTask(
            self,
            coded,
            rows.schema.classes,
            np.ascontiguousarray(rows.target, dtype=np.float64 if numeric else np.int32),
            rows.weights,
            rows_by_content(rows),
            np.empty(0) if decision == Decision() else scoring_factors(decision, class_weights(rows)),
            fitting_measure(self.measure, allowed, numeric=numeric),
            drawn,
        )
