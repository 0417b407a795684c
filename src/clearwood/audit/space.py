"""The space of a rule list: the axes that its conditions cut, and each rule as a box (see `axes`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Bools
from clearwood.audit.axes import Axis, Domains, GroupBox, axes_of, group_set, groups_of_rows, rows_inside
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.predict.satisfied import as_truths, satisfied, taken
from clearwood.table import encode
from clearwood.table.raw import Cell
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Space:
    """The columns that some rule asks about, and each rule as a box; None where no row can satisfy it."""

    axes: tuple[Axis, ...]
    boxes: tuple[GroupBox | None, ...]
    takes: tuple[Bools, ...]  # [column] bool [group, rule]: does the rule's set hold the group?

    def everywhere(self) -> Domains:
        return [axis.everything for axis in self.axes]

    def within(self, *boxes: GroupBox) -> Domains:
        """The common part of boxes, column by column."""
        domains = self.everywhere()
        for box in boxes:
            for column, groups in box:
                domains[column] &= groups
        return domains

    def example(self, domains: Domains) -> dict[str, Cell]:
        """A row of this part of the space, with the columns that rules ask about."""
        return {axis.name: axis.example(groups) for axis, groups in zip(self.axes, domains, strict=True)}


def space_of(rules: RuleList) -> Space:
    """The space that these rules divide."""
    conditions = (condition for rule in rules for condition in rule.when)
    axes = axes_of(conditions, rules.schema.__getitem__, rules.schema.positions.__getitem__)
    takes = [np.ones((axis.groups, len(rules)), dtype=np.bool_) for axis in axes.all]
    places = axes.places
    boxes: list[GroupBox | None] = []
    for r, rule in enumerate(rules):
        sets: dict[int, Bools] = {}
        for condition in rule.when:
            place = places[condition.name]
            held = axes.satisfied[condition]
            sets[place] = held if place not in sets else sets[place] & held
        for place, held in sets.items():
            takes[place][:, r] = held
        box = tuple((place, group_set(held)) for place, held in sorted(sets.items()))
        boxes.append(
            None
            if any(groups == 0 for _, groups in box)
            else tuple((place, groups) for place, groups in box if groups != axes.all[place].everything)
        )
    return Space(axes.all, tuple(boxes), tuple(takes))


# A table's rows in the space: how much of it each pair of rules shares, and what no rule takes.


@dataclass(frozen=True, slots=True, eq=False)
class RowWeights:
    """Row weights, by rules and by place."""

    all: float
    uncovered: float
    both: npt.NDArray[np.float64]  # [rule, rule] of the rows that satisfy both
    rows: Groups  # [kind of row, column] the rows no rule takes, each kind once
    weights: npt.NDArray[np.float64]  # [kind of row]

    def within(self, domains: Domains) -> float:
        """Of the rows that no rule takes, how much lies here?"""
        return float(self.weights[rows_inside(self.rows, domains)].sum())


def row_weights(rules: RuleList, space: Space, source: Any) -> RowWeights:
    """The rows of a table, or of what one can be made of, in the space of these rules."""
    table = source if isinstance(source, Table) else _coded(rules, space, source)
    weights = None if table.weights is None else np.ascontiguousarray(table.weights, dtype=np.float64)
    covered = satisfied(rules.schema, rules, table).covered()
    both = _native.count_shared(covered, len(table), weights)
    left = np.flatnonzero(as_truths(taken(covered, len(table))[1], len(table)))
    rows = np.empty((len(left), len(space.axes)), dtype=np.int32)
    for column, axis in enumerate(space.axes):
        rows[:, column] = groups_of_rows(axis, table)[left]
    own = np.ones(len(left)) if weights is None else weights[left]
    whole = float(len(table) if weights is None else weights.sum())
    if not len(space.axes):
        return RowWeights(whole, float(own.sum()), both, rows[:1], np.array([own.sum()])[: len(rows)])
    kinds, back = np.unique(rows, axis=0, return_inverse=True)
    summed = np.bincount(back.reshape(-1), own, minlength=len(kinds)).astype(np.float64)
    return RowWeights(whole, float(own.sum()), both, kinds, summed)


def _coded(rules: RuleList, space: Space, source: Any) -> Table:
    schema = replace(rules.schema, target=None)
    return encode(source, schema, only={axis.name for axis in space.axes})


# Rows tried at once against all rules: a cheap way to what is so, before the search proves what is not.


Groups: TypeAlias = npt.NDArray[np.int32]  # [row, column] the group of each cell

_TRIES: Final = 32  # rows for every rule
_CHUNK: Final = 1 << 24  # cells of [row, rule] at a time


@dataclass(frozen=True, slots=True)
class Tried:
    """What rows showed, rule by rule."""

    answers: Bools  # [rule] some row has it as its first
    needed: Bools  # [rule] without it some row would be answered otherwise


def holding_rules(space: Space, rows: Groups, rules: int) -> Bools:
    """[row, rule] which rules hold."""
    held = np.ones((len(rows), rules), dtype=np.bool_)
    for column, takes in enumerate(space.takes):
        held &= takes[rows[:, column]]
    return held


def try_rows(space: Space, answers: npt.NDArray[np.int64], otherwise: int) -> Tried:
    """Try some rows of every rule. `answers` [rule] and `otherwise`, the default, are codes."""
    n = len(answers)
    tried = Tried(np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_))
    rows = _rows(space)
    all_answers = np.append(answers, otherwise)  # place n: no rule
    for start in range(0, len(rows), max(1, _CHUNK // max(1, n))):
        part = rows[start : start + max(1, _CHUNK // max(1, n))]
        held = np.concatenate(
            [holding_rules(space, part, n), np.ones((len(part), 1), dtype=np.bool_)], axis=1
        )
        first = held.argmax(axis=1)
        tried.answers[first[first < n]] = True
        held[np.arange(len(part)), first] = False
        held[:, n] = True
        second = held.argmax(axis=1)
        other = (first < n) & (all_answers[first] != all_answers[second])
        tried.needed[first[other]] = True
    return tried


def _rows(space: Space) -> Groups:
    """Some rows of every rule that has any, the same on every day."""
    random = np.random.default_rng(0)
    possible = [r for r, box in enumerate(space.boxes) if box is not None]
    rows = np.zeros((len(possible) * _TRIES, len(space.axes)), dtype=np.int32)
    for column, axis in enumerate(space.axes):
        rows[:, column] = random.integers(axis.groups, size=len(rows))
    for place, rule in enumerate(possible):
        own = slice(place * _TRIES, (place + 1) * _TRIES)
        for column, _ in space.boxes[rule] or ():
            allowed = np.flatnonzero(space.takes[column][:, rule])
            rows[own, column] = allowed[random.integers(len(allowed), size=_TRIES)]
    return rows
