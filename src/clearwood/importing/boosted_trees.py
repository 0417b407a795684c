"""Boosted trees of LightGBM and XGBoost in one form, and the sum of steps that is made of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clearwood.counting.question import Takes
from clearwood.errors import ModelFileError
from clearwood.importing.draft_trees import (
    DraftLeaf,
    DraftNode,
    DraftSplit,
    TwoSides,
    bottom_up,
    nodes_of,
    two_branches,
)
from clearwood.importing.features import LookupFeature
from clearwood.importing.given import GivenNames, spelled_value
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Link
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.lineage import Origin
from clearwood.table.attributes import Attribute, Nominal, Numeric
from clearwood.table.schema import Schema


@dataclass(frozen=True, slots=True)
class BoostedLeaf:
    """A step, and the weight of the rows that it is for."""

    step: float
    weight: float


@dataclass(frozen=True, slots=True)
class BoostedSplit:
    """A split of a feature: its two sides, or more pieces where a side is not one interval, each with the
    side that it goes to (0: left)."""

    feature: int
    left: int
    right: int
    sides: TwoSides | tuple[tuple[Takes, int], ...]
    gain: float


BoostedTree = Mapping[int, BoostedSplit | BoostedLeaf]  # by number; 0 is the root


@dataclass(frozen=True, slots=True)
class BoostedModel:
    """The trees in order, the score that each adds to, and what becomes of the scores."""

    trees: Sequence[BoostedTree]
    adds_to: Sequence[int]
    base: tuple[float, ...]
    link: Link
    weights: tuple[float, ...] = ()
    quantile: float | None = None


def schema_of(
    names: Sequence[str],
    categories: Mapping[int, Sequence[Any]],
    given: GivenNames,
    classes: Sequence[str] | None,
    target: str | None = None,
) -> Schema:
    """The columns, those with categories nominal, and the target: these classes, or a number."""
    given.check_values(names)
    attributes: list[Attribute] = []
    for place, name in enumerate(names):
        values = given.values.get(name)
        if values is None and place in categories:
            values = tuple(map(spelled_value, categories[place]))
        attributes.append(Numeric(name) if values is None else Nominal(name, values))
    named = given.target_name(target)
    return Schema(tuple(attributes), Numeric(named) if classes is None else Nominal(named, tuple(classes)))


def lookup_of(schema: Schema, place: int) -> LookupFeature | None:
    """The feature of a column of values, which are the numbers 0, 1, 2, …; None of a number."""
    attribute = schema.attributes[place]
    if not isinstance(attribute, Nominal):
        return None
    return LookupFeature(attribute.name, attribute.values, tuple(map(float, range(len(attribute.values)))))


def sum_of_trees(boosted: BoostedModel, schema: Schema, origin: Origin) -> Ensemble:
    """The sum of the trees."""
    nodes = []
    for place, tree in enumerate(boosted.trees):
        try:
            nodes.append(nodes_of(_draft(tree), schema, is_step=True, scores=1))
        except ModelFileError as error:
            raise ModelFileError(f"tree {place}: {error}") from None
    if not nodes:
        raise ModelFileError("The model has no trees. Train it for at least one round.")
    return Ensemble(
        schema,
        joined_trees(nodes, "step", adds_to=boosted.adds_to, score_names=("gain",)),
        weights=boosted.weights,
        combined_by="sum",
        base=boosted.base,
        link=boosted.link,
        quantile=boosted.quantile,
        origin=origin,
    )


def _draft(tree: BoostedTree) -> DraftNode:
    drafts: dict[int, DraftNode] = {}
    for number in bottom_up(0, lambda node: _below(tree, node), len(tree)):
        node = tree[number]
        if isinstance(node, BoostedLeaf):
            drafts[number] = DraftLeaf((node.weight, node.step, 0.0))
            continue
        left, right = drafts[node.left], drafts[node.right]
        counts, score = _mean(left, right), (max(node.gain, 0.0) if math.isfinite(node.gain) else 0.0,)
        if isinstance(node.sides, TwoSides):
            drafts[number] = two_branches(
                counts, node.feature, node.sides, left, right, is_numeric=True, scores=score
            )
        else:
            drafts[number] = DraftSplit(
                counts,
                node.feature,
                tuple(takes for takes, _ in node.sides),
                tuple((left, right)[side] for _, side in node.sides),
                scores=score,
                copies=tuple(len([1 for _, other in node.sides if other == side]) for _, side in node.sides),
            )
    return drafts[0]


def _below(tree: BoostedTree, number: int) -> tuple[int, ...]:
    if number not in tree:
        raise ModelFileError(f"there is no node {number}.")
    node = tree[number]
    return () if isinstance(node, BoostedLeaf) else (node.left, node.right)


def _mean(left: DraftNode, right: DraftNode) -> tuple[float, float, float]:
    """The weight of two nodes together, and the mean of their steps."""
    one, other = left.counts, right.counts
    weight = one[0] + other[0]
    step = (one[0] * one[1] + other[0] * other[1]) / weight if weight > 0 else (one[1] + other[1]) / 2
    return (weight, step, 0.0)
