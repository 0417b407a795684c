"""What is counted of requests, as the text that Prometheus reads: counters, a histogram of times, drift."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Final

from clearwood.serving.exchange import Reply
from clearwood.serving.served import ServedModel

KIND: Final = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counts since the start. Labels are names of routes, models and columns, never what a client wrote."""

    def __init__(self) -> None:
        self.started = time.time()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._refused: Counter[str] = Counter()
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
                self._refused[about.refused] += 1
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
            self._refused[because] += 1

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
        yield from _metric(
            "requests_total",
            "counter",
            "Requests, by route, model and status.",
            (
                (_labels(route=route, model=model, status=str(status)), count)
                for (route, model, status), count in sorted(self._requests.items())
            ),
        )
        yield from _metric(
            "refused_total",
            "counter",
            "Requests and connections that were refused, by reason.",
            ((_labels(because=because), count) for because, count in sorted(self._refused.items())),
        )
        yield from _metric(
            "rows_total",
            "counter",
            "Rows predicted, by model and version.",
            (
                (_labels(model=model, version=version), count)
                for (model, version), count in sorted(self._rows.items())
            ),
        )
        yield from _metric(
            "reloads_total",
            "counter",
            "Model files that were read again, by outcome.",
            (
                (_labels(model=model, outcome=outcome), count)
                for (model, outcome), count in sorted(self._reloads.items())
            ),
        )
        yield from _metric("requests_under_way", "gauge", "Requests in progress.", [("", self.under_way)])
        yield "# HELP clearwood_request_seconds Time from the first byte of a request to its reply."
        yield "# TYPE clearwood_request_seconds histogram"
        for route, times in sorted(self._times.items()):
            for limit, below in zip([*map(str, _SECONDS), "+Inf"], accumulate(times), strict=True):
                yield f"clearwood_request_seconds_bucket{_labels(route=route, le=limit)} {below}"
            yield f"clearwood_request_seconds_sum{_labels(route=route)} {self._seconds[route]!r}"
            yield f"clearwood_request_seconds_count{_labels(route=route)} {sum(times)}"


def _of_models(models: Sequence[ServedModel], started: float) -> Iterator[str]:
    own = {id(each): {"model": each.name, "version": each.version} for each in models}
    yield from _metric(
        "model_info",
        "gauge",
        "The models that are served, by name and version.",
        ((_labels(**own[id(each)], kind=type(each.model).__name__), 1) for each in models),
    )
    for what, meaning in (
        ("unseen", "Cells with a value that the model has never met, by column."),
        ("missing", "Empty cells, by column."),
    ):
        yield from _metric(
            f"cells_{what}_total",
            "counter",
            meaning,
            (
                (_labels(**own[id(each)], column=column.name), getattr(column, what))
                for each in models
                for column in each.drift.columns
            ),
        )
    drifted = [(own[id(each)], column) for each in models for column in each.drift.inputs()]
    yield from _metric(
        "input_drift_psi",
        "gauge",
        "Stability index of a column's recent rows against the training rows; from 0.25 on it changed much.",
        ((_labels(**labels, column=column.name), column.index) for labels, column in drifted),
    )
    yield from _metric(
        "input_drift_by_chance",
        "gauge",
        "How often chance alone gives so large an index, by column.",
        ((_labels(**labels, column=column.name), column.by_chance) for labels, column in drifted),
    )
    yield from _metric(
        "input_drift_rows",
        "gauge",
        "Recent rows that the index of a column is of.",
        ((_labels(**labels, column=column.name), column.rows) for labels, column in drifted),
    )
    answers = [(own[id(each)], drift) for each in models if (drift := each.drift.answers()) is not None]
    yield from _metric(
        "answer_drift_psi",
        "gauge",
        "Stability index of the classes' mean probabilities in recent predictions against the classes in "
        "training.",
        ((_labels(**labels), drift.index) for labels, drift in answers),
    )
    yield from _metric(
        "answer_drift_by_chance",
        "gauge",
        "How often chance alone gives so large an index of the predictions.",
        ((_labels(**labels), drift.by_chance) for labels, drift in answers),
    )
    yield from _metric(
        "answer_shift",
        "gauge",
        "Mean of recent predictions less that of the training rows, in their standard deviations.",
        ((_labels(**own[id(each)]), shift) for each in models if (shift := each.drift.shift()) is not None),
    )
    yield from _metric("start_time_seconds", "gauge", "When the server started.", [("", started)])
    memory = _resident()
    if memory is not None:
        yield from _metric("resident_memory_bytes", "gauge", "Memory of the process.", [("", memory)])


def _metric(name: str, kind: str, meaning: str, values: Iterable[tuple[str, float]]) -> Iterator[str]:
    listed = list(values)
    if listed:
        yield f"# HELP clearwood_{name} {meaning}"
        yield f"# TYPE clearwood_{name} {kind}"
        for labels, value in listed:
            yield f"clearwood_{name}{labels} {value!r}"


def _labels(**labels: str) -> str:
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _resident() -> int | None:
    """Bytes of memory that are in use, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
