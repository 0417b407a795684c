"""Rules: learners of rule lists, each beside its definition. A new learner is a line here."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from clearwood.learners.entry import LearnerEntry, family_entry

BY_TESTS: Final = "which conditions and rules stay, by tests"  # what simplifying leaves to the rows


def _conditions_by_tests(settings: Mapping[str, Any]) -> tuple[str, ...]:
    return (BY_TESTS,) if settings.get("simplify") else ()


_entry: Final = partial(family_entry, "rules", "rules", "rules_and_steps")
LEARNERS: Final[dict[str, LearnerEntry]] = {
    "tree-rules": _entry(
        "tree_rules:TreeRules",
        "One rule for each leaf of a tree, shortened by significance tests.",
        steps="deriving:rules_and_steps",
        from_tree=True,
        chooses=_conditions_by_tests,
    ),
    "c45rules": _entry(
        "c45_rules:C45Rules", "Rules of an unpruned tree, generalised (Quinlan 1993).", from_tree=True
    ),
    "ila": _entry("ila:ILA", "Fewest conditions, each rule pure (Tolun and Abu-Soud 1998).", pure_rules=True),
    "ila2": _entry("ila:ILA2", "Rules may have errors, at a penalty; for noisy tables (Tolun et al. 1999)."),
    "ila3": _entry("ila:ILA3", "Pure rules, without irrelevant columns.", pure_rules=True),
    "ila4": _entry("ila:ILA4", "Pure rules, for tables with missing cells.", pure_rules=True),
    "cn2": _entry("cn2:CN2", "Rules in order, by beam search (Clark and Niblett 1989)."),
    "cn2-unordered": _entry(
        "cn2:CN2",
        "Rules for each class, which vote (Clark and Boswell 1991).",
        presets={"rules": "unordered"},
    ),
    "prism": _entry("prism:PRISM", "The most precise conditions first (Cendrowska 1987).", pure_rules=True),
    "one-r": _entry(
        "one_r:OneR", "A class for each value of the one column that predicts best (Holte 1993)."
    ),
    "ripper": _entry("ripper:RIPPER", "Few short rules, pruned hard (Cohen 1995)."),
}
