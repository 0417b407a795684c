"""The size of an imitation: of a tree's prunings the smallest that imitates as well, on rows kept apart.

A model answers whatever it is asked and contradicts itself nowhere, so a tree that imitates it can grow until
each row has a leaf. How much of that carries over to other rows, the errors on its own rows do not tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Final, cast

import numpy as np

from clearwood.advice import NamedOption
from clearwood.arrays import Floats, Longs
from clearwood.errors import SettingError
from clearwood.learners.learner import Learner, TreeLearner, Unpruned
from clearwood.learners.trees.pruning.cross_validated_alpha import (
    alpha_by_growing,
    losses_by_node,
)
from clearwood.models.model import Model
from clearwood.models.tree import Tree
from clearwood.predict.answers import node_shares
from clearwood.table.folding import shuffled
from clearwood.table.table import Table

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
    for each in fields(learner):
        value = getattr(learner, each.name)
        if each.name in _HOW and value != each.default:
            raise SettingError(
                f"{each.name}={value} of {type(learner).__name__} prunes by errors, and taught by "
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
