"""Progress and warnings of many learnings: what is reported meanwhile, and what is kept until the end."""

import math
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import field, replace
from typing import Any, Final, Literal, TextIO, TypeAlias

from clearwood.errors import ClearwoodWarning
from clearwood.records import dataclass
from clearwood.words.numbers import part_of


@contextmanager
def kept_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """The warnings that this thread gives within the block, none of which is shown; ours each time they are
    given, others as the filters say.

    >>> with kept_warnings() as kept:
    ...     warnings.warn("Too few rows.", ClearwoodWarning)
    >>> str(kept[0].message)
    'Too few rows.'
    """
    kept: list[warnings.WarningMessage] = []
    _HOOK.begin()
    _HERE.kept.append(kept)
    try:
        yield kept
    finally:
        _HERE.kept.pop()
        _HOOK.end()


def give_again(kept: Sequence[warnings.WarningMessage]) -> None:
    """Pass warnings on that were kept."""
    for each in kept:
        warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


class _Here(threading.local):
    """What the blocks of one thread have kept, the innermost last."""

    def __init__(self) -> None:
        self.kept: list[list[warnings.WarningMessage]] = []


_HERE: Final = _Here()


@dataclass(slots=True)
class _Hook:
    """One hook for all threads: the first block sets it, the last one takes it away."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    blocks: int = 0
    before: ExitStack = field(default_factory=ExitStack)
    shown_by: Callable[..., Any] = warnings.showwarning

    def begin(self) -> None:
        with self.lock:
            self.blocks += 1
            if self.blocks > 1:
                return
            self.shown_by = warnings.showwarning
            self.before.enter_context(warnings.catch_warnings())
            warnings.simplefilter("always", ClearwoodWarning)
            warnings.showwarning = _show

    def end(self) -> None:
        with self.lock:
            self.blocks -= 1
            if not self.blocks:
                self.before.close()


_HOOK: Final = _Hook()


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    if _HERE.kept:
        _HERE.kept[-1].append(warnings.WarningMessage(message, category, filename, lineno))
    else:
        _HOOK.shown_by(message, category, filename, lineno, file, line)


# Progress: what a learner of many members reports, to whoever watches and may say that it is enough.


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


def watcher() -> Watch | None:
    """Whoever watches what is learned here, to be asked from other threads too; None: nobody does."""
    return _WATCH.get()


def native_watch(progress: Progress) -> Callable[[int, float], bool] | None:
    """What native code calls with the members done and their score or NaN; None: nobody watches."""
    if _WATCH.get() is None:
        return None

    def watch(done: int, value: float) -> bool:
        return done > 0 and is_enough(
            replace(progress, done=progress.done + done, value=None if math.isnan(value) else value)
        )

    return watch
