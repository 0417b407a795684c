"""The steps of ILA in words: which descriptions were looked at, which was taken, and what it marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from clearwood.formulas.conditions import Condition
from clearwood.learners.rules.ila_coding import CodedTable
from clearwood.learners.rules.ila_definition import Look
from clearwood.learners.rules.ila_task import Description
from clearwood.words.numbers import number

_MOST_KEPT: Final = 20  # descriptions a step remembers
_MOST_LISTED: Final = 8  # rows a sentence lists


@dataclass(frozen=True, slots=True)
class Described:
    """Conditions, the weight of unmarked rows of the class that they cover, and what of other classes."""

    when: tuple[Condition, ...]
    covers: float
    wrong: float
    score: float

    def __str__(self) -> str:
        text = f"{' AND '.join(map(str, self.when))}: {number(self.covers)}"
        return text + (f" − penalty for {number(self.wrong)} = {self.score:.6g}" if self.wrong else "")


@dataclass(frozen=True, slots=True)
class IlaStep:
    """One look at all combinations of `conditions` attributes, for one class.

    `good` is how many descriptions had a score above 0, `best` lists the first of them by rank (20 at
    most), `ties` how many equal the best. `taken` is what became a rule, None where nothing did; `marked` and
    `left` are row numbers, from 1: the rows it marked, and the class's rows that are unmarked after it.
    """

    then: str
    conditions: int
    combinations: int
    good: int
    ties: int
    best: tuple[Described, ...]
    taken: Described | None
    marked: tuple[int, ...]
    left: tuple[int, ...]
    because: str
    ended: bool = False  # the class's last look: no size describes the rows that are left

    def __str__(self) -> str:
        head = f"{self.then}, j = {self.conditions}"
        if self.taken is None:
            return f"{head}: {self.because}"
        marks = f"marks {rows_text(self.marked)}, {len(self.left):,} left"
        return f"{head}: IF {self.taken} ({self.because}); {marks}"

    def to_json(self) -> dict[str, Any]:
        """Plain values: conditions as they are printed."""
        return {
            "then": self.then,
            "conditions": self.conditions,
            "combinations": self.combinations,
            "good": self.good,
            "ties": self.ties,
            "best": [_json(each) for each in self.best],
            "taken": None if self.taken is None else _json(self.taken),
            "marked": list(self.marked),
            "left": list(self.left),
            "because": self.because,
        }


def step_of(look: Look, coded: CodedTable) -> IlaStep:
    """A look in the table's terms."""
    penalty = coded.task.penalty

    def rank(each: Description) -> tuple[object, int]:
        return each.score(penalty), -each.wrong

    def in_words(each: Description) -> Described:
        covers, wrong = each.covers * coded.unit, each.wrong * coded.unit
        return Described(coded.conditions(each), covers, wrong, float(each.score(penalty)) * coded.unit)

    ranked = sorted(look.good, key=rank, reverse=True)
    ties = sum(1 for each in ranked if rank(each) == rank(ranked[0]))
    return IlaStep(
        then=coded.task.classes[look.cls],
        conditions=look.size,
        combinations=look.combinations,
        good=len(ranked),
        ties=ties,
        best=tuple(in_words(each) for each in ranked[:_MOST_KEPT]),
        taken=None if look.taken is None else in_words(look.taken),
        marked=tuple(sorted(coded.numbers[list(look.marked)].tolist())),
        left=tuple(sorted(coded.numbers[list(look.left)].tolist())),
        because=_because(look, ties),
        ended=look.why in ("alike", "limit"),
    )


def rows_text(rows: tuple[int, ...]) -> str:
    """Row numbers in words, the first few of many.

    >>> rows_text((3,)), rows_text((1, 2))
    ('row 3', 'rows 1, 2')
    """
    shown = ", ".join(map(str, rows[:_MOST_LISTED]))
    more = f" and {len(rows) - _MOST_LISTED:,} more" if len(rows) > _MOST_LISTED else ""
    return f"{'row' if len(rows) == 1 else 'rows'} {shown}{more}"


def _because(look: Look, ties: int) -> str:
    match look.why:
        case "best":
            return f"the best of {len(look.good):,}" + (f", first of {ties:,} equals" if ties > 1 else "")
        case "passed":
            return f"its turn among {len(look.good):,}, and still above 0"
        case "none":
            return f"none of {look.combinations:,} combinations describes an unmarked row well enough"
        case "alike":
            return "rows of other classes are like those left in all that is known"
        case "limit":
            return "no more conditions may be combined"


def _json(each: Described) -> dict[str, Any]:
    return {
        "when": [str(condition) for condition in each.when],
        "covers": each.covers,
        "wrong": each.wrong,
        "score": each.score,
    }
