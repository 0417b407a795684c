"""A program as JSON, for the page: arrays that begin with what they are, a plain number as itself.

Formulas, and what they come to:

    3.5    ["number", "inf"]          the number; "inf", "-inf" or "nan" where JSON has none
    ["cell", column]                  the number in the row's cell, which is known
    ["step", name]                    what an earlier step came to
    ["+", x, …]    ["*", x, …]        added, multiplied, from the first to the last
    ["neg", x]    ["/", x, y]         −x, x ÷ y
    ["exp", x]    ["log", "e", x]     e to the power of x, the natural logarithm of x
    ["abs", x]    ["floor", x]        x without its sign, the largest whole number that is not above x
    ["max", x, …]                     the largest
    ["choose", [[test, x], …], y]     x of the first test that holds, else y
    ["lookup", [x, …], step]          the number at the place, from 0, that a step came to
    ["place_of_value", column, values, missing, unseen]
                                      the place of the cell among the values, or one of the other two
    ["place_of_number", column, cuts, missing]
                                      how many of the ascending cuts are below the cell
    ["kernel_density", column, points, logs, width]
                                      with h = log − 0.5 · d · d, d = (cell − point) ÷ width, of each point:
                                      the largest h + log Σ exp(h − largest) − log(width · √2π), or −∞ where
                                      the largest is −∞
    ["words", column, words, logs, base, once, reading]
                                      base and the log of each word of the text, every time it stands there or
                                      once; the reading is as in a model file

Tests, and when they hold:

    ["holds", condition]              the condition, as in a model file, holds for its cell
    ["compare", sign, x, y]           sign is one of < ≤ = ≥ >
    ["and", test, …]                  every one holds
    ["or", test, …]                   one holds

A step is [name, formula] or [name, formula, test]: where the test does not hold, no other step
needs it. `answer` is the step with the place of the class among `classes` (−1: no class), or without classes
the step with the number.
"""

from __future__ import annotations

import math
from typing import Any, assert_never

from msgspec import to_builtins

from clearwood.formulas import expressions as f
from clearwood.models.files.conditions import condition_to_form
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.table.text import TextReading


def program_to_json(program: ModelProgram) -> dict[str, Any]:
    """The program as objects, arrays, numbers and texts.

    >>> import clearwood as cw
    >>> from clearwood.models.program.program_of import program_of
    >>> table = cw.read_table({"x": [1, 2, 3, 4], "y": list("aabb")}, target="y")
    >>> written = program_to_json(program_of(cw.CART(missing="direction").learn(table)))
    >>> written["inputs"], written["answer"], written["shares"]
    (['x'], 'answer', ['share_1', 'share_2'])
    >>> written["steps"][1]
    ['share_1', ['lookup', [1.0, 0.0], 'leaf']]
    """
    written: dict[str, Any] = {
        "inputs": [each.name for each in program.inputs],
        "steps": [_step(each) for each in program.steps],
        "answer": program.answer,
    }
    if program.classes:
        written |= {"classes": list(program.classes), "shares": list(program.shares)}
    if program.region is not None:
        written |= {"region": program.region, "regions": list(program.regions)}
    if program.points is not None:
        written["points"] = program.points
    return written


def _step(step: ProgramStep) -> list[Any]:
    condition = [] if step.when is None else [test_to_json(step.when)]
    return [step.name, formula_to_json(step.value), *condition]


def formula_to_json(formula: f.Expression) -> Any:
    """The formula as an array, or a plain number."""
    formula = f.of_program(formula)
    match formula:
        case f.Number(value):
            return _number(float(value))
        case f.CellNumber(name):
            return ["cell", name]
        case f.Earlier(step):
            return ["step", step]
        case f.Sum() | f.Negative() | f.Product() | f.Quotient() | f.Exp() | f.Absolute() | f.Floor():
            return [f.JSON_NAMES[type(formula).__name__], *map(formula_to_json, f.parts_of(formula))]
        case f.Log(of):
            return ["log", "e", formula_to_json(of)]
        case f.Extreme(_, of):
            return ["max", *map(formula_to_json, of)]
        case f.Choose(cases, otherwise):
            written = [[test_to_json(each.when), formula_to_json(each.then)] for each in cases]
            return ["choose", written, formula_to_json(otherwise)]
        case f.Lookup(values, at):
            return ["lookup", _numbers(values), at]
        case f.PlaceOfValue(name, values, missing, unseen):
            return ["place_of_value", name, list(values), missing, unseen]
        case f.PlaceOfNumber(name, cuts, missing):
            return ["place_of_number", name, _numbers(cuts), missing]
        case f.LogOfBells(name, points, log_shares, width):
            return ["kernel_density", name, _numbers(points), _numbers(log_shares), _number(width)]
        case f.LogOfWords(name, words, logs, base, once, reading):
            return ["words", name, list(words), _numbers(logs), _number(base), once, _reading(reading)]
        case _:
            assert_never(formula)


def test_to_json(test: f.StepTest) -> list[Any]:
    """The test as an array."""
    match test:
        case f.Holds(condition):
            return ["holds", to_builtins(condition_to_form(condition))]
        case f.Compared(left, sign, right):
            return ["compare", sign, formula_to_json(left), formula_to_json(right)]
        case f.AllOf(tests):
            return ["and", *map(test_to_json, tests)]
        case f.AnyOf(tests):
            return ["or", *map(test_to_json, tests)]
        case _:
            assert_never(test)


def _number(value: float) -> Any:
    """A float is written with all its digits; JSON has none that is infinite, or no number."""
    return value if math.isfinite(value) else ["number", str(value)]


def _numbers(values: tuple[float, ...]) -> list[Any]:
    return [_number(each) for each in values]


def _reading(reading: TextReading) -> dict[str, Any]:
    return {"lower": reading.lower, "ngrams": list(reading.ngrams), "stop_words": list(reading.stop_words)}
