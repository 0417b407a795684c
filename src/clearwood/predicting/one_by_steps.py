"""One row by a tree that is unrolled into nested steps: the short way of rows that meet nothing unusual.

A step of a number is (position, limit, step if ≤, step if >); of a value (position, None, steps by
value, None); a leaf is (−1, its answer, its shares, its node).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from clearwood.models.deciding import ShareSmoothing
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import ROUNDING, Bell, ByValue, apart, log_priors, terms_of
from clearwood.models.kinds.tree.node_answers import node_codes, node_shares, node_values
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.attributes import Nominal, Numeric, Ordinal

RowStep: TypeAlias = tuple[int, Any, Any, Any]


def unrolled(tree: Tree, smoothing: ShareSmoothing) -> RowStep:
    """The tree as steps, children before parents: preorder read backwards."""
    n, attributes = tree.nodes, tree.schema.attributes
    place = {a.name: i for i, a in enumerate(tree.schema.inputs)}
    answers: list[Any]
    answer: list[Any]
    if tree.is_numeric:
        answers = answer = node_values(tree).tolist()
    else:
        answers = [tree.schema.classes[code] for code in node_codes(tree).tolist()]
        answer = node_shares(tree, smoothing).tolist()
    low, high, end, tested = n.low.tolist(), n.high.tolist(), n.end.tolist(), n.attribute.tolist()
    starts, codes = n.set_start.tolist(), n.set_codes.tolist()
    steps: list[RowStep] = [(-1, None, None, None)] * len(n)
    for node in range(len(n) - 1, -1, -1):
        if end[node] == node + 1:
            steps[node] = (-1, answers[node], answer[node], node)
            continue
        children = n.children(node)
        attribute = attributes[tested[node + 1]]
        position = place[attribute.name]
        if isinstance(attribute, Numeric):
            takers = [(low[c], high[c], steps[c]) for c in children if low[c] < high[c]]
            steps[node] = _cuts(position, takers)
        else:
            by_value: dict[str, RowStep] = {}
            for child in children:
                for code in codes[starts[child] : starts[child + 1]]:
                    by_value.setdefault(attribute.values[code], steps[child])
            steps[node] = (position, None, by_value, None)
    return steps[0]


def leaf_by_steps(step: RowStep | None, cells: Sequence[str | float | None]) -> RowStep | None:
    """The leaf, or None where there is none or the row meets something unusual."""
    if step is None:
        return None
    try:
        while True:
            position, limit, low, high = step
            if position < 0:
                return step
            cell = cells[position]
            if limit is None:
                step = low[cell]
            elif cell <= limit:
                step = low
            elif cell > limit:
                step = high
            else:
                return None
    except (TypeError, KeyError):
        return None


def _cuts(position: int, takers: list[tuple[float, float, RowStep]]) -> RowStep:
    """Intervals as a chain of cuts, split in the middle: a number meets about log2 of them."""
    limits = sorted({limit for low, high, _ in takers for limit in (low, high) if math.isfinite(limit)})
    ends = [-math.inf, *limits, math.inf]
    nowhere: RowStep = (position, None, {}, None)
    stretches = [
        next((then for low, high, then in takers if low <= ends[i] and ends[i + 1] <= high), nowhere)
        for i in range(len(ends) - 1)
    ]

    def between(first: int, stop: int) -> RowStep:
        if stop - first == 1:
            return stretches[first]
        middle = (first + stop) // 2
        return (position, ends[middle], between(first, middle), between(middle, stop))

    # Even a single interval must look at its cell, which may be empty.
    return between(0, len(stretches)) if limits else (position, math.inf, stretches[0], nowhere)


# One row by Bayes tables: what each column adds, unrolled into lists that Python adds up in microseconds.


Joint: TypeAlias = Callable[[Sequence[Any]], list[float] | None]


def joint_of_one(model: BayesTables) -> Joint | None:
    """From a row's cells, in the order of the schema's inputs, to log P(class) + Σ log P(cell|class), but for
    what all classes share: of each cell the largest log is taken out, as in the batch.

    It answers None for a value that it does not know by this spelling, and where every class is impossible:
    those rows take the long way. Models with kernels, counts of things or words take it altogether.

    >>> from clearwood.models.kinds.bayes.distributions import Categorical
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
