"""How RIPPER came to its rules: every rule it drafted, with the numbers, and what became of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from clearwood.counting.coding import Coding
from clearwood.formulas.conditions import Above, AtMost, Condition, Equals
from clearwood.learners.rules.ripper_search import (
    AT_MOST,
    EQUALS,
    SLACK_BITS,
    DraftKind,
    RipperAction,
    RipperCondition,
    RipperSearch,
    SearchDraft,
    SearchStep,
)
from clearwood.learners.rules.rule_steps import Steps
from clearwood.table.attributes import Nominal, Numeric, Ordinal

_ACTIONS: Final = {
    RipperAction.ADDED: ("added", ""),
    RipperAction.NOTHING_LEFT: ("stopped", "pruning left no condition"),
    RipperAction.COVERS_NONE: ("stopped", "the rule takes no row of the class"),
    RipperAction.HALF_WRONG: ("stopped", "at least half of the rows it takes are of other classes"),
    RipperAction.TOO_LONG: (
        "stopped",
        f"the description grew by more than {SLACK_BITS:g} bits over the shortest",
    ),
    RipperAction.KEPT: ("kept", "neither the revision nor the replacement gives a shorter description"),
    RipperAction.REVISED: ("revised", "the revision gives the shortest description"),
    RipperAction.REPLACED: ("replaced", "the replacement gives the shortest description"),
    RipperAction.DELETED: ("deleted", "it does not make the description shorter"),
}


@dataclass(frozen=True, slots=True)
class GrownRule:
    """A rule as grown: pruning kept the first `kept` of its conditions.

    `gains` are FOIL's, condition by condition; those that a revision began with have None. `value_grown` and
    `value` are what pruning compared, before and after: (p + 1)/(p + n + 2) of a new rule, p − n of one
    that is to serve within the whole list, on the rows held back. `bits` is the length of the description
    with the pruned rule in place, None where nothing is left of it or where none was weighed.
    """

    kind: str  # new, revision or replacement
    grown: tuple[Condition, ...]
    gains: tuple[float | None, ...]
    kept: int
    value_grown: float
    value: float
    bits: float | None

    @property
    def when(self) -> tuple[Condition, ...]:
        """The conditions that were left."""
        return self.grown[: self.kept]

    def __str__(self) -> str:
        parts = [
            str(condition) if gain is None else f"{condition} (gain {gain:.4g})"
            for condition, gain in zip(self.grown, self.gains, strict=True)
        ]
        text = f"{self.kind}: {' AND '.join(parts) or 'no condition gains'}"
        if self.kept < len(self.grown):
            text += (
                f"; pruned to {self.kept} of {len(self.grown)} ({self.value_grown:.4g} → {self.value:.4g})"
            )
        return text if self.bits is None else f"{text}; {self.bits:.2f} bits"

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "grown": [str(condition) for condition in self.grown],
            "gains": list(self.gains),
            "kept": self.kept,
            "value_grown": self.value_grown,
            "value": self.value,
            "bits": self.bits,
        }


@dataclass(frozen=True, slots=True)
class RipperStep:
    """One decision on a rule of a class; round 0 is the first covering, the later ones optimise.

    `rule` is its place among the class's rules, counted from 1; `bits_before` and `bits_after` are the
    lengths of the class's description.
    """

    answer: str
    round: int
    rule: int
    action: str  # added, stopped, kept, revised, replaced or deleted
    because: str
    bits_before: float
    bits_after: float
    drafts: tuple[GrownRule, ...]

    def __str__(self) -> str:
        heading = f"{self.answer}, round {self.round}, rule {self.rule}: {self.action}"
        if self.because:
            heading += f", for {self.because}"
        bits = f"{self.bits_before:.2f} → {self.bits_after:.2f} bits"
        return "\n".join([f"{heading} ({bits})", *(f"  {draft}" for draft in self.drafts)])

    def to_json(self) -> dict[str, Any]:
        return {
            "then": self.answer,
            "round": self.round,
            "rule": self.rule,
            "action": self.action,
            "because": self.because,
            "bits_before": self.bits_before,
            "bits_after": self.bits_after,
            "drafts": [draft.to_json() for draft in self.drafts],
        }


def steps_of(learned: RipperSearch, coding: Coding, classes: tuple[str, ...]) -> Steps[RipperStep]:
    """The steps in the schema's terms."""
    return Steps(tuple(_step(step, coding, classes) for step in learned.steps))


def condition_of(test: RipperCondition, coding: Coding) -> Condition:
    """A test in the schema's words; a step of given cuts is the cut itself."""
    attribute = coding.columns[test.column].attribute
    if test.kind == EQUALS:
        assert isinstance(attribute, Nominal | Ordinal)
        return Equals(attribute.name, attribute.values[int(test.value)])
    assert isinstance(attribute, Numeric)
    limit = attribute.cuts[math.floor(test.value)] if attribute.cuts else test.value
    return AtMost(attribute.name, limit) if test.kind == AT_MOST else Above(attribute.name, limit)


def _step(step: SearchStep, coding: Coding, classes: tuple[str, ...]) -> RipperStep:
    action, because = _ACTIONS[step.action]
    drafts = tuple(_draft(draft, coding) for draft in step.drafts)
    answer, position = classes[step.code], step.position + 1
    return RipperStep(answer, step.round, position, action, because, step.before, step.after, drafts)


def _draft(draft: SearchDraft, coding: Coding) -> GrownRule:
    grown = tuple(condition_of(test, coding) for test in draft.grown)
    gains = (*(None,) * draft.start, *draft.gains)
    weighed = draft.kind != DraftKind.NEW and math.isfinite(draft.length)
    bits = draft.length if weighed else None
    return GrownRule(draft.kind.word, grown, gains, draft.kept, draft.value_grown, draft.value, bits)
