"""Surrogates: other attributes that send a row where the split would, if its own is empty."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.cuts import two_sides
from clearwood.counting.ladders import on_ladder
from clearwood.counting.question import Question, SurrogateQuestion, Takes, empty_cells
from clearwood.counting.routing import taken_by
from clearwood.counting.task import Region, Task, sums
from clearwood.counting.ties import TIE, better, enough, first_best
from clearwood.table.attributes import Attribute, Nominal

LEAST_SENT: Final = 2.0  # rows a cut must send each way


def find_surrogates(
    task: Task, question: Question, region: Region, most: int
) -> tuple[SurrogateQuestion, ...]:
    """Up to `most` attributes, those that agree best with the split first.

    Agreement is the part of the rows with a known cell of the split that the surrogate sends as the split
    does, its own empty cells counting against it; it must beat sending all of them to the larger
    side, and a cut must send at least two rows each way, while values may send one (as rpart). A column with
    a direction is none: through it the other column's split would decide which way the prediction goes.
    """
    branch = taken_by(task, question, region)
    candidates = [
        surrogate
        for position, column in enumerate(task.columns)
        if column is not None and position != question.attribute
        if task.limits is None or not task.limits.signs[position]
        if (surrogate := _surrogate(task, position, region, branch)) is not None
    ]
    chosen: list[SurrogateQuestion] = []
    while candidates and len(chosen) < most:
        chosen.append(candidates.pop(first_best([each.agreement for each in candidates], 1.0)))
    return tuple(chosen)


def _surrogate(task: Task, position: int, region: Region, branch: Longs) -> SurrogateQuestion | None:
    """The best use of one attribute, if it beats the larger side."""
    attribute = task.schema.attributes[position]
    cells = task.cells(position, region)
    by_branch = sums(branch[branch >= 0], region.weights[branch >= 0], 2)  # [branch]
    known = ~empty_cells(attribute, cells)
    both = (branch >= 0) & known
    steps = cells.astype(np.float64) if isinstance(attribute, Nominal) else on_ladder(attribute, cells)
    values, step = np.unique(steps[both], return_inverse=True)
    if len(values) < 2:
        return None
    place = step * 2 + branch[both]
    sides = sums(place, region.weights[both], 2 * len(values)).reshape(-1, 2)  # [value, branch]
    total = float(by_branch.sum())
    best: tuple[Takes, int, Takes, float] | None
    if isinstance(attribute, Nominal):
        best = _by_values(values, sides, int(better(by_branch[1], by_branch[0], total)))
    else:
        best = _by_cut(attribute, values, sides, total, np.unique(steps[known]))
    if best is None or not better(best[3] / total, float(by_branch.max()) / total, 1.0):
        return None
    when, then, other, agreed = best
    return SurrogateQuestion(position, when, then, other, agreed / total)


def _by_values(values: Floats, sides: Floats, larger: int) -> tuple[Takes, int, Takes, float]:
    """Each value to the branch most of its rows follow; where even, to the larger one."""
    to: list[list[int]] = [[], []]
    for code, (first, second) in zip(values.astype(int).tolist(), sides.tolist(), strict=True):
        even = abs(first - second) <= TIE * (first + second)
        side = larger if even else int(second > first)
        to[side].append(code)
    return Takes(codes=tuple(to[0])), 0, Takes(codes=tuple(to[1])), float(sides.max(axis=1).sum())


def _by_cut(
    attribute: Attribute, values: Floats, sides: Floats, total: float, met: Floats
) -> tuple[Takes, int, Takes, float] | None:
    """The cut that agrees best, the lowest of equals: low values to branch 0, or to branch 1.

    It lies midway to the next value `met` by any row here, also by one that the split cannot place (as
    rpart): such rows are what the surrogate is for.
    """
    low = sides.cumsum(axis=0)[:-1]
    high = sides[::-1].cumsum(axis=0)[::-1][1:]
    sent = np.minimum(low.sum(axis=1), high.sum(axis=1)).tolist()
    straight, crossed = low[:, 0] + high[:, 1], low[:, 1] + high[:, 0]
    agreed = np.stack([straight, crossed], axis=1).ravel()
    allowed = [way for way in range(len(agreed)) if enough(sent[way // 2], LEAST_SENT)]
    best = first_best((agreed[allowed] / total).tolist(), 1.0)
    if best < 0:
        return None
    cut, then = divmod(allowed[best], 2)
    above = met[np.searchsorted(met, values[cut], side="right")]
    when, other = two_sides(attribute, float(values[cut]), float(above))
    return when, then, other, float(agreed[allowed[best]])
