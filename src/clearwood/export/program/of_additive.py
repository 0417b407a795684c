"""An additive model as steps: the place of each cell, its points, their sum, and the link."""

import math
from collections.abc import Iterator, Sequence
from typing import assert_never

import numpy as np

from clearwood.explain.card_lines import PointsPerUnit, column_of
from clearwood.explain.cards_of_models import points_of_table
from clearwood.explain.curve_groups import CellWords
from clearwood.explain.scorecard import Scorecard
from clearwood.export.program import formula as f
from clearwood.export.program.deciding import decided_by_shares
from clearwood.export.program.formula import (
    Constant,
    Earlier,
    Lookup,
    Multiplied,
    PlaceOfNumber,
    PlaceOfValue,
    StepFormula,
    Total,
)
from clearwood.export.program.program import ModelProgram, ProgramStep, inputs_of
from clearwood.models.conditions import Above, Below, IsMissing, OnNumbers, bounds_of
from clearwood.models.decision import Decision
from clearwood.models.kinds.additive.additive_model import AdditiveModel, cells_of_shape
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.predict.of_additive import TermSide, curves_in, name_of, sides_of
from clearwood.table.attributes import Attribute, Nominal, Ordinal
from clearwood.table.table import MISSING, UNSEEN, Column


def program_of_additive(model: AdditiveModel) -> ModelProgram:
    """The program of an additive model."""
    steps: list[ProgramStep] = []
    places: dict[TermSide, str] = {}
    added: list[list[StepFormula]] = [[Constant(each)] for each in model.base]
    for number, term in enumerate(curves_in(model), 1):
        sides = sides_of(term)
        for side in sides:
            if side not in places:
                places[side] = f"place_{len(places) + 1}"
                steps.append(ProgramStep(places[side], _place(model, side), f"of {side[0]}", whole=True))
        at = places[sides[0]]
        if len(sides) == 2:
            at = f"pair_{number}"
            across = Constant(float(cells_of_shape(model.schema, *sides[1])))
            cell = Total((Multiplied((Earlier(places[sides[0]]), across)), Earlier(places[sides[1]])))
            steps.append(ProgramStep(at, cell, f"of {name_of(term)}", whole=True))
        for score, points in enumerate(term.points):
            added[score].append(Lookup(points, at))
    scores = [f"score_{c}" for c in range(1, len(model.base) + 1)]
    steps += [ProgramStep(name, Total(tuple(terms))) for name, terms in zip(scores, added, strict=True)]
    link, answers = linked_steps(scores, model.link, model.decision)
    steps += link
    if model.is_numeric:
        return ModelProgram(inputs_of(model), tuple(steps), answers[0])
    rest = decided_by_shares(answers, model.decision, model.schema.classes)
    return ModelProgram(
        inputs_of(model), (*steps, *rest.steps), rest.answer, model.schema.classes, rest.shares
    )


def _place(model: AdditiveModel, side: TermSide) -> StepFormula:
    """The cell of a curve: an interval or a value; then missing, then unseen."""
    name, cuts = side
    attribute = model.schema[name]
    if isinstance(attribute, Nominal | Ordinal):
        values = attribute.values
        return PlaceOfValue(name, values, missing=len(values), unseen=len(values) + 1)
    return PlaceOfNumber(name, cuts, missing=len(cuts) + 1)


# A scorecard as steps: the points of each cell, their sum, and the share that the sum stands for.


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
        place, cells[name] = _of_card_place(card, attribute)
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


def _of_card_place(card: Scorecard, attribute: Attribute) -> tuple[f.StepFormula, Column]:
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


# The link as steps: from the scores of a sum to shares or a number, as `predict/of_additive.py`.


def linked_steps(
    scores: Sequence[str], link: Link, decision: Decision
) -> tuple[list[ProgramStep], tuple[str, ...]]:
    """The steps behind the scores, and which of them are the shares, or the number."""
    match link:
        case "identity":
            return [], (scores[0],)
        case "exp":
            return [ProgramStep("number", f.ExpOf(f.Earlier(scores[0])))], ("number",)
        case "logistic":
            score = f.Earlier(scores[0])
            tail = ProgramStep("tail", f.ExpOf(f.Minus(f.ZERO, f.Absolute(score))))
            under = f.Total((f.ONE, f.Earlier("tail")))
            likely, other = f.Divided(f.ONE, under), f.Divided(f.Earlier("tail"), under)
            positive = f.Compare(score, ">=", f.ZERO)
            first = ProgramStep("linked_1", f.Choose((f.ChoiceCase(positive, other),), likely))
            second = ProgramStep("linked_2", f.Choose((f.ChoiceCase(positive, likely),), other))
            return _with_factors([tail, first, second], ("linked_1", "linked_2"), decision)
        case "softmax":
            highest = ProgramStep("highest", f.Largest(tuple(f.Earlier(each) for each in scores)))
            raised = [
                ProgramStep(f"raised_{c}", f.ExpOf(f.Minus(f.Earlier(each), f.Earlier("highest"))))
                for c, each in enumerate(scores, 1)
            ]
            total = ProgramStep("raised", f.Total(tuple(f.Earlier(each.name) for each in raised)))
            shares = [
                ProgramStep(f"linked_{c}", f.Divided(f.Earlier(each.name), f.Earlier("raised")))
                for c, each in enumerate(raised, 1)
            ]
            names = tuple(each.name for each in shares)
            return _with_factors([highest, *raised, total, *shares], names, decision)
        case _:
            assert_never(link)


def _with_factors(
    steps: list[ProgramStep], shares: tuple[str, ...], decision: Decision
) -> tuple[list[ProgramStep], tuple[str, ...]]:
    """Shares times the decision's factors, over their sum; equal ones where there is nothing to divide."""
    if not decision.factors:
        return steps, shares
    weighed = [
        ProgramStep(f"weighed_{c}", f.Multiplied((f.Earlier(share), f.Constant(factor))))
        for c, (share, factor) in enumerate(zip(shares, decision.factors, strict=True), 1)
    ]
    total = ProgramStep("weighed", f.Total(tuple(f.Earlier(each.name) for each in weighed)))
    some = f.Compare(f.Earlier("weighed"), ">", f.ZERO)
    even: f.StepFormula = f.Constant(1.0 / len(shares))
    by_factor = [
        ProgramStep(
            f"factored_{c}",
            f.Choose((f.ChoiceCase(some, f.Divided(f.Earlier(each.name), f.Earlier("weighed"))),), even),
        )
        for c, each in enumerate(weighed, 1)
    ]
    return [*steps, *weighed, total, *by_factor], tuple(each.name for each in by_factor)
