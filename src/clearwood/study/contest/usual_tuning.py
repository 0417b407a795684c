"""Whether contenders are tuned by default. Decided by a count of the work, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clearwood.advice import Advice, Sentence
from clearwood.study.contest.contenders import Contender
from clearwood.study.contest.readable_learners import FEW_ROWS
from clearwood.study.contest.running import Contest
from clearwood.study.contest.tuned_contenders import times_as_long
from clearwood.words.numbers import many

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
