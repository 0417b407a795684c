"""From a table to the terms of a linear model: what each column adds to the sum, without a one-hot table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.errors import Advice, LearningError, SettingError, no_such
from clearwood.learners.training import refuse_where
from clearwood.models.kinds.linear.linear_model import LeftOut, MissingTerm, NumberTerm, Term, ValueTerm
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.table import MISSING, UNSEEN, Column, Table, missing_cells

MissingCells: TypeAlias = Literal["indicator", "fill", "drop"]
ReferenceValues: TypeAlias = Literal["most common", "first"] | Mapping[str, str]

_LARGEST: Final = 1e150  # its square is still a number
_ROUNDING: Final = 1e-13  # a spread below this part of the numbers is their last digits
_NAMED: Final = 5  # values that a remark lists


@dataclass(frozen=True, slots=True, eq=False)
class ColumnTerms:
    """One column's part: a number's term or those of its values, what empty cells add, and its units."""

    cells: Column
    number: Term | None = None
    missing: Term | None = None
    centre: float = 0.0
    scale: float = 1.0
    places: tuple[Term | None, ...] = ()  # [code + 2] the term of a code: unseen, missing, then the values
    own: tuple[Term, ...] = ()
    reference: str | None = None  # of values, with which the others are compared
    fill: float | str = 0.0

    def native(self, at: Mapping[Term, int]) -> tuple[Any, ...]:
        """As `native/core/linear/terms.hpp` takes it; `at` gives each term's place, 0 the intercept's."""
        number = -1 if self.number is None else at.get(self.number, -1)
        missing = -1 if self.missing is None else at.get(self.missing, -1)
        places = [-1 if term is None else at.get(term, -1) for term in self.places]
        return self.cells, number, missing, self.centre, self.scale, 0.0, places


@dataclass(frozen=True, slots=True, eq=False)
class DesignMatrix:
    """The rows, their columns' parts, and the terms in the schema's order."""

    rows: Table
    columns: tuple[ColumnTerms, ...]
    terms: tuple[Term, ...]
    references: dict[str, str]
    fills: dict[str, float | str]
    left_out: tuple[LeftOut, ...]
    dependent: tuple[Term, ...] = ()  # in the rows, but with no weight

    def without(self, dropped: Mapping[Term, str]) -> DesignMatrix:
        """The design without some terms, each with the reason: they stay in the rows, and add nothing."""
        gone = tuple(LeftOut(str(term), because) for term, because in dropped.items())
        kept = tuple(term for term in self.terms if term not in dropped)
        return replace(
            self, terms=kept, dependent=(*self.dependent, *dropped), left_out=(*self.left_out, *gone)
        )

    def native(self) -> list[tuple[Any, ...]]:
        at = {term: i + 1 for i, term in enumerate(self.terms)}
        return [column.native(at) for column in self.columns]

    def units(self) -> tuple[Floats, Floats]:
        """[0, then terms] the centre and the scale that each term was standardised by."""
        units = {column.number: (column.centre, column.scale) for column in self.columns if column.number}
        as_it_is = (0.0, 1.0)  # a value, of which there may be thousands
        own = (units.get(term, as_it_is) if isinstance(term, NumberTerm) else as_it_is for term in self.terms)
        centre_and_scale = np.array([as_it_is, *own])
        return centre_and_scale[:, 0], centre_and_scale[:, 1]

    def means(self) -> Floats:
        """[0, then terms] each term's mean over the rows, in the user's units; a number's empty cells are at
        its centre."""
        shares = self.squares()
        centres, _ = self.units()
        is_number = np.array([False, *(isinstance(term, NumberTerm) for term in self.terms)])
        return np.where(is_number, centres, shares / shares[0])

    def squares(self) -> Floats:
        """[0, then terms] Σ weight · value² of the standardised values."""
        weights = self.rows.weights
        total = float(len(self.rows)) if weights is None else float(weights.sum())
        at = {term: i + 1 for i, term in enumerate(self.terms)}
        sums_of_squares = np.full(1 + len(self.terms), total)
        for column in self.columns:
            if column.places:
                counts = np.bincount(column.cells - UNSEEN, weights, minlength=len(column.places))
                places = [0 if term is None else at.get(term, 0) for term in column.places]
                sums = np.bincount(places, counts, minlength=len(sums_of_squares))
                own = sorted(set(places) - {0})
                sums_of_squares[own] = sums[own]
            elif column.missing is not None and column.missing in at:
                empty = np.isnan(column.cells)
                sums_of_squares[at[column.missing]] = empty.sum() if weights is None else weights[empty].sum()
        return sums_of_squares


def design_matrix(table: Table, missing: MissingCells, reference: ReferenceValues) -> DesignMatrix:
    """The terms of rows that all have weight and a class."""
    if not isinstance(reference, str):
        _check_references(table, reference)
    inputs = [a for a in table.schema.inputs if isinstance(a, Nominal | Ordinal | Numeric)]
    rows = _complete(table, inputs) if missing == "drop" else table
    numbers = [a for a in inputs if isinstance(a, Numeric)]
    moments = _native.number_spreads([rows.columns[a.name] for a in numbers], len(rows), rows.weights)
    of = dict(zip((a.name for a in numbers), moments.tolist(), strict=True))
    columns, left_out = dict[str, ColumnTerms](), list[LeftOut]()
    for attribute in inputs:
        if isinstance(attribute, Numeric):
            column = _of_numbers(attribute, rows, of[attribute.name], missing, left_out)
        else:
            column = _of_values(attribute, rows, missing, reference, left_out)
        if column is not None:
            columns[attribute.name] = column
    return DesignMatrix(
        rows,
        tuple(columns.values()),
        tuple(term for column in columns.values() for term in column.own),
        {name: column.reference for name, column in columns.items() if column.reference is not None},
        {name: column.fill for name, column in columns.items()},
        tuple(left_out),
    )


def _complete(table: Table, inputs: list[Any]) -> Table:
    """The rows without an empty cell; a column that has nothing else takes none of them away."""
    whole = np.ones(len(table), dtype=bool)
    for attribute in inputs:
        known = ~missing_cells(table.columns[attribute.name])
        if known.any():
            whole &= known
    if not whole.any():
        raise LearningError(
            "Every row has an empty cell, and none is left once such rows are dropped. Keep them: ",
            Advice("missing", "indicator", setting=True),
            ".",
        )
    return table if whole.all() else table.take(whole)


def _of_numbers(
    attribute: Numeric, rows: Table, moments: list[float], missing: MissingCells, left_out: list[LeftOut]
) -> ColumnTerms | None:
    name, cells = attribute.name, rows.columns[attribute.name]
    weight, mean, squares, least, largest, empty = moments
    if empty == len(rows):
        left_out.append(LeftOut(name, "no row has a number there"))
        return None
    if max(-least, largest) > _LARGEST:
        too_large = f"is too large to learn from (the limit is {_LARGEST:g}). "
        way_out = "Leave the cell empty, or give the column in larger units."
        refuse_where(np.abs(cells) > _LARGEST, rows, name, too_large, way_out)
    spread = float(np.sqrt(squares / weight))
    number: Term | None = None
    if least == largest or not spread > _ROUNDING * max(-least, largest):
        flat = f"it is {least:g} wherever it is known"
        left_out.append(LeftOut(name, flat if least == largest else "its numbers differ too little to tell"))
    else:
        number = NumberTerm(name)
    gap = MissingTerm(name) if empty and missing == "indicator" else None
    own = tuple(term for term in (number, gap) if term)
    return ColumnTerms(cells, number, gap, mean, spread if number else 1.0, own=own, fill=mean)


def _of_values(
    attribute: Nominal | Ordinal,
    rows: Table,
    missing: MissingCells,
    reference: ReferenceValues,
    left_out: list[LeftOut],
) -> ColumnTerms | None:
    name, values, cells = attribute.name, attribute.values, rows.columns[attribute.name]
    counts = np.bincount(cells - UNSEEN, rows.weights, minlength=len(values) + 2)
    met = counts[2:] > 0
    if not met.any():
        left_out.append(LeftOut(name, "no row has a value there"))
        return None
    common = int(counts[2:].argmax())
    chosen = _reference(attribute, met, common, reference)
    own: list[Term] = [
        ValueTerm(name, values[code]) for code in np.flatnonzero(met).tolist() if code != chosen
    ]
    if not own:
        left_out.append(LeftOut(name, f"it is '{values[chosen]}' wherever it is known"))
    elif not met.all():
        names = [f"'{values[code]}'" for code in np.flatnonzero(~met).tolist()]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        unmet = f"no row has {', '.join(names[:_NAMED])}{more}: taken for '{values[common]}'"
        left_out.append(LeftOut(name, unmet))
    if missing == "indicator" and counts[MISSING - UNSEEN] > 0:
        own.append(MissingTerm(name))
    if not own:
        return None
    by_value = {term.value: term for term in own if isinstance(term, ValueTerm)}
    usual = by_value.get(values[common])
    gap = own[-1] if isinstance(own[-1], MissingTerm) else usual
    places = (usual, gap, *(by_value.get(v) if met[code] else usual for code, v in enumerate(values)))
    return ColumnTerms(cells, places=places, own=tuple(own), reference=values[chosen], fill=values[common])


def _reference(
    attribute: Nominal | Ordinal, met: npt.NDArray[np.bool_], common: int, reference: ReferenceValues
) -> int:
    """The code of the value that the others are compared with."""
    if reference == "first":
        return int(np.argmax(met))
    if isinstance(reference, str) or attribute.name not in reference:
        return common
    value = reference[attribute.name]
    code = attribute.values.index(value)
    if not met[code]:
        raise SettingError(f"No row has '{attribute.name} = {value}'; it cannot be the reference.")
    return code


def _check_references(table: Table, reference: Mapping[str, str]) -> None:
    schema = table.schema
    names = [a.name for a in schema.inputs if isinstance(a, Nominal | Ordinal)]
    for name, value in reference.items():
        if name not in names:
            raise SettingError(f"reference: {no_such('nominal column', name, names)}")
        attribute: Attribute = schema[name]
        if isinstance(attribute, Nominal | Ordinal) and value not in attribute.values:
            raise SettingError(no_such(f"value of {name} called", value, attribute.values, plural="values"))


# Terms that follow from others: a sum of terms before it can have any weight, and so gets none.


_FOLLOWS: Final = 1e-10  # of a term's own square, left after the terms before it: it is their sum
_PART: Final = 1e-6  # of a standardised term: less is no part of a sum


def following(design: DesignMatrix, gram: Floats) -> dict[Term, str]:
    """The terms that are sums of terms before them, each with these."""
    follows, how = _native.dependence(np.ascontiguousarray(gram), _FOLLOWS)
    reasons: dict[Term, str] = {}
    for j, term in enumerate(design.terms):
        if follows[j + 1]:
            parts = [str(t) for i, t in enumerate(design.terms) if abs(how[j + 1, i + 1]) > _PART]
            shown = parts if len(parts) <= _NAMED else [*parts[:_NAMED], f"{len(parts) - _NAMED} more"]
            reasons[term] = f"it follows from {', '.join(shown) or 'the intercept'}"
    return reasons
