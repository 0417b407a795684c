"""Rows of which another program refuses some: asked again by halves, until those are alone.

Many programs refuse a whole table for the sake of one cell. What they answer is kept, what they refuse is
counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.importing.asked_origin import OriginRefusesError, OwnAnswers
from clearwood.importing.hurting_rows import RowCells


@dataclass(frozen=True, slots=True)
class AnsweredRows:
    """The rows that got an answer, with it, and of each other row why it got none."""

    rows: list[RowCells]
    answers: OwnAnswers
    reasons: list[str]


def asked_by_halves(
    ask: Callable[[list[RowCells]], OwnAnswers], rows: list[RowCells], most: int
) -> AnsweredRows:
    """Ask about all rows, and again about halves of what is refused, at `most` so many times; rows of halves
    that are refused then count as refused."""
    answered: list[tuple[list[RowCells], OwnAnswers]] = []
    reasons: list[str] = []
    waiting = [rows] if rows else []
    while waiting:
        part = waiting.pop()
        most -= 1
        try:
            answered.append((part, ask(part)))
        except OriginRefusesError as error:
            if len(part) == 1 or most <= 0:
                reasons += [str(error)] * len(part)
            else:
                middle = len(part) // 2
                waiting += [part[middle:], part[:middle]]
    return AnsweredRows([row for part, _ in answered for row in part], _joined(answered), reasons)


def _joined(parts: Sequence[tuple[list[RowCells], OwnAnswers]]) -> OwnAnswers:
    """The answers to parts one after another."""
    if len(parts) == 1:
        return parts[0][1]
    figures = [each.figures for _, each in parts if each.figures is not None]
    codes = [code for _, each in parts for code in each.codes or ()]
    refused = [because for rows, each in parts for because in each.refused or [""] * len(rows)]
    return OwnAnswers(np.concatenate(figures) if figures else None, codes or None, refused)
