"""C4.5, release 8: gain ratio with its guards, shares for missing values, error-based pruning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.bounds import Least
from clearwood.learners.directions import Directions, monotone_limits, with_directions
from clearwood.learners.learner import OwnPruning, SplitChooser, Steering
from clearwood.learners.training import native_settings
from clearwood.learners.trees.growing import (
    Confidence,
    GroupValues,
    MaxDepth,
    OrdinalAs,
    QuantileTable,
    RaiseSubtrees,
    grow_native,
    prepare,
)
from clearwood.learners.trees.pruning.own import LearnsTrees
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import Plain
from clearwood.records import dataclass
from clearwood.registry import Costs, Letter, OnlyWith, Priors
from clearwood.table.schema import Schema
from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood.learners.trees.counted import TreeTask


@dataclass(frozen=True, slots=True, kw_only=True)
class C45(LearnsTrees):
    """One branch per value, or a threshold; the best gain ratio among splits of at least average gain.

    With the defaults the tree is that of WEKA's J48 (-C 0.25 -M 2). With `monotone` no subtree is raised.
    """

    score_names: ClassVar[tuple[str, ...]] = ("gain", "gain_ratio")
    learns_numbers: ClassVar[bool] = False
    sums_numbers: ClassVar[bool] = False
    steered_by: ClassVar[Steering] = ("priors",)

    confidence: Annotated[Confidence, OnlyWith("prune", (True,), at_the_shell=True)] = 0.25
    min_rows: Annotated[
        float, Least(0), Letter("min_rows"), "Least weight of rows in at least two of a split's branches."
    ] = 2
    prune: Annotated[bool, "Prune by expected errors after growing."] = True
    collapse: Annotated[bool, "First turn subtrees into leaves if they make no fewer errors than a leaf."] = (
        True
    )
    raise_subtrees: Annotated[RaiseSubtrees, OnlyWith("prune", (True,), at_the_shell=True)] = True
    group_values: GroupValues = False
    ordinal: OrdinalAs = "values"
    threshold: Annotated[
        Literal["data", "midpoint"],
        "data: the largest value in the table below the midpoint; midpoint: the midpoint itself.",
    ] = "data"
    confidence_table: Annotated[QuantileTable, OnlyWith("prune", (True,), at_the_shell=True)] = "normal"
    min_gap: Annotated[float, Least(0), "No threshold separates numbers closer than this."] = 1e-5
    max_depth: MaxDepth = None
    monotone: Directions = None
    priors: Priors = None
    costs: Costs = None

    def prunings(self) -> tuple[OwnPruning, ...]:
        collapsing = (OwnPruning("collapse"),) if self.collapse else ()
        if not self.prune:
            return collapsing
        how: dict[str, Plain] = {
            "confidence": self.confidence,
            # A raised subtree gets rows that it was not grown from, and so other probabilities.
            "raise_subtrees": self.raise_subtrees and not self.monotone,
            "confidence_table": self.confidence_table,
        }
        return (*collapsing, OwnPruning("error-based", how))

    def measure_for(self, schema: Schema) -> str:  # noqa: ARG002 (the same for every target)
        return "entropy"

    def grow(self, table: Table) -> Tree:
        self = with_directions(self, table)
        ready = prepare(self, table)
        return ready.tree(self.grow_nodes(ready.rows, ready.factors))

    def grow_nodes(self, rows: Table, factors: Floats) -> Nodes:
        """The nodes for rows that all have weight and a target; `factors` [class], empty for none."""
        return grow_native(
            _native.grow_c45,
            rows,
            factors,
            ordinal=self.ordinal,
            limits=monotone_limits(self, rows),
            threshold_from_data=self.threshold == "data",
            **native_settings(self, "min_rows", "max_depth", "group_values", "min_gap"),
        )

    def split_chooser(self, task: TreeTask) -> SplitChooser:  # noqa: ARG002 (its regions have it)
        from clearwood.learners.trees import c45_definition  # late: the native tree needs none of it

        return lambda frontier, regions: [
            each.question for each in c45_definition.settle(self, frontier, regions)
        ]
