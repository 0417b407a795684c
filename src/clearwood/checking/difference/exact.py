"""Regions in which two models differ, by both walks through the same space: exact, whatever rows may come."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, Final, TypeVar, assert_never, cast

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats
from clearwood.checking.diagrams.diagram import (
    PAIRS_PER_BOX,
    STATES_PER_BOX,
    DiagramTooLargeError,
    odd_groups,
)
from clearwood.checking.diagrams.of_rules import nodes_for, rule_diagram
from clearwood.checking.diagrams.product import DiagramProduct, count_boxes, product_of, widened_at
from clearwood.checking.difference.by_rows import differ, given, named_shares
from clearwood.checking.difference.difference import ChangedRegion, Difference, Given, MovedShare
from clearwood.models.kinds.kind import NumbersProfile, Profile, TextProfile, ValuesProfile
from clearwood.models.model import RuleList, Tree
from clearwood.models.space.axes import Axis, Domains, GroupBox, region_text
from clearwood.models.space.input_space import InputSpace, input_space_of
from clearwood.models.space.search import box_of, widened
from clearwood.models.space.settling import Identities, Searched, Walk, joined_parts, settled_parts
from clearwood.models.space.walk_of import walk_of
from clearwood.predicting.batch import predict
from clearwood.predicting.in_space import groups_of_rows, rows_inside
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema
from clearwood.words.numbers import many

_BLOCK: Final = 4096  # parts predicted together


def exact_difference(
    names: tuple[str, str],
    old: Tree | RuleList,
    new: Tree | RuleList,
    table: Any,
    *,
    shares: float | None,
    most: int,
    budget: int,
) -> Difference:
    """The regions with changed answers and, where asked for, those with shares that moved further.

    Where rules overlap too much for it, all rows are looked at by pairs of nodes of two diagrams; the regions
    listed are then some of those there are, and the number is of boxes that share no row.
    """
    space, searched = input_space_of((old, new)), Searched(budget, passed=[])
    lying = weights = None
    if table is not None:
        rows = space.coded(table)
        if shares is None:  # only rows whose answer changes lie in a region
            rows = rows.take(np.flatnonzero(differ(predict(old, rows), predict(new, rows))))
        lying = groups_of_rows(space.axes, rows)
        weights = np.ones(len(rows)) if rows.weights is None else np.asarray(rows.weights)
    rank = _Ranking(space, lying, weights, new)
    changed, moved = _changed_parts(old, new, space, searched, shares)
    if not searched.complete and shares is None and isinstance(old, RuleList) and isinstance(new, RuleList):
        whole = diagram_difference(old, new, space, lying, most=most, budget=budget)
        if whole is not None:
            wide, boxes, pairs = whole
            regions = _as_regions(space, wide, rank)
            in_all = max(boxes, len(regions))  # wide regions may share rows
            how = f"Exact: every row that could be, by decision diagrams, in {many(pairs, 'node')}."
            return Difference(names, True, how, tuple(regions[:most]), in_all, examples=True)
    regions, left = _changed_regions(space, changed, searched.passed or [], rank, most)
    moves = [
        MovedShare(
            region_text(space.axes, part),
            name,
            *_reach(old, new, space, part, parts, name),
            space.example(part),
            *rank.of(part),
        )
        for (name, _), parts in moved.items()
        for part in joined_parts(parts)
    ]
    moves.sort(key=lambda each: rank.order(each.rows, each.training))
    how, left_open = _reached(searched)
    return Difference(
        *(names, True, how, tuple(regions[:most]), len(regions) + left),
        left_open=left_open,
        moved=tuple(moves[:most]),
        moved_in_all=len(moves),
        by_more_than=shares,
    )


def _reached(searched: Searched) -> tuple[str, str]:
    """How far the search came, in a sentence, and what it left open; "" where that is nothing."""
    parts = many(searched.settled, "part")
    if searched.open_from is None:
        return f"Exact: every row that could be, in {parts}.", ""
    how = f"Exact, in {parts}, but for what the budget left out."
    which = (
        f"of rows with {many(searched.open_from, 'missing cell')} or more, or as many values never met, "
        "not all were looked at; all others were"
    )
    if searched.open_from == 0:
        how = f"Searched in {parts}, until the budget was spent."
        which = "not every row that could be was looked at"
    return how, f"Within the budget of {searched.budget:,} boxes: {which}. A larger budget looks further."


def _changed_regions(
    space: InputSpace,
    changed: Mapping[tuple[Given, Given], Sequence[Domains]],
    passed: Sequence[Domains],
    rank: _Ranking,
    most: int,
) -> tuple[list[ChangedRegion], int]:
    """Wide regions, those with the most rows first, and how many narrower ones were not made wide. A row is
    counted in the first region that it lies in."""
    narrow = [(pair, part) for pair, parts in changed.items() for part in joined_parts(parts)]
    narrow.sort(key=lambda each: rank.order(*rank.of(each[1])))
    made, left = covered(narrow, passed, space.everywhere(), most)
    return _as_regions(space, made, rank), left


def _as_regions(
    space: InputSpace, made: list[tuple[tuple[Given, Given], Domains]], rank: _Ranking
) -> list[ChangedRegion]:
    """Those with the most rows first."""
    made.sort(key=lambda each: rank.order(*rank.of(each[1])))
    regions = []
    for pair, part in made:
        rows, training = rank.of(part, once=True)
        text = region_text(space.axes, part)
        regions.append(ChangedRegion(text, *pair, space.example(part), rows, training))
    regions.sort(key=lambda each: rank.order(each.rows, each.training))
    return regions


def _changed_parts(
    old: Tree | RuleList, new: Tree | RuleList, space: InputSpace, searched: Searched, shares: float | None
) -> tuple[dict[tuple[Given, Given], list[Domains]], dict[tuple[str, bool], list[Domains]]]:
    """By answers before and after, and by the class whose share moved most and whether it rose."""
    identities = Identities()
    walks = (walk_of(old, space, identities), walk_of(new, space, identities))

    def alike(ways: tuple[Walk, ...]) -> bool:
        one, other = ways
        if shares is None and one.answer is not None and one.answer == other.answer:
            return True
        return one.key == other.key

    changed: dict[tuple[Given, Given], list[Domains]] = {}
    moved: dict[tuple[str, bool], list[Domains]] = {}
    parts = settled_parts(walks, space.everywhere(), alike, searched, space.known())
    while block := list(islice(parts, _BLOCK)):
        rows = space.rows(block)
        before, after = predict(old, rows), predict(new, rows)
        changes = differ(before, after)
        if searched.passed is not None:
            # The models part here and answer alike all the same: no region may be widened over it.
            searched.passed.extend(block[place] for place in np.flatnonzero(~changes).tolist())
        for place in np.flatnonzero(changes).tolist():
            pair = (given(before[place]), given(after[place]))
            changed.setdefault(pair, []).append(block[place])
        if shares is not None:
            names, change = _change(old, new, rows)
            largest = np.abs(change).argmax(axis=1)
            by = change[np.arange(len(block)), largest]
            for place in np.flatnonzero(np.abs(by) > shares + 1e-12).tolist():
                key = (names[largest[place]], bool(by[place] > 0))
                moved.setdefault(key, []).append(block[place])
    return changed, moved


def _reach(
    old: Tree | RuleList,
    new: Tree | RuleList,
    space: InputSpace,
    whole: Domains,
    parts: Sequence[Domains],
    name: str,
) -> tuple[float, float]:
    """How far the share of a class moves in a joined_parts part: the least and the most of its pieces."""
    inside = [part for part in parts if _is_inside(part, whole)]
    names, change = _change(old, new, space.rows(inside))
    own = change[:, names.index(name)].tolist()
    least, most = sorted((min(own), max(own)), key=abs)
    return least, most


def _change(old: Tree | RuleList, new: Tree | RuleList, rows: Any) -> tuple[list[str], Floats]:
    names, before, after = named_shares(old, new, rows, rows)
    return names, after - before


@dataclass(slots=True, eq=False)
class _Ranking:
    """How much lies in a part: of the data's rows, and of the training rows."""

    space: InputSpace
    lying: Any
    weights: Floats | None
    model: Tree | RuleList
    counted: Bools | None = None  # [row] is it in a region that was counted already?

    def of(self, part: Domains, *, once: bool = False) -> tuple[float | None, float | None]:
        """The weights of both; `once` leaves out rows that were counted before."""
        rows = None
        if self.weights is not None:
            inside = rows_inside(self.lying, part)
            if once:
                if self.counted is not None:
                    inside &= ~self.counted
                self.counted = inside if self.counted is None else self.counted | inside
            rows = float(self.weights[inside].sum())
        profile, schema = self.model.profile, self.model.schema
        return rows, None if profile is None else part_of_training(self.space.axes, part, profile, schema)

    def order(self, rows: float | None, training: float | None) -> tuple[float, float]:
        """The largest first."""
        return -(rows or 0.0), -(training or 0.0)


# Covering: parts of one kind are widened until they touch another, so that few of them hold all rows.


PartKind = TypeVar("PartKind", bound=Hashable)

_MOST_STEPS: Final = 3_000_000  # columns times boxes that may be in the way: a second or two


def covered(
    parts: Sequence[tuple[PartKind, Domains]], passed: Sequence[Domains], everywhere: Domains, most: int
) -> tuple[list[tuple[PartKind, Domains]], int]:
    """Wide boxes that hold the parts in this order, and touch no part of another kind and none that was
    `passed`; and how many parts are left.

    Wide boxes of one kind may share rows. Those of the first `most` parts are always made, more of them while
    there is not too much in the way.

    >>> covered([("a", [0b01, 0b01]), ("a", [0b10, 0b01]), ("b", [0b11, 0b10])], [], [0b11, 0b11], 5)
    ([('a', [3, 1]), ('b', [3, 2])], 0)
    """
    of_none = [box_of(part, everywhere) for part in joined_parts(passed)]
    by_kind: dict[PartKind, list[GroupBox]] = {}
    for kind, part in parts:
        by_kind.setdefault(kind, []).append(box_of(part, everywhere))
    wide: list[tuple[PartKind, Domains]] = []
    left = list(parts)
    steps = 0
    while left and (len(wide) < most or steps < _MOST_STEPS):
        kind, part = left[0]
        in_the_way = [*of_none, *(box for other, boxes in by_kind.items() if other != kind for box in boxes)]
        box = widened(part, in_the_way, everywhere)
        steps += len(in_the_way) * len(everywhere)
        wide.append((kind, box))
        left = [each for each in left[1:] if each[0] != kind or not _is_inside(each[1], box)]
    return wide, len(left)


def _is_inside(part: Domains, box: Domains) -> bool:
    return all(not own & ~held for own, held in zip(part, box, strict=True))


# How much of the training rows lies in a part of the space, by their profile, if columns are independent.


def part_of_training(axes: Sequence[Axis], part: Domains, profile: Profile, schema: Schema) -> float | None:
    """A part from 0 to 1; None where the profile lacks a column that the part restricts."""
    whole = 1.0
    for axis, groups in zip(axes, part, strict=True):
        if groups == axis.everything:
            continue
        cells = _cells(axis, profile, schema)
        if cells is None:
            return None
        inside = sum(each for each, group in zip(cells, axis.group_of, strict=True) if groups >> group & 1)
        whole *= min(1.0, inside)
    return whole


def _cells(axis: Axis, profile: Profile, schema: Schema) -> list[float] | None:
    """[cell] its part of the training rows."""
    column = profile.columns.get(axis.name)
    match column:
        case ValuesProfile(counts, missing):
            known = schema[axis.name]
            assert isinstance(known, Nominal | Ordinal)
            by_value = dict(zip(known.values, counts, strict=True))
            total = sum(counts) + missing
            parts = [by_value.get(str(value), 0.0) for value in axis.cells[: axis.known]]
            return [each / total for each in (*parts, 0.0, missing)] if total > 0 else None
        case NumbersProfile(_, _, quantiles, known_rows, missing):
            total = known_rows + missing
            if not total > 0:
                return None
            ends = [0.0, *(_below(quantiles, limit) for limit in axis.limits), 1.0]
            share = known_rows / total
            return [*((high - low) * share for low, high in pairwise(ends)), missing / total]
        case TextProfile() | None:
            return None
        case _:
            assert_never(column)


def _below(quantiles: tuple[float, ...], limit: float) -> float:
    """The part of the numbers that are at most `limit`."""
    if not quantiles or limit < quantiles[0]:
        return 0.0
    place = int(np.searchsorted(quantiles, limit, side="right")) - 1
    if place == len(quantiles) - 1:
        return 1.0
    low, high = quantiles[place], quantiles[place + 1]
    within = (limit - low) / (high - low) if math.isfinite(high - low) and high > low else 0.0
    return (place + within) / (len(quantiles) - 1)


# Regions in which two lists of rules differ, by their diagrams: all rows at once, however rules overlap.


def diagram_difference(
    old: RuleList,
    new: RuleList,
    space: InputSpace,
    lying: npt.NDArray[np.int32] | None,
    *,
    most: int,
    budget: int,
) -> tuple[list[tuple[tuple[Given, Given], Domains]], int, int] | None:
    """Some wide regions of all rows that change, how many boxes hold these (no two of which share a row), and
    how many pairs of nodes there are; None where the diagrams are too large. Of the regions twice as many are
    made as are listed, so that those with the most rows are among them: around rows of the data, by the
    groups that they are `lying` in, then one for each answer that became another."""
    everywhere = space.everywhere()
    nodes = nodes_for([old, new], space, everywhere)
    try:
        roots = [rule_diagram(each, space, nodes, STATES_PER_BOX * budget) for each in (old, new)]
        product = product_of(
            nodes, roots[0], roots[1], odd_groups(space, nodes.order), PAIRS_PER_BOX * budget
        )
    except DiagramTooLargeError:
        return None
    answers = {end: cast("tuple[Given, Given]", product.values(end)) for end in product.ends.tolist()}
    if not all(_are_different(*pair) for pair in answers.values()):
        return None
    regions = [(answers[end], box) for end, box in _regions(product, lying, everywhere, 2 * most)]
    return regions, count_boxes(product), product.size


def _are_different(before: Given, after: Given) -> bool:
    """Numbers may be the same but for rounding."""
    if isinstance(before, float) and isinstance(after, float):
        return bool(differ(np.array([before]), np.array([after]))[0])
    return before != after


def _regions(
    product: DiagramProduct, lying: npt.NDArray[np.int32] | None, everywhere: Domains, most: int
) -> Iterator[tuple[int, Domains]]:
    """Around rows of the data first, then one of each end that none of these has come to."""
    left = np.zeros((0, len(everywhere)), dtype=np.int32) if lying is None else lying
    ends: list[int] = []
    while len(left) and len(ends) < most:
        row = [1 << int(group) for group in left[0]]
        end, left = product.end_of(row), left[1:]
        if end is not None:
            region = widened_at(product, row, end, everywhere)
            left = left[~rows_inside(left, region)]
            ends.append(end)
            yield end, region
    others = [end for end in product.ends.tolist() if end not in ends]
    for end in others[: most - len(ends)]:
        yield end, widened_at(product, product.way_to(end, everywhere), end, everywhere)
