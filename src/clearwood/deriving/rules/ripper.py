"""RIPPER's decisions as steps: FOIL's gains, what pruning compared, and the length of the description."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Bools
from clearwood.counting.coding import on_ladders
from clearwood.deriving.rules.bits_and_gains import Theory, foil_gain_figure, length_figure, worth_figure
from clearwood.formulas.conditions import Condition, all_of
from clearwood.learners.rules.ripper import RIPPER
from clearwood.learners.rules.ripper_definition import DraftRows, possible_conditions, search_by_counts
from clearwood.learners.rules.ripper_search import (
    DraftKind,
    RipperAction,
    RipperCondition,
    SearchDraft,
    SearchStep,
    condition_of,
    steps_of,
)
from clearwood.learners.rules.ripper_search import RipperStep as Decision
from clearwood.learners.training import usable_rows
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.models.kinds.tree.tree import merged_conditions
from clearwood.table.folding import in_order_of_content
from clearwood.table.table import Table
from clearwood.working.derivation import Became, Defaulted, Kept, Ordered, Outcome, Step, Taken
from clearwood.working.figures import GIVEN, Figure, Grid, OnSheet, Rows

Tests = tuple[RipperCondition, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Decided:
    """A decision of the search and in words, the rows of its drafts, and the class's rules around it."""

    step: SearchStep
    decision: Decision
    notes: tuple[DraftRows, ...]
    before: tuple[Tests, ...]
    after: tuple[Tests, ...]


def rules_and_steps(learner: RIPPER, rows: Table) -> tuple[RuleList, list[Callable[[], Step]]]:
    """The rules learned again, and how they came about."""
    rules = learner.learn(rows)
    return rules, ripper_steps(learner, rules, rows)


def ripper_steps(learner: RIPPER, rules: RuleList, table: Table) -> list[Callable[[], Step]]:
    """A step for each decision, class by class; the rules are searched for again by the definition."""
    work = _Work(learner, rules, table)
    makers: list[Callable[[], Step]] = [partial(work.decide, each) for each in work.decisions()]
    return [*makers, work.order, work.otherwise]


class _Work:
    """The rows in columns, and what was decided on them."""

    def __init__(self, learner: RIPPER, rules: RuleList, table: Table) -> None:
        rows = in_order_of_content(usable_rows(learner, table))
        self.rules, self.learner = rules, learner
        coded = on_ladders(rows)
        self.coding = coded.coding
        self.columns = [coded.cells(place) for place in range(len(coded.columns))]
        self.weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        self.notes: list[DraftRows] = []
        classes = len(rows.schema.classes)
        self.search = search_by_counts(learner, coded, rows.target, classes, self.weights, self.notes)

    def decisions(self) -> Iterator[_Decided]:
        notes, taken = iter(self.notes), steps_of(self.search, self.coding, self.rules.schema.classes)
        code, rules = -1, list[Tests]()
        for step, decision in zip(self.search.steps, taken, strict=True):
            if step.code != code:
                code, rules = step.code, []
            before = tuple(rules)
            match step.action:
                case RipperAction.ADDED:
                    rules.append(step.drafts[0].tests)
                case RipperAction.DELETED:
                    del rules[step.position]
                case RipperAction.REVISED:
                    rules[step.position] = step.drafts[0].tests
                case RipperAction.REPLACED:
                    rules[step.position] = step.drafts[1].tests
                case RipperAction.NOTHING_LEFT | RipperAction.COVERS_NONE | RipperAction.HALF_WRONG:
                    pass  # the rules stay as they are
                case RipperAction.TOO_LONG | RipperAction.KEPT:
                    pass
                case _:
                    assert_never(step.action)
            yield _Decided(step, decision, tuple(next(notes) for _ in step.drafts), before, tuple(rules))

    def decide(self, each: _Decided) -> Step:
        step, decided = each.step, each.decision
        figures: list[Figure] = []
        for draft, note in zip(step.drafts, each.notes, strict=True):
            figures += self._divided(draft, note)
            figures += self._gains(draft, note)
            figures += self._pruning(draft, note)
        figures += self._lengths(each)
        chapter = f"Rules for {decided.answer}"
        turn = "" if not decided.round else f", optimised (round {decided.round})"
        because = f", for {decided.because}" if decided.because else ""
        outcome = self._outcome(each)
        rule = outcome.rule if isinstance(outcome, Taken) else None
        rule = outcome.after if isinstance(outcome, Became) else rule
        decision = f"{decided.action.capitalize()}{because}{'' if rule is None else f': {rule}'}."
        title = f"Rule {decided.rule} for {decided.answer}{turn}"
        return Step(chapter, title, tuple(figures), decision, outcome, searches=True)

    def order(self) -> Step:
        decision = "Classes come from the rarest to the most common; the first rule that holds decides."
        return Step("The list", "Which rows does each rule predict?", (), decision, Ordered(self.rules.rules))

    def otherwise(self) -> Step:
        default = self.rules.otherwise.then
        decision = f"OTHERWISE {default}, the most common class."
        return Step("The list", "The prediction where no rule holds", (), decision, Defaulted(default))

    def _outcome(self, each: _Decided) -> Outcome | None:
        step = each.step
        if step.action == RipperAction.ADDED:
            return Taken(self._rule(step.code, each.after[-1]))
        if step.action == RipperAction.DELETED:
            return Became(self._rule(step.code, each.before[step.position]), None)
        if step.action in (RipperAction.REVISED, RipperAction.REPLACED):
            old, new = each.before[step.position], each.after[step.position]
            return Became(self._rule(step.code, old), self._rule(step.code, new))
        return Kept() if step.action == RipperAction.KEPT else None

    def _rule(self, code: int, tests: Tests) -> Rule:
        return Rule(merged_conditions(self._conditions(tests)), self.rules.schema.classes[code])

    def _conditions(self, tests: Sequence[RipperCondition]) -> list[Condition]:
        return [condition_of(test, self.coding) for test in tests]

    def _divided(self, draft: SearchDraft, note: DraftRows) -> Iterator[Figure]:
        """Which rows chance put on either side, where they are few enough to be looked up."""
        if len(self.weights) > _MOST_LISTED:
            return
        for name, rows in (("grow", note.growing), ("prune", note.pruning)):
            if rows.any():
                listed = ", ".join(str(row + 1) for row in np.flatnonzero(rows))
                yield Figure(f"rows to {name} on{_of_kind(draft)}", listed, on_sheet=GIVEN)

    def _gains(self, draft: SearchDraft, note: DraftRows) -> Iterator[Figure]:
        """FOIL's gain of each condition that was added."""
        rows, kind = note.growing, _of_kind(draft)
        conditions = self._conditions(draft.grown)
        for place, test in enumerate(draft.grown):
            p, n = self._weigh(rows, note.positive)
            rows = rows & test.holds(self.columns)
            if place < draft.start:
                continue
            p_new, n_new = self._weigh(rows, note.positive)
            name = f"gain({conditions[place]}){kind}"
            before = Rows(p + n, tuple(conditions[:place]), "to grow on")
            yield replace(foil_gain_figure(name, (p, n), (p_new, n_new), before), each_has="gain")

    def _pruning(self, draft: SearchDraft, note: DraftRows) -> Iterator[Figure]:
        """The worth of the rule cut after each condition, on the rows held back."""
        if not draft.grown or not self.learner.prune:
            return
        rows, kind = note.pruning, _of_kind(draft)
        conditions = self._conditions(draft.grown)
        worths = []
        in_list = draft.kind != DraftKind.NEW
        for place in range(len(draft.grown) + 1):
            if place:
                rows = rows & draft.grown[place - 1].holds(self.columns)
            p, n = self._weigh(rows, note.positive)
            worths.append(worth_figure(f"worth of {_first(place)}{kind}", p, n, in_list=in_list))
        last = ["", *map(str, conditions)]
        lines = [(place, last[place], worth.number) for place, worth in enumerate(worths)]
        title, heads = "The rule pruned to its first conditions", ("conditions", "last of them", "worth")
        on_sheet: tuple[OnSheet, ...] = ("given", "given", "asked")
        grid = Grid(title, heads, lines, draft.kept, worths.__getitem__, on_sheet)
        because = f"It keeps {all_of(tuple(conditions[: draft.kept])) or 'nothing'}."
        yield Figure(f"worth of the pruned rule{kind}", draft.value, because=because, grids=(grid,))

    def _lengths(self, each: _Decided) -> Iterator[Figure]:
        """The description before and after; while optimising, that of the list once it is cleared."""
        drafts = each.step.drafts
        if drafts and drafts[0].kind != DraftKind.NEW:
            yield Figure("bits before", each.step.before, unit="bits", because=_CLEARED)
            for draft in drafts:
                if math.isfinite(draft.length):
                    name = f"bits with the {draft.kind.word}"
                    yield Figure(name, draft.length, unit="bits", because=_CLEARED)
            return
        note = each.notes[0] if each.notes else self._latest(each)
        if not each.before:
            yield length_figure("before", self._theory(each.before, note))
        else:
            yield Figure("bits before", each.step.before, unit="bits", because="As shown before.")
        if each.before != each.after:
            yield length_figure("after", self._theory(each.after, note))
        elif drafts and drafts[0].tests:
            yield length_figure("with it", self._theory((*each.before, drafts[0].tests), note))

    def _latest(self, each: _Decided) -> DraftRows:
        """The rows of a class stay the same: those of any draft of it serve."""
        places = (step.code for step in self.search.steps for _ in step.drafts)
        return next(note for code, note in zip(places, self.notes, strict=True) if code == each.step.code)

    def _theory(self, rules: Sequence[Tests], note: DraftRows) -> Theory:
        covered = np.zeros(len(self.weights), dtype=np.bool_)
        for tests in rules:
            covered |= np.logical_and.reduce([test.holds(self.columns) for test in tests])
        covered &= note.alive
        right, false = self._weigh(covered, note.positive)
        missed, rest = self._weigh(note.alive & ~covered, note.positive)
        possible = sum(map(possible_conditions, self.columns))
        return Theory(tuple(map(len, rules)), possible, right, false, missed, rest)

    def _weigh(self, rows: Bools, positive: Bools) -> tuple[float, float]:
        return float(self.weights[rows & positive].sum()), float(self.weights[rows & ~positive].sum())


_MOST_LISTED: Final = 100  # rows
_CLEARED: Final = "Of the list without the rules that only lengthen its description."


def _of_kind(draft: SearchDraft) -> str:
    return "" if draft.kind == DraftKind.NEW else f", {draft.kind.word}"


def _first(place: int) -> str:
    return {0: "no condition", 1: "the first condition"}.get(place, f"the first {place} conditions")
