"""ID3: one branch per value, by information gain (Quinlan 1986)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar

from clearwood import _native
from clearwood.bounds import Least
from clearwood.learners.learner import OwnPruning, SplitChooser, Steering
from clearwood.learners.trees import id3_definition
from clearwood.learners.trees.counted import TreeTask
from clearwood.learners.trees.growing import ImpurityName, MaxDepth, MinLeaf, MinRows, prepare
from clearwood.learners.trees.growing_by_counts import nodes_by_counts
from clearwood.learners.trees.native import NATIVE_MEASURES, grow_native
from clearwood.models.kinds.tree.tree import Tree
from clearwood.registry import Costs, Letter, Priors, check
from clearwood.table.schema import Schema
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ID3:
    """One branch per value of a nominal attribute, used once on a path; a numeric one is split repeatedly.

    Missing is a value of its own. A value that a split has no branch for goes down every branch by its share.
    """

    score_names: ClassVar[tuple[str, ...]] = ("gain",)
    learns_numbers: ClassVar[bool] = False
    sums_numbers: ClassVar[bool] = False
    steered_by: ClassVar[Steering] = ("priors",)

    measure: ImpurityName = "entropy"
    max_depth: MaxDepth = None
    min_rows: MinRows = 2
    min_leaf: MinLeaf = 1
    min_gain: Annotated[
        float | None,
        Least(0),
        Letter("min_gain"),
        "A split must gain more than this; none: nodes are split until they are pure.",
    ] = None
    priors: Priors = None
    costs: Costs = None

    def __post_init__(self) -> None:
        check(self)

    def learn(self, table: Table) -> Tree:
        return self.grow(table)

    def measure_for(self, schema: Schema) -> str:  # noqa: ARG002 (the same for every target)
        return self.measure

    def prunings(self) -> tuple[OwnPruning, ...]:
        return ()

    def grow(self, table: Table) -> Tree:
        ready = prepare(self, table)
        if self.measure not in NATIVE_MEASURES:
            return ready.tree(nodes_by_counts(self, ready.rows))
        nodes = grow_native(
            _native.grow_id3,
            ready.rows,
            ready.factors,
            measure=self.measure,
            max_depth=-1 if self.max_depth is None else self.max_depth,
            min_rows=self.min_rows,
            min_leaf=self.min_leaf,
            min_gain=id3_definition.gain_to_beat(self),
        )
        return ready.tree(nodes)

    def split_chooser(self, task: TreeTask) -> SplitChooser:  # noqa: ARG002 (its regions have it)
        return partial(id3_definition.choose_splits, self)
