"""Rows that teach an imitation: those of a table and rows made of their cells, with a model's answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Final, cast

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import chance_key, draw
from clearwood.errors import LearningError, NamedOption, SettingError
from clearwood.explaining.dependence import answer_matrix
from clearwood.learners.learner import Learner, TreeLearner, Unpruned
from clearwood.learners.trees.pruning.weakest_links import alpha_by_growing, losses_by_node
from clearwood.measures.inference import normal_quantile, wilson
from clearwood.models.kinds.tree.tree import Tree, node_shares
from clearwood.models.model import Model
from clearwood.predicting.batch import predict, predict_codes
from clearwood.predicting.columns import column_for, table_for
from clearwood.registry import changed_settings
from clearwood.table.folding import in_order_of_content, shuffled
from clearwood.table.table import Column, Table

_LEAST: Final = 1e-6  # a smaller share is too light a row beside the others


def rows_for_model(model: Model, given: Any) -> Table:
    """The rows as a table of the model's columns, coded as the model codes them, with the truth if there."""
    given = table_for(model, given)
    schema = model.schema
    if len(given) < 2:
        raise SettingError("distil needs at least two rows: one to learn from and one to compare on.")
    missing = {each.name for each in schema.inputs if each.name not in given.columns}
    if missing:
        inputs = tuple(each for each in schema.attributes if each.name not in missing)
        schema = replace(schema, attributes=inputs)
    wanted = [each for each in (*schema.inputs, schema.predicted) if each.name in given.columns]
    columns = {each.name: column_for(each, given) for each in wanted}
    table = Table(schema, columns, given.weights, rows=len(given), weights_are=given.weights_are)
    return in_order_of_content(table)


def with_made_rows(table: Table, count: int, seed: int) -> Table:
    """The table, then so many rows with about half of their columns shuffled, by chance in each copy.

    The row at place p is made of the row at place p modulo the table's length.
    """
    if not count:
        return table
    inputs = [each.name for each in table.schema.inputs]
    copies = [table.columns]
    for copy in range(-(-count // len(table))):
        columns = dict(table.columns)
        for place, name in enumerate(inputs):
            key = chance_key(seed, copy, place)
            if draw(key, 0) % 2:
                columns[name] = columns[name][shuffled(len(table), draw(key, 1))]
        copies.append(columns)
    joined = {name: np.concatenate([each[name] for each in copies]) for name in table.columns}
    weights = None if table.weights is None else np.tile(table.weights, len(copies))
    apart: dict[str, Any] = {"places": None, "together": None, "times": None}  # no row has its own any more
    rows = len(table) * len(copies)
    made = replace(table, columns=joined, weights=weights, rows=rows, checked=True, **apart)
    return made.take(np.arange(len(table) + count))


def codes_or_numbers(model: Model, table: Table) -> Column:
    """[row] the code of the class, −1 where the model does not answer; or the number."""
    if model.is_numeric:
        return np.asarray(predict(model, table), dtype=np.float64)
    return predict_codes(model, table)


def truth_of(model: Model, table: Table) -> Column | None:
    """[row] what is known to be true; None where nothing is."""
    column = table.columns.get(model.schema.predicted.name)
    return None if column is None or not has_answer(model, column).any() else column


def has_answer(model: Model, answers: Column) -> Column:
    """[row] is there a class or a number?"""
    return np.isfinite(answers) if model.is_numeric else answers >= 0


def with_answers(model: Model, table: Table) -> tuple[Table, Longs]:
    """The rows that the model answers, with its answers in place of the truth; and their places."""
    answers = codes_or_numbers(model, table)
    known = _some(has_answer(model, answers))
    return _with_target(model, table, answers).take(known), known


def with_shares(model: Model, table: Table) -> Table:
    """Each row once for each class that has a share, which is its weight."""
    shares = answer_matrix(model, table)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    weighty = shares > _LEAST
    _some(np.asarray(weighty.any(axis=1)))
    rows, classes = np.nonzero(weighty)
    many = _with_target(model, table.take(rows), classes.astype(np.int32))
    return replace(many, weights=weights[rows] * shares[rows, classes], weights_are="counts", checked=True)


def _some(known: Column) -> Longs:
    if not known.any():
        raise LearningError("The model predicts none of these rows: there is nothing to imitate.")
    return np.flatnonzero(known)


def _with_target(model: Model, table: Table, answers: Column) -> Table:
    return replace(table, columns={**table.columns, model.schema.predicted.name: answers}, checked=True)


# The size of an imitation: of a tree's prunings the smallest that imitates as well, on rows kept apart.
#
# A model answers whatever it is asked and contradicts itself nowhere, so a tree that imitates it can grow
# until each row has a leaf. How much of that carries over to other rows, the errors on its own rows do not
# tell.


_FOLDS: Final = 5
_FEWEST: Final = 20  # rows below which folds would decide by chance
_OFF: Final = {"prune": False, "collapse": False, "alpha": None}  # settings that switch pruning off
_HOW: Final = ("alpha", "confidence", "raise_subtrees", "confidence_table")  # settings of what is then off


def without_own_pruning(learner: Learner[Model]) -> Learner[Model]:
    """The learner, if of trees, with its own pruning switched off.

    What it prunes by are errors, and to a row that is taught by shares every class but one is an error: no
    split seems worth its leaves.

    >>> import clearwood as cw
    >>> without_own_pruning(cw.C45(min_rows=5)).prune, without_own_pruning(cw.RIPPER()) == cw.RIPPER()
    (False, True)
    """
    prunings: Callable[[], tuple[Any, ...]] | None = getattr(learner, "prunings", None)
    if not callable(prunings) or not prunings() or not is_dataclass(learner):
        return learner
    off = {each.name: _OFF[each.name] for each in fields(learner) if each.name in _OFF}
    bare = cast(TreeLearner, replace(learner, **off))
    return Unpruned(bare) if bare.prunings() else bare


def check_own_pruning(learner: Learner[Model]) -> None:
    """Refuse settings of the learner's own pruning that teaching by shares would leave unused."""
    if not is_dataclass(learner):
        return
    for name, value in changed_settings(learner).items():
        if name in _HOW:
            raise SettingError(
                f"{name}={value} of {type(learner).__name__} prunes by errors, and taught by "
                "probabilities it grows without: every probability of another class would be an error. Leave "
                "that setting out, or leave out ",
                NamedOption("by", "shares"),
                ".",
            )


@dataclass(frozen=True, slots=True)
class Teaching:
    """How an imitation learns from rows that have the model's answers.

    `shares` asks the model for [row, class] where it is to imitate these; None where only the answers.
    """

    learn: Callable[[Table], Model]
    shares: Callable[[Table], Floats] | None = None


def price_of_a_leaf(
    learned: Model, teaching: Teaching, asked: Table, made_of: Longs, seed: int
) -> float | None:
    """The α that cuts a tree back to the smallest one that imitates within a standard error of the best.

    `asked` are the rows with the model's answers, `made_of` [row] the row of the table that each was made of.
    Folds keep apart a row and all that was made of it. A tree of one leaf is taken only where no other comes
    so near. What imitates the answers is judged by how often it answers alike (of numbers by the squared
    difference), what imitates the shares by their squared difference. None: it is no tree, or there are too
    few rows to tell.
    """
    own = np.unique(made_of)
    if not isinstance(learned, Tree) or learned.leaves < 3 or len(own) < _FEWEST:
        return None
    fold = shuffled(len(own), seed)[np.searchsorted(own, made_of)] % _FOLDS
    parts = [(np.flatnonzero(fold != each), np.flatnonzero(fold == each)) for each in range(_FOLDS)]
    shares = teaching.shares

    def grow(rows: Table) -> Tree:
        return cast(Tree, teaching.learn(rows))

    def losses(tree: Tree, rows: Table) -> Floats:
        assert shares is not None
        theirs, ours = shares(rows), node_shares(tree)
        known = np.flatnonzero(np.isfinite(theirs).all(axis=1))
        return losses_by_node(
            tree, rows, known, lambda node, row: ((theirs[row] - ours[node]) ** 2).sum(axis=1)
        )

    tried = alpha_by_growing(
        grow,
        asked,
        learned,
        parts,
        seed,
        "1se",
        risk="error" if shares is None else "gini",  # as `Distilled.risk`
        losses=None if shares is None else losses,
    )
    best = int(np.argmin(tried.errors))
    near = tried.errors <= (tried.errors[best] + tried.deviations[best]) * (1 + 1e-12)
    split = np.flatnonzero(near & (tried.path.leaves > 1))
    return float(tried.path.alphas[split[-1]]) if len(split) else tried.alpha


# What a model and its imitation answer on held-out rows, compared with each other.


def shares_off(model: Model, imitation: Model, rows: Table, weights: Floats) -> float | None:
    """How much of a row's shares stands at another class, on average; NaN where one has none, None of
    numbers."""
    if model.is_numeric:
        return None
    theirs, ours = answer_matrix(model, rows), answer_matrix(imitation, rows)
    known = (theirs.sum(axis=1) > 0) & (ours.sum(axis=1) > 0) & (weights > 0)
    if not known.any():
        return float("nan")
    off = np.abs(theirs - ours).sum(axis=1)[known] / 2
    return float(np.average(off, weights=weights[known]))


# Fidelity: how far one model answers as another does, with an interval from the rows that were compared.


def fidelity_of(
    one: Column, other: Column, weights: Floats, *, numeric: bool, absolute: bool = False
) -> tuple[float, tuple[float, float]]:
    """Of classes the part that is equal; of numbers the part of the first's variance that the second follows.

    With it the interval at 95 %: Wilson's of a part; of a variance by the spread of what each row adds to it
    (the delta method). `absolute`: in place of the variance the mean absolute deviation from the median, for
    numbers that are quantiles. Rows where the first has no answer do not count; the result is NaN where none
    has.

    >>> one, other = np.array([0, 1, 1, -1]), np.array([0, 1, 0, 0])
    >>> round(fidelity_of(one, other, np.ones(4), numeric=False)[0], 3)
    0.667
    >>> value, (low, high) = fidelity_of(
    ...     np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 3.0, 3.0]), np.ones(4), numeric=True
    ... )
    >>> round(value, 3), round(low, 3), round(high, 3)
    (0.8, 0.52, 1.0)
    """
    known = np.isfinite(one) if numeric else one >= 0
    one, other, weights = one[known], other[known], weights[known]
    total = float(weights.sum())
    if not total > 0:
        return math.nan, (math.nan, math.nan)
    if not numeric:
        alike = float(weights[one == other].sum())
        low, high = wilson(alike, total)
        return alike / total, (float(low), float(high))
    part = weights / total
    middle = float((part * one).sum())
    if absolute:
        order = np.argsort(one, kind="stable")
        place = int(np.searchsorted(np.cumsum(part[order]), 0.5))
        middle = float(one[order[min(place, len(order) - 1)]])  # the median
    from_middle = np.abs(one - middle) if absolute else (one - middle) ** 2
    gap = one - np.nan_to_num(other, nan=middle)
    off = np.abs(gap) if absolute else gap**2
    spread, left = float((part * from_middle).sum()), float((part * off).sum())
    if not spread > 0:
        value = float(left == 0)
        return value, (value, value)
    value = 1 - left / spread
    pull = (off - (1 - value) * from_middle) / spread  # how far a row draws 1 − value from where it is
    reach = normal_quantile(0.975) * math.sqrt(float((part**2 * pull**2).sum()))
    return value, (float(value - reach), min(float(value + reach), 1.0))


def difference_of(one: Column, other: Column, weights: Floats) -> float:
    """The mean absolute difference of numbers, over the rows where both have one; NaN where none has.

    >>> difference_of(np.array([1.0, 2.0, np.nan]), np.array([1.0, 4.0, 7.0]), np.ones(3))
    1.0
    """
    known = np.isfinite(one) & np.isfinite(other) & (weights > 0)
    if not known.any():
        return math.nan
    return float(np.average(np.abs(one - other)[known], weights=weights[known]))
