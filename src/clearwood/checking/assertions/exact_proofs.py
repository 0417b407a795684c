"""Monotone, exactly: the model walks through the same rows with two neighbouring cells of the column."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final, Literal, TypeAlias, cast

import numpy as np

from clearwood.arrays import Bools
from clearwood.checking.assertions.model_and_rows import ROUNDING, figures_of
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
from clearwood.table.raw import Cell
from clearwood.words.numbers import many

_BLOCK: Final = 1024


RowPair: TypeAlias = tuple[
    dict[str, Cell], dict[str, Cell]
]  # they differ in one column, the lower cell first


@dataclass(frozen=True, slots=True)
class MonotoneProof:
    """Two rows between which the figure goes the wrong way, if there are any, and how that is known."""

    pair: RowPair | None
    how: str
    open_from: int | None = None  # odd cells: of rows with so many some were left out


def exactly(
    model: Tree | RuleList,
    space: InputSpace,
    start: Domains,
    column: str,
    about: int | None,
    *,
    rising: bool,
    budget: int,
) -> MonotoneProof:
    """A figure that never falls from one cell to the next never falls at all; empty cells have no place in
    the order, but may stand in every other column."""
    place = space.place(column)
    assert place is not None
    searches: list[Searched] = []
    by_diagram = isinstance(model, RuleList)
    # The figure must not fall from the first of two cells to the second.
    steps = [(low, high) if rising else (high, low) for low, high in _neighbours(space.axes[place])]
    for cells in steps:
        searched = Searched(budget)
        searches.append(searched)
        part = _wrong_part(model, space, start, place, cells, about, searched)
        if part is not None:
            return MonotoneProof(_pair(space, part, place, cells), *proof_reach(searches))
        if by_diagram and not searched.complete:
            by_diagram = False
            assert isinstance(model, RuleList)
            proof = monotone_proof(model, space, start, place, about, steps, budget)
            if proof is not None:
                wrong = proof.wrong
                broken = None if wrong is None else _pair(space, wrong, place, proof.cells or cells)
                return MonotoneProof(broken, proof.how)
    return MonotoneProof(None, *proof_reach(searches))


def _pair(space: InputSpace, part: Domains, place: int, cells: tuple[int, int]) -> RowPair:
    low, high = sorted(cells)
    return space.example(part, {place: low}), space.example(part, {place: high})


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

    def falls(parts: list[Domains]) -> Bools:
        one, other = (figures_of(model, space.rows(parts, {place: cell}), about) for cell in cells)
        return np.asarray(one > other + ROUNDING)

    return first_wrong(settled_parts((first, second), start, fine, searched, space.known()), falls)


def first_wrong(parts: Iterator[Domains], wrong: Callable[[list[Domains]], Bools]) -> Domains | None:
    """The first of the parts that is wrong; a block of them is looked at together."""
    while block := list(islice(parts, _BLOCK)):
        broken = np.flatnonzero(wrong(block))
        if len(broken):
            return block[int(broken[0])]
    return None


# Proofs about lists of rules by their diagrams, where rules overlap too much to be walked through.


@dataclass(frozen=True, slots=True)
class DiagramProof:
    """Rows that break an assertion, as a box; None: there are none."""

    wrong: Domains | None
    how: str
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
    how = _by_diagrams(len(nodes.nodes))
    end = next((each for each in nodes.ends() if not allowed(nodes.value(each))), None)
    if end is None:
        return DiagramProof(None, how)
    return DiagramProof(way_to_end(nodes, root, end, odd_groups(space, nodes.order), start), how)


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
                    how = _by_diagrams(len(nodes.nodes) + size)
                    return DiagramProof(product.way_to(end, start), how, cells)
    except DiagramTooLargeError:
        return None
    return DiagramProof(None, _by_diagrams(len(nodes.nodes) + size))


# What was proved: all rows that could be, those with few odd cells, or none.


WhichRows: TypeAlias = Literal["all", "known"]


def _by_diagrams(nodes: int) -> str:
    return f"exact, over all rows that could be, by decision diagrams of {many(nodes, 'node')}"


def proof_reach(searches: Sequence[Searched]) -> tuple[str, int | None]:
    """How far these searches came together, in words, and from how many odd cells on rows were left out."""
    left = [each.open_from for each in searches if each.open_from is not None]
    if not left:
        parts = many(sum(each.settled for each in searches), "part")
        return f"exact, over {parts} of all rows that could be", None
    fewest = min(left)
    if fewest == 0:
        return "not settled within the budget", 0
    missing = many(fewest, "missing cell")
    return f"exact but for rows with {missing} or more, of which the budget left some out", fewest


def possible_rows(
    model: Tree | RuleList, conditions: tuple[Condition, ...], rows: WhichRows, when: str
) -> tuple[InputSpace, Domains]:
    """The rows that satisfy the conditions, as a box. Conditions that no row can satisfy are refused:
    whatever is asserted would hold of all these rows."""
    space = input_space_of((model,), conditions)
    start = space.satisfying(conditions)
    if start is None:
        raise SettingError(f"No row can satisfy '{when}': its conditions exclude each other. Mend when.")
    if rows == "known":
        start = [usual & groups for usual, groups in zip(space.known(), start, strict=True)]
        if not all(start):
            raise SettingError(f"No row of known cells can satisfy '{when}'. Leave rows out, or mend when.")
    return space, start


def check_which(rows: str) -> None:
    """Refuse what is neither all rows nor those whose cells are known."""
    if rows not in ("all", "known"):
        raise SettingError(f"rows is 'all' or 'known' (no empty cell, no value never met), not '{rows}'.")
