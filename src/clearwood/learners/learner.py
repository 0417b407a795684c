"""What a learner is: settings that turn a table into a model; and what growing asks of one of trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias, TypeVar

from clearwood.errors import SettingError
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import Plain
from clearwood.records import dataclass
from clearwood.registry import Costs, Priors
from clearwood.table.schema import Schema
from clearwood.table.table import Table

if TYPE_CHECKING:  # only a definition counts: a native learner starts without its measures
    from clearwood.counting.engine import Frontier
    from clearwood.counting.question import Question
    from clearwood.learners.trees.counted import Region, TreeTask
    from clearwood.learners.trees.pruning.weakest_links import CostComplexityPath, CrossValidatedAlpha

# The questions of a frontier's regions, in their order; None for a leaf.
SplitChooser: TypeAlias = "Callable[[Frontier, Sequence[Region]], list[Question | None]]"
Grow: TypeAlias = Callable[[Table], Tree]
PricesTried: TypeAlias = "CostComplexityPath | CrossValidatedAlpha"
Steering: TypeAlias = tuple[Literal["priors", "costs"], ...]


M_co = TypeVar("M_co", covariant=True)


def check_learner(name: str, value: Any, kind: str = "a learner") -> Any:
    """A setting that must be a learner, not its class."""
    if not callable(getattr(value, "learn", None)) or isinstance(value, type):
        raise SettingError(f"{name} must be {kind}, such as C45(), not {value!r}.")
    return value


class Learner(Protocol[M_co]):
    """Whatever learns a model from a table: `Learner[Tree]`, `Learner[RuleList]`, …"""

    def learn(self, table: Table) -> M_co: ...


@dataclass(frozen=True, slots=True)
class OwnPruning:
    """A pruning that a learner of trees does itself: the pruner's name, and its settings.

    >>> OwnPruning("cost-complexity", {"alpha": 0.01}).settings["alpha"]
    0.01
    """

    pruner: str
    settings: Mapping[str, Plain] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OwnPruner:
    """`prune` takes the grown tree, its rows, what grows a tree from other rows, and the settings.

    So do `steps` ("module:function" in a higher room), which makes a derivation's steps, and `prices`, which
    gives the prices of a leaf from which one was taken. Without `steps` they are those of the listed pruner
    of the same name; without `prices` leaves have none.
    """

    prune: Callable[[Tree, Table, Grow, Mapping[str, Any]], Tree]
    steps: str = ""
    prices: Callable[[Tree, Table, Grow, Mapping[str, Any]], PricesTried] | None = None


class TreeLearner(Learner[Tree], Protocol):
    """A learner of trees: a dataclass, which declares here what is its own.

    `steered_by` names what weighs the rows while splits are scored; the answers follow both anyway.
    `sums_numbers`: are three sums all that it needs to know of numbers?
    """

    score_names: ClassVar[tuple[str, ...]]
    learns_numbers: ClassVar[bool]
    steered_by: ClassVar[Steering]
    sums_numbers: ClassVar[bool]

    @property
    def max_depth(self) -> int | None: ...
    @property
    def min_rows(self) -> float: ...
    @property
    def priors(self) -> Priors: ...
    @property
    def costs(self) -> Costs: ...

    def grow(self, table: Table) -> Tree:
        """The tree before any pruning."""

    def prunings(self) -> tuple[OwnPruning, ...]:
        """What the learner itself prunes once the tree is grown, in order."""

    def measure_for(self, schema: Schema) -> str:
        """The measure of a region's rows, by its name in `clearwood.measures`."""

    def split_chooser(self, task: TreeTask) -> SplitChooser:
        """The function by which the learner's definition chooses the splits of a level."""


@dataclass(frozen=True, slots=True)
class Unpruned:
    """A learner of trees that leaves out what this one prunes itself."""

    learner: TreeLearner

    def learn(self, table: Table) -> Tree:
        return self.learner.grow(table)
