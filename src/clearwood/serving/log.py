"""What is kept of requests: a line of JSON for each, without a cell of their rows unless that is asked for,
and counts, as the text that Prometheus reads: counters, a histogram of times, drift."""

from __future__ import annotations

import os
import sys
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any, Final, TextIO

import msgspec

from clearwood.errors import SettingError
from clearwood.serving.exchange import HttpRequest, Reply
from clearwood.serving.served import ServedModel

_LETTERS: Final = 200  # of a path that nobody serves


class RequestLog:
    """Lines to a file, to standard error (None), or nowhere; opened anew where the file was moved away."""

    def __init__(self, path: Path | None = None, *, quiet: bool = False, with_data: bool = False) -> None:
        self._path = path
        self.quiet = quiet
        self.with_data = with_data
        self._file: TextIO | None = None
        if path is not None:
            self._open(path)

    def request(self, request: HttpRequest, route: str, reply: Reply, seconds: float) -> None:
        """A request and what became of it."""
        if self.quiet:
            return
        about = reply.about
        line: dict[str, Any] = {
            "time": _now(),
            "client": request.client,
            "method": request.method[:16],
            "path": request.path[:_LETTERS],
            "route": route,
            "status": reply.status,
            "ms": round(1000 * seconds, 3),
            "bytes": len(request.body),
        }
        if about.model:
            line |= {"model": about.model, "version": about.version}
        if about.rows:
            line["rows"] = about.rows
        if about.refused:
            line["refused"] = about.refused
        if self.with_data and request.method == "POST":
            line |= {"query": request.query, "sent": _text(request.body), "replied": _text(reply.body)}
        self.write(line)

    def event(self, what: str, **more: object) -> None:
        """Something that is no request: a start, a reload, a stop, a connection that was refused."""
        if not self.quiet:
            self.write({"time": _now(), "event": what, **more})

    def write(self, line: dict[str, Any]) -> None:
        """A line, at once: a server that is killed has written what it did."""
        text = msgspec.json.encode(line).decode() + "\n"
        file = self._file or sys.stderr
        try:
            file.write(text)
            file.flush()
        except (OSError, ValueError) as error:  # a disk that is full keeps nobody from an answer
            if file is not sys.stderr:
                reason = str(getattr(error, "strerror", None) or error).rstrip(".")
                sys.stderr.write(f"The log cannot be written: {reason}.\n")

    def reopen(self) -> None:
        """Open the file by its name again: who rotates logs has moved it away. Where that fails, the one that
        was moved away is written on, and says so."""
        before = self._file
        if self._path is None or before is None:
            return
        try:
            self._open(self._path)
        except SettingError as error:
            self.event("log", outcome="error", error=str(error))
            return
        before.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, path: Path) -> None:
        try:
            self._file = path.open("a", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise SettingError(f"The log cannot be written to {path}: {error.strerror}.") from None


def _now() -> str:
    seconds, rest = divmod(time.time(), 1)
    return f"{_in_words(int(seconds))}.{int(1000 * rest):03}Z"


@lru_cache(maxsize=4)
def _in_words(seconds: int) -> str:
    """Written once for all requests of a second."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


# What is counted, as Prometheus reads it.


KIND: Final = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_MEANINGS: Final = {
    "requests_total": "Requests, by route, model and status.",
    "refused_total": "Requests and connections that were refused, by reason.",
    "rows_total": "Rows predicted, by model and version.",
    "reloads_total": "Model files that were read again, by outcome.",
    "requests_under_way": "Requests in progress.",
    "request_seconds": "Time from the first byte of a request to its reply.",
    "model_info": "The models that are served, by name and version.",
    "cells_unseen_total": "Cells with a value that the model has never met, by column.",
    "cells_missing_total": "Empty cells, by column.",
    "input_drift_psi": (
        "Stability index of a column's recent rows against the training rows; from 0.25 on it changed much."
    ),
    "input_drift_by_chance": "How often chance alone gives so large an index, by column.",
    "input_drift_rows": "Recent rows that the index of a column is of.",
    "answer_drift_psi": (
        "Stability index of the classes' mean probabilities in recent predictions against the classes in "
        "training."
    ),
    "answer_drift_by_chance": "How often chance alone gives so large an index of the predictions.",
    "answer_shift": (
        "Mean of recent predictions less that of the training rows, in their standard deviations."
    ),
    "start_time_seconds": "When the server started.",
    "resident_memory_bytes": "Memory of the process.",
}


class Metrics:
    """Counts since the start. Labels are names of routes, models and columns, never what a client wrote."""

    def __init__(self) -> None:
        self.started = time.time()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._refused: Counter[tuple[str]] = Counter()
        self._rows: Counter[tuple[str, str]] = Counter()
        self._reloads: Counter[tuple[str, str]] = Counter()
        self._times: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = defaultdict(float)
        self.under_way = 0
        self._lock = Lock()

    def count(self, route: str, reply: Reply, seconds: float) -> None:
        """A request that was answered or refused."""
        about = reply.about
        with self._lock:
            self._requests[route, about.model, reply.status] += 1
            if about.refused:
                self._refused[(about.refused,)] += 1
            elif about.rows:
                self._rows[about.model, about.version] += about.rows
            times = self._times.get(route)
            if times is None:
                times = self._times[route] = [0] * (len(_SECONDS) + 1)
            times[bisect_left(_SECONDS, seconds)] += 1
            self._seconds[route] += seconds

    def count_refused(self, because: str) -> None:
        """A connection that was closed before there was a request."""
        with self._lock:
            self._refused[(because,)] += 1

    def count_reload(self, model: str, outcome: str) -> None:
        """A file that was looked at again: changed, same or error."""
        with self._lock:
            self._reloads[model, outcome] += 1

    def text(self, models: Sequence[ServedModel]) -> str:
        """All of it, as Prometheus reads it."""
        with self._lock:
            lines = [*self._of_requests()]
        lines += _of_models(models, self.started)
        return "\n".join(lines) + "\n"

    def _of_requests(self) -> Iterator[str]:
        for name, counts, labels in (
            ("requests_total", self._requests, ("route", "model", "status")),
            ("refused_total", self._refused, ("because",)),
            ("rows_total", self._rows, ("model", "version")),
            ("reloads_total", self._reloads, ("model", "outcome")),
        ):
            counted = sorted(counts.items())
            yield from _metric(name, [(dict(zip(labels, key, strict=True)), count) for key, count in counted])
        yield from _metric("requests_under_way", [({}, self.under_way)])
        yield from _heading("request_seconds", "histogram")
        for route, times in sorted(self._times.items()):
            for limit, below in zip([*map(str, _SECONDS), "+Inf"], accumulate(times), strict=True):
                yield f"clearwood_request_seconds_bucket{_labels(route=route, le=limit)} {below}"
            yield f"clearwood_request_seconds_sum{_labels(route=route)} {self._seconds[route]!r}"
            yield f"clearwood_request_seconds_count{_labels(route=route)} {sum(times)}"


def _of_models(models: Sequence[ServedModel], started: float) -> Iterator[str]:
    own = [({"model": each.name, "version": each.version}, each) for each in models]
    columns = [({**of, "column": column.name}, column) for of, each in own for column in each.drift.columns]
    inputs = [({**of, "column": column.name}, column) for of, each in own for column in each.drift.inputs()]
    answers = [(of, drift) for of, each in own if (drift := each.drift.answers()) is not None]
    memory = _resident()
    values: dict[str, list[tuple[dict[str, str], float]]] = {
        "model_info": [({**of, "kind": type(each.model).__name__}, 1) for of, each in own],
        "cells_unseen_total": [(of, column.unseen) for of, column in columns],
        "cells_missing_total": [(of, column.missing) for of, column in columns],
        "input_drift_psi": [(of, drift.index) for of, drift in inputs],
        "input_drift_by_chance": [(of, drift.by_chance) for of, drift in inputs],
        "input_drift_rows": [(of, drift.rows) for of, drift in inputs],
        "answer_drift_psi": [(of, drift.index) for of, drift in answers],
        "answer_drift_by_chance": [(of, drift.by_chance) for of, drift in answers],
        "answer_shift": [(of, shift) for of, each in own if (shift := each.drift.shift()) is not None],
        "start_time_seconds": [({}, started)],
        "resident_memory_bytes": [] if memory is None else [({}, memory)],
    }
    for name, listed in values.items():
        yield from _metric(name, listed)


def _metric(name: str, values: Sequence[tuple[Mapping[str, object], float]]) -> Iterator[str]:
    """The lines of a metric; Prometheus has it that the names of counters end in total."""
    if values:
        yield from _heading(name, "counter" if name.endswith("_total") else "gauge")
        for labels, value in values:
            yield f"clearwood_{name}{_labels(**labels) if labels else ''} {value!r}"


def _heading(name: str, kind: str) -> tuple[str, str]:
    return f"# HELP clearwood_{name} {_MEANINGS[name]}", f"# TYPE clearwood_{name} {kind}"


def _labels(**labels: object) -> str:
    escaped = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
    return "{" + ",".join(f'{name}="{str(value).translate(escaped)}"' for name, value in labels.items()) + "}"


def _resident() -> int | None:
    """Bytes of memory that are in use, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
