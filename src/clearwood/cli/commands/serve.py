"""`clearwood serve`: models behind HTTP, with a page, metrics, and limits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from clearwood.cli.declaring import option
from clearwood.cli.options import Output

_REACHED: Final = "Where it is reached, and by whom"
_LIMITS: Final = "Limits of a request"
_LOG: Final = "What is logged"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachOptions:
    """Where the server listens, and who may ask."""

    port: Annotated[int, option("--port", "N", "The port; 0 takes one that is free.", _REACHED)] = 8000
    host: Annotated[
        str, option("--host", "ADDRESS", "The address: this machine alone, unless given.", _REACHED)
    ] = "127.0.0.1"
    token: Annotated[
        str | None,
        option(
            "--token",
            "TEXT",
            "What clients must send; in CLEARWOOD_TOKEN, the list of processes does not show it.",
            _REACHED,
            envvar="CLEARWOOD_TOKEN",
            show_envvar=False,
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOptions:
    """How large a request may be, and how long it may take."""

    max_bytes: Annotated[
        str, option("--max-bytes", "SIZE", "Bytes of a body, such as 500kB or 20MB.", _LIMITS)
    ] = "8MB"
    max_rows: Annotated[int, option("--max-rows", "N", "Rows of a request.", _LIMITS)] = 10_000
    timeout: Annotated[
        float, option("--timeout", "SECONDS", "Time to send a request, and to work on it.", _LIMITS)
    ] = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOptions:
    """One line of JSON for each request."""

    log: Annotated[
        Path | None, option("--log", "FILE", "Write the log here, not to standard error.", _LOG)
    ] = None
    log_data: Annotated[
        bool, option("--log-data", None, "Write rows and predictions into the log, too.", _LOG)
    ] = False


def serve(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL",
            help="Model files, as saved by fit; NAME=FILE gives one a name. Read again when they change.",
        ),
    ],
    reach: ReachOptions,
    limits: LimitOptions,
    log: LogOptions,
    output: Output,
) -> None:
    from clearwood.cli.running.serve import run

    run(models, reach, limits, log, output)
