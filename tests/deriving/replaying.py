"""Replaying a pruning: what its steps decided, done to the grown tree by hand, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clearwood.formulas.conditions import Condition, holds
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table
from clearwood.working.derivation import BecameLeaf, Raised, Step

Case = tuple[dict[str, Any], int, float]  # a row's cells, its class, its weight here


@dataclass(eq=False)
class Place:
    """A node: what leads to it, its share of the rows above, its counts, its rows, what hangs below."""

    when: Condition | None
    share: float
    counts: list[float]
    below: list[Place]
    cases: list[Case]


def replayed(grown: Tree, table: Table, steps: Iterable[Step]) -> list[tuple[Any, ...]]:
    """The nodes of the tree that comes of the steps, as `lines_of` gives them."""
    at = _places(grown)
    at[0].cases = _cases(grown, table)
    factors = grown.decision.factors or (1.0,) * len(at[0].counts)
    _send(at[0], factors, counted=False)
    for step in steps:
        match step.outcome:
            case BecameLeaf(int(place)):
                at[place].below = []
            case Raised(branch, int(place)):
                node, raised = at[place], at[place].below[branch]
                node.below = raised.below
                at = {number: node if each is raised else each for number, each in at.items()}
                _send(node, factors, counted=True)
            case _:
                pass
    return list(_lines(at[0]))


def lines_of(tree: Tree) -> list[tuple[Any, ...]]:
    """Each node: what leads to it, its share, its counts, how many branches it has."""
    return list(_lines(_places(tree)[0]))


def _places(tree: Tree) -> dict[int, Place]:
    nodes = tree.nodes
    at = {
        node: Place(
            tree.condition(node) if node else None,
            float(nodes.share[node]),
            nodes.counts[node].tolist(),
            [],
            [],
        )
        for node in tree
    }
    for node in at:
        at[node].below = [at[child] for child in nodes.children(node)]
    return at


def _lines(place: Place) -> Iterator[tuple[Any, ...]]:
    yield (place.when, round(place.share, 9), [round(n, 6) for n in place.counts], len(place.below))
    for each in place.below:
        yield from _lines(each)


def _cases(tree: Tree, table: Table) -> list[Case]:
    if tree.is_numeric:
        return []
    weights = [1.0] * len(table) if table.weights is None else table.weights.tolist()
    columns: dict[str, list[Any]] = {}
    for attribute in tree.schema.inputs:
        cells = table.columns[attribute.name].tolist()
        if isinstance(attribute, Nominal | Ordinal):
            cells = [attribute.values[code] if code >= 0 else None for code in cells]
        columns[attribute.name] = [None if cell != cell else cell for cell in cells]
    return [
        ({name: cells[row] for name, cells in columns.items()}, target, weights[row])
        for row, target in enumerate(table.target.tolist())
        if target >= 0 and weights[row] > 0
    ]


def _send(place: Place, factors: Sequence[float], *, counted: bool) -> None:
    """Send a node's rows down; `counted`: shares and counts are then theirs, classes weighed by `factors`."""
    if counted:
        place.counts = [0.0] * len(place.counts)
        for _, target, weight in place.cases:
            place.counts[target] += weight
    if not place.below:
        return
    taken: list[list[Case]] = [[] for _ in place.below]
    lost: list[Case] = []
    for case in place.cases:
        way = next((i for i, each in enumerate(place.below) if _takes(each, case)), None)
        (lost if way is None else taken[way]).append(case)
    if counted:
        known = [sum(weight * factors[target] for _, target, weight in each) for each in taken]
        for each, weight in zip(place.below, known, strict=True):
            each.share = weight / sum(known) if sum(known) > 0 else 1 / len(known)
    for each, cases in zip(place.below, taken, strict=True):
        share = each.share if each.share > 1e-6 else 0.0
        each.cases = [*cases, *((row, target, w * share) for row, target, w in lost if share)]
        _send(each, factors, counted=counted)


def _takes(place: Place, case: Case) -> bool:
    assert place.when is not None
    return holds(place.when, case[0][place.when.name])
