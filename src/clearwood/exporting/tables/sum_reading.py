"""A SumReading: how the sums of a table become shares, and who answers; as lines of a file, read back, and in
sentences."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias, assert_never, get_args

import numpy as np

from clearwood.errors import SettingError
from clearwood.explaining.scorecard import Scorecard
from clearwood.models.decision import Cutoff, Decision, decided
from clearwood.models.model import AdditiveModel, LinearModel

AddsUp: TypeAlias = LinearModel | AdditiveModel | Scorecard
SumLink: TypeAlias = Literal["points", "log odds", "logistic", "softmax", "identity", "exp"]

_LINK: Final = "link"
_REFERENCE: Final = "reference class"
_FAVOURED: Final = "favoured class"
BASE: Final = "base"
DOUBLING: Final = "points that double the odds"
REFER: Final = "least probability of a prediction"


@dataclass(frozen=True, slots=True)
class SumReading:
    """What a table of sums states beside its lines.

    `of` are the classes that the sums speak for, in their order, and `against` is the class whose sum is
    always 0. With "points" a share of 1/2 is at `base`, and `doubling` points more double the odds. With "log
    odds" and "softmax" a class's share is e^sum over the total of all; "logistic" is that of one sum. Of the
    decision a sum has factors, costs, a cutoff and `refer`.
    """

    link: SumLink
    classes: tuple[str, ...]
    of: tuple[str, ...] = ()
    against: str | None = None
    base: float = 0.0
    doubling: float = 1.0
    decision: Decision = field(default_factory=Decision)

    @property
    def favours(self) -> str:
        """The class that a single sum speaks for."""
        return self.of[0]


def reading_of(model: AddsUp) -> SumReading:
    """How the sums of this scorecard or model are to be read."""
    classes = model.schema.classes
    match model:
        case Scorecard():
            other = next(each for each in classes if each != model.favours)
            # The start has the priors' factors already.
            decision = replace(model.decision, factors=())
            return SumReading(
                "points", classes, (model.favours,), other, model.base, model.points_per_doubling, decision
            )
        case LinearModel():
            return SumReading("log odds", classes, model.contrasts, model.against, decision=model.decision)
        case AdditiveModel():
            match model.link:
                case "identity" | "exp":
                    return SumReading(model.link, ())
                case "logistic":
                    return SumReading(model.link, classes, classes[1:], classes[0], decision=model.decision)
                case "softmax":
                    return SumReading(model.link, classes, classes, decision=model.decision)
                case _:
                    assert_never(model.link)
        case _:
            assert_never(model)


def statements_of(reading: SumReading) -> list[tuple[str, str | float]]:
    """What the reading states, each thing by its name, in the order of a file's lines."""
    decision = reading.decision
    stated: list[tuple[str, str | float]] = [(_LINK, reading.link)]
    if reading.link == "points":
        stated += [(_FAVOURED, reading.favours), (BASE, reading.base), (DOUBLING, reading.doubling)]
    elif reading.against is not None:
        stated.append((_REFERENCE, reading.against))
    stated += zip(map(factor_name, reading.classes), decision.factors, strict=False)
    if decision.cutoff is not None:
        stated.append((cutoff_name(decision.cutoff.positive), decision.cutoff.at))
    for true, costs in zip(reading.classes, decision.costs, strict=False):
        stated += [(cost_name(each, true), cost) for each, cost in zip(reading.classes, costs, strict=True)]
    if decision.refer is not None:
        stated.append((REFER, decision.refer))
    return stated


def reading_from(stated: Mapping[str, str], own: SumReading) -> SumReading:
    """The reading that such lines state of the sums and classes of another."""
    classes = own.classes
    left = dict(stated)

    def numbers(names: Iterable[str]) -> tuple[float, ...]:
        return tuple(float(left.pop(name)) for name in names if name in left)

    link = next((each for each in get_args(SumLink) if each == left.get(_LINK)), None)
    if link is None:
        raise SettingError(f"The table does not say how its sums become a prediction: a line '{_LINK}'.")
    del left[_LINK]
    factors = numbers(map(factor_name, classes))
    cutoffs = [Cutoff(each, at) for each in classes for at in numbers([cutoff_name(each)])]
    costs = tuple(numbers(cost_name(each, true) for each in classes) for true in classes)
    refer = next(iter(numbers([REFER])), None)
    decision = Decision(factors, costs if any(costs) else (), cutoffs[0] if cutoffs else None, refer)
    if link == "points":
        of = (left.pop(_FAVOURED),)
        against = next(each for each in classes if each not in of)
        base, doubling = float(left.pop(BASE)), float(left.pop(DOUBLING))
        if not doubling:
            raise SettingError("No number of points doubles the odds: the table has 0.")
        read = SumReading(link, classes, of, against, base, doubling, decision)
    else:
        read = SumReading(link, classes, own.of, left.pop(_REFERENCE, None), decision=decision)
    if left:
        raise SettingError(f"The table states what has no meaning there: {', '.join(left)}.")
    return read


def factor_name(name: str) -> str:
    """What the factor of a class is called."""
    return f"factor of {name}"


def cutoff_name(name: str) -> str:
    """What the least probability from which on a class is predicted is called."""
    return f"least probability of {name} to predict it"


def cost_name(name: str, true: str) -> str:
    """What the cost of an answer is called, where another class is true."""
    return f"cost of {name} where {true} is true"


# What sums come to: the shares and the answer, by what a table states and nothing else.


def answer_of_sums(reading: SumReading, sums: Sequence[float]) -> tuple[str | float | None, list[float]]:
    """The class or number, None where there is no answer; and the share of each class.

    >>> answer_of_sums(SumReading("points", ("bad", "good"), ("good",), "bad", 600.0, 20.0), [620.0])
    ('good', [0.33333333333333337, 0.6666666666666666])
    """
    decision, classes = reading.decision, reading.classes
    match reading.link:
        case "identity":
            return None if math.isnan(sums[0]) else sums[0], []
        case "exp":
            return math.exp(sums[0]) if sums[0] < 710 else math.inf, []
        case "points":
            doublings = (reading.base - sums[0]) / reading.doubling
            likely = 0.0 if doublings > 1000 else 1.0 / (1.0 + 2.0**doublings)
            shares = [likely if each == reading.favours else 1.0 - likely for each in classes]
        case "log odds" | "logistic" | "softmax":
            shares = _shares_of_odds(reading, sums)
        case _:
            assert_never(reading.link)
    if decision.by == "share" and decision.refer is None and reading.link in ("points", "log odds"):
        return _by_sums(reading, sums), shares
    code = int(decided(np.array([shares]), decision, classes)[0])
    return None if code < 0 else classes[code], shares


def _sums_by_class(reading: SumReading, sums: Sequence[float]) -> dict[str, float]:
    """The sum of each class that has one; that of the reference class is 0."""
    by_class = dict(zip(reading.of, sums, strict=True))
    return by_class if reading.against is None else {**by_class, reading.against: 0.0}


def _shares_of_odds(reading: SumReading, sums: Sequence[float]) -> list[float]:
    """e^sum times the class's factor over the total; a class without a sum has no share."""
    by_class = _sums_by_class(reading, sums)
    highest = max(by_class.values())  # taken from all, it changes no share, and no power is too large
    factors = reading.decision.factors or (1.0,) * len(reading.classes)
    raised = [
        factor * math.exp(by_class[each] - highest) if each in by_class else 0.0
        for each, factor in zip(reading.classes, factors, strict=True)
    ]
    total = sum(raised)
    return [each / total if total > 0 else 1.0 / len(raised) for each in raised]


def _by_sums(reading: SumReading, sums: Sequence[float]) -> str | None:
    """The class of the largest share by its sum, which tells more of them apart."""
    if reading.link == "points":
        return reading.favours if sums[0] > reading.base else reading.against
    factors = reading.decision.factors or (1.0,) * len(reading.classes)
    by_class = _sums_by_class(reading, sums)
    moved = {
        name: by_class[name] + math.log(factor)
        for name, factor in zip(reading.classes, factors, strict=True)
        if factor > 0 and name in by_class
    }
    return max(moved, key=moved.__getitem__)


# How sums are to be read, in sentences: how they become shares, and who answers.


FigureText: TypeAlias = Callable[[str], str]  # how the number of a statement is written, by its name


def sentences_of_reading(reading: SumReading, figure: FigureText) -> list[str]:
    """What becomes of the sums, and who answers; a number answers itself."""

    def by_class(names: Iterable[str]) -> str:
        return ", ".join(f"{each} {figure(name)}" for each, name in zip(reading.classes, names, strict=True))

    match reading.link:
        case "identity":
            return ["The sum is the prediction."]
        case "exp":
            return ["The prediction is e^sum."]
        case "points":
            power = f"({figure(BASE)} - S) / {figure(DOUBLING)}"
            said = [f"A sum of S points is a probability 1 / (1 + 2^({power})) of {reading.favours}."]
        case "logistic" if not reading.decision.factors:
            said = [f"A sum S is a probability 1 / (1 + e^-S) of {reading.favours}."]
        case "logistic" | "log odds" | "softmax":
            own = "" if reading.against is None else f"; the sum of {reading.against} is 0"
            factors = ""
            if reading.decision.factors:
                factors = f" times its factor ({by_class(map(factor_name, reading.classes))})"
            said = [f"A class's probability is e^sum{factors}, divided by the total of that of all{own}."]
        case _:
            assert_never(reading.link)
    decision = reading.decision
    match decision.by:
        case "cutoff":
            assert decision.cutoff is not None
            positive = decision.cutoff.positive
            at = figure(cutoff_name(positive))
            said.append(f"{positive} is predicted from a probability of {at} up, else the most likely other.")
        case "costs":
            costs = "; ".join(
                f"where {true} is true, {by_class(cost_name(each, true) for each in reading.classes)}"
                for true in reading.classes
            )
            said.append(f"The class of least expected cost is predicted. What predictions cost: {costs}.")
        case "share" if reading.link == "points" and decision.refer is None:
            said.append(
                f"Above {figure(BASE)} points {reading.favours} is predicted, else {reading.against}."
            )
        case "share":
            said.append("The class with the largest probability is predicted.")
        case _:
            assert_never(decision.by)
    if decision.refer is not None:
        said.append(f"Where the largest probability is below {figure(REFER)} there is no prediction.")
    return said
