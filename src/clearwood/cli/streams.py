"""Standard input, output and error as they may be found: closed, full, without a reader, or not UTF-8."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from clearwood.errors import SettingError, SourceError

_WHERE: Final = "Redirect standard output, or write to a file."


class ReaderGoneError(Exception):
    """Whoever read our output has gone. No OSError: typer and rich would end the program in their own way."""


class StandardOutput(io.TextIOWrapper):
    """Standard output whose failures are ours: a reader that has gone, or a sentence."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise _what(error) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise _what(error) from None


def settle_streams() -> None:
    """Make the three streams safe to use, whatever the shell has done with them."""
    _occupy_closed()
    if sys.stderr is None:
        # A print to nothing would go to standard output instead.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="replace")
    if sys.stdout is None:
        sys.stdout = StandardOutput(io.BufferedWriter(_Closed()), encoding="utf-8")
    elif isinstance(sys.stdout, io.TextIOWrapper):
        encoding, lines = sys.stdout.encoding, sys.stdout.line_buffering
        # A terminal without ─ gets a ?, not a traceback.
        sys.stdout = StandardOutput(
            sys.stdout.detach(), encoding=encoding, errors="replace", line_buffering=lines
        )


def _occupy_closed() -> None:
    """Put nothing in the place of each closed stream.

    A file of ours that was opened there would get what libraries print, and those that look at standard
    input, as the drawing of charts does, end where there is none.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number


def abandon_output() -> None:
    """Let what is still to be written go nowhere: Python flushes once more on its way out."""
    with suppress(OSError):  # a closed output has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123


def check_input(source: str) -> None:
    """Refuse to read a standard input that is closed."""
    if source == "-" and sys.stdin is None:
        raise SourceError("Standard input is closed, so there are no rows to read. Name a file instead of -.")


def check_arguments(arguments: Sequence[str]) -> None:
    """Refuse arguments that are not text: they could name no column, and no file in a report."""
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError:
            raise SettingError(
                f"The argument '{_as_bytes(argument)}' is not UTF-8 text."
                " Type it in UTF-8, or rename the file."
            ) from None


def _as_bytes(argument: str) -> str:
    """The argument with what is no letter written out: bytes from a shell, or half a pair from elsewhere."""
    try:
        return os.fsencode(argument).decode("utf-8", errors="backslashreplace")
    except UnicodeEncodeError:
        return argument.encode("utf-8", errors="backslashreplace").decode()


class _Closed(io.RawIOBase):
    """A standard output that was closed before we began."""

    def writable(self) -> bool:
        return True

    def write(self, _: Any) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


def _what(error: OSError) -> Exception:
    if error.errno == errno.EPIPE:
        return ReaderGoneError()
    return SourceError(f"Cannot write the output: {error.strerror or error}. {_WHERE}")
