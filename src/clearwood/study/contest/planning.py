"""Planning a contest: who takes part where time is short, and who is tuned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clearwood.study.contest.contenders import Contender
from clearwood.study.contest.estimating import TimeEstimate
from clearwood.study.contest.running import Contest
from clearwood.study.contest.tuned_contenders import times_as_long, tuned
from clearwood.study.contest.usual_tuning import AT_DEFAULTS, TuningDecision


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
    order = sorted(contenders, key=lambda each: (each.is_yardstick, seconds[each.name].likely))
    quickest = next((each for each in order if not each.is_yardstick), None)
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
