"""From shares to the answer: calibration, prevalence, doubt, then a cutoff or costs, number by number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, assert_never

import numpy as np

from clearwood.deriving.trees.leaves import interval_figures
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
from clearwood.formulas.spelling import written
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
        steps.append(
            _answer_step(
                answer, f"The prediction is {answer}, with the largest probability, {short(best.value)}."
            )
        )
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
    held = min(max(share.value, least), 1 - least)
    is_held = held != share.value
    part: Expression = Number(held) if is_held else share.put_in
    log_odds = Figure(
        f"log odds of {name}",
        math.log(held) - math.log1p(-held),
        Log(_SHARE / (1 - _SHARE), "e"),
        Log(part, "e") - Log(1 - part, "e"),
        because="A probability of 0 or 1 has no log odds: it is kept a little away from it."
        if is_held
        else "",
    )
    line = plain(slope) * in_decimals(log_odds) + plain(intercept)
    words = Symbol("slope") * Symbol("log odds") + Symbol("intercept")
    power = -(slope * log_odds.number + intercept)
    value = 1 / (1 + math.exp(power)) if power < 700 else 0.0
    formula = 1 / (1 + Exp(-words))
    put_in = 1 / (1 + Exp(-line)) if power < 700 else Number(0)
    return log_odds, Figure(f"{_CALIBRATED}({name})", value, formula, put_in)


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
    return Figure(
        name,
        float(np.interp(share.value, at, to)),
        put_in=plain(start) + (share.put_in - plain(low)) * slope,
        because="On the straight line between the two steps around the probability.",
    )


def _moved(
    shares: Sequence[_Share], prevalence: Sequence[float], trained_at: Sequence[float]
) -> tuple[Step, list[_Share]]:
    """Each share times how much commoner its class is now, divided by their sum."""
    parts = []
    for share, new, old in zip(shares, prevalence, trained_at, strict=True):
        factor: Expression = plain(new) / plain(old) if old > 0 else Number(0)
        ratio = Symbol("prevalence now") / Symbol("in training")
        parts.append(
            Figure(
                f"{_MOVED}({written(share.class_name)})",
                share.value * (new / old if old > 0 else 0.0),
                _SHARE * ratio,
                share.put_in * factor,
            )
        )
    figures, moved = _divided(shares, parts, _MOVED, how="at the prevalence now", instead=prevalence)
    decision = (
        "The probabilities are moved from the class frequencies of the training rows to the present ones."
    )
    return Step(PREDICTING, "Where classes are as common as now", (*parts, *figures), decision), moved


def _divided(
    shares: Sequence[_Share], parts: Sequence[Figure], part: str, *, how: str, instead: Sequence[float]
) -> tuple[list[Figure], list[_Share]]:
    """Each part of their sum, `part` by its name; `instead` where all of them are 0."""
    values = [float(part.value) if isinstance(part.value, float) else 0.0 for part in parts]
    total = math.fsum(values)
    named = [ValueOf(part.name, value) for part, value in zip(parts, values, strict=True)]
    figures, divided = [], []
    for place, share in enumerate(shares):
        name = f"P({written(share.class_name)} | {how})"
        if total > 0:
            value = values[place] / total
            put_in: Expression = named[place] / Sum(tuple(named))
            own = Symbol(f"{part}(c)")
            figures.append(Figure(name, value, own / Over("Σ", "c", own), put_in))
        else:
            value = instead[place]
            because = "All parts are 0, and nothing can be divided."
            figures.append(Figure(name, value, put_in=plain(value), because=because))
        divided.append(_Share(share.class_name, name, value))
    return figures, divided


def _sure_enough(shares: Sequence[_Share], best: _Share, refer: float) -> Step:
    largest = Figure(
        "largest probability",
        best.value,
        Over("max", "c", _SHARE),
        Extreme("max", tuple(each.put_in for each in shares)),
    )
    doubt = best.value < refer
    below = Figure(
        "largest probability < refer",
        doubt,
        Compared(Symbol("largest probability"), "<", Symbol("refer")),
        Compared(ValueOf(largest.name, best.value), "<", plain(refer)),
    )
    decision = (
        f"The largest probability, {short(best.value)}, is below {short(refer)}: the row is referred, and "
        "left "
        "without a prediction."
        if doubt
        else f"The largest probability, {short(best.value)}, is not below {short(refer)}: the row is "
        "predicted."
    )
    outcome = Answered(None) if doubt else None
    return Step(PREDICTING, "Sure enough to predict?", (largest, below), decision, outcome)


def _by_cutoff(shares: Sequence[_Share], cutoff: Cutoff, answer: str) -> Step:
    positive = next(each for each in shares if each.class_name == cutoff.positive)
    reached = positive.value >= cutoff.at
    figure = Figure(
        f"probability of {written(cutoff.positive)} ≥ cutoff",
        reached,
        Compared(_SHARE, "≥", Symbol("cutoff")),
        Compared(positive.put_in, "≥", plain(cutoff.at)),
    )
    how = "at least" if reached else "below"
    rest = (
        f"the prediction is {answer}"
        if reached or len(shares) <= 2
        else f"the prediction is {answer}, the most probable of the others"
    )
    decision = f"The probability of {cutoff.positive}, {short(positive.value)}, is {how} the cutoff"
    return Step(
        PREDICTING,
        "Is the cutoff reached?",
        (figure,),
        f"{decision}, {short(cutoff.at)}: {rest}.",
        Answered(answer),
    )


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
