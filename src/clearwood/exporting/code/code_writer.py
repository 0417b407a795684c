"""A program written in a language: the statements of its steps, and the lists that stand outside.

A missing number is NaN, or what the language has for it, for which no comparison may hold, and a missing text
is the null of the language. Inputs are `x_` and what is left of the column's name; long lists stand outside
as `T1`, `T2`, ….
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, assert_never

from clearwood.errors import SettingError
from clearwood.exporting.exported import one_line
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Condition, Equals, IsMissing, OnNumbers, comparisons, takes_missing
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.table.attributes import Attribute, Numeric

_MOST_REMARKS: Final = 1000


@dataclass
class CodeWriter:
    """Writes a program in a language: the statements of its steps, and the lists that stand outside."""

    language: Language
    program: ModelProgram
    lists: list[str] = field(default_factory=list)
    _known: dict[tuple[str, tuple[float | str, ...]], str] = field(default_factory=dict)
    _places: dict[str, int] = field(default_factory=dict)
    _wholes: dict[str, bool] = field(default_factory=dict)

    def statements(self, indent: str) -> list[str]:
        """The steps one after another; those that are needed under the same test stand under it together."""
        lines: list[str] = []
        steps = self.program.steps
        for step in steps:
            if step.when is not None and (
                declared := self.language.declare(self.variable(step.name), step.whole)
            ):
                lines.append(indent + declared)
        place = 0
        while place < len(steps):
            when = steps[place].when
            if when is None:
                lines += self.step(steps[place], indent, declared=False)
                place += 1
                continue
            lines.append(indent + self.language.if_(self.test(when)))
            while place < len(steps) and steps[place].when == when:
                lines += self.step(steps[place], indent + "    ", declared=True)
                place += 1
            if self.language.end:
                lines.append(indent + self.language.end)
        return lines

    def step(self, step: ProgramStep, indent: str, *, declared: bool) -> list[str]:
        """The statements of one step, whose variable is declared already or not."""
        if isinstance(step.value, f.Choose) and _nests(step.value):
            lines = []
            if not declared and (line := self.language.declare(self.variable(step.name), step.whole)):
                lines.append(indent + line)
            return lines + self._branches(step, step.value, indent)
        value = self.whole(step.value) if step.whole else self.value(step.value)
        if declared or not self.language.declare(self.variable(step.name), step.whole):
            return [indent + self._set(step, value)]
        return [indent + self.language.assign(self.variable(step.name), value, step.whole)]

    def _set(self, step: ProgramStep, value: str) -> str:
        """A variable that was declared gets its value."""
        return self.language.set(self.variable(step.name), value)

    def _branches(self, step: ProgramStep, choice: f.Choose, indent: str) -> list[str]:
        """A choice as statements, choices within it indented."""
        lines: list[str] = []
        for place, case in enumerate(choice.cases):
            opens = self.language.if_ if place == 0 else self.language.else_if
            lines.append(indent + opens(self.test(case.when)))
            lines += self._then(step, case.then, indent + "    ")
        lines.append(indent + self.language.else_)
        lines += self._then(step, choice.otherwise, indent + "    ")
        if self.language.end:
            lines.append(indent + self.language.end)
        return lines

    def _then(self, step: ProgramStep, formula: f.Expression, indent: str) -> list[str]:
        if isinstance(formula, f.Choose) and formula.cases:
            return self._branches(step, formula, indent)
        value = self.whole(formula) if step.whole else self.value(formula)
        return [indent + self._set(step, value) + self._remark(step, formula)]

    def _remark(self, step: ProgramStep, formula: f.Expression) -> str:
        """The rule of the leaf that is set here, where that is not too much to read."""
        regions = self.program.regions
        if step.name != self.program.region or not isinstance(formula, f.Number) or formula.value < 0:
            return ""
        if len(regions) > _MOST_REMARKS:
            return ""
        return "  " + self.language.comment(one_line(regions[int(formula.value)]))

    def whole(self, formula: f.Expression) -> str:
        """A formula that comes to a whole number."""
        formula = f.of_program(formula)
        match formula:
            case f.Number(value):
                return str(int(value))
            case f.Choose(cases, otherwise):
                written = self.whole(otherwise)
                for case in reversed(cases):
                    written = self.language.choice(self.test(case.when), self.whole(case.then), written)
                return written
            case f.Sum(terms):
                return " + ".join(self.whole(each) for each in terms)
            case f.Product(factors):
                return " * ".join(self.whole(each) for each in factors)
            case f.Lookup(values, at):
                return self.language.at(self.list_of("wholes", values), self.variable(at))
            case _:
                return self.value(formula)

    def value(self, formula: f.Expression) -> str:
        """A formula as an expression."""
        own = self.language
        formula = f.of_program(formula)
        match formula:
            case f.Number(value):
                return own.number(float(value))
            case f.CellNumber(name):
                return self.input(name)
            case f.Earlier(step):
                return self.variable(step)
            case f.Sum(terms):
                first, *others = terms
                return f"({self.value(first)}{''.join(map(self._added, others))})"
            case f.Negative(of):
                return f"(-{self.value(of)})"
            case f.Product(factors):
                return f"({' * '.join(self.value(each) for each in factors)})"
            case f.Quotient(over, under):
                return f"({self.value(over)} / {self.value(under)})"
            case f.Exp(of):
                return f"{own.functions['exp']}({self.value(of)})"
            case f.Log(of):
                return f"{own.functions['log']}({self.value(of)})"
            case f.Absolute(of):
                return f"{own.functions['abs']}({self.value(of)})"
            case f.Floor(of):
                return f"{own.functions['floor']}({self.value(of)})"
            case f.Extreme(_, of):
                return own.largest([self.value(each) for each in of])
            case f.Choose(cases, otherwise):
                written = self.value(otherwise)
                for case in reversed(cases):
                    written = own.choice(self.test(case.when), self.value(case.then), written)
                return written
            case f.Lookup(values, at):
                return own.at(self.list_of("numbers", values), self.variable(at))
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
        own = self.language
        if not own.has_words:
            raise SettingError(
                f"{own.name} cannot tell the words of the text '{formula.name}' apart as Clearwood does. "
                "Export a model of texts to Python or JavaScript."
            )
        reading = formula.reading
        words, logs = self.list_of("texts", formula.words), self.list_of("numbers", formula.logs)
        stops = self.list_of("texts", reading.stop_words)
        options = (
            own.number(formula.base),
            own.always if formula.once else own.never,
            own.always if reading.lower else own.never,
            str(reading.ngrams[0]),
            str(reading.ngrams[1]),
            stops,
        )
        return self._call("words", self.input(formula.name), words, logs, *options)

    def _call(self, function: str, *arguments: object) -> str:
        return f"{self.language.functions[function]}({', '.join(map(str, arguments))})"

    def test(self, test: f.StepTest) -> str:
        """A test as an expression."""
        match test:
            case f.Holds(condition):
                return self.condition(condition)
            case f.Compared(left, sign, right):
                spelled = self.language.equals if sign == "=" else f.ASCII_SIGNS[sign]
                written = self.whole if self._is_whole(left) else self.value
                return self.language.compare(written(left), spelled, written(right))
            case f.AllOf(tests):
                return self._joined(tests, self.language.both, self.language.always)
            case f.AnyOf(tests):
                return self._joined(tests, self.language.either, self.language.never)
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
            return self.is_missing(condition.name)
        if isinstance(condition, OnNumbers):
            limits = comparisons(condition)
            tests, by = [own.compare(cell, sign, own.number(limit)) for sign, limit in limits], own.both
        else:
            values = (condition.value,) if isinstance(condition, Equals) else condition.values
            tests, by = [own.same_text(cell, own.text(value)) for value in values], own.either
        written = f" {by} ".join(tests) if tests else own.never
        written = f"({written})" if len(tests) > 1 else written
        if takes_missing(condition):
            return f"({written} {own.either} {self.is_missing(condition.name)})"
        return written

    def is_missing(self, name: str) -> str:
        """Is a cell empty?"""
        cell = self.input(name)
        own = self.language
        return own.is_no_number(cell) if self._is_number(name) else own.is_no_text(cell)

    def _is_whole(self, formula: f.Expression) -> bool:
        """Is it a step that comes to a whole number?"""
        if not self._wholes:
            self._wholes.update({step.name: step.whole for step in self.program.steps})
        return isinstance(formula, f.Earlier) and self._wholes[formula.step]

    def variable(self, name: str) -> str:
        """A step or column as the language writes a variable."""
        return self.language.sigil + name

    def input(self, name: str) -> str:
        """The variable of a column."""
        return self.inputs[self._place(name)]

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The variables of all columns."""
        return tuple(self.variable(f"x_{each}") for each in plain_names(self.program.inputs))

    def _place(self, name: str) -> int:
        if not self._places:
            self._places.update({each.name: place for place, each in enumerate(self.program.inputs)})
        return self._places[name]

    def _is_number(self, name: str) -> bool:
        return isinstance(self.program.inputs[self._place(name)], Numeric)

    def list_of(self, kind: str, entries: Sequence[float] | Sequence[str]) -> str:
        """The name of a list that stands outside; equal ones stand there once."""
        key: tuple[str, tuple[float | str, ...]] = (kind, tuple(entries))
        if key not in self._known:
            name = self._known[key] = f"T{len(self._known) + 1}"
            match kind:
                case "texts":
                    self.lists.append(
                        self.language.texts(name, [self.language.text(str(e)) for e in entries])
                    )
                case "wholes":
                    self.lists.append(self.language.wholes(name, [str(int(e)) for e in entries]))
                case _:
                    written = [self.language.number(float(e)) for e in entries]
                    self.lists.append(self.language.numbers(name, written))
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

    `numbers`, `wholes` and `texts` declare a list outside by its name and entries. `functions` are the names
    of what the file defines or imports for `exp`, `log`, `abs`, `floor`, `interval`, `place`, `bells` and
    `words`. What has a default is spelled as C does, and many after it. Three things differ more than in
    spelling: `is_no_number` asks whether a cell is missing, by `~=` in Lua and `is.na` in R; `compare` must
    not hold for one, which in R takes `isTRUE`; `choice` is a function of the file in Go, which has no `?:`.
    """

    name: str
    number: Callable[[float], str]
    text: Callable[[str], str]
    same_text: Callable[[str, str], str]  # a variable and a literal
    is_no_text: Callable[[str], str]
    never: str
    always: str
    largest: Callable[[Sequence[str]], str]
    functions: dict[str, str]
    assign: Callable[[str, str, bool], str]  # name, value, whole: a statement that also declares
    declare: Callable[[str, bool], str]  # a variable that is set below; empty where none is needed
    comment: Callable[[str], str]  # of a text without line breaks
    numbers: Callable[[str, Sequence[str]], str]
    wholes: Callable[[str, Sequence[str]], str]
    texts: Callable[[str, Sequence[str]], str]
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
