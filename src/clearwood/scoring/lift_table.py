"""A lift table: how many of a class's rows are reached by taking the rows with its largest shares first?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood.scoring.predictions import ClassPredictions
from clearwood.scoring.rank_scores import ranking
from clearwood.scoring.share_scores import judged_rows
from clearwood.words.columns import in_columns

_PARTS: Final = tuple(k / 10 for k in range(1, 11))


@dataclass(frozen=True, slots=True)
class LiftStep:
    """The rows with the largest shares, this `part` of all: `hits` of them are of the class.

    `from_share` is the smallest share among them; of rows with that share a part may be taken, and their hits
    are what any order gives on average. `gained` is the part of the class's rows that is reached.
    """

    part: float
    rows: float
    from_share: float
    hits: float
    gained: float
    lift: float


@dataclass(frozen=True, slots=True)
class LiftTable:
    """Tenth by tenth, from the rows with the largest shares of the class down; `weighted`: a row counts as
    much as it weighs."""

    positive: str
    steps: tuple[LiftStep, ...]
    weighted: bool = False

    def __str__(self) -> str:
        lines = [["rows taken", "rows", "probability from", f"{self.positive} among them", "of all", "lift"]]
        lines += [
            [
                f"{100 * each.part:.0f} %",
                f"{each.rows:.4g}",
                f"{each.from_share:.4f}",
                f"{each.hits:.4g}",
                f"{100 * each.gained:.1f} %",
                f"{each.lift:.3f}",
            ]
            for each in self.steps
        ]
        return "\n".join([*in_columns(lines, "figures"), *self._what_counts_are])

    @property
    def _what_counts_are(self) -> list[str]:
        """What must be known of counts that are no whole numbers."""
        if self.weighted:
            return ["Rows are counted by their weights."]
        counts = [count for each in self.steps for count in (each.rows, each.hits)]
        if all(abs(count - round(count)) < 1e-9 * max(1.0, count) for count in counts):
            return []
        return [
            "A decile may end within a row, or among rows of one probability: parts of them are then counted."
        ]


def lift_table(predictions: ClassPredictions, positive: str) -> LiftTable | None:
    """The lift table of a class; None where it has no rows, or no others, to judge by."""
    code = predictions.classes.index(positive)
    rows = judged_rows(predictions)
    own = predictions.truth[rows] == code
    if not own.any() or own.all():
        return None
    ranked = ranking(predictions.shares[rows, code], own, rows)
    hits, others = (side[0] for side in ranked.steps(predictions.weights[None]))
    step = hits + others
    total, of_class = float(step.sum()), float(hits.sum())
    shares = predictions.shares[ranked.rows[ranked.starts], code]
    before = np.cumsum(step) - step
    steps = []
    for part in _PARTS:
        taken = np.clip(part * total - before, 0.0, step)
        reached = float((hits * taken / np.where(step > 0, step, 1.0)).sum())
        last = int(np.flatnonzero(taken > 1e-12 * total)[-1])
        gained = reached / of_class
        steps.append(LiftStep(part, part * total, float(shares[last]), reached, gained, gained / part))
    weights = predictions.weights[rows]
    return LiftTable(positive, tuple(steps), bool((weights != 1).any()))
