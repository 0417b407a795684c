"""The diagram of a list of rules: of its answers, or of a figure such as the share of a class."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, cast

import numpy as np

from clearwood.arrays import Floats
from clearwood.checking.diagrams.diagram import DiagramNodes, order_within
from clearwood.checking.diagrams.rule_sets import (
    OpenRules,
    RuleSets,
    Unfolds,
    bits_of,
    sets_by_level,
    unfolded,
)
from clearwood.models.decision import BY_SHARES, adjusted, decided, divided
from clearwood.models.kinds.rules.rule_list import RuleList, rule_weights
from clearwood.models.kinds.rules.rules_space import possible_boxes
from clearwood.models.kinds.rules.rules_walk import rule_outcomes
from clearwood.models.space.axes import Domains, GroupBox
from clearwood.models.space.input_space import InputSpace
from clearwood.models.space.settling import Identities

_EXACT: Final = 2**50  # sums of whole numbers up to here are exact, and so is the order of their shares


def nodes_for(
    lists: Sequence[RuleList], space: InputSpace, within: Domains, *, first: int | None = None
) -> DiagramNodes:
    """No nodes yet, for diagrams of these lists over the rows of a box, asked in an order that keeps them
    small; the column `first`, if there is one, before all others."""
    columns = column_order([[box for box, _ in possible_boxes(space.boxes(each))] for each in lists])
    if first is not None:
        columns = (first, *(each for each in columns if each != first))
    return DiagramNodes(order_within(columns, within))


def rule_diagram(
    rules: RuleList, space: InputSpace, nodes: DiagramNodes, most: int, *, about: int | None = None
) -> int:
    """The root of the diagram whose ends are what rows get: the answer, or the share of the class `about`.

    Of rules that predict numbers it is the number; None stands for no answer.
    """
    possible = possible_boxes(space.boxes(rules))
    sets = sets_by_level([box for box, _ in possible], nodes.order)
    outcomes = rule_outcomes(rules, Identities(), about)
    values: list[Hashable] = [each.answer if about is None else each.figure for each in outcomes]
    own = [place for _, place in possible]
    states: Unfolds
    if rules.matching == "first":
        states = first_match(sets, [values[place] for place in own], values[-1])
        return unfolded(states, nodes, most)
    weights = rule_weights(rules)[own]
    ballots, unit = _whole(weights)
    if about is None and unit is not None and rules.decision.is_plain and not rules.decision.costs:
        states = VotesForTheMost(sets, ballots, values[-1], rules.schema.classes)
        return unfolded(states, nodes, most)

    def counted(sums: Ballot) -> Hashable:
        if unit is None:
            held = weights[[place for place in range(len(own)) if sums[0] >> place & 1]]
            added: Floats = np.add.accumulate(held, axis=0)[-1:]  # one by one, as the predictor adds them
        else:
            added = np.array([sums], dtype=np.float64) / unit
        shares = adjusted(divided(added), rules.decision)
        if about is not None:
            return float(shares[0, about])
        code = decided(shares, rules.decision, rules.schema.classes, np.array([BY_SHARES], dtype=np.int32))
        return None if code[0] < 0 else rules.schema.classes[code[0]]

    return unfolded(Votes(sets, ballots, values[-1], counted), nodes, most)


def _whole(weights: Floats) -> tuple[Sequence[Ballot], float | None]:
    """The votes of each rule as whole numbers of a unit (so many make one); where rounding would matter, a
    number of its own for each set of rules, and None."""
    ratios = [[each.as_integer_ratio() for each in row] for row in weights.tolist()]
    unit = max((below for row in ratios for _, below in row), default=1)  # powers of two
    ballots = [tuple(above * (unit // below) for above, below in row) for row in ratios]
    if sum(map(sum, ballots)) < _EXACT:
        return ballots, float(unit)
    return [(1 << place,) for place in range(len(ratios))], None


# The order of columns: first those that bring most rules nearest to their ends.


_LATER: Final = 0.97  # what a rule counts, beside the one before it


def column_order(lists: Sequence[Sequence[GroupBox]]) -> tuple[int, ...]:
    """The columns that rules of these lists ask about. A short rule counts more than a long one, by what is
    left to ask of it, and an early one more than those behind it, which it may hide.

    >>> column_order([[((0, 1), (1, 1)), ((2, 1),)]])
    (2, 0, 1)
    """
    left = [({column for column, _ in box}, place) for boxes in lists for place, box in enumerate(boxes)]
    columns = sorted(set[int]().union(*(asked for asked, _ in left)))
    order: list[int] = []
    while columns:
        weights = dict.fromkeys(columns, 0.0)
        for asked, place in left:
            for column in asked:
                weights[column] += 0.5 ** len(asked) * _LATER**place
        first = max(columns, key=weights.__getitem__)
        order.append(first)
        columns.remove(first)
        for asked, _ in left:
            asked.discard(first)
    return tuple(order)


# Rules of which the first that holds answers: those that may still be the first, and what comes after.


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


# Rules that vote: those that may still hold, and the votes of those that do.


Ballot: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Votes:
    """Every ballot counts. What a row has come to is their sum; None where no rule has held."""

    sets: RuleSets
    ballots: Sequence[Ballot]  # [rule]
    otherwise: Hashable
    counted: Callable[[Ballot], Hashable]  # what rows get whose ballots add up to this

    @property
    def start(self) -> OpenRules:
        return self.sets.every, None

    def after(self, level: int, rules: int, come: Hashable) -> OpenRules:
        holding = rules & self.sets.complete[level]
        return rules & ~holding, votes_added(cast("Ballot | None", come), self.ballots, holding)

    def value(self, come: Hashable) -> Hashable:
        return self.otherwise if come is None else self.counted(cast(Ballot, come))


@dataclass(frozen=True, slots=True)
class VotesForTheMost:
    """The class with the most votes answers, the first of equals: only who leads matters, and by how much.

    A class that another is sure to beat is left out of the sum, and rules that do not tell the others apart
    need not be asked.
    """

    sets: RuleSets
    ballots: Sequence[Ballot]  # [rule][class]
    otherwise: Hashable
    classes: Sequence[str]
    _sums: dict[int, Ballot] = field(default_factory=dict)
    _losses: dict[int, list[list[int]]] = field(default_factory=dict)
    _telling: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)

    @property
    def start(self) -> OpenRules:
        return self.sets.every, None

    def after(self, level: int, rules: int, come: Hashable) -> OpenRules:
        holding = rules & self.sets.complete[level]
        left, leads = rules & ~holding, cast("tuple[tuple[int, int], ...] | None", come)
        if holding:
            votes = self._votes_of(holding)
            leads = (
                tuple(enumerate(votes))
                if leads is None
                else tuple([(place, lead + votes[place]) for place, lead in leads])
            )
        if leads is None:
            return left, None
        while True:
            running = self._running(left, leads)
            telling = self._that_tell(left, tuple(place for place, _ in running)) if len(running) > 1 else 0
            if telling == left and len(running) == len(leads):
                break
            left, leads = telling, running
        least = min([lead for _, lead in leads])
        return left, tuple([(place, lead - least) for place, lead in leads]) if least else leads

    def value(self, come: Hashable) -> Hashable:
        if come is None:
            return self.otherwise
        ((place, _),) = cast("tuple[tuple[int, int]]", come)
        return self.classes[place]

    def _running(self, rules: int, leads: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        """The classes that the one in the lead is not sure to beat, and this one."""
        first, most = leads[0]
        for place, lead in leads:
            if lead > most:
                first, most = place, lead
        losses = self._most_lost(rules)[first]
        running = []
        for each in leads:
            place, lead = each
            kept = most - lead + losses[place]
            if place == first or kept < 0 or (kept == 0 and place < first):
                running.append(each)
        return tuple(running)

    def _votes_of(self, rules: int) -> Ballot:
        votes = self._sums.get(rules)
        if votes is None:
            votes = self._sums[rules] = votes_added(None, self.ballots, rules) or ()
        return votes

    def _most_lost(self, rules: int) -> list[list[int]]:
        """[class][class] how much of its lead over another a class can lose by these rules; 0 or less."""
        losses = self._losses.get(rules)
        if losses is None:
            places = list(bits_of(rules))
            cast_by = np.array([self.ballots[each] for each in places], dtype=np.int64)
            cast_by = cast_by.reshape(len(places), len(self.classes))
            leads = np.minimum(cast_by[:, :, None] - cast_by[:, None, :], 0).sum(axis=0)
            losses = self._losses[rules] = leads.tolist()
        return losses

    def _that_tell(self, rules: int, running: tuple[int, ...]) -> int:
        """Those of the rules that give these classes different votes."""
        telling = self._telling.get((rules, running))
        if telling is None:
            telling = self._telling[rules, running] = sum(
                1 << rule
                for rule in bits_of(rules)
                if len({self.ballots[rule][place] for place in running}) > 1
            )
        return telling


def votes_added(come: Ballot | None, ballots: Sequence[Ballot], rules: int) -> Ballot | None:
    """The votes so far and those of these rules."""
    if not rules:
        return come
    held = [ballots[rule] for rule in bits_of(rules)]
    return tuple(map(sum, zip(*(held if come is None else [come, *held]), strict=True)))
