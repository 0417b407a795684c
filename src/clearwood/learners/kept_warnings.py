"""Warnings kept aside while a block runs, thread by thread: what Python offers mixes up those of threads."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TextIO

from clearwood.errors import ClearwoodWarning


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
