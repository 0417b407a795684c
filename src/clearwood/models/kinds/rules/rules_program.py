"""Rules as steps: the first that holds answers, or the weights of all that hold are added up."""

import math
from typing import Final

import numpy as np

from clearwood.formulas import expressions as f
from clearwood.models.decision import adjusted, decided, divided
from clearwood.models.kinds.rules.rule_list import Rule, RuleList, answer_text, rule_weights
from clearwood.models.program.deciding import decided_by_shares
from clearwood.models.program.program import ModelProgram, ProgramStep
from clearwood.models.space.space_of import inputs_used

_MOST_CASES: Final = 100  # of one choice


def program_of_rules(rules: RuleList) -> ModelProgram:
    """The program of a rule list. Of each rule all is known beforehand; of votes it is worked out."""
    inputs, regions = inputs_used(rules), rule_texts(rules)
    if rules.is_numeric:
        numbers = tuple(math.nan if each.then is None else float(each.then) for each in rules.entries)
        steps = (*_first_rule(rules), ProgramStep("number", f.Lookup(numbers, "rule")))
        return ModelProgram(inputs, steps, "number", region="rule", regions=regions)
    if rules.matching == "vote":
        return _by_votes(rules)
    classes = rules.schema.classes
    codes, shown = first_answers(rules)
    told = tuple(
        ProgramStep(f"share_{c}", f.Lookup(tuple(column), "rule"), f"of {name}")
        for c, (name, column) in enumerate(zip(classes, zip(*shown, strict=True), strict=True), 1)
    )
    answer = ProgramStep("answer", f.Lookup(tuple(map(float, codes)), "rule"), "the class", whole=True)
    names = tuple(step.name for step in told)
    steps = (*_first_rule(rules), *told, answer)
    return ModelProgram(inputs, steps, "answer", classes, names, "rule", regions)


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
    classes, weights = rules.schema.classes, rule_weights(rules)
    held = tuple(
        ProgramStep(f"rule_{place}", f.where(rule_test(rule), f.Number(1.0), f.ZERO), str(rule), whole=True)
        for place, rule in enumerate(rules, 1)
    )
    holds = [f.Compared(f.Earlier(step.name), "=", f.Number(1.0)) for step in held]
    some = f.AnyOf(tuple(holds))
    votes = []
    for c, column in enumerate(weights[:-1].T.tolist(), 1):
        pairs = zip(holds, column, strict=True)
        terms = tuple(f.where(test, f.Number(weight), f.ZERO) for test, weight in pairs if weight)
        votes.append(ProgramStep(f"votes_{c}", f.Sum(terms) if terms else f.ZERO))
    named = f.earlier(step.name for step in votes)
    total = ProgramStep("votes", f.Sum(named))
    otherwise = divided(weights[-1:])[0] if rules.otherwise.then is not None else np.zeros(len(classes))
    counted = f.AllOf((some, f.Compared(f.Earlier("votes"), ">", f.ZERO)))
    shares = tuple(
        ProgramStep(
            f"raw_{c}",
            f.Choose(
                (
                    f.ChoiceCase(counted, vote / f.Earlier("votes")),
                    f.ChoiceCase(some, f.Number(1.0 / len(classes))),
                ),
                f.Number(by_default),
            ),
        )
        for c, (vote, by_default) in enumerate(zip(named, otherwise.tolist(), strict=True), 1)
    )
    by_votes = decided_by_shares(
        [step.name for step in shares], rules.decision, classes, may_be_silent=True, before="voted_"
    )
    voted = f.Earlier(by_votes.answer)
    unheard: f.Expression = voted
    if rules.otherwise.then is not None and rules.decision.cutoff is None:
        unheard = f.Number(float(classes.index(str(rules.otherwise.then))))
        if rules.decision.refer is not None:
            unheard = f.where(f.Compared(voted, "<", f.ZERO), f.Number(-1.0), unheard)
    answer = ProgramStep("answer", f.where(some, voted, unheard), "the class", whole=True)
    steps = (*held, *votes, total, *shares, *by_votes.steps, answer)
    return ModelProgram(inputs_used(rules), steps, "answer", classes, by_votes.shares)
