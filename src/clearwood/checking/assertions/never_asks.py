"""Never asks: a column that no split, surrogate, rule, term, table or curve of the model is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from clearwood.checking.assertions.model_and_rows import ModelAndRows
from clearwood.checking.assertions.verdict import AssertionVerdict
from clearwood.errors import ColumnError, SettingError, no_such
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.models.words import written
from clearwood.predict.columns import columns_used
from clearwood.table.sources import read_raw
from clearwood.table.table import Table
from clearwood.words.lists import with_and
from clearwood.words.numbers import many


@dataclass(frozen=True, slots=True, kw_only=True)
class NeverAsks:
    """The model never asks about this `column`, or these `columns`: their cells cannot change an answer."""

    column: str = ""
    columns: tuple[str, ...] = ()
    name: str = ""

    @property
    def all(self) -> tuple[str, ...]:
        return ((self.column,) if self.column else ()) + tuple(self.columns)

    @property
    def title(self) -> str:
        return f"the model never asks about {with_and(map(written, self.all))}"


def check_never_asks(asserted: NeverAsks, given: ModelAndRows) -> AssertionVerdict:
    """Exact: by what the model holds."""
    if not asserted.all:
        raise SettingError('Name the column: column = "…".')
    for column in asserted.all:
        _check_known(column, given)
    asked = [column for column in asserted.all if column in columns_used(given.model)]
    places = [f"{written(column)} {where}" for column in asked for where in _places(given.model, column)]
    because = f"it asks about {'; '.join(places)}" if places else ""
    title = asserted.name or asserted.title
    return AssertionVerdict(
        "never_asks", title, not asked, True, "exact, by all that the model holds", because
    )


def _check_known(column: str, given: ModelAndRows) -> None:
    """Refuse a name that neither the model nor the table knows: it may be misspelt, and would always hold."""
    known = list(given.model.schema.positions)
    if column in known:
        return
    source = given.source
    if source is not None:
        more = source.schema.positions if isinstance(source, Table) else read_raw(source).names
        if column in more:
            return
        known = list(dict.fromkeys((*known, *more)))
    raise ColumnError(no_such("column", column, known))


def _places(model: Model, column: str) -> Iterator[str]:
    """Where the model asks about a column, for a sentence."""
    match model:
        case Tree():
            position = model.schema.positions[column]
            below = np.flatnonzero(model.nodes.attribute == position)
            splits = len(set(model.nodes.parent[below].tolist()))
            if splits:
                yield f"in {many(splits, 'split')}"
            surrogates = int((model.nodes.s_attribute == position).sum())
            if surrogates:
                yield f"in {many(surrogates, 'surrogate')}"
        case RuleList():
            numbers = [
                place for place, rule in enumerate(model, 1) if any(each.name == column for each in rule.when)
            ]
            shown = [str(each) for each in numbers[:8]]
            listed = with_and([*shown, "more"] if len(numbers) > len(shown) else shown)
            yield f"in {'rule' if len(numbers) == 1 else 'rules'} {listed}"
        case BayesTables():
            yield "in a table of its own"
        case LinearModel():
            yield f"in {many(sum(term.name == column for term in model.terms), 'term')}"
        case Ensemble():
            yield "in some of its members"
        case AdditiveModel():
            pairs = sum(column in pair.names for pair in model.pairs)
            curve = ["a curve"] if any(shape.name == column for shape in model.shapes) else []
            yield f"in {with_and([*curve, *([many(pairs, 'pair')] if pairs else [])])}"
        case _:
            assert_never(model)
