"""The program of what can be exported, as languages are given it: none too large, and no sum too long."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.errors import SettingError
from clearwood.explaining.card_lines import PointsPerUnit, column_of
from clearwood.explaining.cards_of_models import points_of_table
from clearwood.explaining.curve_groups import CellWords
from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import Exportable, inputs_of
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import Above, Below, IsMissing, OnNumbers, bounds_of
from clearwood.formulas.expressions import Choose, Earlier, Expression, Sum
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble_program import member_program
from clearwood.models.model import AdditiveModel, Ensemble
from clearwood.models.program.deciding import decided_by_shares, linked_steps
from clearwood.models.program.program import ModelProgram, ProgramStep, needed_steps, program_parts
from clearwood.models.program.program_of import program_of
from clearwood.table.attributes import Attribute, Nominal, Ordinal
from clearwood.table.table import MISSING, UNSEEN, Column

MOST_NODES: Final = 60_000  # some 10 MB of text

MOST_PARTS: Final = 4 * MOST_NODES  # of other members: a node is a test, its limit, where it leads


def program_to_export(of: Exportable) -> ModelProgram:
    """Its program, with short sums; an ensemble that is too large for one is refused."""
    if isinstance(of, Ensemble) and (because := refusal_of_ensemble(of)) is not None:
        raise SettingError(because)
    if not isinstance(of, Scorecard):
        return with_short_sums(program_of(of))
    program = program_of_card(of)
    return with_short_sums(replace(program, steps=needed_steps(program.steps, program.outputs)))


def refusal_of_ensemble(ensemble: Ensemble) -> str | None:
    """Why there is no program of it; None: there is one."""
    if ensemble.trees is not None:
        nodes = len(ensemble.trees.nodes)
        if nodes <= MOST_NODES:
            return None
        return (
            f"This ensemble has {nodes:,} nodes, more than a program should have ({MOST_NODES:,}). "
            "Learn fewer or shallower trees, or distil it to a tree: distil(model, table)."
        )
    parts = parts_of_members(ensemble)
    if parts <= MOST_PARTS:
        return None
    return (
        f"The members of this ensemble come to {parts:,} formulas and numbers, more than a program should "
        f"have ({MOST_PARTS:,}). Learn fewer or smaller members, or distil it to a tree: "
        "distil(model, table)."
    )


def parts_of_members(ensemble: Ensemble) -> int:
    """How many formulas and numbers the members' programs are made of."""
    return sum(_parts(member_program(each)) for each in ensemble.models)


def _parts(program: ModelProgram) -> int:
    count = 0
    for part in program_parts(program.steps):
        count += 1
        match part:
            case f.Lookup(values) | f.PlaceOfValue(_, values):
                count += len(values)
            case f.PlaceOfNumber(_, cuts):
                count += len(cuts)
            case f.LogOfBells(_, points):
                count += 2 * len(points)
            case f.LogOfWords(_, words):
                count += 2 * len(words)
            case _:
                pass
    return count


# Long sums in pieces: a step for each hundred terms, in the same order; languages nest only so deep.


_MOST_TERMS: Final = 100


def with_short_sums(program: ModelProgram) -> ModelProgram:
    """The same program without long sums.

    >>> from clearwood.formulas.expressions import ONE
    >>> long = ModelProgram((), (ProgramStep("number", Sum((ONE,) * 250)),), "number")
    >>> [(step.name, len(step.value.terms)) for step in with_short_sums(long).steps]
    [('number_part_1', 100), ('number_part_2', 101), ('number', 51)]
    """
    return replace(program, steps=tuple(piece for step in program.steps for piece in _pieces(step)))


def _pieces(step: ProgramStep) -> Iterator[ProgramStep]:
    if not isinstance(step.value, Sum):
        yield step
        return
    terms: list[Expression] = []
    for number, term in enumerate(step.value.terms, 1):
        then = term.cases[0].then if isinstance(term, Choose) and len(term.cases) == 1 else None
        if isinstance(term, Choose) and isinstance(then, Sum) and _is_long(then):
            case, name = term.cases[0], f"{step.name}_term_{number}"
            yield from _in_parts(replace(step, name=name, when=case.when), then.terms)
            term = replace(term, cases=(replace(case, then=Earlier(name)),))
        terms.append(term)
    yield from _in_parts(step, terms)


def _in_parts(step: ProgramStep, terms: Sequence[Expression]) -> Iterator[ProgramStep]:
    left, before, number = list(terms), list[Expression](), 0
    while len(left) > _MOST_TERMS:
        number += 1
        name = f"{step.name}_part_{number}"
        part = Sum((*before, *left[:_MOST_TERMS]))
        yield replace(step, name=name, value=part, about="")
        before, left = [Earlier(name)], left[_MOST_TERMS:]
    yield replace(step, value=Sum((*before, *left)))


def _is_long(total: Sum) -> bool:
    return len(total.terms) > _MOST_TERMS


# A scorecard as steps: the points of each cell, their sum, and the share that the sum stands for.


def program_of_card(card: Scorecard) -> ModelProgram:
    """The program of a scorecard. Unless a cutoff or costs decide, `favours` answers above `base` points."""
    steps: list[ProgramStep] = []
    places: dict[str, str] = {}
    cells: dict[str, Column] = {}
    added: list[f.Expression] = [f.Number(float(card.start))]
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
        cell = f.Sum(
            (
                f.Product((f.Earlier(places[table.names[0]]), f.Number(float(len(across))))),
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
    steps.append(ProgramStep("points", f.Sum(tuple(added)), "the sum of the points"))
    classes = card.schema.classes
    own = classes.index(card.favours)
    odds = f.Product(
        (
            f.Quotient(
                f.difference(f.Earlier("points"), f.Number(card.base)), f.Number(card.points_per_doubling)
            ),
            f.Number(math.log(2)),
        )
    )
    steps.append(ProgramStep("log_odds", odds, f"of {card.favours}"))
    link, (other, favoured) = linked_steps(["log_odds"], "logistic", Decision())
    steps += link
    shares = (other, favoured) if own == 1 else (favoured, other)
    above = f.Compared(f.Earlier("points"), ">", f.Number(card.base))
    plainly = f.Choose((f.ChoiceCase(above, f.Number(float(own))),), f.Number(float(1 - own)))
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


def _of_card_place(card: Scorecard, attribute: Attribute) -> tuple[f.Expression, Column]:
    """Which of a column's cells a row has, and for each a cell that stands for all that count as it does."""
    name = attribute.name
    if isinstance(attribute, Nominal | Ordinal):
        count = len(attribute.values)
        place = f.PlaceOfValue(name, attribute.values, missing=count, unseen=count + 1)
        return place, np.array([*range(count), MISSING, UNSEEN], dtype=np.int32)
    cuts = cuts_of_column(card, name)  # an interval holds its upper limit
    return f.PlaceOfNumber(name, cuts, missing=len(cuts) + 1), np.array([*cuts, math.inf, math.nan])


def _by_unit(line: PointsPerUnit) -> f.Expression:
    """Its points times the cell, rounded, and no more than a line may have."""
    cases = [f.ChoiceCase(f.Holds(IsMissing(line.name)), f.Number(float(line.missing)))]
    if math.isfinite(line.reach):
        for beyond, number in (
            (Above(line.name, line.reach), line.reach),
            (Below(line.name, -line.reach), -line.reach),
        ):
            cases.append(
                f.ChoiceCase(f.Holds(beyond), f.Number(float(math.floor(number * line.points + 0.5))))
            )
    product = f.Product((f.Number(line.points), f.CellNumber(line.name)))
    return f.Choose(tuple(cases), f.Floor(f.Sum((product, f.Number(0.5)))))
