"""Monotone, exactly: the model walks through the same rows with two neighbouring cells of the column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.audit.axes import Axis, Domains
from clearwood.checking.assertions.bounds import ROUNDING
from clearwood.checking.assertions.by_diagram import monotone_proof
from clearwood.checking.assertions.exactness import ProofReach, known_only, proof_reach
from clearwood.checking.walking.ground import Ground, ground_of
from clearwood.checking.walking.searching import Searched, settled_parts
from clearwood.checking.walking.walk import Identities, Walk
from clearwood.checking.walking.walks import walk_of
from clearwood.models.conditions import Condition
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict import predict, shares
from clearwood.table.row import Cell
from clearwood.table.table import Table

_BLOCK: Final = 1024


@dataclass(frozen=True, slots=True)
class RowPair:
    """Two rows that differ in one column, the lower cell first."""

    low: dict[str, Cell]
    high: dict[str, Cell]


@dataclass(frozen=True, slots=True)
class MonotoneProof:
    """Two rows between which the figure goes the wrong way, if there are any, and how far the proof came."""

    pair: RowPair | None
    reach: ProofReach


def exactly(
    model: Tree | RuleList,
    column: str,
    about: int | None,
    *,
    rising: bool,
    conditions: tuple[Condition, ...],
    known: bool,
    budget: int,
) -> MonotoneProof:
    """A figure that never falls from one cell to the next never falls at all; empty cells have no place in
    the order, but may stand in every other column."""
    ground = ground_of((model,), conditions)
    start = ground.within(conditions)
    if start is not None and known:
        start = known_only(ground, start)
    place = ground.place(column)
    assert place is not None
    searches: list[Searched] = []
    by_diagram = isinstance(model, RuleList)
    # The figure must not fall from the first of two cells to the second.
    steps = [(low, high) if rising else (high, low) for low, high in _neighbours(ground.axes[place])]
    for cells in steps if start is not None else ():
        searched = Searched(budget)
        searches.append(searched)
        assert start is not None
        part = _wrong_part(model, ground, start, place, cells, about, searched)
        if part is not None:
            return MonotoneProof(_pair(ground, part, place, cells), proof_reach(searches))
        if by_diagram and not searched.complete:
            by_diagram = False
            assert isinstance(model, RuleList)
            proof = monotone_proof(model, ground, start, place, about, steps, budget)
            if proof is not None:
                wrong = proof.wrong
                broken = None if wrong is None else _pair(ground, wrong, place, proof.cells or cells)
                return MonotoneProof(broken, proof.reach)
    return MonotoneProof(None, proof_reach(searches))


def _pair(ground: Ground, part: Domains, place: int, cells: tuple[int, int]) -> RowPair:
    low, high = sorted(cells)
    return RowPair(ground.example(part, {place: low}), ground.example(part, {place: high}))


def _neighbours(axis: Axis) -> Iterator[tuple[int, int]]:
    """Cells next to each other that some condition tells apart."""
    for low, high in pairwise(range(axis.known)):
        if axis.group_of[low] != axis.group_of[high]:
            yield low, high


def _wrong_part(
    model: Tree | RuleList,
    ground: Ground,
    start: Domains,
    place: int,
    cells: tuple[int, int],
    about: int | None,
    searched: Searched,
) -> Domains | None:
    """A part in which the figure is smaller with the second cell than with the first."""
    identities = Identities()
    groups = [1 << ground.axes[place].group_of[cell] for cell in cells]
    first, second = (walk_of(model, ground, identities, fixed={place: each}, about=about) for each in groups)

    def fine(walks: tuple[Walk, ...]) -> bool:
        one, other = walks
        if one.key == other.key:
            return True
        ends = one.ends, other.ends
        return ends[0] is not None and ends[1] is not None and ends[0][1] <= ends[1][0]

    block: list[Domains] = []
    for part in settled_parts((first, second), start, fine, searched, ground.known()):
        block.append(part)
        if len(block) >= _BLOCK:
            wrong = _first_wrong(model, ground, block, place, cells, about)
            if wrong is not None:
                return wrong
            block = []
    return _first_wrong(model, ground, block, place, cells, about)


def _first_wrong(
    model: Tree | RuleList,
    ground: Ground,
    parts: list[Domains],
    place: int,
    cells: tuple[int, int],
    about: int | None,
) -> Domains | None:
    if not parts:
        return None
    one, other = (_figures(model, ground.rows(parts, {place: cell}), about) for cell in cells)
    wrong = np.flatnonzero(one > other + ROUNDING)
    return parts[int(wrong[0])] if len(wrong) else None


def _figures(model: Tree | RuleList, rows: Table, about: int | None) -> Floats:
    if about is None:
        return np.asarray(predict(model, rows), dtype=np.float64)
    figures: Floats = shares(model, rows)[:, about]
    return figures
