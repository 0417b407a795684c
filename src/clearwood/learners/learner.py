"""What a learner is: settings that turn a table into a model; and what growing asks of one of trees."""

from __future__ import annotations

from typing import ClassVar, Literal, Protocol, TypeAlias, TypeVar

from clearwood.models.nodes import Floats, Nodes
from clearwood.models.tree import Tree
from clearwood.registry import Costs, Priors
from clearwood.table.table import Table

Steering: TypeAlias = tuple[Literal["priors", "costs"], ...]


M_co = TypeVar("M_co", covariant=True)


class Learner(Protocol[M_co]):
    """Whatever learns a model from a table: `Learner[Tree]`, `Learner[RuleList]`, …"""

    def learn(self, table: Table) -> M_co: ...


class TreeLearner(Learner[Tree], Protocol):
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
