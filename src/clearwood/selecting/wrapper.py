"""Forward and backward: the columns with which a learner does best, tried in folds (Kohavi and John 1997)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from clearwood.bounds import Checked, Whole
from clearwood.catalogue import SCORES
from clearwood.errors import ClearwoodWarning, SettingError
from clearwood.learners.learner import Learner
from clearwood.learners.progress import give_again, kept_warnings
from clearwood.models.model import Model
from clearwood.registry import checked
from clearwood.scoring import Stakes
from clearwood.scoring.intervals import score_over_parts
from clearwood.scoring.scores import score_called, usual_score
from clearwood.selecting.ranking import ColumnOrder, ColumnScore, OrderOf, Selector
from clearwood.selecting.selection import only_columns, ranked_names
from clearwood.study.recipe import predicted_by_folds
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

ScoreName: TypeAlias = Annotated[
    str | None,
    Checked(lambda _, value: str(value)),
    "The score by which sets are compared; none: accuracy or RMSE.",
]
FoldCount: TypeAlias = Annotated[int, Whole(2, 1000), "Folds in which every set is tried."]
SeedOfFolds: TypeAlias = Annotated[int, Whole(0), "The seed of the folds."]


def _tried(order: Callable[[_Trial, int | None], Sequence[ColumnScore]]) -> OrderOf:
    """Orders columns by the scores of sets of them in folds."""

    @checked
    def ordered(
        rows: Table,
        keep: int | None = None,
        *,
        learner: Learner[Model],
        score: ScoreName = None,
        folds: FoldCount = 5,
        seed: SeedOfFolds = 0,
    ) -> ColumnOrder:
        trial = _Trial.of(rows, learner, score, folds, seed)
        return ColumnOrder(tuple(order(trial, keep)), trial.notes)

    ordered.__doc__ = order.__doc__
    return ordered


@_tried
def order_forward(trial: _Trial, keep: int | None) -> Sequence[ColumnScore]:
    """One column after another: the one that helps most beside those before it, as long as one helps.

    The first must help beside none at all. The score of a column is that of the set of it and all before it.
    Where a number to keep is given, so many are added whether they help or not.
    """
    order: list[ColumnScore] = []
    best = trial.worth([])
    left = ranked_names(trial.rows)
    last: dict[str, float] = {}
    while left and (keep is None or len(order) < keep):
        before = [each.name for each in order]
        last = {name: trial.worth([*before, name]) for name in left}
        name = max(left, key=lambda each: last[each])
        if keep is None and not last[name] > best:
            break
        best = last[name]
        order.append(ColumnScore(name, trial.sign * best, chosen=True))
        left.remove(name)
    left.sort(key=lambda each: -last[each])
    rest = [ColumnScore(name, trial.sign * last[name]) for name in left]
    return [*order, *rest]


@_tried
def order_backward(trial: _Trial, keep: int | None) -> Sequence[ColumnScore]:
    """All columns, less one after another: the one that is missed least, as long as none is missed.

    The score of a column is what the set loses without it; of one that went, what it lost then. Where a
    number to keep is given, columns go until so many are left.
    """
    left = ranked_names(trial.rows)
    gone: list[ColumnScore] = []
    now = trial.worth(left)
    losses: dict[str, float] = {}
    while left:
        without = {name: trial.worth([each for each in left if each != name]) for name in left}
        # Both may be as bad as can be.
        losses = {name: 0.0 if now == then else now - then for name, then in without.items()}
        name = min(reversed(left), key=lambda each: losses[each])  # of equally needed ones the last goes
        if losses[name] > 0 if keep is None else len(left) == keep:
            break
        gone.append(ColumnScore(name, losses[name]))
        left.remove(name)
        now = without[name]
    kept = [ColumnScore(name, losses[name], chosen=True) for name in left]
    kept.sort(key=lambda each: -each.score)
    return [*kept, *reversed(gone)]


@dataclass(frozen=True, slots=True, eq=False)
class _Trial:
    """The folds, and the score of a set of columns in them."""

    rows: Table
    learner: Learner[Model]
    score: str
    sign: int
    folds: int
    seed: int

    @classmethod
    def of(cls, rows: Table, learner: Learner[Model], score: str | None, folds: int, seed: int) -> _Trial:
        if not callable(getattr(learner, "learn", None)):
            raise SettingError("Sets of columns are tried with a learner: give one, as in learner=C45().")
        numbers = isinstance(rows.schema.target, Numeric)
        name = score or usual_score(numbers=numbers)
        score_called(name, numbers=numbers)
        if len(rows) < 2:
            raise SettingError("Sets of columns are tried in folds, and there is but one row.")
        sign = 1 if SCORES[name].better == "more" else -1
        return cls(rows, learner, name, sign, min(folds, len(rows)), seed)

    @property
    def notes(self) -> tuple[str, ...]:
        by = type(self.learner).__name__
        label = SCORES[self.score].label
        return (
            f"Sets were compared by the {label} of {by} in {self.folds} folds of these rows: "
            "that of the best set is too good, as it was chosen for it.",
        )

    def worth(self, columns: list[str]) -> float:
        """The larger the better; a set that the rows cannot judge is the worst."""
        table = only_columns(self.rows, columns)
        with kept_warnings() as remarks:  # ours are of models that nobody will see
            predicted = predicted_by_folds(self.learner, table, self.folds, self.seed)
        give_again([each for each in remarks if not isinstance(each.message, ClearwoodWarning)])
        value = self.sign * score_over_parts(self.score, predicted, Stakes()).value
        return -math.inf if math.isnan(value) else value


FORWARD: Final = Selector(
    order_forward,
    "Add the column that helps a learner most, one after another.",
    "score with it",
    chooses=True,
    needs_learner=True,
)
BACKWARD: Final = Selector(
    order_backward,
    "Leave out the column that a learner misses least, one after another.",
    "lost without it",
    chooses=True,
    needs_learner=True,
)
