"""CN2's search as steps: level by level the complexes on the beam, their quality, and the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from clearwood.formulas.conditions import all_of
from clearwood.formulas.expressions import Expression, Log, Number, Over, Sum, Symbol
from clearwood.learners.rules.beam_search import RuleQuality
from clearwood.learners.rules.cn2 import CN2
from clearwood.learners.rules.covering import BeamStep, Considered, Steps
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.table.table import Table
from clearwood.working.derivation import Step, Taken
from clearwood.working.figures import Figure, Grid, Rows, plain

_RIGHT: Final = Symbol("right", means="the number of covered rows of the predicted class")
_COVERED: Final = Symbol("covered", means="the number of covered rows")
_P_C: Final = Symbol("p", "c", "the proportion of class c among the covered rows")
_N: Final = Symbol("n", means="the number of rows not yet covered")
_N_C: Final = Symbol("n", "c", "the number of covered rows of class c")

_EXPECTED: Final = Symbol(
    "expected", "c", "the number of them expected by the proportion of class c among all rows searched"
)
_CHAPTER: Final = "Searching rules"


def rules_and_steps(learner: CN2, rows: Table) -> tuple[RuleList, list[Callable[[], Step]]]:
    """The rules learned again, and how they came about."""
    rules, levels = learner.learn_with_steps(rows)
    return rules, cn2_steps(learner, rules, levels)


def cn2_steps(learner: CN2, rules: RuleList, levels: Steps[BeamStep]) -> list[Callable[[], Step]]:
    """A step for each level of each search; the last one takes the rule, if any was found."""
    return [partial(_step, learner, rules, level, last, rule) for level, last, rule in _ends(rules, levels)]


def _ends(rules: RuleList, levels: Steps[BeamStep]) -> Iterator[tuple[BeamStep, bool, Rule | None]]:
    """Each level, whether its search ends with it, and the rule that then comes of it."""
    made = iter(rules)
    for place, level in enumerate(levels):
        last = place + 1 == len(levels) or levels[place + 1].level == 1
        yield level, last, next(made) if last and level.best is not None else None


def _step(learner: CN2, rules: RuleList, level: BeamStep, last: bool, rule: Rule | None) -> Step:
    figures = []
    if level.beam:
        grid = Grid(
            "On the beam",
            ("complex", "class", "right", "covered", learner.measure),
            [(all_of(e.when), e.then, e.right, e.covered, e.quality) for e in level.beam],
            figure_of=lambda place: quality_figure(learner, rules, level, level.beam[place]),
            on_sheet=("given", "asked", "given", "given", "asked"),
            ranked=True,
        )
        figures.append(Figure("complexes on the beam", float(len(level.beam)), grids=(grid,)))
    if level.best is not None:
        best = [quality_figure(learner, rules, level, level.best)]
        if learner.alpha < 1:
            best.append(_likelihood_ratio(level, level.best))
        figures += [replace(each, on_sheet="in key") for each in best]
    decision = "No complex is good enough to be a rule yet."
    if level.best is not None:
        decision = f"The best so far is IF {all_of(level.best.when)} THEN {level.best.then}."
    if last:
        decision = f"{rule} is taken." if rule is not None else "No complex is good enough: the search ends."
    conditions = "1 condition" if level.level == 1 else f"{level.level} conditions"
    title = f"Rule {level.rule}: complexes of up to {conditions}"
    outcome = None if rule is None else Taken(rule)
    return Step(_CHAPTER, title, tuple(figures), decision, outcome, searches=True)


def quality_figure(learner: CN2, rules: RuleList, level: BeamStep, each: Considered) -> Figure:
    """A complex's quality by the learner's measure."""
    goal = None if learner.rules == "ordered" else 1
    answer = rules.schema.classes.index(each.then) if goal is None else goal
    name = f"{learner.measure}({all_of(each.when)})"
    rows = Rows(each.covered, each.when, "not yet covered")
    right, covered = plain(each.right), plain(each.covered)
    match learner.measure:
        case "laplace":
            classes = len(each.counts)
            formula: Expression = (_RIGHT + 1) / (_COVERED + Symbol("classes"))
            put_in: Expression = (right + 1) / (covered + Number(classes))
        case "entropy":
            shares = [plain(n) / covered for n in each.counts if n > 0]
            put_in = Sum(tuple(share * Log(share) for share in shares))
            formula = Over("Σ", "c", _P_C * Log(_P_C))
            quality = RuleQuality("entropy", list(level.before), goal)
            plainly = sum(n / each.covered * math.log2(n / each.covered) for n in each.counts if n > 0)
            if not math.isclose(quality.score(list(each.counts)).quality, plainly, abs_tol=1e-12):
                put_in, formula = Number(-2) - put_in, Number(-2) - formula
        case "wracc":
            total = plain(math.fsum(level.before))
            expected = covered * plain(level.before[answer]) / total
            put_in = (right - expected) / total
            words = _COVERED * Symbol("n", "class", "the number of rows of the class") / _N
            formula = (_RIGHT - words) / _N
    because = (
        "An entropy with the other sign: the nearer to 0 the purer." if learner.measure == "entropy" else ""
    )
    return Figure(name, each.quality, formula, put_in, rows, because=because)


def _likelihood_ratio(level: BeamStep, each: Considered) -> Figure:
    """2 · Σ n · ln (n ÷ expected): is it more than chance?"""
    total = math.fsum(level.before)
    terms = []
    for n, b in zip(each.counts, level.before, strict=True):
        expected = plain(each.covered) * plain(b) / plain(total)
        if n > 0:
            terms.append(plain(n) * Log(plain(n) / expected, "e"))
    value = RuleQuality("laplace", list(level.before)).likelihood_ratio(list(each.counts))
    because = "Its class must differ from that of all rows searched by more than chance."
    name, put_in = f"likelihood ratio({all_of(each.when)})", 2 * Sum(tuple(terms))
    return Figure(name, value, 2 * Over("Σ", "c", _N_C * Log(_N_C / _EXPECTED, "e")), put_in, because=because)
