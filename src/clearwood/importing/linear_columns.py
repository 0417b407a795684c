"""Weights of features as the terms of a linear model, or as the curves of an additive one."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError
from clearwood.importing.features import Feature, LookupFeature, NumberFeature
from clearwood.models.kinds.additive.additive_model import Shape
from clearwood.models.kinds.linear.linear_model import MissingTerm, NumberTerm, Term, ValueTerm
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema

ANOTHER: Final = "(another value)"  # that of a cell whose value no term names


class LinearColumns:
    """What each column adds to the scores, gathered from all features made of it.

    `weights` are [contrast, feature].
    """

    def __init__(self, schema: Schema, features: Sequence[Feature], weights: Floats) -> None:
        self.schema = schema
        self.terms: list[Term] = []
        self.weights: list[Floats] = []  # [term] by contrast
        self.moved = np.zeros(len(weights))  # what goes into the intercepts
        self.references: dict[str, str] = {}
        self.fills: dict[str, float | str] = {}
        by_column: dict[str, list[tuple[Feature, Floats]]] = {}
        for place, feature in enumerate(features):
            by_column.setdefault(feature.column, []).append((feature, weights[:, place]))
        for name, parts in by_column.items():
            if isinstance(parts[0][0], NumberFeature):
                self._number(name, parts)
            else:
                self._values(name, parts)

    def _number(self, name: str, parts: list[tuple[Feature, Floats]]) -> None:
        total, empty, moved = (np.zeros_like(self.moved) for _ in range(3))
        fill: float | str | None = None
        fills: set[float | str | None] = set()
        offset, slope = 0.0, 1.0
        for feature, weight in parts:
            assert isinstance(feature, NumberFeature)
            if not feature.is_line:
                raise ModelFileError(
                    f"A step in front makes of the number '{name}' what is no line of it, but a linear model "
                    "here adds up lines. Fit it to the numbers themselves, scaled ones, or intervals."
                )
            total = total + weight * feature.slope
            moved = moved + weight * feature.offset
            empty = empty + weight * feature.missing
            fills.add(feature.filled)
            fill, offset, slope = feature.filled, feature.offset, feature.slope
        if isinstance(fill, str):
            raise ModelFileError(f"An imputer fills '{name}' with text, but the model reads it as a number.")
        self.moved = self.moved + moved
        self.terms.append(NumberTerm(name))
        self.weights.append(total)
        # Without an imputer the origin refuses an empty cell; here it is taken for the scaler's middle, or 0.
        self.fills[name] = float(fill) if fill is not None else -offset / slope
        if fill is not None and len(fills) > 1 and not np.isnan(empty).any():
            # Several imputers fill the column, each with another number.
            self.terms.append(MissingTerm(name))
            self.weights.append(empty - (total * float(fill) + moved))

    def _values(self, name: str, parts: list[tuple[Feature, Floats]]) -> None:
        first = parts[0][0]
        assert isinstance(first, LookupFeature)
        added = np.zeros((len(first.values), len(self.moved)))
        missing, unseen = np.zeros_like(self.moved), np.zeros_like(self.moved)
        refuses_missing = refuses_unseen = False
        for feature, weight in parts:
            assert isinstance(feature, LookupFeature)
            added = added + np.outer(feature.numbers, weight)
            refuses_missing |= math.isnan(feature.missing)
            refuses_unseen |= feature.unseen is None or math.isnan(feature.unseen)
            missing = missing + weight * feature.missing
            unseen = unseen + weight * (0.0 if feature.unseen is None else feature.unseen)
        equal = [code for code in range(len(added)) if np.array_equal(added[code], unseen)]
        if refuses_unseen or equal:
            code = equal[0] if equal and not refuses_unseen else 0
            reference, base = first.values[code], added[code]
        else:
            # No value adds what a new one does, so that the weights are against one of none of them.
            reference, base = ANOTHER, unseen
            self._add_value(name)
        self.references[name] = self.fills[name] = reference
        self.moved = self.moved + base
        for value, own in zip(first.values, added, strict=True):
            if value != reference:
                self.terms.append(ValueTerm(name, value))
                self.weights.append(own - base)
        if not refuses_missing and not np.array_equal(missing, base):
            self.terms.append(MissingTerm(name))
            self.weights.append(missing - base)

    def _add_value(self, name: str) -> None:
        old = self.schema[name]
        assert isinstance(old, Nominal | Ordinal)
        changed = replace(old, values=(*old.values, ANOTHER))
        attributes = tuple(changed if each.name == name else each for each in self.schema.attributes)
        self.schema = Schema(attributes, self.schema.target)


_LAST: Final = float(np.finfo(np.float64).max)


def has_stairs(features: Sequence[Feature]) -> bool:
    """Is a number read by the step that it stands on, rather than along a line?"""
    return any(isinstance(each, NumberFeature) and each.jumps for each in features)


def weighed_curves(features: Sequence[Feature], weights: Floats) -> tuple[Shape, ...]:
    """What each column adds to the scores, gathered from all features made of it; `weights` are [score,
    feature]."""
    by_column: dict[str, list[tuple[Feature, Floats]]] = {}
    for place, feature in enumerate(features):
        by_column.setdefault(feature.column, []).append((feature, weights[:, place]))
    return tuple(_curve(name, parts) for name, parts in by_column.items())


def _curve(name: str, parts: Sequence[tuple[Feature, Floats]]) -> Shape:
    jumps = [jump for feature, _ in parts if isinstance(feature, NumberFeature) for jump in feature.jumps]
    cuts = tuple(sorted(set(jumps)))
    added = sum(np.outer(weight, _at(feature, cuts)) for feature, weight in parts)
    return Shape(name, cuts, tuple(map(tuple, np.asarray(added).tolist())))


def _at(feature: Feature, cuts: tuple[float, ...]) -> Floats:
    """[cell] the feature in each cell of its column, then that of an empty cell and of a value never met; 0
    where the origin refuses these."""
    if isinstance(feature, LookupFeature):
        unseen = math.nan if feature.unseen is None else feature.unseen
        return _known([*feature.numbers, feature.missing, unseen])
    if not feature.jumps and not _is_flat(feature):
        raise ModelFileError(
            f"The weights are of the number '{feature.column}' itself beside others of intervals; here a "
            "linear model adds up lines, and an additive one curves of steps. Fit it to intervals of all "
            "numbers, or of none."
        )
    return _known([*feature.at(np.array([*cuts, _LAST])).tolist(), feature.missing, math.nan])


def _is_flat(feature: NumberFeature) -> bool:
    """Are these stairs of one step, as of a column that never varied?"""
    low, high = feature.at(np.array([-_LAST, _LAST])).tolist()
    return not feature.is_line and bool(low == high)


def _known(numbers: Sequence[float]) -> Floats:
    return np.array([0.0 if math.isnan(each) else each for each in numbers])
