"""What each setting means, in a line; a test demands one for every setting of every learner and pruner."""

from __future__ import annotations

from typing import Final

MEANINGS: Final[dict[str, str]] = {
    "alpha": "Price of a leaf (cost-complexity), or level of the test (chi-square); CART: also cv, 1se.",
    "alpha_merge": "Values whose classes differ less than this level are merged.",
    "alpha_resplit": "Merged groups are split again at this level; none: never.",
    "alpha_split": "A split needs an adjusted p-value of at most this.",
    "bins": "Numbers are cut into so many bins of equal count first.",
    "bonferroni": "Adjust p-values for the number of ways to merge.",
    "collapse": "First turn subtrees into leaves where they err no less than a leaf.",
    "confidence": "Smaller prunes more: the confidence in the training errors.",
    "confidence_table": "normal: exact quantiles; quinlan: the table of his program.",
    "costs": "What it costs to call a class another: TRUE/CALLED:COST.",
    "exhaustive": "Merge down to two groups and keep the best stage (Biggs et al. 1991).",
    "folds": "Parts of the cross-validation that chooses alpha.",
    "group_values": "Let branches take several values of a nominal column.",
    "max_depth": "Questions on the longest way down; none: no limit.",
    "measure": "What makes a node impure.",
    "min_decrease": "A split must lower the impurity by at least this much.",
    "min_gain": "A split must gain more than this.",
    "min_gap": "Numbers closer than this are not told apart by a cut.",
    "min_leaf": "Least weight of rows in a leaf.",
    "min_rows": "Least weight of rows: in a node to be split; for c45, in two of the branches.",
    "missing": "surrogates: other columns stand in; direction: empty cells go the better way.",
    "ordinal": "values: a branch for each; cut: low against high.",
    "priors": "equal, or CLASS:SHARE: how common the classes are where the tree will be used.",
    "prune": "Prune by expected errors after growing.",
    "raise_subtrees": "When pruning, a branch may take its parent's place.",
    "risk": "What a leaf is charged for: error, gini or entropy.",
    "seed": "For whatever is drawn at random.",
    "statistic": "The chi-square statistic of a nominal target.",
    "surrogates": "Stand-ins kept for each split.",
    "threshold": "data: the largest value below the cut; midpoint: halfway.",
}
