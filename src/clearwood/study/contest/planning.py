"""Planning a contest: who takes part where time is short, and who is tuned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from time import perf_counter
from typing import Final

import numpy as np

from clearwood import _native
from clearwood.errors import Advice, ClearwoodError, Sentence
from clearwood.learners.parts import RowPart, run_in_order, taken_from
from clearwood.study.contest.contenders import FEW_ROWS, Contender, deciding_by
from clearwood.study.contest.running import Contest, judge_part
from clearwood.study.designs import Folds
from clearwood.study.recipe import bears_threads
from clearwood.study.tuning.grids import as_grid
from clearwood.study.tuning.tuner import Tuner
from clearwood.table.folding import shuffled
from clearwood.words.numbers import many

# Whether contenders are tuned by default. Decided by a count of the work, the same on every machine.


# Cells that are learned from, each counted as often as a cell of the dearer learners takes longer than one of
# a tree. A core does some ten million in a second, so that this is about a minute.
MOST_WORK: Final = 600_000_000
_TO_BEGIN: Final = 10_000  # cells in whose time the smallest model is learned


@dataclass(frozen=True, slots=True)
class TuningDecision:
    """Whether learners are tuned, `by` whose word or count, the `work` where it was counted, and why."""

    tuned: bool
    by: str  # "asked", "budget", "work", "rows" or "named"
    work: int | None = None
    why: str = ""


AT_DEFAULTS: Final = TuningDecision(False, "asked")


def usual_tuning(contest: Contest, contenders: Sequence[Contender]) -> TuningDecision:
    """The usual learners are tuned where that is little work; those that were named are left as given."""
    usual = [each for each in contenders if each.usual and each.grid]
    if not usual:
        some = any(each.grid for each in contenders)
        why = Sentence(
            "Learners that are named are evaluated as given. For a few settings of each, tried within every "
            "part: ",
            Advice("tune", True),
            ".",
        )
        return TuningDecision(False, "named", why=why if some else "")
    rows = len(contest.table)
    if rows < FEW_ROWS:
        sentence = f"fewer than {FEW_ROWS} rows would choose settings by chance."
        return TuningDecision(False, "rows", why=f"Every learner is at its defaults: {sentence}")
    work = work_of_tuning(contest, usual)
    models = len(contest.parts) * sum(map(times_as_long, usual))
    if work <= MOST_WORK:
        why = Sentence(
            f"Every learner is tuned over a small grid within each part: {many(models, 'model')}, "
            f"{_millions(work)} of work, and up to {_millions(MOST_WORK)} are tuned unasked. Without it: ",
            Advice("tune", False),
            ".",
        )
        return TuningDecision(True, "work", work, why)
    why = Sentence(
        f"Every learner is at its defaults: to tune them takes {many(models, 'model')}, {_millions(work)} of "
        f"work, and up to {_millions(MOST_WORK)} are tuned unasked. To tune all the same: ",
        Advice("tune", True),
        "; as far as there is time: ",
        Advice("budget", 300),
        ".",
    )
    return TuningDecision(False, "work", work, why)


def work_of_tuning(contest: Contest, contenders: Sequence[Contender]) -> int:
    """Cells learned from by all models of all parts, those of dear learners counted several times."""
    schema = contest.table.schema
    cells = len(contest.table) * len(schema.inputs) + _TO_BEGIN
    classes = len(schema.classes)
    total = 0
    for each in contenders:
        again = classes if each.by_class and classes > 2 else 1
        total += times_as_long(each) * each.dearness * again
    return len(contest.parts) * cells * total


def _millions(cells: int) -> str:
    """
    >>> _millions(246_400_000), _millions(400_000)
    ('246 million cells', '0.4 million cells')
    """
    return f"{cells / 1e6:,.0f} million cells" if cells >= 9.5e6 else f"{cells / 1e6:.1f} million cells"


@dataclass(frozen=True, slots=True, eq=False)
class ContestPlan:
    """Who takes part, about how many seconds each will take, the sentences on those left out, and whether
    and why learners are tuned."""

    contenders: tuple[Contender, ...]
    seconds: dict[str, TimeEstimate]
    notes: tuple[str, ...] = ()
    tuning: TuningDecision = AT_DEFAULTS

    @property
    def total(self) -> float:
        """About how many seconds it will take."""
        return sum(each.likely for each in self._times)

    @property
    def between(self) -> tuple[float, float]:
        """The seconds that it will take at least and at most as a rule; a busy machine may take more."""
        return sum(each.least for each in self._times), sum(each.most for each in self._times)

    @property
    def _times(self) -> list[TimeEstimate]:
        return [self.seconds[each.name] for each in self.contenders if each.name in self.seconds]


def by_quickness(contenders: Sequence[Contender], seconds: dict[str, TimeEstimate]) -> ContestPlan:
    """All of them, the quickest first: where time is short, whoever does not end in time is stopped."""
    order = sorted(contenders, key=lambda each: (each.is_reference_model, seconds[each.name].likely))
    quickest = next((each for each in order if not each.is_reference_model), None)
    order.sort(key=lambda each: (each is not quickest, seconds[each.name].likely))
    return ContestPlan(tuple(order), seconds)


def tuned_within(contest: Contest, plan: ContestPlan, left: float) -> ContestPlan:
    """The plan with as many learners tuned, after all have been judged at their defaults, as so many seconds
    are likely to be enough for, the quickest first."""
    seconds, not_tuned = dict(plan.seconds), list[str]()
    left -= plan.total
    made: list[Contender] = []
    for each in sorted(plan.contenders, key=lambda each: plan.seconds[each.name].likely):
        if not each.grid:
            continue
        times, once = times_as_long(each), plan.seconds[each.name]
        if once.likely * times > left:
            not_tuned.append(each.name)
            continue
        left -= once.likely * times
        made.append(tuned(contest, each))
        ends = (once.likely, once.least, once.most)
        seconds[made[-1].name] = TimeEstimate(*(times * end for end in ends))
    notes = (f"Not tuned, for lack of time: {', '.join(not_tuned)}.",) if not_tuned else ()
    decision = TuningDecision(bool(made), "budget")
    return ContestPlan((*plan.contenders, *made), seconds, (*plan.notes, *notes), decision)


def in_seconds(seconds: float) -> str:
    """A time in a word or two.

    >>> in_seconds(0.0004), in_seconds(0.4321), in_seconds(47.3), in_seconds(600)
    ('<0.01 s', '0.43 s', '47 s', '10 min')
    """
    if seconds < 10:
        return "<0.01 s" if seconds < 0.005 else f"{seconds:.2f} s"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


# Contenders that are tuned within each part: the rows that judge have no part in the choice of settings.


_FOLDS: Final = 5  # of the rows that are learned from


def tuned(contest: Contest, contender: Contender) -> Contender:
    """The contender that tries its grid in folds of the rows it learns from, and takes the simplest settings
    within one standard error of the best."""
    learner = contender.learner if contender.to_tune is None else contender.to_tune
    tuner = Tuner(
        deciding_by(contest.stakes.costs, learner),
        as_grid(contender.grid),
        Folds(_FOLDS),
        contest.by,
        one_se=True,
        positive=contest.stakes.positive or None,
        costs=contest.stakes.costs,
    )
    name = contender.name if contender.to_tune is None else contender.name.partition(":")[0]
    return replace(contender, name=f"{name} tuned", learns=tuner, grid={})


def times_as_long(contender: Contender) -> int:
    """How many models are learned in place of one: in each fold one with each setting, and the last."""
    return _FOLDS * prod(map(len, contender.grid.values())) + 1


# Estimating: about how long each contender takes, by samples of the rows that it will learn from.
#
# Time is taken for something that every model needs, and for something more with each row: two samples tell
# one from the other. They are learned from as all rows will be: several parts at once, each on its own
# thread. How time grows beyond the samples they do not tell (a search may end early or late), so an
# estimate is a range.


_PART: Final = 3  # the largest sample has one in so many rows
_STEP: Final = 4  # each sample has so many times the rows of the one before
_SMALL: Final = 250  # rows of the first sample, or fewer
_WORTH: Final = 0.05  # of the whole time, for the largest sample
# From samples to all rows time mostly grew by rows to the power of 0.5 to 1.3; on a busy machine by more.
_LEAST_GROWTH: Final = 0.5
_MOST_GROWTH: Final = 1.3
_GROWTH_OF: Final = {"GAM": 1.3}  # that goes on for longer the more rows there are
# Those that compare rows with rows: whether those learned from with each other, beside those that are judged.
_BY_PAIRS: Final = {"SVC": 1, "SVR": 1, "KNeighborsClassifier": 0, "KNeighborsRegressor": 0}


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
    return {each.name: _estimated_seconds(contest, each, each_limit) for each in contenders}


def _estimated_seconds(contest: Contest, contender: Contender, limit: float) -> TimeEstimate:
    part = max(contest.parts, key=lambda each: len(each.learn))
    at_once = min(_native.thread_count(), len(contest.parts)) if bears_threads(contender.learns) else 1
    rounds = math.ceil(len(contest.parts) / at_once)
    learned = min(len(part.learn), contender.most_rows or len(part.learn))
    sizes = _sizes(learned, rounds)
    if not isinstance(contender.learns, Tuner):  # of many models the first does not matter
        _seconds_taken(contest, contender, _sample(part, sizes[0]), 1)  # loads all that it needs
    known: list[tuple[int, float]] = []  # rows and seconds
    title = getattr(contender.learns, "title", type(contender.learns).__name__)
    growth = 2.0 if title in _BY_PAIRS else _GROWTH_OF.get(title, 1.0)
    for rows in sizes:
        seconds = _seconds_taken(contest, contender, _sample(part, rows), at_once)
        if seconds is not None:
            known.append((rows, seconds))
            if seconds * _STEP > limit:  # the next sample would take too long
                break
    once = _at(known, _rows_as_long(part, learned, title), growth)
    return TimeEstimate(once.likely * rounds, once.least * rounds, once.most * rounds)


def _rows_as_long(part: RowPart, most: int, title: str) -> float:
    """The rows of a sample, of which as many are judged as of all rows, that takes as long as a part where
    `most` are learned from and all of it is judged: whoever compares rows with rows has as many pairs there.

    >>> part = RowPart(np.arange(90_000), np.arange(10_000))
    >>> [round(_rows_as_long(part, 10_000, name)) for name in ("LDA", "KNeighborsRegressor", "SVC")]
    [10000, 30000, 13416]
    """
    if title not in _BY_PAIRS or most >= len(part.learn):
        return min(most, len(part.learn))
    judged = len(part.judge) / len(part.learn)
    beside = _BY_PAIRS[title]
    return math.sqrt(most * (beside * most + len(part.judge)) / (beside + judged))


def _sizes(every: int, rounds: int) -> list[int]:
    """Of the samples, from small to large: the largest has a third of the rows, or fewer where it would take
    a larger part of the whole time than it is worth.

    >>> _sizes(43_957, 5)
    [171, 686, 2747, 10989]
    """
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


def _seconds_taken(contest: Contest, contender: Contender, part: RowPart, at_once: int) -> float | None:
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
