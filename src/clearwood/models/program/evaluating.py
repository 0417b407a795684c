"""A program worked out for one row: the definition that every language it is written in must equal."""

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add, mul
from typing import assert_never

from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import holds
from clearwood.models.program.program import ModelProgram
from clearwood.table.raw import Row, cell_number
from clearwood.table.text import words_of


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What a program gives a row: its class or number, the shares by class, the place of its region, and the
    sum of its points."""

    answer: str | float | None
    shares: tuple[float, ...]
    region: int | None
    points: float | None = None


def evaluated(program: ModelProgram, row: Row) -> Evaluated:
    """What the program gives this row.

    >>> from clearwood.models.program.program import ProgramStep
    >>> half = ProgramStep("number", f.Quotient(f.Number(1.0), f.Number(2.0)))
    >>> evaluated(ModelProgram((), (half,), "number"), {}).answer
    0.5
    """
    known: dict[str, float] = {}
    for step in program.steps:
        if step.when is None or test_holds(step.when, row, known):
            known[step.name] = formula_value(step.value, row, known)
    answer = known[program.answer]
    named: str | float | None
    if program.classes:
        named = None if answer < 0 else program.classes[int(answer)]
    else:
        named = None if math.isnan(answer) else answer
    region = None if program.region is None else int(known[program.region])
    points = None if program.points is None else known[program.points]
    return Evaluated(named, tuple(known[each] for each in program.shares), region, points)


def formula_value(formula: f.Expression, row: Row, known: Mapping[str, float]) -> float:
    """The number that a formula comes to, given the row and the steps before."""
    formula = f.of_program(formula)
    match formula:
        case f.Number(value):
            return float(value)
        case f.CellNumber(name):
            cell = row[name]
            assert cell is not None
            return float(cell)
        case f.Earlier(step):
            return known[step]
        case f.Sum(terms):
            return reduce(add, (formula_value(each, row, known) for each in terms))
        case f.Negative(of):
            return -formula_value(of, row, known)
        case f.Product(factors):
            return reduce(mul, (formula_value(each, row, known) for each in factors))
        case f.Quotient(over, under):
            return formula_value(over, row, known) / formula_value(under, row, known)
        case f.Exp(of):
            power = formula_value(of, row, known)
            return math.exp(power) if power < 710 else math.inf
        case f.Log(of):
            return math.log(formula_value(of, row, known))
        case f.Absolute(of):
            return abs(formula_value(of, row, known))
        case f.Floor(of):
            return float(math.floor(formula_value(of, row, known)))
        case f.Extreme(_, of):
            return max(formula_value(each, row, known) for each in of)
        case f.Choose(cases, otherwise):
            for case in cases:
                if test_holds(case.when, row, known):
                    return formula_value(case.then, row, known)
            return formula_value(otherwise, row, known)
        case f.Lookup(values, at):
            return values[int(known[at])]
        case f.PlaceOfValue(name, values, missing, unseen):
            cell = row.get(name)
            if cell is None:
                return missing
            return values.index(str(cell)) if cell in values else unseen
        case f.PlaceOfNumber(name, cuts, missing):
            number = cell_number(row.get(name))
            return missing if number is None else bisect_left(cuts, number)
        case f.LogOfBells(name, points, log_shares, width):
            cell = row[name]
            assert cell is not None
            away = [(float(cell) - point) / width for point in points]
            heights = [share - 0.5 * each * each for share, each in zip(log_shares, away, strict=True)]
            most = max(heights)
            if most == -math.inf:
                return -math.inf
            return (
                most
                + math.log(sum(math.exp(each - most) for each in heights))
                - math.log(width * math.sqrt(2 * math.pi))
            )
        case f.LogOfWords(name, words, logs, base, once, reading):
            met = words_of(str(row[name]), reading)
            by_word = dict(zip(words, logs, strict=True))
            held = [by_word[word] for word in (dict.fromkeys(met) if once else met) if word in by_word]
            return reduce(add, held, base)
        case _:
            assert_never(formula)


def test_holds(test: f.StepTest, row: Row, known: Mapping[str, float]) -> bool:
    """Does a test hold, given the row and the steps before?"""
    match test:
        case f.Holds(condition):
            return holds(condition, row.get(condition.name))
        case f.Compared(left, sign, right):
            one, two = formula_value(left, row, known), formula_value(right, row, known)
            return f.compares(one, two, sign)
        case f.AllOf(tests):
            return all(test_holds(each, row, known) for each in tests)
        case f.AnyOf(tests):
            return any(test_holds(each, row, known) for each in tests)
        case _:
            assert_never(test)
