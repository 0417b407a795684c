"""A decision in words: what else than the largest share makes a model's answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from clearwood.models.balanced_rows import balanced_words
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.decision import Calibrator, Decision, Isotonic, Platt
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.words.numbers import number

_MOST: Final = 12  # costs or factors that are named; how many more there are is counted


def decision_words(model: Model) -> list[str]:
    """A sentence for each part of the model's decision, in their order; none for a plain one.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> decision_words(cw.CART(costs={("No", "Yes"): 5, ("Yes", "No"): 1}).learn(table))
    ['Predicts by the costs of mistakes: No predicted as Yes 5, Yes predicted as No 1.']
    """
    classes, decision = model.schema.classes, model.decision
    priors = [] if isinstance(model, BayesTables) else _of_priors(decision, classes)  # it prints its own
    shares = _of_shares(decision, classes)
    answers = _of_answers(decision, classes, _costs_are(model))
    return [*balanced_words(model), *priors, *shares, *answers]


def _of_priors(decision: Decision, classes: Sequence[str]) -> Iterator[str]:
    if decision.factors:
        named = [f"{name} × {factor:.4g}" for name, factor in zip(classes, decision.factors, strict=True)]
        yield f"Probabilities are weighted by priors: {_cut(named)}."


def _of_shares(decision: Decision, classes: Sequence[str]) -> Iterator[str]:
    if decision.calibration is not None:
        yield f"Probabilities are calibrated {_curve(decision.calibration)}."
    if decision.prevalence:
        now, then = _listed(classes, decision.prevalence), _listed(classes, decision.trained_at)
        yield f"Probabilities are moved to the prevalence {now}; in training it was {then}."


def _of_answers(decision: Decision, classes: Sequence[str], costs_are: str) -> Iterator[str]:
    if decision.refer is not None:
        yield f"Refers rows whose largest probability is below {number(decision.refer)}."
    if decision.cutoff is not None:
        reached = f"Predicts {decision.cutoff.positive} from a probability of {number(decision.cutoff.at)} on"
        costs = decision.cutoff.costs
        yield (
            f"{reached}, chosen by the costs of mistakes: {costs_in_words(costs, classes)}."
            if costs
            else f"{reached}."
        )
    if decision.costs:
        yield f"{costs_are}: {costs_in_words(decision.costs, classes)}."


def costs_in_words(costs: Sequence[Sequence[float]], classes: Sequence[str]) -> str:
    """What each mistake costs; of two classes both, the one that costs nothing too.

    >>> costs_in_words(((0, 5), (1, 0)), ("bad", "good"))
    'bad predicted as good 5, good predicted as bad 1'
    """
    return _cut(
        [
            f"{true} predicted as {called} {number(cost)}"
            for true, row in zip(classes, costs, strict=True)
            for called, cost in zip(classes, row, strict=True)
            if cost or (true != called and len(classes) == 2)
        ]
    )


def _cut(named: Sequence[str]) -> str:
    more = len(named) - _MOST
    return ", ".join(named[:_MOST]) + (f", and {more:,} more" if more > 0 else "")


def _costs_are(model: Model) -> str:
    """Where the first rule that holds answers, costs had their say in learning alone."""
    ordered = isinstance(model, RuleList) and model.matching == "first"
    return "Learned with costs of mistakes" if ordered else "Predicts by the costs of mistakes"


def _curve(calibration: Calibrator) -> str:
    match calibration:
        case Platt():
            return "by Platt's curve"
        case Isotonic():
            return "by steps that rise with them"
        case _:
            assert_never(calibration)


def _listed(classes: Sequence[str], parts: Sequence[float]) -> str:
    return ", ".join(f"{name} {part:.4g}" for name, part in zip(classes, parts, strict=True))
