"""Settings of Naive Bayes: what is set by column, value and class, as the model keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from clearwood.bounds import Checked, at_least, choice
from clearwood.errors import SettingError, no_such
from clearwood.models.bayes_tables import ClassPriors
from clearwood.models.distributions import ValuePrior
from clearwood.registry import Letter, Priors
from clearwood.table.attributes import Attribute, Nominal, Ordinal
from clearwood.table.schema import Schema

OfNumbers: TypeAlias = Literal["gaussian", "kernel", "cuts", "multinomial", "bernoulli", "complement"]
DistributionName: TypeAlias = Literal["categorical", OfNumbers]

_NAMES: Final = get_args(DistributionName)


def distributions_of(_: str, distributions: Any) -> dict[str, str] | None:
    """A distribution by column name."""
    if not isinstance(distributions, Mapping):
        raise SettingError(
            "distributions must be None or a word by column, as in {'Age': 'kernel'}, not"
            f" {distributions!r}."
        )
    return {
        str(name): choice(f"distributions[{name!r}]", kind, _NAMES) for name, kind in distributions.items()
    }


def value_priors_of(_: str, given: Any) -> str | dict[str, dict[str, float]]:
    """ "equal", "overall", or a share from 0 up by column and value."""
    if isinstance(given, str):
        return choice("m_prior", given, ("equal", "overall"))
    form = (
        "m_prior must be 'equal', 'overall' or probabilities by column and value, "
        "as in {'Wind': {'Weak': 0.6, 'Strong': 0.4}}"
    )
    if not isinstance(given, Mapping) or not all(isinstance(each, Mapping) for each in given.values()):
        raise SettingError(f"{form}, not {given!r}.")
    return {
        str(name): {
            str(value): at_least(f"m_prior[{name!r}][{value!r}]", share, 0) for value, share in shares.items()
        }
        for name, shares in given.items()
    }


ByColumn: TypeAlias = Annotated[
    Mapping[str, DistributionName] | None,
    Checked(distributions_of),
    "The distributions of single columns, as in numeric: COLUMN:WORD.",
]
ValuePriors: TypeAlias = Annotated[
    Literal["equal", "overall"] | Mapping[str, Mapping[str, float]],
    Letter("m_prior"),
    Checked(value_priors_of),
    "The prior probability of each value in smoothing: equal, overall (its share of all rows), or given.",
]


def value_prior(attribute: Attribute, given: ValuePriors) -> ValuePrior:
    """The prior of one column's values: every value given, as shares of their sum."""
    assert isinstance(attribute, Nominal | Ordinal)
    if isinstance(given, str):
        return given
    if attribute.name not in given:
        return "equal"
    shares = given[attribute.name]
    for value in (*shares, *attribute.values):
        if value not in attribute.values or value not in shares:
            where = attribute.values if value in shares else tuple(shares)
            raise SettingError(
                f"m_prior of '{attribute.name}': {no_such('value', value, where)} Give every value a "
                "probability."
            )
    together = sum(shares.values())
    if not together > 0:
        raise SettingError(f"m_prior of '{attribute.name}' sums to 0. Give some value a probability above 0.")
    return tuple(shares[value] / together for value in attribute.values)


def class_priors(schema: Schema, priors: Priors) -> ClassPriors:
    """The setting as the model keeps it: every class given, as shares of their sum."""
    if priors is None:
        return "estimated"
    if isinstance(priors, str):
        return "equal"
    for name in priors:
        if name not in schema.classes:
            raise SettingError(no_such("class", name, schema.classes, plural="classes"))
    absent = [name for name in schema.classes if name not in priors]
    if absent:
        raise SettingError(f"priors lack the class '{absent[0]}'. Give every class a number.")
    together = sum(map(Fraction, priors.values()))  # exact: floats near the largest would sum to infinity
    return tuple(float(Fraction(priors[name]) / together) for name in schema.classes)
