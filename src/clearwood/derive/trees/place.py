"""A Place: a node of the grown tree with its rows counted, where a learner's choice is derived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from clearwood.arrays import Floats
from clearwood.counting.question import Question
from clearwood.counting.task import Region, Task
from clearwood.working.figures import Figure, Rows


@dataclass(frozen=True, slots=True, eq=False)
class TreePlace:
    """The rows here, their counts by level as the learner weighs them, and the conditions above."""

    task: Task
    region: Region
    counts: Floats  # [level], times the factors
    mixed: float  # how impure they are, by the task's measure
    rows: Rows  # what its figures rest on: as they came, without the factors


@dataclass(frozen=True, slots=True)
class Worked:
    """What a learner computed at a place, what it decided, and the question it asks (None: a leaf)."""

    figures: tuple[Figure, ...]
    decision: str
    question: Question | None = None


# A learner's way to work out a place; made once for a task, as its way to ask is.
WorkOut: TypeAlias = Callable[[TreePlace], Worked]
