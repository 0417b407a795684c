"""Reading size: how much a person reads to know all of a model, counted alike for every kind.

The unit is one statement: a condition, a cell of a table, a weight, a step of a curve.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, assert_never

import numpy as np

from clearwood.errors import LearningError
from clearwood.models.kept import check_kind
from clearwood.models.kinds.additive.additive_model import AdditiveModel, PairShape, Shape, cells_of_shape
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Gaussian,
    Kernel,
    Words,
)
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import Balanced, Edited
from clearwood.models.model import Model
from clearwood.models.origin import Origin
from clearwood.table.attributes import Numeric
from clearwood.words.numbers import count_words

SIZE_IN_WORDS: Final = "Size: conditions, cells, weights or steps to read"


def reading_size(model: Model) -> int:
    """The conditions of all leaves or rules, the cells of Bayes tables, weights, steps of curves and cells of
    pairs; of an ensemble those of all members. Of a single leaf, or of no rules, it is 0.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> reading_size(cw.ID3().learn(table)), reading_size(cw.NaiveBayes().learn(table))
    (9, 20)
    """
    check_kind("reading_size", model)
    match model:
        case Tree(nodes=nodes):
            return _conditions(nodes)
        case RuleList():
            return model.conditions
        case BayesTables():
            return sum(_cells(each) for each in model.distributions)
        case LinearModel():
            return len(model.contrasts) * len(model.terms)
        case Ensemble(trees=None):
            return sum(reading_size(member) for member in model.models)
        case Ensemble(trees=trees):
            assert trees is not None
            return _conditions(trees.nodes)
        case AdditiveModel():
            curves = sum(_steps(model, shape) for shape in model.shapes)
            return curves + sum(_steps_of_pair(model, pair) for pair in model.pairs)
        case _:
            assert_never(model)


def _conditions(nodes: Nodes) -> int:
    """Of each leaf those on the way to it: each node's condition stands in all leaves below it."""
    leaves_before = np.concatenate([[0], np.cumsum(nodes.is_leaf)])
    leaves_below = leaves_before[nodes.end] - leaves_before[np.arange(len(nodes))]
    return int(leaves_below[nodes.parent >= 0].sum())


def _cells(distribution: Distribution) -> int:
    match distribution:
        case Categorical(_, counts) | Cuts(_, _, counts) | Bag(_, _, counts) | Words(_, _, _, counts):
            return sum(map(len, counts))
        case Gaussian(_, weights):
            return 2 * len(weights)  # a mean and a deviation for each class
        case Kernel(_, points):
            return sum(map(len, points))
        case _:
            assert_never(distribution)


def _steps(model: AdditiveModel, shape: Shape) -> int:
    """Neighbouring intervals of equal points are one step; missing cells are one where they have points."""
    return sum(_runs(model, shape.name, [(each,) for each in row]) for row in shape.points)


def _steps_of_pair(model: AdditiveModel, pair: PairShape) -> int:
    """Rows by columns of the table, neighbouring equal ones taken as one."""
    first, second = pair.names
    across = cells_of_shape(model.schema, second, pair.cuts[1])
    cells = 0
    for points in pair.points:
        table = [points[start : start + across] for start in range(0, len(points), across)]
        down = _runs(model, first, table)
        cells += down * _runs(model, second, list(zip(*table, strict=True)))
    return cells


def _runs(model: AdditiveModel, name: str, lines: list[tuple[float, ...]]) -> int:
    """How many different neighbours there are among a column's cells, the last two of which are missing and
    unseen."""
    known, missing = lines[:-2], lines[-2]
    told = any(missing)
    if not isinstance(model.schema[name], Numeric):
        return len(known) + told
    return 1 + sum(one != other for one, other in pairwise(known)) + told


# Models of balanced rows: whose counts they print, and what cannot be mixed with them.


_MOST: Final = 12  # classes that are named


def balanced_words(model: Model) -> list[str]:
    """A sentence that says whose the printed counts are, where the rows that were learned from had been
    balanced, and the rules not been counted again since."""
    after = model.origin.after
    if any(isinstance(done, Edited) and done.edit == "recount" for done in after):
        return []
    return [_sentence(model, done) for done in after if isinstance(done, Balanced)]


def _sentence(model: Model, done: Balanced) -> str:
    pairs = list(zip(model.schema.classes, done.before, done.after, strict=True))
    named = [f"{name} {count_words(one)} → {count_words(other)}" for name, one, other in pairs[:_MOST]]
    more = f", and {len(pairs) - _MOST:,} more" if len(pairs) > _MOST else ""
    too_sure = ", too sure where rows were made or repeated" if isinstance(model, LinearModel) else ""
    what = f"{_printed(model)} of the training rows balanced by {done.by}"
    return f"{what} ({', '.join(named)}{more}){too_sure}."


def _printed(model: Model) -> str:
    match model:
        case Tree():
            return "Counts and intervals are"
        case RuleList() | BayesTables():
            return "Counts are"
        case LinearModel():
            return "Standard errors and tests are"
        case Ensemble():
            return "Errors while learning are"
        case AdditiveModel():
            return "Curves and their spread are"
        case _:
            assert_never(model)


def refuse_balanced(origin: Origin, what: str) -> None:
    """A sentence where a model counts balanced rows, and rows as they come would be counted beside them.

    >>> over = Balanced("over", (1.0, 9.0), (9.0, 9.0))
    >>> try:
    ...     refuse_balanced(Origin("ID3", after=(over,)), "Merging")
    ... except LearningError as error:
    ...     print(str(error)[:77])
    Merging counts rows as they come, and this model's were balanced by over: the
    """
    for done in origin.after:
        if isinstance(done, Balanced):
            raise LearningError(
                f"{what} counts rows as they come, and this model's were balanced by {done.by}: the counts "
                "would be of both. Do it as a part of learning, or learn again from all rows."
            )
