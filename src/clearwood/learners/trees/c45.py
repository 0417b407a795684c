"""C4.5, release 8: gain ratio with its guards, shares for missing values, error-based pruning."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

from clearwood import _native
from clearwood.counting.task import Task
from clearwood.learners.learner import Ask, Pruning, Steering
from clearwood.learners.trees import c45_definition
from clearwood.learners.trees.growing import prepare
from clearwood.learners.trees.native import grow_native
from clearwood.learners.trees.pruning.own import prune_grown
from clearwood.models.nodes import Floats, Nodes
from clearwood.models.plain import Plain
from clearwood.models.tree import Tree
from clearwood.registry import (
    Costs,
    Priors,
    at_least,
    between,
    costs_of,
    flag,
    one_of,
    priors_of,
    settle,
    whole_or_none,
)
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class C45:
    """One branch per value, or a cut; the best gain ratio among splits of at least average gain.

    With the defaults the tree is that of WEKA's J48 (-C 0.25 -M 2).
    """

    score_names: ClassVar[tuple[str, ...]] = ("gain", "gain_ratio")
    learns_numbers: ClassVar[bool] = False
    sums_numbers: ClassVar[bool] = False
    steered_by: ClassVar[Steering] = ("priors",)

    confidence: float = 0.25
    min_rows: float = 2
    prune: bool = True
    collapse: bool = True
    raise_subtrees: bool = True
    group_values: bool = False
    ordinal: Literal["values", "cut"] = "values"
    threshold: Literal["data", "midpoint"] = "data"
    confidence_table: Literal["normal", "quinlan"] = "normal"
    min_gap: float = 1e-5
    max_depth: int | None = None
    priors: Priors = None
    costs: Costs = None

    def __post_init__(self) -> None:
        settle(
            self,
            confidence=between("confidence", self.confidence, 0, 1),
            min_rows=at_least("min_rows", self.min_rows, 0),
            prune=flag("prune", self.prune),
            collapse=flag("collapse", self.collapse),
            raise_subtrees=flag("raise_subtrees", self.raise_subtrees),
            group_values=flag("group_values", self.group_values),
            ordinal=one_of("ordinal", self.ordinal, ("values", "cut")),
            threshold=one_of("threshold", self.threshold, ("data", "midpoint")),
            confidence_table=one_of("confidence_table", self.confidence_table, ("normal", "quinlan")),
            min_gap=at_least("min_gap", self.min_gap, 0),
            max_depth=whole_or_none("max_depth", self.max_depth, 0),
            priors=priors_of(self.priors),
            costs=costs_of(self.costs),
        )

    def learn(self, table: Table) -> Tree:
        return prune_grown(self.grow(table), self.prunings(), table, self.grow)

    def prunings(self) -> tuple[Pruning, ...]:
        collapsing = (Pruning("collapse"),) if self.collapse else ()
        if not self.prune:
            return collapsing
        how: dict[str, Plain] = {
            "confidence": self.confidence,
            "raise_subtrees": self.raise_subtrees,
            "confidence_table": self.confidence_table,
        }
        return (*collapsing, Pruning("error_based", how))

    def measure_for(self, table: Table) -> str:  # noqa: ARG002 (the same for every target)
        return "entropy"

    def grow(self, table: Table) -> Tree:
        ready = prepare(self, table)
        return ready.tree(self.grow_nodes(ready.rows, ready.factors))

    def grow_nodes(self, rows: Table, factors: Floats) -> Nodes:
        """The nodes for rows that all have weight and a target; `factors` [class], empty for none."""
        return grow_native(
            _native.grow_c45,
            rows,
            factors,
            ordinal=self.ordinal,
            min_rows=self.min_rows,
            max_depth=-1 if self.max_depth is None else self.max_depth,
            group_values=self.group_values,
            threshold_from_data=self.threshold == "data",
            min_gap=self.min_gap,
        )

    def asker(self, task: Task) -> Ask:
        return partial(c45_definition.ask, self, task)
