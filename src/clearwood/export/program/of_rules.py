"""Rules as steps: the first that holds answers, or the weights of all that hold are added up."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from clearwood.export.program.deciding import decided_by_shares
from clearwood.export.program.formula import (
    ZERO,
    AllOf,
    AnyOf,
    ChoiceCase,
    Choose,
    Compare,
    Constant,
    Divided,
    Earlier,
    Holds,
    Lookup,
    StepFormula,
    StepTest,
    Total,
)
from clearwood.export.program.inputs import inputs_of
from clearwood.export.program.program import ModelProgram, ProgramStep
from clearwood.models.rule_list import Rule, RuleList, answer_text
from clearwood.predict.answers import divided
from clearwood.predict.deciding import adjusted, decided
from clearwood.predict.of_rules import rule_weights

_MOST_CASES: Final = 100  # of one choice


def program_of_rules(rules: RuleList) -> ModelProgram:
    """The program of a rule list. Of each rule all is known beforehand; of votes it is worked out."""
    regions = rule_texts(rules)
    if rules.is_numeric:
        numbers = tuple(math.nan if each.then is None else float(each.then) for each in rules.entries)
        steps = (*_first_rule(rules), ProgramStep("number", Lookup(numbers, "rule")))
        return ModelProgram(inputs_of(rules), steps, "number", region="rule", regions=regions)
    return _by_first(rules, regions) if rules.matching == "first" else _by_votes(rules)


def rule_texts(rules: RuleList) -> tuple[str, ...]:
    """What each rule says, and what is said otherwise."""
    return (*map(str, rules), f"OTHERWISE {answer_text(rules.otherwise.then)}")


def rule_test(rule: Rule) -> StepTest:
    """Does a rule hold?"""
    tests = tuple(Holds(condition) for condition in rule.when)
    return tests[0] if len(tests) == 1 else AllOf(tests)


def _first_rule(rules: RuleList) -> list[ProgramStep]:
    """The steps up to the place of the first rule that holds. Languages have choices only so long: of many
    rules each step asks some, if those before gave none."""
    cases = [ChoiceCase(rule_test(rule), Constant(float(place))) for place, rule in enumerate(rules)]
    steps: list[ProgramStep] = []
    none = Constant(-1.0)
    while len(cases) > _MOST_CASES:
        some, cases = cases[:_MOST_CASES], cases[_MOST_CASES:]
        name = f"rules_{len(steps) + 1}"
        steps.append(ProgramStep(name, Choose(tuple(some), none), "of the rules that follow", whole=True))
        held = Compare(Earlier(name), ">=", ZERO)
        cases.insert(0, ChoiceCase(held, Earlier(name)))
    otherwise = Constant(float(len(rules)))
    chosen = Choose(tuple(cases), otherwise) if cases else otherwise
    return [*steps, ProgramStep("rule", chosen, "the first that holds", whole=True)]


def _by_first(rules: RuleList, regions: tuple[str, ...]) -> ModelProgram:
    classes = rules.schema.classes
    codes, shown = first_answers(rules)
    told = tuple(
        ProgramStep(f"share_{c}", Lookup(tuple(column), "rule"), f"of {name}")
        for c, (name, column) in enumerate(zip(classes, zip(*shown, strict=True), strict=True), 1)
    )
    answer = ProgramStep("answer", Lookup(tuple(map(float, codes)), "rule"), "the class", whole=True)
    names = tuple(step.name for step in told)
    return ModelProgram(
        inputs_of(rules), (*_first_rule(rules), *told, answer), "answer", classes, names, "rule", regions
    )


def first_answers(rules: RuleList) -> tuple[list[int], list[list[float]]]:
    """Of rules of which the first answers: the place of each one's class (−1: none) and its shares."""
    classes = rules.schema.classes
    places = {name: code for code, name in enumerate(classes)}
    named = np.array([-1 if each.then is None else places[str(each.then)] for each in rules.entries])
    shares = divided(rule_weights(rules))
    shares[named < 0] = 0.0
    shown = adjusted(shares, rules.decision)
    codes = named if rules.decision.is_plain else decided(shown, rules.decision, classes, named)
    return codes.tolist(), shown.tolist()


def _by_votes(rules: RuleList) -> ModelProgram:
    """Where none holds, what is said otherwise answers."""
    classes = rules.schema.classes
    weights = rule_weights(rules)
    held = tuple(
        ProgramStep(
            f"rule_{place}",
            Choose((ChoiceCase(rule_test(rule), Constant(1.0)),), ZERO),
            str(rule),
            whole=True,
        )
        for place, rule in enumerate(rules, 1)
    )
    some = AnyOf(tuple(Compare(Earlier(step.name), "=", Constant(1.0)) for step in held))
    votes = tuple(
        ProgramStep(f"votes_{c}", _added([step.name for step in held], column))
        for c, column in enumerate(weights[:-1].T.tolist(), 1)
    )
    total = ProgramStep("votes", Total(tuple(Earlier(step.name) for step in votes)))
    otherwise = divided(weights[-1:])[0] if rules.otherwise.then is not None else np.zeros(len(classes))
    even = Constant(1.0 / len(classes))
    counted = AllOf((some, Compare(Earlier("votes"), ">", ZERO)))
    shares = tuple(
        ProgramStep(
            f"raw_{c}",
            Choose(
                (ChoiceCase(counted, Divided(Earlier(vote.name), Earlier("votes"))), ChoiceCase(some, even)),
                Constant(float(otherwise[c - 1])),
            ),
        )
        for c, vote in enumerate(votes, 1)
    )
    by_votes = decided_by_shares(
        [step.name for step in shares], rules.decision, classes, may_be_silent=True, before="voted_"
    )
    then = rules.otherwise.then
    if then is None or rules.decision.cutoff is not None:
        unheard: StepFormula = Earlier(by_votes.answer)
    elif rules.decision.refer is not None:
        referred = Compare(Earlier(by_votes.answer), "<", ZERO)
        unheard = Choose((ChoiceCase(referred, Constant(-1.0)),), Constant(float(classes.index(str(then)))))
    else:
        unheard = Constant(float(classes.index(str(then))))
    answer = ProgramStep(
        "answer", Choose((ChoiceCase(some, Earlier(by_votes.answer)),), unheard), "the class", whole=True
    )
    steps = (*held, *votes, total, *shares, *by_votes.steps, answer)
    return ModelProgram(inputs_of(rules), steps, "answer", classes, by_votes.shares)


def _added(held: list[str], weights: list[float]) -> StepFormula:
    """The weights of the rules that hold, from the first to the last."""
    terms = tuple(
        Choose((ChoiceCase(Compare(Earlier(step), "=", Constant(1.0)), Constant(weight)),), ZERO)
        for step, weight in zip(held, weights, strict=True)
        if weight
    )
    return Total(terms) if terms else ZERO
