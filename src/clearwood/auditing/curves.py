"""What is certain about an additive model: where each column can only raise or only lower the score, and how
far. Directions are exact, for the columns beside it may take any values together; ends of scores are exact
without pairs, and bounds with them."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    cells_of_shape,
    curves_in,
    name_of,
    sides_of,
)
from clearwood.models.kinds.ensemble.ensemble import score_name
from clearwood.models.model import check_kind
from clearwood.predicting.of_additive import linked
from clearwood.records import JsonRecord
from clearwood.scoring.positive import about_positive
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.words.columns import in_columns, printable
from clearwood.words.numbers import in_digits, percent_to

Course: TypeAlias = Literal["up", "down", "level", "both ways", "no order"]
_NOTHING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class ColumnEffect:
    """A column in one score: where its curve goes, where the model goes with it whatever the other columns
    are, and the least and most points that its curve adds."""

    name: str
    curve: Course
    model: Course
    lowest: float
    highest: float
    pairs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreAudit:
    """One score: its columns, and the ends between which it lies for every row."""

    score: str
    columns: tuple[ColumnEffect, ...]
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class CurvesAudit(JsonRecord):
    """An additive model, score by score; of two classes, the one score is about the positive class, and
    `shares` are the ends of its probability."""

    scores: tuple[ScoreAudit, ...]
    shares: tuple[float, float] | None = None

    def __str__(self) -> str:
        return "\n\n".join(_score_text(each) for each in self.scores) + self._shares_text()

    def _shares_text(self) -> str:
        if self.shares is None:
            return ""
        low, high = (percent_to(each, 1) for each in self.shares)
        return f"\nIts probability lies from {low} to {high} for every row."


def audit_curves(model: AdditiveModel) -> CurvesAudit:
    """What each column can do to the score, whatever the other columns are.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6] * 5, "y": list("aababb") * 5}, target="y")
    >>> model = cw.make_monotone(cw.GAM(bags=3).learn(table), "x", "up")
    >>> [(each.name, each.model) for each in audit_curves(model).scores[0].columns]
    [('x', 'up')]
    """
    check_kind("audit_curves", model, AdditiveModel)
    shown = about_positive(model)
    assert isinstance(shown, AdditiveModel)
    model = shown
    scores = score_audits(model)
    if model.link != "logistic" or model.decision.factors:
        return CurvesAudit(scores)
    ends = linked(np.array([[scores[0].lowest], [scores[0].highest]]), "logistic")[:, 1].tolist()
    return CurvesAudit(scores, (ends[0], ends[1]))


def score_audits(model: AdditiveModel) -> tuple[ScoreAudit, ...]:
    """Each score as the model adds it up."""
    return tuple(_score(model, place) for place in range(len(model.base)))


def _score(model: AdditiveModel, place: int) -> ScoreAudit:
    columns = []
    for name in model.columns:
        shape = next((each for each in model.shapes if each.name == name), None)
        pairs = [pair for pair in model.pairs if name in pair.names]
        points = np.zeros(1) if shape is None else _by_cell(model, shape, name, place)
        low, high = float(points.min()), float(points.max())
        curve = _direction(model, name, place, shape, [])
        whole = _direction(model, name, place, shape, pairs)
        columns.append(ColumnEffect(name, curve, whole, low, high, tuple(map(name_of, pairs))))
    reached = [_by_cell(model, term, sides_of(term)[0][0], place) for term in curves_in(model)]
    low = math.fsum([model.base[place], *(float(each.min()) for each in reached)])
    high = math.fsum([model.base[place], *(float(each.max()) for each in reached)])
    return ScoreAudit(score_name(model.schema, model.link, place), tuple(columns), low, high)


def _direction(
    model: AdditiveModel, name: str, place: int, shape: Shape | None, pairs: list[PairShape]
) -> Course:
    """Where the score goes as the column rises, whatever the others of its pairs are."""
    if isinstance(model.schema[name], Nominal):
        return "no order"
    steps = list(_steps(model, name, place, shape, pairs))
    rises = any(most > _NOTHING for _, most in steps)
    falls = any(least < -_NOTHING for least, _ in steps)
    if rises and falls:
        return "both ways"
    return "up" if rises else "down" if falls else "level"


def _steps(
    model: AdditiveModel, name: str, place: int, shape: Shape | None, pairs: list[PairShape]
) -> Iterator[tuple[float, float]]:
    """At each place where points may change, the least and the most that the score can rise."""
    terms: list[Shape | PairShape] = [*([] if shape is None else [shape]), *pairs]
    tables = [(_cuts(term, name), _by_cell(model, term, name, place)) for term in terms]
    attribute = model.schema[name]
    if isinstance(attribute, Numeric):
        for cut in sorted({cut for cuts, _ in tables for cut in cuts}):
            rises = [table[bisect_right(cuts, cut)] - table[bisect_left(cuts, cut)] for cuts, table in tables]
            yield (
                math.fsum(float(each.min()) for each in rises),
                math.fsum(float(each.max()) for each in rises),
            )
        return
    assert isinstance(attribute, Ordinal)
    for code in range(len(attribute.values) - 1):
        rises = [table[code + 1] - table[code] for _, table in tables]
        yield math.fsum(float(each.min()) for each in rises), math.fsum(float(each.max()) for each in rises)


def _cuts(term: Shape | PairShape, name: str) -> tuple[float, ...]:
    return next(cuts for column, cuts in sides_of(term) if column == name)


def _by_cell(model: AdditiveModel, term: Shape | PairShape, name: str, place: int) -> Floats:
    """[cell of the column, cell of the other] the points that a row can get; a curve has one other."""
    sides = sides_of(term)
    table = np.array(term.points[place]).reshape(cells_of_shape(model.schema, *sides[0]), -1)
    for axis, (column, _) in enumerate(sides):
        if isinstance(
            model.schema[column], Numeric
        ):  # whose last cell is for unseen values: no number is one
            table = np.delete(table, -1, axis=axis)
    return table if sides[0][0] == name else table.T


def _score_text(audit: ScoreAudit) -> str:
    lines = [["column", "curve", "model", "from", "to", "pairs"]]
    for each in sorted(audit.columns, key=lambda each: each.lowest - each.highest):
        ends = [_signed(each.lowest), _signed(each.highest)]
        lines.append([each.name, each.curve, each.model, *ends, str(len(each.pairs))])
    title = f"{audit.score}: from {in_digits(audit.lowest)} to {in_digits(audit.highest)} for every row"
    head = (
        "Where a column's curve goes as the column rises, and where the model goes whatever its pairs have; "
        "the points its curve adds."
    )
    return "\n".join(map(printable, [title, head, "", *in_columns(lines, "figures")]))


def _signed(points: float) -> str:
    return f"+{in_digits(points, 3)}" if points >= 0 else in_digits(points, 3)
