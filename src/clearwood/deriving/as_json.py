"""Derivations as JSON, for pages and programs: small, strict, and one step at a time where there are many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never

from clearwood.formulas.expressions import Expression, expression_to_json, number_to_json
from clearwood.models.kinds.tree.tree import Surrogate
from clearwood.working import derivation as outcomes
from clearwood.working.derivation import MOST_ROWS, Derivation, Step, shown_rows
from clearwood.working.figures import Figure, Grid, GridCell, Rows

MOST_WORK: Final = 6


class Formulas:
    """The formulas of a derivation, each held once; figures name theirs by number."""

    def __init__(self) -> None:
        self._numbers: dict[Expression, int] = {}
        self._same: dict[int, tuple[Expression, int]] = {}  # by identity: an expression is long to hash

    def number_of(self, formula: Expression) -> int:
        if id(formula) not in self._same:
            number = self._numbers.setdefault(formula, len(self._numbers))
            self._same[id(formula)] = formula, number
        return self._same[id(formula)][1]

    def to_json(self) -> list[Any]:
        return [expression_to_json(each) for each in self._numbers]


def derivation_to_json(
    derivation: Derivation, *, most_rows: int | None = MOST_ROWS, most_work: int = MOST_WORK
) -> dict[str, Any]:
    """The whole derivation; docs/derivations.md says what each key holds."""
    formulas = Formulas()
    steps = [step_to_json(step, formulas, most_rows=most_rows, most_work=most_work) for step in derivation]
    return {"title": derivation.title, "formulas": formulas.to_json(), "steps": steps}


def step_to_json(
    step: Step, formulas: Formulas, *, most_rows: int | None = MOST_ROWS, most_work: int = MOST_WORK
) -> dict[str, Any]:
    """One step; its figures' formulas are added to `formulas`, whose `to_json` is written at the end.

    Of a grid at most `most_rows` are written, those around the chosen one. Where it has no more than
    `most_work` rows, the figure each stands for is written too; of a longer one that of the chosen row, and
    with 0 none.
    """
    writer = _Writer(formulas, most_rows, most_work)
    return _without_nothing(
        {
            "chapter": step.chapter,
            "title": step.title,
            "figures": [writer.figure(each) for each in step.figures],
            "decision": step.decision,
            "outcome": None if step.outcome is None else outcome_to_json(step.outcome),
            "rows": None if step.rows is None else _rows(step.rows),
            "node": step.node,
        }
    )


def outcome_to_json(outcome: outcomes.Outcome) -> dict[str, Any]:
    """What was decided, under `what`; conditions and rules as they print."""
    match outcome:
        case outcomes.BecameSplit():
            return _without_nothing(
                {
                    "what": "asked",
                    "branches": [str(each) for each in outcome.branches],
                    "shares": [number_to_json(each) for each in outcome.shares],
                    "scores": {name: number_to_json(score) for name, score in outcome.scores},
                    "counts": [number_to_json(each) for each in outcome.counts],
                    "surrogates": [_surrogate(each) for each in outcome.surrogates],
                    "otherwise": outcome.otherwise,
                }
            )
        case outcomes.Stopped(counts):
            return {"what": "stopped", "counts": [number_to_json(each) for each in counts]}
        case outcomes.Kept(place):
            return _without_nothing({"what": "kept", "place": place})
        case outcomes.BecameLeaf(place):
            return _without_nothing({"what": "cut", "place": place})
        case outcomes.Raised(branch, place):
            return _without_nothing({"what": "raised", "branch": branch, "place": place})
        case outcomes.Taken(rule):
            return {"what": "taken", "rule": str(rule)}
        case outcomes.Became(before, after):
            return {"what": "became", "before": str(before), "after": None if after is None else str(after)}
        case outcomes.Ordered(rules):
            return {"what": "ordered", "rules": [str(each) for each in rules]}
        case outcomes.Defaulted(answer):
            return {
                "what": "defaulted",
                "said": number_to_json(answer) if isinstance(answer, float) else answer,
            }
        case outcomes.Answered(answer):
            return {"what": "answer", "said": number_to_json(answer) if isinstance(answer, float) else answer}
        case _:
            assert_never(outcome)


class _Writer:
    """Writes the figures of one step; one that stands there twice is written once and referred to."""

    def __init__(self, formulas: Formulas, most_rows: int | None, most_work: int) -> None:
        self._formulas, self._most_rows, self._most_work = formulas, most_rows, most_work
        self._numbers: dict[object, list[tuple[Expression | None, int]]] = {}
        self._written = 0

    def figure(self, figure: Figure) -> dict[str, Any]:
        value = _cell(figure.value)
        alike = self._numbers.setdefault((figure.name, figure.value), [])
        for put_in, number in alike:
            if put_in == figure.put_in:
                return {"name": figure.name, "value": value, "again": number}
        alike.append((figure.put_in, self._written))
        self._written += 1
        exact = figure.exact
        return _without_nothing(
            {
                "name": figure.name,
                "value": value,
                "unit": figure.unit,
                "exact": None if exact is None or exact.denominator == 1 else number_to_json(exact),
                "formula": None if figure.formula is None else self._formulas.number_of(figure.formula),
                "put_in": None if figure.put_in is None else expression_to_json(figure.put_in),
                "rows": None if figure.rows is None else _rows(figure.rows),
                "because": figure.because,
                "grids": [self._grid(each) for each in figure.grids],
                "under": [self.figure(each) for each in figure.under],
            }
        )

    def _grid(self, grid: Grid) -> dict[str, Any]:
        shown = shown_rows(len(grid.rows), grid.chosen, self._most_rows)
        rows = [grid.rows[place] for place in shown]
        after = len(grid.rows) - shown.stop
        return _without_nothing(
            {
                "title": grid.title,
                "columns": list(grid.columns),
                "cells": [[_cell(row[column]) for row in rows] for column in range(len(grid.columns))],
                "chosen": None if grid.chosen is None else grid.chosen - shown.start,
                "more": [shown.start, after] if shown.start or after else None,
                "work": {str(place - shown.start): work for place, work in self._work(grid, shown)},
            }
        )

    def _work(self, grid: Grid, shown: range) -> Iterator[tuple[int, dict[str, Any]]]:
        if grid.figure_of is None or not self._most_work:
            return
        places = shown if len(grid.rows) <= self._most_work else () if grid.chosen is None else (grid.chosen,)
        for place in places:
            yield place, self.figure(grid.figure_of(place))


def _surrogate(surrogate: Surrogate) -> dict[str, Any]:
    return {
        "when": str(surrogate.when),
        "then": surrogate.then,
        "otherwise": str(surrogate.otherwise),
        "agreement": surrogate.agreement,
    }


def _rows(rows: Rows) -> dict[str, Any]:
    return {"weight": number_to_json(rows.weight), "when": str(rows)}


_AS_THEY_ARE: Final = (str, bool)  # a tuple: there are hundreds of thousands of cells, and `|` makes a type


def _cell(cell: GridCell) -> Any:
    return cell if cell is None or isinstance(cell, _AS_THEY_ARE) else number_to_json(cell)


def _without_nothing(content: dict[str, Any]) -> dict[str, Any]:
    """Leave out every key whose content is None or empty; `value` stays even then."""
    return {name: each for name, each in content.items() if each or each == 0 or name == "value"}
