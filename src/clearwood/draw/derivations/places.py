"""Places in a tree as a worksheet names them: by the step that asked, not by what it decided."""

from __future__ import annotations

from dataclasses import dataclass

from clearwood.derive.derivation import Step
from clearwood.derive.outcomes import Asked, Stopped


@dataclass(slots=True)
class _Open:
    """A question whose branches are still to come."""

    step: int
    branches: int
    met: int = 0


class Places:
    """Follows a tree's growth from step to step: each question, then its branches in order."""

    def __init__(self) -> None:
        self._open: list[_Open] = []

    def name_of(self, number: int, step: Step) -> str:
        """`Branch 2 of step 1`; nothing for a step that stands below none."""
        if not isinstance(step.outcome, Asked | Stopped):
            return ""
        name = ""
        while self._open and self._open[-1].met == self._open[-1].branches:
            self._open.pop()
        if self._open:
            above = self._open[-1]
            above.met += 1
            name = f"Branch {above.met} of step {above.step}"
        if isinstance(step.outcome, Asked):
            self._open.append(_Open(number, len(step.outcome.branches)))
        return name
