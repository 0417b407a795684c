"""CHAID: values merged by test, split by the smallest adjusted p (Kass 1980, Biggs et al. 1991)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from clearwood.counting.task import Task
from clearwood.errors import SettingError
from clearwood.learners.learner import Ask, Pruning, Steering
from clearwood.learners.trees import chaid_definition
from clearwood.learners.trees.growing import prepare
from clearwood.learners.trees.native_chaid import grow_chaid
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
    whole,
    whole_or_none,
)
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class CHAID:
    """As in SPSS: merge values whose classes do not differ, then split where chance explains least.

    `statistic` is for a nominal target ("pearson" or "likelihood_ratio"); an ordinal target is
    tested by row effects, a numeric one by analysis of variance. `alpha_resplit` (None: off) splits
    merged groups again. Numeric attributes are cut into `bins` of equal weight. Priors and costs decide
    the answer, never the tests.
    """

    score_names: ClassVar[tuple[str, ...]] = ("statistic", "p", "adjusted_p")
    learns_numbers: ClassVar[bool] = True
    sums_numbers: ClassVar[bool] = False
    steered_by: ClassVar[Steering] = ()

    alpha_merge: float = 0.05
    alpha_split: float = 0.05
    alpha_resplit: float | None = None
    exhaustive: bool = False
    statistic: Literal["pearson", "likelihood_ratio"] = "pearson"
    bonferroni: bool = True
    bins: int = 10
    max_depth: int | None = 3
    min_rows: float = 100
    min_leaf: float = 50
    priors: Priors = None
    costs: Costs = None

    def __post_init__(self) -> None:
        settle(
            self,
            alpha_merge=between("alpha_merge", self.alpha_merge, 0, 1, including_high=True),
            alpha_split=between("alpha_split", self.alpha_split, 0, 1, including_high=True),
            exhaustive=flag("exhaustive", self.exhaustive),
            statistic=one_of("statistic", self.statistic, ("pearson", "likelihood_ratio")),
            bonferroni=flag("bonferroni", self.bonferroni),
            bins=whole("bins", self.bins, 2),
            max_depth=whole_or_none("max_depth", self.max_depth, 0),
            min_rows=at_least("min_rows", self.min_rows, 0),
            min_leaf=at_least("min_leaf", self.min_leaf, 0),
            priors=priors_of(self.priors),
            costs=costs_of(self.costs),
        )
        if self.alpha_resplit is None:
            return
        if self.exhaustive:
            raise SettingError(
                "alpha_resplit has no part in exhaustive CHAID, which merges to the end. Leave one out."
            )
        resplit = between("alpha_resplit", self.alpha_resplit, 0, self.alpha_merge, including_high=True)
        settle(self, alpha_resplit=resplit)

    def learn(self, table: Table) -> Tree:
        return self.grow(table)

    def measure_for(self, table: Table) -> str:
        return "squared" if isinstance(table.schema.target, Numeric) else "entropy"

    def prunings(self) -> tuple[Pruning, ...]:
        return ()

    def grow(self, table: Table) -> Tree:
        ready = prepare(self, table)
        return ready.tree(grow_chaid(self, ready.rows))

    def asker(self, task: Task) -> Ask:
        return chaid_definition.asker(self, task)
