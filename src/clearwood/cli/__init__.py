"""The command line: `main` runs it, and turns every error of ours into one sentence and an exit code."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from clearwood.cli.process import (
    COMPLETING,
    NO_READER,
    REFUSED,
    STOPPED,
    code_of_interruption,
    ignore_signals,
    install_signal_handlers,
)
from clearwood.errors import ClearwoodError


def main() -> None:
    """Run the command in `sys.argv` and leave with its exit code."""
    code = 0
    try:
        from clearwood.cli.process import ReaderGoneError, abandon_output, settle_streams

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
    from clearwood.cli.process import check_arguments

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
    if COMPLETING in os.environ:
        return None
    return next((each for each in arguments if not each.startswith("-")), "")


def _asks_for_json(arguments: Sequence[str]) -> bool:
    return any(each == "--json" or each.startswith("--json=") for each in arguments)


def _asks_for_quiet(arguments: Sequence[str]) -> bool:
    return any(each in ("--quiet", "-q") for each in arguments)
