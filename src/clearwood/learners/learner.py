"""What a learner is: settings that turn a table into a tree; and what the common steps ask of it."""

from __future__ import annotations

from typing import ClassVar, Literal, Protocol, TypeAlias

from clearwood.learners.settings import Costs, Priors
from clearwood.models.nodes import Floats, Nodes
from clearwood.models.tree import Tree
from clearwood.table.table import Table

Steering: TypeAlias = tuple[Literal["priors", "costs"], ...]


class Learner(Protocol):
    """Whatever learns a tree from a table."""

    def learn(self, table: Table) -> Tree: ...


class TreeLearner(Learner, Protocol):
    """A learner that grows its tree by `growing.grow`: a dataclass, which says here what is its own.

    `steered_by` names what weighs the rows while splits are scored; the answers follow both anyway.
    """

    score_names: ClassVar[tuple[str, ...]]
    learns_numbers: ClassVar[bool]
    steered_by: ClassVar[Steering]

    @property
    def max_depth(self) -> int | None: ...
    @property
    def min_rows(self) -> float: ...
    @property
    def priors(self) -> Priors: ...
    @property
    def costs(self) -> Costs: ...

    def measure_for(self, table: Table) -> str:
        """The measure of a region's rows, by its name in `clearwood.measures`."""

    def grow_nodes(self, rows: Table, factors: Floats) -> Nodes:
        """The whole tree for rows that all have weight and a target; `factors` [class], empty for none."""
