"""The web layer, by the ASGI standard: requests in and replies out, within the limits of size and time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final, TypeAlias

from clearwood.serving.bodies import too_large
from clearwood.serving.exchange import (
    HEADERS,
    About,
    Deadline,
    HttpRequest,
    RefusalError,
    Reply,
    out_of_time,
    refused,
)
from clearwood.serving.service import Service

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

_WANTED: Final = frozenset(name.encode() for name in HEADERS)
_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)
_THREADS: Final = 4
_WAITING: Final = 64  # requests that take a thread, beyond which others are turned away
_LINGER: Final = (
    1.0  # seconds for which a body that is too large is read on, so that its sender sees the reply
)
_LARGE: Final = 65_536  # bytes of a reply that may have to wait for its reader
_GONE: Final = Reply(499, b"", about=About(refused="gone"))


class App:
    """The ASGI application: `uvicorn` runs it, and any other server by the standard."""

    def __init__(self, service: Service, *, watch: float = 1.0) -> None:
        self.service = service
        self._watch = watch  # seconds between two looks at the model files; 0 looks never
        self._pool: ThreadPoolExecutor | None = None
        self._waiting = 0
        self._watching: asyncio.Task[None] | None = None
        self._reloading = asyncio.Lock()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1003})

    async def reload(self, *, changed_only: bool = False) -> None:
        """Read model files again, in a thread: requests go on meanwhile."""
        async with self._reloading:
            if not changed_only:
                self.service.log.reopen()
            # Not in a thread of ours: these may all be at long explanations.
            await asyncio.to_thread(self.service.reload, changed_only=changed_only)

    async def _live(self, receive: Receive, send: Send) -> None:
        """From the start of the server to its end."""
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._threads()
                if self._watch > 0:
                    self._watching = asyncio.create_task(self._look_at_files())
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                self.service.stopping = True
                if self._watching is not None:
                    self._watching.cancel()
                if self._pool is not None:
                    self._pool.shutdown(wait=False, cancel_futures=True)
                    self._pool = None
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _look_at_files(self) -> None:
        while True:
            await asyncio.sleep(self._watch)
            if self.service.shelf.changed_files():
                await asyncio.sleep(min(self._watch, 0.2))  # whoever is writing may go on for a moment
                try:
                    await self.reload(changed_only=True)
                except Exception as error:  # the next change may be better
                    self.service.log.event("reload", outcome="error", error=type(error).__name__)

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="clearwood")
        return self._pool

    async def _http(self, scope: Message, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        request = _request(scope)
        metrics = self.service.metrics
        metrics.under_way += 1
        reply = _GONE
        try:
            at_once = self.service.refusal_at_once(request)
            if at_once is not None:
                reply = at_once
                await _sent(reply, receive, send, unread=True)
                return
            try:
                body = await self._body(request, receive)
            except RefusalError as refusal:
                reply = refused(refusal)
                await _sent(reply, receive, send, unread=True)
                return
            if body is None:
                return
            request = replace(request, body=body)
            reply = await self._reply(request)
            if len(reply.body) < _LARGE:
                await _sent(reply, receive, send)
            else:
                async with asyncio.timeout(self.service.limits.timeout):
                    await _sent(reply, receive, send)
        except TimeoutError:  # who does not take the reply is left
            reply = Reply(reply.status, reply.body, about=About(refused="slow"))
        finally:
            metrics.under_way -= 1
            self.service.done(request, reply, time.perf_counter() - began)

    async def _reply(self, request: HttpRequest) -> Reply:
        service = self.service
        seconds, way = service.seconds_for(request)
        if service.is_quick(request):
            return service.handle(request, Deadline(seconds))
        if self._waiting >= _WAITING:
            busy = "The server is busy. Ask again in a moment."
            return refused(RefusalError(busy, because="busy"))
        self._waiting += 1
        work = asyncio.get_running_loop().run_in_executor(
            self._threads(), service.handle, request, Deadline(seconds)
        )
        work.add_done_callback(self._one_less)
        try:
            # Whoever works looks at the clock; one who does not in time is left to itself by its client.
            return await asyncio.wait_for(asyncio.shield(work), seconds + 1)
        except TimeoutError:
            return refused(out_of_time(seconds, way))

    def _one_less(self, _: object) -> None:
        self._waiting -= 1

    async def _body(self, request: HttpRequest, receive: Receive) -> bytes | None:
        """The body, or None where its sender has gone."""
        limits = self.service.limits
        length = request.header("content-length")
        if length and (not length.isdigit() or int(length[:20]) > limits.max_bytes):
            raise too_large(limits)
        try:
            async with asyncio.timeout(limits.timeout):
                message = await receive()
                if not message.get("more_body", False):
                    return None if message["type"] == "http.disconnect" else message.get("body", b"")
                parts, size = [message.get("body", b"")], len(message.get("body", b""))
                while message.get("more_body", False):
                    if size > limits.max_bytes:
                        raise too_large(limits)
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                return b"".join(parts)
        except TimeoutError:
            raise RefusalError(
                f"The body did not come within {limits.timeout:g} seconds.", because="slow"
            ) from None


def _request(scope: Message) -> HttpRequest:
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        if name in _WANTED:
            key, text = name.decode("latin-1"), value.decode("latin-1")
            # One that comes twice is one with a comma, so that neither of two hosts or tokens is preferred.
            headers[key] = f"{headers[key]}, {text}" if key in headers else text
    client = scope.get("client")
    path = scope["path"]
    root = scope.get("root_path", "")
    if root and path.startswith(root):
        path = path[len(root) :]
    return HttpRequest(
        scope["method"],
        path,
        scope.get("query_string", b"").decode("latin-1"),
        headers,
        client="" if client is None else str(client[0]),
    )


async def _sent(reply: Reply, receive: Receive, send: Send, *, unread: bool = False) -> None:
    """Send a reply. Where the body is `unread` the connection ends, after a moment in which it is read on:
    a sender who is cut off in the middle would not see the reply."""
    headers = [
        (b"content-type", reply.kind.encode()),
        (b"content-length", str(len(reply.body)).encode()),
        *_ALWAYS,
        *((name.encode(), value.encode("latin-1", "replace")) for name, value in reply.headers),
    ]
    if unread:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    if not unread:
        await send({"type": "http.response.body", "body": reply.body})
        return
    await send({"type": "http.response.body", "body": reply.body, "more_body": True})
    try:
        async with asyncio.timeout(_LINGER):
            while (await receive()).get("more_body", False):
                pass
    except TimeoutError:
        pass
    await send({"type": "http.response.body", "body": b""})
