"""Formulas as PMML's expressions: each step of a program is a derived field.

An `Apply` of `if` works out only the side it takes. Comparisons have `mapMissingTo`: a test is never unknown.
"""

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise
from typing import Final, assert_never

from clearwood.exporting.pmml.document import XmlElement, element
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Condition, OnNumbers, comparisons, takes_missing, values_of
from clearwood.models.program.program import ProgramStep

SIGNS: Final[Mapping[str, str]] = {
    "<": "lessThan",
    "<=": "lessOrEqual",
    "=": "equal",
    ">=": "greaterOrEqual",
    ">": "greaterThan",
}


@dataclass(slots=True)
class PmmlExpressions:
    """Writes steps as derived fields, in order; `taken` are names that they may not have."""

    taken: frozenset[str]
    fields: list[XmlElement] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def add(self, step: ProgramStep) -> None:
        """One more derived field."""
        self._lay(step.name, self.formula(step.value), whole=step.whole)

    def formula(self, formula: f.Expression) -> XmlElement:
        """A formula as an expression."""
        formula = f.of_program(formula)
        match formula:
            case f.Number(value):
                return constant(float(value))
            case f.CellNumber(name):
                return element("FieldRef", field=name)
            case f.Earlier(step):
                return element("FieldRef", field=self.names[step])
            case f.Sum(terms):
                if len(terms) == 2 and isinstance(terms[1], f.Negative):
                    return apply("-", self.formula(terms[0]), self.formula(terms[1].of))
                return _added([self.formula(each) for each in terms])
            case f.Negative(of):
                return apply("-", constant(0.0), self.formula(of))
            case f.Product(factors):
                return reduce(lambda one, two: apply("*", one, two), map(self.formula, factors))
            case f.Quotient(over, under):
                return apply("/", self.formula(over), self.formula(under))
            case f.Exp(of) | f.Log(of) | f.Absolute(of):
                return apply(_OF_ONE_NUMBER[type(formula)], self.formula(of))
            case f.Floor(of):
                return self._floor(self.formula(of))
            case f.Extreme(_, of):
                values = [self.formula(each) for each in of]
                return values[0] if len(values) == 1 else apply("max", *values)
            case f.Choose(cases, otherwise):
                return self._chosen(cases, otherwise)
            case f.Lookup(values, at):
                return _table(self.names[at], values)
            case f.PlaceOfValue(name, values, missing, unseen):
                return _places(name, values, missing, unseen)
            case f.PlaceOfNumber(name, cuts, missing):
                return _interval(name, cuts, missing)
            case f.LogOfBells(name, points, log_shares, width):
                return self._bells(name, points, log_shares, width)
            case f.LogOfWords():
                raise AssertionError("a model of texts is refused before")
            case _:
                assert_never(formula)

    def test(self, test: f.StepTest) -> XmlElement:
        """A test as an expression that is true or false."""
        match test:
            case f.Holds(condition):
                return condition_expression(condition)
            case f.Compared(left, sign, right):
                return apply(
                    SIGNS[f.ASCII_SIGNS[sign]], self.formula(left), self.formula(right), missing=False
                )
            case f.AllOf(tests):
                return _joined("and", [self.test(each) for each in tests], empty=True)
            case f.AnyOf(tests):
                return _joined("or", [self.test(each) for each in tests], empty=False)
            case _:
                assert_never(test)

    def _chosen(self, cases: Sequence[f.ChoiceCase], otherwise: f.Expression) -> XmlElement:
        """Choices of many cases are laid down in fields of a few each: readers go only so deep."""
        chosen = self.formula(otherwise)
        starts = range(0, max(1, len(cases)), _CASES)
        for start in reversed(starts):
            if start != starts[-1]:
                chosen = self._ref("rest", chosen)
            for case in reversed(cases[start : start + _CASES]):
                chosen = apply("if", self.test(case.when), self.formula(case.then), chosen)
        return chosen

    def _bells(
        self, name: str, points: Sequence[float], log_shares: Sequence[float], width: float
    ) -> XmlElement:
        heights = []
        for point, share in zip(points, log_shares, strict=True):
            away = apply("/", apply("-", element("FieldRef", field=name), constant(point)), constant(width))
            fall = apply("*", apply("*", constant(0.5), away), away)
            heights.append(self._ref("height", apply("-", constant(share), fall)))
        most = self._ref("most", apply("max", *heights) if len(heights) > 1 else heights[0])
        raised = _added([apply("exp", apply("-", each, most)) for each in heights])
        area = constant(math.log(width * math.sqrt(2 * math.pi)))
        density = apply("-", apply("+", most, apply("ln", raised)), area)
        lost = apply("lessThan", most, constant(-sys.float_info.max), missing=False)
        return apply("if", lost, constant(-math.inf), density)

    def _floor(self, number: XmlElement) -> XmlElement:
        """JPMML's own floor is an integer of 32 bits. A double that is added to 1.5 · 2⁵² keeps no fraction:
        the sum less that is the whole number below it or above it."""
        exact = self._ref("exact", number)
        large = constant(1.5 * 2.0**52)
        whole = self._ref("whole", apply("-", apply("+", exact, large), large))
        above = apply("greaterThan", whole, exact, missing=False)
        return apply("if", above, apply("-", whole, constant(1.0)), whole)

    def _ref(self, stem: str, expression: XmlElement) -> XmlElement:
        return element("FieldRef", field=self._lay(stem, expression))

    def _lay(self, name: str, expression: XmlElement, *, whole: bool = False) -> str:
        free = f"{name}_{len(self.fields)}" if name in self.names or name in _STEMS else name
        while free in self.taken:
            free += "_"
        self.names[name] = free
        self.fields.append(derived_field(free, expression, whole=whole))
        return free


_OF_ONE_NUMBER: Final = {f.Exp: "exp", f.Log: "ln", f.Absolute: "abs"}
_CASES: Final = 40
_STEMS: Final = ("rest", "height", "most", "exact", "whole")


def derived_field(name: str, expression: XmlElement, *, whole: bool = False) -> XmlElement:
    """A field that is worked out."""
    kind = "integer" if whole else "double"
    return element("DerivedField", expression, name=name, dataType=kind, optype="continuous")


def number_text(value: float) -> str:
    """A number so that it is read back the same."""
    return repr(float(value))


def constant(value: float) -> XmlElement:
    """A number; NaN is missing. XML's infinities are read differently, so they are worked out."""
    if math.isnan(value):
        return element("Constant", missing="true", dataType="double")
    if math.isinf(value):
        return apply("*", constant(math.copysign(sys.float_info.max, value)), constant(2.0))
    return element("Constant", text=number_text(value), dataType="double")


def apply(function: str, *values: XmlElement, missing: bool | None = None) -> XmlElement:
    """A function of values; `missing` is what it is where one of them is missing."""
    mapped = None if missing is None else str(missing).lower()
    return element("Apply", *values, function=function, mapMissingTo=mapped)


def condition_expression(condition: Condition) -> XmlElement:
    """A condition as an expression that is true or false."""
    empty = takes_missing(condition)
    cell = element("FieldRef", field=condition.name)
    if isinstance(condition, OnNumbers):
        limits = comparisons(condition)
        tests = [apply(SIGNS[sign], cell, constant(limit), missing=empty) for sign, limit in limits]
        return _joined("and", tests, empty=True)
    values = sorted(values_of(condition))
    if not values:
        return apply("isMissing", cell) if empty else _plain(False)
    return _joined("or", [apply("equal", cell, _plain(each), missing=empty) for each in values], empty=False)


def _plain(value: str | int | bool) -> XmlElement:
    """A text, a whole number, or true or false."""
    kind = "string" if isinstance(value, str) else "boolean" if isinstance(value, bool) else "integer"
    return element("Constant", text=str(value).lower() if kind == "boolean" else str(value), dataType=kind)


def _joined(function: str, parts: Sequence[XmlElement], *, empty: bool) -> XmlElement:
    if not parts:
        return _plain(empty)
    return parts[0] if len(parts) == 1 else apply(function, *parts)


def _added(terms: Sequence[XmlElement]) -> XmlElement:
    if len(terms) > 8:
        return apply("sum", *terms)
    return reduce(lambda one, two: apply("+", one, two), terms)


def _table(field: str, values: Sequence[float]) -> XmlElement:
    rows = (
        element("row", element("at", text=str(at)), element("value", text=number_text(value)))
        for at, value in enumerate(values)
        if not math.isnan(value)
    )
    pair, table = element("FieldColumnPair", field=field, column="at"), element("InlineTable", *rows)
    return element("MapValues", pair, table, outputColumn="value", dataType="double")


def _places(name: str, values: Sequence[str], missing: int, unseen: int) -> XmlElement:
    """Added up are the places, counted from 1, of the one value that it is; what no value is comes to 0."""
    cell = element("FieldRef", field=name)
    terms = [
        apply("if", apply("equal", cell, _plain(value), missing=False), _plain(place + 1), _plain(0))
        for place, value in enumerate(values)
    ]
    found = apply("sum", *terms) if len(terms) > 1 else terms[0] if terms else _plain(0)
    known = apply("if", apply("equal", found, _plain(0)), _plain(unseen), apply("-", found, _plain(1)))
    return apply("if", apply("isMissing", cell), _plain(missing), known)


def _interval(name: str, cuts: Sequence[float], missing: int) -> XmlElement:
    ends = [None, *map(number_text, cuts), None]
    if not cuts:
        return apply("if", apply("isMissing", element("FieldRef", field=name)), _plain(missing), _plain(0))
    bins = []
    for place, (low, high) in enumerate(pairwise(ends)):
        closure = "openClosed" if high else "openOpen"
        inside = element("Interval", closure=closure, leftMargin=low, rightMargin=high)
        bins.append(element("DiscretizeBin", inside, binValue=str(place)))
    return element("Discretize", *bins, field=name, mapMissingTo=str(missing), dataType="integer")
