"""Gradient boosting, plainly: a round's gradients in whole units, and the trees grown from their sums.

`native/core/ensembles/` has the fast version of `round_by_definition`; a property test demands the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.learners.ensembles.boosting import Boosting
from clearwood.learners.ensembles.boosting_task import (
    BoostingTask,
    Losses,
    Sample,
    WholeGradients,
    answers_of,
    in_units,
    losses_of,
    slopes,
    weighted_quantile,
)

_LEAST_GAIN: Final = 1e-6
_SMOOTHING: Final = 10.0  # values are ordered by G / (H + smoothing), …
_GROUP_L2: Final = 10.0  # … their split pays so much more L2, …
_MOST_VALUES: Final = 32  # … and has at most so many values on one side; …
_ONE_BY_ONE: Final = 3  # … up to so many values it is one against the rest: all divisions there are


def round_by_definition(
    task: BoostingTask, scores: Floats, sample: Sample, asked: Sequence[Sequence[int]]
) -> tuple[list[dict[str, Any]], Losses]:
    """A tree for each score as the columns of its nodes, and the losses before; scores [score, row] move."""
    answers, losses = answers_of(task, scores)
    before = losses_of(task, losses)
    trees = []
    for k in range(task.scores):
        g, h = slopes(task, k, answers[k])
        whole = in_units(task, g, h)
        rows = np.arange(task.codes.rows) if sample is None else sample.astype(np.int64)
        tree = _Tree(task, whole, list(asked[k]), scores[k])
        root = tree.grow(rows)
        trees.append(tree.columns(root))
        scores[k] += tree.steps(root)
    return trees, before


@dataclass(slots=True, eq=False)
class _Split:
    gain: float
    column: int
    left: tuple[int, ...]  # codes; missing cells are beside it
    right: tuple[int, ...]
    last: int | None  # of a cut: codes up to this one go left
    missing_here: bool
    missing_left: bool
    sums: tuple[int, int]  # of the left side


@dataclass(slots=True, eq=False)
class _Node:
    rows: Longs
    depth: int
    sums: tuple[int, int]
    low: float = -math.inf
    high: float = math.inf
    above: tuple[int, ...] = ()  # columns asked on the way
    split: _Split | None = None
    branches: list[_Node] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Tree:
    task: BoostingTask
    whole: WholeGradients
    asked: list[int]
    scores: Floats  # [row] of this tree's score, before it
    limits: dict[int, tuple[float, float]] = field(default_factory=dict)  # of steps, by leaf

    @property
    def growth(self) -> Boosting:
        return self.task.settings

    def grow(self, rows: Longs) -> _Node:
        sums = (int(self.whole.g[rows].sum()), int(self.whole.h[rows].sum()))
        root = _Node(rows, 0, sums)
        root.split = self._best(root)
        waiting, leaves = [root], 1
        while waiting and leaves < (self.growth.leaves or math.inf):
            # Level by level order changes nothing; else the best leaf comes first, the older of equals.
            place = 0
            if self.growth.leaves:
                gains = [node.split.gain if node.split else -1.0 for node in waiting]
                place = gains.index(max(gains))
            node = waiting.pop(place)
            if node.split is None:
                continue
            self._divide(node)
            waiting += node.branches
            leaves += 1
        self._cut(root)
        self.in_order(root)
        return root

    def _divide(self, node: _Node) -> None:
        split = node.split
        assert split is not None
        codes = self.task.codes.columns[split.column][node.rows].astype(np.int64)
        left = self._to_left(split, codes)
        rest = (node.sums[0] - split.sums[0], node.sums[1] - split.sums[1])
        above = tuple(dict.fromkeys((*node.above, split.column)))
        ends = [(node.low, node.high), (node.low, node.high)]
        sign = self.task.monotone[split.column]
        if sign:
            here = (node.low, node.high)
            middle = 0.5 * (
                self._step(split.sums, self.growth.l2, here) + self._step(rest, self.growth.l2, here)
            )
            below, upper = (node.low, middle), (middle, node.high)
            ends = [below, upper] if sign > 0 else [upper, below]
        for rows, sums, (low, high) in zip(
            (node.rows[left], node.rows[~left]), (split.sums, rest), ends, strict=True
        ):
            branch = _Node(rows, node.depth + 1, sums, low, high, above)
            branch.split = self._best(branch)
            node.branches.append(branch)

    def _to_left(self, split: _Split, codes: Longs) -> Any:
        known = self.task.codes.coding.known[split.column]
        if split.last is not None:
            return np.where(codes == known, split.missing_left, codes <= split.last)
        return np.isin(codes, split.left) | (split.missing_left & ~np.isin(codes, split.right))

    def _cut(self, node: _Node) -> None:
        for branch in node.branches:
            self._cut(branch)
        if node.branches and not any(branch.branches for branch in node.branches):
            assert node.split is not None
            if node.split.gain < self.growth.gamma:
                node.rows = np.concatenate([branch.rows for branch in node.branches])
                node.branches = []

    def _allowed(self, node: _Node) -> list[int]:
        if not self.task.together or not node.above:
            return self.asked
        groups = [group for group in self.task.together if set(node.above) <= set(group)]
        return [c for c in self.asked if c in node.above or any(c in group for group in groups)]

    def _best(self, node: _Node) -> _Split | None:
        growth = self.growth
        if growth.max_depth is not None and node.depth >= growth.max_depth:
            return None
        best: _Split | None = None
        if len(node.rows) > 1:
            for column in self._allowed(node):
                best = self._best_of(node, column, best)
        return best

    def _best_of(self, node: _Node, column: int, best: _Split | None) -> _Split | None:
        coding = self.task.codes.coding
        known = coding.known[column]
        codes = self.task.codes.columns[column][node.rows]
        by_code = dict[int, tuple[int, int]]()
        for code, g, h in zip(
            codes.tolist(), self.whole.g[node.rows].tolist(), self.whole.h[node.rows].tolist(), strict=True
        ):
            before = by_code.get(code, (0, 0))
            by_code[code] = (before[0] + g, before[1] + h)
        missing = by_code.pop(known, (0, 0))
        for code in self._rare(node, column, by_code):
            g, h = by_code.pop(code)
            missing = (missing[0] + g, missing[1] + h)
        met = [code for code in sorted(by_code) if by_code[code] != (0, 0)]
        for left, last, l2 in self._divisions(column, met, by_code):
            g = sum(by_code[code][0] for code in left)
            h = sum(by_code[code][1] for code in left)
            if len(left) == len(met) and missing == (0, 0):
                continue
            ways = [False] if missing == (0, 0) or len(left) == len(met) else [False, True]
            for missing_left in ways:
                side = (g + missing_left * missing[0], h + missing_left * missing[1])
                gain = self._gain(node, column, side, l2)
                if gain is None or not gain > (best.gain if best else _LEAST_GAIN):
                    continue
                here = missing != (0, 0)
                other = node.sums[1] - side[1]
                right = tuple(code for code in met if code not in left)
                follows = missing_left if here else side[1] >= other
                best = _Split(gain, column, tuple(sorted(left)), right, last, here, follows, side)
        return best

    def _rare(self, node: _Node, column: int, by_code: dict[int, tuple[int, int]]) -> list[int]:
        """Values that follow the missing: too few rows have them, counted by second derivatives."""
        coding = self.task.codes.coding
        if coding.columns[column].ordered or coding.known[column] <= _ONE_BY_ONE or not self.growth.min_value:
            return []
        if node.sums[1] <= 0:
            return []
        weights = self.task.weights
        weight = float(len(node.rows)) if weights is None else float(np.cumsum(weights[node.rows])[-1])
        rows = weight / (node.sums[1] * self.whole.unit_h)
        return [
            code for code, (_, h) in by_code.items() if h * self.whole.unit_h * rows < self.growth.min_value
        ]

    def _divisions(
        self, column: int, met: list[int], by_code: dict[int, tuple[int, int]]
    ) -> list[tuple[list[int], int | None, float]]:
        """(codes on the left, the last of them if it is a cut, L2) of all divisions, in order."""
        known, l2 = self.task.codes.coding.known[column], self.growth.l2
        if self.task.codes.coding.columns[column].ordered:
            cuts = [(met[: i + 1], met[i] + (met[i + 1] - 1 - met[i]) // 2, l2) for i in range(len(met) - 1)]
            return [*cuts, (met, known - 1, l2)]
        if known <= _ONE_BY_ONE:
            ones = [([code], None, l2) for code in met] if len(met) > 1 else []
            return [*ones, (met, None, l2)]
        unit_g, unit_h = self.whole.unit_g, self.whole.unit_h
        order = sorted(met, key=lambda c: by_code[c][0] * unit_g / (by_code[c][1] * unit_h + _SMOOTHING))
        sizes = [i for i in range(1, len(met)) if i <= _MOST_VALUES or len(met) - i <= _MOST_VALUES]
        return [*((order[:i], None, l2 + _GROUP_L2) for i in sizes), (met, None, l2)]

    def _gain(self, node: _Node, column: int, left: tuple[int, int], l2: float) -> float | None:
        """What the division gains; None where it is not allowed."""
        right = (node.sums[0] - left[0], node.sums[1] - left[1])
        if left == (0, 0) or right == (0, 0):
            return None
        if min(left[1], right[1]) * self.whole.unit_h < self.growth.min_child:
            return None
        ends, sign = (node.low, node.high), self.task.monotone[column]
        if sign and (self._step(right, l2, ends) - self._step(left, l2, ends)) * sign < 0.0:
            return None
        parts = self._worth(left, l2, ends) + self._worth(right, l2, ends)
        return parts - self._worth(node.sums, self.growth.l2, ends)

    def _worth(self, sums: tuple[int, int], l2: float, ends: tuple[float, float]) -> float:
        bend = sums[1] * self.whole.unit_h + l2
        if not bend > 0:
            return 0.0
        if not any(self.task.monotone):
            slope = self._shrunk(sums[0])
            return slope * slope / bend
        w = self._step(sums, l2, ends)
        return -(2.0 * (sums[0] * self.whole.unit_g) * w + bend * w * w + 2.0 * self.growth.l1 * abs(w))

    def _step(self, sums: tuple[int, int], l2: float, ends: tuple[float, float]) -> float:
        bend = sums[1] * self.whole.unit_h + l2
        step = (0.0 - self._shrunk(sums[0])) / bend if bend > 0 else 0.0
        return min(max(step, ends[0]), ends[1]) if any(self.task.monotone) else step

    def _shrunk(self, g: int) -> float:
        slope, l1 = g * self.whole.unit_g, self.growth.l1
        if l1 == 0:
            return slope
        return slope - l1 if slope > l1 else slope + l1 if slope < -l1 else 0.0

    def in_order(self, root: _Node) -> None:
        """Where leaves are quantiles, those on both sides of a monotone split are kept on their sides of the
        middle between the two means."""
        if self.task.loss not in ("absolute", "quantile") or not any(self.task.monotone):
            return
        limits = dict[int, tuple[float, float]]()

        def walk(node: _Node, low: float, high: float) -> None:
            if not node.branches:
                limits[id(node)] = low, high
                return
            assert node.split is not None
            ends, sign = [(low, high), (low, high)], self.task.monotone[node.split.column]
            if sign:
                left, right = (self.numbers(branch)[1] for branch in node.branches)
                middle = min(max(0.5 * (left + right), low), high)
                ends = [(low, middle), (middle, high)] if sign > 0 else [(middle, high), (low, middle)]
            for branch, end in zip(node.branches, ends, strict=True):
                walk(branch, *end)

        walk(root, -math.inf, math.inf)
        self.limits = limits

    def numbers(self, node: _Node) -> tuple[float, float]:
        """Weight and step."""
        task, by_quantile = self.task, self.task.loss in ("absolute", "quantile")
        step = self.growth.rate * self._step(node.sums, self.growth.l2, (node.low, node.high))
        if node.branches:
            (a, left), (b, right) = (self.numbers(branch) for branch in node.branches)
            return a + b, (a * left + b * right) / (a + b) if by_quantile else step
        weights = np.ones(len(node.rows)) if task.weights is None else task.weights[node.rows]
        weight = float(np.cumsum(weights)[-1]) if len(weights) else 0.0
        if by_quantile:
            rows = np.sort(node.rows)
            each = np.ones(len(rows)) if task.weights is None else task.weights[rows]
            middle = weighted_quantile(task.target[rows] - self.scores[rows], each, task.part)
            low, high = self.limits.get(id(node), (-math.inf, math.inf))
            step = min(max(self.growth.rate * middle, low), high)
        return weight, step

    def steps(self, root: _Node) -> Floats:
        """[row] what the tree adds, also to rows that it was not grown from."""
        added = np.zeros(self.task.codes.rows)

        def walk(node: _Node, rows: Longs) -> None:
            if not node.branches:
                added[rows] = self.numbers(node)[1]
                return
            assert node.split is not None
            codes = self.task.codes.columns[node.split.column][rows].astype(np.int64)
            left = self._to_left(node.split, codes)
            walk(node.branches[0], rows[left])
            walk(node.branches[1], rows[~left])

        walk(root, np.arange(self.task.codes.rows))
        return added

    def columns(self, root: _Node) -> dict[str, Any]:
        """The tree as the columns of `Nodes`, attributes by their place among the coded columns."""
        made: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
        sets: list[int] = []
        starts = [0]

        def add(node: _Node, parent: int, into: _Node | None, left: bool) -> None:
            place = len(made["parent"])
            weight, step = self.numbers(node)
            split = None if into is None else into.split
            low, high = -math.inf, math.inf
            codes: tuple[int, ...] = ()
            if split is not None:
                low, high, codes = self._branch(split, left)
            whole = weight if into is None else self.numbers(into)[0]
            row = {
                "parent": parent, "end": 0, "counts": (weight, step, 0.0), "low": low, "high": high,
                "scores": (node.split.gain if node.branches and node.split else math.nan,),
                "share": 1.0 if into is None else weight / whole if whole > 0 else 0.5,
                "otherwise": -1 if not node.branches or not node.split else int(not node.split.missing_left),
                "attribute": -1 if split is None else split.column,
                "or_missing": split is not None and split.missing_here and split.missing_left == left,
            }  # fmt: skip
            for name, value in row.items():
                made[name].append(value)
            sets.extend(codes)
            starts.append(len(sets))
            for side, branch in zip((True, False), node.branches, strict=False):
                add(branch, place, node, side)
            made["end"][place] = len(made["parent"])

        add(root, -1, None, False)
        size = len(made["parent"])
        none: list[Any] = []
        return {
            **made, "set_start": starts, "set_codes": sets, "s_start": [0] * (size + 1), "s_attribute": none,
            "s_limit": none, "s_branch": none, "s_agreement": none, "s_set_start": [0], "s_set_split": none,
            "s_set_codes": none,
        }  # fmt: skip

    def _branch(self, split: _Split, left: bool) -> tuple[float, float, tuple[int, ...]]:
        """Low, high and codes of a branch."""
        coding = self.task.codes.coding
        known, cuts = coding.known[split.column], coding.columns[split.column].cuts
        if split.last is None:
            return -math.inf, math.inf, split.left if left else split.right
        if coding.columns[split.column].numeric:
            limit = math.inf if split.last + 1 == known else float(cuts[split.last])
            return (-math.inf, limit, ()) if left else (limit, math.inf, ())
        codes = range(split.last + 1) if left else range(split.last + 1, known)
        return -math.inf, math.inf, tuple(codes)


_COLUMNS: Final = (
    "parent", "end", "counts", "scores", "share", "otherwise", "attribute", "low", "high", "or_missing",
)  # fmt: skip
