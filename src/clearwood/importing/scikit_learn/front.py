"""What stands in front of a scikit-learn model, undone: the features that it reads, as columns of the user's
table.

Encoders, scalers and imputers are read, not run. A step that mixes columns is refused by its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.errors import ModelFileError
from clearwood.importing.features import Feature, LookupFeature, NumberFeature
from clearwood.importing.given import GivenNames, spelled_value
from clearwood.importing.scikit_learn.scalers import (
    after_binarizer,
    after_bins,
    after_max_abs,
    after_min_max,
    after_robust,
    after_standard,
)

_PASSED: Final = ("passthrough",)
_WITH_INFREQUENT: Final = ("infrequent_if_exist", "warn")  # where a value never met counts as a rare one
_CHECKS: Final = {"dtype", "ensure_all_finite", "force_all_finite"}  # what check_array may be asked to check


def features_by_step(
    steps: Sequence[Any], given: GivenNames, width: int, own_names: Sequence[str] | None
) -> list[list[Feature]]:
    """The features of the table, then those behind each step, in the order in which they are read."""
    names = given.column_names(own_names, width)
    given.check_values(names)
    features: list[Feature] = [_raw(name, given) for name in names]
    made = [features]
    for step in steps:
        made.append(_after(step, made[-1]))
    return made


def _raw(name: str, given: GivenNames) -> Feature:
    if name not in given.values:
        return NumberFeature(name)
    values = given.values[name]
    return LookupFeature(name, values, tuple(map(float, range(len(values)))))


def _after(step: Any, features: list[Feature]) -> list[Feature]:
    if step is None or (isinstance(step, str) and step in _PASSED):
        return features
    kind = class_name(step)
    if type(step).__name__ == "Pipeline":
        for _, each in step.steps:
            features = _after(each, features)
        return features
    if kind not in STEPS:
        raise ModelFileError(
            f"The step {kind} in front of the model cannot be undone into columns of the table. Read are "
            f"{', '.join(sorted(STEPS))} and Pipeline; or import the model alone, and do the step yourself."
        )
    return STEPS[kind](step, features)


def _imputed(step: Any, features: list[Feature]) -> list[Feature]:
    if step.add_indicator:
        raise ModelFileError("SimpleImputer(add_indicator=True) makes columns that the table does not have.")
    if not _is_nan(step.missing_values) and step.missing_values is not None:
        raise ModelFileError(
            f"SimpleImputer takes {step.missing_values!r} for missing; only NaN and None are here."
        )
    made: list[Feature] = []
    is_single = getattr(step, "_fill_dtype", None) == np.float32  # then fills are rounded so
    fills = step.statistics_.astype(np.float32) if is_single else step.statistics_
    for feature, filled in zip(features, fills, strict=True):
        if _is_nan(filled):
            raise ModelFileError(f"SimpleImputer drops the column '{feature.column}', which was empty.")
        if isinstance(filled, str):
            made.append(_filled_with(feature, filled))
        elif isinstance(feature, NumberFeature):
            is_first = math.isnan(feature.missing)
            own = (float(filled) - feature.offset) / feature.slope if feature.steps else float(filled)
            made.append(replace(feature, missing=float(filled), filled=own) if is_first else feature)
        else:
            made.append(_filled_behind(feature, float(filled)))
    return made


def _filled_behind(feature: LookupFeature, number: float) -> Feature:
    """A feature behind an encoder, with a number wherever the encoder has left NaN."""

    def known(own: float) -> float:
        return number if math.isnan(own) else own

    return replace(
        feature,
        numbers=tuple(map(known, feature.numbers)),
        missing=known(feature.missing),
        unseen=None if feature.unseen is None else known(feature.unseen),
    )


def _filled_with(feature: Feature, value: str) -> Feature:
    """A column of values whose empty cells are filled before an encoder says which values there are."""
    if not isinstance(feature, NumberFeature) or feature.steps:
        raise ModelFileError(f"SimpleImputer fills the column '{feature.column}' behind another step.")
    return feature if feature.filled is not None else replace(feature, filled=value)


def _one_hot(step: Any, features: list[Feature]) -> list[Feature]:
    made: list[Feature] = []
    dropped: Any = [None] * len(features) if step.drop_idx_ is None else step.drop_idx_
    for place, feature in enumerate(features):
        categories = step.categories_[place]
        rare = _infrequent(step, place)
        if rare and dropped[place] is not None:
            raise ModelFileError(
                "OneHotEncoder drops a category beside infrequent ones, which is not read here."
            )
        groups = [[each] for each in range(len(categories)) if each not in rare]
        if dropped[place] is not None:
            groups.pop(int(dropped[place]))
        together = sorted(rare)
        made += [_indicator(step, feature, categories, group, is_rare=False) for group in groups]
        made += [_indicator(step, feature, categories, together, is_rare=True)] if together else []
    return made


def _infrequent(step: Any, place: int) -> set[int]:
    """The places of the categories that the encoder takes together because they are rare."""
    listed = getattr(step, "infrequent_categories_", None) or []
    rare = set(map(_key, listed[place])) if place < len(listed) and listed[place] is not None else set()
    return {at for at, each in enumerate(step.categories_[place]) if _key(each) in rare}


def _indicator(step: Any, feature: Feature, categories: Any, group: list[int], *, is_rare: bool) -> Feature:
    """1 for the categories of the group, else 0."""
    own = _Categories("OneHotEncoder", feature, categories)
    members = {spelled_value(categories[each]) for each in group if each not in own.empty}
    numbers = tuple(1.0 if value in members else 0.0 for value in own.values)
    unseen = None
    if step.handle_unknown != "error":
        unseen = 1.0 if step.handle_unknown in _WITH_INFREQUENT and is_rare else 0.0
    missing = own.filled(numbers, unseen)
    if math.isnan(missing) and own.empty:
        missing = 1.0 if set(group) & own.empty else 0.0
    elif math.isnan(missing) and unseen is not None:
        missing = unseen
    return own.encoded(numbers, missing, unseen)


class _Categories:
    """What an encoder was fitted to, of a column that nothing has changed before: the values, and the places
    of the categories that are an empty cell."""

    def __init__(self, step: str, feature: Feature, categories: Any) -> None:
        if not isinstance(feature, NumberFeature) or feature.steps:
            raise ModelFileError(
                f"{step} reads the column '{feature.column}' behind another step; it must come first."
            )
        self.feature = feature
        self.empty = {place for place, each in enumerate(categories) if _key(each) is None}
        self.originals = tuple(each for each in categories if _key(each) is not None)
        self.empty_originals = [categories[place] for place in sorted(self.empty)]
        self.values = tuple(map(spelled_value, self.originals))
        if len(set(self.values)) != len(self.values):
            raise ModelFileError(f"{step}: two categories of '{feature.column}' are written alike as text.")

    def filled(self, numbers: tuple[float, ...], unseen: float | None) -> float:
        """The number of the value that an imputer puts into an empty cell; NaN where none does."""
        if self.feature.filled is None:
            return math.nan
        fill = spelled_value(self.feature.filled)
        if fill in self.values:
            return numbers[self.values.index(fill)]
        return math.nan if unseen is None else unseen

    def encoded(
        self, numbers: tuple[float, ...], missing: float, unseen: float | None, *, is_ordered: bool = False
    ) -> LookupFeature:
        """The column behind the encoder: the number of each value. An empty cell is None or NaN to it, which
        it tells apart."""
        if len(self.empty) > 1:
            raise ModelFileError("An encoder tells None from NaN; here both are an empty cell.")
        empty = self.empty_originals[0] if self.empty else math.nan
        return LookupFeature(
            self.feature.column, self.values, numbers, missing, unseen, is_ordered, self.originals, empty
        )


def _ordinal(step: Any, features: list[Feature]) -> list[Feature]:
    made: list[Feature] = []
    for place, feature in enumerate(features):
        categories = step.categories_[place]
        own = _Categories("OrdinalEncoder", feature, categories)
        codes = _ordinal_codes(categories, _infrequent(step, place))
        numbers = tuple(code for at, code in enumerate(codes) if at not in own.empty)
        unseen = float(step.unknown_value) if step.handle_unknown == "use_encoded_value" else None
        missing = own.filled(numbers, unseen)
        if math.isnan(missing):
            missing = math.nan if unseen is None else unseen
            if own.empty:  # None is a category as any other there, NaN has a code of its own
                at = min(own.empty)
                missing = codes[at] if categories[at] is None else float(step.encoded_missing_value)
        is_ordered = not isinstance(step.categories, str)
        made.append(own.encoded(numbers, missing, unseen, is_ordered=is_ordered))
    return made


def _ordinal_codes(categories: Any, rare: set[int]) -> list[float]:
    """[category] its code: those that are taken together have the last one."""
    often = [at for at, each in enumerate(categories) if at not in rare and not _is_nan(each)]
    places = {at: float(code) for code, at in enumerate(often)}
    return [places.get(at, float(len(often))) for at in range(len(categories))]


def _by_target(step: Any, features: list[Feature]) -> list[Feature]:
    """TargetEncoder: a number for each value; of several classes, one for each of them."""
    made: list[Feature] = []
    means = np.ravel(step.target_mean_).astype(np.float64).tolist()
    for place, encodings in enumerate(step.encodings_):
        feature, categories = features[place // len(means)], step.categories_[place // len(means)]
        unseen = means[place % len(means)]
        own = _Categories("TargetEncoder", feature, categories)
        numbers = tuple(float(each) for code, each in enumerate(encodings) if code not in own.empty)
        missing = own.filled(numbers, unseen)
        if math.isnan(missing):
            missing = float(encodings[min(own.empty)]) if own.empty else unseen
        made.append(own.encoded(numbers, missing, unseen))
    return made


def _chosen(step: Any, features: list[Feature]) -> list[Feature]:
    """A selector: only the features that it keeps."""
    return [feature for feature, kept in zip(features, step.get_support(), strict=True) if kept]


def _union(step: Any, features: list[Feature]) -> list[Feature]:
    if step.transformer_weights:
        raise ModelFileError("A FeatureUnion with transformer_weights is not read. Fit it without.")
    steps = [each for _, each in step.transformer_list]
    return [made for each in steps if not _is_drop(each) for made in _after(each, features)]


def _is_drop(step: Any) -> bool:
    return isinstance(step, str) and step == "drop"


def _columns(step: Any, features: list[Feature]) -> list[Feature]:
    places = getattr(step, "_transformer_to_input_indices", None)
    if places is None:
        raise ModelFileError("This ColumnTransformer is not fitted.")
    if step.transformer_weights:
        raise ModelFileError("A ColumnTransformer with transformer_weights is not read. Fit it without.")
    made: list[Feature] = []
    for name, transformer, _ in step.transformers_:
        if _is_drop(transformer) or not len(places[name]):
            continue  # one without columns is not even fitted
        made += _after(transformer, [features[place] for place in places[name]])
    return made


def _function(step: Any, features: list[Feature]) -> list[Feature]:
    # HistGradientBoosting has one of its own in front, which only checks.
    options: dict[str, Any] = getattr(step.func, "keywords", {})
    checks = (
        getattr(getattr(step.func, "func", None), "__name__", "") == "check_array"
        and options.keys() <= _CHECKS
        and options.get("dtype") in (np.float64, [np.float64])
    )
    if step.func is not None and not checks:
        raise ModelFileError("A FunctionTransformer runs a function of your own, which cannot be undone.")
    return features


def _key(value: Any) -> object:
    return None if value is None or _is_nan(value) else value


def _is_nan(value: Any) -> bool:
    return isinstance(value, float | np.floating) and math.isnan(value)


SELECTORS: Final = (
    "GenericUnivariateSelect",
    "RFE",
    "RFECV",
    "SelectFdr",
    "SelectFpr",
    "SelectFromModel",
    "SelectFwe",
    "SelectKBest",
    "SelectPercentile",
    "SequentialFeatureSelector",
    "VarianceThreshold",
)
STEPS: Final[dict[str, Callable[[Any, list[Feature]], list[Feature]]]] = {
    "Binarizer": after_binarizer,
    "ColumnTransformer": _columns,
    "FeatureUnion": _union,
    "FunctionTransformer": _function,
    "KBinsDiscretizer": after_bins,
    "MaxAbsScaler": after_max_abs,
    "MinMaxScaler": after_min_max,
    "OneHotEncoder": _one_hot,
    "OrdinalEncoder": _ordinal,
    "RobustScaler": after_robust,
    "SimpleImputer": _imputed,
    "StandardScaler": after_standard,
    "TargetEncoder": _by_target,
    **dict.fromkeys(SELECTORS, _chosen),
}


# The name by which a class of scikit-learn is known here, which a class of others never has.


def class_name(fitted: Any) -> str:
    """The name of the class; with its module where scikit-learn did not write it, since such a class of the
    same name may answer otherwise.

    >>> class_name(1.5)
    'builtins.float'
    """
    kind = type(fitted)
    is_own = kind.__module__.partition(".")[0] == "sklearn"
    return kind.__name__ if is_own else f"{kind.__module__}.{kind.__name__}"
