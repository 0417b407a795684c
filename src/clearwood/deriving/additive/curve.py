"""A curve's points: how the first step of boosting moves the first column, and what all steps came to."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from clearwood.deriving.deriving import counted_rows
from clearwood.errors import SettingError
from clearwood.explaining.curve_groups import mean_points
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import Number, Symbol
from clearwood.learners.class_order import by_name, with_classes_of
from clearwood.learners.directions import learned_directions
from clearwood.learners.ensembles.gam import GAM, prepared_gam
from clearwood.learners.ensembles.gam_definition import GamLeaf, first_leaves
from clearwood.learners.ensembles.gam_task import UNIT, gam_task
from clearwood.learners.training import usable_rows
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    cell_in_words,
    curves_in,
    name_of,
)
from clearwood.models.kinds.ensemble.ensemble import score_name
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import Figure, Grid

_FIRST: Final = "The first step of the first bag"
_POINTS: Final = "The points"
_G: Final = Symbol("G", means="the sum of the loss's first derivatives over the drawn rows of the leaf")
_H: Final = Symbol("H", means="the sum of its second derivatives there")
_STEP: Final = -(Symbol("ν", means="the learning rate") * _G / (_H + Symbol("λ", means="the L2 penalty")))


def derive_curves(model: AdditiveModel, table: Table | None) -> Derivation:
    """The first Newton step from the rows, where they are given; then the points of every term.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6] * 5, "y": list("aababb") * 5}, target="y")
    >>> steps = derive_curves(cw.GAM(bags=3).learn(table), table)
    >>> steps[0].title
    'x: slopes, curvatures and steps'
    """
    steps = [] if table is None else _first_step(model, counted_rows(model, table))
    steps += [_points_step(model, term) for term in curves_in(model)] or [_base_alone(model)]
    target = model.schema.target.name if model.schema.target else ""
    return Derivation(f"How the points for {written(target)} came about", steps)


def _learner(model: AdditiveModel) -> GAM:
    if model.origin.learner != "GAM":
        raise SettingError(
            f"The steps of {model.origin.learner} are not derived. Derive how the model predicts a row: "
            "derive(model, row=row)."
        )
    settings: dict[str, Any] = dict(model.origin.settings)
    return GAM(**{name: value for name, value in settings.items() if name not in ("priors", "costs")})


def _first_step(model: AdditiveModel, table: Table) -> list[Step]:
    learner, table = _learner(model), by_name(table)
    model = with_classes_of(model, table.schema)
    rows, columns = prepared_gam(usable_rows(learner, table), learner.bins, learner.signs(table))
    if not columns or not model.shapes:
        return []
    task, first = gam_task(learner, rows), columns[0]
    leaves = first_leaves(task, first)
    if not leaves:
        return []
    shape = Shape(first.name, first.cuts, ((0.0,) * first.cells,) * len(model.base))
    figures = [_leaf_figure(model, shape, leaf, learner, task.scale) for leaf in leaves]
    drawn = sum(leaf.rows for leaf in leaves)
    decision = (
        f"The bag draws {task.draws:,} rows with replacement, {drawn:,} of them in these leaves. Each leaf's "
        "cells move by this step; the next column begins at the new scores, and so on round after round."
    )
    if learner.smoothing:
        decision += " In the first rounds the cuts of numeric and ordinal columns are drawn at random."
    decision += _limit(
        model, first.name, "Leaves that would go the other way are pooled with their neighbours"
    )
    return [Step(_FIRST, f"{written(first.name)}: slopes, curvatures and steps", tuple(figures), decision)]


def _limit(model: AdditiveModel, column: str, kept: str) -> str:
    """What was asked of the column, and how it is kept; nothing where it is free."""
    asked = [str(each) for each in learned_directions(model.origin.settings) if each.column == column]
    return "".join(f" It was asked that {each}. {kept}." for each in asked)


def _leaf_figure(model: AdditiveModel, shape: Shape, leaf: GamLeaf, learner: GAM, scale: float) -> Figure:
    first, last = (cell_in_words(model, shape, cell) for cell in (leaf.cells[0], leaf.cells[-1]))
    where = first if first == last else f"{first} … {last}"
    of = "" if len(model.base) == 1 else f" for {score_name(model.schema, model.link, leaf.score)}"
    put_in = -(Number(leaf.factor) * Number(leaf.slope) / (Number(leaf.curve) + Number(float(learner.l2))))
    because = f"{leaf.rows:,} drawn rows"
    if leaf.factor != learner.rate:
        because += f"; ν is {learner.rate:g} less what chance alone would gain"
    if scale != 1.0:
        because += f"; in standard deviations of the target ({scale:.6g})"
    return Figure(f"step at {written(where)}{of}", leaf.step / UNIT, _STEP, put_in, because=f"{because}.")


def _base_alone(model: AdditiveModel) -> Step:
    """Why there is no curve, and what is left."""
    figures = tuple(
        Figure(f"base, {written(score_name(model.schema, model.link, s))}", base)
        for s, base in enumerate(model.base)
    )
    decision = (
        "No column has a curve: no step lowered the loss on the out-of-bag rows, so that none is kept. Every "
        "row gets the base alone, which predicts the same for all."
    )
    return Step(_POINTS, "The base alone", figures, decision)


def _points_step(model: AdditiveModel, term: Shape | PairShape) -> Step:
    """The table of a term: by cell its rows, points and standard errors."""
    several = len(model.base) > 1
    names = [score_name(model.schema, model.link, s) for s in range(len(model.base))]
    heads = ["cell", *(["rows"] if term.rows else [])]
    for name in names:
        heads += [f"points for {name}" if several else "points", *(["± error"] if term.errors else [])]
    lines = []
    for cell in range(len(term.points[0])):
        if term.rows and not term.rows[cell] > 0:
            continue
        line: list[Any] = [cell_in_words(model, term, cell), *([term.rows[cell]] if term.rows else [])]
        for s in range(len(names)):
            line += [term.points[s][cell], *([term.errors[s][cell]] if term.errors else [])]
        lines.append(tuple(line))
    grid = Grid(f"The points of {name_of(term)}", tuple(heads), lines)
    size = float(np.round(mean_points(term), 4))
    how = "mean over the bags of all steps taken, less their mean over the rows"
    if isinstance(term, PairShape):
        how += ", and less what either column adds alone, which its own curve has"
    decision = f"Each is the {how}; it moves the score by {size:g} on average."
    if isinstance(term, Shape):
        decision += _limit(model, term.name, "Every step keeps this direction, and so does their sum")
    return Step(_POINTS, written(name_of(term)), (Figure("points", None, grids=(grid,)),), decision)
