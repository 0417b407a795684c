"""Rules of which the first that holds answers: those that may still be the first, and what comes after."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from clearwood.checking.diagrams.rule_sets import RuleSets
from clearwood.checking.diagrams.unfolding import OpenRules


@dataclass(frozen=True, slots=True)
class FirstMatch:
    """What a row has come to is the value that it gets if no open rule holds."""

    sets: RuleSets
    values: Sequence[Hashable]  # [rule] what it gives
    giving: dict[Hashable, int]  # the rules that give a value
    otherwise: Hashable

    @property
    def start(self) -> OpenRules:
        return self.sets.every, self.otherwise

    def after(self, level: int, rules: int, come: Hashable) -> OpenRules:
        holding = rules & self.sets.complete[level]
        if holding:
            first = holding & -holding
            come = self.values[first.bit_length() - 1]
            rules &= first - 1
        hides, left = self.sets.hides[level], rules
        while left:
            lowest = left & -left
            hidden = hides[lowest.bit_length() - 1]
            rules &= ~hidden
            left &= ~(hidden | lowest)
        # Rules before the end that give what comes after them need not be asked.
        others = rules & ~self.giving.get(come, 0)
        return rules & (1 << others.bit_length()) - 1, come

    def value(self, come: Hashable) -> Hashable:
        return come


def first_match(sets: RuleSets, values: Sequence[Hashable], otherwise: Hashable) -> FirstMatch:
    giving: dict[Hashable, int] = {}
    for place, value in enumerate(values):
        giving[value] = giving.get(value, 0) | 1 << place
    return FirstMatch(sets, values, giving, otherwise)
