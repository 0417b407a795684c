"""Error-based pruning with its ledger: C4.5's way with leaves and raised subtrees, on any tree of classes."""

from typing import Final

from clearwood.errors import Advice, SettingError
from clearwood.learners.trees.growing import Confidence, QuantileTable, RaiseSubtrees
from clearwood.learners.trees.pruning.pessimistic import prune_with_raising, prune_without_raising
from clearwood.learners.trees.pruning.pruner import (
    Action,
    Cut,
    Ledger,
    PrunedTree,
    Pruner,
    condition_text,
    with_entry,
)
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import check_kind
from clearwood.registry import checked
from clearwood.table.table import Table


@checked
def prune_error_based(
    tree: Tree,
    table: Table | None = None,
    *,
    confidence: Confidence = 0.25,
    raise_subtrees: RaiseSubtrees = True,
    confidence_table: QuantileTable = "normal",
) -> PrunedTree:
    """Replace a split by a leaf, or by its largest branch, if that has no more expected errors.

    Expected errors are the upper bound at this confidence of the training errors' rate. `table` holds the
    rows the tree was learned from, needed to raise subtrees. The ledger's numbers are expected errors.
    """
    check_kind("prune_error_based", tree, Tree)
    if tree.is_numeric:
        raise SettingError(
            "Pruning by expected errors counts wrong classes, and this tree predicts a number."
            " Cost-complexity pruning takes such trees."
        )
    if raise_subtrees:
        if tree.origin.directed:
            raise SettingError(
                "The tree keeps to directions (monotone), and a raised subtree, counted by other rows, might "
                "not. Use ",
                Advice("raise_subtrees", False, setting=True),
                ".",
            )
        if table is None:
            raise SettingError(
                "To raise subtrees, give the table the tree was learned from, or raise_subtrees=False."
            )
        pruned = prune_with_raising(tree, table, confidence, confidence_table)
    else:
        pruned = prune_without_raising(tree, confidence, confidence_table)
    cuts = []
    columns = (pruned.node, pruned.raised, pruned.before, pruned.after)
    for node, child, before, after in zip(*(column.tolist() for column in columns), strict=True):
        action: Action = "leaf" if child < 0 else "raised"
        place = "as a leaf" if child < 0 else f"as its branch {tree.condition(child)}"
        because = f"{after:.4g} errors expected {place}, {before:.4g} as a split"
        cuts.append(
            Cut(node, condition_text(tree, node), action, {"errors": before}, {"errors": after}, because)
        )
    settings = {
        "confidence": confidence,
        "raise_subtrees": raise_subtrees,
        "confidence_table": confidence_table,
    }
    ledger = Ledger("error-based", tuple(cuts), tree.size, pruned.tree.size, settings)
    return PrunedTree(with_entry(pruned.tree, ledger, table if raise_subtrees else None), ledger)


PRUNER: Final = Pruner(
    prune_error_based,
    "C4.5's method: cut by pessimistic training errors (Quinlan 1993).",
    needs="training",
    steps="clearwood.deriving.trees.pessimistic_errors:error_based_steps",
)
