"""Small tables are learned and answered on the caller's own thread: another would only be waited for."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import clearwood as cw

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted by Linux")

LEARNERS = [cw.C45(), cw.CART(), cw.ID3(), cw.CHAID(), cw.NaiveBayes(), cw.Logistic(penalty="l2")]


def threads_started(work: Any) -> int:
    """How many numbers of threads were given out meanwhile: one to each thread, in turn.

    Where the numbers begin anew, as they do at the highest, they are taken again.
    """

    def next_number() -> int:
        actual = []
        probe = threading.Thread(target=lambda: actual.append(threading.get_native_id()))
        probe.start()
        probe.join()
        return actual[0]

    while True:
        before = next_number()
        work()
        if (after := next_number()) > before:
            return after - before - 1


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_a_small_table_starts_no_thread(learner: Any) -> None:
    random = np.random.default_rng(0)
    numbers = random.integers(0, 9, size=(150, 4)).astype(np.float64)
    cells: dict[str, Any] = {f"x{j}": numbers[:, j] for j in range(4)}
    names = np.array(["a", "b", "c"])[(numbers[:, 0] + random.integers(0, 3, 150)).astype(int) % 3]
    if isinstance(learner, cw.ID3):
        cells = {name: [f"v{value:.0f}" for value in column] for name, column in cells.items()}
    table = cw.read_table({**cells, "y": names.tolist()}, target="y")

    def work() -> None:
        cw.predict(learner.learn(table), table)

    work()
    # Another process may take a number in between; never every time.
    assert min(threads_started(work) for _ in range(20)) == 0


def test_a_small_frame_of_strings_starts_no_thread() -> None:
    frame = pl.DataFrame({"x": ["a", "b"] * 50, "y": ["no", "yes"] * 50})
    cw.read_table(frame, target="y")
    assert min(threads_started(lambda: cw.read_table(frame, target="y")) for _ in range(20)) == 0


def test_a_large_table_is_learned_on_as_many_as_there_are() -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core")
    random = np.random.default_rng(0)
    table = cw.read_table(
        {"x": random.normal(size=200_000), "z": random.normal(size=200_000), "y": ["a", "b"] * 100_000},
        target="y",
    )
    assert threads_started(lambda: cw.C45(max_depth=3).learn(table)) > 0
