"""A scorecard as steps: the points of each cell, their sum, and the share that the sum stands for."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from clearwood.explain.additive_card import points_of_table
from clearwood.explain.card_lines import PointsPerUnit, column_of
from clearwood.explain.curve_groups import CellWords
from clearwood.explain.scorecard import Scorecard
from clearwood.export.program import formula as f
from clearwood.export.program.deciding import decided_by_shares
from clearwood.export.program.inputs import inputs_of
from clearwood.export.program.linking import linked_steps
from clearwood.export.program.program import ModelProgram, ProgramStep
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.conditions import Above, Below, IsMissing, OnNumbers, bounds_of
from clearwood.models.decision import Decision
from clearwood.table.attributes import Attribute, Nominal, Ordinal
from clearwood.table.table import MISSING, UNSEEN, Column


def program_of_card(card: Scorecard) -> ModelProgram:
    """The program of a scorecard. Unless a cutoff or costs decide, `favours` answers above `base` points."""
    steps: list[ProgramStep] = []
    places: dict[str, str] = {}
    cells: dict[str, Column] = {}
    added: list[f.StepFormula] = [f.Constant(float(card.start))]
    units = {line.name: line for line in card.lines if isinstance(line, PointsPerUnit)}
    for number, attribute in enumerate(inputs_of(card), 1):
        name = attribute.name
        if name in units:
            added.append(_by_unit(units[name]))
            continue
        place, cells[name] = _place(card, attribute)
        places[name] = f"place_{number}"
        steps.append(ProgramStep(places[name], place, f"of {name}", whole=True))
        points = card.points_of_column(name, cells[name])
        if points.any():
            added.append(f.Lookup(tuple(map(float, points.tolist())), places[name]))
    for number, table in enumerate(card.tables, 1):
        assert isinstance(card.model, AdditiveModel)
        down, across = (cells[name] for name in table.names)
        at = f"pair_{number}"
        cell = f.Total(
            (
                f.Multiplied((f.Earlier(places[table.names[0]]), f.Constant(float(len(across))))),
                f.Earlier(places[table.names[1]]),
            )
        )
        steps.append(ProgramStep(at, cell, f"of {table}", whole=True))
        both = points_of_table(card.model, table, down, across).ravel().tolist()
        added.append(f.Lookup(tuple(map(float, both)), at))
    asked = {part.at for part in added if isinstance(part, f.Lookup)} | {
        places[name] for table in card.tables for name in table.names
    }
    steps = [step for step in steps if step.name in asked]
    steps.append(ProgramStep("points", f.Total(tuple(added)), "the sum of the points"))
    classes = card.schema.classes
    own = classes.index(card.favours)
    odds = f.Multiplied(
        (
            f.Divided(
                f.Minus(f.Earlier("points"), f.Constant(card.base)), f.Constant(card.points_per_doubling)
            ),
            f.Constant(math.log(2)),
        )
    )
    steps.append(ProgramStep("log_odds", odds, f"of {card.favours}"))
    link, (other, favoured) = linked_steps(["log_odds"], "logistic", Decision())
    steps += link
    shares = (other, favoured) if own == 1 else (favoured, other)
    above = f.Compare(f.Earlier("points"), ">", f.Constant(card.base))
    plainly = f.Choose((f.ChoiceCase(above, f.Constant(float(own))),), f.Constant(float(1 - own)))
    rest = decided_by_shares(shares, card.decision, classes, plainly=plainly)
    return ModelProgram(
        inputs_of(card), (*steps, *rest.steps), rest.answer, classes, rest.shares, points="points"
    )


def cuts_of_column(card: Scorecard, name: str) -> tuple[float, ...]:
    """Ascending: the numbers between which all cells of a column have the same points."""
    bounds = (bounds_of(when) for when in _conditions(card, name) if isinstance(when, OnNumbers))
    return tuple(sorted({limit for both in bounds for limit in both if math.isfinite(limit)}))


def _conditions(card: Scorecard, name: str) -> Iterator[CellWords]:
    for line in card.lines:
        if not isinstance(line, PointsPerUnit) and column_of(line) == name:
            yield line.when
    for table in card.tables:
        yield from (when for when in (*table.down, *table.across) if when.name == name)


def _place(card: Scorecard, attribute: Attribute) -> tuple[f.StepFormula, Column]:
    """Which of a column's cells a row has, and for each a cell that stands for all that count as it does."""
    name = attribute.name
    if isinstance(attribute, Nominal | Ordinal):
        count = len(attribute.values)
        place = f.PlaceOfValue(name, attribute.values, missing=count, unseen=count + 1)
        return place, np.array([*range(count), MISSING, UNSEEN], dtype=np.int32)
    cuts = cuts_of_column(card, name)  # an interval holds its upper limit
    return f.PlaceOfNumber(name, cuts, missing=len(cuts) + 1), np.array([*cuts, math.inf, math.nan])


def _by_unit(line: PointsPerUnit) -> f.StepFormula:
    """Its points times the cell, rounded, and no more than a line may have."""
    cases = [f.ChoiceCase(f.Holds(IsMissing(line.name)), f.Constant(float(line.missing)))]
    if math.isfinite(line.reach):
        for beyond, number in (
            (Above(line.name, line.reach), line.reach),
            (Below(line.name, -line.reach), -line.reach),
        ):
            cases.append(
                f.ChoiceCase(f.Holds(beyond), f.Constant(float(math.floor(number * line.points + 0.5))))
            )
    product = f.Multiplied((f.Constant(line.points), f.CellNumber(line.name)))
    return f.Choose(tuple(cases), f.FloorOf(f.Total((product, f.Constant(0.5)))))
