"""Steps: how a learner came to its rules, one record after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, overload


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
        return {"steps": [step.to_json() for step in self.steps]}
