"""The derivation of a pruning: every decision behind a ledger, counted again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from clearwood.derive.prunings.above_leaves import chi_square_steps, sibling_steps
from clearwood.derive.prunings.description_length import description_length_steps
from clearwood.derive.prunings.reduced_error import reduced_error_steps
from clearwood.derive.prunings.rounds import Round, placed_steps
from clearwood.derive.trees.error_based import error_based_steps
from clearwood.derive.trees.price_of_a_leaf import cost_complexity_steps
from clearwood.errors import LearningError, SettingError, no_such
from clearwood.learners.trees.pruning.ledger import Ledger
from clearwood.learners.trees.pruning.pruning_steps import PruningSteps
from clearwood.learners.trees.pruning.split_steps import CHAPTER
from clearwood.models.kinds import check_kind
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation
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
    if tree.size != ledger.size_before:
        raise LearningError(
            f"This ledger is of a tree of {ledger.size_before:,} nodes, and this one has {tree.size:,}. "
            "Give the tree as it was before the pruning."
        )
    found = steps_of_pruner(ledger.pruner, tree, rows, ledger.settings)
    (steps,) = placed_steps(tree.size, [Round(CHAPTER, found)])
    leaves = "1 leaf" if tree.leaves == 1 else f"{tree.leaves:,} leaves"
    return Derivation(f"{ledger.pruner} of a tree of {leaves}", each_by([each.make for each in steps]))


def steps_of_pruner(name: str, tree: Tree, rows: Table | None, settings: Mapping[str, Any]) -> PruningSteps:
    """What a pruner judged of a tree, and what came of it; `rows` are those it was given, if it needs any."""
    called = _ALSO_CALLED.get(name, name.replace("-", "_"))
    if called not in _STEPS:
        raise SettingError(no_such("pruner", name, _STEPS))
    return _STEPS[called](tree, rows, settings)


_STEPS: Final[Mapping[str, Callable[[Tree, Table | None, Mapping[str, Any]], PruningSteps]]] = {
    "reduced_error": reduced_error_steps,
    "error_based": error_based_steps,
    "cost_complexity": cost_complexity_steps,
    "minimum_description_length": description_length_steps,
    "chi_square": chi_square_steps,
    "collapse_siblings": sibling_steps,
}
# What the command line calls a pruner.
_ALSO_CALLED = {"mdl": "minimum_description_length", "siblings": "collapse_siblings"}
