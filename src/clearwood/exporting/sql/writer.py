"""Formulas and tests written in a dialect.

No test is negated, so a comparison with NULL, which is unknown, falls through as one that does not hold.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from clearwood.errors import SettingError
from clearwood.exporting.sql.conditions import (
    ALWAYS,
    NEVER,
    SqlCell,
    condition_in_sql,
    joined_tests,
    missing_in_sql,
    text_in_sql,
)
from clearwood.exporting.sql.dialects import SqlDialect
from clearwood.exporting.sql.merging_steps import flattened
from clearwood.formulas import expressions as f
from clearwood.models.program.program import ProgramStep

# What an end of a choice is written as, and the comment beside it.
Ending: TypeAlias = Callable[[float], tuple[str, str]]

_LEAST_POWER, _LARGEST_POWER = -690.0, 709.0  # e to these is in reach of a double, and so are shares of it
_LEAST_PART: Final = 1e-140
_WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class SqlWriter:
    """Writes formulas where columns are `cells` and earlier steps `steps`.

    `wholes` are the steps that are whole numbers. `far`: the formula is for rows with numbers far out, which
    it divides by the largest of them itself.
    """

    dialect: SqlDialect
    cells: Mapping[str, SqlCell]
    steps: Mapping[str, str]
    wholes: Collection[str]
    far: bool = False

    def step(self, step: ProgramStep, indent: str) -> str:
        """What a step comes to; NULL where nobody asks for it."""
        value = flattened(step.value, self.dialect.nesting)
        if step.when is None:
            return self.value(value, indent, whole=step.whole)
        # A step for rows that satisfy a condition on a column is a density near by; others are far out.
        own = replace(self, far=self.dialect.guarded and not isinstance(step.when, f.Holds))
        return f"CASE WHEN {self.test(step.when)} THEN {own.value(value, indent, whole=step.whole)} END"

    def value(self, formula: f.Expression, indent: str = "", *, whole: bool = False) -> str:
        """A formula as an expression."""
        formula = f.of_program(formula)
        match formula:
            case f.Number(value):
                return self.constant(float(value), whole=whole)
            case f.CellNumber(name):
                return self.cells[name].compared if self.far else self.cells[name].computed
            case f.Earlier(step):
                return self.steps[step]
            case f.Sum(terms):
                if len(terms) == 2 and isinstance(terms[1], f.Negative):
                    return f"({self.value(terms[0])} - {self.value(terms[1].of)})"
                return self._sum([self.value(each, indent, whole=whole) for each in terms], indent)
            case f.Negative(of):
                return f"(0 - {self.value(of)})"
            case f.Product(factors):
                return f"({' * '.join(self.value(each, whole=whole) for each in factors)})"
            case f.Quotient(over, under):
                return self._divided(self.value(over), self.value(under))
            case f.Exp(of):
                return f"EXP({self._in_reach(self.value(of))})"
            case f.Log(of):
                return f"{self.dialect.log}({self.value(of)})"
            case f.Absolute(of):
                return f"ABS({self.value(of)})"
            case f.Floor(of):
                return f"FLOOR({self.value(of)})"
            case f.Extreme(_, of):
                return self._largest([self.value(each) for each in of])
            case f.Choose():
                return self.choice(formula, indent, whole=whole)
            case f.Lookup(values, at):
                entries = [self.constant(each, whole=whole) for each in values]
                return looked_up(self.steps[at], entries, indent, in_list=self.dialect.in_list)
            case f.PlaceOfValue(name, values, missing, unseen):
                texts = [text_in_sql(each, self.dialect) for each in values]
                empty = missing_in_sql(self.cells[name], self.dialect)
                return place_among(self.cells[name].compared, texts, empty, missing, unseen, indent)
            case f.PlaceOfNumber(name, cuts, missing):
                return self._interval(self.cells[name], cuts, missing, indent)
            case f.LogOfBells() | f.LogOfWords():
                raise SettingError(f"SQL cannot say what the column '{formula.name}' adds. Export to python.")
            case _:
                assert_never(formula)

    def constant(self, value: float, *, whole: bool = False) -> str:
        """A number; what is none is NULL."""
        if math.isnan(value):
            return "NULL"
        return str(int(value)) if whole else self.dialect.number(value)

    def choice(
        self, choice: f.Choose, indent: str, *, whole: bool = False, ending: Ending | None = None
    ) -> str:
        """A choice as CASE, one line per case; those within it are indented."""
        deeper = indent + "  "
        asked = _asked_of_one(choice)
        lines = ["CASE" if asked is None else f"CASE {self.value(asked, deeper, whole=True)}"]
        for case in choice.cases:
            if asked is None:
                test = self.test(case.when)
            else:
                assert isinstance(case.when, f.Compared)
                test = self.value(case.when.right, whole=True)
            then, comment = self._end(case.then, deeper, whole, ending)
            lines.append(f"{deeper}WHEN {test} THEN {then}{comment}")
        last, comment = self._end(choice.otherwise, deeper, whole, ending)
        lines.append(f"{deeper}ELSE {last}{comment}")
        lines.append(f"{indent}END")
        if ending is None and len(lines) <= 5 and sum(map(len, lines)) < _WIDTH:
            return " ".join(line.strip() for line in lines)
        return "\n".join(lines)

    def _end(self, formula: f.Expression, indent: str, whole: bool, ending: Ending | None) -> tuple[str, str]:
        if ending is None:
            return self.value(formula, indent, whole=whole), ""
        if isinstance(formula, f.Choose):
            return self.choice(formula, indent, whole=whole, ending=ending), ""
        assert isinstance(formula, f.Number)
        return ending(float(formula.value))

    def test(self, test: f.StepTest) -> str:
        """A test as a condition."""
        match test:
            case f.Holds(condition):
                return condition_in_sql(condition, self.cells[condition.name], self.dialect)
            case f.Compared(left, sign, right):
                written = self.value(left, whole=self._is_whole(left))
                return f"{written} {f.ASCII_SIGNS[sign]} {self._beside(left, right)}"
            case f.AllOf(tests):
                return joined_tests([self.test(each) for each in tests], "AND") if tests else ALWAYS
            case f.AnyOf(tests):
                return joined_tests([self.test(each) for each in tests], "OR") if tests else NEVER
            case _:
                assert_never(test)

    def _beside(self, left: f.Expression, right: f.Expression) -> str:
        if not isinstance(right, f.Number):
            return self.value(right)
        if self._is_whole(left):
            return self.constant(float(right.value), whole=True)
        return self.dialect.beside(float(right.value))

    def _is_whole(self, formula: f.Expression) -> bool:
        """Does it come to a whole number: a step that does, or a choice among branches?"""
        match formula:
            case f.Earlier(step):
                return step in self.wholes
            case f.Choose(cases, otherwise):
                ends = (*(case.then for case in cases), otherwise)
                return all(isinstance(each, f.Number) and float(each.value).is_integer() for each in ends)
            case _:
                return False

    def _divided(self, over: str, under: str) -> str:
        if not self.far:
            return f"({over} / {under})"
        # A part whose square would be too small for a double is none.
        least = f"ABS({under}) * {self.dialect.number(_LEAST_PART)}"
        return f"CASE WHEN ABS({over}) < {least} THEN {self.dialect.number(0.0)} ELSE {over} / {under} END"

    def _sum(self, terms: Sequence[str], indent: str) -> str:
        if sum(map(len, terms)) < _WIDTH:
            return f"({' + '.join(terms)})"
        return "(" + f"\n{indent}  + ".join(terms) + ")"

    def _largest(self, values: Sequence[str]) -> str:
        most = self.dialect.arguments
        while len(values) > 1:
            groups = [values[start : start + most] for start in range(0, len(values), most)]
            values = [
                f"{self.dialect.largest}({', '.join(each)})" if len(each) > 1 else each[0] for each in groups
            ]
        return values[0]

    def _in_reach(self, power: str) -> str:
        if not self.dialect.guarded:
            return power
        low, high = self.dialect.number(_LEAST_POWER), self.dialect.number(_LARGEST_POWER)
        # In this order a power that is NULL, which some databases pass over, comes to next to nothing.
        return f"LEAST({high}, GREATEST({low}, {power}))"

    def _interval(self, cell: SqlCell, cuts: Sequence[float], missing: int, indent: str) -> str:
        lines = [f"CASE\n{indent}  WHEN {missing_in_sql(cell, self.dialect)} THEN {missing}"]
        lines += [
            f"WHEN {cell.compared} <= {self.dialect.beside(cut)} THEN {place}"
            for place, cut in enumerate(cuts)
        ]
        return f"\n{indent}  ".join([*lines, f"ELSE {len(cuts)}"]) + f"\n{indent}END"


def _asked_of_one(choice: f.Choose) -> f.Expression | None:
    """What all cases compare with a number, so that it is written once."""
    asked: f.Expression | None = None
    for case in choice.cases:
        match case.when:
            case f.Compared(left, "=", f.Number()) if asked is None or left == asked:
                asked = left
            case _:
                return None
    return asked


# Lists in SQL: CASE by a place, in blocks where it is long; as a list where the database has such.


_BLOCK: Final = 40


def looked_up(
    at: str,
    entries: Sequence[str],
    indent: str = "",
    *,
    otherwise: str | None = None,
    in_list: Callable[[str, str], str] | None = None,
) -> str:
    """The entry at a place, counted from 0; `otherwise` outside the list, where such places occur.

    Where the database has lists, a long one is written by `in_list`, which finds an entry at once.

    >>> print(looked_up("leaf", ["0.5", "1.0"]))
    CASE leaf
      WHEN 0 THEN 0.5
      ELSE 1.0
    END
    """
    if otherwise is None and len(set(entries)) == 1:
        return entries[0]
    if otherwise is not None:
        within = looked_up(at, entries, indent + "  ", in_list=in_list)
        return f"CASE\n{indent}  WHEN {at} >= 0 THEN {within}\n{indent}  ELSE {otherwise}\n{indent}END"
    if len(set(entries)) <= min(20, len(entries) // 3):
        return _by_entry(at, entries, indent)
    if len(entries) <= _BLOCK:
        return _by_place(at, entries, 0, indent)
    if in_list is not None:
        return in_list(f",\n{indent}    ".join(entries), at)
    lines = ["CASE"]
    for start in range(0, len(entries), _BLOCK):
        block = _by_place(at, entries[start : start + _BLOCK], start, indent + "  ")
        last = start + _BLOCK >= len(entries)
        lines.append(f"{indent}  {'ELSE' if last else f'WHEN {at} < {start + _BLOCK} THEN'} {block}")
    return "\n".join([*lines, f"{indent}END"])


def place_among(cell: str, texts: Sequence[str], empty: str, missing: int, unseen: int, indent: str) -> str:
    """The place of a text in a list; those of an empty cell and of a text that is not listed are given."""
    lines = [f"CASE\n{indent}  WHEN {empty} THEN {missing}"]
    lines += [f"WHEN {cell} = {text} THEN {place}" for place, text in enumerate(texts)]
    return f"\n{indent}  ".join([*lines, f"ELSE {unseen}"]) + f"\n{indent}END"


def _by_place(at: str, entries: Sequence[str], first: int, indent: str) -> str:
    if len(entries) == 1:
        return entries[0]
    lines = [f"{indent}  WHEN {first + place} THEN {each}" for place, each in enumerate(entries[:-1])]
    return "\n".join([f"CASE {at}", *lines, f"{indent}  ELSE {entries[-1]}", f"{indent}END"])


def _by_entry(at: str, entries: Sequence[str], indent: str) -> str:
    """Where few entries recur, the places of each; those of the most frequent are left to the end."""
    places: dict[str, list[int]] = {}
    for place, entry in enumerate(entries):
        places.setdefault(entry, []).append(place)
    ordered = sorted(places, key=lambda entry: len(places[entry]))
    lines = [
        f"{indent}  WHEN {at} IN ({', '.join(map(str, places[entry]))}) THEN {entry}"
        for entry in ordered[:-1]
    ]
    return "\n".join(["CASE", *lines, f"{indent}  ELSE {ordered[-1]}", f"{indent}END"])
