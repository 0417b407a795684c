"""Conditions as PMML's predicates, and their negations.

A predicate on an empty cell is unknown, which a tree takes as not satisfied; joined by `or` with "is missing"
it is true.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from clearwood.exporting.pmml.document import XmlElement, element
from clearwood.exporting.pmml.expressions import SIGNS, number_text
from clearwood.formulas.conditions import (
    Condition,
    LimitSign,
    OnNumbers,
    comparisons,
    takes_missing,
    values_of,
)

_OPPOSITE: Final[Mapping[LimitSign, LimitSign]] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
ALWAYS: Final = element("True")
NEVER: Final = element("False")
_PLAIN: Final = re.compile(
    r"\w[\w .,:;%/+-]*"
)  # what every reader of arrays takes apart alike, within quotes


def predicate(condition: Condition) -> XmlElement:
    """True where the condition holds, else false or unknown."""
    empty = [_is_missing(condition.name)] if takes_missing(condition) else []
    name = condition.name
    if isinstance(condition, OnNumbers):
        limits = [_compared(name, sign, limit) for sign, limit in comparisons(condition)]
        return any_predicate([all_predicate(limits), *empty])
    return any_predicate([*_among(name, sorted(values_of(condition))), *empty])


def negation(condition: Condition) -> XmlElement:
    """True where the condition does not hold."""
    empty = [] if takes_missing(condition) else [_is_missing(condition.name)]
    name = condition.name
    if isinstance(condition, OnNumbers):
        beyond = [_compared(name, _OPPOSITE[sign], limit) for sign, limit in comparisons(condition)]
        return any_predicate([*beyond, *empty])
    others = [
        element("SimplePredicate", field=name, operator="notEqual", value=each)
        for each in sorted(values_of(condition))
    ] or [element("SimplePredicate", field=name, operator="isNotMissing")]
    return any_predicate([all_predicate(others), *empty])


def all_predicate(parts: Sequence[XmlElement]) -> XmlElement:
    """True where all are."""
    return _joined("and", [each for each in parts if each != ALWAYS], ALWAYS)


def any_predicate(parts: Sequence[XmlElement]) -> XmlElement:
    """True where one is."""
    return _joined("or", [each for each in parts if each != NEVER], NEVER)


def _joined(operator: str, parts: Sequence[XmlElement], empty: XmlElement) -> XmlElement:
    if len(parts) < 2:
        return parts[0] if parts else empty
    return element("CompoundPredicate", *parts, booleanOperator=operator)


def _among(name: str, values: Sequence[str]) -> list[XmlElement]:
    if len(values) > 1 and all(_PLAIN.fullmatch(each) for each in values):
        listed = element(
            "Array", text=" ".join(f'"{each}"' for each in values), n=str(len(values)), type="string"
        )
        return [element("SimpleSetPredicate", listed, field=name, booleanOperator="isIn")]
    return [element("SimplePredicate", field=name, operator="equal", value=each) for each in values]


def _is_missing(name: str) -> XmlElement:
    return element("SimplePredicate", field=name, operator="isMissing")


def _compared(name: str, sign: LimitSign, limit: float) -> XmlElement:
    if math.isinf(limit):
        known = element("SimplePredicate", field=name, operator="isNotMissing")
        return known if (limit > 0) == sign.startswith("<") else NEVER
    return element("SimplePredicate", field=name, operator=SIGNS[sign], value=number_text(limit))
