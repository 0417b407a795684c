"""A design in a few words, as they stand beside a score."""

from __future__ import annotations

from typing import assert_never

from clearwood.study.designs import (
    Bootstrap,
    ByTime,
    Design,
    Folds,
    GivenFolds,
    HoldOut,
    LeaveOneOut,
    TrainingRows,
)
from clearwood.words.numbers import many


def design_in_words(design: Design | None, parts: int) -> str:
    """What judged, in so many parts.

    >>> design_in_words(Folds(10, repeats=5, group="customer"), 50)
    '10 folds of groups by customer, 5 times'
    >>> design_in_words(LeaveOneOut("patient"), 23), design_in_words(Bootstrap(), 50)
    ('each of 23 groups by patient left out', '50 bootstrap samples')
    """
    match design:
        case None:
            return many(parts, "fold")
        case Folds(group=group, repeats=repeats):
            times = f", {repeats} times" if repeats > 1 else ""
            return f"{many(parts // repeats, 'fold')}{_of_groups(group)}{times}"
        case LeaveOneOut(None):
            return f"each of {many(parts, 'row')} left out"
        case LeaveOneOut(group):
            return f"each of {many(parts, 'group')} by {group} left out"
        case ByTime(column, window=window):
            return f"{many(parts, 'step')} in time by {column}{'' if window is None else ', sliding'}"
        case Bootstrap(group=group):
            return f"{many(parts, 'bootstrap sample')}{_of_groups(group)}"
        case GivenFolds(column):
            return f"{many(parts, 'fold')} given by {column}"
        case HoldOut(group=group):
            return f"one part held out{_of_groups(group)}"
        case TrainingRows():
            return "the training rows"
        case _:
            assert_never(design)


def _of_groups(group: str | None) -> str:
    return "" if group is None else f" of groups by {group}"
