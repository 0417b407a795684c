"""Parted: the branches of one way to part a node's rows, each with its counts, weight and impurity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.derive.trees.place import TreePlace
from clearwood.learners.trees.offers import Offer, Ways


@dataclass(frozen=True, slots=True, eq=False)
class Parted:
    """As plain numbers: a derivation has tens of thousands of these, of two or three branches each."""

    counts: list[list[float]]  # [branch][level]
    weights: list[float]  # [branch]
    mixed: list[float]  # [branch] impurity
    missing: float  # weight of the empty cells that no branch takes


def parted(place: TreePlace, chosen: Sequence[tuple[Ways, int]]) -> list[Parted]:
    """Several ways, measured all at once."""
    if not chosen:
        return []
    tables = [ways.counts[way] for ways, way in chosen]
    every = np.concatenate(tables)
    counts = every.tolist()
    weights = [each for ways, way in chosen for each in ways.weights[way].tolist()]
    mixed = place.task.impurity(every).tolist()
    measured, start = [], 0
    for table, (ways, _) in zip(tables, chosen, strict=True):
        here = slice(start, start + len(table))
        measured.append(Parted(counts[here], weights[here], mixed[here], ways.missing))
        start = here.stop
    return measured


def parted_by_offers(place: TreePlace, offers: Sequence[Offer]) -> list[Parted | None]:
    """The best way of each offer that has one."""
    chosen = [(each.ways, each.best) for each in offers if each.ways is not None and each.best >= 0]
    measured = iter(parted(place, chosen))
    return [next(measured) if each.ways is not None and each.best >= 0 else None for each in offers]
