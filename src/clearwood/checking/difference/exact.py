"""Regions in which two models differ, by both walks through the same space: exact, whatever rows may come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.audit.axes import Domains, rows_inside
from clearwood.audit.regions import region_text
from clearwood.checking.difference.by_diagram import diagram_difference
from clearwood.checking.difference.by_rows import differ, named_shares
from clearwood.checking.difference.covering import covered
from clearwood.checking.difference.difference import ChangedRegion, Given, MovedShare
from clearwood.checking.difference.training_rows import part_of_training
from clearwood.checking.walking.ground import Ground, ground_of
from clearwood.checking.walking.joining import joined_parts
from clearwood.checking.walking.searching import Searched, settled_parts
from clearwood.checking.walking.walk import Identities, Walk
from clearwood.checking.walking.walks import walk_of
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict import predict

_BLOCK: Final = 4096  # parts predicted together


@dataclass(frozen=True, slots=True)
class ExactDifference:
    """The regions that are listed, how many there are, and how far the search came.

    Where rules overlap too much for it, all rows were looked at by so many `pairs` of nodes of two diagrams;
    the regions listed are then some of those there are, and the number is of boxes that share no row.
    """

    regions: tuple[ChangedRegion, ...]
    regions_in_all: int
    moved: tuple[MovedShare, ...]
    moved_in_all: int
    searched: Searched
    pairs: int | None = None

    @property
    def complete(self) -> bool:
        return self.pairs is not None or self.searched.complete


def exact_difference(
    old: Tree | RuleList, new: Tree | RuleList, table: Any, *, shares: float | None, most: int, budget: int
) -> ExactDifference:
    """The regions with changed answers and, where asked for, those with shares that moved further."""
    ground, searched = ground_of((old, new)), Searched(budget, passed=[])
    lying = weights = None
    if table is not None:
        rows = ground.coded(table)
        if shares is None:  # only rows whose answer changes lie in a region
            rows = rows.take(np.flatnonzero(differ(predict(old, rows), predict(new, rows))))
        lying = ground.groups(rows)
        weights = np.ones(len(rows)) if rows.weights is None else np.asarray(rows.weights)
    rank = _Ranking(ground, lying, weights, new)
    changed, moved = _changed_parts(old, new, ground, searched, shares)
    if not searched.complete and shares is None and isinstance(old, RuleList) and isinstance(new, RuleList):
        whole = diagram_difference(old, new, ground, lying, most=most, budget=budget)
        if whole is not None:
            regions = _as_regions(ground, list(whole.regions), rank)
            in_all = max(whole.boxes, len(regions))  # wide regions may share rows
            return ExactDifference(tuple(regions[:most]), in_all, (), 0, searched, whole.pairs)
    regions, left = _changed_regions(ground, changed, searched.passed or [], rank, most)
    moves = [
        MovedShare(
            region_text(ground.axes, part),
            name,
            *_reach(old, new, ground, part, parts, name),
            ground.example(part),
            *rank.of(part),
        )
        for (name, _), parts in moved.items()
        for part in joined_parts(parts)
    ]
    moves.sort(key=lambda each: rank.order(each.rows, each.training))
    in_all = len(regions) + left
    return ExactDifference(tuple(regions[:most]), in_all, tuple(moves[:most]), len(moves), searched)


def _changed_regions(
    ground: Ground,
    changed: Mapping[tuple[Given, Given], Sequence[Domains]],
    passed: Sequence[Domains],
    rank: _Ranking,
    most: int,
) -> tuple[list[ChangedRegion], int]:
    """Wide regions, those with the most rows first, and how many narrower ones were not made wide. A row is
    counted in the first region that it lies in."""
    narrow = [(pair, part) for pair, parts in changed.items() for part in joined_parts(parts)]
    narrow.sort(key=lambda each: rank.order(*rank.of(each[1])))
    made, left = covered(narrow, passed, ground.everywhere(), most)
    return _as_regions(ground, made, rank), left


def _as_regions(
    ground: Ground, made: list[tuple[tuple[Given, Given], Domains]], rank: _Ranking
) -> list[ChangedRegion]:
    """Those with the most rows first."""
    made.sort(key=lambda each: rank.order(*rank.of(each[1])))
    regions = []
    for pair, part in made:
        rows, training = rank.of(part, once=True)
        text = region_text(ground.axes, part)
        regions.append(ChangedRegion(text, *pair, ground.example(part), rows, training))
    regions.sort(key=lambda each: rank.order(each.rows, each.training))
    return regions


def _changed_parts(
    old: Tree | RuleList, new: Tree | RuleList, ground: Ground, searched: Searched, shares: float | None
) -> tuple[dict[tuple[Given, Given], list[Domains]], dict[tuple[str, bool], list[Domains]]]:
    """By answers before and after, and by the class whose share moved most and whether it rose."""
    identities = Identities()
    walks = (walk_of(old, ground, identities), walk_of(new, ground, identities))

    def alike(ways: tuple[Walk, ...]) -> bool:
        one, other = ways
        if shares is None and one.answer is not None and one.answer == other.answer:
            return True
        return one.key == other.key

    changed: dict[tuple[Given, Given], list[Domains]] = {}
    moved: dict[tuple[str, bool], list[Domains]] = {}
    block: list[Domains] = []

    def settle() -> None:
        if not block:
            return
        rows = ground.rows(block)
        before, after = predict(old, rows), predict(new, rows)
        changes = differ(before, after)
        if searched.passed is not None:
            # The models part here and answer alike all the same: no region may be widened over it.
            searched.passed.extend(block[place] for place in np.flatnonzero(~changes).tolist())
        for place in np.flatnonzero(changes).tolist():
            pair = (_plain(before[place]), _plain(after[place]))
            changed.setdefault(pair, []).append(block[place])
        if shares is not None:
            names, change = _change(old, new, rows)
            largest = np.abs(change).argmax(axis=1)
            by = change[np.arange(len(block)), largest]
            for place in np.flatnonzero(np.abs(by) > shares + 1e-12).tolist():
                key = (names[largest[place]], bool(by[place] > 0))
                moved.setdefault(key, []).append(block[place])
        block.clear()

    for part in settled_parts(walks, ground.everywhere(), alike, searched, ground.known()):
        block.append(part)
        if len(block) >= _BLOCK:
            settle()
    settle()
    return changed, moved


def _reach(
    old: Tree | RuleList,
    new: Tree | RuleList,
    ground: Ground,
    whole: Domains,
    parts: Sequence[Domains],
    name: str,
) -> tuple[float, float]:
    """How far the share of a class moves in a joined_parts part: the least and the most of its pieces."""
    inside = [part for part in parts if all(not own & ~wide for own, wide in zip(part, whole, strict=True))]
    names, change = _change(old, new, ground.rows(inside))
    own = change[:, names.index(name)].tolist()
    least, most = sorted((min(own), max(own)), key=abs)
    return least, most


def _change(old: Tree | RuleList, new: Tree | RuleList, rows: Any) -> tuple[list[str], Floats]:
    names, before, after = named_shares(old, new, rows, rows)
    return names, after - before


@dataclass(slots=True, eq=False)
class _Ranking:
    """How much lies in a part: of the data's rows, and of the training rows."""

    ground: Ground
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
        return rows, None if profile is None else part_of_training(self.ground.axes, part, profile, schema)

    def order(self, rows: float | None, training: float | None) -> tuple[float, float]:
        """The largest first."""
        return -(rows or 0.0), -(training or 0.0)


def _plain(answer: Any) -> Given:
    """None also for NaN, the number that is no answer."""
    if answer is None or isinstance(answer, str):
        return answer
    number = float(answer)
    return None if number != number else number
