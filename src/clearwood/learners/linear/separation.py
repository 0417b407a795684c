"""Separation in words: which values or numbers leave a weight without a finite estimate."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.learners.linear.terms import DesignMatrix
from clearwood.models.linear_model import MissingTerm, NumberTerm, Separation, ValueTerm, WeightSign
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import MISSING
from clearwood.words.numbers import number

_NAMED: Final = 5


def separation_of(
    design: DesignMatrix, signs: npt.NDArray[np.int64], complete: bool, classes: tuple[str, ...]
) -> Separation:
    """The separation in which signs [vector, 0 then terms] run away; `classes` are those that rows have."""
    directions: tuple[tuple[WeightSign, ...], ...] = tuple(map(tuple, signs.tolist()))
    moving = [term for j, term in enumerate(design.terms) if signs[:, j + 1].any()]
    names = list(dict.fromkeys(term.name for term in moving))
    reasons: list[str] = []
    for name in names:
        attribute = design.rows.schema[name]
        if isinstance(attribute, Nominal | Ordinal):
            reasons += _of_values(design, attribute, classes)
        elif isinstance(attribute, Numeric) and any(
            isinstance(t, NumberTerm) and t.name == name for t in moving
        ):
            reasons += _of_numbers(design, attribute, classes)
        if any(isinstance(term, MissingTerm) and term.name == name for term in moving):
            cells = design.rows.columns[name]
            gap = np.isnan(cells) if isinstance(attribute, Numeric) else cells == MISSING
            reasons += _of_rows(design, gap, f"where {name} is missing", classes)
    if not reasons or (complete and not any("no other" in each for each in reasons)):
        reasons = [*reasons, f"{_listed(names)} classes apart without an error."]
    if len(reasons) > _NAMED:
        reasons = [*reasons[:_NAMED], f"{len(reasons) - _NAMED} more values or columns do the same."]
    return Separation(complete, directions, tuple(reasons))


def _of_values(design: DesignMatrix, attribute: Nominal | Ordinal, classes: tuple[str, ...]) -> list[str]:
    cells = design.rows.columns[attribute.name]
    own = {term.value for term in design.terms if isinstance(term, ValueTerm) and term.name == attribute.name}
    own.add(design.references[attribute.name])
    reasons = []
    for code, value in enumerate(attribute.values):
        if value in own:
            reasons += _of_rows(design, cells == code, f"with {attribute.name} = {value}", classes)
    return reasons


def _of_rows(
    design: DesignMatrix, chosen: npt.NDArray[np.bool_], where: str, classes: tuple[str, ...]
) -> list[str]:
    names = design.rows.schema.classes
    met = {names[code] for code in np.unique(design.rows.target[chosen]).tolist()}
    absent = [name for name in classes if name not in met]
    if not met or not absent:
        return []
    rows = f"{int(chosen.sum()):,}"
    if len(met) == 1:
        return [f"Every training row {where} ({rows}) is '{next(iter(met))}'."]
    return [f"No training row {where} ({rows}) is {' or '.join(repr(name) for name in absent)}."]


def _of_numbers(design: DesignMatrix, attribute: Numeric, classes: tuple[str, ...]) -> list[str]:
    """A number that by itself has a class on one side and the others on the other."""
    cells: Any = design.rows.columns[attribute.name]
    target, names = design.rows.target, design.rows.schema.classes
    known = ~np.isnan(cells)
    for name in classes:
        own = cells[known & (target == names.index(name))]
        others = cells[known & (target != names.index(name))]
        if not len(own) or not len(others):
            continue
        if own.min() >= others.max():
            return [_cut(attribute.name, float(others.max()), float(own.min()), "from", name)]
        if own.max() <= others.min():
            return [_cut(attribute.name, float(others.min()), float(own.max()), "up to", name)]
    return []


def _cut(column: str, others: float, own: float, word: str, name: str) -> str:
    if others == own:
        return f"{column} = {number(own)} alone keeps '{name}' and the other rows together."
    return f"Every training row with {column} {word} {number(own)}, and no other, is '{name}'."


def _listed(names: list[str]) -> str:
    shown = names if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"]
    if len(shown) == 1:
        return f"{shown[0]} alone tells"
    return f"Together {', '.join(shown[:-1])} and {shown[-1]} tell"
