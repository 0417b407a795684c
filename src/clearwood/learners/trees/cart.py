"""CART: binary splits for classes and numbers, surrogates, cost-complexity pruning (Breiman et al. 1984)."""

from dataclasses import replace
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.bounds import Least, OneWord, Whole
from clearwood.learners.class_order import by_name
from clearwood.learners.directions import Directions, monotone_limits, with_directions
from clearwood.learners.learner import OwnPruning, SplitChooser, Steering
from clearwood.learners.training import native_settings
from clearwood.learners.trees import cart_definition
from clearwood.learners.trees.counted import TreeTask
from clearwood.learners.trees.growing import (
    NATIVE_MEASURES,
    MaxDepth,
    MinLeaf,
    MinRows,
    fitting_measure,
    grow_native,
    prepare,
)
from clearwood.learners.trees.growing_by_counts import nodes_by_counts
from clearwood.learners.trees.pruning.own import LearnsTrees
from clearwood.measures import ERRORS, IMPURITIES
from clearwood.models.kinds.tree.tree import Tree
from clearwood.records import dataclass
from clearwood.registry import Costs, Letter, OnlyWith, Priors
from clearwood.table.attributes import Numeric
from clearwood.table.folding import places_by_name
from clearwood.table.schema import Schema
from clearwood.table.table import Table

Measure: TypeAlias = Annotated[
    str,
    OneWord(lambda: ("auto", *IMPURITIES, *ERRORS)),
    "What makes a node impure; squared and absolute are for numbers, auto is gini or squared.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CART(LearnsTrees):
    """Two branches: a threshold of a numeric or ordinal attribute, or two groups of nominal values.

    `measure` "auto" is Gini for classes and squared error for numbers. `alpha` prunes by
    cost-complexity: a number (the share of wrong answers, or mean error, that a leaf must save), "cv"
    (cross-validated) or "1se" (the smallest tree within one standard error of the best).
    """

    score_names: ClassVar[tuple[str, ...]] = ("decrease",)
    learns_numbers: ClassVar[bool] = True
    sums_numbers: ClassVar[bool] = True
    steered_by: ClassVar[Steering] = ("priors", "costs")

    measure: Measure = "auto"
    max_depth: MaxDepth = None
    min_rows: MinRows = 2
    min_leaf: MinLeaf = 1
    min_decrease: Annotated[
        float, Least(0), Letter("min_decrease"), "A split must lower the impurity by at least this much."
    ] = 0.0
    missing: Annotated[
        Literal["surrogates", "direction"],
        "surrogates: splits on other columns decide; direction: missing cells follow the better branch.",
    ] = "surrogates"
    surrogates: Annotated[int, Whole(0), "Number of surrogates kept for each split."] = 5
    min_value: Annotated[
        float, Least(0), "Rows of a nominal value at a node, at least; rarer ones go as unknown values do."
    ] = 0.0
    alpha: Annotated[
        float | Literal["cv", "1se"] | None,
        Least(0),
        Letter("α"),
        "Cost of a leaf; cv, 1se: chosen by cross-validation; none: no pruning.",
    ] = None
    folds: Annotated[
        int,
        Whole(2),
        OnlyWith("alpha", ("cv", "1se"), at_the_shell=True),
        "Folds of the cross-validation that chooses alpha.",
    ] = 10
    seed: Annotated[
        int, Whole(0), OnlyWith("alpha", ("cv", "1se"), harmless=True), "The seed by which folds are drawn."
    ] = 0
    monotone: Directions = None
    priors: Priors = None
    costs: Costs = None

    def prunings(self) -> tuple[OwnPruning, ...]:
        if self.alpha is None:
            return ()
        if not isinstance(self.alpha, str):
            return (OwnPruning("cost-complexity", {"alpha": self.alpha}),)
        rule = "min" if self.alpha == "cv" else "1se"
        return (OwnPruning("cross-validated", {"rule": rule, "folds": self.folds, "seed": self.seed}),)

    def measure_for(self, schema: Schema) -> str:
        return self.measure_of(numeric=isinstance(schema.target, Numeric))

    def measure_of(self, *, numeric: bool) -> str:
        """The measure that "auto" stands for, and a sentence where measure and target don't fit."""
        return fitting_measure(self.measure, tuple(ERRORS if numeric else IMPURITIES), numeric=numeric)

    def grow(self, table: Table) -> Tree:
        self = with_directions(self, table)
        ready = prepare(self, table)
        measure = self.measure_for(ready.rows.schema)
        if measure not in NATIVE_MEASURES:
            return ready.tree(nodes_by_counts(self, ready.rows))
        # Values are put in an order by a class's share, and those of equal shares stay as they are: so the
        # class must be the same one, however the classes are declared.
        places, rows = places_by_name(ready.rows.schema.classes), by_name(ready.rows)
        nodes = grow_native(
            _native.grow_cart,
            rows,
            ready.factors[np.argsort(places)] if len(ready.factors) else ready.factors,
            ordinal="cut",
            limits=monotone_limits(self, rows),
            measure=measure,
            missing_by_direction=self.missing == "direction",
            **native_settings(
                self, "max_depth", "min_rows", "min_leaf", "min_decrease", "surrogates", "min_value"
            ),
        )
        if rows is not ready.rows:
            nodes = replace(nodes, counts=np.ascontiguousarray(nodes.counts[:, places]))
        return ready.tree(nodes)

    def split_chooser(self, task: TreeTask) -> SplitChooser:  # noqa: ARG002 (its regions have it)
        return lambda frontier, regions: [
            each.question for each in cart_definition.settle(self, frontier, regions)
        ]
