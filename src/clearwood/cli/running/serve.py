"""What `serve` does: models are read, and answer by HTTP until a signal ends it."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from clearwood.cli.commands.serve import LimitOptions, LogOptions, ReachOptions
from clearwood.cli.options import Output
from clearwood.cli.output import note, print_json, print_line
from clearwood.cli.sources import load_model
from clearwood.serve.admission import is_local
from clearwood.serve.serving import run_app, web_app
from clearwood.serve.shelf import Shelf, name_and_file
from clearwood.table.sources.opening import limit_of


def run(
    models: list[str], reach: ReachOptions, limits: LimitOptions, log: LogOptions, output: Output
) -> None:
    """Serve until Ctrl-C, SIGTERM or an error."""
    for each in models:
        place = Path(name_and_file(each)[1])
        if not place.is_file():
            load_model(place)  # which has the sentence for a file that is not there
    app = web_app(
        models,
        token=reach.token,
        host=reach.host,
        max_bytes=limit_of(limits.max_bytes) or 0,
        max_rows=limits.max_rows,
        timeout=limits.timeout,
        log=log.log,
        log_data=log.log_data,
        quiet=output.quiet and log.log is None,
    )
    if reach.token is None and not is_local(reach.host):
        note(["Whoever reaches this address may ask the models. To demand a token: --token TEXT."], output)
    run_app(app, reach.host, reach.port, started=partial(_say_where, app.service.shelf, output))


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
