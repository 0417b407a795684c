"""C4.5rules as it is defined: rows as plain truths, one count after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats, Ints
from clearwood.counting.ties import TIE
from clearwood.formulas.conditions import Condition, holds
from clearwood.learners.rules.c45_rules import LeafRules
from clearwood.measures.description_length import exception_bits, factorial_bits, rule_bits
from clearwood.measures.inference import ConfidenceTable, extra_errors
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table


class RuleSettings(Protocol):
    """What the definition asks of the learner."""

    @property
    def confidence(self) -> float: ...
    @property
    def confidence_table(self) -> ConfidenceTable: ...
    @property
    def theory_weight(self) -> float: ...
    @property
    def exhaustive(self) -> int: ...
    @property
    def drop_harmful(self) -> bool: ...


def rules_by_counts(
    settings: RuleSettings, tree: Tree, rows: Table, leaf_class: Ints, bits: Floats
) -> LeafRules:
    """`leaf_class` [node] is a leaf's class or −1 for no rule, `bits` [node] its condition's bits."""
    return _Rules(settings, tree, rows, leaf_class, bits).columns()


def below(one: float, two: float) -> bool:
    """Is one number below another by more than rounding?"""
    return one < two - TIE * max(abs(two), 1e-300)


@dataclass
class _Rule:
    leaf: int
    answer: int
    when: list[int]
    first_error: float
    error: float
    dropped: list[tuple[int, float]]
    same_as: int = -1
    chosen: bool = False


class _Rules:
    def __init__(
        self, settings: RuleSettings, tree: Tree, rows: Table, leaf_class: Ints, bits: Floats
    ) -> None:
        self.settings, self.tree, self.rows, self.bits = settings, tree, rows, bits
        self.target = rows.target
        self.weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        self.first: dict[Condition, int] = {}
        self.holding: dict[int, Bools] = {}
        for node in range(1, len(tree.nodes)):
            condition = tree.condition(node)
            if self.first.setdefault(condition, node) == node:
                self.holding[node] = _holding(condition, rows)
        leaves = [
            node for node in np.flatnonzero(tree.nodes.is_leaf).tolist() if node and leaf_class[node] >= 0
        ]
        self.rules = [self.generalised(leaf, int(leaf_class[leaf])) for leaf in leaves]

    def columns(self) -> LeafRules:
        known: dict[tuple[int, frozenset[int]], int] = {}
        for i, rule in enumerate(self.rules):
            rule.same_as = known.setdefault((rule.answer, frozenset(rule.when)), i) if rule.when else -1
        class_bits = [self.choose(code) for code in range(len(self.tree.schema.classes))]
        order, left = self.in_order()
        otherwise = self.most_left(left)
        if self.settings.drop_harmful:
            self.drop_harmful(order, otherwise)
        covers = [self.cover(rule.when) for rule in self.rules]
        firsts = [rule.same_as == i for i, rule in enumerate(self.rules)]
        return LeafRules(
            leaf=_ints(rule.leaf for rule in self.rules),
            answer=_ints(rule.answer for rule in self.rules),
            first_error=np.array([rule.first_error for rule in self.rules]),
            drop_start=_starts([len(rule.dropped) for rule in self.rules]),
            drop_node=_ints(node for rule in self.rules for node, _ in rule.dropped),
            drop_error=np.array([error for rule in self.rules for _, error in rule.dropped]),
            kept_start=_starts([len(rule.when) for rule in self.rules]),
            kept_node=_ints(node for rule in self.rules for node in rule.when),
            error=np.array([rule.error for rule in self.rules]),
            covered=np.array([self.weight(cover) for cover in covers]),
            wrong=np.array(
                [
                    self.weight(cover & (self.target != rule.answer))
                    for cover, rule in zip(covers, self.rules, strict=True)
                ]
            ),
            same_as=_ints(rule.same_as for rule in self.rules),
            bits=np.array(
                [self.bits_of(rule) if first else 0.0 for rule, first in zip(self.rules, firsts, strict=True)]
            ),
            chosen=np.array([rule.chosen for rule in self.rules], dtype=np.bool_),
            class_bits=np.array(class_bits),
            order=_ints(order),
            counts=np.array(self.answered(order)),
            otherwise=otherwise,
        )

    def generalised(self, leaf: int, leaf_class: int) -> _Rule:
        """Drop the condition without which the pessimistic error is lowest, while it does not rise."""
        when, node = [], leaf
        while node > 0:
            when.append(self.first[self.tree.condition(node)])
            node = int(self.tree.nodes.parent[node])
        when.reverse()
        error = self.error(when, leaf_class)
        rule = _Rule(leaf, leaf_class, when, error, error, [])
        while rule.when:
            lowest, chosen = 2.0, -1
            for i in reversed(range(len(rule.when))):  # of equals the one asked last
                without = self.error(rule.when[:i] + rule.when[i + 1 :], leaf_class)
                if below(without, lowest):
                    lowest, chosen = without, i
            if below(rule.error, lowest):
                break
            rule.dropped.append((rule.when.pop(chosen), lowest))
            rule.error = lowest
        return rule

    def error(self, when: list[int], leaf_class: int) -> float:
        """The pessimistic share of errors among all rows that satisfy the conditions; 1 where none does."""
        cover = self.cover(when)
        n, e = self.weight(cover), self.weight(cover & (self.target != leaf_class))
        if n <= 0:
            return 1.0
        return (e + extra_errors(n, e, self.settings.confidence, self.settings.confidence_table)) / n

    def cover(self, when: list[int]) -> Bools:
        cover = np.ones(len(self.rows), dtype=np.bool_)
        for node in when:
            cover &= self.holding[node]
        return cover

    def weight(self, rows: Bools) -> float:
        return float(self.weights[rows].sum())

    def bits_of(self, rule: _Rule) -> float:
        return rule_bits([float(self.bits[node]) for node in rule.when])

    def choose(self, code: int) -> tuple[float, float, float]:
        """Mark the class's subset of least description length; the bits of none, of all, of those chosen."""
        mine = [rule for i, rule in enumerate(self.rules) if rule.answer == code and rule.same_as == i]
        covers = [self.cover(rule.when) for rule in mine]
        costs = [self.bits_of(rule) for rule in mine]
        right = self.target == code

        def value(chosen: frozenset[int]) -> float:
            cover = np.zeros(len(self.rows), dtype=np.bool_)
            for i in chosen:
                cover |= covers[i]
            theory = sum(costs[i] for i in sorted(chosen)) - factorial_bits(len(chosen))
            return self.settings.theory_weight * theory + exception_bits(
                self.weight(cover),
                self.weight(cover & ~right),
                self.weight(~cover),
                self.weight(~cover & right),
            )

        none: frozenset[int] = frozenset()
        every = frozenset(range(len(mine)))
        if len(mine) <= self.settings.exhaustive:
            best, bits = _best_of_all(value, len(mine))
        else:
            best, bits = _climb(value, none, len(mine))
            other, fewer = _climb(value, every, len(mine))
            if below(fewer, bits):
                best, bits = other, fewer
        for i in best:
            mine[i].chosen = True
        return value(none), value(every), bits

    def in_order(self) -> tuple[list[int], Bools]:
        """Classes by fewest false positives among rows still free, their rules by error; and what is left."""
        free = np.ones(len(self.rows), dtype=np.bool_)
        waiting: dict[int, list[int]] = {}
        for i, rule in enumerate(self.rules):
            if rule.chosen:
                waiting.setdefault(rule.answer, []).append(i)
        order: list[int] = []
        while waiting:
            following, fewest, taken = -1, 0.0, free
            for code in sorted(waiting):
                together = np.logical_or.reduce([self.cover(self.rules[i].when) for i in waiting[code]])
                wrong = self.weight(together & free & (self.target != code))
                if following < 0 or below(wrong, fewest):
                    following, fewest, taken = code, wrong, together
            order += sorted(waiting.pop(following), key=lambda i: self.rules[i].error)
            free = free & ~taken
        return order, free

    def most_left(self, left: Bools) -> int:
        """The class with most of the rows left over; of equals the more frequent."""
        here, everywhere = self.by_class(left), self.by_class(np.ones_like(left))
        answer = 0
        for code in range(1, len(here)):
            equal = not below(here[code], here[answer]) and not below(here[answer], here[code])
            if below(here[answer], here[code]) or (equal and below(everywhere[answer], everywhere[code])):
                answer = code
        return answer

    def drop_harmful(self, order: list[int], otherwise: int) -> None:
        """Take out, one at a time, the rule without which most rows more are answered right."""
        while order:
            right = self.right(order, otherwise)
            worst, out = -1e-9 * len(self.rows), -1
            for place in range(len(order)):
                worth = right - self.right(order[:place] + order[place + 1 :], otherwise)
                if below(worth, worst):
                    worst, out = worth, place
            if out < 0:
                return
            del order[out]

    def right(self, order: list[int], otherwise: int) -> float:
        answer = np.full(len(self.rows), otherwise)
        for i in reversed(order):
            answer[self.cover(self.rules[i].when)] = self.rules[i].answer
        return self.weight(answer == self.target)

    def answered(self, order: list[int]) -> list[list[float]]:
        """[place + 1, class] the rows each rule answers, and those that none takes."""
        free = np.ones(len(self.rows), dtype=np.bool_)
        counts = []
        for i in order:
            cover = self.cover(self.rules[i].when)
            counts.append(self.by_class(cover & free))
            free &= ~cover
        return [*counts, self.by_class(free)]

    def by_class(self, rows: Bools) -> list[float]:
        return [self.weight(rows & (self.target == code)) for code in range(len(self.tree.schema.classes))]


def _best_of_all(value: Any, size: int) -> tuple[frozenset[int], float]:
    """Every subset, in the order of the numbers whose bits they are; of equals the one of fewest rules."""
    best: frozenset[int] = frozenset()
    bits = value(best)
    for number in range(1, 2**size):
        chosen = frozenset(i for i in range(size) if number >> i & 1)
        actual = value(chosen)
        equal = not below(actual, bits) and not below(bits, actual)
        if below(actual, bits) or (equal and len(chosen) < len(best)):
            best, bits = chosen, actual
    return best, bits


def _climb(value: Any, chosen: frozenset[int], size: int) -> tuple[frozenset[int], float]:
    """Take in or leave out the rule that shortens the description most, first of equals, while one does."""
    now = value(chosen)
    while True:
        best, change = now, -1
        for i in range(size):
            number = value(chosen ^ {i})
            if below(number, best):
                best, change = number, i
        if change < 0:
            return chosen, now
        chosen, now = chosen ^ {change}, best


def _holding(condition: Condition, rows: Table) -> Bools:
    attribute, column = rows.schema[condition.name], rows.columns[condition.name].tolist()
    if isinstance(attribute, Nominal | Ordinal):
        column = [attribute.values[code] if code >= 0 else None for code in column]
    return np.array([holds(condition, cell) for cell in column], dtype=np.bool_)


def _ints(values: Any) -> Ints:
    return np.array(list(values), dtype=np.int32)


def _starts(lengths: list[int]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
