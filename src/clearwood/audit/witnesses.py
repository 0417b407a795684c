"""Rows tried at once against all rules: a cheap way to what is so, before the search proves what is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools
from clearwood.audit.space import Space

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
