"""Cost-complexity pruning: keep a split only where the risk it saves is worth its leaves."""

from typing import Annotated, Final

import numpy as np

from clearwood.bounds import Least, OneWord
from clearwood.learners.trees.pruning.pruner import PrunedTree, Pruner, cut_to_leaves
from clearwood.learners.trees.pruning.weakest_links import (
    cost_complexity_path,
    falls_at,
    least_above,
    node_risks,
)
from clearwood.measures import IMPURITIES
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import check_kind
from clearwood.registry import Letter, checked


@checked
def prune_cost_complexity(
    tree: Tree,
    alpha: Annotated[
        float, Least(0), Letter("α"), "The price of a leaf (CART's alpha=cv chooses one by cross-validation)."
    ],
    *,
    risk: Annotated[
        str, OneWord(lambda: tuple(IMPURITIES)), "What a leaf is charged for; error is for numbers, too."
    ] = "error",
) -> PrunedTree:
    """The subtree with the least risk + α · leaves; among equals the smallest.

    `risk` "error" is the share of wrong answers (or the mean error of numbers), "gini" or "entropy" the
    mean impurity of the leaves. The ledger gives each split's own α, the price at which it falls
    (Breiman et al. 1984).
    """
    check_kind("prune_cost_complexity", tree, Tree)
    path = cost_complexity_path(tree, risk=risk)
    own = path.split_alphas
    # A split that would outlive one above it has no α of its own in the sequence: it goes with that one.
    cut = falls_at(path, alpha) & (
        np.nan_to_num(own, nan=np.inf) < least_above(tree.nodes, np.nan_to_num(own, nan=np.inf))
    )
    return cut_to_leaves(
        "cost-complexity",
        tree,
        cut,
        {"alpha": own},
        {"risk": node_risks(tree, risk=risk)},
        f"saves {{before_alpha:.4g}} a leaf, less than alpha = {alpha:g} or as much",
        {"alpha": alpha, "risk": risk},
    )


PRUNER: Final = Pruner(
    prune_cost_complexity,
    "CART's method: each leaf costs alpha (Breiman et al. 1984).",
    steps="clearwood.deriving.trees.cost_complexity:cost_complexity_steps",
)
