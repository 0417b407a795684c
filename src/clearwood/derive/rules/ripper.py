"""RIPPER's decisions as steps: FOIL's gains, what pruning compared, and the length of the description."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from clearwood.derive.rules.description_length import Told, length_figure
from clearwood.derive.rules.foil import gain_figure, worth_figure
from clearwood.learners.rules.ripper import RIPPER
from clearwood.learners.rules.ripper_definition import DraftRows, possible_conditions, search_by_counts
from clearwood.learners.rules.ripper_found import (
    ADDED,
    COVERS_NONE,
    DELETED,
    HALF_WRONG,
    KEPT,
    NEW,
    NOTHING_LEFT,
    REPLACED,
    REPLACEMENT,
    REVISED,
    REVISION,
    TOO_LONG,
    FoundDraft,
    FoundStep,
    Test,
)
from clearwood.learners.rules.ripper_steps import Step as Decision
from clearwood.learners.rules.ripper_steps import condition_of, steps_of
from clearwood.learners.trees.native import native_columns
from clearwood.learners.usable_rows import usable_rows
from clearwood.models.conditions import Condition, all_of
from clearwood.models.nodes import Bools
from clearwood.models.paths import merged
from clearwood.models.rule_list import Rule, RuleList
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import GIVEN, Figure, Grid, Rows
from clearwood.working.outcomes import Became, Defaulted, Kept, Ordered, Outcome, Taken

Tests = tuple[Test, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Decided:
    """A decision as found and as told, the rows of its drafts, and the class's rules before and after it."""

    found: FoundStep
    told: Decision
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
        rows = usable_rows(learner, table)
        self.rules, self.learner = rules, learner
        self.native = native_columns(rows, "values")
        self.columns = [
            each if each.dtype == np.int32 else each.astype(np.float64) for each in self.native.arrays
        ]
        self.weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        self.notes: list[DraftRows] = []
        classes = len(rows.schema.classes)
        self.found = search_by_counts(
            learner, self.native.arrays, rows.target, classes, self.weights, self.notes
        )

    def decisions(self) -> Iterator[_Decided]:
        notes, told = iter(self.notes), steps_of(self.found, self.native)
        code, rules = -1, list[Tests]()
        for found, said in zip(self.found.steps, told, strict=True):
            if found.code != code:
                code, rules = found.code, []
            before = tuple(rules)
            match found.action:
                case action if action == ADDED:
                    rules.append(found.drafts[0].tests)
                case action if action == DELETED:
                    del rules[found.position]
                case action if action in (REVISED, REPLACED):
                    rules[found.position] = found.drafts[action == REPLACED].tests
                case action if action in (NOTHING_LEFT, COVERS_NONE, HALF_WRONG, TOO_LONG, KEPT):
                    pass  # the rules stay as they are
                case _:
                    raise AssertionError(f"RIPPER does nothing called {found.action}")
            yield _Decided(found, said, tuple(next(notes) for _ in found.drafts), before, tuple(rules))

    def decide(self, each: _Decided) -> Step:
        found, told = each.found, each.told
        figures: list[Figure] = []
        for draft, note in zip(found.drafts, each.notes, strict=True):
            figures += self._divided(draft, note)
            figures += self._gains(draft, note)
            figures += self._pruning(draft, note)
        figures += self._lengths(each)
        chapter = f"Rules for {told.answer}"
        turn = "" if not told.round else f", optimised (round {told.round})"
        because = f", for {told.because}" if told.because else ""
        decision = f"{told.action.capitalize()}{because}{self._rule_said(each)}."
        title = f"Rule {told.rule} for {told.answer}{turn}"
        return Step(chapter, title, tuple(figures), decision, self._outcome(each))

    def order(self) -> Step:
        decision = "Classes come from the rarest to the most common; the first rule that holds answers."
        return Step("The list", "Which rows does each rule answer?", (), decision, Ordered(self.rules.rules))

    def otherwise(self) -> Step:
        said = self.rules.otherwise.then
        decision = f"OTHERWISE {said}, the most common class."
        return Step("The list", "What is said where no rule holds", (), decision, Defaulted(said))

    def _rule_said(self, each: _Decided) -> str:
        if each.found.action == ADDED:
            return f": {self._rule(each.found.code, each.after[-1])}"
        if each.found.action in (REVISED, REPLACED):
            return f": {self._rule(each.found.code, each.after[each.found.position])}"
        return ""

    def _outcome(self, each: _Decided) -> Outcome | None:
        found = each.found
        if found.action == ADDED:
            return Taken(self._rule(found.code, each.after[-1]))
        if found.action == DELETED:
            return Became(self._rule(found.code, each.before[found.position]), None)
        if found.action in (REVISED, REPLACED):
            old, new = each.before[found.position], each.after[found.position]
            return Became(self._rule(found.code, old), self._rule(found.code, new))
        return Kept() if found.action == KEPT else None

    def _rule(self, code: int, tests: Tests) -> Rule:
        return Rule(merged(self._conditions(tests)), self.rules.schema.classes[code])

    def _conditions(self, tests: Sequence[Test]) -> list[Condition]:
        return [condition_of(test, self.native) for test in tests]

    def _divided(self, draft: FoundDraft, note: DraftRows) -> Iterator[Figure]:
        """Which rows chance put on either side, where they are few enough to be looked up."""
        if len(self.weights) > _MOST_LISTED:
            return
        for name, rows in (("grow", note.growing), ("prune", note.pruning)):
            if rows.any():
                listed = ", ".join(str(row + 1) for row in np.flatnonzero(rows))
                yield Figure(f"rows to {name} on{_of_kind(draft)}", listed, on_sheet=GIVEN)

    def _gains(self, draft: FoundDraft, note: DraftRows) -> Iterator[Figure]:
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
            yield gain_figure(name, (p, n), (p_new, n_new), before)

    def _pruning(self, draft: FoundDraft, note: DraftRows) -> Iterator[Figure]:
        """The worth of the rule cut after each condition, on the rows held back."""
        if not draft.grown or not self.learner.prune:
            return
        rows, kind = note.pruning, _of_kind(draft)
        conditions = self._conditions(draft.grown)
        worths = []
        for place in range(len(draft.grown) + 1):
            if place:
                rows = rows & draft.grown[place - 1].holds(self.columns)
            p, n = self._weigh(rows, note.positive)
            worths.append(worth_figure(f"worth of {_first(place)}{kind}", p, n, in_list=draft.kind != NEW))
        grid = Grid(
            "The rule cut after so many conditions",
            ("conditions", "last of them", "worth"),
            [
                (place, str(conditions[place - 1]) if place else "", _value(worth))
                for place, worth in enumerate(worths)
            ],
            chosen=draft.kept,
            figure_of=worths.__getitem__,
            on_sheet=("given", "given", "asked"),
        )
        kept = all_of(tuple(conditions[: draft.kept])) or "nothing"
        yield Figure(f"worth of what is kept{kind}", draft.value, because=f"It keeps {kept}.", grids=(grid,))

    def _lengths(self, each: _Decided) -> Iterator[Figure]:
        """The description before and after; while optimising, that of the list once it is cleared."""
        drafts = each.found.drafts
        if drafts and drafts[0].kind != NEW:
            yield Figure("bits before", each.found.before, unit="bits", because=_CLEARED)
            for draft in drafts:
                if math.isfinite(draft.length):
                    name = f"bits with the {_KINDS[draft.kind]}"
                    yield Figure(name, draft.length, unit="bits", because=_CLEARED)
            return
        note = each.notes[0] if each.notes else self._latest(each)
        if not each.before:
            yield length_figure("before", self._told(each.before, note))
        else:
            yield Figure("bits before", each.found.before, unit="bits", because="As told before.")
        if each.before != each.after:
            yield length_figure("after", self._told(each.after, note))
        elif drafts and drafts[0].tests:
            yield length_figure("with it", self._told((*each.before, drafts[0].tests), note))

    def _latest(self, each: _Decided) -> DraftRows:
        """The rows of a class stay the same: those of any draft of it serve."""
        places = (step.code for step in self.found.steps for _ in step.drafts)
        return next(note for code, note in zip(places, self.notes, strict=True) if code == each.found.code)

    def _told(self, rules: Sequence[Tests], note: DraftRows) -> Told:
        covered = np.zeros(len(self.weights), dtype=np.bool_)
        for tests in rules:
            covered |= np.logical_and.reduce([test.holds(self.columns) for test in tests])
        covered &= note.alive
        right, false = self._weigh(covered, note.positive)
        missed, rest = self._weigh(note.alive & ~covered, note.positive)
        possible = sum(map(possible_conditions, self.columns))
        return Told(tuple(map(len, rules)), possible, right, false, missed, rest)

    def _weigh(self, rows: Bools, positive: Bools) -> tuple[float, float]:
        return float(self.weights[rows & positive].sum()), float(self.weights[rows & ~positive].sum())


_MOST_LISTED: Final = 100  # rows
_KINDS: Final = {REVISION: "revision", REPLACEMENT: "replacement"}
_CLEARED: Final = "Of the list without the rules that only lengthen its description."


def _of_kind(draft: FoundDraft) -> str:
    return "" if draft.kind == NEW else f", {_KINDS[draft.kind]}"


def _first(place: int) -> str:
    return {0: "no condition", 1: "the first condition"}.get(place, f"the first {place} conditions")


def _value(figure: Figure) -> float:
    assert isinstance(figure.value, float)
    return figure.value
