"""What sums come to: the shares and the answer, by what a table states and nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

from clearwood.export.tables.sum_reading import SumReading


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
