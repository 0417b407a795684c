"""Ctrl-C stops a long prediction at once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from clearwood.formulas.conditions import Equals
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Tree
from clearwood.predicting import count_through, leaf_of, predict, shares
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Table


@cache
def wide_tree() -> Tree:
    """20,000 leaves, and no branch for an empty cell: such a row goes down to all of them."""
    many, few = tuple(map(str, range(1000))), tuple(map(str, range(20)))
    schema = Schema((Nominal("x", many), Nominal("z", few)), Nominal("y", ("a", "b")))
    lower = Split((2.0, 4.0), {}, tuple(Branch(Equals("z", name), 1 / 20, Leaf((1.0, 2.0))) for name in few))
    upper = tuple(Branch(Equals("x", name), 1 / 1000, lower) for name in many)
    return tree_of(schema, Split((2000.0, 4000.0), {}, upper))


@pytest.mark.slow
@pytest.mark.parametrize("ask", [predict, shares, leaf_of, count_through])
def test_rows_that_go_down_every_branch_can_be_stopped(ask: Callable[[Tree, Table], Any]) -> None:
    tree = wide_tree()
    empty = np.full(90_000, MISSING, dtype=np.int32)
    table = Table(tree.schema, {"x": empty, "z": empty, "y": np.zeros(len(empty), dtype=np.int32)})
    pressed = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    started = time.monotonic()
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        ask(tree, table)
    assert time.monotonic() - started < 2
