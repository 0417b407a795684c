"""The derivation of a pruning: every decision behind a ledger, counted again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clearwood.catalogue import PRUNERS, pruner_called
from clearwood.derive.rounds import PruningChapter, placed_steps
from clearwood.errors import LearningError, SettingError
from clearwood.learners.trees.pruning.ledger import Ledger
from clearwood.learners.trees.pruning.pruning_steps import PruningSteps
from clearwood.learners.trees.pruning.split_steps import CHAPTER
from clearwood.models.kinds import check_kind
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation
from clearwood.working.figures import each_by


def derive_pruning(ledger: Ledger, tree: Tree, rows: Table | None = None) -> Derivation:
    """Every split that a pruner considered, with the numbers by which it was cut or kept.

    `tree` is the one before the pruning; `rows` those that the pruner was given, if it was given some.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    >>> tree = cw.ID3().learn(table)
    >>> steps = cw.derive_pruning(cw.prune_chi_square(tree, alpha=0.01).ledger, tree)
    >>> steps[0].decision
    'Chance alone gives such branches with p = 0.030, above 0.01: it becomes a leaf.'
    """
    check_kind("derive_pruning", tree, Tree)
    if tree.size != ledger.size_before:
        raise LearningError(
            f"This ledger is of a tree of {ledger.size_before:,} nodes, and this one has {tree.size:,}. "
            "Give the tree as it was before the pruning."
        )
    name = pruner_called(ledger.pruner)
    (steps,) = placed_steps(
        tree.size, [PruningChapter(CHAPTER, steps_of_pruner(name, tree, rows, ledger.settings))]
    )
    leaves = "1 leaf" if tree.leaves == 1 else f"{tree.leaves:,} leaves"
    return Derivation(f"{name} of a tree of {leaves}", each_by([each.make for each in steps]))


def steps_of_pruner(name: str, tree: Tree, rows: Table | None, settings: Mapping[str, Any]) -> PruningSteps:
    """What a pruner judged of a tree, and what came of it; `rows` are those it was given, if it needs any."""
    called = pruner_called(name)
    steps = PRUNERS[called].load_steps()
    if steps is None:
        raise SettingError(
            f"The pruner '{called}' has no steps to derive; its ledger has the numbers of each cut."
        )
    return steps(tree, rows, settings)
