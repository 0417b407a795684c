"""A sign of life on long work: a spinner on standard error, and how far learning is, for a person."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from threading import Event, Thread
from time import monotonic
from typing import Final

from clearwood.cli.output import terminal_text
from clearwood.cli.process import first_signal_noted
from clearwood.learners.progress import Progress, watching

PATIENCE: Final = 0.7  # seconds without a sign
AGAIN: Final = 0.2  # seconds until the sign is looked at again


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show `what` with a spinner and a clock while the block runs, if it runs long and someone looks; of
    learners of many members also how many there are, and their score so far."""
    with _watched(_Work(what)):
        yield


@contextmanager
def learning(what: str, *, keep: bool) -> Iterator[None]:
    """The same of a model that an interruption ends: the first one only ends the learning, if it is to `keep`
    what was learned until then; otherwise a sentence says what was lost."""
    if keep:
        with first_signal_noted() as requests, _watched(_Work(what, requests, keeps=True)):
            yield
        return
    work = _Work(what)
    try:
        with _watched(work):
            yield
    except KeyboardInterrupt:
        if work.latest is None:
            print("Interrupted: nothing was learned, and nothing is saved.", file=sys.stderr)
        else:
            print(
                f"Interrupted after {work.latest.so_far}: nothing is kept or saved. "
                "With --keep, what was learned until then is.",
                file=sys.stderr,
            )
        raise


@contextmanager
def trying(what: str) -> Iterator[None]:
    """The same of work in folds, whose end can be foreseen: the first interruption ends it, and what was
    tried until then is kept."""
    with first_signal_noted() as requests, _watched(_Work(what, requests, keeps=True)):
        yield


@dataclass(slots=True)
class _Work:
    """What is being done, how far it is, and the requests to end that came meanwhile."""

    what: str
    requests: list[int] = field(default_factory=list)
    keeps: bool = False
    latest: Progress | None = None
    first: tuple[float, Progress] | None = None  # when it came

    def heed(self, progress: Progress) -> bool:
        self.latest = progress
        if self.first is None or self.first[1].unit != progress.unit:  # folds follow the trees of a forest
            self.first = (monotonic(), progress)
        return bool(self.requests)

    @property
    def left(self) -> str:
        """How long it will take yet, of work in folds, where each takes about as long as the last ones."""
        if self.first is None or self.latest is None or self.latest.unit != "fold":
            return ""
        began, first = self.first
        done = self.latest.done - first.done
        if done <= 0:
            return ""
        return f", {time_left((monotonic() - began) / done * (self.latest.of - self.latest.done))}"

    def __str__(self) -> str:
        far = "" if self.latest is None else f": {self.latest}{self.left}"
        if self.requests:
            return f"{self.what}{far}; ending with these (Ctrl-C again ends at once)"
        return f"{self.what}{far} (Ctrl-C {'keeps these' if self.keeps else 'stops'})"


def time_left(seconds: float) -> str:
    """About how long it will take yet.

    >>> time_left(0.4), time_left(42.3), time_left(200), time_left(9000)
    ('less than 1 s left', 'about 43 s left', 'about 4 min left', 'about 2.5 h left')
    """
    if seconds < 1:
        return "less than 1 s left"
    if seconds < 90:
        return f"about {ceil(seconds)} s left"
    return f"about {ceil(seconds / 60)} min left" if seconds < 5400 else f"about {seconds / 3600:.1f} h left"


@contextmanager
def _watched(work: _Work) -> Iterator[None]:
    with watching(work.heed):
        if not sys.stderr.isatty():
            yield
            return
        done = Event()
        spinner = Thread(target=_spin, args=(work, done), daemon=True)
        spinner.start()
        try:
            yield
        finally:
            done.set()
            spinner.join()


def _spin(work: _Work, done: Event) -> None:
    if done.wait(PATIENCE):
        return
    from rich.console import Console
    from rich.progress import Progress as Shown
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Shown(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(terminal_text(str(work)), total=None)
        while not done.wait(AGAIN):
            shown.update(task, description=terminal_text(str(work)))
