"""A SumReading: how the sums of a table become shares, and who answers; as lines of a file and read back."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, assert_never, get_args

from clearwood.errors import SettingError
from clearwood.explaining.scorecard import Scorecard
from clearwood.models.decision import Cutoff, Decision
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
            decision = Decision(
                costs=model.decision.costs, cutoff=model.decision.cutoff, refer=model.decision.refer
            )
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
    if decision.factors:
        stated += [
            (factor_name(each), by) for each, by in zip(reading.classes, decision.factors, strict=True)
        ]
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
    link = next((each for each in get_args(SumLink) if each == left.get(_LINK)), None)
    if link is None:
        raise SettingError(f"The table does not say how its sums become a prediction: a line '{_LINK}'.")
    del left[_LINK]
    factors = tuple(float(left.pop(factor_name(each))) for each in classes if factor_name(each) in left)
    cutoffs = [
        Cutoff(each, float(left.pop(cutoff_name(each)))) for each in classes if cutoff_name(each) in left
    ]
    costs = tuple(
        tuple(float(left.pop(cost_name(each, true))) for each in classes if cost_name(each, true) in left)
        for true in classes
    )
    refer = left.pop(REFER, None)
    decision = Decision(
        factors=factors,
        costs=costs if any(costs) else (),
        cutoff=cutoffs[0] if cutoffs else None,
        refer=None if refer is None else float(refer),
    )
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
    match reading.link:
        case "identity":
            return _number(sums[0]), []
        case "exp":
            return _number(math.exp(sums[0]) if sums[0] < 710 else math.inf), []
        case "points":
            likely = _share_of_points(reading, sums[0])
            shares = [likely if each == reading.favours else 1.0 - likely for each in reading.classes]
        case "log odds" | "logistic" | "softmax":
            shares = _shares_of_odds(reading, sums)
        case _:
            assert_never(reading.link)
    return _answer(reading, sums, shares), shares


def _number(sum_: float) -> float | None:
    return None if math.isnan(sum_) else sum_


def _share_of_points(reading: SumReading, points: float) -> float:
    doublings = (reading.base - points) / reading.doubling
    return 0.0 if doublings > 1000 else 1.0 / (1.0 + 2.0**doublings)


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


def _answer(reading: SumReading, sums: Sequence[float], shares: Sequence[float]) -> str | None:
    """The first of the best, where several are."""
    decision, classes = reading.decision, reading.classes
    if decision.refer is not None and max(shares) < decision.refer:
        return None
    by_share = dict(zip(classes, shares, strict=True))
    match decision.by:
        case "cutoff":
            assert decision.cutoff is not None
            positive = decision.cutoff.positive
            others = [each for each in classes if each != positive]
            if by_share[positive] >= decision.cutoff.at or not others:
                return positive
            return max(others, key=by_share.__getitem__)
        case "costs":
            expected = [
                sum(share * row[called] for share, row in zip(shares, decision.costs, strict=True))
                for called in range(len(classes))
            ]
            return classes[expected.index(min(expected))]
        case "share":
            if decision.refer is None and reading.link in ("points", "log odds"):
                return _by_sums(reading, sums)
            return max(classes, key=by_share.__getitem__)
        case _:
            assert_never(decision.by)


def _by_sums(reading: SumReading, sums: Sequence[float]) -> str:
    """The class of the largest share by its sum, which tells more of them apart."""
    if reading.link == "points":
        assert reading.against is not None
        return reading.favours if sums[0] > reading.base else reading.against
    factors = reading.decision.factors or (1.0,) * len(reading.classes)
    logs = {name: math.log(by) for name, by in zip(reading.classes, factors, strict=True) if by > 0}
    moved = {name: own + logs[name] for name, own in _sums_by_class(reading, sums).items() if name in logs}
    return max((each for each in reading.classes if each in moved), key=moved.__getitem__)
