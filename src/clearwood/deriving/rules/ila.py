"""ILA's search as steps: the descriptions of each length, what each covers, and the one taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from clearwood.formulas.conditions import all_of
from clearwood.formulas.expressions import Binomial, Number, Symbol, value_of
from clearwood.learners.rules.covering import Steps
from clearwood.learners.rules.ila import ILA, Described, IlaStep, rows_text
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.table.table import Table
from clearwood.working.derivation import Step, Taken
from clearwood.working.figures import Figure, Grid, Rows, plain

_CHAPTER: Final = "Describing classes"
_SCORE: Final = Symbol("covers") - Symbol("penalty") * Symbol("of other classes")
_COMBINED: Final = Binomial(
    Symbol("attributes"), Symbol("j", means="the number of conditions that are combined")
)


def rules_and_steps(learner: ILA, rows: Table) -> tuple[RuleList, list[Callable[[], Step]]]:
    """The rules learned again, and how they came about."""
    rules, looks = learner.learn_with_steps(rows)
    return rules, ila_steps(learner, rules, looks)


def ila_steps(learner: ILA, rules: RuleList, looks: Steps[IlaStep]) -> list[Callable[[], Step]]:
    """A step for each look, in the order in which they were taken."""
    return [partial(_step, learner, rules, look, rule) for look, rule in _with_rules(rules, looks)]


def _with_rules(rules: RuleList, looks: Steps[IlaStep]) -> Iterator[tuple[IlaStep, Rule | None]]:
    made = iter(rules)
    for look in looks:
        yield look, None if look.taken is None else next(made)


def _step(learner: ILA, rules: RuleList, look: IlaStep, rule: Rule | None) -> Step:
    penalty = learner.penalty
    grid = Grid(
        f"Descriptions of {_conditions(look.conditions)}",
        ("description", "covers", "of other classes", "score"),
        [(all_of(each.when), each.covers, each.wrong, each.score) for each in look.best],
        chosen=look.best.index(look.taken) if look.taken in look.best else None,
        figure_of=None if penalty is None else lambda place: _score(penalty, look.best[place]),
        on_sheet=("given", "given", "given", "asked"),
        ranked=True,
    )
    because = f"The first {len(look.best)} are shown." if look.good > len(look.best) else ""
    grids = (grid,) if look.best else ()
    descriptions = Figure("descriptions with a score above 0", float(look.good), because=because, grids=grids)
    figures = [_combinations(rules, look), descriptions]
    if look.taken is not None and penalty is not None:
        figures.append(replace(_score(penalty, look.taken), on_sheet="in key"))
    title = f"{look.then}: what describes its unmarked rows by {_conditions(look.conditions)}?"
    if look.ended:
        title, figures = f"{look.then}: which of its rows are left without a rule?", []
    if rule is None or look.taken is None:
        decision = f"{look.because[0].upper()}{look.because[1:]}."
        if look.left:
            are = "is" if len(look.left) == 1 else "are"
            decision += f" {rows_text(look.left).capitalize()} {are} left."
        return Step(_CHAPTER, title, tuple(figures), decision, searches=True)
    left = "none is left" if not look.left else f"{len(look.left):,} left"
    decision = f"{rule}: {look.because}. It marks {rows_text(look.marked)}; {left}."
    rows = Rows(look.taken.covers, look.taken.when, f"of class {look.then} and unmarked")
    return Step(_CHAPTER, title, tuple(figures), decision, Taken(rule), rows, searches=True)


def _combinations(rules: RuleList, look: IlaStep) -> Figure:
    attributes = len(rules.schema.inputs)
    every = Binomial(Number(attributes), Number(look.conditions))
    name, value = "combinations of attributes", float(look.combinations)
    if value_of(every) == look.combinations:
        return Figure(name, value, _COMBINED, every)
    because = "Attributes that are left out are not combined."
    return Figure(name, value, put_in=Number(look.combinations), because=because)


def _score(penalty: float, each: Described) -> Figure:
    """What it covers less the penalty for what it covers of other classes."""
    put_in = plain(each.covers) - plain(penalty) * plain(each.wrong)
    return Figure(f"score({all_of(each.when)})", each.score, _SCORE, put_in)


def _conditions(count: int) -> str:
    return "1 condition" if count == 1 else f"{count} conditions"
