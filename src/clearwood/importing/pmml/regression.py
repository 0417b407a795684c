"""A RegressionModel of classes: logistic regression, or weights for each class, as a linear model."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from clearwood.errors import ModelFileError
from clearwood.importing.features import Feature, LookupFeature, NumberFeature
from clearwood.importing.linear_columns import LinearColumns
from clearwood.importing.pmml.elements import Element, as_number
from clearwood.importing.pmml.fields import PmmlField, PmmlFields, check_targets, spelled_as
from clearwood.models.linear_model import LinearModel
from clearwood.models.origin import Origin
from clearwood.table.attributes import Numeric

_READ: Final = "logit of two classes, of which the second has no weights, and softmax"


def regression_in(model: Element, fields: PmmlFields, origin: Origin) -> LinearModel:
    """The weights of each class, in columns of the table."""
    check_targets(model)
    if isinstance(fields.schema.target, Numeric):
        raise ModelFileError(
            f"{model.where}: a line of numbers is not read; a linear model here tells classes apart."
        )
    tables, method = model.all("RegressionTable"), model.get("normalizationMethod", "none")
    places = [fields.places.get(table.get("targetCategory"), -1) for table in tables]
    if sorted(places) != list(range(len(fields.schema.classes))) or len(tables) < 2:
        raise ModelFileError(f"{model.where}: there must be one RegressionTable for each class.")
    if method == "logit" and len(tables) == 2:
        against = fields.schema.classes[places[1]]
        if any(_weight(each) for each in _predictors(tables[1])) or tables[1].number("intercept"):
            raise ModelFileError(f"{tables[1].where}: of normalizationMethods {_READ} are read.")
        tables, places = tables[:1], places[:1]
    elif method == "softmax":
        against = None
    else:
        raise ModelFileError(f"{model.where}: normalizationMethod '{method}' is not read, but {_READ}.")
    features: list[Feature] = []
    weights: list[list[float]] = []
    for at, table in enumerate(tables):
        for each in _predictors(table):
            features.append(_feature(each, fields))
            weights.append([_weight(each) if place == at else 0.0 for place in range(len(tables))])
    columns = LinearColumns(
        fields.schema, features, np.array(weights, dtype=np.float64).reshape(-1, len(tables)).T
    )
    intercepts = np.array([table.number("intercept", 0.0) for table in tables]) + columns.moved
    return LinearModel(
        columns.schema,
        tuple(fields.schema.classes[place] for place in places),
        against,
        tuple(columns.terms),
        tuple(intercepts.tolist()),
        tuple(map(tuple, np.array(columns.weights).T.reshape(len(tables), -1).tolist())),
        columns.references,
        columns.fills,
        origin=origin,
    )


def _predictors(table: Element) -> list[Element]:
    found = [each for each in table.children if each.name != "Extension"]
    for each in found:
        if each.name not in ("NumericPredictor", "CategoricalPredictor"):
            raise ModelFileError(f"{each.where}: products of columns are not read.")
        if each.name == "NumericPredictor" and each.number("exponent", 1.0) != 1.0:
            raise ModelFileError(f"{each.where}: a power of a number is not read.")
    return found


def _weight(predictor: Element) -> float:
    return as_number(predictor.get("coefficient"), f"{predictor.where}: coefficient")


def _feature(predictor: Element, fields: PmmlFields) -> Feature:
    name = predictor.get("name")
    field = fields.by_name.get(name)
    if field is None:
        raise ModelFileError(
            f"{predictor.where}: the field '{name}' is no column of the mining schema, nor made of one alone."
        )
    if predictor.name == "CategoricalPredictor":
        return _value(predictor, field)
    if field.numbers is not None:
        return LookupFeature(field.column, field.values, field.numbers, _replaced(field, field.numbers))
    if not field.is_numeric or field.is_single:
        raise ModelFileError(
            f"{predictor.where}: '{name}' is not a number in double precision, whose multiple is added."
        )
    filled = None if field.missing_as is None else as_number(field.missing_as, f"{name}: a missing value")
    missing = math.nan if filled is None else filled
    return NumberFeature(field.column, field.steps, field.slope, field.offset, missing, filled)


def _value(predictor: Element, field: PmmlField) -> LookupFeature:
    """1 for a value and 0 for the others, and for an empty cell."""
    value = spelled_as(field, predictor.get("value"))
    if field.is_numeric or field.numbers is not None or value not in field.values:
        raise ModelFileError(f"{predictor.where}: '{value}' is no value of the column '{field.column}'.")
    numbers = tuple(float(each == value) for each in field.values)
    missing = 0.0 if field.missing_as is None else _replaced(field, numbers)
    unseen = missing if field.invalid == "asMissing" else 0.0 if field.invalid == "asIs" else None
    return LookupFeature(field.column, field.values, numbers, missing, unseen)


def _replaced(field: PmmlField, numbers: tuple[float, ...]) -> float:
    """The number of an empty cell: that of the value which replaces it; NaN where none does."""
    if field.missing_as is None:
        return math.nan
    if field.missing_as not in field.values:
        raise ModelFileError(f"'{field.column}': an empty cell is replaced by no value of the column.")
    return numbers[field.values.index(field.missing_as)]
