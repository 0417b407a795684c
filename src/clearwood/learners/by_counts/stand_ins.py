"""Stand-ins (surrogates): other attributes that send a row where the split would, if its own is empty."""

from __future__ import annotations

import numpy as np

from clearwood.learners.by_counts.question import Question, StandIn, Takes, is_empty
from clearwood.learners.by_counts.questions.cuts import on_ladder, two_sides
from clearwood.learners.by_counts.routing import taken_by
from clearwood.learners.by_counts.task import Longs, Region, Task, sums
from clearwood.learners.by_counts.ties import better, first_best
from clearwood.measures.counts import Floats
from clearwood.table.attributes import Nominal


def find_stand_ins(task: Task, question: Question, region: Region, most: int) -> tuple[StandIn, ...]:
    """Up to `most` attributes, those that agree best with the split first.

    Agreement is the part of the rows known on both attributes that the stand-in sends as the split does;
    one that does no better than sending all of these rows to the larger side is no help.
    """
    branch = taken_by(task, question, region)
    found = [
        stand_in
        for position, column in enumerate(task.columns)
        if column is not None and position != question.attribute
        if (stand_in := _stand_in(task, position, region, branch)) is not None
    ]
    chosen: list[StandIn] = []
    while found and len(chosen) < most:
        chosen.append(found.pop(first_best((each.agreement for each in found), 1.0)))
    return tuple(chosen)


def _stand_in(task: Task, position: int, region: Region, branch: Longs) -> StandIn | None:
    """The best use of one attribute, if it beats the larger side."""
    attribute = task.schema.attributes[position]
    cells = task.cells(position, region)
    both = (branch >= 0) & ~is_empty(attribute, cells)
    steps = (
        cells[both].astype(np.float64)
        if isinstance(attribute, Nominal)
        else on_ladder(attribute, cells[both])
    )
    values, step = np.unique(steps, return_inverse=True)
    if len(values) < 2:
        return None
    place = step * 2 + branch[both]
    sides = sums(place, region.weights[both], 2 * len(values)).reshape(-1, 2)  # [value, branch]
    total, larger = float(sides.sum()), float(sides.sum(axis=0).max())
    if isinstance(attribute, Nominal):
        when, then, other, agreed = _by_values(values, sides)
    else:
        cut, then, agreed = _by_cut(sides, total)
        when, other = two_sides(attribute, float(values[cut]), float(values[cut + 1]))
    if not better(agreed / total, larger / total, 1.0):
        return None
    return StandIn(position, when, then, other, agreed / total)


def _by_values(values: Floats, sides: Floats) -> tuple[Takes, int, Takes, float]:
    """Each value to the branch most of its rows follow; where even, to branch 0."""
    to: list[list[int]] = [[], []]
    for code, (first, second) in zip(values.astype(int).tolist(), sides.tolist(), strict=True):
        to[int(better(second, first, first + second))].append(code)
    return Takes(codes=tuple(to[0])), 0, Takes(codes=tuple(to[1])), float(sides.max(axis=1).sum())


def _by_cut(sides: Floats, total: float) -> tuple[int, int, float]:
    """The cut that agrees best, the lowest of equals: low values to branch 0, or to branch 1."""
    low = sides.cumsum(axis=0)[:-1]
    high = sides[::-1].cumsum(axis=0)[::-1][1:]
    straight, crossed = low[:, 0] + high[:, 1], low[:, 1] + high[:, 0]
    agreed = np.stack([straight, crossed], axis=1).ravel()
    best = first_best((agreed / total).tolist(), 1.0)
    return best // 2, best % 2, float(agreed[best])
