"""A program as operations on whole columns: every step a column of doubles, every test a column of truths.

A graph works out both sides of a choice and takes one of them: what comes of an empty cell on the other side
is NaN, and is left behind.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, assert_never

import numpy as np

from clearwood.exporting.onnx.graph import ML, OnnxGraph
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Condition, OnNumbers, comparisons, takes_missing, values_of

DOUBLE: Final = 11  # how ONNX numbers its kinds of tensors
FLOAT: Final = 1
INT64: Final = 7
_OF_ONE_NUMBER: Final = {f.Exp: "Exp", f.Log: "Log", f.Absolute: "Abs", f.Floor: "Floor"}
_SIGNS: Final[Mapping[str, str]] = {
    "<": "Less",
    "<=": "LessOrEqual",
    "=": "Equal",
    ">=": "GreaterOrEqual",
    ">": "Greater",
}


@dataclass(slots=True)
class ColumnFormulas:
    """Writes formulas into a graph.

    `cells` are the numeric columns, by the names of the inputs; `codes` those of texts, as places among
    `values`, then a place for any other text, then one for a missing cell.
    """

    graph: OnnxGraph
    cells: dict[str, str] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    steps: dict[str, str] = field(default_factory=dict)

    def read_texts(self, name: str, tensor: str, values: tuple[str, ...], missing: str) -> None:
        """Let a column of texts be asked for."""
        self.values[name] = values
        settings = {
            "keys_strings": [*values, missing],
            "values_int64s": [*range(len(values)), len(values) + 1],
            "default_int64": len(values),
        }
        self.codes[name] = self.graph.operation("LabelEncoder", (tensor,), settings, domain=ML)

    def formula(self, formula: f.Expression) -> str:
        """The numeric column that a formula comes to."""
        graph = self.graph
        formula = f.of_program(formula)
        match formula:
            case f.Number(value):
                return self._number(float(value))
            case f.CellNumber(name):
                return self.cells[name]
            case f.Earlier(step):
                return self.steps[step]
            case f.Sum(terms):
                first, *others = terms
                total = self.formula(first)
                for term in others:
                    match term:
                        case f.Negative(of):
                            total = graph.add("Sub", total, self.formula(of))
                        case _:
                            total = graph.add("Add", total, self.formula(term))
                return total
            case f.Negative(of):
                return graph.add("Neg", self.formula(of))
            case f.Product(factors):
                return self._folded("Mul", [self.formula(each) for each in factors])
            case f.Quotient(over, under):
                return graph.add("Div", self.formula(over), self.formula(under))
            case f.Exp(of) | f.Log(of) | f.Absolute(of) | f.Floor(of):
                return graph.add(_OF_ONE_NUMBER[type(formula)], self.formula(of))
            case f.Extreme(_, of):
                return self._folded("Max", [self.formula(each) for each in of])
            case f.Choose(cases, otherwise):
                chosen = self.formula(otherwise)
                for case in reversed(cases):
                    chosen = graph.add("Where", self.test(case.when), self.formula(case.then), chosen)
                return chosen
            case f.Lookup(values, at):
                place = graph.once("Cast", self.steps[at], to=INT64)
                return graph.add("Gather", graph.constant(np.array(values, np.float64)), place)
            case f.PlaceOfValue(name, values, missing, unseen):
                listed = {value: place for place, value in enumerate(values)}
                places = [listed.get(value, unseen) for value in self.values[name]]
                return self._by_code(name, np.array([*places, unseen, missing], np.float64))
            case f.PlaceOfNumber(name, cuts, missing):
                return self._interval(name, cuts, missing)
            case f.LogOfBells(name, points, log_shares, width):
                return self._bells(name, points, log_shares, width)
            case f.LogOfWords():
                raise AssertionError("a model of texts is refused before")
            case _:
                assert_never(formula)

    def test(self, test: f.StepTest) -> str:
        """The column of truths that a test comes to."""
        match test:
            case f.Holds(condition):
                return self._condition(condition)
            case f.Compared(left, sign, right):
                return self.graph.add(_SIGNS[f.ASCII_SIGNS[sign]], self.formula(left), self.formula(right))
            case f.AllOf(tests) | f.AnyOf(tests):
                every, held = isinstance(test, f.AllOf), [self.test(each) for each in tests]
                return self._folded("And" if every else "Or", held) if held else self._truth(every)
            case _:
                assert_never(test)

    def _condition(self, condition: Condition) -> str:
        name = condition.name
        if name in self.codes:
            met, empty = values_of(condition), takes_missing(condition)
            return self._by_code(name, np.array([*(each in met for each in self.values[name]), False, empty]))
        cell = self.cells[name]
        if not isinstance(condition, OnNumbers):  # no number is a value
            return self._is_missing(cell) if takes_missing(condition) else self._truth(False)
        limits = comparisons(condition)
        tests = [self.graph.once(_SIGNS[sign], cell, self._number(limit)) for sign, limit in limits]
        held = tests[0] if len(tests) == 1 else self.graph.once("And", *tests)
        return self.graph.once("Or", held, self._is_missing(cell)) if condition.or_missing else held

    def _is_missing(self, cell: str) -> str:
        return self.graph.once("IsNaN", cell)

    def _interval(self, name: str, cuts: Sequence[float], missing: int) -> str:
        cell, graph = self.cells[name], self.graph
        below = graph.add("Greater", cell, graph.constant(np.array([cuts], np.float64)))
        counted = graph.add("ReduceSum", graph.add("Cast", below, to=DOUBLE), self._axis(), keepdims=1)
        return graph.add("Where", self._is_missing(cell), self._number(missing), counted)

    def _bells(self, name: str, points: Sequence[float], log_shares: Sequence[float], width: float) -> str:
        graph = self.graph
        centred = graph.add("Sub", self.cells[name], graph.constant(np.array([points], np.float64)))
        away = graph.add("Div", centred, self._number(width))
        fall = graph.add("Mul", graph.add("Mul", self._number(0.5), away), away)
        heights = graph.add("Sub", graph.constant(np.array([log_shares], np.float64)), fall)
        most = graph.add("ReduceMax", heights, axes=[1], keepdims=1)
        raised = graph.add("Exp", graph.add("Sub", heights, most))
        added = graph.add("Log", graph.add("ReduceSum", raised, self._axis(), keepdims=1))
        area = self._number(math.log(width * math.sqrt(2 * math.pi)))
        density = graph.add("Sub", graph.add("Add", most, added), area)
        nothing = self._number(-math.inf)
        return graph.add("Where", graph.add("Equal", most, nothing), nothing, density)

    def _by_code(self, name: str, table: np.ndarray[Any, Any]) -> str:
        return self.graph.once("Gather", self.graph.constant(table), self.codes[name])

    def _folded(self, operator: str, parts: Sequence[str]) -> str:
        folded = parts[0]
        for part in parts[1:]:
            folded = self.graph.add(operator, folded, part)
        return folded

    def _number(self, value: float) -> str:
        return self.graph.constant(np.array([[value]], np.float64))

    def _truth(self, value: bool) -> str:
        return self.graph.constant(np.array([[value]]))

    def _axis(self) -> str:
        return self.graph.constant(np.array([1], np.int64))
