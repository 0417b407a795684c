"""Designs: which rows a recipe learns from and which judge it, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

FEW: Final = 100  # rows: with fewer, too few would be held out to judge by
PART: Final = 0.25
FOLDS: Final = 10


@dataclass(frozen=True, slots=True)
class HoldOut:
    """A part of the rows judges, the others are learned from."""

    part: float = PART
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Folds:
    """All rows are learned from; the recipe is judged fold by fold, each time on rows left out."""

    folds: int = FOLDS
    seed: int = 0


@dataclass(frozen=True, slots=True)
class TrainingRows:
    """All rows are learned from, and no others judge."""

    seed: int = 0


Design: TypeAlias = HoldOut | Folds | TrainingRows


def usual_design(rows: int, seed: int = 0) -> Design:
    """A quarter held out; with fewer than 100 rows as many folds as they allow, up to ten.

    >>> usual_design(400), usual_design(14), usual_design(1)
    (HoldOut(part=0.25, seed=0), Folds(folds=10, seed=0), TrainingRows(seed=0))
    """
    if rows >= FEW:
        return HoldOut(PART, seed)
    return TrainingRows(seed) if rows < 2 else Folds(min(FOLDS, rows), seed)
