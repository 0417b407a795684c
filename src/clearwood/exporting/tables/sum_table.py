"""A SumTable: lines with points or weights that a person adds up, of a scorecard or of a model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.explaining.curve_groups import AnotherValue, CellWords
from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import program_of_card
from clearwood.exporting.tables.sum_reading import AddsUp, SumReading, reading_of
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Equals, IsMissing, interval
from clearwood.models.kinds.additive.additive_program import program_of_additive
from clearwood.models.kinds.ensemble.ensemble import score_name
from clearwood.models.kinds.linear.linear_program import program_of_linear
from clearwood.models.model import AdditiveModel, LinearModel
from clearwood.models.program.program import ModelProgram
from clearwood.table.schema import Schema

MOST_LINES: Final = 5000  # more of them nobody reads


@dataclass(frozen=True, slots=True)
class EachUnit:
    """Every unit of a number counts."""

    name: str


SumCell: TypeAlias = CellWords | EachUnit


@dataclass(frozen=True, slots=True)
class SumRow:
    """What a row adds to each sum where its cell, or two cells together, are as said."""

    cells: tuple[SumCell, ...]
    amounts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SumTable:
    """What each sum begins with, the lines, and how the sums are to be read; `names` are those of the sums.
    `rounded`: what units of a number come to is a whole number, halves upwards."""

    schema: Schema
    names: tuple[str, ...]
    start: tuple[float, ...]
    rows: tuple[SumRow, ...]
    reading: SumReading

    @property
    def rounded(self) -> bool:
        """Are points of units rounded?"""
        return self.reading.link == "points"

    @property
    def has_pairs(self) -> bool:
        """Are there lines of two columns?"""
        return any(len(row.cells) == 2 for row in self.rows)


def sum_table(of: AddsUp) -> SumTable:
    """The table of a scorecard, of a linear or of an additive model.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> made = sum_table(cw.scorecard(cw.Logistic(penalty="l2").learn(table)))
    >>> made.start, [(str(row.cells[0]), row.amounts) for row in made.rows[:2]]
    ((-25.0,), [('Outlook = Overcast', (39.0,)), ('Outlook = Rainy', (14.0,))])
    """
    program, steps, names = _program(of)
    formulas = {step.name: step.value for step in program.steps}
    sums = [_terms(formulas[step]) for step in steps]
    start = tuple(_constant(terms[0]) for terms in sums)
    rows = [
        row
        for of_each in zip(*(terms[1:] for terms in sums), strict=True)
        for row in _rows(of_each, formulas)
    ]
    return SumTable(of.schema, names, start, tuple(rows), reading_of(of))


def _program(of: AddsUp) -> tuple[ModelProgram, tuple[str, ...], tuple[str, ...]]:
    """The program, its steps that are sums, and what these are called."""
    match of:
        case Scorecard():
            return program_of_card(of), ("points",), ("points",)
        case LinearModel():
            steps = tuple(f"score_{c}" for c in range(1, len(of.contrasts) + 1))
            return program_of_linear(of), steps, tuple(f"log odds of {each}" for each in of.contrasts)
        case AdditiveModel():
            scores = range(len(of.base))
            names = tuple(score_name(of.schema, of.link, score) for score in scores)
            return program_of_additive(of), tuple(f"score_{score + 1}" for score in scores), names
        case _:
            assert_never(of)


def _terms(formula: f.Expression) -> tuple[f.Expression, ...]:
    return formula.terms if isinstance(formula, f.Sum) else (formula,)


def _constant(formula: f.Expression) -> float:
    assert isinstance(formula, f.Number)
    return float(formula.value)


def _rows(terms: Sequence[f.Expression], formulas: dict[str, f.Expression]) -> Iterator[SumRow]:
    """The lines of what a column, or a pair, adds to each sum."""
    first = terms[0]
    if isinstance(first, f.Lookup):
        lists = [each.values for each in terms if isinstance(each, f.Lookup)]
        yield from _looked_up(formulas[first.at], lists, formulas)
        return
    per_unit, missing, name = [], [], ""
    for each in terms:
        assert isinstance(each, f.Choose)
        assert isinstance(each.cases[0].when, f.Holds)
        name = each.cases[0].when.condition.name
        missing.append(_constant(each.cases[0].then))
        per_unit.append(_weight(each.otherwise))
    yield SumRow((EachUnit(name),), tuple(per_unit))
    yield SumRow((IsMissing(name),), tuple(missing))


def _weight(formula: f.Expression) -> float:
    """What a number is multiplied by."""
    match formula:
        case f.Floor(f.Sum((product, *_))):
            return _weight(product)
        case f.Product((f.Number(weight), f.CellNumber())):
            return float(weight)
        case _:
            return _constant(formula)  # 0: it counts only as missing


def _looked_up(
    place: f.Expression, lists: Sequence[Sequence[float]], formulas: dict[str, f.Expression]
) -> Iterator[SumRow]:
    match place:
        case f.Sum((f.Product((f.Earlier(down), f.Number(wide))), f.Earlier(across))):
            table = np.array(lists).reshape(len(lists), -1, int(wide))  # [sum, first, second]
            seconds = _joined(formulas[across], table.transpose(2, 0, 1))
            for at, one in _joined(formulas[down], table.transpose(1, 0, 2)):
                for beside, other in seconds:
                    amounts = tuple(table[:, at, beside].tolist())
                    if any(amounts):
                        yield SumRow((one, other), amounts)
        case _:
            single = np.array(lists).T  # [cell, sum]
            for at, cell in _joined(place, single):
                yield SumRow((cell,), tuple(single[at].tolist()))


def _joined(place: f.Expression, added: Floats) -> list[tuple[int, CellWords]]:
    """The cells that a place stands for, each with its place; neighbouring intervals that add the same by
    `added` [cell, ·] are one."""
    match place:
        case f.PlaceOfValue(name, values, missing, unseen):
            known = [(at, Equals(name, value)) for at, value in enumerate(values)]
            return [*known, (missing, IsMissing(name)), (unseen, AnotherValue(name))]
        case f.PlaceOfNumber(name, cuts, missing):
            ends = (-inf, *cuts, inf)
            firsts = [at for at in range(len(cuts) + 1) if not at or (added[at] != added[at - 1]).any()]
            spans = pairwise([*firsts, len(cuts) + 1])
            return [
                *((first, interval(name, ends[first], ends[after])) for first, after in spans),
                (missing, IsMissing(name)),
            ]
        case _:
            raise AssertionError("a place is that of a value or of a number")
