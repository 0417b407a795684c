"""RIPPER as defined: class by class, rules grown, pruned, and kept while they shorten the description."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.counting.ties import TIE, enough
from clearwood.learners.rules.dealing import Dealer
from clearwood.learners.rules.description_length import ripper_exception_bits, ripper_rule_bits
from clearwood.learners.rules.ripper_search import (
    SLACK_BITS,
    DraftKind,
    RipperAction,
    RipperCondition,
    RipperSearch,
    SearchDraft,
    SearchStep,
)
from clearwood.learners.rules.rule_growing import grow_rule, prune_rule
from clearwood.table.table import Column

if TYPE_CHECKING:
    from clearwood.learners.rules.ripper import RIPPER

RipperConditions: TypeAlias = tuple[RipperCondition, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DraftRows:
    """[row] What a draft was grown and pruned on; the class's rows, and those that no rarer class took."""

    growing: Bools
    pruning: Bools
    positive: Bools
    alive: Bools


def search_by_counts(
    settings: RIPPER,
    arrays: Sequence[Column],
    target: Column,
    classes: int,
    weights: Floats,
    notes: list[DraftRows] | None = None,
) -> RipperSearch:
    """The rules for these columns (int32 codes, or floats), from the rarest class to the most common.

    `notes` takes the rows of each draft, in the order of the steps' drafts.
    """
    columns = [each if each.dtype == np.int32 else each.astype(np.float64) for each in arrays]
    alive = np.ones(len(target), dtype=np.bool_)
    taken = np.full(len(target), -1, dtype=np.int32)
    dealer = Dealer(settings.seed)
    rules: list[tuple[int, RipperConditions]] = []
    steps: list[SearchStep] = []
    *rarer, otherwise = _class_order(np.bincount(target, weights, classes).astype(np.float64))
    for code in rarer:
        one = _OneClass(settings, columns, target == code, weights, alive, dealer, code, notes)
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
    columns: list[Column]
    positive: Bools
    weights: Floats
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
            if not (left & self.positive).any():
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
        if not (rows & self.positive).any():
            return RipperAction.COVERS_NONE
        p, n = self._weigh(rows)
        if self.settings.check_error and enough(n, p, TIE * (p + n)):
            return RipperAction.HALF_WRONG
        if self.settings.prune and length > shortest + SLACK_BITS + TIE * shortest:
            return RipperAction.TOO_LONG
        return RipperAction.ADDED

    def _optimize(self) -> None:
        for i, old in enumerate(self.rules):
            left = self.alive & ~self.covered(self.rules[:i])
            if not (left & self.positive).any():
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
            held = self.dealer.hold_back(left, self.positive, self.settings.folds)
        if self.notes is not None:
            self.notes.append(DraftRows(left & ~held, judging & held, self.positive, self.alive))
        grown, gains = grow_rule(
            start, left & ~held, self.columns, self.positive, self.weights, self.settings.min_rows
        )
        draft = SearchDraft(kind, len(start), grown, gains, len(grown), 0.0, 0.0)
        if not grown or not self.settings.prune:
            return draft
        kept, value_grown, value = prune_rule(
            grown, judging & held, self.columns, self.positive, self.weights, in_list=kind != DraftKind.NEW
        )
        return draft._replace(kept=kept, value_grown=value_grown, value=value)

    def covered(self, rules: Sequence[RipperConditions]) -> Bools:
        """[row] does any of the rules take it?"""
        rows = np.zeros(len(self.positive), dtype=np.bool_)
        for tests in rules:
            rows |= np.logical_and.reduce([test.holds(self.columns) for test in tests])
        return rows & self.alive

    def _length(self, rules: Sequence[RipperConditions]) -> float:
        covered = self.covered(rules)
        right, false = self._weigh(covered)
        missed, rest = self._weigh(self.alive & ~covered)
        possible = sum(map(possible_conditions, self.columns))
        bits_of_rules = sum(ripper_rule_bits(len(tests), possible) for tests in rules)
        share = (right + missed) / (right + false + missed + rest)
        return bits_of_rules + ripper_exception_bits(right + false, missed + rest, false, missed, share)

    def _weigh(self, rows: Bools) -> tuple[float, float]:
        """The weight of the positive rows among these, and of the others."""
        return float(self.weights[rows & self.positive].sum()), float(
            self.weights[rows & ~self.positive].sum()
        )

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
