"""Separation in words: which values or numbers leave a weight without a finite estimate."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Bools, Floats
from clearwood.learners.linear.likelihood import Likelihood
from clearwood.learners.linear.terms import DesignMatrix
from clearwood.models.kinds.linear.linear_model import (
    MissingTerm,
    NumberTerm,
    Separation,
    ValueTerm,
    WeightSign,
)
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


# Separation, exactly: the direction in which weights can grow without end and no row falls back.
#
# A row's lead over a class is how much its own class's score gains on that class's. The classes are
# separated if some direction has no lead below 0 and one above. Newton's last step only comes near it,
# since rows that are far ahead already may fall back a little. So the leads below 0 are squared, added up
# and brought to a minimum while the sum of all leads is held: it is 0 where there is such a direction, and
# only there.


_MOST: Final = 50_000_000  # numbers of all leads together
_BEHIND: Final = 1e-10  # of the largest lead: below 0 by less is rounding
_AHEAD: Final = 1e-6  # of the largest lead: above, a row runs away
_STEPS: Final = 60
_STILL: Final = 1e-9  # of the sum: no step makes it smaller
_FIRM: Final = 1e-9  # of the curvature, at first: where no row is behind, a step stays short
_LEAST_FIRM: Final = 1e-15


def recession(likelihood: Likelihood, towards: Floats) -> tuple[Floats, bool] | None:
    """The direction [vector, 0 then terms] in which all that can run away does, by a lead of 1 at least, and
    whether every row does; None where there is none, or the table is too large to ask. `towards` is where to
    look first."""
    if len(likelihood.target) * likelihood.classes * likelihood.width > _MOST:
        return None
    leads = Leads(likelihood)
    direction = np.zeros_like(towards)
    staying = leads.every()
    while any(each.any() for each in staying):
        further = _held(leads, towards, staying)
        if further is None:
            break
        direction = direction + further
        ahead = leads.along(further)
        enough = _AHEAD * max(
            float(each[own].max(initial=0.0)) for own, each in zip(staying, ahead, strict=True)
        )
        staying = [own & (each <= enough) for own, each in zip(staying, ahead, strict=True)]
    if not direction.any():
        return None
    running = zip(leads.every(), leads.along(direction), staying, strict=True)
    shortest = min(float(each[own & ~still].min(initial=np.inf)) for own, each, still in running)
    return direction / shortest, not any(each.any() for each in staying)


class Leads:
    """The leads of the rows, class by class: [row, other class] as a linear function of a direction."""

    def __init__(self, likelihood: Likelihood) -> None:
        width, classes = likelihood.width, likelihood.classes
        values = _native.linear_scores(likelihood.columns, len(likelihood.target), np.eye(width))
        self.shape = (likelihood.vectors, width)
        self.classes = classes
        # How long a row is does not matter for the sign of its leads, nor how often it comes.
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        self.rows = [np.unique(values[likelihood.target == c], axis=0) for c in range(classes)]

    def every(self) -> list[Bools]:
        """[class][row, other class] all of them; a class has no lead over itself."""
        leads = []
        for own, rows in enumerate(self.rows):
            chosen = np.ones((len(rows), self.classes), dtype=bool)
            chosen[:, own] = False
            leads.append(chosen)
        return leads

    def along(self, direction: Floats) -> list[Floats]:
        """[class][row, other class] the leads that a direction gives."""
        all_scores = np.zeros((self.classes, self.shape[1]))
        all_scores[: self.shape[0]] = direction
        leads = []
        for own, rows in enumerate(self.rows):
            scores = rows @ all_scores.T
            leads.append(scores[:, own, None] - scores)
        return leads

    def pulled(self, by: list[Floats]) -> Floats:
        """[·] Σ by · lead as a vector of the direction's factors."""
        pull = np.zeros((self.classes, self.shape[1]))
        for own, (rows, each) in enumerate(zip(self.rows, by, strict=True)):
            pull -= each.T @ rows
            pull[own] += each.sum(axis=1) @ rows
        return pull[: self.shape[0]].ravel()

    def curvature(self, chosen: list[Bools]) -> Floats:
        """[·, ·] of half the sum of the chosen leads' squares."""
        vectors, width = self.shape
        hessian = np.zeros((vectors, width, vectors, width))
        for own, (rows, each) in enumerate(zip(self.rows, chosen, strict=True)):
            for other in np.flatnonzero(each.any(axis=0)).tolist():
                part = rows[each[:, other]]
                gram = part.T @ part
                for c in (own, other):
                    if c < vectors:
                        hessian[c, :, c] += gram
                if own < vectors and other < vectors:
                    hessian[own, :, other] -= gram
                    hessian[other, :, own] -= gram
        return hessian.reshape(vectors * width, vectors * width)


def _held(leads: Leads, start: Floats, moving: list[Bools]) -> Floats | None:
    """A direction in which the `moving` leads are 1 on the average and none is below 0, or None."""
    total = leads.pulled([each.astype(np.float64) for each in moving])
    many = sum(int(each.sum()) for each in moving)
    size = float(total @ total)
    if not size > 0:
        return None
    direction = start.ravel().copy()
    along = float(total @ direction)
    direction = direction * (many / along) if along > 0 else total * (many / size)
    firm = _FIRM
    for _ in range(_STEPS):
        ahead = leads.along(direction.reshape(leads.shape))
        behind = [np.minimum(each, 0.0) for each in ahead]
        least = min(float(each.min(initial=0.0)) for each in behind)
        # Of the moving leads: along what runs away already the others may grow as they like.
        largest = max(float(each[own].max(initial=0.0)) for own, each in zip(moving, ahead, strict=True))
        if least >= -_BEHIND * largest:
            return direction.reshape(leads.shape)
        height = _height(behind)
        slope = leads.pulled(behind)
        matrix = leads.curvature([each < 0 for each in behind])
        matrix += np.diag(firm * (matrix.diagonal() + matrix.diagonal().max()))
        # The step that brings the parabola to its minimum and leaves the sum of the moving leads as it is.
        down = _native.solve_symmetric(matrix, slope, 0.0)
        along_total = _native.solve_symmetric(matrix, total, 0.0)
        if down is None or along_total is None:
            return None
        step = along_total * (float(total @ down) / float(total @ along_total)) - down
        fall = float(slope @ step)
        if fall >= -_STILL * height:
            return None
        length = 1.0
        while length > 1e-6:
            tried = leads.along((direction + length * step).reshape(leads.shape))
            if _height([np.minimum(each, 0.0) for each in tried]) <= height + 0.1 * length * fall:
                break
            length /= 2
        direction = direction + length * step
        firm = max(firm / 10, _LEAST_FIRM) if length == 1.0 else min(firm * 10, _FIRM)
    return None


def _height(behind: list[Floats]) -> float:
    return 0.5 * sum(float((each * each).sum()) for each in behind)
