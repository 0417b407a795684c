"""Progress: what a learner of many members reports, to whoever watches and may say that it is enough."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from clearwood.words.numbers import part_of


@dataclass(frozen=True, slots=True)
class Progress:
    """So many of so many members are learned; `value` is their score so far, None where it is not known.

    >>> print(Progress(37, 100, "tree", "error", "out-of-bag rows", 0.2413))
    37 of 100 trees, error on out-of-bag rows 0.2413
    """

    done: int
    of: int
    unit: Literal["tree", "round", "member", "round of the curves", "round of the pairs", "model", "fold"]
    score: str = ""
    on: str = ""
    value: float | None = None

    @property
    def so_far(self) -> str:
        """How many of how many."""
        return part_of(self.done, self.of, self.unit)

    def __str__(self) -> str:
        score = "" if self.value is None else f", {self.score} on {self.on} {self.value:.4g}"
        return self.so_far + score


Watch: TypeAlias = Callable[[Progress], object]  # what counts as true: enough, keep what is learned

_WATCH: Final[ContextVar[Watch | None]] = ContextVar("watch", default=None)


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Within the block every learner of many members calls `watch` with its progress: `Bagging`, `Forest`,
    `AdaBoost`, `Boosting` and `GAM`, wherever they are called from. If it returns True, the learner ends, and
    the model has the members learned so far; its lineage says that it was interrupted.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> with cw.watching(lambda progress: progress.done == 3):
    ...     model = cw.Boosting(trees=50, min_child=0).learn(table)
    >>> model, model.origin.after[0].of
    (<Ensemble Boosting, interrupted: 3 members>, 50)
    """
    before = _WATCH.set(watch)
    try:
        yield
    finally:
        _WATCH.reset(before)


def is_enough(progress: Progress) -> bool:
    """Report to whoever watches: do they say that it is enough?"""
    watch = _WATCH.get()
    return watch is not None and bool(watch(progress))


def native_watch(progress: Progress) -> Callable[[int, float], bool] | None:
    """What native code calls with the members done and their score or NaN; None: nobody watches."""
    if _WATCH.get() is None:
        return None

    def watch(done: int, value: float) -> bool:
        return done > 0 and is_enough(
            replace(progress, done=progress.done + done, value=None if math.isnan(value) else value)
        )

    return watch
