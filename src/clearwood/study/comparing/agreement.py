"""Where two models differ: which rows each has right, and which rows they answer differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from clearwood.arrays import Longs
from clearwood.scoring.predictions import ClassPredictions
from clearwood.words.numbers import number, with_noun

_NAMED: Final = 8  # rows in a sentence


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """The weight of the rows that both models answer, by who has them right; the rows' numbers, from 1, where
    one alone does, and where both are wrong in different ways.

    `by_class`: for each true class its weight, and how much of it each has right.
    """

    first: str
    second: str
    both_right: float
    only_first: float
    only_second: float
    both_wrong: float
    rows_only_first: tuple[int, ...]
    rows_only_second: tuple[int, ...]
    rows_wrong_differently: tuple[int, ...]
    by_class: Mapping[str, tuple[float, float, float]]
    unanswered: float = 0.0

    @property
    def same_answer(self) -> float:
        """The part of the rows that both have right, or both wrong."""
        total = self.both_right + self.only_first + self.only_second + self.both_wrong
        return (self.both_right + self.both_wrong) / total if total else float("nan")

    def __str__(self) -> str:
        lines = [
            f"Both are right on {with_noun(number(round(self.both_right, 6)), 'row')}, {self.first} alone on "
            f"{number(round(self.only_first, 6))}, {self.second} alone on "
            f"{number(round(self.only_second, 6))}, neither on {number(round(self.both_wrong, 6))}."
        ]
        for name, rows in ((self.first, self.rows_only_first), (self.second, self.rows_only_second)):
            if rows:
                lines.append(f"Only {name} is right on {_rows(rows)}.")
        if self.rows_wrong_differently:
            lines.append(f"Both are wrong, in different ways, on {_rows(self.rows_wrong_differently)}.")
        if self.unanswered:
            lines.append(
                f"{number(round(self.unanswered, 6))} rows for which one of them has no prediction are left "
                "out."
            )
        return " ".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "first": self.first,
            "second": self.second,
            "both_right": self.both_right,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "both_wrong": self.both_wrong,
            "rows_only_first": list(self.rows_only_first),
            "rows_only_second": list(self.rows_only_second),
            "rows_wrong_differently": list(self.rows_wrong_differently),
            "by_class": {
                name: {"rows": rows, "first_right": one, "second_right": other}
                for name, (rows, one, other) in self.by_class.items()
            },
            "unanswered": self.unanswered,
        }


def agreement_of(
    first: str, second: str, one: ClassPredictions, other: ClassPredictions, numbers: Longs
) -> Agreement:
    """Of the same rows, whose numbers are these; classes are compared by their names."""
    answered = (one.answers >= 0) & (other.answers >= 0)
    weights = np.where(answered, one.weights, 0.0)
    right, other_right = one.answers == one.truth, other.answers == other.truth
    names, other_names = np.array([*one.classes, ""]), np.array([*other.classes, ""])
    differently = answered & ~right & ~other_right & (names[one.answers] != other_names[other.answers])
    only, only_other = answered & right & ~other_right, answered & other_right & ~right
    by_class = {}
    for code, name in enumerate(one.classes):
        own = one.truth == code
        if weights[own].any():
            by_class[name] = (
                float(weights[own].sum()),
                float(weights[own & right].sum()),
                float(weights[own & other_right].sum()),
            )
    return Agreement(
        first,
        second,
        float(weights[right & other_right].sum()),
        float(weights[only].sum()),
        float(weights[only_other].sum()),
        float(weights[~right & ~other_right].sum()),
        tuple(numbers[only].tolist()),
        tuple(numbers[only_other].tolist()),
        tuple(numbers[differently].tolist()),
        by_class,
        float(one.weights[~answered].sum()),
    )


def _rows(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(f"{each}" for each in numbers[:_NAMED])
    more = len(numbers) - _NAMED
    return f"row{'s' if len(numbers) > 1 else ''} {shown}{f' and {more:,} more' if more > 0 else ''}"
