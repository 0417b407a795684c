"""An ensemble as steps: what each member says, added up, and the link or the mean of it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Final, assert_never

import numpy as np

from clearwood.formulas import expressions as f
from clearwood.formulas.expressions import (
    ChoiceCase,
    Choose,
    Earlier,
    Expression,
    Lookup,
    Number,
    Quotient,
    Sum,
)
from clearwood.models.columns_used import inputs_used
from clearwood.models.decision import Decision
from clearwood.models.kinds.bayes.bayes_program import program_of_bayes
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Member
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.linear.linear_program import program_of_linear
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_program import program_of_rules
from clearwood.models.kinds.tree.node_answers import node_shares, node_values
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_program import Leaves, leaves_of, program_of_tree
from clearwood.models.program.deciding import decided_by_shares, linked_steps, place_of_largest
from clearwood.models.program.program import (
    ModelProgram,
    ProgramStep,
    needed_steps,
    renamed_steps,
)


def program_of_ensemble(ensemble: Ensemble) -> ModelProgram:
    """The program of an ensemble: its trees leaf by leaf, members of other kinds each by its program."""
    if ensemble.trees is None:
        return program_of_members(ensemble)
    steps: list[ProgramStep] = []
    added: list[list[Expression]] = [[] for _ in range(_scores(ensemble))]
    for number, member in enumerate(ensemble.members, 1):
        assert isinstance(member, Tree)
        way = leaves_of(member, before=f"tree_{number}_")
        steps += way.steps
        weight = ensemble.weight(number - 1)
        if ensemble.combined_by == "sum" or ensemble.is_numeric:
            values = (node_values(member)[list(way.nodes)] * weight).tolist()
            score = int(ensemble.trees.adds_to[number - 1]) if ensemble.combined_by == "sum" else 0
            added[score].append(_said(way, values))
        elif ensemble.combined_by == "votes":
            steps += _votes(member, way, number, weight, added)
        else:
            shares = node_shares(member)[list(way.nodes)] * weight
            for c, column in enumerate(shares.T.tolist()):
                added[c].append(_said(way, column))
    return _answered(ensemble, steps, added)


def _scores(ensemble: Ensemble) -> int:
    if ensemble.combined_by == "sum":
        return len(ensemble.base)
    return 1 if ensemble.is_numeric else len(ensemble.schema.classes)


def _said(way: Leaves, figures: list[float]) -> Expression:
    """What a member says of one score."""
    looked_up = Lookup(tuple(figures), way.leaf)
    return Choose((ChoiceCase(way.divided, way.mixed(figures)),), looked_up) if way.parts else looked_up


def _votes(
    member: Tree, way: Leaves, number: int, weight: float, added: list[list[Expression]]
) -> list[ProgramStep]:
    """A member's class has its weight as votes."""
    shares = node_shares(member)[list(way.nodes)]
    codes = tuple(map(float, shares.argmax(axis=1)))
    at = f"tree_{number}_class"
    steps: list[ProgramStep] = []
    chosen: Expression = Lookup(codes, way.leaf)
    if way.parts:
        mixed = [
            ProgramStep(f"tree_{number}_mixed_{c}", way.mixed(column), when=way.divided)
            for c, column in enumerate(shares.T.tolist(), 1)
        ]
        steps += mixed
        chosen = Choose((ChoiceCase(way.divided, place_of_largest([step.name for step in mixed])),), chosen)
    steps.append(ProgramStep(at, chosen, whole=True))
    for c, column in enumerate(np.eye(shares.shape[1]) * weight):
        added[c].append(Lookup(tuple(column.tolist()), at))
    return steps


def _answered(ensemble: Ensemble, steps: list[ProgramStep], added: list[list[Expression]]) -> ModelProgram:
    scores = []
    for c, terms in enumerate(added, 1):
        steps.append(ProgramStep(f"sum_{c}", Sum(tuple(terms)) if terms else Number(0.0)))
        total: Expression
        if ensemble.combined_by == "sum":
            total = Sum((Earlier(f"sum_{c}"), Number(ensemble.base[c - 1])))
        else:
            weights = np.array(ensemble.weights or [1.0] * ensemble.size)
            total = Quotient(Earlier(f"sum_{c}"), Number(float(weights.sum())))
        steps.append(ProgramStep(f"score_{c}", total))
        scores.append(f"score_{c}")
    answers = tuple(scores)
    if ensemble.combined_by == "sum":
        link, answers = linked_steps(scores, ensemble.link, ensemble.decision)
        steps += link
    if ensemble.is_numeric:
        return ModelProgram(inputs_used(ensemble), tuple(steps), answers[0])
    classes = ensemble.schema.classes
    rest = decided_by_shares(answers, ensemble.decision, classes)
    return ModelProgram(inputs_used(ensemble), (*steps, *rest.steps), rest.answer, classes, rest.shares)


# Members of other kinds than trees as steps: the program of each, under names of its own, combined.
#
# A member that says nothing of a row, as rules may, is left out of the mean or the votes: as
# `_combined_models` of `predicting/of_trees.py` does.


_HEARD: Final = "heard"


def program_of_members(ensemble: Ensemble) -> ModelProgram:
    """The program of an ensemble whose members are models of any kind, by their mean or by votes."""
    programs = [member_program(each) for each in ensemble.models]
    steps = [step for number, own in enumerate(programs, 1) for step in renamed_steps(own, _before(number))]
    voices = [
        _numbers(ensemble, own, number)
        if ensemble.is_numeric
        else _of_members_votes(ensemble, own, number)
        if ensemble.combined_by == "votes"
        else _shares(ensemble, own, number)
        for number, own in enumerate(programs, 1)
    ]
    heard = _heard(voices)
    if isinstance(heard, f.Sum):
        steps.append(ProgramStep(_HEARD, heard, "the weight of those that say something"))
        heard = f.Earlier(_HEARD)
    scores = []
    for c, terms in enumerate(zip(*(each.added for each in voices), strict=True), 1):
        steps.append(ProgramStep(f"sum_{c}", f.Sum(terms)))
        mean: f.Expression = f.Quotient(f.Earlier(f"sum_{c}"), heard)
        if isinstance(heard, f.Earlier):
            nothing = f.NOTHING if ensemble.is_numeric else f.ZERO
            mean = f.Choose((f.ChoiceCase(f.Compared(heard, ">", f.ZERO), mean),), nothing)
        steps.append(ProgramStep(f"score_{c}", mean))
        scores.append(f"score_{c}")
    if ensemble.is_numeric:
        return ModelProgram(inputs_used(ensemble), needed_steps(steps, scores), scores[0])
    classes = ensemble.schema.classes
    rest = decided_by_shares(scores, ensemble.decision, classes, may_be_silent=isinstance(heard, f.Earlier))
    # Of a member's own program only its shares are asked for, or only its class.
    needed = needed_steps((*steps, *rest.steps), (*rest.shares, rest.answer))
    return ModelProgram(inputs_used(ensemble), needed, rest.answer, classes, rest.shares)


def member_program(member: Member) -> ModelProgram:
    """The program of a member: priors and costs are its own, all else decides about the whole."""
    own = Decision(factors=member.decision.factors, costs=member.decision.costs)
    match member:
        case Tree():
            return program_of_tree(replace(member, decision=own))
        case RuleList():
            return program_of_rules(replace(member, decision=own))
        case BayesTables():
            return program_of_bayes(replace(member, decision=own))
        case LinearModel():
            return program_of_linear(replace(member, decision=own))
        case _:
            assert_never(member)


@dataclass(frozen=True, slots=True)
class _Voice:
    """What a member adds to each sum, what it weighs, and where it says nothing; None: it always speaks."""

    added: tuple[f.Expression, ...]
    weight: float
    silent: f.StepTest | None


def _before(number: int) -> str:
    return f"member_{number}_"


def _shares(ensemble: Ensemble, program: ModelProgram, number: int) -> _Voice:
    """Its shares, which are all 0 where it says nothing."""
    named = [f.Earlier(_before(number) + each) for each in program.shares]
    weight = ensemble.weight(number - 1)
    silent = f.AllOf(tuple(f.Compared(each, "=", f.ZERO) for each in named))
    added = tuple(each if weight == 1 else f.Product((f.Number(weight), each)) for each in named)
    return _Voice(added, weight, silent if _may_be_silent(ensemble.models[number - 1]) else None)


def _of_members_votes(ensemble: Ensemble, program: ModelProgram, number: int) -> _Voice:
    """Its class has its weight as votes."""
    answer, weight = f.Earlier(_before(number) + program.answer), ensemble.weight(number - 1)
    added = tuple(
        f.Choose((f.ChoiceCase(f.Compared(answer, "=", f.Number(float(c))), f.Number(weight)),), f.ZERO)
        for c in range(len(program.classes))
    )
    silent = f.Compared(answer, "<", f.ZERO)
    return _Voice(added, weight, silent if _may_be_silent(ensemble.models[number - 1]) else None)


def _numbers(ensemble: Ensemble, program: ModelProgram, number: int) -> _Voice:
    """Its number. Rules without one are told by their place: no language compares what is no number alike."""
    before, weight = _before(number), ensemble.weight(number - 1)
    value = next(step.value for step in program.steps if step.name == program.answer)
    said: f.Expression = f.Earlier(before + program.answer)
    silent: f.StepTest | None = None
    if isinstance(value, f.Lookup) and any(map(math.isnan, value.values)):
        at = before + value.at
        said = f.Lookup(tuple(0.0 if math.isnan(each) else each for each in value.values), at)
        places = [place for place, each in enumerate(value.values) if math.isnan(each)]
        silent = _is_one_of(at, places)
    return _Voice((said if weight == 1 else f.Product((f.Number(weight), said)),), weight, silent)


def _is_one_of(step: str, places: Sequence[int]) -> f.StepTest:
    return f.AnyOf(tuple(f.Compared(f.Earlier(step), "=", f.Number(float(each))) for each in places))


def _may_be_silent(member: Member) -> bool:
    return isinstance(member, RuleList)


def _heard(voices: Sequence[_Voice]) -> f.Expression:
    """The weight of the members that say something of the row."""
    if all(each.silent is None for each in voices):
        return f.Number(reduce(add, (each.weight for each in voices)))
    return f.Sum(tuple(_weights(voices)))


def _weights(voices: Sequence[_Voice]) -> Iterator[f.Expression]:
    for each in voices:
        weight = f.Number(each.weight)
        yield weight if each.silent is None else f.Choose((f.ChoiceCase(each.silent, f.ZERO),), weight)
