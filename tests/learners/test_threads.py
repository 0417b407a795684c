"""Threads: as many as make sense, and fewer where the system lends no more."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import pytest

from clearwood import _native

LEARN = """
import numpy as np
from clearwood import _native
from clearwood.learners.trees.cart import CART
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table

x = np.arange(20000.0)
columns = {"a": x, "b": -x, "c": x % 7, "y": (x % 3 == 0).astype(np.int32)}
schema = Schema(tuple(map(Numeric, "abc")), Nominal("y", ("no", "yes")))
print(_native.thread_count(), CART(max_depth=4).learn(Table(schema, columns)).depth)
"""


def learn(threads: str, *, stack: int | None = None) -> str:
    """What the program prints; a stack larger than all memory means that no thread can be started."""

    def limit() -> None:
        if stack is not None:
            resource.setrlimit(resource.RLIMIT_STACK, (stack, resource.getrlimit(resource.RLIMIT_STACK)[1]))
            resource.setrlimit(resource.RLIMIT_AS, (stack // 4, resource.getrlimit(resource.RLIMIT_AS)[1]))

    done = subprocess.run(
        [sys.executable, "-c", LEARN],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
        env={**os.environ, "CLEARWOOD_THREADS": threads, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="sizes of stacks are Linux's affair here")
def test_without_a_thread_to_be_had_the_work_is_done_all_the_same() -> None:
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if hard != resource.RLIM_INFINITY:
        pytest.skip("the stack cannot be made large enough here")
    assert learn("4", stack=1 << 36) == "4 4"


@pytest.mark.slow
def test_no_one_gets_more_than_256_threads() -> None:
    assert learn("1000000") == "256 4"
    assert learn("99999999999999999999") == "256 4"
    before = _native.thread_count()
    _native.set_thread_count(100_000)
    try:
        assert _native.thread_count() == 256
    finally:
        _native.set_thread_count(0)
    assert _native.thread_count() == before
