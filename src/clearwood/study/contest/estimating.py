"""Estimating: about how long each contender takes, by samples of the rows that it will learn from.

Time is taken for something that every model needs, and for something more with each row: two samples tell one
from the other. They are learned from as all rows will be: several parts at once, each on its own thread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Final

import numpy as np

from clearwood import _native
from clearwood.learners.kept_warnings import kept_warnings
from clearwood.learners.progress import watching
from clearwood.study.contest.contenders import Contender
from clearwood.study.contest.running import Contest, goes_on_threads, judge_part
from clearwood.study.dividing import RowPart
from clearwood.study.tuning.tuner import Tuner
from clearwood.table.folding import shuffled
from clearwood.table.table import Table, as_counts

_PART: Final = 3  # the largest sample has one in so many rows
_STEP: Final = 4  # each sample has so many times the rows of the one before
_SMALL: Final = 250  # rows of the first sample, or fewer
_ENOUGH: Final = 0.16  # seconds: a sample that takes longer is followed by none
_GROWTH: Final = 1.1  # time by rows: a little more than twice for twice as many
_SQUARE: Final = ("SVC", "SVR", "KNeighborsClassifier", "KNeighborsRegressor")  # compare rows with rows


def estimated(contest: Contest, contenders: Sequence[Contender]) -> dict[str, float]:
    """About how many seconds each contender takes on all parts; 0 of one that refuses every sample."""
    apart = as_counts(contest.table)
    return {each.name: _seconds(contest, each, apart) for each in contenders}


def _seconds(contest: Contest, contender: Contender, apart: Table) -> float:
    part = max(contest.parts, key=lambda each: len(each.learn))
    at_once = min(_native.thread_count(), len(contest.parts)) if goes_on_threads(contender) else 1
    if not isinstance(contender.learns, Tuner):  # of many models the first does not matter
        _taken(contest, contender, _sample(part, _sizes(part)[0]), apart, 1)  # loads all that it needs
    known: list[tuple[float, float]] = []  # rows, as time grows with them, and seconds
    growth = 2.0 if getattr(contender.learns, "title", "") in _SQUARE else _GROWTH
    for rows in _sizes(part):
        seconds = _taken(contest, contender, _sample(part, rows), apart, at_once)
        if seconds is not None:
            known.append((rows**growth, seconds))
        if len(known) > 1 and known[-1][1] > _ENOUGH:
            break
    return _at(known, len(part.learn) ** growth) * math.ceil(len(contest.parts) / at_once)


def _sizes(part: RowPart) -> list[int]:
    """Of the samples, from small to large.

    >>> _sizes(RowPart(np.arange(43_957), np.arange(4_885)))
    [228, 915, 3663, 14652]
    """
    largest = max(len(part.learn) // _PART, min(len(part.learn), 2 * _STEP))
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


def _taken(contest: Contest, contender: Contender, part: RowPart, apart: Table, at_once: int) -> float | None:
    """The seconds that as many parts as there are threads take, all at once; None where it refuses."""

    def once(_: int) -> None:
        with kept_warnings(), watching(lambda _: False):
            judge_part(contest, contender, part, apart, 0)

    began = perf_counter()
    try:
        if at_once == 1:
            once(0)
        else:
            with ThreadPoolExecutor(at_once, initializer=_native.work_alone, initargs=(True,)) as pool:
                list(pool.map(once, range(at_once)))
    except Exception:
        return None  # it says why when it is judged
    return perf_counter() - began


def _at(known: Sequence[tuple[float, float]], rows: float) -> float:
    """On the line through the last two samples.

    >>> _at([(100, 1.5), (200, 2.5)], 1000), _at([(200, 2.0)], 1000)
    (10.5, 10.0)
    """
    if not known:
        return 0.0
    last, seconds = known[-1]
    if len(known) == 1:
        return seconds * rows / last
    before, sooner = known[-2]
    return seconds + max(seconds - sooner, 0.0) / (last - before) * (rows - last)
