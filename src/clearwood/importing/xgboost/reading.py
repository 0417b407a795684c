"""Boosted trees of XGBoost, from a booster or its file (JSON or UBJSON), as an ensemble.

XGBoost rounds cells to single precision, asks x < t, and adds up in single precision: the thresholds are
moved, so that every row reaches the same leaves; the sums here are in double precision.
"""

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from clearwood.errors import ModelFileError
from clearwood.importing.boosted_trees import (
    BoostedLeaf,
    BoostedModel,
    BoostedSplit,
    BoostedTree,
    lookup_of,
    schema_of,
    sum_of_trees,
)
from clearwood.importing.draft_trees import TwoSides, lookup_sides, number_sides
from clearwood.importing.features import below_float32
from clearwood.importing.given import GivenNames
from clearwood.importing.importer import Content, file_fingerprint, imported_from
from clearwood.importing.strict_files import PartReader, is_ubjson, json_in, ubjson_in
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.models.model import Model
from clearwood.table.schema import Schema

_OLD_BINARY: Final = b"binf"
_LINKS: Final[dict[str, Link]] = {
    "binary:logistic": "logistic",
    "multi:softprob": "softmax",
    "multi:softmax": "softmax",
    "reg:squarederror": "identity",
    "reg:linear": "identity",
    "reg:squaredlogerror": "identity",
    "reg:absoluteerror": "identity",
    "reg:pseudohubererror": "identity",
    "reg:quantileerror": "identity",
    "rank:pairwise": "identity",
    "rank:ndcg": "identity",
    "rank:map": "identity",
    "count:poisson": "exp",
    "reg:gamma": "exp",
    "reg:tweedie": "exp",
}


def is_xgboost(source: Any) -> bool:
    """A booster of XGBoost, its scikit-learn wrapper, or one of its files?"""
    if isinstance(source, Content):
        if source.data.startswith(_OLD_BINARY):
            return True
        if is_ubjson(source):
            return b"learner" in source.start
        return (
            source.start.startswith(b"{")
            and b'"learner"' in source.data
            and b'"gradient_booster"' in source.data
        )
    return type(source).__module__.partition(".")[0] == "xgboost"


def read_xgboost(source: Any, given: GivenNames) -> Model:
    """The booster as an ensemble."""
    classes, rounds = None, None
    if isinstance(source, Content):
        if source.data.startswith(_OLD_BINARY):
            raise ModelFileError(
                f"{source.where}: this is XGBoost's old binary form. Save the model again: "
                "booster.save_model('model.ubj')."
            )
        content, data = source, ubjson_in(source) if is_ubjson(source) else json_in(source)
        rounds = rounds_of_file(data)
    else:
        _check_missing(source)
        booster = source.get_booster() if hasattr(source, "get_booster") else source
        classes = getattr(source, "classes_", None) if booster is not source else None
        # The wrapper answers by the rounds up to the best one.
        best = booster.attr("best_iteration") if booster is not source else None
        rounds = None if best is None else int(best) + 1
        content = Content(bytes(booster.save_raw("json")), "XGBoost's booster")
        data = json.loads(content.data)
    top = PartReader(data, content.where)
    learner = top.part("learner")
    objective = learner.part("objective").text("name")
    if objective not in _LINKS:
        raise ModelFileError(
            f"{content.where}: the objective '{objective}' cannot be read. Those that can: "
            f"{', '.join(_LINKS)}."
        )
    link = _LINKS[objective]
    parameters = learner.part("learner_model_param")
    if parameters.whole("num_target", 1) != 1:
        raise ModelFileError(f"{content.where}: the model has several targets; a model here has one.")
    count = parameters.whole("num_feature")
    own_names = learner.names("feature_names")
    names = given.column_names(own_names if len(own_names) == count else None, count)
    scores = parameters.whole("num_class", 0) if link == "softmax" else 1
    own = None
    if link in ("logistic", "softmax"):
        own = given.class_names(None if classes is None else list(classes), max(scores, 2))
    trees, info, weights, categories = _trees(learner)
    if rounds is not None:
        kept = _trees_of_rounds(learner, rounds, len(trees), scores)
        trees, info, weights = trees[:kept], info[:kept], weights[:kept]
    types = learner.names("feature_types")
    found = {place: _codes(trees, place) for place, kind in enumerate(types) if kind == "c"}
    for tree in trees:
        for place in tree.split_features_of_sets():
            found.setdefault(place, _codes(trees, place))
    for place, values in categories.items():
        if not values and names[place] not in given.values:
            raise ModelFileError(
                f"{content.where}: XGBoost cuts the names of categories that are not ASCII, as those of "
                f"'{names[place]}'. Give its values, in the order of their codes."
            )
    schema = schema_of(names, {**found, **categories}, given, own)
    boosted = BoostedModel(
        [tree.read(schema) for tree in trees],
        info,
        _base(parameters, link, scores),
        link,
        weights,
        0.5 if objective == "reg:absoluteerror" else None,
    )
    version = ".".join(map(str, top.wholes("version"))) if "version" in data else ""
    fingerprint = file_fingerprint(content.data) if content is source else ""
    return sum_of_trees(
        boosted, schema, imported_from("XGBoost", version, objective, fingerprint=fingerprint)
    )


def _check_missing(source: Any) -> None:
    """Refuse a wrapper to which a number is an empty cell: its booster knows nothing of that."""
    missing = getattr(source, "missing", None)
    if missing is not None and not math.isnan(missing):
        raise ModelFileError(
            f"This {type(source).__name__} takes the number {missing:g} for an empty cell, and a model here "
            "does not. Replace that number by an empty cell in your table, and learn without that setting."
        )


def rounds_of_file(data: Mapping[str, Any]) -> int | None:
    """The rounds up to the best one, by which XGBoost's scikit-learn wrapper answers, where such a wrapper
    wrote the file; None: all of them, by which a booster answers."""
    learner = data.get("learner")
    attributes = learner.get("attributes") if isinstance(learner, Mapping) else None
    if not isinstance(attributes, Mapping) or not {"scikit_learn", "best_iteration"} <= attributes.keys():
        return None
    best = PartReader(attributes, "attributes").whole("best_iteration")
    if best < 0:
        raise ModelFileError(f"attributes: best_iteration must be at least 0, not {best}.")
    return best + 1


def categories_of_file(data: Mapping[str, Any]) -> Mapping[int, Sequence[Any]]:
    """The names of the categories by column, as a file of XGBoost has them; of a column none where they are
    cut."""
    return _trees(PartReader(data, "XGBoost's booster").part("learner"))[3]


def _base(parameters: PartReader, link: Link, scores: int) -> tuple[float, ...]:
    """The scores before the first tree, from `base_score`, which is on the scale of the answers."""
    text = parameters.text("base_score", "0.5").strip("[]")
    try:
        given = [float(np.float32(each)) for each in text.split(",")]
    except ValueError:
        raise ModelFileError(f"{parameters.where}: base_score must be numbers, not '{text}'.") from None
    base = given * scores if len(given) == 1 else given
    if len(base) != scores:
        raise ModelFileError(f"{parameters.where}: base_score must be {scores} numbers, not {len(base)}.")
    try:
        match link:
            case "logistic":
                return (math.log(base[0] / (1 - base[0])),)
            case "exp":
                return (math.log(base[0]),)
            case _:
                return tuple(base)
    except (ValueError, ZeroDivisionError):
        raise ModelFileError(f"{parameters.where}: base_score {text} has no log.") from None


class _Tree:
    """One tree of the file, its lists checked."""

    def __init__(self, part: PartReader) -> None:
        self.where = part.where
        parameters = part.part("tree_param")
        if parameters.whole("size_leaf_vector", 1) > 1:
            raise ModelFileError(f"{part.where}: leaves hold several numbers; a leaf here has one.")
        self.left = part.wholes("left_children")
        many = len(self.left)
        self.right = part.wholes("right_children", many)
        self.features = part.wholes("split_indices", many)
        self.conditions = part.numbers("split_conditions", many)
        self.default_left = part.wholes("default_left", many)
        # Of single precision, so that the decimals of JSON come to the numbers of UBJSON.
        self.hessians = _singles(part.numbers("sum_hessian", many))
        self.gains = _singles(part.numbers("loss_changes", many))
        self.kinds = part.wholes("split_type", many) if "split_type" in part.data else [0] * many
        self.sets: dict[int, frozenset[int]] = {}
        if any(self.kinds):
            codes = part.wholes("categories")
            nodes = part.wholes("categories_nodes")
            starts = part.wholes("categories_segments", len(nodes))
            sizes = part.wholes("categories_sizes", len(nodes))
            for node, start, size in zip(nodes, starts, sizes, strict=True):
                self.sets[node] = frozenset(codes[start : start + size])

    def split_features_of_sets(self) -> set[int]:
        return {self.features[node] for node in self.sets if 0 <= node < len(self.features)}

    def read(self, schema: Schema) -> BoostedTree:
        limits = below_float32(np.array(self.conditions)).tolist()
        made: dict[int, BoostedSplit | BoostedLeaf] = {}
        for node, left in enumerate(self.left):
            if left < 0:
                step = float(np.float32(self.conditions[node]))
                made[node] = BoostedLeaf(step, max(self.hessians[node], 0.0))
                continue
            feature = self.features[node]
            if not 0 <= feature < len(schema.attributes):
                raise ModelFileError(f"{self.where}: there is no feature {feature}.")
            sides = self._sides(node, limits[node], schema)
            made[node] = BoostedSplit(feature, left, self.right[node], sides, self.gains[node])
        if 0 not in made:
            raise ModelFileError(f"{self.where}: the tree has no nodes.")
        return made

    def _sides(self, node: int, limit: float, schema: Schema) -> TwoSides:
        nan_left = bool(self.default_left[node])
        lookup = lookup_of(schema, self.features[node])
        if self.kinds[node]:
            if lookup is None or node not in self.sets:
                raise ModelFileError(
                    f"{self.where}: node {node} asks for a set of categories that is not there."
                )
            # The set goes right, all else left: a category never met among it.
            goes = [code not in self.sets[node] for code in range(len(lookup.values))]
            sides = lookup_sides(lookup, [*goes, nan_left, True], nan_left)
            return TwoSides(sides.left, sides.right, True)
        if lookup is None:
            return number_sides(limit, nan_left)
        return lookup_sides(
            lookup, [*(code <= limit for code in lookup.numbers), nan_left, nan_left], nan_left
        )


def _singles(numbers: Sequence[float]) -> list[float]:
    with np.errstate(over="ignore"):
        singles: list[float] = np.array(numbers, dtype=np.float64).astype(np.float32).tolist()
    return singles


def _trees(
    learner: PartReader,
) -> tuple[list[_Tree], list[int], tuple[float, ...], Mapping[int, Sequence[Any]]]:
    """The trees, the scores they add to, their weights, and the categories that the file names."""
    booster = learner.part("gradient_booster")
    kind = booster.text("name")
    weights: tuple[float, ...] = ()
    if kind == "dart":
        weights = tuple(booster.numbers("weight_drop"))
        booster = booster.part("gbtree")
    elif kind != "gbtree":
        raise ModelFileError(
            f"{booster.where}: the booster '{kind}' has no trees, and adds up in single precision what no "
            "bound holds for. Read are gbtree and dart."
        )
    model = booster.part("model")
    trees = [_Tree(part) for part in model.parts("trees")]
    info = model.wholes("tree_info", len(trees))
    if weights and len(weights) != len(trees):
        raise ModelFileError(f"{booster.where}: weight_drop must be {len(trees)} numbers.")
    categories = _named_categories(model.part("cats")) if "cats" in model.data else {}
    return trees, info, weights, categories


def _trees_of_rounds(learner: PartReader, rounds: int, trees: int, scores: int) -> int:
    booster = learner.part("gradient_booster")
    model = (booster.part("gbtree") if "gbtree" in booster.data else booster).part("model")
    if "iteration_indptr" in model.data:
        ends = model.wholes("iteration_indptr")
        return ends[min(rounds, len(ends) - 1)]
    parallel = model.part("gbtree_model_param").whole("num_parallel_tree", 1)
    return min(trees, rounds * scores * max(parallel, 1))


def _named_categories(part: PartReader) -> Mapping[int, Sequence[Any]]:
    """The categories as the training table had them: texts in bytes end to end, or numbers; none where the
    file has them wrong."""
    named: dict[int, Sequence[Any]] = {}
    for place, column in enumerate(part.parts("enc") if "enc" in part.data else ()):
        values = column.data.get("values")
        if not values:  # no category
            continue
        if "offsets" in column.data:
            offsets, raw = column.wholes("offsets"), column.wholes("values")
            # XGBoost 3 counts characters and cuts bytes: beyond ASCII the names are wrong, here left empty.
            is_ascii = all(0 <= each < 128 for each in raw)
            text = "".join(map(chr, raw)) if is_ascii else ""
            named[place] = [text[a:b] for a, b in itertools.pairwise(offsets)] if is_ascii else []
        else:
            named[place] = column.numbers("values")
    return named


def _codes(trees: Sequence[_Tree], place: int) -> range:
    """The codes of a categorical feature, as far as the trees name them."""
    named = [
        code
        for tree in trees
        for node, codes in tree.sets.items()
        if tree.features[node] == place
        for code in codes
    ]
    return range(max(named, default=0) + 1)
