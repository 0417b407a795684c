"""Rules: learners of rule lists, each beside its definition. A new learner is a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clearwood.learners.entry import LearnerEntry

BY_TESTS: Final = "which conditions and rules stay, by tests"  # what simplifying leaves to the rows
_STEPS: Final = "clearwood.deriving.rules"


def _conditions_by_tests(settings: Mapping[str, Any]) -> tuple[str, ...]:
    return (BY_TESTS,) if settings.get("simplify") else ()


LEARNERS: Final[dict[str, LearnerEntry]] = {
    "tree-rules": LearnerEntry(
        f"{__name__}.tree_rules:TreeRules",
        "One rule for each leaf of a tree, shortened by significance tests.",
        "rules",
        steps=f"{_STEPS}.deriving:rules_and_steps",
        from_tree=True,
        chooses=_conditions_by_tests,
    ),
    "c45rules": LearnerEntry(
        f"{__name__}.c45_rules:C45Rules",
        "Rules of an unpruned tree, generalised (Quinlan 1993).",
        "rules",
        steps=f"{_STEPS}.c45_rules:rules_and_steps",
        from_tree=True,
    ),
    "ila": LearnerEntry(
        f"{__name__}.ila:ILA",
        "Fewest conditions, each rule pure (Tolun and Abu-Soud 1998).",
        "rules",
        steps=f"{_STEPS}.ila:rules_and_steps",
        pure_rules=True,
    ),
    "ila2": LearnerEntry(
        f"{__name__}.ila:ILA2",
        "Rules may have errors, at a penalty; for noisy tables (Tolun et al. 1999).",
        "rules",
        steps=f"{_STEPS}.ila:rules_and_steps",
    ),
    "ila3": LearnerEntry(
        f"{__name__}.ila:ILA3",
        "Pure rules, without irrelevant columns.",
        "rules",
        steps=f"{_STEPS}.ila:rules_and_steps",
        pure_rules=True,
    ),
    "ila4": LearnerEntry(
        f"{__name__}.ila:ILA4",
        "Pure rules, for tables with missing cells.",
        "rules",
        steps=f"{_STEPS}.ila:rules_and_steps",
        pure_rules=True,
    ),
    "cn2": LearnerEntry(
        f"{__name__}.cn2:CN2",
        "Rules in order, by beam search (Clark and Niblett 1989).",
        "rules",
        steps=f"{_STEPS}.cn2:rules_and_steps",
    ),
    "cn2-unordered": LearnerEntry(
        f"{__name__}.cn2:CN2",
        "Rules for each class, which vote (Clark and Boswell 1991).",
        "rules",
        {"rules": "unordered"},
        steps=f"{_STEPS}.cn2:rules_and_steps",
    ),
    "prism": LearnerEntry(
        f"{__name__}.prism:PRISM",
        "The most precise conditions first (Cendrowska 1987).",
        "rules",
        steps=f"{_STEPS}.prism:rules_and_steps",
        pure_rules=True,
    ),
    "one-r": LearnerEntry(
        f"{__name__}.one_r:OneR",
        "A class for each value of the one column that predicts best (Holte 1993).",
        "rules",
        steps=f"{_STEPS}.one_r:rules_and_steps",
    ),
    "ripper": LearnerEntry(
        f"{__name__}.ripper:RIPPER",
        "Few short rules, pruned hard (Cohen 1995).",
        "rules",
        steps=f"{_STEPS}.ripper:rules_and_steps",
    ),
}
