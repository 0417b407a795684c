"""An Account: what stands behind the answers of a model that adds up, as data: its start and its terms.

A term is about a column, about two, or about the words of a text, and says what a cell adds to each class:

    Places         by the interval or value that a cell is, or two cells are
    Slope          the number times a weight
    PerCount       the number, if it is above 0, times a log
    Presence       one log where the number is above 0, another elsewhere
    NormalDensity  the log of a normal density
    KernelDensity  the log of a kernel density
    ByWord         that of each known word

Programs, evidence, pages, nomograms, scorecards and tables are made of it. All arrays end in [class]; of a
model of numbers that is the number.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from clearwood.arrays import Floats
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Above, Below, IsMissing
from clearwood.models.program.program import ProgramStep
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.text import TextReading


@dataclass(frozen=True, slots=True)
class ColumnPlaces:
    """A column by its places: the intervals between `cuts` (low < x ≤ high), or its `values`; then a missing
    cell, then, `with_unseen`, an unseen value."""

    name: str
    cuts: tuple[float, ...]
    values: tuple[str, ...] | None  # None: of a number
    with_unseen: bool = True

    @property
    def known(self) -> int:
        """How many intervals or values there are."""
        return len(self.cuts) + 1 if self.values is None else len(self.values)

    @property
    def places(self) -> int:
        """How many there are with missing and unseen."""
        return self.known + 1 + self.with_unseen

    def place(self, cell: Any) -> int:
        """Where a cell is, its value as the schema spells it."""
        if cell is None or cell != cell:
            return self.known
        if self.values is None:
            return bisect_left(self.cuts, float(cell))
        return self.values.index(cell) if cell in self.values else self.known + 1

    @property
    def expression(self) -> f.Expression:
        """The place as a formula of the cell."""
        if self.values is None:
            return f.PlaceOfNumber(self.name, self.cuts, missing=self.known)
        return f.PlaceOfValue(self.name, self.values, missing=self.known, unseen=self.known + 1)


def side_of(schema: Schema, name: str, cuts: tuple[float, ...] = ()) -> ColumnPlaces:
    """A column between these cuts, or by its values."""
    attribute = schema[name]
    return ColumnPlaces(name, cuts, attribute.values if isinstance(attribute, Nominal | Ordinal) else None)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """What the place of a cell adds; of two sides the places of the second within each of the first.

    Of Bayes tables `sizes` is N + m: where P is 0, its limit for ever less smoothing goes as 1/sizes.
    """

    sides: tuple[ColumnPlaces, ...]
    added: Floats  # [place, class]
    sizes: Floats | None = None  # [class]

    @property
    def name(self) -> str:
        """Its column, or both."""
        return " × ".join(side.name for side in self.sides)

    def place(self, row: Mapping[str, Any]) -> int:
        """Where the cells of a row are."""
        place = 0
        for side in self.sides:
            place = place * side.places + side.place(row.get(side.name))
        return place


@dataclass(frozen=True, slots=True, eq=False)
class Slope:
    """x · weights; an empty cell is taken for `usual`, and adds `gap` beside. With `reach` it is rounded,
    halves upwards, and numbers beyond `reach` either way count as that."""

    name: str
    weights: Floats  # [class]
    usual: float
    gap: Floats
    reach: float | None = None

    @property
    def missing(self) -> Floats:
        """What an empty cell adds."""
        return self.weights * self.usual + self.gap


@dataclass(frozen=True, slots=True, eq=False)
class PerCount:
    """x · logs, for a column that counts; nothing for 0, or for what is below."""

    name: str
    logs: Floats  # [class]
    sizes: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Presence:
    """One log where x > 0, another where it is 0."""

    name: str
    present: Floats  # [class]
    absent: Floats
    sizes: Floats


@dataclass(frozen=True, slots=True, eq=False)
class NormalDensity:
    """The log density `constants − (x − means)² · precisions`; precisions are 1/2σ²."""

    name: str
    constants: Floats  # [class]
    means: Floats
    precisions: Floats


@dataclass(frozen=True, slots=True, eq=False)
class KernelDensity:
    """The log of a sum of bell curves: by class its points, the logs of their shares, and their width."""

    name: str
    points: tuple[Floats, ...]
    shares: tuple[Floats, ...]
    widths: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ByWord:
    """A text's log for each class: `base` and that of each word it holds, every time or `once`.

    Words outside the vocabulary say nothing, as in scikit-learn; a missing text says nothing at all.
    """

    name: str
    words: tuple[str, ...]
    logs: Floats  # [word, class]
    base: Floats  # [class]
    once: bool
    reading: TextReading


AccountTerm: TypeAlias = Places | Slope | PerCount | Presence | NormalDensity | KernelDensity | ByWord


@dataclass(frozen=True, slots=True, eq=False)
class Account:
    """`start` stands before any cell, and each of the `terms` adds to it.

    `scored` are the classes that have a score of their own, in the model's order: a class that the others are
    compared with has 0. `averages` is what each column of a linear model adds on average over the training
    rows, and `tried` by column the cells among which its best row is looked for. `of_card`: columns without
    points are left out.
    """

    start: Floats  # [class]
    terms: tuple[AccountTerm, ...]
    scored: tuple[int, ...]
    averages: Mapping[str, Floats] | None = None
    tried: Mapping[str, Sequence[str | float]] | None = None
    of_card: bool = False

    @property
    def places(self) -> list[Places]:
        """The terms, of a model that has no others."""
        return [term for term in self.terms if isinstance(term, Places)]


# The terms as formulas: the place of each cell as a step, and what is added for it.


def added_steps(
    account: Account, *, called: str = "place", about: str = "of"
) -> tuple[list[ProgramStep], list[tuple[f.Expression, ...]]]:
    """The steps of places, and [score] what is added up, its start first. Tables of a card are counted
    apart."""
    steps: list[ProgramStep] = []
    places: dict[ColumnPlaces, str] = {}
    scored = list(account.scored)
    added: list[list[f.Expression]] = [[f.Number(each)] for each in account.start[scored].tolist()]
    singles = sum(not isinstance(term, Places) or len(term.sides) == 1 for term in account.terms)
    for number, term in enumerate(account.terms, 1):
        if isinstance(term, Slope):
            for own, c in zip(added, scored, strict=True):
                own.append(_of_slope(term, c))
            continue
        assert isinstance(term, Places), "a density or a word adds up in Bayes tables alone"
        for side in term.sides:
            if side not in places:
                places[side] = f"{called}_{number if len(term.sides) == 1 else len(places) + 1}"
                steps.append(ProgramStep(places[side], side.expression, f"{about} {side.name}", whole=True))
        first, *second = term.sides
        at = places[first]
        for across in second:
            cell = f.Sum((f.Earlier(at) * float(across.places), f.Earlier(places[across])))
            at = f"pair_{number - singles * account.of_card}"
            steps.append(ProgramStep(at, cell, f"of {term.name}", whole=True))
        if second or not account.of_card or term.added.any():
            for own, points in zip(added, term.added[:, scored].T.tolist(), strict=True):
                own.append(f.Lookup(tuple(points), at))
    return steps, [tuple(own) for own in added]


def _of_slope(term: Slope, c: int) -> f.Expression:
    """Its weight times its cell; where it is rounded, no more than that of the largest number counted."""
    weight = float(term.weights[c])
    cases = [f.ChoiceCase(f.Holds(IsMissing(term.name)), f.Number(float(term.missing[c])))]
    known: f.Expression = weight * f.CellNumber(term.name) if term.weights.any() else f.ZERO
    if term.reach is not None:
        if math.isfinite(term.reach):
            for beyond in (Above(term.name, term.reach), Below(term.name, -term.reach)):
                most = float(math.floor(beyond.limit * weight + 0.5))
                cases.append(f.ChoiceCase(f.Holds(beyond), f.Number(most)))
        known = f.Floor(f.Sum((f.Product((f.Number(weight), f.CellNumber(term.name))), f.Number(0.5))))
    return f.Choose(tuple(cases), known)
