"""A sign of life on long work: a spinner on standard error, for a person at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from clearwood.cli.output import terminal_text

PATIENCE: Final = 0.7  # seconds without a sign


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show `what` with a spinner and a clock while the block runs, if it runs long and someone looks."""
    if not sys.stderr.isatty():
        yield
        return
    done = Event()
    spinner = Thread(target=_spin, args=(what, done), daemon=True)
    spinner.start()
    try:
        yield
    finally:
        done.set()
        spinner.join()


def _spin(what: str, done: Event) -> None:
    if done.wait(PATIENCE):
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(f"{terminal_text(what)} (Ctrl-C stops)", total=None)
        done.wait()
