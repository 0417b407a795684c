"""Counted values: P(value | class) from counts, as (n + m·p) ÷ (N + m)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from clearwood.arrays import Floats
from clearwood.formulas.conditions import Condition, Equals, interval, written
from clearwood.formulas.expressions import Expression, Number, Symbol
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import categorical_chances, log_priors, matrix, value_chances
from clearwood.models.kinds.bayes.distributions import Categorical, Cuts, Exact, Smoothing, Sums, total
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, Grid, Rows, named, plain


@dataclass(frozen=True, slots=True)
class Counted:
    """A column's counts by class, and the probabilities that prediction takes from them."""

    name: str
    values: tuple[Condition, ...]
    counts: Sums  # [class][value]
    smoothing: Smoothing
    prior: str | tuple[float, ...]
    chances: Floats  # [class, value]
    unseen: Floats  # [class]

    @property
    def is_laplace(self) -> bool:
        """Does each value simply count once more than it was met?"""
        return self.smoothing == "laplace" and self.prior == "equal"


def counted_of(model: BayesTables, distribution: Categorical | Cuts) -> Counted:
    """The counts of a nominal or ordinal column, or of the intervals of a numeric one."""
    name, smoothing, counts = distribution.name, distribution.smoothing, distribution.counts
    if isinstance(distribution, Cuts):
        ends = (-math.inf, *distribution.cuts, math.inf)
        values = tuple(interval(name, low, high) for low, high in pairwise(ends))
        chances, unseen, _ = value_chances(matrix(counts, len(values)), smoothing)
        return Counted(name, values, counts, smoothing, "equal", chances, unseen)
    attribute = model.schema[name]
    assert isinstance(attribute, Nominal | Ordinal)
    chances, unseen, _ = categorical_chances(model.schema, distribution)
    prior = distribution.prior
    if prior == "overall" and not any(map(any, counts)):
        prior = "equal"
    equals = tuple(Equals(name, value) for value in attribute.values)
    return Counted(name, equals, counts, smoothing, prior, chances, unseen)


def value_figure(model: BayesTables, counted: Counted, v: int, c: int) -> Figure:
    """P(value | class) of a value that the schema lists."""
    return _figure(
        model, counted, chance_name(counted.values[v], model, c), v, c, float(counted.chances[c, v])
    )


def unseen_figure(model: BayesTables, counted: Counted, value: str, c: int) -> Figure:
    """The same of a value that was never met: its count is 0, its p the smallest."""
    least = None
    if not isinstance(counted.prior, str) or counted.prior == "overall":
        shares = [_share(counted, v) for v in range(len(counted.values))]
        least = min(range(len(shares)), key=shares.__getitem__, default=None)
    name = chance_name(Equals(counted.name, value), model, c)
    return _figure(model, counted, name, least, c, float(counted.unseen[c]), met=False)


def value_grid(model: BayesTables, counted: Counted) -> Grid:
    """A row for each value: its count and its probability under each class."""
    labels = [each.value if isinstance(each, Equals) else str(each) for each in counted.values]
    return grid_by_class(
        model,
        f"{counted.name} by class",
        counted.name,
        "rows of",
        [[float(n) for n in row] for row in counted.counts],
        counted.chances.tolist(),
        labels,
        [str(each) for each in counted.values],
        lambda v, c: value_figure(model, counted, v, c),
    )


def grid_by_class(
    model: BayesTables,
    title: str,
    heading: str,
    counts_of: str,
    counts: Sequence[Sequence[float]],
    chances: Sequence[Sequence[float]],
    labels: Sequence[str],
    names: Sequence[str],
    figure: Callable[[int, int], Figure],
) -> Grid:
    """A row for each thing, with its counts and probabilities [class][thing]; `names` are those of the
    figures that the rows stand for, under which there is one for each class."""
    classes = model.schema.classes

    def figure_of(place: int) -> Figure:
        return Figure(names[place], None, under=tuple(figure(place, c) for c in range(len(classes))))

    heads = (*(f"{counts_of} {name}" for name in classes), *(f"P(… | {name})" for name in classes))
    lines = list(zip(labels, *counts, *chances, strict=True))
    return Grid(title, (heading, *heads), lines, figure_of=figure_of)


_GUESS: Final = Symbol("p", means="the prior guess of the value's probability")


def formula_of(counted: Counted) -> Expression:
    """How counts become probabilities in this column."""
    n = Symbol("n", means="the number of rows of the class with this value")
    whole = Symbol("N", means="the number of rows of the class with a known value")
    if counted.is_laplace:
        k = Symbol("k", means="the number of values of the attribute")
        return (n + 1) / (whole + k)
    if counted.smoothing == 0:
        return n / whole
    m = Symbol("m", means="the weight of the prior guess, in rows")
    return (n + m * _GUESS) / (whole + m)


def _figure(
    model: BayesTables, counted: Counted, name: str, v: int | None, c: int, value: float, *, met: bool = True
) -> Figure:
    k = len(counted.values)
    n = counted.counts[c][v] if met and v is not None else 0
    whole = total(counted.counts[c])
    rows = rows_of(model, c, whole, counted.name)
    because = "" if met else "It was never met in training: its count is 0."
    if not k:
        because = "The column was empty in training, and says nothing."
        return Figure(name, value, put_in=Number(1), rows=rows, because=because)
    if counted.is_laplace:
        put_in: Expression = (plain(n) + 1) / (plain(whole) + Number(k))
        return Figure(name, value, formula_of(counted), put_in, rows, because=because)
    m = float(k) if counted.smoothing == "laplace" else float(counted.smoothing)
    share, under = _prior_share(counted, v)
    if not whole and not m:
        because = f"No row of this class has {written(counted.name)}: its probability is p itself."
        return Figure(name, value, _GUESS, share, rows, because=because, under=under)
    if not m:
        if not n and not because:
            because = "No row of this class has it, and without smoothing a zero stays a zero."
        return Figure(name, value, formula_of(counted), plain(n) / plain(whole), rows, because=because)
    put_in = (plain(n) + plain(m) * share) / (plain(whole) + plain(m))
    return Figure(name, value, formula_of(counted), put_in, rows, because=because, under=under)


def _prior_share(counted: Counted, v: int | None) -> tuple[Expression, tuple[Figure, ...]]:
    """The p of the formula, and the figure under it where it is one."""
    if counted.prior == "equal" or v is None:
        return 1 / Number(max(len(counted.values), 1)), ()
    if counted.prior != "overall":
        return Number(_share(counted, v)), ()
    together = [total(each) for each in zip(*counted.counts, strict=True)]
    everyone = total(together)
    formula = Symbol("n", means="the number of rows of any class with this value") / Symbol("rows")
    put_in, rows = plain(together[v]) / plain(everyone), Rows(float(everyone))
    figure = Figure(f"P({counted.values[v]})", _share(counted, v), formula, put_in, rows)
    return named(figure), (figure,)


def _share(counted: Counted, v: int) -> float:
    if not isinstance(counted.prior, str):
        return counted.prior[v]
    together = [float(total(each)) for each in zip(*counted.counts, strict=True)]
    return together[v] / sum(together)


# Wording: how the probabilities of a Bayes model are called, and the rows they rest on.


def target_of(model: BayesTables) -> str:
    """The name of what the model predicts."""
    return model.schema.predicted.name


def chance_name(of: object, model: BayesTables, c: int) -> str:
    """P(age = old | yes)"""
    return f"P({of} | {written(model.schema.classes[c])})"


def prior_name(model: BayesTables, c: int) -> str:
    """P(yes)"""
    return f"P({written(model.schema.classes[c])})"


def rows_of(model: BayesTables, c: int, weight: Exact, name: str) -> Rows:
    """The rows of a class in which a column is known."""
    when = (Equals(target_of(model), model.schema.classes[c]),)
    known = "" if weight == model.classes[c] else f"{written(name)} known"
    return Rows(float(weight), when, known)


# Priors: how likely each class is before anything is known of the row.


_PRIOR: Final = Symbol("n", "c", "the number of rows of class c") / Symbol(
    "n", means="the number of all rows"
)


def prior_figure(model: BayesTables, c: int) -> Figure:
    """P(c): the class's share of the rows, the same for every class, or given."""
    name, value = prior_name(model, c), math.exp(log_priors(model)[c])
    match model.priors:
        case "equal":
            even, because = 1 / Number(len(model.classes)), "The classes are taken to be equally likely."
            return Figure(name, value, 1 / Symbol("classes"), even, because=because)
        case "estimated":
            rows = sum(model.classes)
            return Figure(name, value, _PRIOR, plain(model.classes[c]) / plain(rows), Rows(float(rows)))
        case given:
            return Figure(name, value, put_in=Number(given[c]), because="It was given.")


def priors_step(model: BayesTables, chapter: str, *, in_a_grid: bool) -> Step:
    """The priors of all classes, one by one or in a grid."""
    shares = [math.exp(log) for log in log_priors(model).tolist()]
    target, classes = target_of(model), model.schema.classes
    figures = tuple(prior_figure(model, c) for c in range(len(shares)))
    if in_a_grid:
        rows = list(zip(classes, map(float, model.classes), shares, strict=True))
        grid = Grid(f"Rows by {target}", (target, "rows", "prior"), rows, figure_of=figures.__getitem__)
        figures = (Figure(f"P({target})", None, grids=(grid,)),)
    decision = f"{classes[shares.index(max(shares))]} has the highest prior probability."
    if len({*shares}) == 1:
        decision = "All classes have the same prior probability."
    return Step(chapter, f"How common is each class of {target}?", figures, decision)
