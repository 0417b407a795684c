"""One row at a time: by the model's program, compiled once and kept beside the model, never inside it.

Trees are quicker without: a row goes down the steps of one tree, or in native code through many. Where it
meets an empty cell or an unknown value it takes the long way, by `one.py` or by a table of one row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from numbers import Real
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ColumnError, SchemaError, no_such
from clearwood.models.decision import NOTHING, Decision, ShareSmoothing, adjusted, cheapest_of_one, decided
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model, check_kind, kept
from clearwood.models.program.compiling import NEVER_MET, CompiledRow, compiled
from clearwood.models.program.program_of import program_of
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.batch import (
    classes_only,
    numbers_from,
    plain_shares,
    scores_of_ensemble,
    shares_from,
)
from clearwood.predicting.columns import table_of_row
from clearwood.predicting.of_trees import compiled_trees
from clearwood.predicting.one import (
    RowStep,
    leaf_by_steps,
    predict_one,
    rules_that_hold,
    shares_of_one,
    unrolled,
)
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.coding import recoded
from clearwood.table.describe import excerpt
from clearwood.table.raw import cell_number
from clearwood.table.schema import Schema

RowOfCells: TypeAlias = Sequence[str | float | None]
RowOutcome: TypeAlias = tuple[str | float | None, Sequence[float]]  # the answer, and the shares by class

_TYPES_REMEMBERED: Final = 1000
_NUMBERS: Final = (float, int, type(None))
_VALUES: Final = (str, type(None))


@dataclass(frozen=True, slots=True)
class RowPredictor:
    """Answers one row: cells in the order of `names`, or a dict with every column the model tests."""

    model: Model
    names: tuple[str, ...]
    smoothing: ShareSmoothing
    _way: Any  # of a tree its first step, of many trees how their scores are found, of others the program
    _plain: Callable[[RowPredictor, RowOfCells], RowOutcome]  # how it answers by this way
    _smoothed: RowStep | None  # of a tree
    _is_plain: bool
    _known: frozenset[str]
    _needed: frozenset[str]
    _are_usual: dict[tuple[type, ...], bool] = field(default_factory=dict, repr=False)

    def __call__(self, row: RowOfCells | Mapping[str, Any]) -> str | float | None:
        """The class, or the number; None where there is no answer."""
        cells = self._cells(row)
        answer, shares = self._plainly(cells)
        return answer if self._is_plain else self._decided(cells, answer, shares)

    def shares(self, row: RowOfCells | Mapping[str, Any]) -> dict[str, float]:
        """The share of each class."""
        cells = self._cells(row)
        return self._mended(self._plainly(cells)[1] if self.smoothing is None else self._smoothly(cells))

    def both(self, row: RowOfCells | Mapping[str, Any]) -> tuple[str | float | None, dict[str, float]]:
        """The class and the share of each class, worked out together."""
        cells = self._cells(row)
        answer, shares = self._plainly(cells)
        named = answer if self._is_plain else self._decided(cells, answer, shares)
        return named, self._mended(shares if self.smoothing is None else self._smoothly(cells))

    def leaf(self, row: RowOfCells | Mapping[str, Any]) -> int | None:
        """The only leaf of a tree that the row comes to; None where it has an empty cell or an unknown value
        on its way, or the model is no tree."""
        leaf = leaf_by_steps(self._way, self._cells(row)) if isinstance(self.model, Tree) else None
        return None if leaf is None else int(leaf[3])

    def spelled(self, row: RowOfCells | Mapping[str, Any]) -> dict[str, str | float | None]:
        """The row as the model reads it: every input by name, its values as the schema spells them."""
        return self._spelled(self._cells(row))

    def _plainly(self, cells: RowOfCells) -> RowOutcome:
        """The answer and the shares as they are before the decision adjusts them."""
        return self._plain(self, cells)

    def _decided(self, cells: RowOfCells, answer: str | float | None, shares: Sequence[float]) -> str | None:
        """The class by a decision that is more than costs."""
        model = self.model
        by_rule = isinstance(model, RuleList) and (
            model.matching == "first" or not rules_that_hold(model, self._spelled(cells))
        )
        classes = model.schema.classes
        named = np.array([NOTHING if answer is None else classes.index(str(answer))]) if by_rule else None
        code = int(decided(adjusted(np.array([shares]), model.decision), model.decision, classes, named)[0])
        return None if code == NOTHING else classes[code]

    def _mended(self, shares: Sequence[float]) -> dict[str, float]:
        """The shares by class, as the decision adjusts them."""
        classes_only(self.model)
        if self.model.decision.adjusts:
            shares = adjusted(np.array([shares]), self.model.decision)[0].tolist()
        return dict(zip(self.model.schema.classes, shares, strict=True))

    def _smoothly(self, cells: RowOfCells) -> Sequence[float]:
        """The smoothed shares before the decision adjusts them."""
        leaf = leaf_by_steps(self._smoothed, cells)
        if leaf is not None:
            return tuple(leaf[2])
        row = self._spelled(cells)
        if isinstance(self.model, Tree):
            return tuple(shares_of_one(self.model, row, self.smoothing).values())
        table = table_of_row(self.model, row)
        return tuple(plain_shares(self.model, table, self.smoothing)[0].tolist())

    def _cells(self, row: RowOfCells | Mapping[str, Any]) -> RowOfCells:
        if isinstance(row, Mapping):
            if tuple(row) != self.names:
                row = self._in_order(row)
            cells: RowOfCells = tuple(row.values())
        else:
            cells = row
        schema = self.model.schema
        if schema.read_as and len(cells) == len(self.names):
            cells = [schema.cell(name, cell) for name, cell in zip(self.names, cells, strict=True)]
        # Most rows hold the same types in the same places: look once, then remember.
        types = tuple(map(type, cells))
        usual = self._are_usual.get(types)
        if usual is None or math.inf in cells or -math.inf in cells:
            self._check(cells)
            usual = all(
                each in (_NUMBERS if isinstance(attribute, Numeric) else _VALUES)
                for attribute, each in zip(schema.inputs, types, strict=True)
            )
            if len(self._are_usual) < _TYPES_REMEMBERED:
                self._are_usual[types] = usual
        return cells if usual else tuple(self._spelled(cells).values())

    def _spelled(self, cells: RowOfCells) -> dict[str, str | float | None]:
        """The cells by name, each value as the schema spells it: 1, 1.0 and '01' are its '1'."""
        return {
            attribute.name: cell_number(cell) if isinstance(attribute, Numeric) else as_value(attribute, cell)
            for attribute, cell in zip(self.model.schema.inputs, cells, strict=True)
        }

    def _in_order(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Every input by name; refused where the row lacks one that is used, or has an unknown one."""
        if not row.keys() <= self._known:
            self._refuse_unknown(row)
        if not self._needed <= row.keys():
            absent = next(name for name in self.names if name in self._needed - row.keys())
            raise ColumnError(f"The row lacks a column of the model. {no_such('column', absent, row)}")
        return {name: row.get(name) for name in self.names}

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
    names = tuple(attribute.name for attribute in model.schema.inputs)
    smoothed = unrolled(model, smoothing) if isinstance(model, Tree) and smoothing is not None else None
    is_plain = model.decision.is_plain or model.is_numeric
    return RowPredictor(
        model,
        names,
        smoothing,
        _way_of(model),
        _by_leaf if isinstance(model, Tree) else _by_trees if _has_trees(model) else _by_program,
        smoothed,
        is_plain,
        frozenset(names),
        frozenset(columns_used(model)),
    )


@kept
def _way_of(model: Model) -> RowStep | ScoresOfRow | CompiledRow:
    """What is worked out of a model once for all of its rows."""
    if isinstance(model, Tree):
        return unrolled(model, None)
    if isinstance(model, Ensemble) and _has_trees(model):
        return _scores_of_row(model)
    # What is more than costs in its decision is done to the shares, as to those of many rows; a Bayes
    # model's are added up natively there, by the C library's exp.
    plain = Decision(factors=model.decision.factors, costs=model.decision.costs)
    exp = math.exp if isinstance(model, BayesTables) else np.exp
    return compiled(program_of(replace(model, decision=plain)), model.schema.inputs, exp)


def _has_trees(model: Model) -> bool:
    return isinstance(model, Ensemble) and model.trees is not None


def _by_leaf(asked: RowPredictor, cells: RowOfCells) -> RowOutcome:
    leaf = leaf_by_steps(asked._way, cells)
    if leaf is not None:
        return leaf[1], leaf[2]
    tree = asked.model
    assert isinstance(tree, Tree)
    row = asked._spelled(cells)
    if tree.is_numeric:
        return predict_one(tree, row), ()
    shares = tuple(shares_of_one(tree, row).values())
    return tree.schema.classes[cheapest_of_one(shares, tree.decision)], shares


def _by_trees(asked: RowPredictor, cells: RowOfCells) -> RowOutcome:
    ensemble = asked.model
    assert isinstance(ensemble, Ensemble)
    scores = asked._way(cells)
    if scores is None:
        scores = scores_of_ensemble(ensemble, table_of_row(ensemble, asked._spelled(cells)))
    if ensemble.is_numeric:
        return float(numbers_from(ensemble, scores)[0]), ()
    shares = tuple(shares_from(ensemble, scores)[0].tolist())
    code = cheapest_of_one(shares, ensemble.decision)
    return ensemble.schema.classes[code] if any(shares) else None, shares


def _by_program(asked: RowPredictor, cells: RowOfCells) -> RowOutcome:
    model = asked.model
    try:
        answer, by_program = asked._way(cells)
    except KeyError:  # a value that is spelled otherwise than in the schema, or was never met
        answer, by_program = asked._way([*_known_cells(model.schema, asked._spelled(cells))])
    if not math.isfinite(sum(by_program)):  # too large to weigh, as the batch says
        by_program = plain_shares(model, table_of_row(model, asked._spelled(cells)))[0].tolist()
    if model.is_numeric:
        return None if answer != answer else answer, ()
    return None if answer < 0 else model.schema.classes[answer], by_program


# The scores of one row by many trees: in one native call where no cell is unusual.


ScoresOfRow: TypeAlias = Callable[[RowOfCells], Floats | None]  # [1, score]; None: the row needs a table


def _scores_of_row(ensemble: Ensemble) -> ScoresOfRow:
    """How the scores of a row's cells, in the order of the schema's inputs, are found."""
    whole = compiled_trees(ensemble)
    places = {attribute.name: place for place, attribute in enumerate(ensemble.schema.inputs)}
    asked = set(whole.tested)
    readers: list[tuple[int, Mapping[Any, int] | None]] = []
    for position, attribute in enumerate(ensemble.schema.attributes):
        is_nominal = isinstance(attribute, Nominal | Ordinal)
        codes = ensemble.schema.codes(attribute.name) if position in asked and is_nominal else None
        readers.append((places[attribute.name] if position in asked else -1, codes))

    def scores(cells: RowOfCells) -> Floats | None:
        try:
            given: list[Any] = [
                0.0 if place < 0 else cells[place] if codes is None else codes[cells[place]]
                for place, codes in readers
            ]
            sums = whole.sums_of_one(given)
        except (KeyError, TypeError):
            return None  # an empty cell, or a value never met
        return None if sums is None else whole.finished(np.array([sums]))

    return scores


# A row's cells, looked at one by one.


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
            f"The column '{attribute.name}' is {attribute.kind}, but its cell is {cell!r}."
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


def _known_cells(schema: Schema, row: Mapping[str, str | float | None]) -> Iterator[Any]:
    """The cells of a row, as a compiled program takes those that are spelled as in the schema."""
    for attribute, cell in zip(schema.inputs, row.values(), strict=True):
        unknown = isinstance(attribute, Nominal | Ordinal) and cell is not None
        yield NEVER_MET if unknown and cell not in schema.codes(attribute.name) else cell
