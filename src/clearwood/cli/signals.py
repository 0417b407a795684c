"""Signals that end the program: Ctrl-C, and the system's request, which is heeded in the same way.

Left to itself, Python dies of SIGTERM on the spot, and the part of a file that was being written stays.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

STOPPED: Final = 128 + signal.SIGINT  # as shells count it
TERMINATED: Final = 128 + signal.SIGTERM

_received: list[int] = []


class EndingError(KeyboardInterrupt):
    """A signal asks us to end.

    It is handled wherever Ctrl-C is, and yet another class: where a plain `KeyboardInterrupt` has passed
    through `exec`, as dataclasses use it, Python kills itself in the end instead of exiting with our code.
    """


def heed_requests_to_end() -> None:
    """From now on SIGTERM interrupts as Ctrl-C does; whoever ignores one for us goes on doing so."""
    for each, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(each) is usual:
            signal.signal(each, _interrupt)


@contextmanager
def first_request_noted() -> Iterator[list[int]]:
    """Within the block the first signal that asks us to end is only put in the list; the next one ends us."""
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if noted:
            _interrupt(number, frame)
        noted.append(number)

    ours = (_interrupt, signal.default_int_handler)  # whoever ignores one for us goes on doing so
    before = {
        each: signal.signal(each, note)
        for each in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(each) in ours
    }
    try:
        yield noted
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def code_of_interruption() -> int:
    """The exit code of a program that was interrupted: by SIGTERM, if that has come, else by Ctrl-C."""
    return TERMINATED if signal.SIGTERM in _received else STOPPED


def ignore_requests_to_end() -> None:
    """The answer is given and Python takes itself down: an interruption could only break that off noisily."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)


def _interrupt(number: int, _: FrameType | None) -> None:
    _received.append(number)
    raise EndingError


# Exit codes, as `grep` and `diff` have them: 0 where all is well, 1 where it is not, 2 for trouble.


DIFFERS: Final = 1  # all was done, and what was to hold does not: an assertion, a proof
REFUSED: Final = 2  # nothing was found out, and a sentence says why; a wrong usage too
NOT_RUN: Final = 3  # nothing here can run what was to be proven
NO_READER: Final = 141  # whoever read our output has gone
