"""The leaves of a round's tree: G and H of their rows, and the step that each takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Ints
from clearwood.derive.ensembles.shared import added_up, check_alike
from clearwood.formulas.expressions import (
    Expression,
    Negative,
    Number,
    Over,
    Product,
    Quotient,
    Sum,
    Symbol,
    value_of,
)
from clearwood.learners.ensembles.boosting_gradients import WholeGradients
from clearwood.learners.ensembles.boosting_task import BoostedGrowth, BoostingTask, weighted_quantile
from clearwood.models.ensemble import Ensemble
from clearwood.models.paths import path_to
from clearwood.models.tree import Tree
from clearwood.working.figures import Figure, Rows, less, named, plain

_RATE: Final = Symbol("ν", means="the learning rate")

_MOST_LEAVES: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A tree of a round, and what its rows were before it."""

    number: int  # of the round, from 1
    tree: Tree
    slopes: WholeGradients  # [row] in the units in which they are added up
    leaves: Ints  # [row]
    seen: Bools  # [row] did the tree learn from it?
    scores: Floats  # [row]
    answers: Floats  # [row]

    @property
    def g(self) -> Floats:
        """[row] the first derivative of the loss."""
        return np.asarray(self.slopes.g * self.slopes.unit_g, dtype=np.float64)

    @property
    def h(self) -> Floats:
        """[row] the second derivative."""
        return np.asarray(self.slopes.h * self.slopes.unit_h, dtype=np.float64)


def step_figures(
    model: Ensemble, task: BoostingTask, growth: BoostedGrowth, turn: Turn
) -> tuple[Figure, ...]:
    """The steps of the first leaves that rows came to, each with G and H under it."""
    leaves = np.unique(turn.leaves)[:_MOST_LEAVES].tolist()
    by_quantile = task.loss in ("absolute", "quantile")
    make = _by_quantile if by_quantile else _by_newton
    return tuple(make(model, task, growth, turn, leaf, place) for place, leaf in enumerate(leaves, 1))


def _by_newton(
    model: Ensemble, task: BoostingTask, growth: BoostedGrowth, turn: Turn, leaf: int, place: int
) -> Figure:
    """−ν · G/(H + λ), with G nearer to 0 by λ₁ where there is an L1 penalty."""
    here = (turn.leaves == leaf) & turn.seen
    at = f"leaf {place} in round {turn.number}"
    slope = _sum_of(
        f"G of {at}",
        Symbol("g", "i", "the first derivative of the loss at the score of row i, by its weight"),
        turn.g[here],
    )
    bend = _sum_of(f"H of {at}", Symbol("h", "i", "the second derivative there, by its weight"), turn.h[here])
    step = float(turn.tree.nodes.counts[leaf, 1])
    formula, top, because = _shrunk(growth, slope)
    put_in: Expression = Negative(
        Quotient(Product((plain(growth.rate), top)), Sum((named(bend), plain(growth.l2))))
    )
    whole = Negative(
        Quotient(
            Product((_RATE, formula)),
            Sum(
                (
                    Symbol(
                        "H", means="the sum of the second derivatives of the loss over the rows of the leaf"
                    ),
                    Symbol("λ", means="the L2 penalty"),
                )
            ),
        )
    )
    value = value_of(put_in)
    if not float(named(bend).value) + growth.l2 > 0:
        put_in, because = Number(step), "The loss does not bend here: no step is taken."
    elif any(task.monotone) and not math.isclose(value, step, rel_tol=1e-9, abs_tol=1e-12):
        because = f"Newton's step is {value:.4g}; the order that is demanded of leaves moves it."
        put_in = Number(step)
    else:
        check_alike(model, [step], [value])
    return Figure(
        f"step of {at}", step, whole, put_in, _rows(task, turn, leaf, here), because=because,
        under=(slope, bend),
    )  # fmt: skip


def _shrunk(growth: BoostedGrowth, slope: Figure) -> tuple[Expression, Expression, str]:
    own = named(slope)
    if not growth.l1:
        return (
            Symbol("G", means="the sum of the first derivatives of the loss over the rows of the leaf"),
            own,
            "",
        )
    value, penalty = float(own.value), plain(growth.l1)
    formula = Symbol("T(G)", means="the sum of the first derivatives moved towards 0 by the L1 penalty")
    because = f"T(G) is G moved towards 0 by {growth.l1:g}, and 0 if it would pass it."
    if abs(value) <= growth.l1:
        return formula, Number(0), because
    return formula, less(own, penalty) if value > 0 else Sum((own, penalty)), because


def _by_quantile(
    model: Ensemble, task: BoostingTask, growth: BoostedGrowth, turn: Turn, leaf: int, place: int
) -> Figure:
    """ν times the median, or another quantile, of what rows are above their scores."""
    here = (turn.leaves == leaf) & turn.seen
    at = f"leaf {place} in round {turn.number}"
    above = task.target[here] - turn.scores[here]
    weights = np.ones(len(above)) if task.weights is None else task.weights[here]
    what = "median" if task.part == 0.5 else f"{task.part:g} quantile"
    middle = Figure(
        f"{what} of {at}",
        weighted_quantile(above, weights, task.part),
        because=f"The {what} of the values less the scores of its rows.",
    )
    put_in: Expression = Product((plain(growth.rate), named(middle)))
    step, because = float(turn.tree.nodes.counts[leaf, 1]), ""
    value = value_of(put_in)
    if any(task.monotone) and not math.isclose(value, step, rel_tol=1e-9, abs_tol=1e-12):
        because = f"ν times the {what} is {value:.4g}; the order that is demanded of leaves moves it."
        put_in = Number(step)
    else:
        check_alike(model, [step], [value])
    formula = Product((_RATE, Symbol(what)))
    return Figure(
        f"step of {at}", step, formula, put_in, _rows(task, turn, leaf, here), because=because,
        under=(middle,),
    )  # fmt: skip


def _sum_of(name: str, letter: Symbol, values: Floats) -> Figure:
    put_in, because = added_up(values.tolist())
    return Figure(name, value_of(put_in), Over("Σ", "i", letter), put_in, because=because)


def _rows(task: BoostingTask, turn: Turn, leaf: int, here: Bools) -> Rows:
    weight = float(here.sum()) if task.weights is None else float(task.weights[here].sum())
    return Rows(weight, path_to(turn.tree, leaf))
