"""CHAID: values merged by test, split by the smallest adjusted p (Kass 1980, Biggs et al. 1991)."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.bounds import Whole, Within
from clearwood.errors import Advice, LearningError, Place, SettingError
from clearwood.learners.discretising import bin_column
from clearwood.learners.learner import SplitChooser, Steering
from clearwood.learners.training import native_settings
from clearwood.learners.trees import chaid_definition
from clearwood.learners.trees.counted import TreeTask
from clearwood.learners.trees.growing import MaxDepth, MinLeaf, MinRows, by_schema_position, prepare
from clearwood.learners.trees.pruning.own import LearnsTrees
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.registry import Costs, Letter, Priors, Proportion, check
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.raw import Codes
from clearwood.table.schema import Schema
from clearwood.table.table import Table

SURVEY: Final = 1000  # rows from which the usual minimums, made for surveys, make sense


@dataclass(frozen=True, slots=True, kw_only=True)
class CHAID(LearnsTrees):
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
        Proportion,
        Letter("alpha_merge"),
        "Values are merged if the p-value of their difference is above this.",
    ] = 0.05
    alpha_split: Annotated[
        Proportion, Letter("alpha_split"), "A split needs an adjusted p-value of at most this."
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
        Within(0, self.alpha_merge, including_high=True).check("alpha_resplit", self.alpha_resplit)

    def measure_for(self, schema: Schema) -> str:
        return "squared" if isinstance(schema.target, Numeric) else "entropy"

    def grow(self, table: Table) -> Tree:
        ready = prepare(self, table)
        return ready.tree(grow_chaid(self, ready.rows))

    def split_chooser(self, task: TreeTask) -> SplitChooser:
        prepared = chaid_definition.prepare_chaid(self, task)
        return lambda _, regions: [chaid_definition.choose_split(prepared, each) for each in regions]


def minimums_for(weight: float) -> tuple[float, float]:
    """`min_rows` and `min_leaf` for a table of this weight: the usual ones, which are made for surveys, or
    below a thousand rows a tenth and a twentieth of them.

    >>> minimums_for(14), minimums_for(300), minimums_for(5000)
    ((2, 1), (30, 15), (100, 50))
    """
    if weight >= SURVEY:
        return CHAID().min_rows, CHAID().min_leaf
    return max(2, int(weight // 10)), max(1, int(weight // 20))


# CHAID on the native loop: numeric columns go out as bins, and come back as intervals.


def grow_chaid(learner: CHAID, rows: Table) -> Nodes:
    """The nodes of a CHAID tree for rows that all have weight and a target."""
    schema = rows.schema
    positions = [
        i for i, each in enumerate(schema.attributes) if isinstance(each, Nominal | Ordinal | Numeric)
    ]
    binned = _bins(learner, rows)
    columns, values = [], []
    for position in positions:
        attribute = schema.attributes[position]
        if isinstance(attribute, Nominal | Ordinal):
            columns.append(rows.columns[attribute.name])
            values.append(len(attribute.values))
        else:
            codes, ends = binned[position]
            columns.append(codes)
            values.append(len(ends) + 1)
    classes, target = len(schema.classes), schema.target
    # Analysis of variance for numbers, row effects for ordered classes, a contingency test for others.
    test = "row_effects" if isinstance(target, Ordinal) else learner.statistic
    try:
        grown = _native.grow_chaid(
            columns,
            values,
            [not isinstance(schema.attributes[position], Nominal) for position in positions],
            classes,
            rows.target if classes else np.ascontiguousarray(rows.target, dtype=np.float64),
            rows.weights,
            test="anova" if isinstance(target, Numeric) else test,
            **native_settings(learner, "alpha_merge", "alpha_split", "alpha_resplit", "exhaustive"),
            **native_settings(learner, "bonferroni", "max_depth", "min_rows", "min_leaf"),
        )
    except _native.TooManyValuesError as error:
        name = schema.attributes[positions[error.column]].name
        raise LearningError(
            f"Column '{name}' has more than {_native.CHAID_MOST_VALUES} values, "
            "and CHAID compares them in pairs. Leave it out: ",
            Advice("ignore", [name]),
            ", or group its values first.",
            place=Place(column=name),
        ) from None
    grown = by_schema_position(grown, positions)
    _to_intervals(grown, {position: ends for position, (_, ends) in binned.items()})
    return Nodes(**grown)


def _bins(learner: CHAID, rows: Table) -> dict[int, tuple[Codes, Floats]]:
    """By position in the schema: each numeric column's bins, side by side where there is much to sort."""
    numeric = {i: each for i, each in enumerate(rows.schema.attributes) if isinstance(each, Numeric)}

    def one(attribute: Numeric) -> tuple[Codes, Floats]:
        return bin_column(attribute, rows.columns[attribute.name], rows.weights, learner.bins)

    threads = _native.thread_count()
    if len(rows) * len(numeric) < 1_000_000 or threads == 1:
        return {position: one(attribute) for position, attribute in numeric.items()}
    with ThreadPoolExecutor(threads) as pool:
        return dict(zip(numeric, pool.map(one, numeric.values()), strict=True))


def _to_intervals(grown: dict[str, Any], ends: dict[int, Floats]) -> None:
    """Bins first … last become ends[first − 1] < x ≤ ends[last]; a branch without bins takes the missing."""
    start, codes = grown["set_start"], grown["set_codes"]
    sizes = np.diff(start)
    binned = np.isin(grown["attribute"], list(ends))
    for position, upper in ends.items():
        here = grown["attribute"] == position
        bounds = np.concatenate([[-np.inf], upper, [np.inf]])
        some = np.flatnonzero(here & (sizes > 0))
        grown["low"][some] = bounds[codes[start[some]]]
        grown["high"][some] = bounds[codes[start[some + 1] - 1] + 1]
        grown["low"][here & (sizes == 0)] = np.inf
    grown["set_codes"] = codes[~np.repeat(binned, sizes)]
    grown["set_start"] = np.concatenate([[0], np.cumsum(np.where(binned, 0, sizes))])
