"""Rules as steps: the first that holds answers, or the weights of all that hold are added up."""

import math
from typing import Final

import numpy as np

from clearwood.formulas import expressions as f
from clearwood.models.columns_used import inputs_used
from clearwood.models.deciding import adjusted, decided, divided
from clearwood.models.kinds.rules.rule_list import Rule, RuleList, answer_text
from clearwood.models.kinds.rules.rules_counts import rule_weights
from clearwood.models.program.deciding import decided_by_shares
from clearwood.models.program.program import ModelProgram, ProgramStep

_MOST_CASES: Final = 100  # of one choice


def program_of_rules(rules: RuleList) -> ModelProgram:
    """The program of a rule list. Of each rule all is known beforehand; of votes it is worked out."""
    regions = rule_texts(rules)
    if rules.is_numeric:
        numbers = tuple(math.nan if each.then is None else float(each.then) for each in rules.entries)
        steps = (*_first_rule(rules), ProgramStep("number", f.Lookup(numbers, "rule")))
        return ModelProgram(inputs_used(rules), steps, "number", region="rule", regions=regions)
    return _by_first(rules, regions) if rules.matching == "first" else _by_votes(rules)


def rule_texts(rules: RuleList) -> tuple[str, ...]:
    """What each rule says, and what is said otherwise."""
    return (*map(str, rules), f"OTHERWISE {answer_text(rules.otherwise.then)}")


def rule_test(rule: Rule) -> f.StepTest:
    """Does a rule hold?"""
    tests = tuple(f.Holds(condition) for condition in rule.when)
    return tests[0] if len(tests) == 1 else f.AllOf(tests)


def _first_rule(rules: RuleList) -> list[ProgramStep]:
    """The steps up to the place of the first rule that holds. Languages have choices only so long: of many
    rules each step asks some, if those before gave none."""
    cases = [f.ChoiceCase(rule_test(rule), f.Number(float(place))) for place, rule in enumerate(rules)]
    steps: list[ProgramStep] = []
    none = f.Number(-1.0)
    while len(cases) > _MOST_CASES:
        some, cases = cases[:_MOST_CASES], cases[_MOST_CASES:]
        name = f"rules_{len(steps) + 1}"
        steps.append(ProgramStep(name, f.Choose(tuple(some), none), "of the rules that follow", whole=True))
        held = f.Compared(f.Earlier(name), "≥", f.ZERO)
        cases.insert(0, f.ChoiceCase(held, f.Earlier(name)))
    otherwise = f.Number(float(len(rules)))
    chosen = f.Choose(tuple(cases), otherwise) if cases else otherwise
    return [*steps, ProgramStep("rule", chosen, "the first that holds", whole=True)]


def _by_first(rules: RuleList, regions: tuple[str, ...]) -> ModelProgram:
    classes = rules.schema.classes
    codes, shown = first_answers(rules)
    told = tuple(
        ProgramStep(f"share_{c}", f.Lookup(tuple(column), "rule"), f"of {name}")
        for c, (name, column) in enumerate(zip(classes, zip(*shown, strict=True), strict=True), 1)
    )
    answer = ProgramStep("answer", f.Lookup(tuple(map(float, codes)), "rule"), "the class", whole=True)
    names = tuple(step.name for step in told)
    return ModelProgram(
        inputs_used(rules), (*_first_rule(rules), *told, answer), "answer", classes, names, "rule", regions
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
            f.Choose((f.ChoiceCase(rule_test(rule), f.Number(1.0)),), f.ZERO),
            str(rule),
            whole=True,
        )
        for place, rule in enumerate(rules, 1)
    )
    some = f.AnyOf(tuple(f.Compared(f.Earlier(step.name), "=", f.Number(1.0)) for step in held))
    votes = tuple(
        ProgramStep(f"votes_{c}", _added([step.name for step in held], column))
        for c, column in enumerate(weights[:-1].T.tolist(), 1)
    )
    total = ProgramStep("votes", f.Sum(tuple(f.Earlier(step.name) for step in votes)))
    otherwise = divided(weights[-1:])[0] if rules.otherwise.then is not None else np.zeros(len(classes))
    even = f.Number(1.0 / len(classes))
    counted = f.AllOf((some, f.Compared(f.Earlier("votes"), ">", f.ZERO)))
    shares = tuple(
        ProgramStep(
            f"raw_{c}",
            f.Choose(
                (
                    f.ChoiceCase(counted, f.Quotient(f.Earlier(vote.name), f.Earlier("votes"))),
                    f.ChoiceCase(some, even),
                ),
                f.Number(float(otherwise[c - 1])),
            ),
        )
        for c, vote in enumerate(votes, 1)
    )
    by_votes = decided_by_shares(
        [step.name for step in shares], rules.decision, classes, may_be_silent=True, before="voted_"
    )
    then = rules.otherwise.then
    if then is None or rules.decision.cutoff is not None:
        unheard: f.Expression = f.Earlier(by_votes.answer)
    elif rules.decision.refer is not None:
        referred = f.Compared(f.Earlier(by_votes.answer), "<", f.ZERO)
        unheard = f.Choose(
            (f.ChoiceCase(referred, f.Number(-1.0)),), f.Number(float(classes.index(str(then))))
        )
    else:
        unheard = f.Number(float(classes.index(str(then))))
    answer = ProgramStep(
        "answer",
        f.Choose((f.ChoiceCase(some, f.Earlier(by_votes.answer)),), unheard),
        "the class",
        whole=True,
    )
    steps = (*held, *votes, total, *shares, *by_votes.steps, answer)
    return ModelProgram(inputs_used(rules), steps, "answer", classes, by_votes.shares)


def _added(held: list[str], weights: list[float]) -> f.Expression:
    """The weights of the rules that hold, from the first to the last."""
    terms = tuple(
        f.Choose((f.ChoiceCase(f.Compared(f.Earlier(step), "=", f.Number(1.0)), f.Number(weight)),), f.ZERO)
        for step, weight in zip(held, weights, strict=True)
        if weight
    )
    return f.Sum(terms) if terms else f.ZERO
