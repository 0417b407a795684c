"""The derivation of a pruning: every decision behind a ledger, counted again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from clearwood.derive.prunings.above_leaves import chi_square_steps, sibling_steps
from clearwood.derive.prunings.description_length import description_length_steps
from clearwood.derive.prunings.reduced_error import reduced_error_steps
from clearwood.derive.trees.collapsing import CHAPTER
from clearwood.derive.trees.cost_complexity import link_steps, pricing, sequence_grid
from clearwood.derive.trees.error_based import error_based_steps, moves_of
from clearwood.derive.trees.pessimistic_errors import Charge
from clearwood.derive.trees.pruned_places import Places, kept_by, numbered
from clearwood.errors import LearningError, SettingError, no_such
from clearwood.learners.trees.pruning import PRUNERS
from clearwood.learners.trees.pruning.judgements import judge_with_raising, judge_without_raising
from clearwood.learners.trees.pruning.ledger import Ledger
from clearwood.models.kinds import check_kind
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import Figure
from clearwood.working.lazy import each_by


def derive_pruning(ledger: Ledger, tree: Tree, rows: Table | None = None) -> Derivation:
    """Every split that a pruner looked at, with the numbers that cut it or kept it.

    `tree` is the one before the pruning; `rows` those that the pruner was given, if it was given some.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    >>> tree = cw.ID3().learn(table)
    >>> steps = cw.derive_pruning(cw.chi_square(tree, alpha=0.01).ledger, tree)
    >>> steps[0].decision
    'Chance alone gives such branches with p = 0.030, above 0.01: it becomes a leaf.'
    """
    check_kind("derive_pruning", tree, Tree)
    name = _ALSO_CALLED.get(ledger.pruner, ledger.pruner.replace("-", "_"))
    if name not in PRUNERS:
        raise SettingError(no_such("pruner", ledger.pruner, PRUNERS))
    if tree.size != ledger.size_before:
        raise LearningError(
            f"This ledger is of a tree of {ledger.size_before:,} nodes, and this one has {tree.size:,}. "
            "Give the tree as it was before the pruning."
        )
    makers = _makers(name, tree, rows, dict(ledger.settings))
    leaves = "1 leaf" if tree.leaves == 1 else f"{tree.leaves:,} leaves"
    return Derivation(f"{ledger.pruner} of a tree of {leaves}", each_by(makers))


def _makers(name: str, tree: Tree, rows: Table | None, settings: dict[str, Any]) -> list[Callable[[], Step]]:
    match name:
        case "reduced_error":
            if rows is None:
                raise SettingError("Reduced-error pruning is derived by its validation rows: give them.")
            return reduced_error_steps(tree, rows)
        case "error_based":
            return _error_based(tree, rows, **settings)
        case "cost_complexity":
            priced = pricing(tree, settings["alpha"], settings["risk"])
            grid = sequence_grid(priced.path, None)
            alpha = Figure("α", float(priced.alpha), because="As set.", grids=(grid,))
            said = f"A leaf costs {priced.alpha:.4g}, as set."
            return [lambda: Step(CHAPTER, "The price of a leaf", (alpha,), said), *link_steps(priced)]
        case "minimum_description_length":
            return description_length_steps(tree)
        case "chi_square":
            return chi_square_steps(tree, settings["alpha"])
        case _:
            return sibling_steps(tree)


def _error_based(
    tree: Tree, rows: Table | None, *, confidence: float, raise_subtrees: bool, confidence_table: Any
) -> list[Callable[[], Step]]:
    if not raise_subtrees:
        judged = judge_without_raising(tree, confidence, confidence_table)
    elif rows is None:
        raise SettingError("Raising subtrees is derived by the training rows: give them.")
    else:
        judged = judge_with_raising(tree, rows, confidence, confidence_table)
    after = numbered(kept_by(tree.nodes, judged.node, judged.became))
    places = Places(tree, np.arange(tree.size), after, moves_of(judged))
    return error_based_steps(places, judged, Charge(confidence, confidence_table))


# What the command line calls a pruner.
_ALSO_CALLED = {"mdl": "minimum_description_length", "siblings": "collapse_siblings"}
