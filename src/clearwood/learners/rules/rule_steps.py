"""Rule steps: what a covering learner looked at and what it took, one small record at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, overload

from clearwood.formulas.conditions import Condition
from clearwood.records import json_of
from clearwood.words.numbers import number


@dataclass(frozen=True, slots=True)
class Considered:
    """A complex, the class it would answer, how much of what it covers has that class, and its quality.

    `counts` are the weights of what it covers, by class, or of the others and the class to be predicted.

    >>> from clearwood.formulas.conditions import Equals
    >>> print(Considered((Equals("tears", "reduced"),), "none", 12.0, 12.0, 13 / 15))
    IF tears = reduced THEN none: 12 of 12, 0.8667
    """

    when: tuple[Condition, ...]
    then: str
    right: float
    covered: float
    quality: float
    counts: tuple[float, ...] = ()

    def __str__(self) -> str:
        conditions = " AND ".join(map(str, self.when))
        return f"IF {conditions} THEN {self.then}: {_of(self.right, self.covered)}, {self.quality:.4f}"

    def to_json(self) -> dict[str, Any]:
        return json_of(self, when=list(map(str, self.when)))


@dataclass(frozen=True, slots=True)
class BeamStep:
    """One level of CN2's search: the complexes kept on the beam, best first, and the best rule so far.

    `before` are the counts of all rows searched, as those of a complex.
    """

    rule: int  # which rule is looked for, from 1; of unordered rules, which of its class
    level: int  # how many conditions were added
    beam: tuple[Considered, ...]
    best: Considered | None
    before: tuple[float, ...] = ()

    def __str__(self) -> str:
        lines = [f"Rule {self.rule}, level {self.level}", f"  best so far: {self.best or 'none'}"]
        return "\n".join([*lines, *(f"  on the beam: {each}" for each in self.beam)])

    def to_json(self) -> dict[str, Any]:
        return json_of(self)


@dataclass(frozen=True, slots=True)
class PrismCandidate:
    """A condition PRISM may add: `right` of the `taken` weight have the class.

    >>> from clearwood.formulas.conditions import Equals
    >>> print(PrismCandidate(Equals("astigmatism", "yes"), 4.0, 12.0))
    astigmatism = yes: 4 of 12
    """

    condition: Condition
    right: float
    taken: float

    def __str__(self) -> str:
        return f"{self.condition}: {_of(self.right, self.taken)}"

    def to_json(self) -> dict[str, Any]:
        return json_of(self, condition=str(self.condition))


@dataclass(frozen=True, slots=True)
class PrismStep:
    """One condition of one of PRISM's rules: all that could be added, and the one that was."""

    then: str
    rule: int  # which rule of the class, from 1
    when: tuple[Condition, ...]  # so far
    candidates: tuple[PrismCandidate, ...]
    chosen: PrismCandidate

    def __str__(self) -> str:
        before = " AND ".join(map(str, self.when)) or "no condition yet"
        lines = [f"Rule {self.rule} for {self.then}, {before}"]
        lines += [f"  {'→' if each == self.chosen else ' '} {each}" for each in self.candidates]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        return json_of(self, when=list(map(str, self.when)))


def _of(part: float, whole: float) -> str:
    return f"{number(part)} of {number(whole)}"


# Steps: how a learner came to its rules, one record after another.


class Record(Protocol):
    """A record with two forms: `str` for readers, plain values for programs."""

    def to_json(self) -> dict[str, Any]: ...


StepT = TypeVar("StepT", bound=Record)


@dataclass(frozen=True, slots=True)
class Steps(Generic[StepT]):
    """The records in the order of what they record; a sequence, printed one after another.

    >>> from clearwood import ILA, datasets, read_table
    >>> table = read_table(datasets.path("objects"), target="Decision")
    >>> rules, steps = ILA(class_order=("Yes",)).learn_with_steps(table)
    >>> len(steps), steps[0].then, list(steps.to_json())
    (6, 'Yes', ['steps'])
    """

    steps: tuple[StepT, ...]

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[StepT]:
        return iter(self.steps)

    @overload
    def __getitem__(self, place: int) -> StepT: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[StepT, ...]: ...
    def __getitem__(self, place: int | slice) -> StepT | tuple[StepT, ...]:
        return self.steps[place]

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps)) or "no step: there was nothing to choose"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`; conditions as they are printed."""
        return json_of(self)
