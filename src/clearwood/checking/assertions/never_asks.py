"""Never asks: a column that no split, surrogate, rule, term, table or curve of the model is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from clearwood.checking.assertions.model_and_rows import ModelAndRows
from clearwood.checking.assertions.verdict import AssertionVerdict, verdict_on
from clearwood.errors import ColumnError, SettingError, check_known, nearest
from clearwood.formulas.conditions import written
from clearwood.models.model import Model
from clearwood.models.space.space_of import columns_used, space_of
from clearwood.table.sources import read_raw
from clearwood.table.table import Table
from clearwood.words.numbers import with_and

_MISSPELT: Final = 0.8  # how like a known name another may be: sexx and sex, durtion and duration


@dataclass(frozen=True, slots=True, kw_only=True)
class NeverAsks:
    """The model never asks about this `column`, or these `columns`: their cells cannot change an answer."""

    kind: ClassVar = "never_asks"
    column: str = ""
    columns: tuple[str, ...] = ()
    name: str = ""

    @property
    def all(self) -> tuple[str, ...]:
        return ((self.column,) if self.column else ()) + tuple(self.columns)

    def check_keys(self) -> None:
        """Refuse an assertion that names no column."""
        if not self.all or not all(self.all):
            raise SettingError('Name the column: column = "…".')

    @property
    def title(self) -> str:
        return f"the model never uses {with_and(map(written, self.all))}"


def check_never_asks(asserted: NeverAsks, given: ModelAndRows) -> AssertionVerdict:
    """Exact: by what the model holds. A name that nobody knows would hold for ever: it is refused where the
    rows do not have it, or where it is all but a name that the model has."""
    model = given.model
    unknown = [column for column in asserted.all if column not in _known(model)]
    _check_spelling(unknown, given)
    asked = [column for column in asserted.all if column in columns_used(model)]
    space = space_of(model)
    places = [f"{written(column)} {where}" for column in asked for where in space.asked(column)]
    notes = [f"the model does not know {written(column)}" for column in unknown]
    because = "; ".join([f"it uses {'; '.join(places)}"] * bool(places) + notes)
    return verdict_on(asserted, not asked, True, "exact, by all that the model holds", because)


def _known(model: Model) -> dict[str, None]:
    """All columns that the model has heard of: of its schema, and of the rows that it was learned from."""
    schema = model.schema
    others = (schema.target and schema.target.name, schema.weight)
    profiled = () if model.profile is None else model.profile.columns
    return dict.fromkeys((*schema.positions, *filter(None, others), *profiled))


def _check_spelling(unknown: Sequence[str], given: ModelAndRows) -> None:
    if not unknown:
        return
    known = list(_known(given.model))
    if given.source is not None:
        source = given.source
        schema = source.schema if isinstance(source, Table) else None
        names = read_raw(source).names if schema is None else [*schema.positions]
        known = list(dict.fromkeys((*known, *names)))
        for column in unknown:
            check_known("column", column, known, error=ColumnError)
        return
    for column in unknown:
        near = nearest(column, known, likeness=_MISSPELT)
        if near is not None:
            raise ColumnError(
                f"The model does not know the column '{column}'. Did you mean '{near}'? If it is a column of "
                "its own, give a table that has it."
            )
