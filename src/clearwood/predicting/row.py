"""One row at a time: by the short way of its kind of model, kept beside the model, never inside it.

Rows that meet nothing unusual need no more. An empty cell or an unknown value takes the long way of
`predict.one`, which defines it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from numbers import Real
from typing import Any, Final, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ColumnError, SchemaError, SettingError, no_such
from clearwood.models.columns_used import columns_used
from clearwood.models.deciding import ShareSmoothing, cheapest, cost_matrix, decided_of_one, mended_of_one
from clearwood.models.kept import check_kind, kept
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.node_answers import cheapest_of_one
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.predicting.bayes import codes_of_bayes, shares_of_bayes
from clearwood.predicting.columns import table_for, table_of_row
from clearwood.predicting.of_additive import additive_scores_of_one as points_of_one
from clearwood.predicting.of_additive import linked, shares_of_scores
from clearwood.predicting.of_trees import (
    compiled_trees,
    numbers_from,
    scores_of_ensemble,
    shares_from,
    shares_of_ensemble,
)
from clearwood.predicting.one import (
    answer_by_rules,
    predict_one,
    rules_that_hold,
    shares_by_rules,
    shares_of_one,
)
from clearwood.predicting.one_by_steps import (
    Joint,
    RowStep,
    first_of_largest,
    joint_of_one,
    leaf_by_steps,
    shares_of_joint,
    unrolled,
)
from clearwood.predicting.one_by_weights import answer_by_weights, shares_by_weights
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, kind_of
from clearwood.table.coding import recoded
from clearwood.table.describe import excerpt

RowOfCells: TypeAlias = Sequence[str | float | None]

_KINDS_REMEMBERED: Final = 1000


@dataclass(frozen=True, slots=True)
class RowPredictor:
    """Answers one row: cells in the order of `names`, or a dict with every column the model tests."""

    model: Model
    names: tuple[str, ...]
    smoothing: ShareSmoothing
    _first: RowStep | None  # of a tree
    _joint: Joint | None  # of Bayes tables
    _scores: MemberScores | None  # of an ensemble
    _known: frozenset[str]
    _needed: frozenset[str]
    _fine: set[tuple[type, ...]] = field(default_factory=set, repr=False)

    def __call__(self, row: RowOfCells | Mapping[str, Any]) -> str | float | None:
        """The class, or the number; None where there is no answer."""
        cells = self._cells(row)
        if not self.model.decision.is_plain and not self.model.is_numeric:
            return self._decided(cells)
        leaf = leaf_by_steps(self._first, cells)
        if leaf is not None:
            answer: str | float | None = leaf[1]
            return answer
        match self.model:
            case Tree():
                return predict_one(self.model, self._spelled(cells))
            case RuleList():
                return answer_by_rules(self.model, self._spelled(cells))
            case BayesTables():
                joint = None if self._joint is None or self.model.decision.costs else self._joint(cells)
                if joint is not None:
                    return self.model.schema.classes[first_of_largest(joint)]
                code = int(codes_of_bayes(self.model, table_for(self.model, [self._spelled(cells)]))[0])
                return self.model.schema.classes[code]
            case LinearModel():
                return answer_by_weights(self.model, self._spelled(cells))
            case Ensemble():
                scores = self._scores_of(self.model, cells)
                if self.model.is_numeric:
                    return float(numbers_from(self.model, scores)[0])
                return _class_by_shares(self.model, shares_from(self.model, scores))
            case AdditiveModel():
                added = points_of_one(self.model, self._spelled(cells))
                if self.model.is_numeric:
                    return float(linked(added, self.model.link)[0, 0])
                return _class_by_shares(
                    self.model, shares_of_scores(added, self.model.link, self.model.decision)
                )
            case _:
                assert_never(self.model)

    def shares(self, row: RowOfCells | Mapping[str, Any]) -> dict[str, float]:
        """The share of each class."""
        return mended_of_one(self._shares(self._cells(row), self.smoothing), self.model.decision)

    def both(self, row: RowOfCells | Mapping[str, Any]) -> tuple[str | float | None, dict[str, float]]:
        """The class and the share of each class, worked out together where that saves half of the work."""
        decision = self.model.decision
        cells = self._cells(row)
        if decision.is_plain:
            leaf = leaf_by_steps(self._first, cells)
            if leaf is not None:
                return leaf[1], dict(zip(self.model.schema.classes, leaf[2], strict=True))
            if isinstance(self.model, LinearModel):
                shares = self._shares(cells, None)
                return cheapest_of_one(shares, decision), shares
            if isinstance(self.model, Ensemble | AdditiveModel) and self.smoothing is None:
                shares = self._shares(cells, None)
                return _class_by_shares(self.model, np.array([list(shares.values())])), shares
        elif self.smoothing is None and not isinstance(self.model, RuleList):
            shares = self._shares(cells, None)
            return decided_of_one(shares, decision), mended_of_one(shares, decision)
        return self(cells), self.shares(cells)

    def leaf(self, row: RowOfCells | Mapping[str, Any]) -> int | None:
        """The only leaf of a tree that the row comes to; None where it has an empty cell or an unknown value
        on its way, or the model is no tree."""
        leaf = leaf_by_steps(self._first, self._cells(row))
        return None if leaf is None else int(leaf[3])

    def _decided(self, cells: RowOfCells) -> str | None:
        decision, shares = self.model.decision, self._shares(cells, None)
        if isinstance(self.model, RuleList):
            row = self._spelled(cells)
            if self.model.matching == "first" or not rules_that_hold(self.model, row):
                named = answer_by_rules(self.model, row)
                return decided_of_one(shares, decision, None if named is None else str(named), by_rule=True)
        return decided_of_one(shares, decision)

    def _shares(self, cells: RowOfCells, smoothing: ShareSmoothing) -> dict[str, float]:
        """As they are before the decision adjusts them."""
        leaf = None if smoothing != self.smoothing else leaf_by_steps(self._first, cells)
        if leaf is not None:
            return dict(zip(self.model.schema.classes, leaf[2], strict=True))
        match self.model:
            case Tree():
                return shares_of_one(self.model, self._spelled(cells), smoothing)
            case RuleList():
                return shares_by_rules(self.model, self._spelled(cells), smoothing)
            case BayesTables():
                joint = None if self._joint is None or smoothing is not None else self._joint(cells)
                if joint is not None:
                    return dict(zip(self.model.schema.classes, shares_of_joint(joint), strict=True))
                table = table_for(self.model, [self._spelled(cells)])
                shares = shares_of_bayes(self.model, table, smoothing)[0].tolist()
                return dict(zip(self.model.schema.classes, shares, strict=True))
            case LinearModel():
                return shares_by_weights(self.model, self._spelled(cells))
            case Ensemble():
                if smoothing is None:
                    row = shares_from(self.model, self._scores_of(self.model, cells))
                else:
                    table = table_for(self.model, [self._spelled(cells)])
                    row = shares_of_ensemble(self.model, table, smoothing)
                return dict(zip(self.model.schema.classes, row[0].tolist(), strict=True))
            case AdditiveModel():
                if smoothing is not None:
                    raise SettingError("smoothing is for counts; an additive model has none.")
                points = points_of_one(self.model, self._spelled(cells))
                row = shares_of_scores(points, self.model.link, self.model.decision)
                return dict(zip(self.model.schema.classes, row[0].tolist(), strict=True))
            case _:
                assert_never(self.model)

    def _scores_of(self, model: Ensemble, cells: RowOfCells) -> Floats:
        """[1, score] by the quick way where the row has nothing unusual."""
        scores = None if self._scores is None else self._scores(cells)
        if scores is None:
            scores = scores_of_ensemble(model, table_of_row(model, self._spelled(cells)))
        return scores

    def spelled(self, row: RowOfCells | Mapping[str, Any]) -> dict[str, str | float | None]:
        """The row as the model reads it: every input by name, its values as the schema spells them."""
        return self._spelled(self._cells(row))

    def _cells(self, row: RowOfCells | Mapping[str, Any]) -> RowOfCells:
        if isinstance(row, Mapping):
            if not row.keys() <= self._known:
                self._refuse_unknown(row)
            if not self._needed <= row.keys():
                absent = next(name for name in self.names if name in self._needed - row.keys())
                raise ColumnError(f"The row lacks a column of the model. {no_such('column', absent, row)}")
            cells: RowOfCells = [row.get(name) for name in self.names]
        else:
            cells = row
        schema = self.model.schema
        if schema.read_as and len(cells) == len(self.names):
            cells = [schema.cell(name, cell) for name, cell in zip(self.names, cells, strict=True)]
        # Most rows hold the same types in the same places: look once, then remember.
        types = tuple(map(type, cells))
        if types not in self._fine:
            self._check(cells)
            if len(self._fine) < _KINDS_REMEMBERED:
                self._fine.add(types)
        elif math.inf in cells or -math.inf in cells:
            self._check(cells)
        return cells

    def _spelled(self, cells: RowOfCells) -> dict[str, str | float | None]:
        """The cells by name, each value as the schema spells it: 1, 1.0 and '01' are its '1'."""
        return {
            attribute.name: cell if isinstance(attribute, Numeric) else as_value(attribute, cell)
            for attribute, cell in zip(self.model.schema.inputs, cells, strict=True)
        }

    def _refuse_unknown(self, row: Mapping[str, Any]) -> None:
        others = {a.name for a in self.model.schema.attributes} - set(self.names)
        others |= {name for name in (self.model.schema.weight,) if name}
        others |= {self.model.schema.target.name} if self.model.schema.target else set()
        for name in row:
            if name not in self.names and name not in others:
                raise ColumnError(no_such("column", name, self.names))

    def _check(self, cells: RowOfCells) -> None:
        if isinstance(cells, str) or len(cells) != len(self.names):
            got = "text" if isinstance(cells, str) else f"{len(cells)}"
            raise SchemaError(f"A row has {len(self.names)} cells ({', '.join(self.names)}), not {got}.")
        for attribute, cell in zip(self.model.schema.inputs, cells, strict=True):
            check_cell(attribute, cell)


def row_predictor(model: Model, *, smoothing: ShareSmoothing = None) -> RowPredictor:
    """A function that predicts one row at a time, in microseconds.

    >>> from clearwood.models.kinds.tree.build import tree_of
    >>> from clearwood.formulas.conditions import Above, AtMost
    >>> from clearwood.models.kinds.tree.tree import Branch, Leaf, Split
    >>> from clearwood.table.schema import Nominal, Schema
    >>> schema = Schema((Numeric("Humidity"),), Nominal("Play", ("No", "Yes")))
    >>> dry = Branch(AtMost("Humidity", 75.0), 0.4, Leaf((0.0, 2.0)))
    >>> damp = Branch(Above("Humidity", 75.0), 0.6, Leaf((3.0, 0.0)))
    >>> play = row_predictor(tree_of(schema, Split((3.0, 2.0), {}, (dry, damp))))
    >>> play((70,)), play({"Humidity": 90.0}), play.shares([None])
    ('Yes', 'No', {'No': 0.6, 'Yes': 0.4})
    """
    check_kind("row_predictor", model)
    inputs = model.schema.inputs
    names = tuple(attribute.name for attribute in inputs)
    first, joint, scores = _short_ways(model)
    if smoothing is not None and isinstance(model, Tree):
        first = unrolled(model, smoothing)
    return RowPredictor(
        model, names, smoothing, first, joint, scores, frozenset(names), frozenset(columns_used(model))
    )


@kept
def _short_ways(model: Model) -> tuple[RowStep | None, Joint | None, MemberScores | None]:
    """Of a tree, of Bayes tables and of an ensemble: the way of a row that has nothing unusual."""
    return (
        unrolled(model, None) if isinstance(model, Tree) else None,
        joint_of_one(model) if isinstance(model, BayesTables) else None,
        scores_of_one(model) if isinstance(model, Ensemble) else None,
    )


def _class_by_shares(model: Ensemble | AdditiveModel, shares: Floats) -> str | None:
    """The class of least expected cost by the shares [1, class]; None where no member says anything."""
    if not (shares > 0).any():
        return None
    return model.schema.classes[int(cheapest(shares, cost_matrix(model.decision))[0])]


def check_cell(attribute: Attribute, cell: Any) -> None:
    """Refuse a cell that is not of its column's kind."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return
    if isinstance(attribute, Numeric):
        try:
            if isinstance(cell, str | bytes | bool):
                raise TypeError
            finite = math.isfinite(cell)
        except OverflowError:  # a whole number of hundreds of digits
            finite = False
        except (TypeError, ValueError):
            raise SchemaError(
                f"The column '{attribute.name}' is numeric, but its cell is {cell!r}. Give a number, or None."
            ) from None
        if not finite:
            shown = excerpt(str(cell))
            raise SchemaError(f"The column '{attribute.name}' holds {shown}. Give a finite number, or None.")
    elif not isinstance(cell, str | Real | np.bool_):
        raise SchemaError(
            f"The column '{attribute.name}' is {kind_of(attribute)}, but its cell is {cell!r}."
            " Give its value as text, or None."
        )


def as_value(attribute: Attribute, cell: Any) -> str | None:
    """The attribute's value that a cell says, by the rule of `recoded`; what says none stays as text."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return None
    text = str(cell)
    if not isinstance(attribute, Nominal | Ordinal) or text in attribute.values:
        return text
    code = int(recoded(np.zeros(1, dtype=np.int32), (text,), attribute.values)[0])
    return text if code < 0 else attribute.values[code]


# One row through the members of an ensemble: trees in one native call where no cell is unusual.


MemberCells: TypeAlias = Sequence[str | float | None]
MemberScores: TypeAlias = Callable[
    [MemberCells], Floats | None
]  # [1, score]; None: the row needs the general way


def scores_of_one(ensemble: Ensemble) -> MemberScores | None:
    """How the scores of a row's cells, in the order of the schema's inputs, are found; None: by a table."""
    if ensemble.trees is None:
        return None
    compiled = compiled_trees(ensemble)
    places = {attribute.name: place for place, attribute in enumerate(ensemble.schema.inputs)}
    readers: list[tuple[int, Mapping[Any, int] | None]] = []
    asked = set(compiled.tested)
    for position, attribute in enumerate(ensemble.schema.attributes):
        if position not in asked:
            readers.append((-1, None))
        elif isinstance(attribute, Nominal | Ordinal):
            readers.append((places[attribute.name], ensemble.schema.codes(attribute.name)))
        else:
            assert isinstance(attribute, Numeric)
            readers.append((places[attribute.name], None))

    def scores(cells: MemberCells) -> Floats | None:
        try:
            given: list[Any] = [
                0.0 if place < 0 else cells[place] if codes is None else codes[cells[place]]
                for place, codes in readers
            ]
            sums = compiled.sums_of_one(given)
        except (KeyError, TypeError):
            return None  # an empty cell, or a value never met
        return None if sums is None else compiled.finished(np.array([sums]))

    return scores
