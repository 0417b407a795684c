"""A program written in a language: the statements of its steps, and the lists that stand outside.

A missing number is NaN, or what the language has for it, for which no comparison may hold, and a missing text
is the null of the language. Inputs are `x_` and what is left of the column's name; long lists stand outside
as `T1`, `T2`, ….
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import chain, groupby
from typing import Any, Final, Literal, TypeAlias, assert_never

from clearwood.errors import SettingError
from clearwood.exporting.exported import one_line
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Condition, Equals, IsMissing, OnNumbers, comparisons, takes_missing
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.table.attributes import Attribute, Numeric

ListKind: TypeAlias = Literal["numbers", "wholes", "texts"]

_MOST_REMARKS: Final = 1000
_OF_ONE_NUMBER: Final = {f.Exp: "exp", f.Log: "log", f.Absolute: "abs", f.Floor: "floor"}


@dataclass
class CodeWriter:
    """Writes a program in a language: the statements of its steps, and the lists that stand outside."""

    language: Language
    program: ModelProgram
    lists: list[str] = field(default_factory=list)
    _known: dict[tuple[ListKind, tuple[float | str, ...]], str] = field(default_factory=dict)

    def statements(self, indent: str) -> list[str]:
        """The steps one after another; those that are needed under the same test stand under it together."""
        steps = self.program.steps
        lines = [
            f"{indent}{declared}"
            for step in steps
            if step.when is not None
            and (declared := self.language.declare(self.variable(step.name), step.whole))
        ]
        for when, together in groupby(steps, key=lambda step: step.when):
            if when is None:
                lines += chain.from_iterable(self.step(step, indent, declared=False) for step in together)
                continue
            lines.append(indent + self.language.if_(self.test(when)))
            lines += chain.from_iterable(self.step(step, indent + "    ", declared=True) for step in together)
            lines += self._end(indent)
        return lines

    def step(self, step: ProgramStep, indent: str, *, declared: bool) -> list[str]:
        """The statements of one step, whose variable is declared already or not."""
        own, name = self.language, self.variable(step.name)
        declaration = "" if declared else own.declare(name, step.whole)
        if isinstance(step.value, f.Choose) and _nests(step.value):
            lines = [indent + declaration] if declaration else []
            return lines + self._branches(step, step.value, indent)
        value = self.value(step.value, whole=step.whole)
        return [indent + (own.assign(name, value, step.whole) if declaration else own.set(name, value))]

    def _branches(self, step: ProgramStep, formula: f.Expression, indent: str) -> list[str]:
        """What sets a variable that was declared: of a choice a statement for each case, those within it
        indented."""
        own = self.language
        if not isinstance(formula, f.Choose) or not formula.cases:
            value = self.value(formula, whole=step.whole)
            return [indent + own.set(self.variable(step.name), value) + self._remark(step, formula)]
        lines: list[str] = []
        for place, case in enumerate(formula.cases):
            lines.append(indent + (own.else_if if place else own.if_)(self.test(case.when)))
            lines += self._branches(step, case.then, indent + "    ")
        lines += [indent + own.else_, *self._branches(step, formula.otherwise, indent + "    ")]
        return lines + self._end(indent)

    def _end(self, indent: str) -> list[str]:
        return [indent + self.language.end] if self.language.end else []

    def _remark(self, step: ProgramStep, formula: f.Expression) -> str:
        """The rule of the leaf that is set here, where that is not too much to read."""
        regions = self.program.regions
        if step.name != self.program.region or not isinstance(formula, f.Number) or formula.value < 0:
            return ""
        if len(regions) > _MOST_REMARKS:
            return ""
        return "  " + self.language.comment(one_line(regions[int(formula.value)]))

    def value(self, formula: f.Expression, *, whole: bool = False) -> str:
        """A formula as an expression; `whole`: of one that comes to a whole number."""
        own = self.language
        formula = f.of_program(formula)
        match formula:
            case f.Number(value):
                return str(int(value)) if whole else own.number(float(value))
            case f.CellNumber(name):
                return self.input(name)
            case f.Earlier(step):
                return self.variable(step)
            case f.Sum(terms) if whole:
                return " + ".join(self.value(each, whole=True) for each in terms)
            case f.Sum(terms):
                first, *others = terms
                return f"({self.value(first)}{''.join(map(self._added, others))})"
            case f.Negative(of):
                return f"(-{self.value(of)})"
            case f.Product(factors):
                written = " * ".join(self.value(each, whole=whole) for each in factors)
                return written if whole else f"({written})"
            case f.Quotient(over, under):
                return f"({self.value(over)} / {self.value(under)})"
            case f.Exp(of) | f.Log(of) | f.Absolute(of) | f.Floor(of):
                return self._call(_OF_ONE_NUMBER[type(formula)], self.value(of))
            case f.Extreme(_, of):
                return own.largest([self.value(each) for each in of])
            case f.Choose(cases, otherwise):
                written = self.value(otherwise, whole=whole)
                for case in reversed(cases):
                    written = own.choice(self.test(case.when), self.value(case.then, whole=whole), written)
                return written
            case f.Lookup(values, at):
                return own.at(self.list_of("wholes" if whole else "numbers", values), self.variable(at))
            case f.PlaceOfValue(name, values, missing, unseen):
                listed = self.list_of("texts", values)
                return self._call("place", self.input(name), listed, len(values), missing, unseen)
            case f.PlaceOfNumber(name, cuts, missing):
                listed = self.list_of("numbers", cuts)
                return self._call("interval", self.input(name), listed, len(cuts), missing)
            case f.LogOfBells(name, points, log_shares, width):
                lists = self.list_of("numbers", points), self.list_of("numbers", log_shares)
                return self._call("bells", self.input(name), *lists, len(points), own.number(width))
            case f.LogOfWords():
                return self._words(formula)
            case _:
                assert_never(formula)

    def _added(self, term: f.Expression) -> str:
        """A term behind the first one, with its sign."""
        return f" - {self.value(term.of)}" if isinstance(term, f.Negative) else f" + {self.value(term)}"

    def _words(self, formula: f.LogOfWords) -> str:
        own, reading = self.language, formula.reading
        if not own.has_words:
            raise SettingError(
                f"{own.name} cannot tell the words of the text '{formula.name}' apart as Clearwood does. "
                "Export a model of texts to Python or JavaScript."
            )
        lists = self.list_of("texts", formula.words), self.list_of("numbers", formula.logs)
        stops = self.list_of("texts", reading.stop_words)
        once, lower = (own.always if each else own.never for each in (formula.once, reading.lower))
        return self._call(
            "words",
            self.input(formula.name),
            *lists,
            own.number(formula.base),
            once,
            lower,
            *reading.ngrams,
            stops,
        )

    def _call(self, function: str, *arguments: object) -> str:
        named = self.language.functions.get(function, function)
        return f"{named}({', '.join(map(str, arguments))})"

    def test(self, test: f.StepTest) -> str:
        """A test as an expression."""
        own = self.language
        match test:
            case f.Holds(condition):
                return self.condition(condition)
            case f.Compared(left, sign, right):
                whole = isinstance(left, f.Earlier) and left.step in self._wholes
                spelled = own.equals if sign == "=" else f.ASCII_SIGNS[sign]
                return own.compare(self.value(left, whole=whole), spelled, self.value(right, whole=whole))
            case f.AllOf(tests):
                return self._joined(tests, own.both, own.always)
            case f.AnyOf(tests):
                return self._joined(tests, own.either, own.never)
            case _:
                assert_never(test)

    def _joined(self, tests: Sequence[f.StepTest], by: str, of_none: str) -> str:
        written = [self.test(each) for each in tests]
        if len(written) < 2:
            return written[0] if written else of_none
        return "(" + f" {by} ".join(written) + ")"

    def condition(self, condition: Condition) -> str:
        """A condition on a cell, for which an empty cell counts as it says."""
        own, cell = self.language, self.input(condition.name)
        if isinstance(condition, IsMissing):
            return self._is_missing(condition.name)
        if isinstance(condition, OnNumbers):
            limits = comparisons(condition)
            tests, by = [own.compare(cell, sign, own.number(limit)) for sign, limit in limits], own.both
        else:
            values = (condition.value,) if isinstance(condition, Equals) else condition.values
            tests, by = [own.same_text(cell, own.text(value)) for value in values], own.either
        written = f" {by} ".join(tests) if tests else own.never
        written = f"({written})" if len(tests) > 1 else written
        if takes_missing(condition):
            return f"({written} {own.either} {self._is_missing(condition.name)})"
        return written

    def _is_missing(self, name: str) -> str:
        is_empty = self.language.is_no_number if name in self._numbers else self.language.is_no_text
        return is_empty(self.input(name))

    def variable(self, name: str) -> str:
        """A step or column as the language writes a variable."""
        return self.language.sigil + name

    def input(self, name: str) -> str:
        """The variable of a column."""
        return self._by_column[name]

    @property
    def inputs(self) -> tuple[str, ...]:
        """The variables of all columns."""
        return tuple(self._by_column.values())

    @cached_property
    def _by_column(self) -> dict[str, str]:
        plain = zip(self.program.inputs, plain_names(self.program.inputs), strict=True)
        return {each.name: self.variable(f"x_{name}") for each, name in plain}

    @cached_property
    def _numbers(self) -> set[str]:
        return {each.name for each in self.program.inputs if isinstance(each, Numeric)}

    @cached_property
    def _wholes(self) -> set[str]:
        """The steps that come to a whole number."""
        return {step.name for step in self.program.steps if step.whole}

    def list_of(self, kind: ListKind, entries: Sequence[float | str]) -> str:
        """The name of a list that stands outside; equal ones stand there once."""
        own, key = self.language, (kind, tuple(entries))
        if key not in self._known:
            self._known[key] = f"T{len(self._known) + 1}"
            spelled: Mapping[ListKind, Callable[[Any], str]] = {
                "texts": lambda each: own.text(str(each)),
                "wholes": lambda each: str(int(each)),
                "numbers": lambda each: own.number(float(each)),
            }
            self.lists.append(own.listed(kind, self._known[key], list(map(spelled[kind], entries))))
        return self._known[key]


def plain_names(columns: Sequence[Attribute]) -> list[str]:
    """What is left of each column's name in a language that takes letters, digits and `_`, all different.

    >>> plain_names([Numeric("age"), Numeric("AGE"), Numeric("größe in m"), Numeric("年")])
    ['age', 'AGE_2', 'gr_e_in_m', 'column_4']
    """
    names: list[str] = []
    for place, column in enumerate(columns, 1):
        plain = re.sub(r"[^A-Za-z0-9]+", "_", column.name).strip("_")[:40] or f"column_{place}"
        if any(plain.lower() == other.lower() for other in names):
            plain = f"{plain}_{place}"
        names.append(plain)
    return names


def _nests(choice: f.Choose) -> bool:
    """Is it long enough to be written as statements?"""
    return len(choice.cases) > 1 or any(isinstance(case.then, f.Choose) for case in choice.cases)


# A Language: how formulas, tests and steps are spelled where there are variables, functions and lists.


@dataclass(frozen=True, slots=True)
class Language:
    """The spellings of one language.

    `listed` declares a list outside by its kind, name and entries. `functions` are the names of what the file
    defines or imports for `exp`, `log`, `abs`, `floor`, `interval`, `place`, `bells` and `words`, where they
    are others. What has a default is spelled as C does, and many after it. Three things differ more than in
    spelling: `is_no_number` asks whether a cell is missing, by `~=` in Lua and `is.na` in R; `compare` must
    not hold for one, which in R takes `isTRUE`; `choice` is a function of the file in Go, which has no `?:`.
    """

    name: str
    number: Callable[[float], str]
    text: Callable[[str], str]
    same_text: Callable[[str, str], str]  # a variable and a literal
    is_no_text: Callable[[str], str]
    largest: Callable[[Sequence[str]], str]
    functions: Mapping[str, str]
    assign: Callable[[str, str, bool], str]  # name, value, whole: a statement that also declares
    declare: Callable[[str, bool], str]  # a variable that is set below; empty where none is needed
    comment: Callable[[str], str]  # of a text without line breaks
    listed: Callable[[ListKind, str, Sequence[str]], str]
    never: str = "false"
    always: str = "true"
    choice: Callable[[str, str, str], str] = (  # test, then, otherwise
        lambda test, then, otherwise: f"({test} ? {then} : {otherwise})"
    )
    set: Callable[[str, str], str] = lambda name, value: f"{name} = {value};"  # of what was declared
    compare: Callable[[str, str, str], str] = lambda left, sign, right: f"{left} {sign} {right}"
    is_no_number: Callable[[str], str] = lambda cell: f"{cell} != {cell}"
    both: str = "&&"
    either: str = "||"
    equals: str = "=="
    at: Callable[[str, str], str] = lambda entries, place: f"{entries}[{place}]"  # at a whole number
    if_: Callable[[str], str] = lambda test: f"if ({test}) {{"
    else_if: Callable[[str], str] = lambda test: f"}} else if ({test}) {{"
    else_: str = "} else {"
    end: str = "}"
    has_words: bool = False
    sigil: str = ""  # before every variable, as in Perl and PHP


def number_spelled(nan: str, infinity: str, below: str = "") -> Callable[[float], str]:
    """How a language writes doubles, given its names of those that have no digits."""

    def number(value: float) -> str:
        if math.isnan(value):
            return nan
        return repr(value) if math.isfinite(value) else infinity if value > 0 else below or f"-{infinity}"

    return number


def largest_by_twos(function: str) -> Callable[[Sequence[str]], str]:
    """The largest of several, by a function of two."""
    return lambda values: reduce(lambda one, other: f"{function}({one}, {other})", values)
