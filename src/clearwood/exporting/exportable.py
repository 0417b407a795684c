"""What can be exported, a model or a scorecard made of one: what is asked of it, and its program."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import count
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.errors import SettingError
from clearwood.explaining.card_lines import PointsPerUnit
from clearwood.explaining.cards_of_models import points_in_table
from clearwood.explaining.scorecard import Scorecard, scorecard
from clearwood.formulas import expressions as f
from clearwood.formulas.conditions import OnNumbers, bounds_of
from clearwood.models.account.account import Account, ColumnPlaces, Places, Slope, added_steps, side_of
from clearwood.models.decision import Decision
from clearwood.models.files import to_json
from clearwood.models.kinds.bayes.distributions import Words
from clearwood.models.kinds.ensemble.ensemble_program import member_program
from clearwood.models.model import (
    AdditiveModel,
    BayesTables,
    Ensemble,
    LinearModel,
    Model,
    check_kind,
    how_large,
    model_in_words,
)
from clearwood.models.program.deciding import decided_by_shares, linked_steps
from clearwood.models.program.program import ModelProgram, ProgramStep, needed_steps, program_parts
from clearwood.models.program.program_of import program_of
from clearwood.models.space.space_of import columns_used, inputs_used
from clearwood.predicting.batch import predict, shares
from clearwood.table import encode
from clearwood.table.attributes import Attribute
from clearwood.table.raw import Row
from clearwood.table.table import MISSING, UNSEEN, Column, Table
from clearwood.words.numbers import many

Exportable: TypeAlias = Model | Scorecard


def check_exportable(verb: str, given: object) -> None:
    """Refuse what is neither a model nor a scorecard."""
    if not isinstance(given, Scorecard):
        check_kind(verb, given)


def _model_of(of: Exportable) -> Model:
    return of.model if isinstance(of, Scorecard) else of


def inputs_of(of: Exportable) -> tuple[Attribute, ...]:
    """The attributes of the columns that rows must have, in the order of the schema."""
    return inputs_used(_model_of(of))


def table_of_rows(of: Exportable, rows: Sequence[Row]) -> Table:
    """Rows as a table, read by the schema."""
    schema = replace(of.schema, target=None, weight=None, read_as={})  # an export takes cells as they are
    if needed := columns_used(_model_of(of)):
        return encode(list(rows), schema, only=needed)
    # Rows of no columns are as many as there are, and nothing to read.
    return Table(schema, {}, rows=len(rows))


def cells_to_prepare(of: Exportable) -> str:
    """What must be done to rows before an export is asked, as the model does it itself; often nothing.

    >>> import clearwood as cw
    >>> table = cw.read_table({"age": [31, -9, 40], "y": ["a", "b", "b"]}, target="y", missing={"age": "-9"})
    >>> cells_to_prepare(cw.NaiveBayes().learn(table))
    'Before asking it, leave -9 of age empty: the model reads it so.'
    """
    needed = columns_used(_model_of(of))
    emptied, renamed = [], []
    for name, changes in of.schema.read_as.items():
        if not name or name in needed:
            where = f" of {name}" if name else ""
            emptied += [f"{old}{where}" for old, new in changes.items() if new is None]
            renamed += [f"{old}{where} by {new}" for old, new in changes.items() if new is not None]
    todo = [f"leave {', '.join(emptied)} empty"] if emptied else []
    todo += [f"replace {', '.join(renamed)}"] if renamed else []
    return f"Before asking it, {' and '.join(todo)}: the model reads it so." if todo else ""


def answers_given_by(of: Exportable, rows: Any) -> list[str | float | None]:
    """What it answers to each row."""
    answers: list[str | float | None] = (
        of.predict(rows).tolist() if isinstance(of, Scorecard) else predict(of, rows).tolist()
    )
    return answers


def shares_given_by(of: Exportable, rows: Any) -> Floats:
    """[row, class] the share of each class."""
    return of.class_shares(rows) if isinstance(of, Scorecard) else shares(of, rows)


def points_given_by(of: Exportable, rows: Any) -> list[float] | None:
    """The sum of each row's points; None: it gives none."""
    return [float(each) for each in of.score(rows).tolist()] if isinstance(of, Scorecard) else None


def gives_points(of: Exportable) -> bool:
    """Does it give points beside its answer?"""
    return isinstance(of, Scorecard)


def export_title(of: Exportable) -> str:
    """What made it, and how large it is: `ID3, 5 leaves`."""
    if isinstance(of, Scorecard):
        return f"a scorecard of {of.origin.title}, {_lines_of_card(of)}"
    return f"{of.origin.title}, {how_large(of)}"


def _lines_of_card(card: Scorecard) -> str:
    """How many lines a person reads, tables being one each."""
    return many(len(card.lines) + len(card.tables), "line")


def settings_of_card(of: Exportable) -> dict[str, Any]:
    """What makes the scorecard of its model again; empty of a model."""
    return of.settings if isinstance(of, Scorecard) else {}


def card_again(of: Exportable, settings: Mapping[str, Any]) -> Exportable:
    """The scorecard that was made of a model with these settings; without any, what is given."""
    if isinstance(of, Scorecard) or not settings:
        return of
    check_kind("scorecard", of, LinearModel, AdditiveModel)
    assert isinstance(of, LinearModel | AdditiveModel)
    return scorecard(of, **settings)


def export_in_words(of: Exportable) -> str:
    """What it is, for a sentence: `a list of 2 rules`."""
    return f"a scorecard of {_lines_of_card(of)}" if isinstance(of, Scorecard) else model_in_words(of)


def fingerprint_of(of: Exportable) -> str:
    """The SHA-256 of its text: of a model as Clearwood writes it, of a card that and all that is its own."""
    text = to_json(_model_of(of))
    if isinstance(of, Scorecard):
        lines = [repr(each) for each in (*of.lines, *of.tables)]  # every part of a line is written out
        text += json.dumps([of.favours, of.points_per_doubling, of.base, of.start, *lines])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# The program of what can be exported, as languages are given it: none too large, and no sum too long.


MOST_NODES: Final = 60_000  # some 10 MB of text

MOST_PARTS: Final = 4 * MOST_NODES  # of other members: a node is a test, its limit, where it leads


def program_to_export(of: Exportable) -> ModelProgram:
    """Its program, with short sums; an ensemble that is too large for one is refused."""
    if (because := refused_by_program(of)) is not None:
        raise SettingError(because)
    if not isinstance(of, Scorecard):
        return with_short_sums(program_of(of))
    program = program_of_card(of)
    return with_short_sums(replace(program, steps=needed_steps(program.steps, program.outputs)))


def refused_by_program(of: Exportable) -> str | None:
    """Why no program says what it does, found out before anything is written; None: one does."""
    if not isinstance(of, Ensemble):
        return None
    if of.trees is None:
        parts = sum(_parts_of(member_program(each)) for each in of.models)
        if parts > MOST_PARTS:
            return (
                f"The members of this ensemble come to {parts:,} formulas and numbers, more than a program "
                f"should have ({MOST_PARTS:,}). Learn fewer or smaller members, or distil it to a tree: "
                "distil(model, table)."
            )
    elif (nodes := len(of.trees.nodes)) > MOST_NODES:
        return (
            f"This ensemble has {nodes:,} nodes, more than a program should have ({MOST_NODES:,}). "
            "Learn fewer or shallower trees, or distil it to a tree: distil(model, table)."
        )
    return None


def _parts_of(program: ModelProgram) -> int:
    """How many formulas and numbers a program is made of."""
    size = 0
    for part in program_parts(program.steps):
        match part:
            case f.Lookup(values) | f.PlaceOfValue(_, values) | f.PlaceOfNumber(_, values):
                size += 1 + len(values)
            case f.LogOfBells(_, values) | f.LogOfWords(_, values):
                size += 1 + 2 * len(values)
            case _:
                size += 1
    return size


def refused_without_words(of: Exportable) -> str | None:
    """The same for a format that cannot tell the words of a text apart."""
    if texts := reads_texts(of):
        return (
            f"This format cannot tell the words of the text '{texts[0]}' apart as Clearwood does. "
            "Export a model of texts to python or javascript."
        )
    return refused_by_program(of)


def reads_texts(of: Exportable) -> tuple[str, ...]:
    """The columns whose words a model reads."""
    if isinstance(of, Ensemble):
        return tuple(dict.fromkeys(name for each in of.models for name in reads_texts(each)))
    distributions = of.distributions if isinstance(of, BayesTables) else ()
    return tuple(each.name for each in distributions if isinstance(each, Words))


# Long sums in pieces: a step for each hundred terms, in the same order; languages nest only so deep.


_MOST_TERMS: Final = 100


def with_short_sums(program: ModelProgram) -> ModelProgram:
    """The same program without long sums.

    >>> long = ModelProgram((), (ProgramStep("number", f.Sum((f.ONE,) * 250)),), "number")
    >>> [(step.name, len(step.value.terms)) for step in with_short_sums(long).steps]
    [('number_part_1', 100), ('number_part_2', 101), ('number', 51)]
    """
    return replace(program, steps=tuple(piece for step in program.steps for piece in _pieces(step)))


def _pieces(step: ProgramStep) -> Iterator[ProgramStep]:
    if not isinstance(step.value, f.Sum):
        yield step
        return
    terms: list[f.Expression] = []
    for number, term in enumerate(step.value.terms, 1):
        match term:
            case f.Choose((case,), otherwise) if (
                isinstance(case.then, f.Sum) and len(case.then.terms) > _MOST_TERMS
            ):
                name = f"{step.name}_term_{number}"
                yield from _in_parts(replace(step, name=name, when=case.when), case.then.terms)
                terms.append(f.Choose((replace(case, then=f.Earlier(name)),), otherwise))
            case _:
                terms.append(term)
    yield from _in_parts(step, terms)


def _in_parts(step: ProgramStep, terms: Sequence[f.Expression]) -> Iterator[ProgramStep]:
    before: tuple[f.Expression, ...] = ()
    for number in count(1):
        if len(terms) <= _MOST_TERMS:
            yield replace(step, value=f.Sum((*before, *terms)))
            return
        name = f"{step.name}_part_{number}"
        yield replace(step, name=name, value=f.Sum((*before, *terms[:_MOST_TERMS])), about="")
        before, terms = (f.Earlier(name),), terms[_MOST_TERMS:]


# A scorecard as steps: the points of each cell, their sum, and the share that the sum stands for.


def program_of_card(card: Scorecard) -> ModelProgram:
    """The program of a scorecard. Unless a cutoff or costs decide, `favours` answers above `base` points."""
    steps, (added,) = added_steps(account_of_card(card))
    steps.append(ProgramStep("points", f.Sum(added), "the sum of the points"))
    classes = card.schema.classes
    own = classes.index(card.favours)
    above_base = f.difference(f.Earlier("points"), f.Number(card.base))
    doublings = f.Quotient(above_base, f.Number(card.points_per_doubling))
    log_odds = f.Product((doublings, f.Number(math.log(2))))
    steps.append(ProgramStep("log_odds", log_odds, f"of {card.favours}"))
    link, (other, favoured) = linked_steps(["log_odds"], "logistic", Decision())
    steps += link
    shares = (other, favoured) if own == 1 else (favoured, other)
    above = f.Compared(f.Earlier("points"), ">", f.Number(card.base))
    plainly = f.Choose((f.ChoiceCase(above, f.Number(float(own))),), f.Number(float(1 - own)))
    rest = decided_by_shares(shares, card.decision, classes, plainly=plainly)
    return ModelProgram(
        inputs_of(card), (*steps, *rest.steps), rest.answer, classes, rest.shares, points="points"
    )


def account_of_card(card: Scorecard) -> Account:
    """The points of each column and table, and of each unit of a number."""
    units = {line.name: line for line in card.lines if isinstance(line, PointsPerUnit)}
    sides: dict[str, ColumnPlaces] = {}
    terms: list[Places | Slope] = []
    for attribute in inputs_of(card):
        name = attribute.name
        if name in units:
            line = units[name]
            points, missing = np.array([line.points]), np.array([float(line.missing)])
            terms.append(Slope(name, points, 0.0, missing, line.reach))
            continue
        cuts = tuple(sorted({limit for column, limit in limits_of_card(card) if column == name}))
        side = side_of(card.schema, name, cuts)
        sides[name] = replace(side, with_unseen=side.values is not None)
        terms.append(_of_points((sides[name],), card.points_of_column(name, _cells(sides[name]))))
    for table in card.tables:
        down, across = (sides[name] for name in table.names)
        pairs = np.repeat(_cells(down), across.places), np.tile(_cells(across), down.places)
        terms.append(_of_points((down, across), points_in_table(card.schema, table, *pairs)))
    return Account(np.array([float(card.start)]), tuple(terms), (0,), of_card=True)


def _of_points(sides: tuple[ColumnPlaces, ...], points: Longs) -> Places:
    return Places(sides, points.astype(np.float64)[:, None])


def _cells(side: ColumnPlaces) -> Column:
    """For each place a cell that is there; an interval holds its upper limit."""
    if side.values is None:
        return np.array([*side.cuts, math.inf, math.nan])
    return np.array([*range(side.known), MISSING, UNSEEN], dtype=np.int32)


def limits_of_card(card: Scorecard) -> Iterator[tuple[str, float]]:
    """By column, the numbers between which all cells have the same points; none of points by unit."""
    asked = [line.when for line in card.lines if not isinstance(line, PointsPerUnit)]
    asked += [when for table in card.tables for when in (*table.down, *table.across)]
    for when in asked:
        if isinstance(when, OnNumbers):
            yield from ((when.name, limit) for limit in bounds_of(when) if math.isfinite(limit))
