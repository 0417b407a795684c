"""Random trees and rules over one schema, with every way of missing cells and of deciding, and their rows."""

from __future__ import annotations

import numpy as np

from clearwood.formulas.conditions import Above, AtMost, Between, Condition, Equals, IsMissing, OneOf
from clearwood.models.decision import Cutoff, Decision, Isotonic, Platt
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Node, Split, Surrogate, Tree
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table

COLOUR, SIZE = Nominal("colour", ("red", "green", "blue")), Ordinal("size", ("small", "middle", "large"))
CLASSES = ("a", "b", "c")
SCHEMA = Schema((Numeric("x"), COLOUR, SIZE, Numeric("y")), Nominal("t", CLASSES))
NUMBERS = Schema(SCHEMA.attributes, Numeric("t"))
LIMITS = (-1.5, 0.0, 2.0, 3.25)

DECISIONS = (
    Decision(),
    Decision((2.0, 0.5, 1.0)),
    Decision(costs=((0.0, 1.0, 1.0), (4.0, 0.0, 1.0), (1.0, 2.0, 0.0))),
    Decision(cutoff=Cutoff("b", 0.3)),
    Decision(refer=0.6),
    Decision(calibration=Platt((0.5, 1.5, 1.0), (0.1, -0.2, 0.0))),
    Decision(calibration=Isotonic(((0.0, 0.5, 1.0),) * 3, ((0.1, 0.2, 0.9),) * 3)),
    Decision(prevalence=(0.2, 0.5, 0.3), trained_at=(0.5, 0.25, 0.25)),
)


def random_tree(die: np.random.Generator, *, depth: int = 3, numeric: bool = False) -> Tree:
    schema = NUMBERS if numeric else SCHEMA
    decision = Decision() if numeric else DECISIONS[int(die.integers(len(DECISIONS)))]
    return tree_of(schema, _node(die, depth, numeric), decision=decision)


def random_rules(die: np.random.Generator, *, most: int = 7, numeric: bool = False) -> RuleList:
    votes = not numeric and die.random() < 0.3
    rules = []
    for _ in range(int(die.integers(0, most))):
        when = tuple(
            {each.name: each for each in (_condition(die) for _ in range(die.integers(0, 4)))}.values()
        )
        counts = () if numeric or die.random() < 0.3 else tuple(die.integers(0, 6, 3).astype(float).tolist())
        refers = not votes and die.random() < 0.1
        rules.append(Rule(when, None if refers else _answer(die, numeric), counts))
    otherwise = Otherwise(None if die.random() < 0.3 else _answer(die, numeric))
    decision = Decision() if numeric else DECISIONS[int(die.integers(len(DECISIONS)))]
    schema = NUMBERS if numeric else SCHEMA
    return RuleList(schema, tuple(rules), otherwise, "vote" if votes else "first", decision)


def random_model(die: np.random.Generator, *, numeric: bool = False) -> Tree | RuleList:
    return (random_tree if die.random() < 0.6 else random_rules)(die, numeric=numeric)


def random_rows(die: np.random.Generator, rows: int = 2000, schema: Schema = SCHEMA) -> Table:
    """Rows with empty cells, values never met, and numbers on the limits."""
    empty = die.random() * 0.5

    def values(many: int) -> np.ndarray:
        odd = np.where(die.random(rows) < 0.5, MISSING, UNSEEN)
        return np.where(die.random(rows) < empty, odd, die.integers(0, many, rows)).astype(np.int32)

    def numbers() -> np.ndarray:
        known = die.choice([*LIMITS, -7.0, 0.05, 1.0, 3.0, 9.0], rows)
        return np.where(die.random(rows) < empty, np.nan, known)

    return Table(schema, {"x": numbers(), "colour": values(3), "size": values(3), "y": numbers()})


def _answer(die: np.random.Generator, numeric: bool) -> str | float:
    return float(die.integers(4)) if numeric else CLASSES[int(die.integers(3))]


def _node(die: np.random.Generator, depth: int, numeric: bool) -> Node:
    if depth == 0 or die.random() < 0.15:
        if numeric:
            return Leaf((float(die.integers(0, 4)), float(die.integers(0, 4)), 0.5))
        return Leaf(tuple(die.integers(0, 5, 3).astype(float).tolist()))
    first, second = _sides(die)
    parts = die.dirichlet((1.0, 1.0)) if die.random() < 0.9 else (1.0, 0.0)
    branches = tuple(
        Branch(when, float(part), _node(die, depth - 1, numeric))
        for when, part in zip((first, second), parts, strict=True)
    )
    counts = tuple(map(sum, zip(*(each.then.counts for each in branches), strict=True)))
    surrogates: tuple[Surrogate, ...] = ()
    if die.random() < 0.4:
        own = [_sides(die) for _ in range(die.integers(1, 3))]
        surrogates = tuple(Surrogate(when, int(die.integers(2)), other, 0.7) for when, other in own)
    otherwise = None if die.random() < 0.6 else int(die.integers(2))
    return Split(counts, {}, branches, surrogates, otherwise)


def _sides(die: np.random.Generator) -> tuple[Condition, Condition]:
    name = str(die.choice(["x", "y", "colour", "size"]))
    if name in "xy":
        limit = float(die.choice(LIMITS))
        return AtMost(name, limit), Above(name, limit)
    values = (COLOUR if name == "colour" else SIZE).values
    cut = int(die.integers(1, 3))
    left, right = values[:cut], values[cut:] if die.random() < 0.7 else values[cut : cut + 1]
    return OneOf(name, left), OneOf(name, right)


def _condition(die: np.random.Generator) -> Condition:
    name, empty = str(die.choice(["x", "y", "colour", "size"])), bool(die.random() < 0.3)
    if die.random() < 0.1:
        return IsMissing(name)
    if name in "xy":
        low, high = sorted(die.choice(LIMITS, 2, replace=False).tolist())
        kind = die.integers(3)
        if kind == 0:
            return AtMost(name, low, empty)
        return Above(name, low, empty) if kind == 1 else Between(name, low, high, empty)
    values = (COLOUR if name == "colour" else SIZE).values
    if die.random() < 0.5:
        return Equals(name, str(die.choice(values)))
    return OneOf(name, tuple(die.choice(values, 2, replace=False).tolist()), empty)
