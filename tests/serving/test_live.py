"""A server in a process of its own: what clients do to it, what signals do, and that nothing is lost."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from benchmarks.serving import load, request_of

import clearwood as cw
from clearwood.models.files.storing import model_fingerprint
from clearwood.serving.serving import _DRAIN
from tests.serving.conftest import ROW, TABLE, TREE, Server, Start

pytest.importorskip("uvicorn")
pytestmark = pytest.mark.slow

OTHER = cw.NaiveBayes().learn(TABLE)


def raw(server: Server, *parts: bytes, pause: float = 0.0) -> bytes:
    """Bytes over a connection, and all that comes back until the server closes it or falls silent."""
    with socket.create_connection((server.host, server.port), timeout=5) as connection:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)
        reply = b""
        with suppress(TimeoutError, ConnectionError):
            while data := connection.recv(65_536):
                reply += data
        return reply


def test_what_clients_do_is_refused_and_logged_and_others_are_answered(
    start: Start, model_file: Path
) -> None:
    server = start(model_file, "--token", "a long token", "--max-bytes", "100kB", "--timeout", "1")
    right = {"authorization": "Bearer a long token"}
    head = b"POST /predict HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a long token\r\n"
    assert server.ask("POST", "/predict", ROW, **right)[0] == 200
    assert server.ask("POST", "/predict", b'{"Outlook": ', **right)[0] == 400
    assert server.ask("POST", "/predict", ROW, authorization="Bearer another")[0] == 401
    assert server.ask("GET", "/models/%2e%2e/%2e%2e/etc/passwd", **right)[0] == 404
    # A body that is too large, by what it claims and by what it is; the sender sees the refusal.
    assert server.ask("POST", "/predict", b"x" * 2_000_000, **right)[0] == 413
    chunk = b"%x\r\n" % 50_000 + b"x" * 50_000 + b"\r\n"
    assert b" 413 " in raw(server, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 5)[:20]
    assert b" 400 " in raw(server, b"\x16\x03\x01 no HTTP at all\r\n\r\n")[:20]
    assert b" 400 " in raw(server, head + b"Content-Length: -5\r\n\r\n")[:20]
    # Of two lengths, or a length and chunks, a proxy in between may believe the other.
    for smuggled in (
        b"Content-Length: 2\r\nContent-Length: 5",
        b"Content-Length: 2\r\nTransfer-Encoding: chunked",
    ):
        assert b" 400 " in raw(server, head + smuggled + b"\r\n\r\n{}")[:20]
    # A head that never ends is not kept in memory until its time is over.
    assert b" 431 " in raw(server, head + b"X: ", *[b"y" * 20_000] * 4)[:20]
    # A client that never ends its body gets a reply; one that never ends its head is left.
    assert b" 408 " in raw(server, head + b"Content-Length: 50\r\n\r\n{")[:20]
    began = time.monotonic()
    assert raw(server, b"POST /predict HTTP/1.1\r\nHost: x\r\nX-Slow: ") == b""
    assert time.monotonic() - began < 4
    # One that does not take its replies is left, too.
    page = head.replace(b"POST /predict", b"GET /models/tennis/form") + b"\r\n"

    def left_alone() -> bool:
        return any(line.get("refused") == "slow" and line.get("status") == 200 for line in server.lines())

    with socket.socket() as idle, suppress(OSError):
        idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        idle.settimeout(10)
        idle.connect((server.host, server.port))
        while not left_alone():
            idle.sendall(page)
            time.sleep(0.02)
    server.wait_for(left_alone)
    with socket.create_connection((server.host, server.port)) as gone:
        gone.sendall(head + b"Content-Length: 50\r\n\r\n{")
    assert server.ask("POST", "/predict", ROW, **right)[0] == 200
    lines = server.lines()
    for word in ("malformed", "token", "path", "size", "http", "slow"):
        assert any(line.get("refused") == word for line in lines), word
    server.wait_for(lambda: any(line.get("refused") == "gone" for line in server.lines()))
    assert "a long token" not in server.log.read_text()
    text = server.ask("GET", "/metrics", **right)[1].decode()
    assert 'clearwood_refused_total{because="size"} 2' in text
    assert "clearwood_requests_under_way 1" in text  # this one


def test_a_reload_under_load_loses_no_request(start: Start, model_file: Path) -> None:
    server = start(model_file)
    known = {model_fingerprint(TREE), model_fingerprint(OTHER)}
    seen: set[str] = set()
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            status, body = server.ask("POST", "/predict", ROW)
            assert status == 200
            seen.add(json.loads(body)["version"])
            time.sleep(0.02)

    async def while_loaded() -> Any:
        request = request_of("localhost", "/predict", json.dumps(ROW).encode())
        loading = asyncio.create_task(
            load(server.host, server.port, request, requests=500, rate=200, connections=4)
        )
        await asyncio.sleep(0.4)
        cw.save(OTHER, model_file)  # the file changes: it is read anew
        await asyncio.sleep(1.5)
        cw.save(TREE, model_file)
        server.process.send_signal(signal.SIGHUP)
        return await loading

    thread = threading.Thread(target=ask)
    thread.start()
    with ThreadPoolExecutor(1) as apart:  # a test in a browser leaves a loop running in the main thread
        done = apart.submit(asyncio.run, while_loaded()).result()
    server.wait_for(lambda: seen == known)
    stop.set()
    thread.join()
    assert dict(done.statuses) == {200: 500}
    server.wait_for(lambda: sum(line.get("outcome") == "changed" for line in server.lines()) == 2)


def test_a_stop_lets_requests_end_and_takes_no_others(start: Start, model_file: Path) -> None:
    server = start(model_file)
    body = json.dumps(ROW).encode()
    with socket.create_connection((server.host, server.port), timeout=10) as connection:
        connection.sendall(
            b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body[:9]
        )
        server.wait_for(lambda: b"under_way 2" in server.ask("GET", "/metrics")[1])
        server.process.send_signal(signal.SIGTERM)
        server.wait_for(lambda: any(line.get("event") == "stop" for line in server.lines()))
        connection.sendall(body[9:])
        reply = b""
        while data := connection.recv(65_536):
            reply += data
    assert b" 200 " in reply[:20]
    assert b"Don't Play" in reply
    assert server.process.wait(timeout=10) == 0
    with pytest.raises(OSError, match="refused"):
        server.ask("GET", "/health")


def test_a_server_that_stops_says_so_before_it_takes_no_more(start: Start, model_file: Path) -> None:
    server = start(model_file)
    assert server.ask("GET", "/ready")[0] == 200
    server.process.send_signal(signal.SIGTERM)
    server.wait_for(lambda: any(line.get("event") == "stop" for line in server.lines()))
    assert server.ask("GET", "/ready") == (503, b'{"error":"The server is stopping."}')
    assert server.ask("POST", "/predict", ROW)[0] == 200
    assert server.process.wait(timeout=10) == 0
    hasty = start(model_file)
    hasty.process.send_signal(signal.SIGINT)
    hasty.wait_for(lambda: any(line.get("event") == "stop" for line in hasty.lines()))
    stopped = time.monotonic()
    with pytest.raises(OSError, match=r"refused|reset|closed"):  # it does not stay to say so
        hasty.ask("GET", "/ready")
    assert time.monotonic() - stopped < _DRAIN  # in which the other still answered
    assert hasty.process.wait(timeout=10) == 0


def test_a_kill_during_a_request_loses_no_model(start: Start, model_file: Path) -> None:
    before = model_file.read_bytes()
    server = start(model_file)
    wanted = server.ask("POST", "/predict", ROW)
    with socket.create_connection((server.host, server.port), timeout=10) as connection:
        rows = json.dumps([ROW] * 2000).encode()
        connection.sendall(
            b"POST /explain HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(rows) + rows
        )
        server.wait_for(lambda: b"under_way 2" in server.ask("GET", "/metrics")[1])
        server.process.kill()
        assert server.process.wait() == -signal.SIGKILL
    assert model_file.read_bytes() == before
    assert start(model_file).ask("POST", "/predict", ROW) == wanted


def test_long_work_lets_others_on(start: Start, model_file: Path) -> None:
    server = start(model_file, "--timeout", "1.5")
    outcomes: list[int] = []
    long = threading.Thread(target=lambda: outcomes.append(server.ask("POST", "/explain", [ROW] * 10_000)[0]))
    long.start()
    server.wait_for(lambda: b"under_way 2" in server.ask("GET", "/metrics")[1])
    times = []
    for _ in range(20):
        began = time.perf_counter()
        assert server.ask("POST", "/predict", ROW)[0] == 200
        times.append(time.perf_counter() - began)
    assert sorted(times)[10] < 0.5
    long.join()
    assert outcomes == [503]  # within its time, and not a moment of anybody else's


def test_the_port_may_be_taken_and_the_file_not_there(
    start: Start, model_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from clearwood.cli import run

    server = start(model_file)
    assert run(["serve", str(model_file), "--port", str(server.port)]) == 2
    assert f"taken already. Choose another: --port {server.port + 1}." in capsys.readouterr().err
    assert run(["serve", str(model_file) + "x"]) == 2
    assert "Did you mean" in capsys.readouterr().err
    for wrong in (
        ("--port", "99999"),
        ("--host", "nowhere.invalid"),
        ("--token", "short"),
        ("--max-rows", "0"),
    ):
        assert run(["serve", str(model_file), *wrong]) == 2
        assert "error:" in capsys.readouterr().err


def test_a_server_is_reached_by_ipv6_as_well(start: Start, model_file: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("This machine has no IPv6.")
    server = start(model_file, host="::1")
    assert server.ask("POST", "/predict", ROW)[0] == 200
    assert server.ask("POST", "/predict", ROW, host="evil.example")[0] == 421
