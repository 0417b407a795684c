"""`serve` and `web_app`: models behind HTTP, by a server of our own or by any other."""

from __future__ import annotations

from pathlib import Path

from clearwood.serve.admission import Admission, Limits
from clearwood.serve.asgi import App
from clearwood.serve.log import RequestLog
from clearwood.serve.service import Service
from clearwood.serve.shelf import Served, shelf_of


def web_app(
    models: Served,
    *,
    token: str | None = None,
    max_bytes: int = 8_000_000,
    max_rows: int = 10_000,
    timeout: float = 10.0,
    log: str | Path | None = None,
    log_data: bool = False,
    quiet: bool = False,
    watch: float = 1.0,
    host: str | None = None,
) -> App:
    """An ASGI application that answers rows by these models: files, or models by name.

    A file alone is named by itself; two files of one name are versions of one model, the last one the newest.
    Files are looked at every `watch` seconds (0: never) and read again when they have changed. `token` is
    what clients must send. `log` is a file for one line of JSON per request, standard error unless given;
    cells of rows are in it only with `log_data`. `host` is the address that it is reached at, if known.

    >>> import clearwood as cw
    >>> from clearwood.serve.exchange import HttpRequest
    >>> tree = cw.C45().learn(cw.read_table(cw.datasets.path("tennis_numeric"), target="Play"))
    >>> app = web_app({"tennis": tree}, quiet=True)
    >>> row = b'{"Outlook": "Sunny", "Humidity": 80, "Wind": "Weak"}'
    >>> app.service.answer(HttpRequest("POST", "/predict", body=row)).status
    200
    """
    service = Service(
        shelf_of(models),
        limits=Limits(max_bytes, max_rows, timeout),
        admission=Admission(token, host),
        log=RequestLog(None if log is None else Path(log), quiet=quiet, with_data=log_data),
    )
    return App(service, watch=watch)


def serve(
    models: Served,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    token: str | None = None,
    max_bytes: int = 8_000_000,
    max_rows: int = 10_000,
    timeout: float = 10.0,
    log: str | Path | None = None,
    log_data: bool = False,
    quiet: bool = False,
    watch: float = 1.0,
) -> None:
    """Serve models by HTTP until Ctrl-C or SIGTERM; the options are those of `web_app`.

    Only this machine reaches it, unless `host` says otherwise.
    """
    from clearwood.serve.running import run_app

    app = web_app(
        models,
        token=token,
        max_bytes=max_bytes,
        max_rows=max_rows,
        timeout=timeout,
        log=log,
        log_data=log_data,
        quiet=quiet,
        watch=watch,
        host=host,
    )
    run_app(app, host, port)
