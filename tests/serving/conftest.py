"""A model to serve, a service without a socket, and a server in a process of its own."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

import clearwood as cw
from clearwood.serving.exchange import HttpRequest, Reply
from clearwood.serving.service import Service
from clearwood.serving.shelf import shelf_of
from clearwood.study.profiling import with_profile

Result = TypeVar("Result")

TABLE = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
TREE = with_profile(cw.C45().learn(TABLE), TABLE)
ROW: dict[str, Any] = {"Outlook": "Sunny", "Temperature": 24, "Humidity": 80, "Wind": "Weak"}


def asked(service: Service, path: str, content: Any = ROW, **headers: str) -> Reply:
    """A POST with JSON, or with bytes as they are."""
    path, _, query = path.partition("?")
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return service.answer(HttpRequest("POST", path, query, named, body))


def looked(service: Service, path: str, **headers: str) -> Reply:
    """A GET."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return service.answer(HttpRequest("GET", path, headers=named))


def read(reply: Reply) -> Any:
    return json.loads(reply.body)


def awaited(work: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine gives, in a thread of its own: a browser leaves a loop running in the main one."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result()


@pytest.fixture
def service() -> Service:
    return Service(shelf_of({"tennis": TREE}))


@dataclass(frozen=True)
class Server:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    host: str
    port: int
    log: Path

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        """One request over a connection of its own."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        content = body if isinstance(body, bytes | type(None)) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, content, named)
            reply = connection.getresponse()
            return reply.status, reply.read()
        finally:
            connection.close()

    def lines(self) -> list[dict[str, Any]]:
        """What it has logged."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]

    def wait_for(self, happened: Callable[[], object], seconds: float = 20) -> None:
        """Until it is so."""
        ends = time.monotonic() + seconds
        while not happened():
            assert time.monotonic() < ends, "it did not happen in time"
            time.sleep(0.02)


Start = Callable[..., Server]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a server on a free port; what a test starts ends with it."""
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: object, host: str = "127.0.0.1") -> Server:
        log = tmp_path / f"log{len(started)}.jsonl"
        where = ("--host", host, "--port", "0", "--json")
        process = subprocess.Popen(
            [sys.executable, "-m", "clearwood", "serve", *map(str, arguments), *where, "--log", str(log)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "CLEARWOOD_TOKEN": ""} if "--token" not in arguments else None,
        )
        started.append(process)
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        return Server(process, host, int(address.rpartition(":")[2]), log)

    yield begin
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    return cw.save(TREE, tmp_path / "tennis.json")
