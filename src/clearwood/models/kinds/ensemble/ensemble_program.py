"""An ensemble as steps: what each member says, added up, and the link or the mean of it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.formulas import expressions as f
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Member
from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree, node_shares, node_values
from clearwood.models.kinds.tree.tree_program import Leaves, leaves_of
from clearwood.models.program.deciding import decided_by_shares, linked_steps, place_of_largest
from clearwood.models.program.program import ModelProgram, ProgramStep, needed_steps, renamed_steps
from clearwood.models.space.space_of import inputs_used


def program_of_ensemble(ensemble: Ensemble) -> ModelProgram:
    """The program of an ensemble: its trees leaf by leaf, members of other kinds each by its program."""
    if ensemble.trees is None:
        return program_of_members(ensemble)
    summed = ensemble.combined_by == "sum"
    width = len(ensemble.base) if summed else 1 if ensemble.is_numeric else len(ensemble.schema.classes)
    steps: list[ProgramStep] = []
    added: list[list[f.Expression]] = [[] for _ in range(width)]
    for number, member in enumerate(ensemble.members, 1):
        assert isinstance(member, Tree)
        way = leaves_of(member, before=f"tree_{number}_")
        steps += way.steps
        weight, leaves = ensemble.weight(number - 1), list(way.nodes)
        if summed or ensemble.is_numeric:
            score = int(ensemble.trees.adds_to[number - 1]) if summed else 0
            added[score].append(way.by_leaf((node_values(member)[leaves] * weight).tolist()))
            continue
        shares = node_shares(member)[leaves]
        if ensemble.combined_by == "votes":
            voted = f"tree_{number}_class"
            steps += _class_voted_for(way, shares, number, voted)
            for terms, column in zip(added, (np.eye(width) * weight).tolist(), strict=True):
                terms.append(f.Lookup(tuple(column), voted))
        else:
            for terms, column in zip(added, (shares * weight).T.tolist(), strict=True):
                terms.append(way.by_leaf(column))
    weights = float(np.array(ensemble.weights or [1.0] * ensemble.size).sum())
    for c, terms in enumerate(added, 1):
        steps.append(ProgramStep(f"sum_{c}", f.Sum(tuple(terms)) if terms else f.Number(0.0)))
        total = f.Earlier(f"sum_{c}")
        steps.append(ProgramStep(f"score_{c}", total + ensemble.base[c - 1] if summed else total / weights))
    answers = tuple(f"score_{c}" for c in range(1, width + 1))
    if summed:
        link, answers = linked_steps(answers, ensemble.link, ensemble.decision)
        steps += link
    if ensemble.is_numeric:
        return ModelProgram(inputs_used(ensemble), tuple(steps), answers[0])
    classes = ensemble.schema.classes
    rest = decided_by_shares(answers, ensemble.decision, classes)
    return ModelProgram(inputs_used(ensemble), (*steps, *rest.steps), rest.answer, classes, rest.shares)


def _class_voted_for(way: Leaves, shares: Floats, number: int, name: str) -> Iterator[ProgramStep]:
    """The steps up to the class that a tree votes for, by the shares [leaf, class]."""
    mixed = [f"tree_{number}_mixed_{c}" for c in range(1, shares.shape[1] + 1)] if way.parts else []
    for each, column in zip(mixed, shares.T.tolist(), strict=False):
        yield ProgramStep(each, way.mixed(column), when=way.divided)
    codes = tuple(map(float, shares.argmax(axis=1)))
    yield ProgramStep(name, way.by_leaf(codes, place_of_largest(mixed) if mixed else None), whole=True)


# Members of other kinds than trees as steps: the program of each, under names of its own, combined.
#
# A member that says nothing of a row, as rules may, is left out of the mean or the votes: as
# `_combined_models` of `predicting/batch.py` does.


_HEARD: Final = "heard"


def program_of_members(ensemble: Ensemble) -> ModelProgram:
    """The program of an ensemble whose members are models of any kind, by their mean or by votes."""
    programs = [member_program(each) for each in ensemble.models]
    steps = [step for number, own in enumerate(programs, 1) for step in renamed_steps(own, _before(number))]
    voice = _number if ensemble.is_numeric else _vote if ensemble.combined_by == "votes" else _shares
    voices = [
        voice(own, _before(number), ensemble.weight(number - 1), isinstance(member, RuleList))
        for number, (own, member) in enumerate(zip(programs, ensemble.models, strict=True), 1)
    ]
    may_be_silent = any(each.silent is not None for each in voices)
    heard: f.Expression = f.Number(reduce(add, (each.weight for each in voices)))
    if may_be_silent:
        spoken = (
            f.Number(each.weight)
            if each.silent is None
            else f.where(each.silent, f.ZERO, f.Number(each.weight))
            for each in voices
        )
        steps.append(ProgramStep(_HEARD, f.Sum(tuple(spoken)), "the weight of those that say something"))
        heard = f.Earlier(_HEARD)
    scores = []
    for c, terms in enumerate(zip(*(each.added for each in voices), strict=True), 1):
        steps.append(ProgramStep(f"sum_{c}", f.Sum(terms)))
        mean: f.Expression = f.Earlier(f"sum_{c}") / heard
        if may_be_silent:
            nothing = f.NOTHING if ensemble.is_numeric else f.ZERO
            mean = f.where(f.Compared(heard, ">", f.ZERO), mean, nothing)
        steps.append(ProgramStep(f"score_{c}", mean))
        scores.append(f"score_{c}")
    if ensemble.is_numeric:
        return ModelProgram(inputs_used(ensemble), needed_steps(steps, scores), scores[0])
    classes = ensemble.schema.classes
    rest = decided_by_shares(scores, ensemble.decision, classes, may_be_silent=may_be_silent)
    # Of a member's own program only its shares are asked for, or only its class.
    needed = needed_steps((*steps, *rest.steps), (*rest.shares, rest.answer))
    return ModelProgram(inputs_used(ensemble), needed, rest.answer, classes, rest.shares)


def member_program(member: Member) -> ModelProgram:
    """The program of a member: priors and costs are its own, all else decides about the whole."""
    own = Decision(factors=member.decision.factors, costs=member.decision.costs)
    program: ModelProgram = kind_of(member).program(replace(member, decision=own))
    return program


@dataclass(frozen=True, slots=True)
class _Voice:
    """What a member adds to each sum, what it weighs, and where it says nothing; None: it always speaks."""

    added: tuple[f.Expression, ...]
    weight: float
    silent: f.StepTest | None


def _before(number: int) -> str:
    return f"member_{number}_"


def _shares(program: ModelProgram, before: str, weight: float, may_be_silent: bool) -> _Voice:
    """Its shares, which are all 0 where it says nothing."""
    named = f.earlier(before + each for each in program.shares)
    silent = f.AllOf(tuple(f.Compared(each, "=", f.ZERO) for each in named))
    return _Voice(tuple(_weighed(each, weight) for each in named), weight, silent if may_be_silent else None)


def _vote(program: ModelProgram, before: str, weight: float, may_be_silent: bool) -> _Voice:
    """Its class has its weight as votes."""
    answer = f.Earlier(before + program.answer)
    added = tuple(
        f.where(f.Compared(answer, "=", f.Number(float(c))), f.Number(weight), f.ZERO)
        for c in range(len(program.classes))
    )
    return _Voice(added, weight, f.Compared(answer, "<", f.ZERO) if may_be_silent else None)


def _number(program: ModelProgram, before: str, weight: float, may_be_silent: bool) -> _Voice:
    """Its number. Rules without one are told by their place: no language compares what is no number alike."""
    value = next(step.value for step in program.steps if step.name == program.answer)
    if not (may_be_silent and isinstance(value, f.Lookup) and any(map(math.isnan, value.values))):
        return _Voice((_weighed(f.Earlier(before + program.answer), weight),), weight, None)
    at = before + value.at
    places = [f.Number(float(place)) for place, each in enumerate(value.values) if math.isnan(each)]
    said = f.Lookup(tuple(0.0 if math.isnan(each) else each for each in value.values), at)
    silent = f.AnyOf(tuple(f.Compared(f.Earlier(at), "=", place) for place in places))
    return _Voice((_weighed(said, weight),), weight, silent)


def _weighed(said: f.Expression, weight: float) -> f.Expression:
    return said if weight == 1 else weight * said
