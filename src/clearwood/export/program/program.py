"""A Program: what a model does to one row, as steps that every language can be told.

Steps stand in the order in which they can be worked out. Each has a name of letters, digits and `_`.
"""

from __future__ import annotations

from dataclasses import dataclass

from clearwood.export.program.formula import StepFormula, StepTest
from clearwood.table.attributes import Attribute


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """A number with a name. `whole`: it is a place in a list. `when`: elsewhere nobody asks for it, and a
    language may leave it out there."""

    name: str
    value: StepFormula
    about: str = ""
    whole: bool = False
    when: StepTest | None = None


@dataclass(frozen=True, slots=True)
class ModelProgram:
    """The columns asked for, the steps, and which of them answer.

    `answer` names the step with the place of the class among `classes` (−1: no answer) or, where there are no
    classes, with the number (`NOTHING`: no answer). `shares` are the steps with the share of each class.
    `region` names the step with the place of the leaf or rule that answered (−1: several leaves, each with
    its part; of rules that vote there is none), and `regions` has what each of them says. `points` names the
    step with the sum of points, a whole number, of a scorecard.
    """

    inputs: tuple[Attribute, ...]
    steps: tuple[ProgramStep, ...]
    answer: str
    classes: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    region: str | None = None
    regions: tuple[str, ...] = ()
    points: str | None = None

    @property
    def outputs(self) -> tuple[str, ...]:
        """The steps that somebody asks for."""
        named = (self.answer, *self.shares, self.region, self.points)
        return tuple(each for each in named if each is not None)
