"""From an estimator's parameters to its learner, in the words of the schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

T = TypeVar("T")

# Classes by their label in y, which need not be a string.
LabelPriors: TypeAlias = Mapping[Any, float] | Literal["equal"] | None
LabelCosts: TypeAlias = Mapping[tuple[Any, Any], float] | None


def learner_as_set(estimator: Any, learner: Any, classes: Sequence[Any] = (), **instead: Any) -> Any:
    """The learner with the estimator's settings, some of them `instead`; classes may be named by label in y.

    >>> from types import SimpleNamespace
    >>> from clearwood.learners.trees.id3 import ID3
    >>> learner_as_set(SimpleNamespace(max_depth=np.int64(3), priors={1: 0.5, 2: 0.5}), ID3, [1, 2]).priors
    {'1': 0.5, '2': 0.5}
    """
    settings: list[str] = [each.name for each in fields(learner)]
    given = {name: getattr(estimator, name) for name in settings if hasattr(estimator, name)} | instead
    names = {label: str(label) for label in classes}
    for setting in ("priors", "costs"):
        if isinstance(given.get(setting), Mapping):
            given[setting] = {_named(key, names): number for key, number in given[setting].items()}
    if isinstance(given.get("class_order"), list | tuple):
        given["class_order"] = tuple(_named(label, names) for label in given["class_order"])
    return learner(**given)


def by_column(given: Mapping[Any, T] | None, names: Sequence[str]) -> dict[str, T]:
    """What was said of columns, by name; the columns of an array may be given by position.

    >>> by_column({1: "nominal", "x0": "numeric"}, ["x0", "x1"])
    {'x1': 'nominal', 'x0': 'numeric'}
    """
    return {_column(key, names): value for key, value in (given or {}).items()}


def _column(key: Any, names: Sequence[str]) -> str:
    place = isinstance(key, int | np.integer) and str(key) not in names and 0 <= key < len(names)
    return names[int(key)] if place else str(key)


def _named(key: Any, names: Mapping[Any, str]) -> Any:
    if isinstance(key, tuple) and key not in names:
        return tuple(_named(each, names) for each in key)
    return names.get(key, str(key))
