"""How many bits encode a condition: which attribute, and then which value, values or cut of it."""

from __future__ import annotations

import math
from typing import assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.tree import Tree
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Table


def condition_bits(tree: Tree, rows: Table) -> Floats:
    """[node] bits for the condition into each node; 0 at the root.

    log2(attributes) to name one. Then log2(values) for one of its values, a bit for each value for a set of
    them; for a number 1 bit for the side, and log2 of how many cuts its different training values allow.
    """
    n = tree.nodes
    tested = np.flatnonzero(np.bincount(n.attribute[1:])).tolist() if len(n) > 1 else []
    inputs = sum(isinstance(each, Nominal | Ordinal | Numeric) for each in tree.schema.attributes)
    single, several = np.zeros(len(tree.schema.attributes)), np.zeros(len(tree.schema.attributes))
    for position in tested:
        match attribute := tree.schema.attributes[position]:
            case Nominal(_, values) | Ordinal(_, values):
                single[position], several[position] = math.log2(max(1, len(values))), len(values)
            case Numeric(name, cuts):
                single[position] = several[position] = 1 + math.log2(max(1, len(cuts) or _cuts(rows, name)))
            case Text() | Ignored():
                pass  # no condition is about it
            case _:
                assert_never(attribute)
    one = np.diff(n.set_start) == 1
    bits = np.where(one, single[n.attribute], several[n.attribute]) + math.log2(max(1, inputs))
    bits[0] = 0.0
    return np.asarray(bits, dtype=np.float64)


def _cuts(rows: Table, name: str) -> int:
    column = np.sort(rows.columns[name])  # NaN last; np.unique loads more of NumPy than it is worth
    return int(np.count_nonzero(column[1:] > column[:-1]))
