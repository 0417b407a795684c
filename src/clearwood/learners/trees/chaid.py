"""CHAID: values merged by test, split by the smallest adjusted p (Kass 1980, Biggs et al. 1991)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal

from clearwood.bounds import Whole, Within, between
from clearwood.counting.task import Task
from clearwood.errors import SettingError
from clearwood.learners.learner import OwnPruning, SplitChooser, Steering
from clearwood.learners.trees import chaid_definition
from clearwood.learners.trees.growing import MaxDepth, MinLeaf, MinRows, prepare
from clearwood.learners.trees.native_chaid import grow_chaid
from clearwood.models.tree import Tree
from clearwood.registry import Costs, Letter, Priors, check
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

SURVEY: Final = 1000  # rows from which the usual minimums, made for surveys, make sense


@dataclass(frozen=True, slots=True, kw_only=True)
class CHAID:
    """As in SPSS: merge values whose classes do not differ, then split on the smallest adjusted p-value.

    `statistic` is for a nominal target ("pearson" or "likelihood_ratio"); an ordinal target is
    tested by row effects, a numeric one by analysis of variance. `alpha_resplit` (None: off) splits
    merged groups again. Numeric attributes are cut into `bins` of equal weight. Priors and costs decide
    the answer, never the tests.
    """

    score_names: ClassVar[tuple[str, ...]] = ("statistic", "p", "adjusted_p")
    learns_numbers: ClassVar[bool] = True
    sums_numbers: ClassVar[bool] = False
    steered_by: ClassVar[Steering] = ()

    alpha_merge: Annotated[
        float,
        Within(0, 1, including_high=True),
        Letter("alpha_merge"),
        "Values are merged if the p-value of their difference is above this.",
    ] = 0.05
    alpha_split: Annotated[
        float,
        Within(0, 1, including_high=True),
        Letter("alpha_split"),
        "A split needs an adjusted p-value of at most this.",
    ] = 0.05
    alpha_resplit: Annotated[
        float | None,
        Within(0, 1, including_high=True),
        Letter("alpha_resplit"),
        "Merged groups are split again at this level, at most alpha_merge; none: never.",
    ] = None
    exhaustive: Annotated[bool, "Merge down to two groups and keep the best stage (Biggs et al. 1991)."] = (
        False
    )
    statistic: Annotated[
        Literal["pearson", "likelihood_ratio"], "The chi-square statistic of a nominal target."
    ] = "pearson"
    bonferroni: Annotated[bool, "Adjust p-values for the number of ways to merge."] = True
    bins: Annotated[int, Whole(2), "Numeric columns are first cut into this many bins of equal count."] = 10
    max_depth: MaxDepth = 3
    min_rows: MinRows = 100
    min_leaf: MinLeaf = 50
    priors: Priors = None
    costs: Costs = None

    def __post_init__(self) -> None:
        check(self)
        if self.alpha_resplit is None:
            return
        if self.exhaustive:
            raise SettingError(
                "alpha_resplit has no part in exhaustive CHAID, which merges to the end. Leave one out."
            )
        between("alpha_resplit", self.alpha_resplit, 0, self.alpha_merge, including_high=True)

    def learn(self, table: Table) -> Tree:
        return self.grow(table)

    def measure_for(self, table: Table) -> str:
        return "squared" if isinstance(table.schema.target, Numeric) else "entropy"

    def prunings(self) -> tuple[OwnPruning, ...]:
        return ()

    def grow(self, table: Table) -> Tree:
        ready = prepare(self, table)
        return ready.tree(grow_chaid(self, ready.rows))

    def split_chooser(self, task: Task) -> SplitChooser:
        return chaid_definition.split_chooser_of(self, task)


def minimums_for(weight: float) -> tuple[float, float]:
    """`min_rows` and `min_leaf` for a table of this weight: the usual ones, which are made for surveys, or
    below a thousand rows a tenth and a twentieth of them.

    >>> minimums_for(14), minimums_for(300), minimums_for(5000)
    ((2, 1), (30, 15), (100, 50))
    """
    if weight >= SURVEY:
        return CHAID().min_rows, CHAID().min_leaf
    return max(2, int(weight // 10)), max(1, int(weight // 20))
