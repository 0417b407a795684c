"""Monotone, exactly: the model walks through the same rows with two neighbouring cells of the column."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, TypeAlias, cast

import numpy as np

from clearwood.arrays import Floats
from clearwood.checking.assertions.model_and_rows import ROUNDING
from clearwood.checking.diagrams.diagram import (
    PAIRS_PER_BOX,
    STATES_PER_BOX,
    DiagramTooLargeError,
    odd_groups,
    way_to_end,
)
from clearwood.checking.diagrams.of_rules import nodes_for, rule_diagram
from clearwood.checking.diagrams.product import product_of
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Condition
from clearwood.models.model import RuleList, Tree
from clearwood.models.space.axes import Axis, Domains
from clearwood.models.space.input_space import InputSpace, input_space_of
from clearwood.models.space.settling import Identities, Searched, Walk, settled_parts
from clearwood.models.space.walk_of import walk_of
from clearwood.predicting import predict, shares
from clearwood.table.raw import Cell
from clearwood.table.table import Table
from clearwood.words.numbers import many

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
    space = input_space_of((model,), conditions)
    start = space.satisfying(conditions)
    if start is not None and known:
        start = known_only(space, start)
    place = space.place(column)
    assert place is not None
    searches: list[Searched] = []
    by_diagram = isinstance(model, RuleList)
    # The figure must not fall from the first of two cells to the second.
    steps = [(low, high) if rising else (high, low) for low, high in _neighbours(space.axes[place])]
    for cells in steps if start is not None else ():
        searched = Searched(budget)
        searches.append(searched)
        assert start is not None
        part = _wrong_part(model, space, start, place, cells, about, searched)
        if part is not None:
            return MonotoneProof(_pair(space, part, place, cells), proof_reach(searches))
        if by_diagram and not searched.complete:
            by_diagram = False
            assert isinstance(model, RuleList)
            proof = monotone_proof(model, space, start, place, about, steps, budget)
            if proof is not None:
                wrong = proof.wrong
                broken = None if wrong is None else _pair(space, wrong, place, proof.cells or cells)
                return MonotoneProof(broken, proof.reach)
    return MonotoneProof(None, proof_reach(searches))


def _pair(space: InputSpace, part: Domains, place: int, cells: tuple[int, int]) -> RowPair:
    low, high = sorted(cells)
    return RowPair(space.example(part, {place: low}), space.example(part, {place: high}))


def _neighbours(axis: Axis) -> Iterator[tuple[int, int]]:
    """Cells next to each other that some condition tells apart."""
    for low, high in pairwise(range(axis.known)):
        if axis.group_of[low] != axis.group_of[high]:
            yield low, high


def _wrong_part(
    model: Tree | RuleList,
    space: InputSpace,
    start: Domains,
    place: int,
    cells: tuple[int, int],
    about: int | None,
    searched: Searched,
) -> Domains | None:
    """A part in which the figure is smaller with the second cell than with the first."""
    identities = Identities()
    groups = [1 << space.axes[place].group_of[cell] for cell in cells]
    first, second = (walk_of(model, space, identities, fixed={place: each}, about=about) for each in groups)

    def fine(walks: tuple[Walk, ...]) -> bool:
        one, other = walks
        if one.key == other.key:
            return True
        ends = one.ends, other.ends
        return ends[0] is not None and ends[1] is not None and ends[0][1] <= ends[1][0]

    block: list[Domains] = []
    for part in settled_parts((first, second), start, fine, searched, space.known()):
        block.append(part)
        if len(block) >= _BLOCK:
            wrong = _first_wrong(model, space, block, place, cells, about)
            if wrong is not None:
                return wrong
            block = []
    return _first_wrong(model, space, block, place, cells, about)


def _first_wrong(
    model: Tree | RuleList,
    space: InputSpace,
    parts: list[Domains],
    place: int,
    cells: tuple[int, int],
    about: int | None,
) -> Domains | None:
    if not parts:
        return None
    one, other = (_figures(model, space.rows(parts, {place: cell}), about) for cell in cells)
    wrong = np.flatnonzero(one > other + ROUNDING)
    return parts[int(wrong[0])] if len(wrong) else None


def _figures(model: Tree | RuleList, rows: Table, about: int | None) -> Floats:
    if about is None:
        return np.asarray(predict(model, rows), dtype=np.float64)
    figures: Floats = shares(model, rows)[:, about]
    return figures


# Proofs about lists of rules by their diagrams, where rules overlap too much to be walked through.


@dataclass(frozen=True, slots=True)
class DiagramProof:
    """Rows that break an assertion, as a box; None: there are none."""

    wrong: Domains | None
    reach: ProofReach
    cells: tuple[int, int] | None = None  # of the column that rises, if one does


def region_proof(
    rules: RuleList,
    space: InputSpace,
    start: Domains,
    about: int | None,
    allowed: Callable[[Hashable], bool],
    budget: int,
) -> DiagramProof | None:
    """Does every row of a box get what is allowed: an answer, or a share? None: the diagram is too large."""
    nodes = nodes_for([rules], space, start)
    try:
        root = rule_diagram(rules, space, nodes, STATES_PER_BOX * budget, about=about)
    except DiagramTooLargeError:
        return None
    reach = ProofReach(0, None, len(nodes.nodes))
    end = next((each for each in nodes.ends() if not allowed(nodes.value(each))), None)
    if end is None:
        return DiagramProof(None, reach)
    return DiagramProof(way_to_end(nodes, root, end, odd_groups(space, nodes.order), start), reach)


def monotone_proof(
    rules: RuleList,
    space: InputSpace,
    start: Domains,
    place: int,
    about: int | None,
    steps: Iterable[tuple[int, int]],
    budget: int,
) -> DiagramProof | None:
    """Does the figure never fall from the first to the second of two cells, for each of these `steps` of the
    column at `place`? It is asked first, so that each cell has a diagram of all others. None: too large."""
    nodes = nodes_for([rules], space, start, first=place)
    size, steps_left = 0, PAIRS_PER_BOX * budget
    try:
        root = rule_diagram(rules, space, nodes, STATES_PER_BOX * budget, about=about)
        level, children = nodes.nodes[root]
        group_of, odd = space.axes[place].group_of, odd_groups(space, nodes.order)
        for cells in steps if level == 0 else ():
            both = [children[nodes.order.groups[0].index(group_of[cell])] for cell in cells]
            one, other = cast("list[int]", both)
            product = product_of(nodes, one, other, odd, steps_left)
            size, steps_left = size + product.size, steps_left - product.steps
            for end in product.ends.tolist():
                before, after = cast("tuple[float | None, float | None]", product.values(end))
                if before is not None and after is not None and before > after + ROUNDING:
                    reach = ProofReach(0, None, len(nodes.nodes) + size)
                    return DiagramProof(product.way_to(end, start), reach, cells)
    except DiagramTooLargeError:
        return None
    return DiagramProof(None, ProofReach(0, None, len(nodes.nodes) + size))


# What was proved: all rows that could be, those with few odd cells, or none.


WhichRows: TypeAlias = Literal["all", "known"]


@dataclass(frozen=True, slots=True)
class ProofReach:
    """How far a proof came: parts of the space, and from how many odd cells on rows were left out. Where it
    is by decision diagrams, their `nodes` stand for all parts."""

    parts: int
    open_from: int | None
    nodes: int | None = None

    @property
    def is_whole(self) -> bool:
        return self.open_from is None

    def __str__(self) -> str:
        if self.nodes is not None:
            return f"exact, over all rows that could be, by decision diagrams of {many(self.nodes, 'node')}"
        over = f"over {many(self.parts, 'part')} of all rows that could be"
        if self.open_from is None:
            return f"exact, {over}"
        if self.open_from == 0:
            return "not settled within the budget"
        return (
            f"exact but for rows with {many(self.open_from, 'missing cell')} or more, of which the budget "
            "left some out"
        )


def proof_reach(searches: Sequence[Searched]) -> ProofReach:
    """All of these searches together."""
    left = [each.open_from for each in searches if each.open_from is not None]
    return ProofReach(sum(each.settled for each in searches), min(left) if left else None)


def known_only(space: InputSpace, start: Domains) -> Domains | None:
    """The part of a box in which every cell is a number or a known value; None where there is none."""
    known = [usual & groups for usual, groups in zip(space.known(), start, strict=True)]
    return known if all(known) else None


def check_possible(
    model: Tree | RuleList, when: str, conditions: tuple[Condition, ...], rows: WhichRows
) -> None:
    """Refuse conditions that no row can satisfy: whatever is asserted would hold of all these rows."""
    space = input_space_of((model,), conditions)
    start = space.satisfying(conditions)
    if start is None:
        raise SettingError(f"No row can satisfy '{when}': its conditions exclude each other. Mend when.")
    if rows == "known" and known_only(space, start) is None:
        raise SettingError(f"No row of known cells can satisfy '{when}'. Leave rows out, or mend when.")


def check_which(rows: str) -> None:
    """Refuse what is neither all rows nor those whose cells are known."""
    if rows not in ("all", "known"):
        raise SettingError(f"rows is 'all' or 'known' (no empty cell, no value never met), not '{rows}'.")
