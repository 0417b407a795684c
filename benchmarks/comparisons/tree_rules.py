"""Rules from trees: C4.5rules beside C5.0's rulesets, every leaf as it is, and simplified by tests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Quoted, Size, at_most
from benchmarks.reference import ADULT, NURSERY
from benchmarks.tables import half_nominal
from clearwood.learners.rules.c45_rules import C45Rules
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.rules.simplifying import simplify_rules
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.predicting import predict
from clearwood.table import learn_table


def _enter_nursery(size: Size) -> Sequence[Entrant]:
    table = NURSERY.table(size)
    return [
        Contestant(OURS, lambda: C45Rules().learn(table), _rules),
        Quoted("C5.0", 0.06, "C5.0's rulesets on the original nursery, on a quiet machine of this kind"),
    ]


def _enter_adult(size: Size) -> Sequence[Entrant]:
    table = ADULT.table(size)
    tree = C45Rules().unpruned_tree(table)
    return [
        Contestant("C4.5rules", lambda: C45Rules().learn(table), _rules),
        Contestant("every leaf", lambda: rules_of(tree), _rules),
    ]


def _enter_simplify(size: Size) -> Sequence[Entrant]:
    table = learn_table(*half_nominal(size.rows(50_000)))
    rules = rules_of(CART(min_leaf=30).learn(table))
    before = f"of {len(rules):,} rules"
    return [
        Contestant(
            f"{OURS}, {tables}",
            partial(simplify_rules, rules, table, tables=tables),
            lambda simplified: f"{len(simplified.rules):,} {before} left",
        )
        for tables in ("marginal", "conditional")
    ]


def _enter_answers(size: Size) -> Sequence[Entrant]:
    table = ADULT.table(size)
    tree = C45().learn(table)
    every, fewer = rules_of(tree), C45Rules().learn(table)
    many = table.take(np.resize(np.arange(len(table)), size.rows(1_000_000)))
    return [
        Contestant("the tree", lambda: predict(tree, many), lambda _: f"{tree.leaves:,} leaves"),
        Contestant("its leaves as rules", lambda: predict(every, many), lambda _: _rules(every)),
        Contestant("C4.5rules", lambda: predict(fewer, many), lambda _: _rules(fewer)),
    ]


def _rules(rules: Any) -> str:
    return f"{len(rules):,} rules"


COMPARISONS = (
    Comparison(
        "c45-rules",
        f"C4.5rules, tree included, on {NURSERY.called}",
        _enter_nursery,
        (at_most(0.06, unit="s"),),
    ),
    Comparison(
        "c45-rules-adult",
        f"Rules of the unpruned tree of {ADULT.called}: C4.5rules with the tree, and every leaf as it is",
        _enter_adult,
        (at_most(3, "C4.5rules", "s"), at_most(0.5, "every leaf", "s")),
    ),
    Comparison(
        "simplify",
        "Simplification by tests, ledger included, of a tree of a thousand leaves on 50,000 × 20 mixed cells",
        _enter_simplify,
        tuple(at_most(1, f"{OURS}, {tables}", "s") for tables in ("marginal", "conditional")),
    ),
    Comparison(
        "rule-answers",
        f"Classes of 1,000,000 coded rows, those of {ADULT.called} again and again",
        _enter_answers,
        (),
    ),
)
