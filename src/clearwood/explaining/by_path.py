"""By path: the questions one row met in a tree, how near it came to a threshold, and where its gaps led."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from clearwood.explaining.contributions import Contributions, contributions, contributions_by
from clearwood.explaining.evidence import Standing
from clearwood.explaining.one_row import standing_of
from clearwood.explaining.reasons import counts_by_name
from clearwood.explaining.shap import ShapValues
from clearwood.formulas.conditions import Condition, OnNumbers, limits_of
from clearwood.measures.inference import wilson
from clearwood.models.kinds.ensemble.ensemble import Combined, Ensemble, score_name
from clearwood.models.kinds.tree.tree import Tree, node_codes, node_values, shown_shares, weighted_counts
from clearwood.models.model import holds_medians, kept
from clearwood.models.routing import Because, Way, route_at, ways
from clearwood.predicting.batch import answers_by_member, scores_of_ensemble
from clearwood.predicting.columns import table_of_row
from clearwood.predicting.of_trees import node_reach
from clearwood.records import json_of, json_with
from clearwood.table.raw import Cell, Row

Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SurrogateUsed:
    """A surrogate that answered for an empty cell: its condition, the row's cell there, and the part of the
    training rows that it sends as the split does."""

    when: Condition
    cell: Cell
    agreement: float

    def to_json(self) -> dict[str, Any]:
        return {"condition": str(self.when), "column": self.when.name, **json_of(self, "when")}


@dataclass(frozen=True, slots=True)
class PathStep:
    """A branch that the row followed with `share` of what came to its split, and what decided that: its own
    cell, a surrogate, the split's `otherwise`, or nothing, so that every branch took its share."""

    node: int  # the node that the branch leads to
    when: Condition
    cell: Cell
    standing: Standing
    by: Because
    share: float = 1.0
    surrogate: SurrogateUsed | None = None

    @property
    def threshold(self) -> float | None:
        """The nearest limit of the branch's condition; None where no number was compared."""
        if self.by != "cell" or not isinstance(self.cell, float) or not isinstance(self.when, OnNumbers):
            return None
        limits = [each.number for each in limits_of(self.when) if math.isfinite(each.number)]
        return min(limits, key=lambda limit: abs(limit - float(self.cell or 0.0)), default=None)

    @property
    def distance(self) -> float | None:
        """How far the number is from that limit."""
        return None if self.threshold is None else abs(float(self.cell or 0.0) - self.threshold)

    def to_json(self) -> dict[str, Any]:
        figures = json_with(self, "cell", "standing", "by", "share", "threshold", "distance", "surrogate")
        return {"node": self.node, "condition": str(self.when), "column": self.when.name, **figures}


@dataclass(frozen=True, slots=True)
class Arrival:
    """A leaf that the row came to with `weight` of it, and the leaf's answer.

    `counts` are the training rows behind its answer: the leaf's own, or where it met none (`borrowed`) those
    of the nearest node above. `interval` holds that of the prediction, with 95 %; None of medians.
    """

    node: int
    steps: tuple[PathStep, ...]
    weight: float
    counts: tuple[float, ...]
    borrowed: bool
    answer: str | float
    share: float | None  # of the answer; None of a number
    interval: Interval | None

    def to_json(self, classes: tuple[str, ...]) -> dict[str, Any]:
        counts = counts_by_name(classes, self.counts)
        answer = json_with(self, "borrowed", "answer", "share", "interval")
        return {**json_with(self, "node", "weight", "steps"), "counts": counts, **answer}


@dataclass(frozen=True, slots=True)
class ByPath:
    """Every leaf that the row came to, in the order of the branches; most rows come to one."""

    classes: tuple[str, ...]
    leaves: tuple[Arrival, ...]

    def to_json(self) -> dict[str, Any]:
        return {"by": "path", "leaves": [leaf.to_json(self.classes) for leaf in self.leaves]}


def path_of(tree: Tree, row: Row) -> ByPath:
    """How the row went down the tree."""
    answers = _node_answers(tree)
    arrivals: list[Arrival] = []
    waiting: list[tuple[int, float, tuple[PathStep, ...]]] = [(0, 1.0, ())]
    while waiting:
        node, weight, steps = waiting.pop()
        if answers.is_leaf[node]:
            arrivals.append(answers.arrival(node, weight, steps))
            continue
        onward = [(step.node, weight * step.share, (*steps, step)) for step in _steps(tree, node, row)]
        waiting.extend(reversed(onward))
    return ByPath(tree.schema.classes, tuple(arrivals))


def _steps(tree: Tree, node: int, row: Row) -> Iterator[PathStep]:
    """The branches that the row follows from a split."""
    children = tree.nodes.children(node)
    name = tree.schema.attributes[int(tree.nodes.attribute[children[0]])].name
    standing = standing_of(tree.schema[name], row[name])
    for way in ways(route_at(tree, node), row):
        child = children[way.branch]
        surrogate = _surrogate_used(tree, node, way, row)
        yield PathStep(child, tree.condition(child), row[name], standing, way.because, way.part, surrogate)


def _surrogate_used(tree: Tree, node: int, way: Way, row: Row) -> SurrogateUsed | None:
    """The side of the surrogate that sent the row, if one did."""
    if way.surrogate is None:
        return None
    surrogate = tree.surrogates(node)[way.surrogate]
    when = surrogate.when if way.branch == surrogate.then else surrogate.otherwise
    return SurrogateUsed(when, row[when.name], surrogate.agreement)


@kept
def _node_answers(tree: Tree) -> _NodeAnswers:
    return _NodeAnswers(tree)


class _NodeAnswers:
    """The answers of a tree's nodes, worked out once."""

    def __init__(self, tree: Tree) -> None:
        self.is_leaf: list[bool] = tree.nodes.is_leaf.tolist()
        self._classes, self._is_numeric = tree.schema.classes, tree.is_numeric
        self._counts = weighted_counts(tree, factors=False)
        self._is_own = (self._counts == tree.nodes.counts).all(axis=1).tolist()
        if tree.is_numeric:
            self._values = node_values(tree)
            self._reach = None if holds_medians(tree) or tree.answers == "step" else node_reach(tree)
        else:
            self._shares = shown_shares(tree)
            self._codes = node_codes(tree)

    def arrival(self, node: int, weight: float, steps: tuple[PathStep, ...]) -> Arrival:
        counts: tuple[float, ...] = tuple(self._counts[node].tolist())
        borrowed = not self._is_own[node]
        if self._is_numeric:
            value = float(self._values[node])
            reach = None if self._reach is None else float(self._reach[node])
            interval = None if reach is None else (value - reach, value + reach)
            return Arrival(node, steps, weight, counts, borrowed, value, None, interval)
        code = int(self._codes[node])
        share, rows = float(self._shares[node, code]), sum(counts)
        low, high = wilson(share * rows, rows)
        answer = self._classes[code]
        return Arrival(node, steps, weight, counts, borrowed, answer, share, (float(low), float(high)))


# By members: how many members of an ensemble say what, and what their answers come to.


@dataclass(frozen=True, slots=True)
class Voice:
    """The members that say one thing: the class, how many they are, and their part of all weight."""

    called: str
    members: int
    part: float

    def to_json(self) -> dict[str, Any]:
        return {"class": self.called, **json_of(self, "called")}


@dataclass(frozen=True, slots=True)
class ByMembers:
    """How far the members agree.

    Of classes `voices` has those that members favour, the weightiest first. Of numbers `spread` is the
    least, the median and the greatest of the members' answers. Of a sum `scores` is by score its base and
    what all members together make of it. Of trees `contributions` has what each cell adds to the answer.
    """

    members: int
    combined_by: Combined
    voices: tuple[Voice, ...] = ()
    spread: tuple[float, float, float] | None = None
    scores: Mapping[str, tuple[float, float]] | None = None
    contributions: Contributions | None = None

    def to_json(self) -> dict[str, Any]:
        scores = (self.scores or {}).items()
        sums = {name: {"base": base, "sum": total} for name, (base, total) in scores}
        return {"by": "members", **json_of(self, scores=sums or None)}


def members_for(model: Ensemble, row: Row, answer: str = "", values: ShapValues | None = None) -> ByMembers:
    """What the members say of one row and, of trees, what each cell adds to the class answered; `values` are
    the row's SHAP values where they are known."""
    said = _voices(model, row, answer)
    if not all(isinstance(each, Tree) for each in model.models):
        return said
    called = answer if answer in model.schema.classes else None
    if values is None:
        return replace(said, contributions=contributions(model, row, called))
    return replace(said, contributions=contributions_by(model, row, values, called))


def _voices(model: Ensemble, row: Row, answer: str) -> ByMembers:
    table = table_of_row(model, row)
    if model.combined_by == "sum":
        totals = scores_of_ensemble(model, table)[0].tolist()
        names = [score_name(model.schema, model.link, place) for place in range(len(model.base))]
        scores = dict(zip(names, zip(model.base, totals, strict=True), strict=True))
        if model.link == "logistic" and answer == model.schema.classes[0]:
            # Told of the class answered, as the contributions are.
            scores = {f"log odds of {answer}": (-model.base[0], -totals[0])}
        return ByMembers(model.size, "sum", scores=scores)
    said = answers_by_member(model, table)[0]  # [member, ·]
    if model.is_numeric:
        known = said[~np.isnan(said)]
        spread = (float(known.min()), float(np.median(known)), float(known.max())) if known.size else None
        return ByMembers(model.size, model.combined_by, spread=spread)
    weights = np.array(model.weights or [1.0] * model.size)
    favoured = np.where((said > 0).any(axis=1), said.argmax(axis=1), -1)
    voices = [
        Voice(name, int((favoured == place).sum()), float(weights[favoured == place].sum() / weights.sum()))
        for place, name in enumerate(model.schema.classes)
    ]
    heard = sorted((each for each in voices if each.members), key=lambda each: -each.part)
    return ByMembers(model.size, model.combined_by, tuple(heard))
