"""The nodes of a PMML tree with what each answers: its score, and the counts behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from clearwood.errors import ModelFileError
from clearwood.importing.draft_trees import bottom_up
from clearwood.importing.pmml.elements import Element, as_number
from clearwood.importing.pmml.fields import PmmlFields
from clearwood.importing.pmml.predicates import Always, Predicate, predicate_of
from clearwood.models.kinds.rules.rule_list import Answer
from clearwood.table.attributes import Numeric

MissingStrategy: TypeAlias = Literal[
    "none", "nullPrediction", "lastPrediction", "defaultChild", "weightedConfidence", "aggregateNodes"
]
_STRATEGIES: Final[tuple[MissingStrategy, ...]] = get_args(MissingStrategy)


@dataclass(frozen=True, slots=True)
class PmmlAnswer:
    """What a node or a rule answers: its score and the counts behind it, as models here have them."""

    then: Answer
    counts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PmmlNode:
    """A node; `answer` is None where it has no score. `weight` is the number of its training rows, if
    known."""

    predicate: Predicate
    answer: PmmlAnswer | None
    weight: float | None
    below: tuple[PmmlNode, ...] = ()
    default: int | None = None  # the child of a row whose predicate is unknown


@dataclass(frozen=True, slots=True)
class PmmlTree:
    """The root, and what happens where a predicate is unknown, and where no child's predicate holds."""

    root: PmmlNode
    missing: MissingStrategy
    returns_last: bool


def tree_in(model: Element, fields: PmmlFields) -> PmmlTree:
    """The tree of a TreeModel."""
    strategy = model.get("missingValueStrategy", "none")
    if strategy not in _STRATEGIES:
        raise ModelFileError(f"{model.where}: the missingValueStrategy '{strategy}' is not known.")
    if model.number("missingValuePenalty", 1.0) != 1.0:
        raise ModelFileError(
            f"{model.where}: a missingValuePenalty lowers confidences, which is not done here."
        )
    root = model.first("Node")
    if root is None:
        raise ModelFileError(f"{model.where}: there is no Node. A decision tree elsewhere is not read.")
    returns_last = model.get("noTrueChildStrategy", "returnNullPrediction") == "returnLastPrediction"
    return PmmlTree(_node(root, fields), strategy, returns_last)


def _node(root: Element, fields: PmmlFields) -> PmmlNode:
    elements: dict[int, Element] = {id(root): root}
    for element in root.below():
        if element.name in ("Regression", "DecisionTree", "EmbeddedModel"):
            raise ModelFileError(f"{element.where}: a model within a node is not read here.")
        elements[id(element)] = element
    made: dict[int, PmmlNode] = {}
    for key in bottom_up(id(root), lambda each: [id(e) for e in elements[each].all("Node")], len(elements)):
        element = elements[key]
        children = element.all("Node")
        made[key] = PmmlNode(
            predicate_of(element, fields.by_name),
            answer_of(element, fields),
            element.number("recordCount"),
            tuple(made[id(child)] for child in children),
            _default(element, children),
        )
    node = made[id(root)]
    if node.predicate != Always(True):
        raise ModelFileError(
            f"{root.where}: the root asks something; only a root that takes every row is read."
        )
    return node


def _default(element: Element, children: list[Element]) -> int | None:
    if "defaultChild" not in element.attributes:
        return None
    ids = [child.get("id") for child in children]
    if element.get("defaultChild") not in ids:
        raise ModelFileError(
            f"{element.where}: defaultChild '{element.get('defaultChild')}' is no child of it."
        )
    return ids.index(element.get("defaultChild"))


def answer_of(element: Element, fields: PmmlFields) -> PmmlAnswer | None:
    """What a Node or a SimpleRule answers; None without a score."""
    schema = fields.schema
    weight = element.number("recordCount")
    if isinstance(schema.target, Numeric):
        if "score" not in element.attributes:
            return None
        value = as_number(element.get("score"), f"{element.where}: score")
        return PmmlAnswer(value, (weight if weight is not None and weight > 0 else 1.0, value, 0.0))
    places = fields.places
    counts = _distribution(element, places)
    score = element.attributes.get("score")
    if score is None:
        if not sum(counts) > 0:
            return None
        return PmmlAnswer(schema.classes[counts.index(max(counts))], tuple(counts))
    if score not in places:
        raise ModelFileError(f"{element.where}: the score '{score}' is no class of the target.")
    if not sum(counts) > 0:
        counts[places[score]] = weight if weight is not None and weight > 0 else 1.0
    return PmmlAnswer(schema.classes[places[score]], tuple(counts))


def _distribution(element: Element, places: Mapping[str, int]) -> list[float]:
    """The counts of the ScoreDistribution; where it has probabilities, they are what shares come to."""
    counts = [0.0] * len(places)
    given = element.all("ScoreDistribution")
    for each in given:
        if each.get("value") not in places:
            raise ModelFileError(f"{each.where}: '{each.get('value')}' is no class of the target.")
        count = each.number("recordCount", 0.0) or 0.0
        if count < 0:
            raise ModelFileError(f"{each.where}: a recordCount must not be below 0.")
        counts[places[each.get("value")]] = count
    if given and all("probability" in each.attributes for each in given):
        total = sum(counts) or 1.0
        for each in given:
            counts[places[each.get("value")]] = total * (each.number("probability") or 0.0)
    return counts


def training_rows_in(root: Element) -> float:
    """How many training rows a node had, by its own count or by those below it; 0 where nothing counts."""
    total, waiting = 0.0, [root]
    while waiting:
        element = waiting.pop()
        own = element.number("recordCount")
        if own is None:
            given = [each.number("recordCount") for each in element.all("ScoreDistribution")]
            own = sum(each or 0.0 for each in given) if any(each is not None for each in given) else None
        if own is None:
            waiting += element.all("Node")
        else:
            total += own
    return total


def node_weights(nodes: tuple[PmmlNode, ...]) -> list[float]:
    """What children weigh: their recordCount, else the counts behind their answers."""
    weights = []
    for node in nodes:
        if node.weight is not None:
            weights.append(node.weight)
        elif node.answer is not None:
            weights.append(sum(node.answer.counts))
        else:
            weights.append(1.0)
    return weights
