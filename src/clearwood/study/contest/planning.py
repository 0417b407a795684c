"""Planning a contest: who takes part where time is short, and who is tuned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Final

from clearwood.advice import Advice, Sentence
from clearwood.study.contest.contenders import FEW_ROWS, Contender
from clearwood.study.contest.estimating import TimeEstimate
from clearwood.study.contest.running import Contest
from clearwood.study.contest.steps_for_all import deciding_by
from clearwood.study.designs import Folds
from clearwood.study.tuning.grids import as_grid
from clearwood.study.tuning.tuner import Tuner
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

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {"tuned": self.tuned, "by": self.by, "work": self.work, "why": str(self.why)}


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
