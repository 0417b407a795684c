"""Planning a contest: how long it will take, who takes part where time is short, and who is tuned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np

from clearwood import _native
from clearwood.learners.kept_warnings import kept_warnings
from clearwood.learners.progress import watching
from clearwood.study.contest.contenders import Contender
from clearwood.study.contest.running import Contest, judge_part, learns_single_models
from clearwood.study.contest.tuned_contenders import times_as_long, tuned
from clearwood.study.dividing import RowPart
from clearwood.table.folding import shuffled
from clearwood.table.table import Table, as_counts

_SAMPLE: Final = 2_000  # rows to learn from: enough to tell minutes from seconds
_QUICK: Final = 0.5  # seconds
_GROWTH: Final = 1.1  # time by rows: a little more than twice for twice as many
_SQUARE: Final = ("SVC", "SVR", "KNeighborsClassifier", "KNeighborsRegressor")  # compare rows with rows


@dataclass(frozen=True, slots=True, eq=False)
class ContestPlan:
    """Who takes part, about how many seconds each will take, and the sentences on those left out."""

    contenders: tuple[Contender, ...]
    seconds: dict[str, float]
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        """About how many seconds it will take."""
        return sum(self.seconds.get(each.name, 0.0) for each in self.contenders)


def estimated(contest: Contest, contenders: Sequence[Contender]) -> dict[str, float]:
    """About how many seconds each contender takes on all parts: from one part, or a sample of it, scaled."""
    part = max(contest.parts, key=lambda each: len(each.learn))
    learn = part.learn[np.sort(shuffled(len(part.learn), 0)[:_SAMPLE])]
    judge = part.judge[np.sort(shuffled(len(part.judge), 0)[:_SAMPLE])]
    times = len(part.learn) / len(learn)
    apart = as_counts(contest.table)
    threads = min(_native.thread_count(), len(contest.parts))
    seconds = {}
    for each in contenders:
        once = _once(contest, each, RowPart(learn, judge), apart) * times ** _growth(each)
        at_once = threads if learns_single_models(each) else 1
        seconds[each.name] = once * len(contest.parts) / at_once
    return seconds


def _once(contest: Contest, contender: Contender, part: RowPart, apart: Table) -> float:
    """The seconds of one part; of a quick one those of a second time, when all that it needs is loaded."""
    taken = [math.inf]
    while len(taken) < 3 and (len(taken) == 1 or taken[-1] < _QUICK):
        began = perf_counter()
        with kept_warnings(), watching(lambda _: False):
            try:
                judge_part(contest, contender, part, apart, 0)
            except Exception:
                return 0.0  # it is refused, with its sentence, when it is judged
        taken.append(perf_counter() - began)
    return min(taken)


def within_budget(contenders: Sequence[Contender], seconds: dict[str, float], budget: float) -> ContestPlan:
    """Those that fit into so many seconds, the quickest first; the quickest readable one in any case.

    Whoever does not fit is left out, aloud: judged on fewer parts it could not be compared with the others.
    """
    order = sorted(contenders, key=lambda each: (each.is_yardstick, seconds[each.name]))
    kept: list[Contender] = []
    notes, left = [], budget
    for each in order:
        if kept and seconds[each.name] > left:
            notes.append(
                f"{each.name} is left out: it would take about {in_seconds(seconds[each.name])}, and of "
                f"{in_seconds(budget)} about {in_seconds(max(left, 0.0))} are left."
            )
            continue
        kept.append(each)
        left -= seconds[each.name]
    return ContestPlan(tuple(kept), seconds, tuple(notes))


def with_tuning(contest: Contest, plan: ContestPlan, budget: float | None) -> ContestPlan:
    """The plan with every learner tuned that has something to tune; where time is short, as many as it is
    enough for, the quickest first."""
    left = None if budget is None else budget - plan.total
    seconds, not_tuned = dict(plan.seconds), list[str]()
    instead: dict[str, Contender] = {}
    for each in sorted(plan.contenders, key=lambda each: plan.seconds.get(each.name, 0.0)):
        if not each.grid:
            continue
        made, once = tuned(contest, each), plan.seconds.get(each.name, 0.0)
        longer = once * times_as_long(each)
        if left is not None and longer - once > left:
            not_tuned.append(each.name)
            continue
        left = None if left is None else left - (longer - once)
        instead[each.name], seconds[made.name] = made, longer
    notes = (f"Not tuned, for lack of time: {', '.join(not_tuned)}.",) if not_tuned else ()
    contenders = tuple(instead.get(each.name, each) for each in plan.contenders)
    return ContestPlan(contenders, seconds, (*plan.notes, *notes))


def in_seconds(seconds: float) -> str:
    """A time in a word or two.

    >>> in_seconds(0.0004), in_seconds(0.4321), in_seconds(47.3), in_seconds(600)
    ('<0.01 s', '0.43 s', '47 s', '10 min')
    """
    if seconds < 10:
        return "<0.01 s" if seconds < 0.005 else f"{seconds:.2f} s"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _growth(contender: Contender) -> float:
    return 2.0 if getattr(contender.learns, "title", "") in _SQUARE else _GROWTH
