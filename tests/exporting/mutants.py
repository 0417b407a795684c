"""Mutants: programs of models, and texts of exports, damaged in one place; and whether the proof notices.

A mutant counts if it changes an answer, a share or the points of some random row, 40 % of whose cells are
empty; then the rows of the proof must notice it. Programs are worked out for all rows at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import reduce
from itertools import pairwise
from operator import add, mul
from random import Random
from typing import Any, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from clearwood.exporting.exportable import Exportable, program_to_export
from clearwood.exporting.proof.adversarial import input_columns
from clearwood.exporting.proof.critical_cells import cuts_of_model, cuts_of_program
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
)
from clearwood.models.kinds.kind import NumbersProfile
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.program.program import ModelProgram, steps_used
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.raw import Cell, Row

Numbers: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]
BOUND = 1e-9  # shares that differ by less are alike
EMPTY = 0.4  # of the cells of random rows


@dataclass(frozen=True)
class Mutant:
    """A damaged program, what was done to it, and at which step."""

    about: str
    program: ModelProgram
    at: int


def mutants_of(program: ModelProgram) -> list[Mutant]:
    """Every part of a program damaged, one at a time."""
    made: list[Mutant] = []
    for at, step in enumerate(program.steps):
        for name in ("value", "when"):
            if getattr(step, name) is not None:
                for about, part in _damaged(getattr(step, name)):
                    steps = list(program.steps)
                    steps[at] = replace(step, **{name: part})
                    made.append(Mutant(f"{step.name}: {about}", replace(program, steps=tuple(steps)), at))
    return made


def _damaged(part: Any) -> Iterator[tuple[str, Any]]:
    """The part with one of its own fields, or one of the parts within, damaged."""
    yield from _own(part)
    if not is_dataclass(part) or isinstance(part, (type, *_CONDITIONS)):
        return
    for each in fields(part):
        inner = getattr(part, each.name)
        if isinstance(inner, tuple) and inner and is_dataclass(inner[0]):
            for place, one in enumerate(inner):
                for about, other in _damaged(one):
                    yield about, replace(part, **{each.name: (*inner[:place], other, *inner[place + 1 :])})
        elif is_dataclass(inner):
            for about, other in _damaged(inner):
                yield about, replace(part, **{each.name: other})


_CONDITIONS = (AtMost, Below, Above, AtLeast, Between, Equals, OneOf, IsMissing)


_SIGNS: Mapping[f.Sign, tuple[f.Sign, ...]] = {
    "<": ("≤", "≥"),
    "≤": ("<", ">"),
    "=": ("<", ">"),
    "≥": (">", "<"),
    ">": ("≥", "≤"),
}


def _own(part: Any) -> Iterator[tuple[str, Any]]:
    match part:
        case f.Holds(condition):
            for about, changed in _other_conditions(condition):
                several = changed if isinstance(changed, tuple) else (changed,)
                held = tuple(map(f.Holds, several))
                yield f"{condition} → {about}", held[0] if len(held) == 1 else f.AnyOf(held)
        case f.Compared(_, sign, _):
            for turned in _SIGNS[sign]:
                yield f"{sign} → {turned}", replace(part, sign=turned)
        case f.Choose(cases, otherwise):
            for place, case in enumerate(cases):
                fewer = (*cases[:place], *cases[place + 1 :])
                yield f"case {place} dropped", f.Choose(fewer, otherwise) if fewer else otherwise
                if place + 1 < len(cases):
                    after = cases[place + 1]
                    swapped = (
                        *cases[:place],
                        replace(case, then=after.then),
                        replace(after, then=case.then),
                        *cases[place + 2 :],
                    )
                    yield f"answers {place} and {place + 1} swapped", f.Choose(swapped, otherwise)
        case f.Lookup(values, _):
            for place, value in enumerate(values):
                others = [each for each in (*values[place + 1 :], *values) if each != value]
                if others:
                    yield f"value {place} another's", replace(part, values=_put(values, place, others[0]))
        case f.Number(value):
            if math.isfinite(value) and value not in (0.0, 1.0, -1.0) and value != int(value):
                yield f"{value} × 1.01", f.Number(value * 1.01)
        case f.PlaceOfValue(_, values, missing, unseen):
            yield from (
                (f"'{each}' lost", replace(part, values=_put(values, at, "\0")))
                for at, each in enumerate(values)
            )
            if missing != unseen:
                yield "missing ↔ unseen", replace(part, missing=unseen, unseen=missing)
        case f.PlaceOfNumber(_, cuts, missing):
            for place, cut in enumerate(cuts):
                for beside in (math.nextafter(cut, math.inf), math.nextafter(cut, -math.inf)):
                    if list(moved := _put(cuts, place, beside)) == sorted(set(moved)):
                        yield f"cut {cut} next", replace(part, cuts=moved)
            yield "missing → 0", replace(part, missing=0 if missing else 1)
        case f.LogOfBells(_, points, _, width):
            yield "width", replace(part, width=width * 1.01)
            yield "a point", replace(part, points=(points[0] + width / 10, *points[1:]))
        case f.LogOfWords(_, words, logs, _, once, _):
            yield "once", replace(part, once=not once)
            yield "a log", replace(part, logs=(logs[0] - 0.5, *logs[1:]))
            yield "a word", replace(part, words=(f"{words[0]}x", *words[1:]))
        case f.Sum(terms):
            if len(terms) > 1 and not isinstance(terms[-1], f.Negative):
                yield from (
                    (f"term {at} dropped", f.Sum((*terms[:at], *terms[at + 1 :]))) for at in range(len(terms))
                )
        case _:
            pass


def _other_conditions(when: Condition) -> Iterator[tuple[str, Condition | tuple[Condition, ...]]]:
    def nearby(limit: float) -> Iterator[float]:
        if math.isfinite(limit):
            yield math.nextafter(limit, math.inf)
            yield math.nextafter(limit, -math.inf)

    match when:
        case AtMost(name, limit, missing):
            yield "negated", Above(name, limit, not missing)
            yield "reversed", Above(name, limit, missing)
            yield "<", Below(name, limit, missing)
            yield from (("next", replace(when, limit=each)) for each in nearby(limit))
            yield "missing", replace(when, or_missing=not missing)
        case Above(name, limit, missing):
            yield "negated", AtMost(name, limit, not missing)
            yield "reversed", AtMost(name, limit, missing)
            yield "≥", AtLeast(name, limit, missing)
            yield from (("next", replace(when, limit=each)) for each in nearby(limit))
            yield "missing", replace(when, or_missing=not missing)
        case Below(name, limit, missing):
            yield "negated", AtLeast(name, limit, not missing)
            yield "≤", AtMost(name, limit, missing)
            yield "missing", replace(when, or_missing=not missing)
        case AtLeast(name, limit, missing):
            yield "negated", Below(name, limit, not missing)
            yield ">", Above(name, limit, missing)
            yield "missing", replace(when, or_missing=not missing)
        case Between(name, low, high, missing):
            yield "negated", (AtMost(name, low, not missing), Above(name, high))
            yield from (("high next", replace(when, high=each)) for each in nearby(high))
            yield from (("low next", replace(when, low=each)) for each in nearby(low))
            yield "missing", replace(when, or_missing=not missing)
        case Equals(name, value):
            yield "another value", Equals(name, f"{value}?")
            yield "or missing", OneOf(name, (value,), True)
        case OneOf(name, values, missing):
            for at in range(len(values)):
                yield f"without '{values[at]}'", OneOf(name, (*values[:at], *values[at + 1 :]), missing)
            yield "missing", OneOf(name, values, not missing)
        case IsMissing(name):
            yield "never", OneOf(name, ())
        case _:
            assert_never(when)


def _put(values: Sequence[Any], place: int, other: Any) -> tuple[Any, ...]:
    return (*values[:place], other, *values[place + 1 :])


def random_rows(model: Exportable, program: ModelProgram, count: int, seed: int) -> list[Row]:
    """Rows by chance, whatever the proof takes: numbers on and beside cuts as often as any others, values
    known and never met, and 40 % of the cells empty."""
    random = Random(seed)
    of_program, own = cuts_of_program(program), cuts_of_model(model)
    draws: list[tuple[str, Callable[[], Cell]]] = []
    for each in input_columns(model):
        match each:
            case Nominal(name, values) | Ordinal(name, values):
                pool: list[Cell] = [*values, "never met"]
            case Numeric(name):
                profile = None if model.profile is None else model.profile.columns.get(name)
                cuts = sorted({*of_program.jumps.get(name, ()), *own.get(name, ())}, key=abs)
                middles = profile.quantiles if isinstance(profile, NumbersProfile) else ()
                usual = [*middles, *of_program.bends.get(name, ())] or [0.0, 1.0]
                pool = [random.gauss(float(np.mean(usual)), float(np.std(usual)) or 1.0) for _ in range(50)]
                pool += list(usual)
                near = [cut for cut in cuts if abs(cut) < 1e100]
                pool += [math.nextafter(cut, way) for cut in near for way in (cut, math.inf, -math.inf)]
            case _:
                name, pool = each.name, ["", "never met"]
        draws.append((name, lambda pool=pool: random.choice(pool)))  # type: ignore[misc]
    return [{name: None if random.random() < EMPTY else draw() for name, draw in draws} for _ in range(count)]


class Batch:
    """Rows by column, for which programs are worked out; a step that a row does not ask for is NaN."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.columns: dict[str, tuple[Any, Flags]] = {}
        for name in rows[0] if rows else ():
            cells = [row.get(name) for row in rows]
            missing = np.array([cell is None or cell != cell for cell in cells])
            if any(isinstance(cell, str) for cell in cells):
                self.columns[name] = np.array(["" if c is None else c for c in cells], dtype=object), missing
            else:
                self.columns[name] = (
                    np.array([np.nan if c is None else c for c in cells], dtype=float),
                    missing,
                )
        self._held: dict[Condition, Flags] = {}

    def worked_out(self, program: ModelProgram) -> Numbers:
        """[row, output] the answer, the shares, the points."""
        known = self.steps(program)
        return np.stack([known[each] for each in _compared(program)], axis=1)

    def steps(self, program: ModelProgram) -> dict[str, Numbers]:
        """[row] by step: what each of them comes to."""
        known: dict[str, Numbers] = {}
        with np.errstate(all="ignore"):
            for step in program.steps:
                known[step.name] = self._value(step.value, known)
        return known

    def changed_by(self, mutant: Mutant, known: Mapping[str, Numbers], used: Sequence[set[str]]) -> int:
        """How many rows are given something else, where `known` is right: only what follows from the damaged
        step is worked out, for the rows in which it comes to another number. `used` by each step."""
        steps, others = mutant.program.steps, dict[str, Numbers]()
        with np.errstate(all="ignore"):
            other = self._value(steps[mutant.at].value, known)
            at = np.flatnonzero(_differs(other, known[steps[mutant.at].name]))
            others[steps[mutant.at].name] = other[at]
            part = self._part(at)
            for place in range(mutant.at + 1, len(steps)) if len(at) else ():
                if not used[place].isdisjoint(others):
                    earlier = {
                        name: others[name] if name in others else known[name][at] for name in used[place]
                    }
                    value = part._value(steps[place].value, earlier)
                    if _differs(value, known[steps[place].name][at]).any():
                        others[steps[place].name] = value
        given = [name for name in _compared(mutant.program) if name in others]
        changed = [changed_rows(known[name][at, None], others[name][:, None]) for name in given]
        return int(np.any(changed, axis=0).sum()) if changed else 0

    def _part(self, at: npt.NDArray[np.intp]) -> Batch:
        part = Batch([])
        part.rows = [self.rows[place] for place in at]
        part.columns = {name: (cells[at], gone[at]) for name, (cells, gone) in self.columns.items()}
        return part

    def _value(self, formula: f.Expression, known: Mapping[str, Numbers]) -> Numbers:
        count = len(self.rows)

        def each(of: f.Expression) -> Numbers:
            return self._value(of, known)

        formula = f.of_program(formula)
        match formula:
            case f.Number(value):
                return np.full(count, value)
            case f.CellNumber(name):
                numbers: Numbers = self.columns[name][0].astype(float)
                return numbers
            case f.Earlier(step):
                return known[step]
            case f.Sum(terms):
                return reduce(add, map(each, terms))
            case f.Negative(of):
                return -each(of)
            case f.Product(factors):
                return reduce(mul, map(each, factors))
            case f.Quotient(over, under):
                return each(over) / each(under)
            case f.Exp(of):
                return np.exp(each(of))
            case f.Log(of):
                return np.log(each(of))
            case f.Absolute(of):
                return np.abs(each(of))
            case f.Floor(of):
                return np.floor(each(of))
            case f.Extreme(_, of):
                return reduce(np.maximum, map(each, of))
            case f.Choose(cases, otherwise):
                tests = [self._holds(case.when, known) for case in cases]
                return np.select(tests, [each(case.then) for case in cases], each(otherwise))
            case f.Lookup(values, at):
                places = np.nan_to_num(known[at], nan=0.0).astype(int)
                return np.where(
                    np.isnan(known[at]), np.nan, np.array(values)[np.clip(places, 0, len(values) - 1)]
                )
            case f.PlaceOfValue(name, values, missing, unseen):
                cells, gone = self.columns[name]
                codes = {value: float(place) for place, value in enumerate(values)}
                places = np.array([codes.get(cell, float(unseen)) for cell in cells])
                return np.where(gone, float(missing), places)
            case f.PlaceOfNumber(name, cuts, missing):
                cells, gone = self.columns[name]
                found = np.searchsorted(np.array(cuts, dtype=float), cells.astype(float), side="left")
                return np.where(gone, float(missing), found.astype(float))
            case f.LogOfBells(name, points, log_shares, width):
                cells = self.columns[name][0].astype(float)
                away = (cells[:, None] - np.array(points)) / width
                heights = np.array(log_shares) - 0.5 * away * away
                most = heights.max(axis=1)
                total = most + np.log(np.exp(heights - most[:, None]).sum(axis=1))
                bells: Numbers = np.where(most == -np.inf, most, total) - math.log(
                    width * math.sqrt(2 * math.pi)
                )
                return bells
            case f.LogOfWords():
                raise NotImplementedError("texts are worked out row by row")
            case _:
                assert_never(formula)

    def _holds(self, test: f.StepTest, known: Mapping[str, Numbers]) -> Flags:
        match test:
            case f.Holds(condition):
                held = self._held.get(condition)
                if held is None:
                    held = self._held[condition] = self._satisfied(condition)
                return held
            case f.Compared(left, sign, right):
                one, two = self._value(left, known), self._value(right, known)
                compared = {
                    "<": np.less,
                    "≤": np.less_equal,
                    "=": np.equal,
                    "≥": np.greater_equal,
                    ">": np.greater,
                }
                flags: Flags = compared[sign](one, two)
                return flags
            case f.AllOf(tests):
                every: Flags = np.all([self._holds(each, known) for each in tests], axis=0)
                return every & np.ones(len(self.rows), dtype=np.bool_)
            case f.AnyOf(tests):
                some: Flags = np.any([self._holds(each, known) for each in tests], axis=0)
                return some & np.ones(len(self.rows), dtype=np.bool_)
            case _:
                assert_never(test)

    def _satisfied(self, when: Condition) -> Flags:
        cells, gone = self.columns[when.name]
        empty = isinstance(when, IsMissing) or getattr(when, "or_missing", False)
        if isinstance(when, IsMissing):
            return gone
        if isinstance(when, Equals | OneOf):
            values = {when.value} if isinstance(when, Equals) else set(when.values)
            taken = np.array([cell in values for cell in cells])
        else:
            taken = _on_numbers(when, cells.astype(float))
        flags: Flags = np.where(gone, empty, taken)
        return flags


def _on_numbers(when: AtMost | Below | Above | AtLeast | Between, x: Numbers) -> Flags:
    with np.errstate(invalid="ignore"):
        match when:
            case AtMost(_, limit):
                return x <= limit
            case Below(_, limit):
                return x < limit
            case Above(_, limit):
                return x > limit
            case AtLeast(_, limit):
                return x >= limit
            case Between(_, low, high, _, low_included, high_included):
                above = x >= low if low_included else x > low
                flags: Flags = above & (x <= high if high_included else x < high)
                return flags
            case _:
                assert_never(when)


def _compared(program: ModelProgram) -> list[str]:
    """The steps that a proof compares."""
    return [program.answer, *program.shares, *([program.points] if program.points else [])]


def _differs(one: Numbers, other: Numbers) -> Flags:
    flags: Flags = (one != other) & ~(np.isnan(one) & np.isnan(other))
    return flags


def changed_rows(one: Numbers, other: Numbers) -> Flags:
    """[row] Is an answer, a share or the points another?"""
    with np.errstate(invalid="ignore"):
        alike = (one == other) | (np.abs(one - other) <= BOUND * np.maximum(1.0, np.abs(one)))
    alike |= np.isnan(one) & np.isnan(other)
    changed: Flags = ~alike.all(axis=1)
    return changed


def missed_mutants(
    model: Exportable, *, rows: Sequence[Row], mutants: int, random_count: int, seed: int = 0
) -> tuple[int, list[str]]:
    """How many of some mutants change what a random row is given, and those of them that no row notices."""
    program = program_to_export(model)
    made, by_chance = Batch(rows), Batch(random_rows(model, program, random_count, seed + 1))
    right, right_by_chance = made.steps(program), by_chance.steps(program)
    used = [steps_used(step) for step in program.steps]
    every = mutants_of(program)
    changed, missed = 0, []
    for each in every if len(every) <= mutants else Random(seed).sample(every, mutants):
        count = by_chance.changed_by(each, right_by_chance, used)
        if count:
            changed += 1
            if not made.changed_by(each, right, used):
                missed.append(f"{each.about} ({count:,} rows)")
    return changed, missed


def text_mutants(text: str, format: str) -> list[tuple[str, str]]:
    """A text damaged in one place: a comparison negated or moved, an "and" made "or", a number changed."""
    made = []
    for pattern, others in _IN_TEXT[format]:
        for found in re.finditer(pattern, text):
            for other in others:
                changed = found.expand(other)
                line = text.count("\n", 0, found.start()) + 1
                made.append(
                    (
                        f"line {line}: {found[0]} → {changed}",
                        text[: found.start()] + changed + text[found.end() :],
                    )
                )
    return made


_CODE = ((r" <= ", (" < ", " > ")), (r" < ", (" <= ", " >= ")), (r" > ", (" >= ", " <= ")))
_IN_TEXT: Mapping[str, Sequence[tuple[str, Sequence[str]]]] = {
    "python": (*_CODE, (r" == ", (" != ",)), (r" and ", (" or ",)), (r"(?<= )(\d+\.\d+)", (r"\g<1>1",))),
    "javascript": (*_CODE, (r" === ", (" !== ",)), (r" && ", (" || ",))),
    "sql": (*_CODE, (r" = ", (" <> ",)), (r" AND ", (" OR ",))),
}


def table_mutants(lines: Sequence[list[str]]) -> list[tuple[str, list[list[str]]]]:
    """The rows of a table without one of them, and with one of them behind the next."""
    made: list[tuple[str, list[list[str]]]] = []
    for at in range(len(lines)):
        made.append((f"row {at + 1} dropped", [*lines[:at], *lines[at + 1 :]]))
        if at + 1 < len(lines):
            made.append(
                (f"row {at + 1} after the next", [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])
            )
    return made


def tree_mutants(tree: Tree) -> list[tuple[str, Tree]]:
    """A tree with one surrogate turned or moved, one split moved, the counts of two leaves swapped, or rows
    that nothing sends sent elsewhere: any format writes it, as if it were the tree."""
    made: list[tuple[str, Tree]] = []

    def add(about: str, **columns: npt.NDArray[Any]) -> None:
        made.append((about, replace(tree, nodes=replace(tree.nodes, **columns))))

    nodes = tree.nodes
    for at in range(len(nodes.s_attribute)):
        add(f"surrogate {at} turned", s_branch=_changed(nodes.s_branch, at, 1 - nodes.s_branch[at]))
        if isinstance(tree.schema.attributes[nodes.s_attribute[at]], Numeric):
            for other in (math.nextafter(nodes.s_limit[at], math.inf), nodes.s_limit[at] * 1.1 + 1):
                add(f"surrogate {at} at {other}", s_limit=_changed(nodes.s_limit, at, other))
    leaves = np.flatnonzero(nodes.is_leaf).tolist()
    for one, other in pairwise(leaves):
        counts = nodes.counts.copy()
        counts[[one, other]] = counts[[other, one]]
        add(f"leaves {one} and {other} swapped", counts=counts)
    for node in np.flatnonzero(~nodes.is_leaf).tolist():
        left, right = nodes.children(node)
        if nodes.otherwise[node] >= 0:
            add(f"otherwise of {node}", otherwise=_changed(nodes.otherwise, node, 1 - nodes.otherwise[node]))
        if math.isfinite(nodes.high[left]):
            for cut in (math.nextafter(nodes.high[left], math.inf), nodes.high[left] * 1.1 + 1):
                add(
                    f"cut of {node}",
                    high=_changed(nodes.high, left, cut),
                    low=_changed(nodes.low, right, cut),
                )
    return made


def _changed(values: npt.NDArray[Any], place: int, other: Any) -> npt.NDArray[Any]:
    changed = values.copy()
    changed[place] = other
    return changed
