"""One row by Bayes tables: what each column adds, unrolled into lists that Python adds up in microseconds."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from clearwood.models.bayes_tables import BayesTables
from clearwood.predict.bayes_terms import ROUNDING, Bell, ByValue, apart, log_priors, terms_of
from clearwood.table.attributes import Nominal, Ordinal

Joint: TypeAlias = Callable[[Sequence[Any]], list[float] | None]


def joint_of_one(model: BayesTables) -> Joint | None:
    """From a row's cells, in the order of the schema's inputs, to log P(class) + Σ log P(cell|class), but for
    what all classes share: of each cell the largest log is taken out, as in the batch.

    It answers None for a value that it does not know by this spelling, and where every class is impossible:
    those rows take the long way. Models with kernels, counts of things or words take it altogether.

    >>> from clearwood.models.distributions import Categorical
    >>> from clearwood.table.schema import Schema
    >>> schema = Schema((Nominal("Wind", ("Weak", "Strong")),), Nominal("Play", ("No", "Yes")))
    >>> joint = joint_of_one(BayesTables(schema, (2, 4), (Categorical("Wind", ((0, 2), (3, 1))),)))
    >>> [round(math.exp(each), 3) for each in joint(["Weak"])], joint(["Calm"])
    ([0.125, 0.667], None)
    """
    places = {attribute.name: place for place, attribute in enumerate(model.schema.inputs)}
    steps: list[Callable[[Any], Sequence[float] | None]] = []
    positions: list[int] = []
    for term in terms_of(model):
        if isinstance(term, ByValue):
            attribute, logs = model.schema[term.name], apart(term.logs).tolist()
            if term.cuts is not None:
                steps.append(_in_intervals(term.cuts, logs))
            else:
                assert isinstance(attribute, Nominal | Ordinal)
                steps.append(dict(zip(attribute.values, logs, strict=True)).get)
        elif isinstance(term, Bell):
            steps.append(_under_bells(term))
        else:
            return None
        positions.append(places[term.name])
    priors: list[float] = log_priors(model).tolist()
    plan = list(zip(positions, steps, strict=True))

    def joint(cells: Sequence[Any]) -> list[float] | None:
        sums = priors
        for position, step in plan:
            cell = cells[position]
            if cell is None or cell != cell:
                continue
            logs = step(cell)
            if logs is None:
                return None
            sums = [a + b for a, b in zip(sums, logs, strict=True)]
        return sums if max(sums) > -math.inf else None

    return joint


def first_of_largest(joint: list[float]) -> int:
    """The place of the largest log, or of the first that only rounding sets apart from it."""
    most = max(joint)
    level = most - ROUNDING * (1.0 + abs(most))
    return next(place for place, each in enumerate(joint) if each >= level)


def shares_of_joint(joint: list[float]) -> list[float]:
    """Logs as shares of their sum."""
    most = max(joint)
    level = most - ROUNDING * (1.0 + abs(most))
    raised = [1.0 if each >= level else math.exp(each - most) for each in joint]
    total = sum(raised)
    return [each / total for each in raised]


def _in_intervals(cuts: Sequence[float], logs: list[list[float]]) -> Callable[[Any], Sequence[float]]:
    return lambda cell: logs[bisect_left(cuts, cell)]


def _under_bells(term: Bell) -> Callable[[Any], Sequence[float]]:
    bells = list(zip(term.constants.tolist(), term.means.tolist(), term.precisions.tolist(), strict=True))

    def logs(cell: Any) -> list[float]:
        logs_by_class = [top - (cell - mean) * (cell - mean) * narrow for top, mean, narrow in bells]
        most = max(logs_by_class)
        return logs_by_class if most == -math.inf else [log - most for log in logs_by_class]

    return logs
