"""Signals: how a server hears that it is to stop, or to read its models again, on any system's event loop."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeAlias

SignalHandler: TypeAlias = Callable[[], None]

# What ends a program: Ctrl-C, whoever runs it, and Ctrl-Break, which Windows alone has.
_ENDING: Final = ("SIGINT", "SIGTERM", "SIGBREAK")


def handlers_for(
    stop: Callable[[int], None], reload: SignalHandler, known: object = signal
) -> dict[int, SignalHandler]:
    """What is called by which signal, of those that this system has; SIGHUP, which Windows has not, reloads.

    >>> from types import SimpleNamespace
    >>> sorted(handlers_for(print, print, SimpleNamespace(SIGINT=2, SIGTERM=15, SIGBREAK=21)))
    [2, 15, 21]
    """
    numbers = [int(getattr(known, name)) for name in _ENDING if hasattr(known, name)]
    handlers: dict[int, SignalHandler] = {number: partial(stop, number) for number in numbers}
    if hasattr(known, "SIGHUP"):
        handlers[int(known.SIGHUP)] = reload
    return handlers


@contextmanager
def handled(
    loop: asyncio.AbstractEventLoop, handlers: Mapping[int, SignalHandler]
) -> Generator[None, None, None]:
    """Call these in the loop when their signal comes, and leave all as it was before.

    A thread that is not the main one gets no signals: there, whoever started it ends the server.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in handlers}
    by_loop = _told_by(loop, handlers)
    try:
        yield
    finally:
        for number, handler in before.items():
            if by_loop:
                loop.remove_signal_handler(number)
            signal.signal(number, handler)


def _told_by(loop: asyncio.AbstractEventLoop, handlers: Mapping[int, SignalHandler]) -> bool:
    """Set the handlers; False where the loop cannot hear signals, as those of Windows, and Python must."""
    try:
        for number, handler in handlers.items():
            loop.add_signal_handler(number, handler)
    except NotImplementedError:
        for number, handler in handlers.items():
            signal.signal(number, partial(_from_outside, loop, handler))
        return False
    return True


def _from_outside(loop: asyncio.AbstractEventLoop, handler: SignalHandler, *_: Any) -> None:
    # A signal may interrupt the loop anywhere: what it asks for is done between two steps.
    loop.call_soon_threadsafe(handler)
