"""Places in a tree as a worksheet names them: by the step that asked, not by what it decided."""

from __future__ import annotations

from clearwood.models.conditions import Condition
from clearwood.models.paths import merged_conditions
from clearwood.working.derivation import Step
from clearwood.working.outcomes import BecameSplit, Stopped


class BranchNames:
    """Remembers, as a tree grows from step to step, which question each way comes from."""

    def __init__(self) -> None:
        self._names: dict[tuple[Condition, ...], str] = {}

    def name_of(self, number: int, step: Step) -> str:
        """`Branch 2 of step 1`; nothing for a step that stands below none."""
        if step.rows is None or not isinstance(step.outcome, BecameSplit | Stopped):
            return ""
        when = step.rows.when
        if isinstance(step.outcome, BecameSplit):
            for place, branch in enumerate(step.outcome.branches, 1):
                self._names[merged_conditions([*when, branch])] = f"Branch {place} of step {number}"
        return self._names.get(when, "") if when else ""
