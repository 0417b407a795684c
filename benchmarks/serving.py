"""A load of single-row requests on a server: kept connections, a fixed rate, and how long each reply took.

    python -m benchmarks.serving URL ROW.json --rate 1000 --seconds 10

Requests are due at fixed times, and a reply's time counts from when its request was due: a server that stalls
is charged for all that had to wait. `--rate 0` sends the next request when the reply is there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Load:
    """What came back: how many replies by status, and their times in seconds, ascending."""

    statuses: Counter[int]
    times: tuple[float, ...]
    seconds: float

    @property
    def per_second(self) -> float:
        return len(self.times) / self.seconds

    def quantile(self, share: float) -> float:
        """The time that this share of the replies did not exceed."""
        return self.times[min(len(self.times) - 1, int(share * len(self.times)))]

    def __str__(self) -> str:
        shown = ", ".join(
            f"{name} {1000 * self.quantile(share):.2f} ms"
            for name, share in (("median", 0.5), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999))
        )
        return (
            f"{len(self.times):,} replies ({dict(self.statuses)}), {self.per_second:,.0f} a second: {shown}, "
            f"longest {1000 * self.times[-1]:.2f} ms"
        )


class Connection(asyncio.Protocol):
    """One kept connection, with one request under way at most."""

    def __init__(self) -> None:
        self._held = b""
        self._reply: asyncio.Future[int] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is none by its class

    def ask(self, request: bytes) -> asyncio.Future[int]:
        """Send a request; the future is the status of its reply, once all of it is there."""
        assert self._transport is not None
        self._reply = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return self._reply

    def data_received(self, data: bytes) -> None:
        self._held += data
        head = self._held.find(b"\r\n\r\n")
        if head < 0:
            return
        start = self._held.lower().find(b"content-length:")
        length = int(self._held[start + 15 : self._held.find(b"\r\n", start)])
        if len(self._held) < head + 4 + length:
            return
        status, self._held = int(self._held[9:12]), self._held[head + 4 + length :]
        if self._reply is not None and not self._reply.done():
            self._reply.set_result(status)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(exc or ConnectionError("the server closed the connection"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def load(
    host: str,
    port: int,
    request: bytes,
    *,
    requests: int,
    rate: float = 0.0,
    connections: int = 16,
) -> Load:
    """Send so many requests over kept connections, at a rate per second or as fast as replies come."""
    loop = asyncio.get_running_loop()
    opened = [(await loop.create_connection(Connection, host, port))[1] for _ in range(connections)]
    statuses: Counter[int] = Counter()
    times: list[float] = []
    numbers = iter(range(requests))
    began = time.perf_counter()

    async def client(connection: Connection) -> None:
        for number in numbers:
            due = began + number / rate if rate else time.perf_counter()
            wait = due - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            statuses[await connection.ask(request)] += 1
            times.append(time.perf_counter() - due)

    await asyncio.gather(*map(client, opened))
    seconds = time.perf_counter() - began
    for each in opened:
        each.close()
    return Load(statuses, tuple(sorted(times)), seconds)


def request_of(host: str, path: str, body: bytes, token: str | None = None) -> bytes:
    """The bytes of one request."""
    allowed = "" if token is None else f"Authorization: Bearer {token}\r\n"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{allowed}"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def quick_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's where it is installed: the load is to take little of the machine that it shares."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("url", help="for example http://127.0.0.1:8000/predict")
    parser.add_argument("row", type=Path, help="a file with one row as JSON")
    parser.add_argument("--rate", type=float, default=1000.0, help="requests a second; 0: as fast as it goes")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--requests", type=int, default=None, help="how many, instead of seconds")
    parser.add_argument("--connections", type=int, default=16)
    given = parser.parse_args()
    url = urlsplit(given.url)
    body = json.dumps(json.loads(given.row.read_text(encoding="utf-8"))).encode()
    path = url.path + (f"?{url.query}" if url.query else "")
    request = request_of(url.netloc, path, body)
    many = given.requests or int(given.seconds * (given.rate or 1000.0))
    with asyncio.Runner(loop_factory=quick_loop()) as runner:
        done = runner.run(
            load(
                url.hostname or "127.0.0.1",
                url.port or 80,
                request,
                requests=many,
                rate=given.rate,
                connections=given.connections,
            )
        )
        print(done)


if __name__ == "__main__":
    main()
