"""One row down the objects of a tree: the definition that the native walk must equal."""

from __future__ import annotations

from typing import assert_never

from clearwood.formulas.conditions import holds
from clearwood.models.deciding import ShareSmoothing, check_smoothing
from clearwood.models.kinds.rules.rule_list import Answer, Rule, RuleList
from clearwood.models.kinds.rules.rules_counts import behind_answers, counts_of_all
from clearwood.models.kinds.tree.node_answers import cheapest_of_one
from clearwood.models.kinds.tree.nodes import weight_of
from clearwood.models.kinds.tree.tree import Leaf, Node, Split, Tree
from clearwood.models.routing import route_of, ways
from clearwood.records import dataclass
from clearwood.table.raw import Row


@dataclass(frozen=True, slots=True)
class Reached:
    """A leaf a row comes to: the branches taken, the part of the row, the counts that answer."""

    path: tuple[int, ...]
    weight: float
    counts: tuple[float, ...]


def reached(tree: Tree, row: Row) -> list[Reached]:
    """Every leaf the row comes to, from the first branch to the last; most rows come to one."""
    leaves: list[Reached] = []
    waiting: list[tuple[Node, tuple[int, ...], float, tuple[float, ...]]] = [(tree.root, (), 1.0, ())]
    while waiting:
        node, path, weight, above = waiting.pop()
        has_weight = weight_of(node.counts, numeric=tree.is_numeric) > 0
        counts = node.counts if has_weight or not above else above
        match node:
            case Leaf():
                leaves.append(Reached(path, weight, counts))
            case Split():
                followed = [
                    (node.branches[way.branch].then, (*path, way.branch), weight * way.part, counts)
                    for way in ways(route_of(node), row)
                ]
                waiting.extend(reversed(followed))
            case _:
                assert_never(node)
    return leaves


def shares_of_one(tree: Tree, row: Row, smoothing: ShareSmoothing = None) -> dict[str, float]:
    """The share of each class.

    >>> from clearwood.models.kinds.tree.build import tree_of
    >>> from clearwood.table.schema import Nominal, Schema
    >>> schema = Schema((), Nominal("Play", ("No", "Yes")))
    >>> tree = tree_of(schema, Leaf((0.0, 2.0)))
    >>> shares_of_one(tree, {}), shares_of_one(tree, {}, "laplace")
    ({'No': 0.0, 'Yes': 1.0}, {'No': 0.25, 'Yes': 0.75})
    """
    check_smoothing(smoothing)
    classes = tree.schema.classes
    prior = _divided(_factored(tree, tree.root.counts))
    mixed = [0.0] * len(classes)
    for each in reached(tree, row):
        counts = _factored(tree, each.counts)
        if smoothing == "laplace":
            counts = [count + 1.0 for count in counts]
        elif smoothing is not None:
            counts = [count + smoothing * share for count, share in zip(counts, prior, strict=True)]
        for i, share in enumerate(_divided(counts)):
            mixed[i] += each.weight * share
    return dict(zip(classes, mixed, strict=True))


def predict_one(tree: Tree, row: Row) -> str | float:
    """The class of least expected cost, first of equals; for a numeric target the number."""
    if tree.is_numeric:
        return sum(each.weight * each.counts[1] for each in reached(tree, row))
    shares = shares_of_one(tree, row)
    return cheapest_of_one(shares, tree.decision)


def _factored(tree: Tree, counts: tuple[float, ...]) -> list[float]:
    factors = tree.decision.factors or (1.0,) * len(counts)
    return [count * factor for count, factor in zip(counts, factors, strict=True)]


def _divided(counts: list[float]) -> list[float]:
    total = sum(counts)
    return [count / total if total > 0 else 1.0 / len(counts) for count in counts]


# One row past a list of rules: the definition that native matching must equal.


def rules_that_hold(rules: RuleList, row: Row) -> list[int]:
    """The positions of all rules whose every condition the row satisfies."""
    return [i for i, rule in enumerate(rules) if _satisfies(rule, row)]


def answer_by_rules(rules: RuleList, row: Row) -> Answer | None:
    """The answer of the first rule that holds, or the class with the most votes; None: nothing is said."""
    if rules.matching == "first":
        return next((rule.then for rule in rules if _satisfies(rule, row)), rules.otherwise.then)
    if not rules_that_hold(rules, row):
        return rules.otherwise.then
    shares = shares_by_rules(rules, row)
    return cheapest_of_one(shares, rules.decision)


def shares_by_rules(rules: RuleList, row: Row, smoothing: ShareSmoothing = None) -> dict[str, float]:
    """The share of each class among the rows that the rule took in training, or that all who vote covered."""
    check_smoothing(smoothing)
    classes = rules.schema.classes
    factors = rules.decision.factors or (1.0,) * len(classes)
    weights = [[n * f for n, f in zip(each, factors, strict=True)] for each in behind_answers(rules)]
    held = rules_that_hold(rules, row) or [len(rules)]
    if rules.entries[held[0]].then is None:
        return dict.fromkeys(classes, 0.0)
    voting = held[:1] if rules.matching == "first" else held
    sums = [sum(column) for column in zip(*(weights[i] for i in voting), strict=True)]
    if smoothing == "laplace":
        sums = [each + 1.0 for each in sums]
    elif smoothing is not None:
        whole = [n * f for n, f in zip(counts_of_all(rules), factors, strict=True)]
        if not any(whole):
            whole = [1.0] * len(classes)
        sums = [each + smoothing * part / sum(whole) for each, part in zip(sums, whole, strict=True)]
    return {name: each / sum(sums) for name, each in zip(classes, sums, strict=True)}


def _satisfies(rule: Rule, row: Row) -> bool:
    return all(holds(condition, row.get(condition.name)) for condition in rule.when)
