"""A program written as JSON says all that the program does: an interpreter of the arrays gives the same."""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from operator import add, mul
from typing import Any

import pytest
from msgspec import convert

from clearwood.formulas.conditions import holds
from clearwood.models.decision import Decision, Isotonic, Platt
from clearwood.models.files.conditions import ConditionForm, condition_from_form
from clearwood.models.program.evaluating import evaluated
from clearwood.models.program.program_json import program_to_json
from clearwood.models.program.program_of import program_of
from clearwood.table.schema import Schema
from clearwood.table.text import TextReading, words_of
from tests.exporting.models_to_export import learners, made_rows, made_table

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")

ROWS = [*made_rows(25, 7, missing=0.2, unseen=0.1), *made_rows(1, 9, missing=1.0)]
PLATT = Decision(calibration=Platt((1.5, 0.7, 1.0), (-0.2, 0.3, 0.0)), refer=0.5)
ISOTONIC = Decision(calibration=Isotonic(((0.1, 0.4), (0.0, 1.0), (0.5,)), ((0.0, 0.5), (0.1, 1.0), (0.4,))))


class Interpreter:
    """What the table in `program_json.py` says, said once more."""

    def __init__(self, schema: Schema, row: Mapping[str, Any]) -> None:
        self.schema, self.row, self.steps = schema, row, dict[str, float]()

    def run(self, program: Mapping[str, Any]) -> dict[str, float]:
        for name, formula, *when in program["steps"]:
            if not when or self.holds(when[0]):
                self.steps[name] = self.value(formula)
        return self.steps

    def value(self, of: Any) -> float:
        if not isinstance(of, list):
            return float(of)
        kind, *parts = of
        match kind:
            case "number":
                return float(parts[0])
            case "cell":
                return float(self.row[parts[0]])
            case "step":
                return self.steps[parts[0]]
            case "+" | "*":
                return reduce(add if kind == "+" else mul, map(self.value, parts))
            case "neg":
                return -self.value(parts[0])
            case "/":
                return self.value(parts[0]) / self.value(parts[1])
            case "exp":
                power = self.value(parts[0])
                return math.exp(power) if power < 710 else math.inf
            case "log":
                assert parts[0] == "e"
                return math.log(self.value(parts[1]))
            case "abs":
                return abs(self.value(parts[0]))
            case "floor":
                return float(math.floor(self.value(parts[0])))
            case "max":
                return max(map(self.value, parts))
            case "choose":
                return self.value(next((then for test, then in parts[0] if self.holds(test)), parts[1]))
            case "lookup":
                return self.value(parts[0][int(self.steps[parts[1]])])
            case "place_of_value":
                name, values, missing, unseen = parts
                cell = self.row[name]
                return float(missing if cell is None else values.index(cell) if cell in values else unseen)
            case "place_of_number":
                name, cuts, missing = parts
                cell = self.row[name]
                return float(missing if cell is None else bisect_left(cuts, cell))
            case "kernel_density":
                name, points, logs, width = parts
                away = [(self.row[name] - point) / width for point in points]
                heights: list[float] = [log - 0.5 * each * each for log, each in zip(logs, away, strict=True)]
                most: float = max(heights)
                if most == -math.inf:
                    return most
                total = sum(math.exp(each - most) for each in heights)
                return most + math.log(total) - math.log(width * math.sqrt(2 * math.pi))
            case "words":
                name, words, logs, base, once, reading = parts
                met = words_of(self.row[name], convert(reading, TextReading))
                logs_of = dict(zip(words, logs, strict=True))
                counted = dict.fromkeys(met) if once else met
                return float(reduce(add, [logs_of[each] for each in counted if each in logs_of], base))
        raise AssertionError(kind)

    def holds(self, test: list[Any]) -> bool:
        kind, *parts = test
        match kind:
            case "holds":
                condition = condition_from_form(convert(parts[0], ConditionForm), self.schema)
                return holds(condition, self.row[condition.name])
            case "compare":
                one, two = self.value(parts[1]), self.value(parts[2])
                signs = {"<": one < two, "≤": one <= two, "=": one == two, "≥": one >= two, ">": one > two}
                return signs[parts[0]]
            case "and":
                return all(map(self.holds, parts))
            case "or":
                return any(map(self.holds, parts))
        raise AssertionError(kind)


@pytest.mark.parametrize("decision", [None, PLATT, ISOTONIC], ids=["plain", "platt", "isotonic"])
@pytest.mark.parametrize("name", list(learners()))
def test_the_written_program_gives_every_row_the_same_digits(name: str, decision: Decision | None) -> None:
    model = learners()[name].learn(made_table())
    program = program_of(model if decision is None else replace(model, decision=decision))
    written = json.loads(json.dumps(program_to_json(program), allow_nan=False))
    for row in ROWS:
        given = evaluated(program, row)
        steps = Interpreter(model.schema, row).run(written)
        code = steps[written["answer"]]
        assert (None if code < 0 else written["classes"][int(code)]) == given.answer
        assert [steps[each] for each in written["shares"]] == list(given.shares)


def test_numbers_read_back_exactly() -> None:
    from clearwood.formulas import expressions as f
    from clearwood.models.program.program_json import formula_to_json

    numbers = (0.1 + 0.2, -0.0, 5e-324, 1.7976931348623157e308, math.inf, -math.inf, math.nan, 2.0**60)
    read = json.loads(json.dumps(formula_to_json(f.Lookup(numbers, "at")), allow_nan=False))
    interpreter = Interpreter(Schema((), None), {})
    assert [repr(interpreter.value(each)) for each in read[1]] == [repr(each) for each in numbers]
