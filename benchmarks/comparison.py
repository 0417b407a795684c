"""A comparison: contestants that do the same work, and the goals we set ourselves beside them.

    Comparison    a name, a sentence, how to set the contestants up, and the goals
    Contestant    a name and the work; what it takes is measured outside, unless the work returns `Measured`
    Goal          a number made of the contestants' medians, and where it should lie

A contestant whose library is absent is `Absent`, one that cannot be had is `Quoted`: both are shown as
what they are, and a goal that needs them is not judged (Absent) or marked as judged by a quoted figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

Medians: TypeAlias = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Measured:
    """What a contestant measured itself, in the comparison's unit, with a word on the result."""

    value: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Contestant:
    """The work of one run; `describe` turns the last run's result into a word, such as its leaves."""

    name: str
    run: Callable[[], Any]
    describe: Callable[[Any], str] = lambda _: ""


@dataclass(frozen=True, slots=True)
class Absent:
    """A peer that is not installed here."""

    name: str
    because: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """A figure taken from elsewhere, on a machine of this kind; not measured in this run."""

    name: str
    value: float
    source: str


Entrant: TypeAlias = Contestant | Absent | Quoted


@dataclass(frozen=True, slots=True)
class Goal:
    """`value` of the medians should be at least, or at most, `asked`."""

    text: str
    value: Callable[[Medians], float]
    asked: float
    at_least: bool = True

    def met(self, value: float) -> bool:
        return value >= self.asked if self.at_least else value <= self.asked


@dataclass(frozen=True, slots=True)
class Size:
    """How large the tables are: 1 for the sizes of the goals, less for a quick look."""

    share: float = 1.0

    def rows(self, full: int) -> int:
        return max(int(full * self.share), 200)


@dataclass(frozen=True, slots=True)
class Comparison:
    name: str
    sentence: str
    enter: Callable[[Size], Sequence[Entrant]]
    goals: tuple[Goal, ...]
    unit: str = "s"


OURS = "clearwood"


def faster(peer: str, times: float, ours: str = OURS) -> Goal:
    """The peer takes at least `times` as long as we do."""
    return Goal(f"{times:g} × as fast as {peer}", lambda medians: medians[peer] / medians[ours], times)


def at_most(limit: float, ours: str = OURS, unit: str = "") -> Goal:
    return Goal(
        f"{ours}: at most {limit:g} {unit}".rstrip(), lambda medians: medians[ours], limit, at_least=False
    )


def no_slower_than_own(base: str, variant: str, times: float) -> Goal:
    """Our own time on a harder table beside our time on the plain one."""
    text = f"{variant}: at most {times:g} × {base}"
    return Goal(text, lambda medians: medians[variant] / medians[base], times, at_least=False)


def entrant(
    name: str, library: str, run: Callable[[], Any], describe: Callable[[Any], str] = lambda _: ""
) -> Entrant:
    """A contestant if its library can be imported, else its absence; the import itself is nobody's time."""
    try:
        import_module(library)
    except ImportError:
        return Absent(name, f"{library.split('.')[0]} is not installed")
    return Contestant(name, run, describe)


def or_none(learn: Callable[[], Any]) -> Any:
    """The peer's model, or None where it is not installed (`entrant` then says so)."""
    try:
        return learn()
    except ImportError:
        return None
