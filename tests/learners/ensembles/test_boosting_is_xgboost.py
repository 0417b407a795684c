"""With exact cuts, each round begun from XGBoost's own margins grows XGBoost's tree.

`benchmarks/oracles/xgboost_trees.py` wrote the figures. A split may differ only where its gain is the same to
1e-5: XGBoost adds 32-bit floats, and where two splits gain the same, rounding chooses.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clearwood.arrays import Bools
from clearwood.counting.coding import ALL_MIDPOINTS, codes_of, coding_of
from clearwood.learners.ensembles.boosting import Boosting
from clearwood.learners.ensembles.boosting_task import BoostingLoss, BoostingTask, boosting_rounds
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.table.attributes import Numeric
from tests.shared_data import load_shared

FIGURES = json.loads((Path(__file__).parents[2] / "figures" / "xgboost.json").read_text())
ONE_ROUND = Boosting(trees=1, rate=0.3, min_value=0, bins="exact")


@pytest.mark.parametrize("name", FIGURES["tables"])
def test_every_round_grows_xgboosts_trees(name: str) -> None:
    table, figures = load_shared(name), FIGURES["tables"][name]
    schema = replace(table.schema, attributes=tuple(Numeric(column) for column in figures["columns"]))
    numbers = {column: table.columns[column].astype(np.float32) for column in figures["columns"]}
    target = table.target
    table = replace(table, schema=schema, columns={**numbers, table.schema.target.name: target})  # type: ignore[union-attr]
    numeric = isinstance(schema.target, Numeric)
    loss: BoostingLoss = "squared" if numeric else "logistic" if len(schema.classes) == 2 else "softmax"
    codes = codes_of(table, coding_of(table, ALL_MIDPOINTS))
    width, scores = len(figures["columns"]), figures["scores"]
    task = BoostingTask(ONE_ROUND, codes, loss, target, None, None, scores, (0,) * width, ())
    x = np.stack([numbers[column] for column in figures["columns"]])
    margins = np.zeros((scores, len(table)), dtype=np.float32)
    same = splits = 0
    for first in range(0, len(figures["trees"]), scores):
        grown = boosting_rounds(task, margins.astype(np.float64)).trees
        theirs = figures["trees"][first : first + scores]
        for tree, other in zip(grown, theirs, strict=True):
            alike, asked = compared(tree, 0, other, x, np.ones(len(table), dtype=np.bool_))
            same, splits = same + alike, splits + asked
        for score, other in enumerate(theirs):
            margins[score] += answers(other, x, np.arange(len(table)))
    assert splits > 40
    assert same >= 0.9 * splits  # the others are those of equal gain


def compared(tree: Nodes, node: int, other: Sequence[Any], x: Any, here: Bools) -> tuple[int, int]:
    """How many splits are the same, and how many there are down to those that differ."""
    children = tree.children(node)
    if len(other) == 1 or not children:
        # One of the two may go on where a gain is all but nothing.
        gain = 0.0 if len(other) == 1 else other[2]
        gain = float(tree.scores[node, 0]) if children else gain
        assert bool(children) == (len(other) > 1) or gain < 1e-5
        if len(other) == 1 and not children:
            assert float(tree.counts[node, 1]) == pytest.approx(other[0], rel=1e-4, abs=1e-5)
        return 0, 0
    column, limit, gain, missing_left, *branches = other
    ours, left = children[0], left_of(x[column], limit, missing_left)
    own = x[tree.attribute[ours]]
    our_left = np.where(np.isnan(own), tree.otherwise[node] == 0, own <= tree.high[ours])
    # A gain is a difference of 32-bit floats, whose size G²/(H + 1) is at most this.
    weight, step, _ = tree.counts[node].tolist()
    rounding = 1e-6 * (step / 0.3) ** 2 * (weight + 1)
    if not np.array_equal(left[here], our_left[here]):
        assert float(tree.scores[node, 0]) == pytest.approx(gain, rel=1e-5, abs=rounding)
        return 0, 1
    assert float(tree.scores[node, 0]) == pytest.approx(gain, rel=1e-4, abs=1e-5 + rounding)
    same, asked = compared(tree, children[0], branches[0], x, here & left)
    same_right, asked_right = compared(tree, children[1], branches[1], x, here & ~left)
    return 1 + same + same_right, 1 + asked + asked_right


def left_of(column: Any, limit: float, missing_left: bool) -> Bools:
    return np.asarray(np.where(np.isnan(column), missing_left, column < np.float32(limit)))


def answers(tree: Sequence[Any], x: Any, rows: Any) -> Any:
    """[row] what XGBoost's tree adds."""
    if len(tree) == 1:
        return np.full(len(rows), np.float32(tree[0]))
    column, limit, _, missing_left, yes, no = tree
    left = left_of(x[column][rows], limit, missing_left)
    added = np.empty(len(rows), dtype=np.float32)
    added[left], added[~left] = answers(yes, x, rows[left]), answers(no, x, rows[~left])
    return added
