"""A Derivation: how a model, or one answer of it, came about, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, overload

from clearwood import shown
from clearwood.formulas.conditions import Condition
from clearwood.models.kinds.rules.rule_list import Rule
from clearwood.models.kinds.tree.tree import Surrogate
from clearwood.records import dataclass
from clearwood.shown import ShowsItself
from clearwood.working.figures import Figure, Grid, Rows


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
class Derivation(ShowsItself):
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

    def _repr_markdown_(self) -> str:
        return shown.markdown(self)

    def _repr_latex_(self) -> str:
        return shown.latex(self)


# Outcomes: what a step of a derivation decided, as data from which the model can be put together again.


@dataclass(frozen=True, slots=True)
class BecameSplit:
    """A node became a split: its branches in order, their shares, and the scores that decided.

    `counts` are the node's own; `surrogates` and `otherwise` say where a row goes that no branch takes.
    """

    branches: tuple[Condition, ...]
    shares: tuple[float, ...]
    scores: tuple[tuple[str, float], ...]
    counts: tuple[float, ...] = ()
    surrogates: tuple[Surrogate, ...] = ()
    otherwise: int | None = None


@dataclass(frozen=True, slots=True)
class Stopped:
    """A node stayed a leaf, with these counts."""

    counts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A split, a rule or a condition was looked at again, and stayed.

    `place` here and below is a split's number in the tree as it was before the pruning.
    """

    place: int | None = None


@dataclass(frozen=True, slots=True)
class BecameLeaf:
    """A split became a leaf."""

    place: int | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """A split gave way to its branch of this number, from 0."""

    branch: int
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """A rule was added at the end of the list."""

    rule: Rule


@dataclass(frozen=True, slots=True)
class Became:
    """A rule became another, or went (None)."""

    before: Rule
    after: Rule | None


@dataclass(frozen=True, slots=True)
class Ordered:
    """The rules were put in this order."""

    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Defaulted:
    """The default answer became this; None for no answer."""

    answer: str | float | None


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer was given: a class, a number, or nothing."""

    answer: str | float | None


Outcome: TypeAlias = (
    BecameSplit | Stopped | Kept | BecameLeaf | Raised | Taken | Became | Ordered | Defaulted | Answered
)


# Which rows of a long grid are shown: those around the chosen one.


MOST_ROWS: Final = 12  # unless set otherwise


def shown_rows(rows: int, chosen: int | None, most: int | None) -> range:
    """At most so many rows next to each other, with the chosen one among them; all of them for None.

    >>> shown_rows(5, None, 12), shown_rows(50, None, 12), shown_rows(50, 20, 12), shown_rows(50, 49, 12)
    (range(0, 5), range(0, 12), range(14, 26), range(38, 50))
    """
    if most is None or rows <= most:
        return range(rows)
    first = 0 if chosen is None else min(max(chosen - most // 2, 0), rows - most)
    return range(first, first + most)
