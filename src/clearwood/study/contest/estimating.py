"""Estimating: about how long each contender takes, by samples of the rows that it will learn from.

Time is taken for something that every model needs, and for something more with each row: two samples tell one
from the other. They are learned from as all rows will be: several parts at once, each on its own thread. How
time grows beyond the samples they do not tell (a search may end early or late), so an estimate is a range.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np

from clearwood import _native
from clearwood.errors import ClearwoodError
from clearwood.learners.parts import RowPart, run_in_order, taken_from
from clearwood.study.contest.contenders import Contender
from clearwood.study.contest.running import Contest, judge_part
from clearwood.study.recipe import bears_threads
from clearwood.study.tuning.tuner import Tuner
from clearwood.table.folding import shuffled

_PART: Final = 3  # the largest sample has one in so many rows
_STEP: Final = 4  # each sample has so many times the rows of the one before
_SMALL: Final = 250  # rows of the first sample, or fewer
_WORTH: Final = 0.05  # of the whole time, for the largest sample
# From samples to all rows time mostly grew by rows to the power of 0.5 to 1.3; on a busy machine by more.
_LEAST_GROWTH: Final = 0.5
_MOST_GROWTH: Final = 1.3
# Those that compare rows with rows, and those that go on for longer the more rows there are.
_GROWTH_OF: Final = {
    **dict.fromkeys(("SVC", "SVR", "KNeighborsClassifier", "KNeighborsRegressor"), 2.0),
    "GAM": 1.3,
}


@dataclass(frozen=True, slots=True)
class TimeEstimate:
    """About how many seconds something will take, and between which bounds as a rule, not surely."""

    likely: float
    least: float
    most: float


def estimated(
    contest: Contest, contenders: Sequence[Contender], limit: float = math.inf
) -> dict[str, TimeEstimate]:
    """About how many seconds each contender takes on all parts; 0 of one that refuses every sample. `limit`
    is for how many seconds may be spent on it: each contender gets a part, and smaller samples."""
    each_limit = limit / max(len(contenders), 1)
    return {each.name: _seconds(contest, each, each_limit) for each in contenders}


def _seconds(contest: Contest, contender: Contender, limit: float) -> TimeEstimate:
    part = max(contest.parts, key=lambda each: len(each.learn))
    at_once = min(_native.thread_count(), len(contest.parts)) if bears_threads(contender.learns) else 1
    rounds = math.ceil(len(contest.parts) / at_once)
    sizes = _sizes(part, rounds)
    if not isinstance(contender.learns, Tuner):  # of many models the first does not matter
        _taken(contest, contender, _sample(part, sizes[0]), 1)  # loads all that it needs
    known: list[tuple[float, float]] = []  # rows and seconds
    growth = _GROWTH_OF.get(getattr(contender.learns, "title", type(contender.learns).__name__), 1.0)
    for rows in sizes:
        seconds = _taken(contest, contender, _sample(part, rows), at_once)
        if seconds is not None:
            known.append((rows, seconds))
            if seconds * _STEP > limit:  # the next sample would take too long
                break
    once = _at(known, len(part.learn), growth)
    return TimeEstimate(once.likely * rounds, once.least * rounds, once.most * rounds)


def _sizes(part: RowPart, rounds: int) -> list[int]:
    """Of the samples, from small to large: the largest has a third of the rows, or fewer where it would take
    a larger part of the whole time than it is worth.

    >>> _sizes(RowPart(np.arange(43_957), np.arange(4_885)), 5)
    [171, 686, 2747, 10989]
    """
    every = len(part.learn)
    if every <= 2 * _SMALL:
        return [every]  # of few rows time does not follow from fewer: one part is soon learned from
    worth = max(int(every * rounds * _WORTH), _SMALL)
    largest = max(min(every // _PART, worth), min(every, 2 * _STEP))
    sizes = [largest, largest // _STEP]
    while sizes[-1] > _SMALL:
        sizes.append(sizes[-1] // _STEP)
    return sizes[::-1]


def _sample(part: RowPart, rows: int) -> RowPart:
    """So many rows to learn from, and the same share of those that judge."""
    judge = max(1, round(len(part.judge) * rows / len(part.learn)))
    return RowPart(
        part.learn[np.sort(shuffled(len(part.learn), 0)[:rows])],
        part.judge[np.sort(shuffled(len(part.judge), 0)[:judge])],
    )


def _taken(contest: Contest, contender: Contender, part: RowPart, at_once: int) -> float | None:
    """The seconds that as many parts as there are threads take, all at once; None where it refuses."""
    take = taken_from(contest.table)
    began = perf_counter()
    try:
        run_in_order(
            [(0, part)] * at_once,
            lambda task: judge_part(contest, contender, take(task)),
            lambda _: False,
            threads=at_once,
        )
    except ClearwoodError:
        return None  # it says why when it is judged
    return perf_counter() - began


def _at(known: Sequence[tuple[float, float]], rows: float, growth: float) -> TimeEstimate:
    """On the line through the last two samples, by rows to the power of `growth`; and from the last one on by
    the least and the most that time may grow.

    >>> _at([(100, 1.5), (200, 2.5)], 800, 1.0)
    TimeEstimate(likely=8.5, least=5.0, most=15.157165665103982)
    """
    if not known:
        return TimeEstimate(0.0, 0.0, 0.0)
    last, seconds = known[-1]
    likely = seconds * (rows / last) ** growth
    if len(known) > 1:
        before, sooner = known[-2]
        slope = max(seconds - sooner, 0.0) / (last**growth - before**growth)
        likely = seconds + slope * (rows**growth - last**growth)
    least, most = (seconds * (rows / last) ** by for by in (_LEAST_GROWTH, max(_MOST_GROWTH, growth)))
    return TimeEstimate(likely, min(likely, least), max(likely, most))
