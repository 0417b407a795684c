"""PRISM's choices as steps: each condition by the share of the class among the rows it takes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from clearwood.formulas.conditions import all_of
from clearwood.formulas.expressions import Symbol
from clearwood.learners.rules.covering import PrismCandidate, PrismStep, Steps
from clearwood.learners.rules.prism import PRISM
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.table.table import Table
from clearwood.working.derivation import Step, Taken
from clearwood.working.figures import Figure, Grid, Rows, plain

_CHAPTER: Final = "Covering classes"
_P: Final = Symbol("p", means="the number of rows of the class that are covered")
_SHARE: Final = _P / Symbol("t", means="the number of all rows that are covered")


def rules_and_steps(learner: PRISM, rows: Table) -> tuple[RuleList, list[Callable[[], Step]]]:
    """The rules learned again, and how they came about."""
    rules, choices = learner.learn_with_steps(rows)
    return rules, prism_steps(rules, choices)


def prism_steps(rules: RuleList, choices: Steps[PrismStep]) -> list[Callable[[], Step]]:
    """A step for each choice; a rule is taken with its last one."""
    of_rule: dict[tuple[str, int], list[PrismStep]] = defaultdict(list)
    for choice in choices:
        of_rule[choice.then, choice.rule].append(choice)
    makers: list[Callable[[], Step]] = []
    met: Counter[str] = Counter()
    for rule in rules:
        then = str(rule.then)
        met[then] += 1
        own = of_rule[then, met[then]]
        makers += [partial(_step, each, None) for each in own[:-1]]
        makers.append(partial(_step, own[-1], rule) if own else partial(_all_alike, then, rule))
    return makers


def _step(choice: PrismStep, rule: Rule | None) -> Step:
    place = choice.candidates.index(choice.chosen)
    grid = Grid(
        "Conditions that could be added",
        ("condition", f"of {choice.then}", "rows", "share"),
        [
            (str(each.condition), each.right, each.taken, each.right / each.taken)
            for each in choice.candidates
        ],
        chosen=place,
        figure_of=lambda at: _share(choice, choice.candidates[at]),
    )
    table = Figure("candidates", float(len(choice.candidates)), grids=(grid,))
    before = all_of(choice.when) or "no condition yet"
    decision = f"{choice.chosen.condition} has the largest share of {choice.then}"
    share = choice.chosen.right / choice.chosen.taken
    decision += f", {share:.3g}." if rule is None else f", {share:.3g}. {rule} is taken."
    figures = (table, replace(_share(choice, choice.chosen), on_sheet="in key"))
    outcome = None if rule is None else Taken(rule)
    asked, of = "which condition next?", f"Rule {choice.rule} for {choice.then}"
    title, on_sheet = f"{of}, {before}: {asked}", f"{of}: {asked}"
    return Step(_CHAPTER, title, figures, decision, outcome, on_sheet=on_sheet, searches=True)


def _share(choice: PrismStep, each: PrismCandidate) -> Figure:
    when = (*choice.when, each.condition)
    name, put_in = f"share of {choice.then} | {each.condition}", plain(each.right) / plain(each.taken)
    rows = Rows(each.taken, when, "not yet covered")
    return Figure(name, each.right / each.taken, _SHARE, put_in, rows)


def _all_alike(then: str, rule: Rule) -> Step:
    decision = f"All rows that are left are of {then}: {rule} is taken."
    return Step(_CHAPTER, f"What is left for {then}", (), decision, Taken(rule), searches=True)
