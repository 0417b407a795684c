"""`clearwood serve`: models behind HTTP, with a page, metrics, and limits."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from clearwood.cli.options import Output, argument, flag, option, options
from clearwood.cli.output import note, print_json, print_line
from clearwood.cli.sources import load_model

if TYPE_CHECKING:
    from clearwood.serving.shelf import Shelf


@options("Where it is reached, and by whom")
class ReachOptions:
    """Where the server listens, and who may ask."""

    port: int = option("N", "The port; 0 takes one that is free.", default=8000)
    host: str = option("ADDRESS", "The address: this machine alone, unless given.", default="127.0.0.1")
    token: str | None = option(
        "TEXT",
        "What clients must send; in CLEARWOOD_TOKEN, the list of processes does not show it.",
        envvar="CLEARWOOD_TOKEN",
        show_envvar=False,
    )


@options("Limits of a request")
class LimitOptions:
    """How large a request may be, and how long it may take."""

    max_bytes: str = option("SIZE", "Bytes of a body, such as 500kB or 20MB.", default="8MB")
    max_rows: int = option("N", "Rows of a request.", default=10_000)
    timeout: float = option("SECONDS", "Time to send a request, and to work on it.", default=10.0)


@options("What is logged")
class LogOptions:
    """One line of JSON for each request."""

    log: Path | None = option("FILE", "Write the log here, not to standard error.")
    log_data: bool = flag("Write rows and predictions into the log, too.")


@options()
class ServeOptions:
    """What `clearwood serve` takes."""

    models: list[str] = argument(
        "MODEL", "Model files, as saved by fit; NAME=FILE gives one a name. Read again when they change."
    )
    reach: ReachOptions
    limits: LimitOptions
    log: LogOptions
    output: Output


def run(asked: ServeOptions) -> None:
    """Serve until Ctrl-C, SIGTERM or an error."""
    from clearwood.serving.exchange import is_local
    from clearwood.serving.serving import run_app, web_app
    from clearwood.serving.shelf import name_and_file
    from clearwood.table.sources.opening import limit_of

    for each in asked.models:
        place = Path(name_and_file(each)[1])
        if not place.is_file():
            load_model(place)  # which has the sentence for a file that is not there
    app = web_app(
        asked.models,
        token=asked.reach.token,
        host=asked.reach.host,
        max_bytes=limit_of(asked.limits.max_bytes) or 0,
        max_rows=asked.limits.max_rows,
        timeout=asked.limits.timeout,
        log=asked.log.log,
        log_data=asked.log.log_data,
        quiet=asked.output.quiet and asked.log.log is None,
    )
    if asked.reach.token is None and not is_local(asked.reach.host):
        note(
            ["Whoever reaches this address may ask the models. To demand a token: --token TEXT."],
            asked.output,
        )
    run_app(
        app, asked.reach.host, asked.reach.port, started=partial(_say_where, app.service.shelf, asked.output)
    )


def _say_where(shelf: Shelf, output: Output, host: str, port: int) -> None:
    """Where the models are to be asked, as soon as they are."""
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    newest = shelf.newest()
    if output.as_json:
        print_json({"address": address, "models": {each.name: each.version for each in newest}})
    else:
        names = ", ".join(f"{each.name} ({each.version})" for each in newest)
        print_line(f"Serving {names} at {address}. Ctrl-C ends it.")
    sys.stdout.flush()  # whoever started it waits for this line
