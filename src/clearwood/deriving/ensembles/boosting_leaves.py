"""The leaves of a round's tree: G and H of their rows, and the step that each takes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Ints
from clearwood.deriving.ensembles.shared import added_up, check_alike
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import Expression, Log, Number, Over, Symbol, value_of
from clearwood.learners.ensembles.boosting_task import BoostingTask, WholeGradients, weighted_quantile
from clearwood.models.kinds.ensemble.ensemble import Ensemble, score_name
from clearwood.models.kinds.tree.tree import Tree, path_to
from clearwood.words.numbers import short
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, Rows, named, plain

_RATE: Final = Symbol("ν", means="the learning rate")
_BEND: Final = Symbol("H", means="the sum of the second derivatives of the loss over the rows of the leaf")

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


def step_figures(model: Ensemble, task: BoostingTask, turn: Turn) -> tuple[Figure, ...]:
    """The steps of the first leaves that rows came to, each with G and H under it."""
    leaves = np.unique(turn.leaves)[:_MOST_LEAVES].tolist()
    by_quantile = task.loss in ("absolute", "quantile")
    make = _by_quantile if by_quantile else _by_newton
    return tuple(make(model, task, turn, leaf, place) for place, leaf in enumerate(leaves, 1))


def _by_newton(model: Ensemble, task: BoostingTask, turn: Turn, leaf: int, place: int) -> Figure:
    """−ν · G/(H + λ), with G nearer to 0 by λ₁ where there is an L1 penalty."""
    here = (turn.leaves == leaf) & turn.seen
    at = f"leaf {place} in round {turn.number}"
    slope = _sum_of(
        f"G of {at}",
        Symbol("g", "i", "the first derivative of the loss at the score of row i, by its weight"),
        turn.g[here],
    )
    bend = _sum_of(f"H of {at}", Symbol("h", "i", "the second derivative there, by its weight"), turn.h[here])
    formula, top, because = _shrunk(task.settings.l1, slope)
    put_in: Expression = -(plain(task.settings.rate) * top / (named(bend) + plain(task.settings.l2)))
    whole = -(_RATE * formula / (_BEND + Symbol("λ", means="the L2 penalty")))
    if not float(named(bend).value) + task.settings.l2 > 0:
        put_in = Number(float(turn.tree.nodes.counts[leaf, 1]))
        because = "The loss does not bend here: no step is taken."
    figure = Figure(f"step of {at}", None, whole, put_in, because=because, under=(slope, bend))
    return _taken(model, task, turn, leaf, figure, "Newton's step")


def _shrunk(l1: float, slope: Figure) -> tuple[Expression, Expression, str]:
    own = named(slope)
    if not l1:
        return (
            Symbol("G", means="the sum of the first derivatives of the loss over the rows of the leaf"),
            own,
            "",
        )
    value, penalty = float(own.value), plain(l1)
    formula = Symbol("T(G)", means="the sum of the first derivatives moved towards 0 by the L1 penalty")
    because = f"T(G) is G moved towards 0 by {l1:g}, and 0 if it would pass it."
    if abs(value) <= l1:
        return formula, Number(0), because
    return formula, own - penalty if value > 0 else own + penalty, because


def _by_quantile(model: Ensemble, task: BoostingTask, turn: Turn, leaf: int, place: int) -> Figure:
    """ν times the median, or another quantile, of what rows are above their scores."""
    here = (turn.leaves == leaf) & turn.seen
    at = f"leaf {place} in round {turn.number}"
    above = task.target[here] - turn.scores[here]
    weights = np.ones(len(above)) if task.weights is None else task.weights[here]
    what = "median" if task.part == 0.5 else f"{task.part:g} quantile"
    because = f"The {what} of the values less the scores of its rows."
    middle = Figure(f"{what} of {at}", weighted_quantile(above, weights, task.part), because=because)
    formula, put_in = _RATE * Symbol(what), plain(task.settings.rate) * named(middle)
    figure = Figure(f"step of {at}", None, formula, put_in, under=(middle,))
    return _taken(model, task, turn, leaf, figure, f"ν times the {what}")


def _taken(model: Ensemble, task: BoostingTask, turn: Turn, leaf: int, figure: Figure, what: str) -> Figure:
    """The step that the leaf took: the figure's, unless the order that is demanded of leaves has moved it."""
    assert figure.put_in is not None
    step, value = float(turn.tree.nodes.counts[leaf, 1]), value_of(figure.put_in)
    if any(task.monotone) and not math.isclose(value, step, rel_tol=1e-9, abs_tol=1e-12):
        because = f"{what} is {value:.4g}; the order that is demanded of leaves moves it."
        figure = replace(figure, put_in=Number(step), because=because)
    else:
        check_alike(model, [step], [value])
    here = (turn.leaves == leaf) & turn.seen
    weight = float(here.sum()) if task.weights is None else float(task.weights[here].sum())
    return replace(figure, value=step, rows=Rows(weight, path_to(turn.tree, leaf)))


def _sum_of(name: str, letter: Symbol, values: Floats) -> Figure:
    put_in, because = added_up(values.tolist())
    return Figure(name, value_of(put_in), Over("Σ", "i", letter), put_in, because=because)


# The base of boosting: the one score for all rows that has the least loss.


_N: Final = Symbol("n", means="the number of rows")

_CHAPTER: Final = "The base"
_MEAN: Final = Over("Σ", "i", Symbol("y", "i", "the value of row i")) / _N
_WEIGHED: Final = Over("Σ", "i", Symbol("w·y", "i", "the weight times the value of row i")) / Over(
    "Σ", "i", Symbol("w", "i", "the weight of row i")
)


def base_step(model: Ensemble, task: BoostingTask) -> Step:
    """F₀ by score: log odds, log shares, a mean or its logarithm, a median or quantile."""
    names = [f"base, {written(score_name(model.schema, model.link, k))}" for k in range(len(model.base))]
    figures = _classes(model, task, names) if task.classes else (_number(model, task, names[0]),)
    values = " and ".join(short(base) for base in model.base) if len(model.base) < 3 else "these scores"
    decision = f"Before the first tree, every row has {values}: no other constant has a smaller loss."
    if task.held is not None:
        held = int(task.held.sum())
        decision += f" {held:,} rows are held out: they say when to stop, and have no part in the sums."
    return Step(_CHAPTER, "The score of every row", figures, decision)


def _classes(model: Ensemble, task: BoostingTask, names: list[str]) -> tuple[Figure, ...]:
    here = task.learning
    weights = np.ones(int(here.sum())) if task.weights is None else task.weights[here]
    counts = np.bincount(task.target[here], weights, len(model.schema.classes)).tolist()
    total = sum(counts)
    rows, rare = Rows(total), "A class without rows has a probability of 10⁻⁹, whose logarithm is finite."
    if task.loss == "logistic":
        first, second = (Symbol(f"rows of {written(name)}") for name in model.schema.classes)
        formula: Expression = Log(second / first, "e")
        put_in = Log(plain(counts[1]) / plain(counts[0]), "e") if min(counts) > 0 else None
        because = "" if put_in is not None else rare
        return (Figure(names[0], model.base[0], formula, put_in, rows, because=because),)
    formula = Log(Symbol("n", "c", "the number of rows of class c") / _N, "e")
    return tuple(
        Figure(name, base, formula, Log(plain(own) / plain(total), "e"), rows)
        if own > 0
        else Figure(name, base, formula, rows=rows, because=rare)
        for name, base, own in zip(names, model.base, counts, strict=True)
    )


def _number(model: Ensemble, task: BoostingTask, name: str) -> Figure:
    here, base = task.learning, model.base[0]
    target = task.target[here].astype(np.float64)
    rows = Rows(float(len(target)) if task.weights is None else float(task.weights[here].sum()))
    if task.loss in ("absolute", "quantile"):
        what = "The median" if task.part == 0.5 else f"The {task.part:g} quantile"
        return Figure(name, base, rows=rows, because=f"{what} of the values.")
    formula: Expression
    if task.weights is None:
        top, because = added_up(target.tolist())
        put_in: Expression = top / plain(float(len(target)))
        formula = _MEAN
    else:
        top, because = added_up((task.weights[here] * target).tolist())
        put_in = top / added_up(task.weights[here].tolist())[0]
        formula = _WEIGHED
    if task.loss == "poisson":
        if not target.any():
            return Figure(name, base, rows=rows, because="All values are 0; 10⁻⁹ has a logarithm.")
        formula, put_in = Log(formula, "e"), Log(put_in, "e")
    return Figure(name, base, formula, put_in, rows, because=because)
