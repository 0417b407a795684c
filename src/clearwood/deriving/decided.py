"""From shares to the answer: calibration, prevalence, doubt, then a cutoff or costs, number by number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, assert_never

import numpy as np

from clearwood.deriving.trees.leaves import interval_figures
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import (
    Compared,
    Exp,
    Expression,
    Extreme,
    Log,
    Number,
    Over,
    Sum,
    Symbol,
    ValueOf,
)
from clearwood.models.decision import Calibrator, Cutoff, Isotonic, Platt
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.model import Model
from clearwood.predicting.batch import predict
from clearwood.predicting.columns import table_of_row
from clearwood.words.numbers import short
from clearwood.working.derivation import Answered, Derivation, Step
from clearwood.working.figures import Figure, in_decimals, plain

PREDICTING: Final = "Predicting"
_SHARE: Final = Symbol("P(c)")
_LOG_ODDS: Final = Log(_SHARE / (1 - _SHARE), "e")
_PLATT: Final = 1 / (1 + Exp(-(Symbol("slope") * Symbol("log odds") + Symbol("intercept"))))
_CALIBRATED: Final = "calibrated"
_MOVED: Final = "moved"


def with_decision(model: Model, row: Mapping[str, Any], by_shares: Derivation) -> Derivation:
    """The derivation of an answer by shares alone, continued by what the model's decision makes of them.

    >>> import clearwood as cw
    >>> from dataclasses import replace
    >>> from clearwood.models.decision import Cutoff, Decision
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> careful = replace(cw.ID3(max_depth=1).learn(table), decision=Decision(cutoff=Cutoff("Yes", 0.3)))
    >>> cw.derive(careful, row={"Outlook": "Sunny"})[-1].decision
    'The probability of Yes, 0.400, is at least the cutoff, 0.300: the prediction is Yes.'
    """
    *before, last = by_shares
    if isinstance(last.outcome, Answered) and last.outcome.answer is None:
        return by_shares  # a row that no rule answers, or that one refers, stays so
    predicted = predict(model, table_of_row(model, row))[0]
    answer = None if predicted is None else str(predicted)
    shares = _shares_in(by_shares, model.schema.classes)
    last = with_interval_of(answer, last, model)
    steps = [
        *before,
        replace(last, decision="From these probabilities the prediction is decided.", outcome=None),
    ]
    decision = model.decision
    if decision.calibration is not None:
        step, shares = _calibrated(shares, decision.calibration)
        steps.append(step)
    if decision.prevalence:
        step, shares = _moved(shares, decision.prevalence, decision.trained_at)
        steps.append(step)
    if decision.refer is not None:
        best = max(shares, key=lambda each: each.value)
        steps.append(_sure_enough(shares, best, decision.refer))
        if best.value < decision.refer:
            return replace(by_shares, steps=steps)
    assert answer is not None
    if decision.cutoff is not None:
        steps.append(_by_cutoff(shares, decision.cutoff, answer))
    elif isinstance(model, RuleList) and model.matching == "first":
        steps.append(_answer_step(answer, f"The rule says {answer}, and that is the prediction."))
    elif decision.costs:
        steps.append(
            _costs_step(model.schema.classes, [each.put_in for each in shares], decision.costs, answer)
        )
    else:
        best = next(each for each in shares if each.class_name == answer)
        largest = f"with the largest probability, {short(best.value)}"
        steps.append(_answer_step(answer, f"The prediction is {answer}, {largest}."))
    return replace(by_shares, steps=steps)


@dataclass(frozen=True, slots=True)
class _Share:
    """A class's share as it is by now, under the name of the figure that has it."""

    class_name: str
    figure: str
    value: float

    @property
    def put_in(self) -> ValueOf:
        return ValueOf(self.figure, self.value)


def _shares_in(derivation: Derivation, classes: Sequence[str]) -> list[_Share]:
    """The last share of each class that was worked out."""
    shares: dict[str, _Share] = {}
    for step in derivation:
        for figure in step.figures:
            if figure.share_of is not None:
                shares[figure.share_of] = _Share(figure.share_of, figure.name, figure.number)
    return [shares[name] for name in classes]


def _answer_step(answer: str, decision: str) -> Step:
    return Step(PREDICTING, "The prediction", (), decision, Answered(answer))


def _calibrated(shares: Sequence[_Share], calibration: Calibrator) -> tuple[Step, list[_Share]]:
    """Each share by its own curve, then divided by their sum."""
    match calibration:
        case Platt(slopes, intercepts, least):
            by_platt = [_by_platt(*each, least) for each in zip(shares, slopes, intercepts, strict=True)]
            curves = [figure for each in by_platt for figure in each]
            own = [curve for _, curve in by_platt]
            way = "by Platt's curve"
        case Isotonic(at, to):
            curves = own = [_by_steps(*each) for each in zip(shares, at, to, strict=True)]
            way = "by steps that rise with them"
        case _:
            assert_never(calibration)
    figures, adjusted = _divided(
        shares, own, _CALIBRATED, how="calibrated", instead=[each.value for each in shares]
    )
    decision = f"The probabilities are calibrated {way}, and then divided by their sum."
    return Step(PREDICTING, "Calibrated probabilities", (*curves, *figures), decision), adjusted


def _by_platt(share: _Share, slope: float, intercept: float, least: float) -> tuple[Figure, Figure]:
    """1 / (1 + e^−(slope · log odds + intercept))."""
    name = written(share.class_name)
    held = share.value
    part: Expression = share.put_in
    because = ""
    if not least <= held <= 1 - least:
        held = min(max(held, least), 1 - least)
        part = Number(held)
        because = "A probability of 0 or 1 has no log odds: it is kept a little away from it."
    value = math.log(held) - math.log1p(-held)
    put_in = Log(part, "e") - Log(1 - part, "e")
    log_odds = Figure(f"log odds of {name}", value, _LOG_ODDS, put_in, because=because)
    line = plain(slope) * in_decimals(log_odds) + plain(intercept)
    power = -(slope * log_odds.number + intercept)
    curve = Figure(f"{_CALIBRATED}({name})", 0.0, _PLATT, Number(0))
    if power < 700:
        curve = replace(curve, value=1 / (1 + math.exp(power)), put_in=1 / (1 + Exp(-line)))
    return log_odds, curve


def _by_steps(share: _Share, at: Sequence[float], to: Sequence[float]) -> Figure:
    """On the straight line between the two places around the share."""
    name = f"{_CALIBRATED}({written(share.class_name)})"
    above = int(np.searchsorted(at, share.value, side="right"))
    if above == 0 or above == len(at):
        end = 0 if above == 0 else -1
        because = "Beyond the last step, which holds from there on."
        return Figure(name, to[end], put_in=plain(to[end]), because=because)
    low, high, start, stop = at[above - 1], at[above], to[above - 1], to[above]
    slope = (plain(stop) - plain(start)) / (plain(high) - plain(low))
    value, put_in = float(np.interp(share.value, at, to)), plain(start) + (share.put_in - plain(low)) * slope
    because = "On the straight line between the two steps around the probability."
    return Figure(name, value, put_in=put_in, because=because)


def _moved(
    shares: Sequence[_Share], prevalence: Sequence[float], trained_at: Sequence[float]
) -> tuple[Step, list[_Share]]:
    """Each share times how much commoner its class is now, divided by their sum."""
    parts, formula = [], _SHARE * (Symbol("prevalence now") / Symbol("in training"))
    for share, new, old in zip(shares, prevalence, trained_at, strict=True):
        factor: Expression = plain(new) / plain(old) if old > 0 else Number(0)
        value = share.value * (new / old if old > 0 else 0.0)
        name = f"{_MOVED}({written(share.class_name)})"
        parts.append(Figure(name, value, formula, share.put_in * factor))
    figures, moved = _divided(shares, parts, _MOVED, how="at the prevalence now", instead=prevalence)
    decision = (
        "The probabilities are moved from the class frequencies of the training rows to the present ones."
    )
    return Step(PREDICTING, "Where classes are as common as now", (*parts, *figures), decision), moved


def _divided(
    shares: Sequence[_Share], parts: Sequence[Figure], part: str, *, how: str, instead: Sequence[float]
) -> tuple[list[Figure], list[_Share]]:
    """Each part of their sum, `part` by its name; `instead` where all of them are 0."""
    total, own = math.fsum(each.number for each in parts), Symbol(f"{part}(c)")
    formula, whole = own / Over("Σ", "c", own), Sum(tuple(map(in_decimals, parts)))
    figures = []
    for share, each, value in zip(shares, parts, instead, strict=True):
        name = f"P({written(share.class_name)} | {how})"
        if total > 0:
            figures.append(Figure(name, each.number / total, formula, in_decimals(each) / whole))
        else:
            because = "All parts are 0, and nothing can be divided."
            figures.append(Figure(name, value, put_in=plain(value), because=because))
    divided = [
        _Share(share.class_name, each.name, each.number) for share, each in zip(shares, figures, strict=True)
    ]
    return figures, divided


def _sure_enough(shares: Sequence[_Share], best: _Share, refer: float) -> Step:
    put_in = Extreme("max", tuple(each.put_in for each in shares))
    largest = Figure("largest probability", best.value, Over("max", "c", _SHARE), put_in)
    doubt = best.value < refer
    formula = Compared(Symbol("largest probability"), "<", Symbol("refer"))
    in_numbers = Compared(in_decimals(largest), "<", plain(refer))
    below = Figure("largest probability < refer", doubt, formula, in_numbers)
    decided = "below {}: the row is referred, and left without a prediction"
    if not doubt:
        decided = "not below {}: the row is predicted"
    decision = f"The largest probability, {short(best.value)}, is {decided.format(short(refer))}."
    outcome = Answered(None) if doubt else None
    return Step(PREDICTING, "Sure enough to predict?", (largest, below), decision, outcome)


def _by_cutoff(shares: Sequence[_Share], cutoff: Cutoff, answer: str) -> Step:
    positive = next(each for each in shares if each.class_name == cutoff.positive)
    reached = positive.value >= cutoff.at
    formula, put_in = (
        Compared(_SHARE, "≥", Symbol("cutoff")),
        Compared(positive.put_in, "≥", plain(cutoff.at)),
    )
    figure = Figure(f"probability of {written(cutoff.positive)} ≥ cutoff", reached, formula, put_in)
    how = "at least" if reached else "below"
    others = "" if reached or len(shares) <= 2 else ", the most probable of the others"
    decision = (
        f"The probability of {cutoff.positive}, {short(positive.value)}, is {how} the cutoff, "
        f"{short(cutoff.at)}: the prediction is {answer}{others}."
    )
    return Step(PREDICTING, "Is the cutoff reached?", (figure,), decision, Answered(answer))


# The interval of an answer that a decision chose: of that class's share, or none.


_ENDS: Final = ("interval from", "interval to")


def with_interval_of(answer: str | None, step: Step, model: Model) -> Step:
    """The step that ended in an answer by shares alone, its interval that of the answer by the decision.

    It has one where `intervals` has: not of a row without an answer, nor of shares that were changed.
    """
    if not any(each.name in _ENDS for each in step.figures):
        return step
    others = [each for each in step.figures if each.name not in _ENDS]
    decision = model.decision
    by_rule = isinstance(model, RuleList)
    if answer is None or decision.adjusts or (by_rule and decision.cutoff is not None):
        return replace(step, figures=tuple(others))
    if by_rule:
        return step  # without a cutoff the first rule that holds answers, whatever the decision
    p = next(in_decimals(each) for each in others if each.share_of == answer)
    n = next(in_decimals(each) for each in others if each.name == "n")
    return replace(step, figures=(*others, *interval_figures(p.value * n.value, n.value, p=p, n=n)))


# Costs: where mistakes cost differently, the answer is the one of least expected cost.


_COST: Final = Symbol("cost", "c", "the cost of this prediction for a row of class c")
_EXPECTED: Final = Over("Σ", "c", Symbol("P(c | the row)") * _COST)


def _costs_step(
    classes: Sequence[str], shares: Sequence[ValueOf], costs: Sequence[Sequence[float]], answer: str
) -> Step:
    """Σ P(truth | row) · the cost of predicting that class; `costs` are [truth][predicted]."""
    figures = []
    for name, paid in zip(classes, zip(*costs, strict=True), strict=True):
        total = math.fsum(float(share.value) * cost for share, cost in zip(shares, paid, strict=True))
        put_in = Sum(tuple(share * plain(cost) for share, cost in zip(shares, paid, strict=True)))
        figures.append(Figure(f"expected cost of predicting {written(name)}", total, _EXPECTED, put_in))
    decision = f"The prediction is {answer}, at the lowest expected cost."
    return Step(PREDICTING, "What each prediction would cost", tuple(figures), decision, Answered(answer))


def answered_steps(
    model: Model,
    title: str,
    figures: Sequence[Figure],
    shares: Sequence[float],
    answer: str,
    *,
    decided: str = "",
    before_costs: str = "",
) -> list[Step]:
    """The step that ends in the answer by the shares of the classes. Where costs decide, it ends in the
    shares, and a step on the costs follows. What it says may be given for either case."""
    classes, costs = model.schema.classes, model.decision.costs
    if not costs:
        if not decided:
            decided = f"The prediction is {answer}, with probability {shares[classes.index(answer)]:.4g}."
        return [Step(PREDICTING, title, tuple(figures), decided, Answered(answer))]
    likeliest = max(zip(shares, classes, strict=True), key=lambda each: each[0])[1]
    by_costs = f"{likeliest} is most probable; the prediction depends on the costs."
    step = Step(PREDICTING, title, tuple(figures), before_costs or by_costs)
    named = [
        ValueOf(f"P({written(name)} | the row)", share) for name, share in zip(classes, shares, strict=True)
    ]
    return [step, _costs_step(classes, named, costs, answer)]
