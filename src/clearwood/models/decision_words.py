"""A decision in words: what else than the largest share makes a model's answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from clearwood.formulas.conditions import Condition, OneOf, all_of
from clearwood.models.decision import Calibrator, Decision, Isotonic, Platt
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.lineage import Origin
from clearwood.models.model import Model, balanced_words
from clearwood.table.schema import WeightsAre
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


# Weights in words: what the weights were of the rows that a model was learned from.


_WORDS: Final[dict[WeightsAre, str]] = {
    "counts": "weights that count equal rows",
    "sampling": "sampling weights",
    "importance": "importance weights",
}
_SCALES: Final[dict[WeightsAre, str]] = {
    "counts": "a row of weight w counts as w rows",
    "sampling": "they add up to Kish's effective number of rows, (Σw)² ÷ Σw²",
    "importance": "they add up to the number of rows",
}


def with_weights(origin: Origin) -> str:
    """What follows the number of rows, or a title; nothing where rows had no weights.

    >>> with_weights(Origin("C45", weights_are="sampling")), with_weights(Origin("C45"))
    (', with sampling weights', '')
    """
    return "" if origin.weights_are is None else f", with {_WORDS[origin.weights_are]}"


def weights_in_full(weights_are: WeightsAre) -> str:
    """The meaning with its scale.

    >>> weights_in_full("importance")
    'importance weights: they add up to the number of rows'
    """
    return f"{_WORDS[weights_are]}: {_SCALES[weights_are]}"


# A condition on many values in few words: the first of them by name, the rest counted.


def shortened(condition: Condition, most: int) -> Condition:
    """The condition with at most so many values named, the rest counted.

    >>> print(shortened(OneOf("Port", ("Cork", "Oslo", "Riga", "Pisa")), 3))
    Port in {Cork, Oslo, … 2 more}
    """
    if isinstance(condition, OneOf) and len(condition.values) > most:
        rest = len(condition.values) - most + 1
        named = (*condition.values[: most - 1], f"… {rest} more")
        return OneOf(condition.name, named, condition.or_missing)
    return condition


def all_of_shortened(conditions: Sequence[Condition], most: int) -> str:
    """The conditions joined by AND, each of them shortened."""
    return all_of([shortened(each, most) for each in conditions])
