"""What each setting means, in a line; a test demands one for every setting of every learner and pruner."""

from __future__ import annotations

from typing import Final

# A name's meaning; where it means something else to one learner or pruner, under OWNER.NAME.
MEANINGS: Final[dict[str, str]] = {
    "cart.alpha": "Price of a leaf; cv, 1se: chosen by cross-validation; none: no pruning.",
    "cost-complexity.alpha": "Price of a leaf; it must be given.",
    "chi-square.alpha": "Level of the test: smaller prunes more.",
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
    "id3.measure": "What makes a node impure: entropy, gini or error.",
    "cart.measure": "Classes: gini (auto), entropy or error; numbers: squared (auto) or absolute.",
    "min_decrease": "A split must lower the impurity by at least this much.",
    "min_gain": "A split must gain more than this.",
    "min_gap": "Numbers closer than this are not told apart by a cut.",
    "min_leaf": "Least weight of rows in a leaf.",
    "min_rows": "Least weight of rows in a node to be split.",
    "c45.min_rows": "Least weight of rows in at least two of a split's branches.",
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


def meaning_of(owner: str, setting: str) -> str:
    """What a setting means to this learner or pruner.

    >>> meaning_of("chi-square", "alpha")
    'Level of the test: smaller prunes more.'
    """
    return MEANINGS.get(f"{owner}.{setting}") or MEANINGS[setting]
