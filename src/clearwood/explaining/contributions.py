"""Contributions: what each cell of one row adds to the answer of a tree or of many trees, by SHAP values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clearwood.errors import check_known
from clearwood.explaining.evidence import Standing
from clearwood.explaining.one_row import row_for, standing_of, table_of_one
from clearwood.explaining.shap import ShapScale, ShapValues, shap_values
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import check_kind
from clearwood.models.predicted import predicted
from clearwood.models.space.space_of import columns_used
from clearwood.records import JsonRecord
from clearwood.table.raw import Cell, Row


@dataclass(frozen=True, slots=True)
class Contribution:
    """A cell, and how far it moves the answer."""

    name: str
    value: Cell
    standing: Standing
    amount: float


@dataclass(frozen=True, slots=True)
class Contributions(JsonRecord):
    """`base` is the mean prediction; with the amounts of all `pieces` it adds up to `total`.

    `of` is the class, or the number, that is predicted. The pieces that move it most come first;
    columns that the model does not ask about are left out.
    """

    of: str
    scale: ShapScale
    base: float
    pieces: tuple[Contribution, ...]
    total: float


def contributions(model: Tree | Ensemble, row: Mapping[str, Any], called: str | None = None) -> Contributions:
    """What each cell of a row, given by column name, adds to its prediction; absent columns are missing.

    With classes it is that of the class `called`, else of the one with the most. Of two classes whose log
    odds are added up, those against the second are the others with the other sign.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> row = {"Outlook": "Sunny", "Humidity": "High", "Wind": "Weak"}
    >>> why = contributions(cw.ID3().learn(days), row)
    >>> why.of, round(why.base, 3), [(each.name, round(each.amount, 3)) for each in why.pieces]
    ('No', 0.357, [('Outlook', 0.443), ('Humidity', 0.271), ('Wind', -0.071)])
    """
    check_kind("contributions", model, Tree, Ensemble)
    cells = row_for(model, row)
    return contributions_by(model, cells, shap_values(model, table_of_one(model, cells)), called)


def contributions_by(
    model: Tree | Ensemble, cells: Row, values: ShapValues, called: str | None
) -> Contributions:
    """The same where the SHAP values of the row are known."""
    answers = values.answers[0]
    classes = () if model.is_numeric else model.schema.classes
    sign, score = 1.0, 0
    if classes:
        if called is None:
            best = int(answers.argmax()) if len(answers) == len(classes) else int(answers[0] > 0)
            called = classes[best]
        check_known("class", called, classes, plural="classes")
        score = classes.index(called)
        if len(answers) < len(classes):  # log odds of the second class alone
            sign, score = (1.0 if score else -1.0), 0
    of = called if called is not None else values.scores[0]
    if model.is_numeric and values.scale == "number":
        of = predicted(model)
    asked = columns_used(model)
    pieces = [
        Contribution(name, cells[name], standing_of(model.schema[name], cells[name]), sign * amount)
        for name, amount in zip(values.columns, values.contributions[0, :, score].tolist(), strict=True)
        if amount or name in asked
    ]
    pieces.sort(key=lambda each: -abs(each.amount))
    return Contributions(
        of, values.scale, sign * float(values.base[score]), tuple(pieces), sign * float(answers[score])
    )
