"""A Program: what a model does to one row, as steps that every language can be told.

Steps stand in the order in which they can be worked out. Each has a name of letters, digits and `_`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Final

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
        if step.name in needed:
            kept.append(step)
            needed |= steps_used(step)
    return tuple(reversed(kept))


def steps_used(step: ProgramStep) -> set[str]:
    """The steps that a step is worked out from."""
    parts = program_parts((step.value, step.when))
    named = (each for each in parts if isinstance(each, Earlier | Lookup))
    return {each.step if isinstance(each, Earlier) else each.at for each in named}


# All that a program is made of: every formula, test and condition, however deep.


def program_parts(whole: Any) -> Iterator[Any]:
    """The thing itself and its parts; those that are found wait in a list, for choices nest deep."""
    waiting = [whole]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            if _has_parts(part):
                waiting.extend(part)
        elif names := _field_names(part):
            yield part
            waiting.extend([getattr(part, name) for name in names])


def rewritten(whole: Any, rewrite: Callable[[Any], Any]) -> Any:
    """The thing from within: each formula, test and condition in it is put through `rewrite`, the innermost
    first."""
    if isinstance(whole, tuple):
        return tuple([rewritten(each, rewrite) for each in whole]) if _has_parts(whole) else whole
    names = _field_names(whole)
    if not names:
        return whole
    inner = {name: getattr(whole, name) for name in names}
    made = {name: rewritten(part, rewrite) for name, part in inner.items()}
    same = all(made[name] is part for name, part in inner.items())
    return rewrite(whole if same else replace(whole, **made))


def _has_parts(parts: tuple[Any, ...]) -> bool:
    """Is it no list of numbers or texts? Those are long, and hold none."""
    return bool(parts) and not isinstance(parts[0], float | str)


_FIELD_NAMES: Final[dict[type, tuple[str, ...]]] = {}


def _field_names(part: Any) -> tuple[str, ...]:
    """None of what is no formula, test or condition."""
    kind = type(part)
    if kind not in _FIELD_NAMES:
        _FIELD_NAMES[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
    return _FIELD_NAMES[kind]


# The same steps under other names, so that several programs can stand in one.


def renamed_steps(program: ModelProgram, before: str) -> tuple[ProgramStep, ...]:
    """The steps of a program, `before` put before every name.

    >>> from clearwood.formulas.expressions import ONE
    >>> steps = (ProgramStep("whole", ONE), ProgramStep("number", Earlier("whole")))
    >>> [(step.name, step.value) for step in renamed_steps(ModelProgram((), steps, "number"), "first_")]
    [('first_whole', Number(value=1.0)), ('first_number', Earlier(step='first_whole'))]
    """

    def renamed(part: Any) -> Any:
        if isinstance(part, ProgramStep):
            return replace(part, name=before + part.name)
        if isinstance(part, Earlier):
            return Earlier(before + part.step)
        return replace(part, at=before + part.at) if isinstance(part, Lookup) else part

    return tuple(rewritten(step, renamed) for step in program.steps)
