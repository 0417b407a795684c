"""From a model to its program, whatever its kind."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, assert_never

from clearwood.explain.scorecard import Scorecard
from clearwood.export.exportable import Exportable
from clearwood.export.program.formula import Choose, Earlier, StepFormula, Total
from clearwood.export.program.of_additive import program_of_additive, program_of_card
from clearwood.export.program.of_bayes import program_of_bayes
from clearwood.export.program.of_ensemble import program_of_ensemble
from clearwood.export.program.of_linear import program_of_linear
from clearwood.export.program.of_rules import program_of_rules
from clearwood.export.program.of_tree import program_of_tree
from clearwood.export.program.program import ModelProgram, ProgramStep, needed_steps
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree


def program_of(model: Exportable) -> ModelProgram:
    """The program of a model: formulas that give its answer and shares for every row.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> program = program_of(cw.ID3().learn(table))
    >>> program.steps[0].name, program.shares, program.regions[0]
    ('leaf', ('share_1', 'share_2'), 'IF Outlook = Overcast THEN Yes')
    """
    program = _program(model)
    needed = needed_steps(program.steps, program.outputs)
    return with_short_sums(replace(program, steps=needed))


def _program(model: Exportable) -> ModelProgram:
    match model:
        case Tree():
            return program_of_tree(model)
        case RuleList():
            return program_of_rules(model)
        case BayesTables():
            return program_of_bayes(model)
        case LinearModel():
            return program_of_linear(model)
        case Ensemble():
            return program_of_ensemble(model)
        case AdditiveModel():
            return program_of_additive(model)
        case Scorecard():
            return program_of_card(model)
        case _:
            assert_never(model)


# Long sums in pieces: a step for each hundred terms, in the same order; languages nest only so deep.


_MOST_TERMS: Final = 100


def with_short_sums(program: ModelProgram) -> ModelProgram:
    """The same program without long sums.

    >>> from clearwood.export.program.formula import ONE
    >>> long = ModelProgram((), (ProgramStep("number", Total((ONE,) * 250)),), "number")
    >>> [(step.name, len(step.value.terms)) for step in with_short_sums(long).steps]
    [('number_part_1', 100), ('number_part_2', 101), ('number', 51)]
    """
    return replace(program, steps=tuple(piece for step in program.steps for piece in _pieces(step)))


def _pieces(step: ProgramStep) -> Iterator[ProgramStep]:
    if not isinstance(step.value, Total):
        yield step
        return
    terms: list[StepFormula] = []
    for number, term in enumerate(step.value.terms, 1):
        match term:
            case Choose((case,), otherwise) if isinstance(case.then, Total) and _is_long(case.then):
                name = f"{step.name}_term_{number}"
                yield from _in_parts(replace(step, name=name, when=case.when), case.then.terms)
                terms.append(Choose((replace(case, then=Earlier(name)),), otherwise))
            case _:
                terms.append(term)
    yield from _in_parts(step, terms)


def _in_parts(step: ProgramStep, terms: Sequence[StepFormula]) -> Iterator[ProgramStep]:
    left, before, number = list(terms), list[StepFormula](), 0
    while len(left) > _MOST_TERMS:
        number += 1
        name = f"{step.name}_part_{number}"
        part = Total((*before, *left[:_MOST_TERMS]))
        yield replace(step, name=name, value=part, about="")
        before, left = [Earlier(name)], left[_MOST_TERMS:]
    yield replace(step, value=Total((*before, *left)))


def _is_long(total: Total) -> bool:
    return len(total.terms) > _MOST_TERMS
