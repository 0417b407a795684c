"""`serve` and `web_app`: models behind HTTP, by a server of our own or by any other."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import sys
import threading
from asyncio import TimerHandle
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from errno import EADDRINUSE
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from clearwood.errors import Advice, MissingExtraError, SettingError
from clearwood.serving.asgi import App
from clearwood.serving.exchange import Admission, Limits
from clearwood.serving.log import RequestLog
from clearwood.serving.service import Service
from clearwood.serving.shelf import Served, shelf_of


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
    >>> from clearwood.serving.exchange import HttpRequest
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


# The server itself: uvicorn, the only file that imports it; slow connections, an orderly end.


try:
    import uvicorn
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
except ImportError as error:
    raise MissingExtraError("To serve models, install uvicorn: pip install 'clearwood[serve]'") from error

_CONNECTIONS: Final = 1000  # at once; others are told to come again
_HEAD_TOO_LARGE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
)
_IDLE: Final = 75  # seconds that a connection without a request is kept
_MOST_HEAD: Final = 65_536  # bytes of a request's head, or of anything else that comes to no end
_DRAIN: Final = 1.0  # seconds in which /ready says that it is stopping, and requests are still taken
_LOOK: Final = 0.05  # seconds between two looks whether a second signal came
_SWITCH: Final = 0.0005  # seconds after which a long explanation lets others on


def run_app(app: App, host: str, port: int, started: Callable[[str, int], None] | None = None) -> None:
    """Serve until a signal ends it; `started` is called with the address once it listens.

    SIGHUP reads the model files again. SIGTERM and Ctrl-C let the requests that are under way end first; a
    second Ctrl-C does not wait. After SIGTERM others are taken for a second more, while /ready refuses.
    """
    listening = _listening(host, port)
    limits = app.service.limits
    config = uvicorn.Config(
        app,
        http=_protocol_for(app),
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=max(1, round(limits.timeout + 1)),
    )
    handler = _ToOurLog(app)
    errors = logging.getLogger("uvicorn.error")
    errors.addHandler(handler)
    errors.setLevel(logging.WARNING)
    errors.propagate = False
    # What was read so far stays: whoever looks for garbage while rows are asked need not look there.
    gc.collect()
    gc.freeze()
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        _Server(config, app, started).run([listening])
    finally:
        sys.setswitchinterval(before)
        gc.unfreeze()
        errors.removeHandler(handler)
        app.service.log.close()
        listening.close()


def _listening(host: str, port: int) -> socket.socket:
    """A socket at an address, or a sentence on why there is none."""
    if not 0 <= port <= 65_535:
        raise SettingError(f"A port is a number from 0 to 65535, not {port}.")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        if error.errno == EADDRINUSE:
            raise SettingError(
                f"Port {port} of {host} is taken already. Choose another: ", Advice("port", port + 1), "."
            ) from None
        raise SettingError(f"Cannot listen at {host}, port {port}: {error.strerror or error}.") from None


class _Server(uvicorn.Server):
    """With our signals: its own would end the program by the signal again, once all is done."""

    def __init__(
        self, config: uvicorn.Config, app: App, began: Callable[[str, int], None] | None = None
    ) -> None:
        super().__init__(config)
        self._app = app
        self._began = began
        self._drains = False

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            models = {each.name: each.version for each in self._app.service.shelf.newest()}
            self._app.service.log.event("start", host=host, port=port, models=models)
            if self._began is not None:
                self._began(host, port)

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        self._app.service.stopping = True
        self._app.service.log.event("stop", under_way=self._app.service.metrics.under_way)
        ends = asyncio.get_running_loop().time() + (_DRAIN if self._drains else 0.0)
        while asyncio.get_running_loop().time() < ends and not self.force_exit:
            await asyncio.sleep(_LOOK)
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        loop = asyncio.get_running_loop()
        tasks: set[asyncio.Task[None]] = set()

        def reload() -> None:
            task = loop.create_task(self._app.reload())
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        def stop(number: int) -> None:
            # Who ends it by a signal may have a proxy that asks /ready; who presses Ctrl-C waits for it.
            self._drains = number == signal.SIGTERM
            self.handle_exit(number, None)

        with handled(loop, handlers_for(stop, reload)):
            yield


def _protocol_for(app: App) -> type[asyncio.Protocol]:
    """The protocol of connections that does not wait for ever until a request's head is there."""
    service = app.service

    class Patient(HttpToolsProtocol):
        late: TimerHandle | None = None
        unread = 0  # bytes since a head or a part of a body was complete

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            self.unread += len(data)
            super().data_received(data)
            if self.unread > _MOST_HEAD:
                self._refuse_head()
                return
            if self.late is None and (self.cycle is None or self.cycle.response_complete):
                self._wait()

        def on_headers_complete(self) -> None:
            self._heard()
            self.unread = 0
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self.unread = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            self.unread = 0
            super().on_message_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._heard()
            super().connection_lost(exc)

        def _wait(self) -> None:
            self.late = self.loop.call_later(service.limits.timeout, self._give_up)

        def _heard(self) -> None:
            if self.late is not None:
                self.late.cancel()
                self.late = None

        def _give_up(self) -> None:
            self.late = None
            self._close("slow")

        def _refuse_head(self) -> None:
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(_HEAD_TOO_LARGE)
            self._close("head")

        def _close(self, because: str) -> None:
            if not self.transport.is_closing():
                service.metrics.count_refused(because)
                service.log.event("closed", client=(self.client or ("",))[0], refused=because)
                self.transport.close()

    return Patient


class _ToOurLog(logging.Handler):
    """What uvicorn warns of, such as a request that is no HTTP, as lines of our log."""

    def __init__(self, app: App) -> None:
        super().__init__()
        self._app = app

    def emit(self, record: logging.LogRecord) -> None:
        self._app.service.metrics.count_refused("http")
        self._app.service.log.event("refused", refused="http", warning=record.getMessage()[:200])


# Signals: how a server hears that it is to stop, or to read its models again, on any system's event loop.


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
