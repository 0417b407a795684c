"""What each setting means, in a line; a test demands one for every setting of every learner and pruner."""

from __future__ import annotations

from typing import Final

# A name's meaning; where it means something else to one learner or pruner, under OWNER.NAME.
MEANINGS: Final[dict[str, str]] = {
    "adjust": "Adjust the p-values of all conditions tested together; none: each for itself.",
    "against": "What a condition is tested against: the rule's class or not, or all classes.",
    "alpha": "With drop_irrelevant: a column is left out where its p-value is above this.",
    "cart.alpha": "Price of a leaf; cv, 1se: chosen by cross-validation; none: no pruning.",
    "chi-square.alpha": "Level of the test: smaller prunes more.",
    "cost-complexity.alpha": "Price of a leaf; it must be given.",
    "tree-rules.alpha": "A condition goes where its p-value is above this.",
    "alpha_merge": "Values whose classes differ less than this level are merged.",
    "alpha_resplit": "Merged groups are split again at this level; none: never.",
    "alpha_split": "A split needs an adjusted p-value of at most this.",
    "beam": "So many of the best beginnings are pursued at once.",
    "bins": "How many intervals numbers are cut into, with width and frequency.",
    "chaid.bins": "Numbers are cut into so many bins of equal count first.",
    "exhaustive-chaid.bins": "Numbers are cut into so many bins of equal count first.",
    "bonferroni": "Adjust p-values for the number of ways to merge.",
    "check_error": "No more rules for a class when half of what a rule takes is wrong.",
    "choose_by": "The expected count that chooses the test: the largest or the smallest.",
    "class_order": "Which classes get their rules first: CLASS,…; none: as they appear.",
    "collapse": "First turn subtrees into leaves where they err no less than a leaf.",
    "confidence": "Smaller prunes more: the confidence in the training errors.",
    "c45rules.confidence": "Smaller drops more conditions: the confidence in the training errors.",
    "confidence_table": "normal: exact quantiles; quinlan: the table of his program.",
    "costs": "What it costs to call a class another: TRUE/CALLED:COST.",
    "cuts": "How numbers are cut first: mdl by the classes, width and frequency into equal parts.",
    "drop_conditions": "Test the conditions and drop those that chance explains.",
    "drop_harmful": "Take out rules without which more training rows are answered right.",
    "drop_irrelevant": "Leave columns without a bearing on the class out of larger combinations.",
    "drop_rules": "Drop the rules that no training row needs.",
    "exhaustive": "Merge down to two groups and keep the best stage (Biggs et al. 1991).",
    "c45rules.exhaustive": "Up to so many rules of a class every subset is tried; 20 at most.",
    "fast": "Rank the combinations of a size once instead of after every rule.",
    "folds": "Parts of the cross-validation that chooses alpha.",
    "ripper.folds": "One row in so many is held back to prune with.",
    "group_values": "Let branches take several values of a nominal column.",
    "max_conditions": "Conditions in a rule; none: no limit.",
    "max_depth": "Questions on the longest way down; none: no limit.",
    "measure": "What makes a rule good: laplace, entropy or wracc (weighted relative accuracy).",
    "cart.measure": "Classes: gini (auto), entropy or error; numbers: squared (auto) or absolute.",
    "id3.measure": "What makes a node impure: entropy, gini or error.",
    "min_covered": "Least weight of rows that a rule covers.",
    "min_decrease": "A split must lower the impurity by at least this much.",
    "min_gain": "A split must gain more than this.",
    "min_gap": "Numbers closer than this are not told apart by a cut.",
    "min_leaf": "Least weight of rows in a leaf.",
    "min_rows": "Least weight of rows in a node to be split.",
    "c45.min_rows": "Least weight of rows in at least two of a split's branches.",
    "c45rules.min_rows": "Least weight of rows in at least two branches of the tree's splits.",
    "min_weight": "Least weight of its class's rows that a condition takes.",
    "missing": "lost: no condition holds; cautious: perhaps one; mode, class_mode: the usual value; delete.",
    "cart.missing": "surrogates: other columns stand in; direction: empty cells go the better way.",
    "optimizations": "So many times every rule is weighed against two new ones.",
    "order": "ordered: the first rule that holds answers; unordered: all that hold vote.",
    "tree-rules.order": "In which order shortened rules are asked.",
    "ordinal": "values: a branch for each; cut: low against high.",
    "otherwise": "Where no rule holds: the majority answers, or nobody (abstain).",
    "penalty": "What a row of another class costs a rule; none: no such row is allowed.",
    "priors": "equal, or CLASS:SHARE: how common the classes are where the tree will be used.",
    "prune": "Prune by expected errors after growing.",
    "ripper.prune": "Shorten rules on rows held back, drop and improve them; no: grow them only.",
    "raise_subtrees": "When pruning, a branch may take its parent's place.",
    "risk": "What a leaf is charged for: error, gini or entropy.",
    "seed": "For whatever is drawn at random.",
    "significance": "Level of the likelihood-ratio test that a rule must pass; 1: no test.",
    "simplify": "Drop conditions and rules by tests; no: one rule for every leaf.",
    "statistic": "The chi-square statistic of a nominal target.",
    "surrogates": "Stand-ins kept for each split.",
    "tables": "Test a condition over all rows (marginal), or where the rule's others hold (conditional).",
    "test": "One test for all conditions; none: chosen by their expected counts.",
    "theory_weight": "Weight of the rules' bits against those of the exceptions: more keeps fewer rules.",
    "threshold": "data: the largest value below the cut; midpoint: halfway.",
    "tree": "The learner of the tree, with its settings: LEARNER:NAME=VALUE,….",
}


def meaning_of(owner: str, setting: str) -> str:
    """What a setting means to this learner or pruner.

    >>> meaning_of("chi-square", "alpha")
    'Level of the test: smaller prunes more.'
    """
    return MEANINGS.get(f"{owner}.{setting}") or MEANINGS[setting]
