"""A RegressionModel of classes: logistic regression, or weights for each class, as a linear model."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError
from clearwood.importing.features import Feature, LookupFeature, NumberFeature
from clearwood.importing.linear_columns import LinearColumns
from clearwood.importing.pmml.cells import SomeCells
from clearwood.importing.pmml.elements import Element, as_number
from clearwood.importing.pmml.fields import (
    FieldLabel,
    FieldLabels,
    PmmlField,
    PmmlFields,
    check_targets,
    spelled_as,
)
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm
from clearwood.models.lineage import Origin
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
    indicators: dict[str, Floats] = {}
    intercepts = np.array([table.number("intercept", 0.0) for table in tables], dtype=np.float64)
    for at, table in enumerate(tables):
        for each in _predictors(table):
            own = [_weight(each) if place == at else 0.0 for place in range(len(tables))]
            indicator = _indicator(each, fields)
            if indicator is None:
                features.append(_feature(each, fields))
                weights.append(own)
                continue
            column, empty, known = indicator
            intercepts += np.array(own) * known
            added = np.array(own) * (empty - known)
            indicators[column] = indicators.get(column, np.zeros(len(tables))) + added
    columns = LinearColumns(
        fields.schema, features, np.array(weights, dtype=np.float64).reshape(-1, len(tables)).T
    )
    for name, added in indicators.items():
        columns.terms.append(MissingTerm(name))
        columns.weights.append(added)
    intercepts += columns.moved
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
    if field.labels is not None:
        return _looked_up(predictor, field, field.labels, float)
    if not field.is_numeric or field.is_single or field.is_prepared:
        raise ModelFileError(
            f"{predictor.where}: '{name}' is not a number in double precision, whose multiple is added as it "
            "is; numbers that count as an empty cell or as others are not read here."
        )
    filled = None if field.missing_as is None else as_number(field.missing_as, f"{name}: a missing value")
    missing = math.nan if filled is None else filled
    return NumberFeature(field.column, field.steps, field.slope, field.offset, missing, filled)


def _value(predictor: Element, field: PmmlField) -> LookupFeature:
    """1 for a value and 0 for the others, and for an empty cell."""
    if field.labels is not None:
        text = spelled_as(replace(field, values=field.labels.texts), predictor.get("value"))
        labels = replace(field.labels, missing=field.labels.missing or "", unseen=field.labels.unseen or "")
        return _looked_up(predictor, field, labels, lambda label: float(label == text))
    value = spelled_as(field, predictor.get("value"))
    if field.is_numeric or value not in field.values:
        raise ModelFileError(f"{predictor.where}: '{value}' is no value of the column '{field.column}'.")
    own = tuple((SomeCells(codes=frozenset((at,))), each) for at, each in enumerate(field.values))
    return _looked_up(predictor, field, FieldLabels(own, "", ""), lambda label: float(label == value))


def _looked_up(
    predictor: Element, field: PmmlField, labels: FieldLabels, number_of: Callable[[FieldLabel], float]
) -> LookupFeature:
    """A number for each value of a column."""
    if field.is_numeric:
        raise ModelFileError(f"{predictor.where}: intervals of '{field.column}' have no weights here.")
    numbers = [math.nan] * len(field.values)
    for cells, label in labels.by_cells:
        for code in cells.codes:
            numbers[code] = number_of(label)

    def replaced_by(text: str) -> float:
        value = spelled_as(field, text)
        if value not in field.values:
            raise ModelFileError(f"'{field.column}': a cell is replaced by '{text}', no value of the column.")
        return numbers[field.values.index(value)]

    missing = math.nan if labels.missing is None else number_of(labels.missing)
    if field.missing_as is not None:
        missing = replaced_by(field.missing_as)
    unseen: float | None
    match field.invalid:
        case "asIs":
            unseen = math.nan if labels.unseen is None else number_of(labels.unseen)
        case "asMissing":
            unseen = missing
        case "asValue":
            unseen = replaced_by(field.invalid_as)
        case "returnInvalid":
            unseen = None
        case _:
            assert_never(field.invalid)
    for code in field.empty.codes:
        numbers[code] = missing
    if any(map(math.isnan, numbers)):
        raise ModelFileError(f"{predictor.where}: a value of '{field.column}' has no number.")
    return LookupFeature(field.column, field.values, tuple(numbers), missing, unseen)


def _indicator(predictor: Element, fields: PmmlFields) -> tuple[str, float, float] | None:
    """Of a field that is one number where a numeric column is empty, and another where it is not: the
    column and both; None of other fields."""
    field = fields.by_name.get(predictor.get("name"))
    if predictor.name != "NumericPredictor" or field is None or field.labels is None or not field.is_numeric:
        return None
    labels = {label for _, label in field.labels.by_cells}
    missing = field.labels.missing
    if len(labels) != 1 or missing is None or field.missing_as is not None or field.empty:
        return None
    return field.column, float(missing), float(labels.pop())
