"""To reach every leaf and rule: a row that satisfies its conditions and none that are asked before."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

import numpy as np

from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import Exportable
from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    bounds_of,
    never_holds,
)
from clearwood.models.kinds.ensemble.ensemble import Member
from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.tree.tree import path_to
from clearwood.models.model import RuleList, Tree, tree_or_rules
from clearwood.models.space.input_space import input_space_of
from clearwood.models.space.search import Budget, TooLongError, find_outside
from clearwood.predicting.batch import leaf_of
from clearwood.table.raw import Cell, Row

_BUDGET: Final = 2_000_000  # boxes that the search for rows of all rules may look at
_EACH: Final = 100_000


@dataclass(frozen=True, slots=True)
class ReachedRegion:
    """A leaf or rule with a row that it is made for, or `because` of what there is none."""

    name: str
    conditions: tuple[Condition, ...]
    row: Row | None
    because: str = ""


def reached_regions(model: Exportable, usual: Row, *, most: int) -> list[ReachedRegion]:
    """A row for every leaf or rule, or for `most` of them at equal distances; other cells are the `usual`.

    Where a model has neither, there is nothing to be reached.
    """
    if isinstance(model, Scorecard):
        return []
    regions = tree_or_rules(model)
    if isinstance(regions, Tree):
        return list(_leaves(regions, usual, most, ""))
    if regions is not None:
        return list(_rules(regions, usual, most))
    members = kind_of(model).members(model)
    share = max(1, most // max(1, len(members)))
    return [
        each for number, member in enumerate(members, 1) for each in _of_member(member, usual, share, number)
    ]


def _of_member(member: Member, usual: Row, most: int, number: int) -> list[ReachedRegion]:
    if isinstance(member, Tree):
        return list(_leaves(member, usual, most, f" of tree {number}"))
    return reached_regions(member, usual, most=most)


def _leaves(tree: Tree, usual: Row, most: int, of: str) -> Iterator[ReachedRegion]:
    nodes = _spread(np.flatnonzero(tree.nodes.is_leaf).tolist(), most)
    paths = [path_to(tree, node) for node in nodes]
    rows = [{**usual, **_satisfying(path, usual)} for path in paths]
    for node, path, row, leaf in zip(nodes, paths, rows, _leaves_of(tree, rows), strict=True):
        name = f"leaf {node}{of}"
        if any(never_holds(each) for each in path):
            yield ReachedRegion(name, path, None, "its conditions exclude each other")
        elif leaf != node:
            yield ReachedRegion(name, path, None, "a row that satisfies its conditions goes elsewhere before")
        else:
            yield ReachedRegion(name, path, row)


def _leaves_of(tree: Tree, rows: list[dict[str, Cell]]) -> list[int]:
    if len(tree.nodes) == 1:
        return [0] * len(rows)
    leaves: list[int] = leaf_of(tree, rows).tolist()
    return leaves


def _rules(rules: RuleList, usual: Row, most: int) -> Iterator[ReachedRegion]:
    space = input_space_of([rules])
    boxes = space.boxes(rules)
    budget = Budget(_EACH, _BUDGET)
    asked = list(range(len(rules)))
    for place in _spread(asked, most):
        rule, box = rules.rules[place], boxes[place]
        name = f"rule {place + 1}"
        if box is None:
            yield ReachedRegion(name, rule.when, None, "its conditions exclude each other")
            continue
        before = [] if rules.matching != "first" else [each for each in boxes[:place] if each is not None]
        try:
            part = find_outside(space.within(box), before, budget)
        except TooLongError:
            yield ReachedRegion(name, rule.when, None, "no row was found that no earlier rule takes")
            continue
        if part is None:
            yield ReachedRegion(name, rule.when, None, "earlier rules take every row of it")
        else:
            yield ReachedRegion(name, rule.when, {**usual, **space.example(part)})


def _satisfying(conditions: Sequence[Condition], usual: Row) -> dict[str, Cell]:
    """A cell for each condition, the usual one where it will do."""
    return {each.name: _cell(each, usual.get(each.name)) for each in conditions}


def _cell(condition: Condition, usual: Cell) -> Cell:
    match condition:
        case IsMissing():
            return None
        case Equals(_, value):
            return value
        case OneOf(_, values):
            return usual if usual in values else values[0] if values else None
        case AtMost() | Below() | Above() | AtLeast() | Between():
            low, high = bounds_of(condition)
            if low >= high:
                return None  # only a missing cell satisfies it
            return _between(low, high, usual)
        case _:
            assert_never(condition)


def _between(low: float, high: float, usual: Cell) -> float:
    """A number low < x ≤ high, the usual one or a plain one where there is one."""
    if isinstance(usual, float) and low < usual <= high:
        return usual
    if high == math.inf:
        return low + 1.0 if low + 1.0 > low else math.nextafter(low, math.inf)
    if low == -math.inf:
        return high
    middle = low + (high - low) / 2
    return middle if low < middle <= high else high


def _spread(places: Sequence[int], most: int) -> list[int]:
    """All of them, or so many at equal distances."""
    if len(places) <= most:
        return list(places)
    return [places[int(each)] for each in np.linspace(0, len(places) - 1, most)]
