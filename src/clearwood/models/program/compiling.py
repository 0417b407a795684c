"""A program compiled for rows that come one at a time: a Python function, written from its formulas once.

What it gives is what `evaluating.py` defines. Its text holds numbers and the places of columns and steps
alone: names, values and whatever else a file brings lie beside it, as `k0`, `k1`, …
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from operator import add, mul
from typing import Any, Final, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Condition, bounds_of, takes_missing, values_of
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.table.attributes import Attribute, Nominal, Ordinal
from clearwood.table.text import TextReading, words_of

CompiledRow: TypeAlias = Callable[[Sequence[Any]], tuple[Any, list[float]]]

NEVER_MET: Final = object()  # the cell of a value that the schema does not list
_LARGEST_POWER: Final = 709.78  # of e that a float holds
_IN_THE_OPEN: Final = 50  # terms of a sum: Python's compiler calls itself for each


def compiled(
    program: ModelProgram, inputs: Sequence[Attribute], exp: Callable[[float], Any] = np.exp
) -> CompiledRow:
    """From a row's cells, by the inputs, to the answer (a class by its place, −1: none, or a number) and the
    shares. `exp` is NumPy's where it answers many rows: the C library's may differ in the last digit.

    A value that is spelled otherwise than in the schema is a KeyError.

    >>> from clearwood.models.program.program import ProgramStep
    >>> from clearwood.table.attributes import Numeric
    >>> twice = ProgramStep("number", f.Product((f.Number(2.0), f.CellNumber("x"))))
    >>> compiled(ModelProgram((Numeric("x"),), (twice,), "number"), (Numeric("x"),))([21.0])
    (42.0, [])
    """
    writer = _Writer(inputs)
    steps = [writer.step(step) for step in program.steps]
    cells = [f"{name} = cells[{name[1:]}]" for name in sorted(writer.cells_read)]
    conditions = [f"{name} = {text}" for name, text in writer.conditions.values()]
    shares = ", ".join(writer.steps[name] for name in program.shares)
    result = f"return {writer.steps[program.answer]}, [{shares}]"
    known: dict[str, Any] = {
        **{f"k{place}": value for place, value in enumerate(writer.beside)},
        "exp": lambda power: math.inf if power > _LARGEST_POWER else float(exp(power)),
        "log": math.log,
        "floor": math.floor,
        "bisect_left": bisect_left,
        "log_of_bells": _log_of_bells,
        "total": lambda *terms: reduce(add, terms),
        "product": lambda *factors: reduce(mul, factors),
        "inf": math.inf,
        "nan": math.nan,
    }
    exec("\n ".join(["def run(cells):", *cells, *conditions, *steps, result]), known)
    run: CompiledRow = known["run"]
    return run


class _Writer:
    """The text of formulas: `c3` is the cell of the column in this place, `s3` a step, and `t3` a condition,
    which many rules share."""

    def __init__(self, inputs: Sequence[Attribute]) -> None:
        self.steps: dict[str, str] = {}
        self.cells_read: set[str] = set()
        self.conditions: dict[Condition, tuple[str, str]] = {}
        self.beside: list[Any] = []
        self._columns = {each.name: (f"c{place}", each) for place, each in enumerate(inputs)}
        self._codes: dict[str, str] = {}
        self._words: dict[Any, str] = {}

    def step(self, step: ProgramStep) -> str:
        """The line of a step."""
        value = self.formula(step.value, int if step.whole else float)
        name = self.steps[step.name] = f"s{len(self.steps)}"
        return f"{name} = {value}" if step.when is None else f"if {self.test(step.when)}: {name} = {value}"

    def formula(self, formula: f.Expression, kind: type[int] | type[float] = float) -> str:
        """The formula; the numbers of a step that comes to places are of the `kind` int."""
        formula = f.of_program(formula)
        match formula:
            case f.Number(value):
                return f"({kind(value)!r})"
            case f.CellNumber(name):
                return self._cell(name)
            case f.Earlier(step):
                return self.steps[step]
            case f.Sum(terms):
                return self._folded("+", "total", terms, kind)
            case f.Product(factors):
                return self._folded("*", "product", factors, kind)
            case f.Quotient(over, under):
                return f"({self.formula(over)} / {self.formula(under)})"
            case f.Negative(of):
                return f"(-{self.formula(of, kind)})"
            case f.Exp(of) | f.Log(of) | f.Absolute(of) | f.Floor(of):
                function = {f.Exp: "exp", f.Log: "log", f.Absolute: "abs", f.Floor: "floor"}[type(formula)]
                return f"{function}({self.formula(of)})"
            case f.Extreme(_, of):
                return f"max([{', '.join(self.formula(each, kind) for each in of)}])"
            case f.Choose(cases, otherwise):
                tried = "".join(
                    f"{self.formula(case.then, kind)} if {self.test(case.when)} else " for case in cases
                )
                return f"({tried}{self.formula(otherwise, kind)})"
            case f.Lookup(values, at):
                return f"{self._beside(tuple(map(kind, values)))}[{self.steps[at]}]"
            case f.PlaceOfValue(name, values, missing, unseen):
                return f"{self._beside(_by_value(values, missing, unseen))}[{self._cell(name)}]"
            case f.PlaceOfNumber(name, cuts, missing):
                cell = self._cell(name)
                return f"({missing} if {_is_missing(cell)} else bisect_left({self._beside(cuts)}, {cell}))"
            case f.LogOfBells(name, points, log_shares, width):
                arrays = self._beside(np.array(points)), self._beside(np.array(log_shares))
                return f"log_of_bells({self._cell(name)}, {', '.join(arrays)}, {width!r})"
            case f.LogOfWords(name, words, logs, base, once, reading):
                key = words, once, reading
                if key not in self._words:  # they are the same for all classes
                    self._words[key] = self._beside(_places_of_words(*key))
                added = f"[{self._beside(logs)}[place] for place in {self._words[key]}({self._cell(name)})]"
                return f"total({base!r}, *{added})"
            case _:
                assert_never(formula)

    def test(self, test: f.StepTest) -> str:
        """The test, in brackets."""
        match test:
            case f.Holds(condition):
                if condition not in self.conditions:
                    self.conditions[condition] = f"t{len(self.conditions)}", self._condition(condition)
                return self.conditions[condition][0]
            case f.Compared(left, sign, right):
                sign_text = "==" if sign == "=" else f.ASCII_SIGNS[sign]
                return f"({self.formula(left)} {sign_text} {self.formula(right)})"
            case f.AllOf(tests):
                return f"({' and '.join(map(self.test, tests)) or True})"
            case f.AnyOf(tests):
                return f"({' or '.join(map(self.test, tests)) or False})"
            case _:
                assert_never(test)

    def _condition(self, condition: Condition) -> str:
        cell, attribute = self._cell(condition.name), self._columns[condition.name][1]
        missing = takes_missing(condition)
        if isinstance(attribute, Nominal | Ordinal):
            if condition.name not in self._codes:
                codes = _by_value(attribute.values, -1, -2)
                self._codes[condition.name] = self._beside(codes)
            places = {attribute.values.index(value) for value in values_of(condition)}
            held = self._beside(frozenset(places | {-1} if missing else places))
            return f"{self._codes[condition.name]}[{cell}] in {held}"
        low, high = bounds_of(condition)
        if low > high:  # no number satisfies it; of a text it is asked, too
            return _is_missing(cell) if missing else "False"
        if missing:
            return f"{_is_missing(cell)} or {low!r} < {cell} <= {high!r}"
        return f"{cell} is not None and {low!r} < {cell} <= {high!r}"

    def _folded(self, sign: str, function: str, parts: Sequence[f.Expression], kind: Any) -> str:
        texts = [self.formula(each, kind) for each in parts]
        if len(texts) > _IN_THE_OPEN:
            return f"{function}({', '.join(texts)})"
        return f"({f' {sign} '.join(texts)})"

    def _cell(self, name: str) -> str:
        cell = self._columns[name][0]
        self.cells_read.add(cell)
        return cell

    def _beside(self, value: Any) -> str:
        self.beside.append(value)
        return f"k{len(self.beside) - 1}"


def _is_missing(cell: str) -> str:
    return f"({cell} is None or {cell} != {cell})"


def _by_value(values: Sequence[str], missing: int, unseen: int) -> dict[Any, int]:
    places: dict[Any, int] = {value: place for place, value in enumerate(values)}
    return places | {None: missing, NEVER_MET: unseen}


def _log_of_bells(number: float, points: Floats, log_shares: Floats, width: float) -> float:
    away = (number - points) / width
    heights = log_shares - 0.5 * away * away
    most: float = heights.max()
    if most == -math.inf:
        return most
    return float(most + np.log(np.exp(heights - most).sum()) - np.log(width * np.sqrt(2 * np.pi)))


def _places_of_words(words: Sequence[str], once: bool, reading: TextReading) -> Callable[[object], list[int]]:
    """From a text to the places of those of its words that are listed; for all classes they are read once."""
    places = {word: place for place, word in enumerate(words)}

    @lru_cache(maxsize=4)
    def read(text: object) -> list[int]:
        met = words_of(str(text), reading)
        return [places[word] for word in (dict.fromkeys(met) if once else met) if word in places]

    return read
