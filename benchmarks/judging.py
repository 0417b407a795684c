"""Outcomes beside goals: what a report shows of one comparison, whenever it was measured."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.comparison import Comparison
from benchmarks.timing import Outcome


@dataclass(frozen=True, slots=True)
class Judged:
    """A goal, what came out (None: a contestant was missing), and the verdict in words."""

    goal: str
    asked: float
    at_least: bool
    value: float | None
    verdict: str


@dataclass(frozen=True, slots=True)
class Section:
    """One comparison as it came out in the run of that date."""

    name: str
    sentence: str
    unit: str
    run: str
    outcomes: list[Outcome]
    goals: list[Judged]


def judge(comparison: Comparison, outcomes: list[Outcome], run: str) -> Section:
    medians = {outcome.name: outcome.median for outcome in outcomes if outcome.values}
    judged = []
    for goal in comparison.goals:
        medians_used = _Remembering(medians)
        try:
            value: float | None = goal.value(medians_used)
        except KeyError:
            value = None
        if value is None:
            verdict = "not judged"
        else:
            verdict = "met" if goal.met(value) else "NOT MET"
            if any(outcome.quoted and outcome.name in medians_used.names for outcome in outcomes):
                verdict += " (by a quoted figure)"
        judged.append(Judged(goal.text, goal.asked, goal.at_least, value, verdict))
    return Section(comparison.name, comparison.sentence, comparison.unit, run, outcomes, judged)


class _Remembering(dict[str, float]):
    """Medians that remember which of them a goal looked at."""

    def __init__(self, medians: dict[str, float]) -> None:
        super().__init__(medians)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> float:
        self.names.add(name)
        return super().__getitem__(name)
