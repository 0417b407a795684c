"""A MiningModel: trees that are averaged, that vote, or that are added up and linked by a RegressionModel."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.errors import ClearwoodWarning, ModelFileError
from clearwood.importing.draft_trees import DraftNode, nodes_of
from clearwood.importing.pmml.as_tree import tree_draft
from clearwood.importing.pmml.cascade import EnsemblePart, NotATreeError, SplitWriter
from clearwood.importing.pmml.derived import inner_fields
from clearwood.importing.pmml.elements import Element
from clearwood.importing.pmml.fields import PmmlFields, check_targets
from clearwood.importing.pmml.predicates import Always, predicate_of
from clearwood.importing.pmml.tree_nodes import PmmlTree, tree_in
from clearwood.models.kinds.ensemble.ensemble import Combined, Link
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.lineage import Origin
from clearwood.models.model import Ensemble, Model, Tree
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema

MODELS: Final = ("TreeModel", "RuleSetModel", "RegressionModel", "NaiveBayesModel", "MiningModel")
_COMBINED: Final[dict[str, Combined]] = {
    "average": "mean",
    "weightedAverage": "mean",
    "majorityVote": "votes",
    "weightedMajorityVote": "votes",
}
_SUMS: Final = ("sum", "weightedSum", "average", "weightedAverage")
_READ: Final = (*_COMBINED, "sum", "weightedSum", "modelChain", "selectFirst")


def mining_model_in(model: Element, fields: PmmlFields, origin: Origin) -> Model:
    """The ensemble, by the way in which its segments are combined."""
    segmentation, method = _segmentation(model)
    classifies = not isinstance(fields.schema.target, Numeric)
    if method == "modelChain":
        return _chain(model, segmentation, fields, origin)
    if method == "selectFirst":
        return _first(model, segmentation, fields, origin)
    if method in _SUMS and not classifies:
        score = added_score(model, fields, is_document=True)
        return _sum([score], [((0, 1.0),)], (0.0,), "identity", fields.schema, origin)
    if method not in _COMBINED or not classifies:
        raise ModelFileError(
            f"{segmentation.where}: the multipleModelMethod '{method}' of a {model.get('functionName')} "
            f"cannot be said here. Those that can: {', '.join(_READ)}."
        )
    check_targets(model)
    combined = _COMBINED[method]
    part: EnsemblePart = "votes" if combined == "votes" else "mean"
    trees = _Trees(segmentation, fields, fields.schema, part)
    return Ensemble(
        fields.schema,
        joined_trees([nodes_of(each, fields.schema) for each in trees.drafts], "shares"),
        weights=trees.weights if method.startswith("weighted") else (),
        combined_by=combined,
        origin=origin,
    )


def _segmentation(model: Element) -> tuple[Element, str]:
    segmentation = model.first("Segmentation")
    if segmentation is None:
        raise ModelFileError(f"{model.where}: there is no Segmentation.")
    return segmentation, segmentation.get("multipleModelMethod")


def _model_in(segment: Element) -> Element:
    found = segment.first(*MODELS)
    if found is None:
        named = [each.name for each in segment.children if each.name.endswith(("Model", "Scorecard"))]
        raise ModelFileError(
            f"{segment.where}: a {' '.join(named) or 'segment without a model'} is not read."
        )
    return found


class _Trees:
    """The trees of a segmentation as drafts, and what each weighs."""

    def __init__(self, segmentation: Element, fields: PmmlFields, schema: Schema, part: EnsemblePart) -> None:
        segments = segmentation.all("Segment")
        if not segments:
            raise ModelFileError(f"{segmentation.where}: there is no Segment.")
        self.drafts: list[DraftNode] = []
        self.weights = tuple(segment.number("weight", 1.0) or 0.0 for segment in segments)
        silent = 0
        for segment in segments:
            if predicate_of(segment, fields.by_name) != Always(True):
                raise ModelFileError(
                    f"{segment.where}: a segment for some rows only is read in a 'selectFirst' alone."
                )
            model = _model_in(segment)
            tree = _tree_of(model, fields)
            draft, is_silent = _draft(model, tree, schema, part)
            self.drafts.append(draft)
            silent += is_silent
        if silent:
            _warn_of_silence(segmentation, silent, len(segments))


def _tree_of(model: Element, fields: PmmlFields) -> PmmlTree:
    if model.name != "TreeModel":
        raise ModelFileError(f"{model.where}: an ensemble of trees is read, not of a {model.name}.")
    check_targets(model)
    return tree_in(model, inner_fields(fields, model))


def _draft(model: Element, tree: PmmlTree, schema: Schema, part: EnsemblePart) -> tuple[DraftNode, bool]:
    try:
        return tree_draft(tree, schema, part)
    except NotATreeError as error:
        raise ModelFileError(
            f"{model.where}: {error}, which a tree of an ensemble here cannot say."
        ) from None


def _warn_of_silence(segmentation: Element, silent: int, trees: int) -> None:
    if segmentation.get("missingPredictionTreatment", "continue") == "skipSegment":
        raise ModelFileError(
            f"{segmentation.where}: trees without a prediction for a row are left out (skipSegment), which "
            "an ensemble here cannot say."
        )
    warnings.warn(
        f"{silent} of {trees} trees give no prediction where a cell that they ask is empty, and then neither "
        "does the document; an ensemble here predicts every row, and such a cell follows the heavier branch.",
        ClearwoodWarning,
        stacklevel=2,
    )


@dataclass(frozen=True)
class AddedScore:
    """Trees whose numbers are added up to a score: trees, what each counts, and what is added at the end."""

    trees: Sequence[DraftNode]
    weights: Sequence[float]
    constant: float


def added_score(model: Element, fields: PmmlFields, *, is_document: bool = False) -> AddedScore:
    """The score that a model of numbers is: a tree, or a MiningModel of trees that are added or averaged;
    `is_document`: the document's own model, whose fields these are."""
    inside = fields if is_document else inner_fields(fields, model)
    schema = replace(fields.schema, target=Numeric(_unused(fields.schema)))
    numeric = replace(inside, schema=schema)
    if model.get("functionName") != "regression":
        raise ModelFileError(f"{model.where}: a score is the number of a regression, not of another model.")
    check_targets(model, may_rescale=True)
    constant, factor = _rescaling(model)
    if model.name == "TreeModel":
        tree = tree_in(model, numeric)
        draft, is_silent = _draft(model, tree, schema, "mean")
        if is_silent:
            _warn_of_silence(model, 1, 1)
        return AddedScore([draft], [factor], constant)
    if model.name != "MiningModel":
        raise ModelFileError(f"{model.where}: a score is made by trees, not by a {model.name}.")
    segmentation, method = _segmentation(model)
    if method not in _SUMS:
        raise ModelFileError(
            f"{segmentation.where}: the multipleModelMethod '{method}' of a score cannot be said here. Those "
            f"that can: {', '.join(_SUMS)}."
        )
    trees = _Trees(segmentation, numeric, schema, "mean")
    weights = trees.weights if method.startswith("weighted") else (1.0,) * len(trees.drafts)
    total = sum(weights) if method.endswith(("average", "Average")) else 1.0
    if not total:
        raise ModelFileError(f"{segmentation.where}: the segment weights sum to 0.")
    return AddedScore(trees.drafts, [factor * each / total for each in weights], constant)


def _unused(schema: Schema) -> str:
    """The name of a score, which no column may have."""
    name = "score"
    while name in schema.positions:
        name += " "
    return name


def _rescaling(model: Element) -> tuple[float, float]:
    targets = model.first("Targets")
    target = None if targets is None else targets.first("Target")
    if target is None:
        return 0.0, 1.0
    return target.number("rescaleConstant", 0.0) or 0.0, target.number("rescaleFactor", 1.0) or 0.0


Parts = tuple[tuple[int, float], ...]  # which scores are added, times what


def _sum(
    scores: Sequence[AddedScore],
    parts: Sequence[Parts],
    intercepts: Sequence[float],
    link: Link,
    schema: Schema,
    origin: Origin,
) -> Ensemble:
    """The sum of trees, whose steps are their numbers times what they count."""
    nodes: list[Nodes] = []
    adds_to: list[int] = []
    base = list(intercepts)
    for place, own in enumerate(parts):
        for at, factor in own:
            score = scores[at]
            base[place] += factor * score.constant
            for draft, weight in zip(score.trees, score.weights, strict=True):
                made = nodes_of(draft, schema, is_step=True)
                nodes.append(_times(made, factor * weight))
                adds_to.append(place)
    if not nodes:
        raise ModelFileError("No trees are added up in this MiningModel.")
    trees = joined_trees(nodes, "step", adds_to=adds_to)
    return Ensemble(schema, trees, combined_by="sum", base=tuple(base), link=link, origin=origin)


def _times(nodes: Nodes, factor: float) -> Nodes:
    if factor == 1.0:
        return nodes
    counts = nodes.counts * np.array([1.0, factor, 1.0])
    return replace(nodes, counts=counts)


def _chain(model: Element, segmentation: Element, fields: PmmlFields, origin: Origin) -> Model:
    """Scores one after another, and a RegressionModel that links them, as the last."""
    check_targets(model)
    *before, last = segmentation.all("Segment") or [segmentation]
    scores: list[AddedScore] = []
    places: dict[str, int] = {}
    for segment in before:
        if predicate_of(segment, fields.by_name) != Always(True):
            raise ModelFileError(
                f"{segment.where}: a chain whose links depend on the row cannot be said here."
            )
        own = _model_in(segment)
        places[_output_of(own)] = len(scores)
        scores.append(added_score(own, fields))
    final = _model_in(last)
    if not before or final.name != "RegressionModel":
        raise ModelFileError(
            f"{final.where}: a modelChain is read whose models of numbers are followed by a RegressionModel."
        )

    def made(parts: Sequence[Parts], intercepts: Sequence[float], link: Link) -> Model:
        return _sum(scores, parts, intercepts, link, fields.schema, origin)

    return linked_scores(final, fields, places, made)


def _output_of(model: Element) -> str:
    """The name by which the next models of a chain know its number."""
    output = model.first("Output")
    fields = [] if output is None else output.all("OutputField")
    if (
        len(fields) != 1
        or fields[0].get("feature", "predictedValue") != "predictedValue"
        or fields[0].children
    ):
        raise ModelFileError(
            f"{model.where}: in a modelChain a model hands on its number as it is, by one OutputField."
        )
    return fields[0].get("name")


def linked_scores(
    final: Element,
    fields: PmmlFields,
    places: Mapping[str, int],
    made: Callable[[Sequence[Parts], Sequence[float], Link], Model],
) -> Model:
    """What a RegressionModel at the end of a chain makes of the scores."""
    check_targets(final)
    tables = final.all("RegressionTable")
    method = final.get("normalizationMethod", "none")
    parts = [_parts(table, places) for table in tables]
    intercepts = [table.number("intercept", 0.0) or 0.0 for table in tables]
    named = [table.get("targetCategory") for table in tables]
    classes = fields.schema.classes
    if not classes:
        links: dict[str, Link] = {"none": "identity", "exp": "exp"}
        if method not in links or len(tables) != 1:
            raise _no_link(final, method)
        return made(parts, intercepts, links[method])
    if sorted(fields.places.get(each, -1) for each in named) != list(range(len(classes))):
        raise ModelFileError(f"{final.where}: there must be one RegressionTable for each class.")
    if method == "softmax":
        order = sorted(range(len(tables)), key=lambda each: fields.places[named[each]])
        return made([parts[each] for each in order], [intercepts[each] for each in order], "softmax")
    if method != "logit" or len(tables) != 2 or parts[1] or intercepts[1]:
        raise _no_link(final, method)
    # The log odds here are of the second class.
    sign = 1.0 if fields.places[named[0]] == 1 else -1.0
    odds = tuple((at, sign * factor) for at, factor in parts[0])
    return made([odds], [sign * intercepts[0]], "logistic")


def _no_link(final: Element, method: str) -> ModelFileError:
    return ModelFileError(
        f"{final.where}: normalizationMethod '{method}' cannot be said here. Those that can: none and exp of "
        "numbers; logit of two classes, of which the second has no weights; softmax."
    )


def _parts(table: Element, places: Mapping[str, int]) -> Parts:
    parts = []
    for each in table.children:
        if each.name == "Extension":
            continue
        name = each.get("name")
        if each.name != "NumericPredictor" or name not in places or each.get("exponent", "1") != "1":
            raise ModelFileError(f"{each.where}: only a score of the chain can be added, and as it is.")
        parts.append((places[name], each.number("coefficient", 0.0) or 0.0))
    return tuple(parts)


def _first(model: Element, segmentation: Element, fields: PmmlFields, origin: Origin) -> Tree:
    """The first segment whose predicate holds: one tree, at whose top the predicates are asked."""
    check_targets(model)
    writer = SplitWriter(fields.schema, answers_all=False)
    rest: DraftNode | None = None
    try:
        for segment in reversed(segmentation.all("Segment")):
            own = _model_in(segment)
            draft, _ = _draft(own, _tree_of(own, fields), fields.schema, "none")
            # A predicate that is unknown does not hold.
            rest = writer.split(predicate_of(segment, fields.by_name), draft, rest, rest)
    except NotATreeError as error:
        raise ModelFileError(f"{segmentation.where}: {error}, which a tree here cannot say.") from None
    if rest is None:
        raise ModelFileError(f"{segmentation.where}: there is no Segment.")
    return Tree(fields.schema, nodes_of(rest, fields.schema), origin=origin)
