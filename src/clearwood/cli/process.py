"""The process: `main` runs a command, and turns every error of ours into one sentence and an exit code; the
signals that end it, and the three streams as they may be found.

Ctrl-C and the system's request to end are handled alike.

Left to itself, Python dies of SIGTERM on the spot, and the part of a file that was being written stays.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final

from clearwood.errors import ClearwoodError, SettingError, SourceError

STOPPED: Final = 128 + signal.SIGINT  # as shells count it
TERMINATED: Final = 128 + signal.SIGTERM

_received: list[int] = []


def main() -> None:
    """Run the command in `sys.argv` and leave with its exit code."""
    code = 0
    try:
        # Start-up allocates a lot and frees little, so collecting garbage would cost 10 %.
        gc.set_threshold(100_000)
        # The threads of NumPy's linear algebra sleep at once, rather than first spin for 30 ms of a core.
        os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
        install_signal_handlers()
        settle_streams()
        try:
            code = run(sys.argv[1:])
            sys.stdout.flush()
        except ReaderGoneError:
            abandon_output()
            code = NO_READER
        except ClearwoodError as error:
            # Standard output itself has failed: no answer, not even one in JSON, can be written there.
            from clearwood.cli.output import print_refusal

            abandon_output()
            if code != REFUSED or _asks_for_json(sys.argv[1:]):  # else it was refused already
                print_refusal(error, as_json=False)
            code = REFUSED
        ignore_signals()
    except KeyboardInterrupt:
        ignore_signals()
        code = code_of_interruption()
    gc.freeze()  # on its way out Python would search all it imported for garbage: a fifth of a small run
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; what is wrong is said here."""
    import typer

    from clearwood.cli.app import command_line
    from clearwood.cli.output import print_refusal, terminal_text, warnings_as_notes

    as_json = _asks_for_json(arguments)
    try:
        check_arguments(arguments)
        with warnings_as_notes(quiet=_asks_for_quiet(arguments)):
            called = command_line(_called(arguments))
            code: int = called(list(arguments), prog_name="clearwood", standalone_mode=False) or 0
        return code_of_interruption() if code == STOPPED else code  # typer makes this of an interruption
    except ClearwoodError as error:
        print_refusal(error, as_json=as_json)
        return REFUSED
    except OSError as error:
        place = "" if error.filename is None else f" ({error.filename})"
        print_refusal(f"The system does not allow it: {error.strerror or error}{place}.", as_json=as_json)
        return REFUSED
    except MemoryError:
        print_refusal("There is not enough memory for this.", as_json=as_json)
        return REFUSED
    except typer.Abort:  # older releases of typer make this of Ctrl-C
        return code_of_interruption()
    except Exception as error:
        # Errors of usage come from typer, whose releases keep the class in different places.
        show, message = getattr(error, "show", None), getattr(error, "format_message", None)
        if show is None or message is None:
            raise
        if as_json:
            print_refusal(message(), as_json=True)
        else:
            vars(error)["message"] = terminal_text(str(getattr(error, "message", "")))
            show()
        return REFUSED


def _called(arguments: Sequence[str]) -> str | None:
    """The command that these arguments call; none if a shell asks for completions, of whichever command."""
    if "_CLEARWOOD_COMPLETE" in os.environ:
        return None
    return next((each for each in arguments if not each.startswith("-")), "")


def _asks_for_json(arguments: Sequence[str]) -> bool:
    return any(each == "--json" or each.startswith("--json=") for each in arguments)


def _asks_for_quiet(arguments: Sequence[str]) -> bool:
    return any(each in ("--quiet", "-q") for each in arguments)


# Signals that end it.


class EndingError(KeyboardInterrupt):
    """A signal asks us to end.

    It is handled wherever Ctrl-C is, and yet another class: where a plain `KeyboardInterrupt` has passed
    through `exec`, as dataclasses use it, Python kills itself in the end instead of exiting with our code.
    """


def install_signal_handlers() -> None:
    """From now on SIGTERM interrupts as Ctrl-C does; whoever ignores one for us goes on doing so."""
    for each, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(each) is usual:
            signal.signal(each, _interrupt)


@contextmanager
def first_signal_noted() -> Iterator[list[int]]:
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


def ignore_signals() -> None:
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


# Standard input, output and error as they may be found: closed, full, without a reader, or not UTF-8.


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
