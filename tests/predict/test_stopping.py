"""Ctrl-C stops a long prediction at once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from clearwood.models.build import tree_of
from clearwood.models.conditions import Equals
from clearwood.models.tree import Branch, Leaf, Split, Tree
from clearwood.predict import count_through, leaf_of, predict, shares
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Table


def wide_tree(values: int) -> Tree:
    """A leaf for each value, and no branch for an empty cell: such a row goes down all of them."""
    names = tuple(map(str, range(values)))
    schema = Schema((Nominal("x", names),), Nominal("y", ("a", "b")))
    branches = tuple(Branch(Equals("x", name), 1 / values, Leaf((1.0, 2.0))) for name in names)
    return tree_of(schema, Split((1.0 * values, 2.0 * values), {}, branches))


@pytest.mark.parametrize("ask", [predict, shares, leaf_of, count_through])
def test_rows_that_go_down_every_branch_can_be_stopped(ask: Callable[[Tree, Table], Any]) -> None:
    tree = wide_tree(20_000)
    empty = np.full(90_000, MISSING, dtype=np.int32)
    table = Table(tree.schema, {"x": empty, "y": np.zeros(len(empty), dtype=np.int32)})
    pressed = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    started = time.monotonic()
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        ask(tree, table)
    assert time.monotonic() - started < 2
