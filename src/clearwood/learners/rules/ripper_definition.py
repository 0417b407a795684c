"""RIPPER as defined: class by class, rules grown, pruned, and kept while they shorten the description."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.counting.coding import CodedColumns
from clearwood.counting.cuts import midpoint
from clearwood.counting.ties import TIE, better, enough
from clearwood.learners.rules.ripper_search import (
    ABOVE,
    AT_MOST,
    EQUALS,
    SLACK_BITS,
    DraftKind,
    RipperAction,
    RipperCondition,
    RipperSearch,
    SearchDraft,
    SearchStep,
    ripper_exception_bits,
    ripper_rule_bits,
)
from clearwood.mixing import GOLDEN, mixed
from clearwood.table.table import Column

if TYPE_CHECKING:
    from clearwood.learners.rules.ripper import RIPPER

RipperConditions: TypeAlias = tuple[RipperCondition, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OneAgainstRest:
    """The columns, which rows are of the class that rules are searched for, and the weights of all."""

    columns: list[Column]
    positive: Bools
    weights: Floats

    def weigh(self, rows: Bools) -> tuple[float, float]:
        """The weight of the positive rows among these, and of the others."""
        own, others = rows & self.positive, rows & ~self.positive
        return float(self.weights[own].sum()), float(self.weights[others].sum())


@dataclass(frozen=True, slots=True, eq=False)
class DraftRows:
    """[row] What a draft was grown and pruned on; the class's rows, and those that no rarer class took."""

    growing: Bools
    pruning: Bools
    positive: Bools
    alive: Bools


def search_by_counts(
    settings: RIPPER,
    coded: CodedColumns,
    target: Column,
    classes: int,
    weights: Floats,
    notes: list[DraftRows] | None = None,
) -> RipperSearch:
    """The rules for these columns, from the rarest class to the most common.

    `notes` takes the rows of each draft, in the order of the steps' drafts.
    """
    columns = [coded.cells(place) for place in range(len(coded.columns))]
    alive = np.ones(len(target), dtype=np.bool_)
    taken = np.full(len(target), -1, dtype=np.int32)
    dealer = Dealer(settings.seed)
    rules: list[tuple[int, RipperConditions]] = []
    steps: list[SearchStep] = []
    *rarer, otherwise = _class_order(np.bincount(target, weights, classes).astype(np.float64))
    for code in rarer:
        data = OneAgainstRest(columns, target == code, weights)
        one = _OneClass(settings, data, alive, dealer, code, notes)
        one.learn()
        for tests in one.rules:
            rows = alive & one.covered([tests])
            taken[rows] = len(rules)
            alive = alive & ~rows
            rules.append((code, tests))
        steps += one.steps
    return RipperSearch(tuple(rules), otherwise, taken, tuple(steps))


@dataclass(slots=True, eq=False)
class _OneClass:
    """One class against the rest, on the rows alive: those that no rule of a rarer class takes."""

    settings: RIPPER
    data: OneAgainstRest
    alive: Bools
    dealer: Dealer
    code: int
    notes: list[DraftRows] | None
    rules: list[RipperConditions] = field(default_factory=list)
    steps: list[SearchStep] = field(default_factory=list)
    round: int = 0

    def learn(self) -> None:
        self._cover()
        if self.settings.prune:
            for _ in range(self.settings.optimizations):
                self.round += 1
                self._optimize()
                self._cover()

    def _cover(self) -> None:
        length = shortest = self._length(self.rules)
        while True:
            left = self.alive & ~self.covered(self.rules)
            if not (left & self.data.positive).any():
                break
            draft = self._draft(DraftKind.NEW, (), left, left)
            after = self._length([*self.rules, draft.tests]) if draft.tests else length
            action = self._verdict(draft.tests, left, after, shortest)
            self._note(
                action, len(self.rules), length, after if action == RipperAction.ADDED else length, draft
            )
            if action != RipperAction.ADDED:
                break
            self.rules.append(draft.tests)
            length, shortest = after, min(shortest, after)
        if self.settings.prune:
            self._delete()

    def _verdict(self, tests: RipperConditions, left: Bools, length: float, shortest: float) -> RipperAction:
        if not tests:
            return RipperAction.NOTHING_LEFT
        rows = left & self.covered([tests])
        if not (rows & self.data.positive).any():
            return RipperAction.COVERS_NONE
        p, n = self.data.weigh(rows)
        if self.settings.check_error and enough(n, p, TIE * (p + n)):
            return RipperAction.HALF_WRONG
        if self.settings.prune and length > shortest + SLACK_BITS + TIE * shortest:
            return RipperAction.TOO_LONG
        return RipperAction.ADDED

    def _optimize(self) -> None:
        for i, old in enumerate(self.rules):
            left = self.alive & ~self.covered(self.rules[:i])
            if not (left & self.data.positive).any():
                continue
            # A row that a later rule takes is answered the same whatever becomes of this one.
            judging = left & ~self.covered(self.rules[i + 1 :])
            before = best = self._shortened(self.rules)[1]
            action, chosen = RipperAction.KEPT, old
            drafts = []
            state = self.dealer.state  # both are grown and pruned on the same rows
            for kind, then, start in (
                (DraftKind.REVISION, RipperAction.REVISED, old),
                (DraftKind.REPLACEMENT, RipperAction.REPLACED, ()),
            ):
                self.dealer.state = state
                draft = self._draft(kind, start, left, judging)
                length = math.inf
                if draft.tests:
                    length = self._shortened([*self.rules[:i], draft.tests, *self.rules[i + 1 :]])[1]
                if best - length > TIE * before:
                    best, action, chosen = length, then, draft.tests
                drafts.append(draft._replace(length=length))
            self.rules[i] = chosen
            self._note(action, i, before, best, *drafts)

    def _delete(self) -> None:
        before = self._length(self.rules)
        for i in self._shortened(self.rules)[0]:
            del self.rules[i]
            after = self._length(self.rules)
            self._note(RipperAction.DELETED, i, before, after)
            before = after

    def _shortened(self, rules: list[RipperConditions]) -> tuple[list[int], float]:
        """Which rules only lengthen the description, from the last to the first, and its length without."""
        kept, gone = dict(enumerate(rules)), []
        length = self._length(rules)
        for i in reversed(range(len(rules))):
            without = self._length([rule for each, rule in kept.items() if each != i])
            if length - without > -TIE * length:
                del kept[i]
                gone.append(i)
                length = without
        return gone, length

    def _draft(self, kind: DraftKind, start: RipperConditions, left: Bools, judging: Bools) -> SearchDraft:
        """A rule grown on the rows left and pruned on the judging ones among those held back."""
        held = np.zeros_like(left)
        if self.settings.prune:
            held = self.dealer.hold_back(left, self.data.positive, self.settings.folds)
        if self.notes is not None:
            self.notes.append(DraftRows(left & ~held, judging & held, self.data.positive, self.alive))
        grown, gains = grow_rule(start, left & ~held, self.data, self.settings.min_rows)
        draft = SearchDraft(kind, len(start), grown, gains, len(grown), 0.0, 0.0)
        if not grown or not self.settings.prune:
            return draft
        kept, value_grown, value = prune_rule(grown, judging & held, self.data, in_list=kind != DraftKind.NEW)
        return draft._replace(kept=kept, value_grown=value_grown, value=value)

    def covered(self, rules: Sequence[RipperConditions]) -> Bools:
        """[row] does any of the rules take it?"""
        rows = np.zeros(len(self.data.positive), dtype=np.bool_)
        for tests in rules:
            rows |= np.logical_and.reduce([test.holds(self.data.columns) for test in tests])
        return rows & self.alive

    def _length(self, rules: Sequence[RipperConditions]) -> float:
        covered = self.covered(rules)
        right, false = self.data.weigh(covered)
        missed, rest = self.data.weigh(self.alive & ~covered)
        possible = sum(map(possible_conditions, self.data.columns))
        bits_of_rules = sum(ripper_rule_bits(len(tests), possible) for tests in rules)
        share = (right + missed) / (right + false + missed + rest)
        return bits_of_rules + ripper_exception_bits(right + false, missed + rest, false, missed, share)

    def _note(
        self, action: RipperAction, position: int, before: float, after: float, *drafts: SearchDraft
    ) -> None:
        self.steps.append(SearchStep(action, self.code, self.round, position, before, after, drafts))


def _class_order(weights: Floats) -> list[int]:
    """From the rarest class to the most common, of equals the last first; those without rows left out."""
    share = np.floor(weights / weights.sum() / TIE + 0.5)  # so that rounding does not order equal classes
    return sorted(np.flatnonzero(weights > 0).tolist(), key=lambda code: (share[code], -code))


def possible_conditions(column: Column) -> int:
    """How many conditions a column offers: one for each value met, two where it is a number."""
    if column.dtype == np.int32:
        return len(np.unique(column[column >= 0]))
    return 2 * len(np.unique(column[~np.isnan(column)]))


# Growing one of RIPPER's rules by FOIL's gain, and cutting off its last conditions.


def grow_rule(
    start: RipperConditions, rows: Bools, data: OneAgainstRest, min_rows: float
) -> tuple[RipperConditions, tuple[float, ...]]:
    """The rule that begins with `start` and grows while the best condition takes enough, and the gains."""
    tests, gains = list(start), []
    for test in start:
        rows = rows & test.holds(data.columns)
    while (rows & data.positive).any() and (rows & ~data.positive).any():
        p, n = data.weigh(rows)
        chosen, most, taken = None, 0.0, 0.0
        for test, p_new, n_new in _candidates(rows, data):
            gain = foil_gain(p, n, p_new, n_new)
            if better(gain, most, p):
                chosen, most, taken = test, gain, p_new
        if chosen is None or not enough(taken, min_rows):
            break
        tests.append(chosen)
        gains.append(most)
        rows = rows & chosen.holds(data.columns)
    return tuple(tests), tuple(gains)


def foil_gain(p: float, n: float, p_new: float, n_new: float) -> float:
    """The bits a condition saves on the positive rows it takes (Quinlan 1990), one positive row added.

    >>> foil_gain(1, 2, 1, 0)
    1.0
    """
    return p_new * (math.log2((p_new + 1) / (p_new + n_new + 1)) - math.log2((p + 1) / (p + n + 1)))


def prune_rule(
    tests: RipperConditions, rows: Bools, data: OneAgainstRest, *, in_list: bool
) -> tuple[int, float, float]:
    """How many conditions to keep, the value of the whole rule on these rows, and of what is kept.

    The first of equals: the shortest. Within a list, the value p − n counts the errors of the whole list.
    """
    total = float(data.weights[rows].sum())
    values = []
    for test in (None, *tests):
        if test is not None:
            rows = rows & test.holds(data.columns)
        p, n = data.weigh(rows)
        values.append(p - n if in_list else (p + 1) / (p + n + 2))
    kept = 0
    for length, value in enumerate(values):
        if better(value, values[kept], total if in_list else 1.0):
            kept = length
    return kept, values[-1], values[kept]


def _candidates(rows: Bools, data: OneAgainstRest) -> Iterator[tuple[RipperCondition, float, float]]:
    """Every condition on the cells of these rows, and the weight of positive and of other rows it takes."""
    for position, column in enumerate(data.columns):
        nominal = column.dtype == np.int32
        known = rows & (column >= 0 if nominal else ~np.isnan(column))
        values, place = np.unique(column[known], return_inverse=True)
        each = np.zeros((2, len(values)))
        np.add.at(each, (np.where(data.positive[known], 0, 1), place), data.weights[known])
        if nominal:
            for value, p, n in zip(values.tolist(), *each.tolist(), strict=True):
                yield RipperCondition(position, EQUALS, value), p, n
            continue
        low = each.cumsum(axis=1)
        high = each[:, ::-1].cumsum(axis=1)[:, ::-1]
        for i in range(len(values) - 1):
            limit = midpoint(float(values[i]), float(values[i + 1]))
            yield RipperCondition(position, AT_MOST, limit), float(low[0, i]), float(low[1, i])
            yield RipperCondition(position, ABOVE, limit), float(high[0, i + 1]), float(high[1, i + 1])


# Dealing rows out: of the rows of each kind, one in so many is held back at random.


class Dealer:
    """Random numbers from a seed, the same on every machine: splitmix64 (Steele, Lea and Flood 2014).

    >>> dealer = Dealer(1)
    >>> [dealer.below(3) for _ in range(8)]
    [1, 2, 2, 1, 1, 2, 2, 1]
    """

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        """A whole number from 0 up to, but not including, the limit."""
        self.state = (self.state + GOLDEN) % 2**64
        return (mixed(self.state) >> 32) * limit >> 32

    def hold_back(self, rows: Bools, positive: Bools, folds: int) -> Bools:
        """[row] held back: one in `folds` of the positive rows, rounded down, and then of the others.

        Each choice is equally likely: a row is held back with the chance (still needed) / (rows to come).

        >>> rows = np.ones(7, dtype=np.bool_)
        >>> Dealer(1).hold_back(rows, np.arange(7) < 3, 3).tolist()
        [False, False, True, False, False, False, True]
        """
        held = np.zeros(len(rows), dtype=np.bool_)
        for kind in (rows & positive, rows & ~positive):
            places = np.flatnonzero(kind)
            to_hold = len(places) // folds
            for i, row in enumerate(places.tolist()):
                if self.below(len(places) - i) < to_hold:
                    held[row] = True
                    to_hold -= 1
        return held
