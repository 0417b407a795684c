"""The learners and pruners by the names the command line knows them by. A new one is a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

from clearwood.errors import SettingError, no_such


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a learner or pruner lives, loaded when asked for; `presets` are settings its name implies."""

    module: str
    name: str
    about: str
    presets: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Callable[..., Any]:
        loaded: Callable[..., Any] = getattr(import_module(self.module), self.name)
        return loaded


LEARNERS: Final[dict[str, Entry]] = {
    "id3": Entry(
        "clearwood.learners.trees.id3", "ID3", "A branch per value, by information gain (Quinlan 1986)."
    ),
    "c45": Entry("clearwood.learners.trees.c45", "C45", "Gain ratio, error-based pruning (Quinlan 1993)."),
    "cart": Entry(
        "clearwood.learners.trees.cart", "CART", "Binary splits, classes or numbers (Breiman et al. 1984)."
    ),
    "chaid": Entry(
        "clearwood.learners.trees.chaid", "CHAID", "Values merged by test, adjusted p-values (Kass 1980)."
    ),
    "exhaustive-chaid": Entry(
        "clearwood.learners.trees.chaid",
        "CHAID",
        "CHAID that tries every merge (Biggs et al. 1991).",
        {"exhaustive": True},
    ),
    "tree-rules": Entry(
        "clearwood.learners.rules.tree_rules", "TreeRules", "A rule a leaf of a tree, shortened by tests."
    ),
    "c45rules": Entry(
        "clearwood.learners.rules.c45_rules",
        "C45Rules",
        "Rules of an unpruned tree, generalised (Quinlan 1993).",
    ),
    "ila": Entry(
        "clearwood.learners.rules.ila", "ILA", "Fewest conditions, each rule pure (Tolun and Abu-Soud 1998)."
    ),
    "ila2": Entry(
        "clearwood.learners.rules.ila", "ILA2", "Rules may err at a penalty: for noise (Tolun et al. 1999)."
    ),
    "ila3": Entry("clearwood.learners.rules.ila", "ILA3", "Pure rules, columns without a bearing dropped."),
    "ila4": Entry("clearwood.learners.rules.ila", "ILA4", "Pure rules, for tables with empty cells."),
    "cn2": Entry(
        "clearwood.learners.rules.cn2", "CN2", "Rules in order, by beam search (Clark and Niblett 1989)."
    ),
    "cn2-unordered": Entry(
        "clearwood.learners.rules.cn2",
        "CN2",
        "Rules for each class, which vote (Clark and Boswell 1991).",
        {"order": "unordered"},
    ),
    "prism": Entry(
        "clearwood.learners.rules.prism", "PRISM", "The most precise values first (Cendrowska 1987)."
    ),
    "ripper": Entry(
        "clearwood.learners.rules.ripper", "RIPPER", "Few short rules, pruned hard (Cohen 1995)."
    ),
    "bayes": Entry(
        "clearwood.learners.bayes.naive_bayes", "NaiveBayes", "How often each value comes with each class."
    ),
    "logistic": Entry("clearwood.learners.linear.logistic", "Logistic", "Weights that add up to log-odds."),
}

TREES: Final = ("c45", "id3", "cart", "chaid", "exhaustive-chaid")  # what rules can be read from

PRUNERS: Final[dict[str, Entry]] = {
    "reduced-error": Entry(
        "clearwood.learners.trees.pruning", "reduced_error", "Cut what does not pay on rows kept back."
    ),
    "error-based": Entry(
        "clearwood.learners.trees.pruning", "error_based", "C4.5's way: cut by pessimistic training errors."
    ),
    "cost-complexity": Entry(
        "clearwood.learners.trees.pruning", "cost_complexity", "CART's way: each leaf costs alpha."
    ),
    "mdl": Entry(
        "clearwood.learners.trees.pruning", "minimum_description_length", "Cut what lengthens the message."
    ),
    "chi-square": Entry("clearwood.learners.trees.pruning", "chi_square", "Cut splits that chance explains."),
    "siblings": Entry(
        "clearwood.learners.trees.pruning",
        "collapse_siblings",
        "Join leaves of one answer; nothing else changes.",
    ),
}


def find(kind: str, name: str, registry: Mapping[str, Entry], *, plural: str | None = None) -> Entry:
    """The entry of this name, or the sentence with the nearest one."""
    if name.lower() not in registry:
        raise SettingError(no_such(kind, name, registry, plural=plural))
    return registry[name.lower()]
