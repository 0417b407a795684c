"""A Program: what a model does to one row, as steps that every language can be told.

Steps stand in the order in which they can be worked out. Each has a name of letters, digits and `_`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from clearwood.formulas.expressions import Earlier, Expression, Lookup, StepTest
from clearwood.table.attributes import Attribute


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """A number with a name. `whole`: it is a place in a list. `when`: elsewhere nobody asks for it, and a
    language may leave it out there."""

    name: str
    value: Expression
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


# The steps that an answer needs: others are left out, for compilers warn of what nobody asks for.


def needed_steps(steps: Sequence[ProgramStep], outputs: Iterable[str]) -> tuple[ProgramStep, ...]:
    """Those that the outputs are worked out from, in their order.

    >>> from clearwood.formulas.expressions import ONE
    >>> steps = [ProgramStep("a", ONE), ProgramStep("b", ONE), ProgramStep("c", Earlier("a"))]
    >>> [step.name for step in needed_steps(steps, ["c"])]
    ['a', 'c']
    """
    needed = set(outputs)
    kept: list[ProgramStep] = []
    for step in reversed(steps):
        if step.name not in needed:
            continue
        kept.append(step)
        for part in program_parts((step.value, step.when)):
            match part:
                case Earlier(name) | Lookup(_, name):
                    needed.add(name)
                case _:
                    pass
    return tuple(reversed(kept))


# All that a program is made of: every formula, test and condition, however deep.


def program_parts(whole: Any) -> Iterator[Any]:
    """The thing itself and its parts; those that are found wait in a list, for choices nest deep."""
    waiting = [whole]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            if not (part and isinstance(part[0], float | str)):  # a list of numbers or texts has no parts
                waiting.extend(part)
        elif is_dataclass(part):
            yield part
            waiting.extend(getattr(part, field.name) for field in fields(part))


# The same steps under other names, so that several programs can stand in one.


def renamed_steps(program: ModelProgram, before: str) -> tuple[ProgramStep, ...]:
    """The steps of a program, `before` put before every name.

    >>> from clearwood.formulas.expressions import ONE
    >>> steps = (ProgramStep("whole", ONE), ProgramStep("number", Earlier("whole")))
    >>> [(step.name, step.value) for step in renamed_steps(ModelProgram((), steps, "number"), "first_")]
    [('first_whole', Number(value=1.0)), ('first_number', Earlier(step='first_whole'))]
    """
    return tuple(
        replace(
            step,
            name=before + step.name,
            value=_renamed(step.value, before),
            when=_renamed(step.when, before),
        )
        for step in program.steps
    )


def _renamed(part: Any, before: str) -> Any:
    match part:
        case Earlier(step):
            return Earlier(before + step)
        case Lookup(_, at):
            return replace(part, at=before + at)
        case tuple():
            return _each(part, before)
        case _ if is_dataclass(part) and not isinstance(part, type):
            inner = {field.name: getattr(part, field.name) for field in fields(part)}
            changed = {name: _renamed(value, before) for name, value in inner.items() if _has_parts(value)}
            return replace(part, **changed) if changed else part
        case _:
            return part


def _each(parts: Iterable[Any], before: str) -> tuple[Any, ...]:
    return tuple(_renamed(each, before) for each in parts)


def _has_parts(value: Any) -> bool:
    """Can a name stand in it? Lists of numbers and texts are long, and hold none."""
    return is_dataclass(value[0]) if isinstance(value, tuple) and value else is_dataclass(value)
