"""More rows for a classifier that has seen some: `partial_fit`'s X and y under all classes so far."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.advice import Advice, NamedOption, Sentence
from clearwood.errors import ClearwoodWarning, SettingError
from clearwood.estimators.class_weights import weigh_classes
from clearwood.estimators.classifier import Classifier, classes_of
from clearwood.estimators.inputs import inputs_to_learn, training_table
from clearwood.table.attributes import Ignored, Ordinal, kind_of
from clearwood.table.raw import Raw
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from clearwood.table.weights import check_meaning
from clearwood.table.x_y import EMPTY, code_labels, has_no_cells


def more_rows(
    estimator: Classifier,
    X: Any,  # noqa: N803 (scikit-learn's name)
    y: Any,
    classes: Any,
    sample_weight: Any,
    seen: Schema | None,
) -> tuple[npt.NDArray[Any], Table]:
    """All labels met or announced so far, sorted, and the new rows as a table under them.

    Columns are what they were in the rows `seen`.
    """
    if estimator.class_weight == "balanced":
        raise SettingError(
            "class_weight='balanced' needs all rows at once. Use fit, or give a factor per label."
        )
    refuse_to_scale_parts(estimator, sample_weight)
    columns, labels, weights = inputs_to_learn(estimator, X, y, sample_weight, reset=seen is None)
    own, codes = classes_of(labels)
    before = own[:0] if seen is None else estimator.classes_
    every = united_labels([before, own, *([] if classes is None else [np.asarray(classes)])])
    codes = np.searchsorted(every, own).astype(np.int32)[codes]
    kinds, ordered = None, None
    if seen is not None and isinstance(columns, Raw):
        columns = replace(columns, names=tuple(each.name for each in seen.attributes))
        _warn_of_ignored(columns, seen)
        kinds, ordered = _settled(seen)
    table = training_table(
        estimator,
        columns,
        codes,
        classes=every,
        weights=weigh_classes(estimator.class_weight, every, codes, weights),
        kinds=kinds,
        ordered=ordered,
    )
    return every, table


def refuse_to_scale_parts(estimator: Any, sample_weight: Any) -> None:
    """A sentence where weights are given whose scale depends on rows that are still to come."""
    if check_meaning(estimator.weights_are) != "counts" and sample_weight is not None:
        raise SettingError(
            NamedOption("weights_are", estimator.weights_are),
            " scales weights by all rows at once. Use fit, or ",
            Advice("weights_are", "counts"),
            ".",
        )


def united_labels(parts: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """The labels of all parts, sorted; text beside numbers is refused."""
    filled = [part for part in parts if len(part)]
    if len({part.dtype.kind in "fiub" for part in filled}) > 1:
        filled = [part.astype(object) for part in filled]
    return code_labels(np.concatenate(filled))[0]


def _warn_of_ignored(raw: Raw, seen: Schema) -> None:
    """Say of a column that it holds something now, but was empty when the columns' kinds were settled."""
    for attribute, column in zip(seen.attributes, raw.columns, strict=True):
        if isinstance(attribute, Ignored) and attribute.because == EMPTY and not has_no_cells(column):
            warnings.warn(
                Sentence(
                    f"Column '{attribute.name}' was empty in the first rows, and is left out ever since. "
                    "To use it, declare it at first: ",
                    Advice("kinds", {attribute.name: "numeric"}),
                    " or 'nominal'.",
                ),
                ClearwoodWarning,
                stacklevel=4,
            )


def _settled(schema: Schema) -> tuple[dict[str, str], dict[str, Sequence[str]]]:
    """What each column was taken for, to take more rows in the same way."""
    kinds: dict[str, str] = {each.name: kind_of(each) for each in schema.attributes}
    return kinds, {each.name: each.values for each in schema.attributes if isinstance(each, Ordinal)}
