"""Cleaning: rows of common classes go where their neighbours are of another class."""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np

from clearwood.arrays import Longs
from clearwood.balancing.balancer import Balancer
from clearwood.balancing.imbalanced_learn import without_contradicted, without_tomek_links
from clearwood.balancing.points import points_of
from clearwood.bounds import Whole
from clearwood.errors import LearningError
from clearwood.registry import checked
from clearwood.table.table import Table


@checked
def clean_links(table: Table, _seed: int = 0) -> Table:
    """Of two rows that are each other's nearest, and of different classes, the one of the commoner class goes
    (Tomek links). A missing number stands at its column's mean while distances are measured."""
    points = points_of("Tomek", table, fill=True).flat
    return _taken("Tomek", table, without_tomek_links(points, table.target))


@checked
def clean_contradicted(
    table: Table,
    _seed: int = 0,
    *,
    k: Annotated[int, Whole(1), "How many of the nearest rows must be of its own class."] = 3,
) -> Table:
    """A row goes if one of its `k` nearest is of another class, unless its own is the rarest (ENN)."""
    if len(table) <= k:
        raise LearningError(f"ENN looks at {k} neighbours of a row, and there are {len(table)} rows in all.")
    points = points_of("ENN", table, fill=True).flat
    return _taken("ENN", table, without_contradicted(points, table.target, k))


def _taken(way: str, table: Table, kept: Longs) -> Table:
    lost = np.setdiff1d(table.target, table.target[kept])
    if len(lost):
        raise LearningError(
            f"{way} would leave no row of the class '{table.schema.classes[int(lost[0])]}': each is near "
            "another class. Balance by weights or over."
        )
    return table.take(kept)


TOMEK: Final = Balancer(clean_links, "Rows of common classes that touch a rarer one go (Tomek links).")
ENN: Final = Balancer(clean_contradicted, "Rows that their neighbours contradict go (edited neighbours).")
