"""Planning a contest: who takes part where time is short, and who is tuned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clearwood.study.contest.contenders import Contender
from clearwood.study.contest.estimating import TimeEstimate, estimated
from clearwood.study.contest.running import Contest
from clearwood.study.contest.tuned_contenders import tuned
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


def within_budget(
    contenders: Sequence[Contender], seconds: dict[str, TimeEstimate], budget: float
) -> ContestPlan:
    """Those that fit into so many seconds, the quickest first; the quickest readable one in any case.

    Whoever does not fit is left out, aloud: judged on fewer parts it could not be compared with the others.
    """
    order = sorted(contenders, key=lambda each: (each.is_yardstick, seconds[each.name].likely))
    kept: list[Contender] = []
    notes, left = [], budget
    for each in order:
        likely = seconds[each.name].likely
        if kept and likely > left:
            notes.append(
                f"{each.name} is left out: it would take about {in_seconds(likely)}, and of "
                f"{in_seconds(budget)} about {in_seconds(max(left, 0.0))} are left."
            )
            continue
        kept.append(each)
        left -= likely
    return ContestPlan(tuple(kept), seconds, tuple(notes))


def tuned_within(contest: Contest, plan: ContestPlan, budget: float) -> ContestPlan:
    """The plan with as many learners tuned as there is time for, the quickest first."""
    left = budget - plan.total
    seconds, not_tuned = dict(plan.seconds), list[str]()
    instead: dict[str, Contender] = {}
    for each in sorted(plan.contenders, key=lambda each: plan.seconds[each.name].likely):
        if not each.grid:
            continue
        made, once = tuned(contest, each), plan.seconds[each.name].likely
        # What does not fit twice need not be tried to know that it does not fit tuned.
        longer = estimated(contest, [made])[made.name] if once <= left else None
        if longer is None or longer.likely - once > left:
            not_tuned.append(each.name)
            continue
        left -= longer.likely - once
        instead[each.name], seconds[made.name] = made, longer
    notes = (f"Not tuned, for lack of time: {', '.join(not_tuned)}.",) if not_tuned else ()
    contenders = tuple(instead.get(each.name, each) for each in plan.contenders)
    decision = TuningDecision(bool(instead), "budget")
    return ContestPlan(contenders, seconds, (*plan.notes, *notes), decision)


def in_seconds(seconds: float) -> str:
    """A time in a word or two.

    >>> in_seconds(0.0004), in_seconds(0.4321), in_seconds(47.3), in_seconds(600)
    ('<0.01 s', '0.43 s', '47 s', '10 min')
    """
    if seconds < 10:
        return "<0.01 s" if seconds < 0.005 else f"{seconds:.2f} s"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
