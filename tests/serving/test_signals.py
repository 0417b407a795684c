"""Signals are heard on loops that can hear them and on those, as of Windows, that cannot."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from clearwood.serving.serving import SignalHandler, handled, handlers_for

pytest.importorskip("uvicorn")


def _cannot(*_: Any) -> None:
    raise NotImplementedError


# It hears no signals, as the loops of Windows.
LoopOfWindows: Any = type("LoopOfWindows", (asyncio.SelectorEventLoop,), {"add_signal_handler": _cannot})


def hear_both(kind: Any) -> None:
    """Both signals come to their handlers, and afterwards all is as it was before."""
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGHUP)
    heard: list[str] = []

    async def wait() -> None:
        both = asyncio.Event()

        def hear(word: str) -> None:
            heard.append(word)
            if len(heard) == 2:
                both.set()

        handlers: dict[int, SignalHandler] = {
            signal.SIGTERM: lambda: hear("stop"),
            signal.SIGHUP: lambda: hear("reload"),
        }
        with handled(asyncio.get_running_loop(), handlers):
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGHUP)
            await asyncio.wait_for(both.wait(), 10)

    with asyncio.Runner(loop_factory=kind) as runner:
        runner.run(wait())
    assert sorted(heard) == ["reload", "stop"]
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGHUP)) == before


def test_a_signal_calls_its_handler_once_and_afterwards_all_is_as_before() -> None:
    # In a process of its own: signals are for the main thread, whose loop may be that of a browser here.
    code = (
        "import asyncio\n"
        "from tests.serving.test_signals import LoopOfWindows, hear_both\n"
        "hear_both(asyncio.SelectorEventLoop)\n"
        "hear_both(LoopOfWindows)\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_thread_that_gets_no_signals_runs_without_them() -> None:
    done: list[bool] = []

    async def live() -> None:
        with handled(asyncio.get_running_loop(), {signal.SIGTERM: lambda: None}):
            done.append(True)

    thread = threading.Thread(target=lambda: asyncio.run(live()))
    thread.start()
    thread.join()
    assert done == [True]


def test_windows_has_ctrl_break_and_no_reload_by_signal() -> None:
    stopped: list[int] = []
    windows = SimpleNamespace(SIGINT=2, SIGTERM=15, SIGBREAK=21)
    handlers = handlers_for(stopped.append, lambda: stopped.append(0), windows)
    for handler in handlers.values():
        handler()
    assert stopped == [2, 15, 21]


SERVE: str = """
import asyncio, sys
sys.modules["uvloop"] = None  # the loop of the library itself
def cannot(*_):
    raise NotImplementedError
asyncio.SelectorEventLoop.add_signal_handler = cannot
from clearwood.serving.serving import web_app
from clearwood.serving.serving import run_app
run_app(web_app(sys.argv[1], log=sys.argv[2]), "127.0.0.1", 0, lambda host, port: print(port, flush=True))
"""


def test_a_server_whose_loop_hears_no_signals_reloads_and_stops_in_order(
    model_file: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, str(model_file), str(log)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            process.send_signal(signal.SIGHUP)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=20) as reply:
                assert reply.status == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()
    events = [json.loads(line).get("event") for line in log.read_text(encoding="utf-8").splitlines()]
    assert events[0] == "start"
    assert events[-1] == "stop"
    assert "reload" in events
