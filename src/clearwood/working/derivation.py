"""A Derivation: how a model, or one answer of it, came about, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

from clearwood import shown
from clearwood.working.figures import Figure, Grid, Rows
from clearwood.working.outcomes import Outcome


class ForIntervals(str):
    """Something given that nothing but intervals is worked out with."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What was computed at one place, and what was decided by it: in a sentence, and as data.

    `chapter` is what the steps around it are about: growing, pruning, answering. `on_sheet` is its title on a
    worksheet where the title gives an answer away. `node` is the place in the
    model's tree where the step ended, None where there is none (any more). A worksheet leaves out decisions.
    `searches`: it chooses among candidates, as those of its chapter before and after it do. `alone`: later
    chapters name what its own asks, or it names what earlier ones ask, so that it needs a sheet of its own.
    """

    chapter: str
    title: str
    figures: tuple[Figure, ...]
    decision: str
    outcome: Outcome | None = None
    rows: Rows | None = None
    node: int | None = None
    on_sheet: str = ""
    searches: bool = False
    alone: bool = False

    def walk(self) -> Iterator[Figure]:
        """Every figure of the step, each before those under it."""
        for each in self.figures:
            yield from each.walk()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Derivation:
    """Steps in the order in which one computes by hand; each may be computed only when it is read.

    `given` are the settings that formulas use, `table` the rows that all was counted from, where they are
    few: a worksheet gives both. A slice is a derivation too.

    `print` shows a line for each figure, a notebook all of the work; `write_derivation` writes either.
    """

    title: str
    steps: Sequence[Step]
    given: tuple[str, ...] = ()
    table: Grid | None = None

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    @overload
    def __getitem__(self, place: int) -> Step: ...
    @overload
    def __getitem__(self, place: slice) -> Derivation: ...
    def __getitem__(self, place: int | slice) -> Step | Derivation:
        """A step, or for a slice the derivation of these steps, with the same title and settings."""
        return replace(self, steps=self.steps[place]) if isinstance(place, slice) else self.steps[place]

    def figure(self, name: str) -> Figure:
        """The first figure of this name, else the first that a row of a grid stands for."""
        from clearwood.errors import SettingError, no_such

        names: dict[str, None] = {}
        for step in self:
            for each in step.walk():
                if each.name == name:
                    return each
                names[each.name] = None
        for step in self:
            for figure in step.walk():
                for each in figure.in_grids():
                    if each.name == name:
                        return each
                    names[each.name] = None
        raise SettingError(no_such("figure", name, tuple(names)))

    def __repr__(self) -> str:
        return f"<Derivation: {self.title}, {len(self):,} step{'' if len(self) == 1 else 's'}>"

    def __str__(self) -> str:
        return shown.text(self)

    def _repr_html_(self) -> str:
        return shown.html(self)

    def _repr_markdown_(self) -> str:
        return shown.markdown(self)

    def _repr_latex_(self) -> str:
        return shown.latex(self)
