"""What stands between the shares of a native model and the answer: nothing, or a model of derived fields that
decides by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clearwood.export.pmml.derived import derived_model
from clearwood.export.pmml.document import PmmlNames, free_name, input_names, probabilities
from clearwood.export.pmml.xml import XmlElement
from clearwood.export.program.program import ModelProgram
from clearwood.models.decision import Decision


@dataclass(frozen=True, slots=True)
class SharesBehind:
    """What stands between a native model's shares and the answer.

    `steps` are those of the program that the shares are, class by class; none where the class of the largest
    share answers, and nothing is behind. `fields` are what the shares are called there.
    """

    steps: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


def shares_behind(stem: str, program: ModelProgram, taken: set[str]) -> SharesBehind:
    """Shares that are steps called `stem`_1, …, in fields with names of their own."""
    steps = tuple(f"{stem}_{c}" for c in range(1, len(program.classes) + 1))
    return SharesBehind(steps, tuple(free_name(f"share of {each}", taken) for each in program.classes))


def taken_names(program: ModelProgram, names: PmmlNames) -> set[str]:
    """The names that no other field may have."""
    return {*names.taken, *input_names(program)}


NOTHING_BEHIND: Final = SharesBehind()


def share_outputs(behind: SharesBehind, program: ModelProgram, names: PmmlNames) -> list[XmlElement]:
    """The outputs of a native model: the shares themselves, or what is decided by."""
    if behind.steps:
        return probabilities(behind.fields, program.classes, final=False)
    return probabilities(names.shares, program.classes)


def deciding_models(behind: SharesBehind, program: ModelProgram, names: PmmlNames) -> list[XmlElement]:
    """The model behind a native one, if there is something to decide."""
    if not behind.steps:
        return []
    return [derived_model(program, names, dict(zip(behind.steps, behind.fields, strict=True)))]


def behind_link(decision: Decision, program: ModelProgram, taken: set[str]) -> SharesBehind:
    """What stands behind the shares of a link; of a number nothing."""
    is_plain = decision.is_plain and decision.by == "share" and not decision.factors
    return NOTHING_BEHIND if is_plain or not program.classes else shares_behind("linked", program, taken)
