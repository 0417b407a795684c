"""CHAID on the native loop: numeric columns go out as bins, and come back as intervals."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, assert_never

import numpy as np

from clearwood import _native
from clearwood.advice import Advice, Place
from clearwood.arrays import Floats
from clearwood.errors import LearningError
from clearwood.learners.discretising import bin_column
from clearwood.models.nodes import Nodes
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.raw import Codes
from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood.learners.trees.chaid import CHAID


def grow_chaid(learner: CHAID, rows: Table) -> Nodes:
    """The nodes of a CHAID tree for rows that all have weight and a target."""
    schema = rows.schema
    positions = [
        i for i, each in enumerate(schema.attributes) if isinstance(each, Nominal | Ordinal | Numeric)
    ]
    binned = _bins(learner, rows)
    columns, values, ordered = [], [], []
    for position in positions:
        attribute = schema.attributes[position]
        if isinstance(attribute, Nominal | Ordinal):
            columns.append(rows.columns[attribute.name])
            values.append(len(attribute.values))
        else:
            codes, ends = binned[position]
            columns.append(codes)
            values.append(len(ends) + 1)
        ordered.append(not isinstance(attribute, Nominal))
    classes = len(schema.classes)
    try:
        grown = _native.grow_chaid(
            columns,
            values,
            ordered,
            classes,
            rows.target if classes else np.ascontiguousarray(rows.target, dtype=np.float64),
            rows.weights,
            test=_test(learner, rows),
            alpha_merge=learner.alpha_merge,
            alpha_split=learner.alpha_split,
            alpha_resplit=-1.0 if learner.alpha_resplit is None else learner.alpha_resplit,
            exhaustive=learner.exhaustive,
            bonferroni=learner.bonferroni,
            max_depth=-1 if learner.max_depth is None else learner.max_depth,
            min_rows=learner.min_rows,
            min_leaf=learner.min_leaf,
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
    grown["attribute"] = np.array([*positions, -1], dtype=np.int32)[grown["attribute"]]
    _to_intervals(grown, {position: ends for position, (_, ends) in binned.items()})
    return Nodes(**grown)


def _test(learner: CHAID, rows: Table) -> str:
    """Analysis of variance for numbers, row effects for ordered classes, a contingency test for others."""
    match rows.schema.target:
        case Numeric():
            return "anova"
        case Ordinal():
            return "row_effects"
        case Nominal() | None:
            return learner.statistic
        case _:
            assert_never(rows.schema.target)


def _bins(learner: CHAID, rows: Table) -> dict[int, tuple[Codes, Floats]]:
    """By position in the schema: each numeric column's bins, side by side where there is much to sort."""
    numeric = {i: each for i, each in enumerate(rows.schema.attributes) if isinstance(each, Numeric)}

    def one(attribute: Numeric) -> tuple[Codes, Floats]:
        return bin_column(attribute, rows.columns[attribute.name], rows.weights, learner.bins)

    run: Callable[..., Any] = map
    if len(rows) * len(numeric) < 1_000_000 or _native.thread_count() == 1:
        return dict(zip(numeric, run(one, numeric.values()), strict=True))
    with ThreadPoolExecutor(_native.thread_count()) as threads:
        return dict(zip(numeric, threads.map(one, numeric.values()), strict=True))


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
