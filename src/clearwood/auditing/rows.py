"""Rows in the space of a rule list: a table's, and some that are tried, against all rules at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Bools
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_space import RulesSpace
from clearwood.models.space.axes import Domains, GroupBox, group_flags
from clearwood.models.space.input_space import InputSpace
from clearwood.predicting.in_space import groups_of_rows, rows_inside
from clearwood.predicting.satisfied import as_truths, satisfied, taken
from clearwood.table import encode
from clearwood.table.table import Table


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


def row_weights(rules: RuleList, space: InputSpace, source: Any) -> RowWeights:
    """The rows of a table, or of what one can be made of, in the space of these rules."""
    table = source if isinstance(source, Table) else _coded(rules, space, source)
    weights = None if table.weights is None else np.ascontiguousarray(table.weights, dtype=np.float64)
    covered = satisfied(rules.schema, rules, table).covered()
    both = _native.count_shared(covered, len(table), weights)
    left = np.flatnonzero(as_truths(taken(covered, len(table))[1], len(table)))
    rows = groups_of_rows(space.axes, table)[left]
    own = np.ones(len(left)) if weights is None else weights[left]
    whole = float(len(table) if weights is None else weights.sum())
    if not len(space.axes):
        return RowWeights(whole, float(own.sum()), both, rows[:1], np.array([own.sum()])[: len(rows)])
    kinds, back = np.unique(rows, axis=0, return_inverse=True)
    summed = np.bincount(back.reshape(-1), own, minlength=len(kinds)).astype(np.float64)
    return RowWeights(whole, float(own.sum()), both, kinds, summed)


def _coded(rules: RuleList, space: InputSpace, source: Any) -> Table:
    schema = replace(rules.schema, target=None)
    return encode(source, schema, only={axis.name for axis in space.axes})


# Rows tried at once against all rules: a cheap way to what is so, before the search proves what is not.


Groups: TypeAlias = npt.NDArray[np.int32]  # [row, column] the group of each cell
RulesTaking: TypeAlias = tuple[Bools, ...]  # [column] bool [group, rule]: does the rule's set hold the group?

_TRIES: Final = 32  # rows for every rule
_CHUNK: Final = 1 << 24  # cells of [row, rule] at a time


def rules_taking(rules: RuleList, space: InputSpace) -> RulesTaking:
    """The groups that the set of each rule holds, column by column."""
    takes = tuple(np.ones((axis.groups, len(rules)), dtype=np.bool_) for axis in space.axes)
    for place, sets in enumerate(RulesSpace(rules).sets(space.asked.__getitem__, space.everywhere())):
        for column, groups in sets:
            takes[column][:, place] = group_flags(groups, len(takes[column]))
    return takes


def holding_rules(takes: RulesTaking, rows: Groups, rules: int) -> Bools:
    """[row, rule] which rules hold."""
    held = np.ones((len(rows), rules), dtype=np.bool_)
    for column, own in enumerate(takes):
        held &= own[rows[:, column]]
    return held


def try_rows(
    boxes: Sequence[GroupBox | None], takes: RulesTaking, answers: npt.NDArray[np.int64], otherwise: int
) -> tuple[Bools, Bools]:
    """What some rows of every rule show: [rule] some row has it as its first, and without it some row would
    be answered otherwise. `answers` [rule] and `otherwise`, the default, are codes."""
    n = len(answers)
    is_first, is_needed = np.zeros((2, n), dtype=np.bool_)
    rows = _rows(boxes, takes)
    all_answers = np.append(answers, otherwise)  # place n: no rule
    for start in range(0, len(rows), max(1, _CHUNK // max(1, n))):
        part = rows[start : start + max(1, _CHUNK // max(1, n))]
        held = np.concatenate(
            [holding_rules(takes, part, n), np.ones((len(part), 1), dtype=np.bool_)], axis=1
        )
        first = held.argmax(axis=1)
        is_first[first[first < n]] = True
        held[np.arange(len(part)), first] = False
        held[:, n] = True
        second = held.argmax(axis=1)
        other = (first < n) & (all_answers[first] != all_answers[second])
        is_needed[first[other]] = True
    return is_first, is_needed


def _rows(boxes: Sequence[GroupBox | None], takes: RulesTaking) -> Groups:
    """Some rows of every rule that has any, the same on every day."""
    random = np.random.default_rng(0)
    possible = [r for r, box in enumerate(boxes) if box is not None]
    rows = np.zeros((len(possible) * _TRIES, len(takes)), dtype=np.int32)
    for column, groups in enumerate(takes):
        rows[:, column] = random.integers(len(groups), size=len(rows))
    for place, rule in enumerate(possible):
        own = slice(place * _TRIES, (place + 1) * _TRIES)
        for column, _ in boxes[rule] or ():
            allowed = np.flatnonzero(takes[column][:, rule])
            rows[own, column] = allowed[random.integers(len(allowed), size=_TRIES)]
    return rows
