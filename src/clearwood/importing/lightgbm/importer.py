"""The importer of LightGBM: what of its boosters is read, and what its leaves or links forbid."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from clearwood.counting.question import Takes
from clearwood.errors import ModelFileError
from clearwood.importing.asked_boosters import (
    answers_of_wrapper,
    booster_frame,
    booster_rows,
    both_classes,
    places_of_values,
    values_on_trust,
)
from clearwood.importing.asked_origin import AskedOrigin, OwnAnswers, RowCells, called
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
from clearwood.importing.given import GivenNames
from clearwood.importing.importer import Content, Importer, file_fingerprint, imported_from
from clearwood.importing.lightgbm.files import (
    LightLeaf,
    LightModel,
    LightSplit,
    LightTree,
    is_dump,
    is_text,
    read_dump,
    read_light_text,
)
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.models.model import Model
from clearwood.table.schema import Schema

# Boosted trees of LightGBM as an ensemble: their steps added up, with the link of their objective.


_ZERO: Final = float(np.float32(1e-35))  # what LightGBM takes for 0
_MOST_CATEGORIES: Final = 1_000_000
_NUMBERS: Final = ("regression", "regression_l1", "huber", "fair", "quantile", "mape")
_LINKS: Final[dict[str, Link]] = {
    "binary": "logistic",
    "multiclass": "softmax",
    **dict.fromkeys((*_NUMBERS, "lambdarank", "rank_xendcg"), "identity"),
    **dict.fromkeys(("poisson", "gamma", "tweedie"), "exp"),
}


def is_lightgbm(source: Any) -> bool:
    """A booster of LightGBM, its scikit-learn wrapper, or one of its files?"""
    if isinstance(source, Content):
        return is_text(source) or is_dump(source)
    return type(source).__module__.partition(".")[0] == "lightgbm"


def read_lightgbm(source: Any, given: GivenNames) -> Model:
    """The booster as an ensemble."""
    classes = None
    version = ""
    if isinstance(source, Content):
        content = source
    else:
        booster = getattr(source, "booster_", source)
        classes = getattr(source, "classes_", None)
        version = str(getattr(sys.modules.get("lightgbm"), "__version__", ""))
        content = Content(booster.model_to_string().encode(), "LightGBM's booster")
    model = read_light_text(content) if is_text(content) else read_dump(content)
    objective, settings = _objective(model, content.where)
    link = _LINKS[objective]
    names = given.column_names(model.names, len(model.names))
    own: tuple[str, ...] | None = None
    if link in ("logistic", "softmax"):
        own = given.class_names(
            None if classes is None else list(classes), model.classes if link == "softmax" else 2
        )
    schema = schema_of(names, _categories(model), given, own)
    factor = settings.get("sigmoid", 1.0) if link == "logistic" else 1.0
    rounds = len(model.trees) // max(model.per_round, 1)
    scores = model.per_round
    quantile = settings.get("alpha") if objective == "quantile" else None
    boosted = BoostedModel(
        [
            _tree(tree, schema, factor, f"{content.where}, tree {place}")
            for place, tree in enumerate(model.trees)
        ],
        [place % scores for place in range(len(model.trees))],
        (0.0,) * scores,
        link,
        (1.0 / rounds,) * len(model.trees) if model.averaged else (),
        0.5 if objective in ("regression_l1", "mape") else quantile,
    )
    fingerprint = file_fingerprint(content.data) if content is source else ""
    rows = sum(leaf.count for leaf in model.trees[0].values() if isinstance(leaf, LightLeaf)) if rounds else 0
    origin = imported_from("LightGBM", version, objective, rows=rows, fingerprint=fingerprint)
    return sum_of_trees(boosted, schema, origin)


def _objective(model: LightModel, where: str) -> tuple[str, dict[str, float]]:
    """The objective by its name, and its settings."""
    name, *rest = model.objective.split() or [""]
    settings: dict[str, float] = {}
    for each in rest:
        key, colon, value = each.partition(":")
        if not colon:
            raise ModelFileError(
                f"{where}: the objective '{model.objective}' has '{each}', which is not read here."
            )
        try:
            settings[key] = float(value)
        except ValueError:
            raise ModelFileError(f"{where}: the objective's {key} must be a number, not '{value}'.") from None
    if name not in _LINKS:
        what = (
            f"The objective '{name}' cannot be read"
            if name
            else "A model of an objective of your own has no link"
        )
        raise ModelFileError(f"{where}: {what}. Those that can: {', '.join(_LINKS)}.")
    if not math.isfinite(settings.get("sigmoid", 1.0)) or not model.trees or model.per_round < 1:
        raise ModelFileError(f"{where}: the model has no trees, or no finite sigmoid.")
    expected = model.classes if _LINKS[name] == "softmax" else 1
    if model.per_round != expected or len(model.trees) % model.per_round:
        raise ModelFileError(f"{where}: {len(model.trees)} trees do not fit {expected} scores in each round.")
    return name, settings


def _categories(model: LightModel) -> Mapping[int, Sequence[Any]]:
    """The values of each categorical feature: pandas' own, else its codes."""
    asked: dict[int, int] = {}
    for split in (each for tree in model.trees for each in tree.values()):
        if isinstance(split, LightSplit) and isinstance(split.threshold, frozenset):
            asked[split.feature] = max((asked.get(split.feature, 0), *split.threshold))
    places = sorted({*model.categorical, *asked})
    if model.pandas:
        for candidates in (places, list(model.declared)):
            if len(candidates) == len(model.pandas):
                return dict(zip(candidates, model.pandas, strict=True))
        raise ModelFileError(
            f"The file names the categories of {len(model.pandas)} columns, but does not say of which. "
            "Give their values yourself."
        )
    largest = {place: max((*model.categorical.get(place, ()), asked.get(place, 0))) for place in places}
    for place in places:
        if largest[place] > _MOST_CATEGORIES:
            raise ModelFileError(
                f"Feature {place} has a category {largest[place]:,}; that is too many to be named."
            )
    return {place: range(largest[place] + 1) for place in places}


def _tree(tree: LightTree, schema: Schema, factor: float, where: str) -> BoostedTree:
    made: dict[int, BoostedSplit | BoostedLeaf] = {}
    # A tree of one leaf has no node 0.
    if 0 not in tree:
        leaf = tree.get(-1)
        if not isinstance(leaf, LightLeaf):
            raise ModelFileError(f"{where}: a tree without a root.")
        return {0: BoostedLeaf(factor * leaf.value, leaf.count)}
    for number, node in tree.items():
        if isinstance(node, LightLeaf):
            made[number] = BoostedLeaf(factor * node.value, node.count)
            continue
        if not 0 <= node.feature < len(schema.attributes):
            raise ModelFileError(f"{where}: there is no feature {node.feature}.")
        made[number] = BoostedSplit(
            node.feature, node.left, node.right, _sides(node, schema, where), node.gain
        )
    return made


def _sides(split: LightSplit, schema: Schema, where: str) -> TwoSides | tuple[tuple[Takes, int], ...]:
    lookup = lookup_of(schema, split.feature)
    threshold = split.threshold
    if isinstance(threshold, frozenset):
        if lookup is None:
            raise ModelFileError(f"{where}: a set of categories of a feature that is a number elsewhere.")
        # What is not in the set goes right, an empty cell and a category never met among it.
        codes = range(len(lookup.values))
        sides = lookup_sides(lookup, [*(code in threshold for code in codes), False, False], False)
        return TwoSides(sides.left, sides.right, unseen_left=False)
    nan_left = threshold >= 0.0 if split.missing == "None" else split.default_left
    if lookup is not None:
        zero = split.default_left if split.missing == "Zero" else threshold >= 0.0
        goes = [zero if number == 0.0 else number <= threshold for number in lookup.numbers]
        return lookup_sides(lookup, [*goes, nan_left, nan_left], nan_left)
    if split.missing != "Zero":
        return number_sides(_as_if_zero(threshold), nan_left)
    return _around_zero(threshold, split.default_left)


def _as_if_zero(threshold: float) -> float:
    """The threshold of the numbers as they are, since LightGBM takes those from −1e-35 to 1e-35 for 0.

    >>> _as_if_zero(2.0), _as_if_zero(0.0) == _ZERO, _as_if_zero(-1e-36) < -_ZERO
    (2.0, True, True)
    """
    if -_ZERO <= threshold < 0:
        return math.nextafter(-_ZERO, -math.inf)
    return max(threshold, _ZERO) if threshold >= 0 else threshold


def _around_zero(threshold: float, default_left: bool) -> TwoSides | tuple[tuple[Takes, int], ...]:
    """Where 0 goes to the default side whatever the threshold says: an interval of its own, if it has to
    be."""
    below = math.nextafter(-_ZERO, -math.inf)
    if default_left:
        if threshold >= below:
            return number_sides(max(threshold, _ZERO), True)
        return (
            (Takes(-math.inf, threshold), 0),
            (Takes(threshold, below), 1),
            (Takes(below, _ZERO, or_missing=True), 0),
            (Takes(_ZERO, math.inf), 1),
        )
    if threshold <= _ZERO:
        return number_sides(min(threshold, below), False)
    return (
        (Takes(-math.inf, below), 0),
        (Takes(below, _ZERO, or_missing=True), 1),
        (Takes(_ZERO, threshold), 0),
        (Takes(threshold, math.inf), 1),
    )


# LightGBM's own answers: of the wrapper where there is one, else of the booster.


def ask_lightgbm(source: Any, model: Model, _: GivenNames) -> AskedOrigin:
    """LightGBM, asked about a wrapper, a booster or its text."""
    try:
        import lightgbm
    except ImportError:
        return AskedOrigin("LightGBM", None, not_run="LightGBM is not installed; install it")
    program = f"LightGBM {lightgbm.__version__}"
    if isinstance(source, Content):
        if not is_text(source):
            because = "LightGBM does not read its JSON dump itself; import and prove its text (save_model)"
            return AskedOrigin(program, None, not_run=because)
        booster = lightgbm.Booster(model_str=source.data.decode("utf-8-sig"))
    else:
        booster = getattr(source, "booster_", source)
    nominal = places_of_values(model)
    own: dict[int, Sequence[Any]] = {}
    if booster.pandas_categorical and len(booster.pandas_categorical) == len(nominal):
        own = dict(zip(nominal, booster.pandas_categorical, strict=True))
    names = booster.feature_name()
    wrapper = source if hasattr(source, "booster_") else None

    def ask(rows: list[RowCells]) -> OwnAnswers:
        table = booster_frame(rows, model, names, own) if own else booster_rows(rows, model)
        if wrapper is not None:
            return answers_of_wrapper(wrapper, table, model)
        return OwnAnswers(both_classes(called(booster.predict, table), model))

    return AskedOrigin(program, ask, on_trust=values_on_trust(model, own))


IMPORTER: Final = Importer(
    is_lightgbm,
    read_lightgbm,
    ask_lightgbm,
    reads=(
        ("a booster, its text (`save_model`), or the JSON of `dump_model`", "an ensemble: a sum of steps"),
    ),
    refuses=(
        (
            "linear trees, `multiclassova`, `cross_entropy`, objectives of your own",
            "a leaf is one number; the link is not known",
        ),
    ),
)
