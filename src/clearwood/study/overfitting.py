"""Overfitting: as a tree grows it fits its own rows ever better, and other rows only up to a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.bounds import whole
from clearwood.learners.learner import Learner
from clearwood.learners.trees.pruning.weakest_links import cost_complexity_path, cut_at
from clearwood.models.kinds import check_kind
from clearwood.models.tree import Tree
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, evaluate
from clearwood.table.folding import Rows, hold_out
from clearwood.table.folding import folds as fold_rows
from clearwood.table.table import Table
from clearwood.words.columns import in_columns

Floats: TypeAlias = npt.NDArray[np.float64]
Longs: TypeAlias = npt.NDArray[np.int64]

_MOST: Final = 60  # sizes tried: a curve of more looks the same


@dataclass(frozen=True, slots=True, eq=False)
class Overfitting:
    """Accuracy (R² of numbers) on the rows learned from and on held-out rows, by number of leaves.

    With several folds they are means, and `deviations` the standard errors of `validation`.
    """

    measure: str
    leaves: Longs  # [size], rising
    training: Floats  # [size]
    validation: Floats  # [size]
    deviations: Floats | None = None  # [size]

    @property
    def best(self) -> int:
        """The place of the size that does best on held-out rows, the smallest of equals."""
        return int(np.argmax(self.validation))

    def __str__(self) -> str:
        rows = [["leaves", "training", "validation"]]
        columns = (self.leaves, self.training, self.validation)
        for leaves, training, validation in zip(*(column.tolist() for column in columns), strict=True):
            rows.append([str(leaves), f"{training:.4f}", f"{validation:.4f}"])
        lines = in_columns(rows, "figures")
        lines[self.best + 1] += "  ← best"
        return "\n".join(lines)


def overfitting(
    learner: Learner[Tree], table: Table, *, part: float = 0.3, folds: int | None = None, seed: int = 0
) -> Overfitting:
    """Grow a tree on a part of the rows, take its best subtree of each size, evaluate it on both parts.

    The subtrees are those of the weakest-link sequence. `part` of the rows is held out, or with `folds`
    each fold in turn. A learner that prunes by itself, as C45 does unless told not to, stops growing early.

    >>> from clearwood.learners.trees.cart import CART
    >>> from clearwood.table import read_table
    >>> rows = {"x": [i / 7 for i in range(40)], "y": list("aaaabaaaaaaabaaaabaabbbbabbbbbbbabbbbabb")}
    >>> print(overfitting(CART(min_rows=2), read_table(rows, target="y")))
    leaves  training  validation
    1         0.5000      0.5000
    2         0.8214      0.8333  ← best
    12        1.0000      0.6667
    """
    pairs = (
        [hold_out(table, part, seed)] if folds is None else fold_rows(table, whole("folds", folds, 2), seed)
    )
    curves = [_curve(learner, table, train, test) for train, test in pairs]
    measure = "R²" if table.schema.target is not None and not table.schema.classes else "accuracy"
    sizes = _thinned(np.unique(np.concatenate([leaves for leaves, _ in curves])))
    # Of each fold the largest subtree of at most that size.
    scores = np.array(
        [fold_scores[np.searchsorted(leaves, sizes, side="right") - 1] for leaves, fold_scores in curves]
    )  # [fold, size, (training, validation)]
    training, validation = scores.mean(axis=0).T
    if len(curves) == 1:
        return Overfitting(measure, sizes, training, validation)
    spread = scores[:, :, 1].std(axis=0, ddof=1) / np.sqrt(len(curves))
    return Overfitting(measure, sizes, training, validation, spread)


def _curve(learner: Learner[Tree], table: Table, train: Rows, test: Rows) -> tuple[Longs, Floats]:
    """[size] leaves from few to many, and [size, (training, validation)] scores."""
    learned_from, apart = table.take(train), table.take(test)
    tree = learner.learn(learned_from)
    check_kind("overfitting", tree, Tree)
    path = cost_complexity_path(tree)
    steps = _thinned(np.arange(len(path.alphas)))[::-1]
    subtrees = [cut_at(tree, path, float(path.alphas[step])) for step in steps]
    if subtrees[-1].leaves < tree.leaves:  # its last splits lower no error, and so are in no best subtree
        subtrees.append(tree)
    scores = [[_score(evaluate(each, rows)) for rows in (learned_from, apart)] for each in subtrees]
    return np.array([each.leaves for each in subtrees]), np.array(scores)


def _score(evaluation: Evaluation) -> float:
    return evaluation.accuracy if isinstance(evaluation, ClassEvaluation) else evaluation.r2


def _thinned(ascending: Longs) -> Longs:
    """At most `_MOST` of them, both ends among them."""
    places = np.linspace(0, len(ascending) - 1, min(len(ascending), _MOST))
    return ascending[np.unique(np.rint(places).astype(np.int64))]
