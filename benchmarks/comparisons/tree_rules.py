"""Rules from trees: C4.5rules beside C5.0's rulesets, and on a tree of thousands of leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from tests.shared_data import NAMES, load_shared

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Quoted, Size, at_most
from benchmarks.nursery import nursery_like
from benchmarks.tables import CENSUS_TARGET, census_like
from clearwood.learners.c45_rules import C45Rules
from clearwood.learners.rules_of import rules_of
from clearwood.table import read_table
from clearwood.table.table import Table


def _enter_nursery(size: Size) -> Sequence[Entrant]:
    table = nursery_like()
    table = table.take(np.arange(size.rows(len(table))))
    return [
        Contestant(OURS, lambda: C45Rules().learn(table), _rules),
        Quoted("C5.0", 0.06, "C5.0's rulesets on the original nursery, on a quiet machine of this kind"),
    ]


def _enter_adult(size: Size) -> Sequence[Entrant]:
    table = _adult()
    table = table.take(np.arange(size.rows(len(table))))
    tree = C45Rules().unpruned_tree(table)
    return [
        Contestant("C4.5rules", lambda: C45Rules().learn(table), _rules),
        Contestant("every leaf", lambda: rules_of(tree), _rules),
    ]


def _adult() -> Table:
    """Adult's training rows where the reference tables are at hand, else as many of the census-like one."""
    if "adult" in NAMES:
        return load_shared("adult", train=True)
    return read_table(census_like(32_561), target=CENSUS_TARGET)


def _rules(rules: Any) -> str:
    return f"{len(rules):,} rules"


COMPARISONS = (
    Comparison(
        "c45_rules",
        "C4.5rules, tree included, on 12,960 × 8 nominal cells made like nursery, five classes",
        _enter_nursery,
        (at_most(0.06, unit="s"),),
    ),
    Comparison(
        "c45_rules_adult",
        "rules of adult's unpruned tree (32,561 rows): C4.5rules with the tree, and every leaf as it is",
        _enter_adult,
        (at_most(3, "C4.5rules", "s"), at_most(0.5, "every leaf", "s")),
    ),
)
