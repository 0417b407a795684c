"""A program as formulas of a spreadsheet: one column per step, long ones cut into several.

Excel takes 8,192 characters and 64 levels in a formula, 255 arguments in a function, and of a number in a
formula fifteen digits: what has more digits stands in a cell of its own, where all of them count. An input
that is empty is the text "", which is no number and above every number.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, assert_never

from clearwood.errors import SettingError
from clearwood.exporting.excel.package import SheetValue, column_letters
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Condition, Equals, IsMissing, OnNumbers, comparisons, takes_missing
from clearwood.models.program.program import ModelProgram

ROW: Final = "\0"  # stands for the number of the row
MOST_COLUMNS: Final = 16_384
HUGE: Final = "1E+300"  # in place of what is infinite, small enough to be added up
_LONG: Final = 1_500  # characters: from here on a part has a column of its own
_DEEP: Final = 24
_MANY: Final = 40  # arguments of one function
_LITERAL: Final = 250  # characters of a text in a formula
_OF_ONE_NUMBER: Final = {f.Exp: "EXP", f.Log: "LN", f.Absolute: "ABS", f.Floor: "INT"}


@dataclass(frozen=True, slots=True)
class WorkingColumn:
    """A column of the working: its name, what it is about, and its formula with `ROW` for the row."""

    name: str
    about: str
    formula: str


@dataclass
class FormulaWriter:
    """Writes a program as columns of the sheet `Working`, and its lists as columns of the sheet `Lists`.

    `inputs` are the columns of `Working` where each input stands, as a number, a text or "".
    """

    program: ModelProgram
    inputs: dict[str, str]
    columns: list[WorkingColumn]
    steps: dict[str, str] = field(default_factory=dict)  # where the number of each stands
    _constants: dict[float, int] = field(default_factory=dict)
    _lists: dict[tuple[SheetValue, ...], int] = field(default_factory=dict)
    _now: str = ""

    @property
    def lists(self) -> list[tuple[SheetValue, ...]]:
        """The columns of the sheet `Lists`; the first has single numbers."""
        return [tuple(self._constants), *self._lists]

    def write(self) -> None:
        """All the steps."""
        for step in self.program.steps:
            self._now = step.name
            written = self.value(step.value)
            if step.when is not None:
                written = f"IF({self.test(step.when)},{self._short(written)},0)"
            self.steps[step.name] = self._column(step.name, step.about, written)

    def value(self, formula: f.Expression) -> str:
        """A formula as a number."""
        formula = f.of_program(formula)
        match formula:
            case f.Number(value):
                return self.number(float(value))
            case f.CellNumber(name):
                return self.inputs[name]
            case f.Earlier(step):
                return self.steps[step]
            case f.Sum(terms):
                if len(terms) == 2 and isinstance(terms[1], f.Negative):
                    return f"({self._part(terms[0])}-{self._part(terms[1].of)})"
                return self._chained([self.value(each) for each in terms], "+")
            case f.Negative(of):
                return f"(0-{self._part(of)})"
            case f.Product(factors):
                written = self._chained([self.value(each) for each in factors], "*")
                if sum(map(_reads_cell, factors)) < 2:
                    return written
                # The square of a huge number is an error in a spreadsheet, where it is infinite elsewhere.
                signs = "*".join(f"SIGN({self._part(each)})" for each in factors)
                return f"IFERROR({written},{HUGE}*{signs})"
            case f.Quotient(over, under):
                return f"({self._part(over)}/{self._part(under)})"
            case f.Exp(of) | f.Log(of) | f.Absolute(of) | f.Floor(of):
                return f"{_OF_ONE_NUMBER[type(formula)]}({self._part(of)})"
            case f.Extreme(_, of):
                return self._called("MAX", [self.value(each) for each in of])
            case f.Choose(cases, otherwise):
                written = self.value(otherwise)
                for case in reversed(cases):
                    then = self._part(case.then)
                    written = f"IF({self._short(self.test(case.when))},{then},{self._short(written)})"
                return written
            case f.Lookup(values, at):
                return f"INDEX({self.list_at(values)},{self.steps[at]}+1)"
            case f.PlaceOfValue(name, values, missing, unseen):
                cell, places = self.inputs[name], self.list_at([float(k) for k in range(1, len(values) + 1)])
                found = f"SUMPRODUCT(EXACT({self.list_at(values)},{cell})*{places})"
                found = self._column(f"{self._now} among the values", "0: none of them", found)
                return f'IF({cell}="",{missing},IF({found}=0,{unseen},{found}-1))'
            case f.PlaceOfNumber(name, cuts, missing):
                cell = self.inputs[name]
                below = f"SUMPRODUCT(--({self.list_at(cuts)}<{cell}))" if cuts else "0"
                return f'IF({cell}="",{missing},{below})'
            case f.LogOfBells():
                return self._bells(formula)
            case f.LogOfWords(name):
                raise SettingError(f"A spreadsheet cannot tell the words of the text '{name}' apart.")
            case _:
                assert_never(formula)

    def test(self, test: f.StepTest) -> str:
        """A test as TRUE or FALSE."""
        match test:
            case f.Holds(condition):
                return self.condition(condition)
            case f.Compared(left, sign, right):
                return f"{self._part(left)}{f.ASCII_SIGNS[sign]}{self._part(right)}"
            case f.AllOf(tests):
                return self._called("AND", [self.test(each) for each in tests], of_none="TRUE")
            case f.AnyOf(tests):
                return self._called("OR", [self.test(each) for each in tests], of_none="FALSE")
            case _:
                assert_never(test)

    def condition(self, condition: Condition) -> str:
        """A condition on a cell, for which an empty one counts as it says."""
        cell = self.inputs[condition.name]
        missing = f'{cell}=""'
        if isinstance(condition, IsMissing):
            return missing
        if isinstance(condition, OnNumbers):
            compared = comparisons(condition)
            tests = [f"{cell}{sign}{self.number(limit)}" for sign, limit in compared]
            if compared[-1][0] in (">", ">="):  # a text is above every number
                tests.insert(0, f'{cell}<>""')
            written = tests[0] if len(tests) == 1 else f"AND({','.join(tests)})"
            if compared == (("<=", math.inf),):
                written = f'{cell}<>""'
        else:
            # The working has an empty text for a missing cell, and no cell holds an empty text.
            every = (condition.value,) if isinstance(condition, Equals) else condition.values
            values = [value for value in every if value]
            if len(values) > _MANY:
                written = f"SUMPRODUCT(--EXACT({self.list_at(values)},{cell}))>0"
            else:
                each = [f"EXACT({cell},{self.text(value)})" for value in values]
                written = self._called("OR", each, of_none="FALSE")
        return f"OR({missing},{written})" if takes_missing(condition) else written

    def number(self, value: float) -> str:
        """A number, where fifteen digits say it; else the cell where it stands."""
        if math.isnan(value):
            return "NA()"
        if math.isinf(value):
            return HUGE if value > 0 else f"(-{HUGE})"
        brief = f"{value:.15g}"
        if float(brief) != value:
            return f"Lists!$A${self._constants.setdefault(value, len(self._constants)) + 2}"
        return brief.upper() if value >= 0 else f"({brief.upper()})"

    def text(self, value: str) -> str:
        """A text in quotes, or the cell where it stands if it is long or cannot be typed."""
        if value.isprintable() and len(value) < _LITERAL:
            return '"' + value.replace('"', '""') + '"'
        return self.list_at([value]).partition(":")[0]

    def list_at(self, values: Sequence[SheetValue]) -> str:
        """Where a list stands; equal ones stand there once."""
        key = tuple(values)
        letters = column_letters(self._lists.setdefault(key, len(self._lists)) + 2)
        return f"Lists!${letters}$2:${letters}${len(key) + 1}"

    def _bells(self, bells: f.LogOfBells) -> str:
        cell = self.inputs[bells.name]
        points, logs = self.list_at(bells.points), self.list_at(bells.log_shares)
        # Not ^2: in LibreOffice the power of a number next to 0 is an error, which is no number far away.
        away = f"(({cell}-{points})/{self.number(bells.width)})"
        heights = f"{logs}-0.5*{away}*{away}"
        # Too far away for a number of a spreadsheet: as good as never.
        most = f'IF({cell}="",0,IFERROR(SUMPRODUCT(MAX({heights})),-{HUGE}))'
        most = self._column(f"{self._now} at most", "the highest of the kernels", most)
        less = self.number(math.log(bells.width * math.sqrt(2 * math.pi)))
        added = f"LN(SUMPRODUCT(EXP({heights}-{most})))"
        return f"IF({most}=-{HUGE},{most},{most}+{added}-{less})"

    def joined(self, parts: list[str], sign: str, name: str) -> str:
        """Parts of which one column, or several, are made."""
        self._now = name
        return self._chained(parts, sign)

    def _chained(self, parts: list[str], sign: str) -> str:
        """Joined from the first to the last."""
        parts = [self._short(each) for each in parts]
        written, *rest = parts
        for each in rest:
            written = self._short(f"{written}{sign}{each}", deep=False) if written else each
        return f"({written})" if rest else written

    def _called(self, function: str, arguments: list[str], of_none: str = "0") -> str:
        arguments = [self._short(each) for each in arguments]
        if len(arguments) < 2:
            return arguments[0] if arguments else of_none
        while len(arguments) > _MANY or sum(map(len, arguments)) > _LONG:
            size = max(2, min(_MANY, len(arguments) // 2 + 1))
            groups = [arguments[at : at + size] for at in range(0, len(arguments), size)]
            arguments = [
                self._column(self._now, "a part of it", f"{function}({','.join(each)})") for each in groups
            ]
            if len(arguments) == 1:
                return arguments[0]
        return f"{function}({','.join(arguments)})"

    def _part(self, formula: f.Expression) -> str:
        return self._short(self.value(formula))

    def _short(self, written: str, *, deep: bool = True) -> str:
        """The same, in a column of its own if it is long or nested deeply."""
        if len(written) <= _LONG and not (deep and nesting_of(written) > _DEEP):
            return written
        return self._column(self._now, "a part of it", written)

    def _column(self, name: str, about: str, formula: str) -> str:
        self.columns.append(WorkingColumn(name, about, formula))
        return f"${column_letters(len(self.columns))}{ROW}"


def _reads_cell(formula: f.Expression) -> bool:
    """Is it a cell, or how far one is from something?"""
    match formula:
        case f.CellNumber():
            return True
        case f.Sum((left, f.Negative(right))):
            return _reads_cell(left) or _reads_cell(right)
        case _:
            return False


def nesting_of(formula: str) -> int:
    """How many brackets are open at most, those in texts left out.

    >>> nesting_of('IF(A1=")))",EXP((1+2)),0)')
    3
    """
    deepest = now = 0
    for place, piece in enumerate(formula.split('"')):
        if place % 2 == 0:
            for character in piece:
                if character == "(":
                    now += 1
                    deepest = max(deepest, now)
                elif character == ")":
                    now -= 1
    return deepest
