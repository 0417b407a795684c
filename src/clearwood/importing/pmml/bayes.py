"""A NaiveBayesModel: counts of values by class, and bell curves, as Bayes tables."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from operator import itemgetter

from clearwood.errors import ModelFileError
from clearwood.importing.features import bell_curve
from clearwood.importing.pmml.elements import Element
from clearwood.importing.pmml.fields import PmmlField, PmmlFields, check_targets, spelled_as
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Categorical, Distribution, Exact, exact
from clearwood.models.origin import Origin
from clearwood.table.attributes import Numeric


def bayes_in(model: Element, fields: PmmlFields, origin: Origin) -> BayesTables:
    """The counts and curves of each column; a column whose cell is empty is left out, as in PMML."""
    check_targets(model)
    schema = fields.schema
    if isinstance(schema.target, Numeric):
        raise ModelFileError(f"{model.where}: a NaiveBayesModel of a number is not read.")
    threshold = model.number("threshold", 0.0) or 0.0
    output, inputs = model.first("BayesOutput"), model.first("BayesInputs")
    counts = None if output is None else output.first("TargetValueCounts")
    if counts is None or inputs is None:
        raise ModelFileError(f"{model.where}: there are no BayesInputs, or no counts in a BayesOutput.")
    weights = _counts(counts, fields.places)
    if not all(weights):
        raise ModelFileError(f"{counts.where}: a class without rows has no probabilities.")
    tables: list[tuple[int, Distribution]] = []
    for each in inputs.all("BayesInput"):
        name = each.get("fieldName")
        field = fields.by_name.get(name)
        if each.first("DerivedField") is not None or field is None or field.labels is not None:
            raise ModelFileError(f"{each.where}: '{name}' is a formula of columns, which is not read here.")
        if field.missing_as is not None or field.is_prepared:
            raise ModelFileError(
                f"{each.where}: cells of '{name}' are replaced, which cannot be said by counts or curves."
            )
        made = _curve if each.first("TargetValueStats") is not None else _table
        tables.append((schema.positions[name], made(each, field, fields.places, weights, threshold)))
    tables.sort(key=itemgetter(0))
    total = sum(weights)
    priors = tuple(float(Fraction(each) / total) for each in weights)
    return BayesTables(schema, weights, tuple(table for _, table in tables), priors, origin=origin)


def _counts(parent: Element, places: Mapping[str, int]) -> tuple[Exact, ...]:
    """[class] the counts in an element of TargetValueCount."""
    counts: list[Exact] = [0] * len(places)
    for each in parent.all("TargetValueCount"):
        if each.get("value") not in places:
            raise ModelFileError(f"{each.where}: '{each.get('value')}' is no class of the target.")
        count = each.number("count", 0.0) or 0.0
        if count < 0:
            raise ModelFileError(f"{each.where}: a count must not be below 0.")
        counts[places[each.get("value")]] = exact(count)
    return tuple(counts)


def _curve(
    element: Element,
    field: PmmlField,
    places: Mapping[str, int],
    weights: tuple[Exact, ...],
    threshold: float,
) -> Distribution:
    if not field.is_numeric or field.is_single or threshold > 0:
        raise ModelFileError(
            f"{element.where}: bell curves are read of columns in double precision, with threshold 0; a "
            "larger one bounds their heights, which is not done here."
        )
    stats = element.first("TargetValueStats")
    assert stats is not None
    curves: dict[int, tuple[float, float]] = {}
    for each in stats.all("TargetValueStat"):
        bell = each.first("GaussianDistribution")
        if bell is None or each.get("value") not in places:
            raise ModelFileError(f"{each.where}: only a GaussianDistribution of a class is read.")
        mean, variance = bell.number("mean"), bell.number("variance")
        if mean is None or variance is None or not variance > 0:
            raise ModelFileError(f"{bell.where}: a mean, and a variance above 0, are needed.")
        curves[places[each.get("value")]] = (mean, variance)
    if len(curves) != len(places):
        raise ModelFileError(f"{stats.where}: every class needs a curve.")
    own = [curves[place] for place in range(len(places))]
    return bell_curve(
        field.column, weights, [m for m, _ in own], [v for _, v in own], field.slope, field.offset
    )


def _table(
    element: Element,
    field: PmmlField,
    places: Mapping[str, int],
    weights: tuple[Exact, ...],
    threshold: float,
) -> Distribution:
    del weights
    if field.is_numeric:
        raise ModelFileError(f"{element.where}: counts are read of a column of values.")
    by_value: dict[str, tuple[Exact, ...]] = {}
    for pair in element.all("PairCounts"):
        counts = pair.first("TargetValueCounts")
        value = spelled_as(field, pair.get("value"))
        if counts is None or value not in field.values:
            raise ModelFileError(
                f"{pair.where}: '{value}' is no value of '{field.column}', or has no counts."
            )
        by_value[value] = _counts(counts, places)
    nothing: tuple[Exact, ...] = (0,) * len(places)
    columns = [by_value.get(value, nothing) for value in field.values]
    rows = tuple(tuple(column[place] for column in columns) for place in range(len(places)))
    if any(not count for row in rows for count in row):
        raise ModelFileError(
            f"{element.where}: a value of '{field.column}' never occurs with a class; PMML then takes the "
            f"threshold ({threshold:g}) for its probability, which is not done here."
        )
    return Categorical(field.column, rows, 0.0)
