"""A condition as JSON: its column, and what its cell must be."""

from __future__ import annotations

import math
from typing import Any, Final, assert_never

from clearwood.errors import ModelFileError, TableError
from clearwood.models.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    one_of,
)
from clearwood.models.files.fields import as_number, fields, refuse
from clearwood.models.rule_list import check_condition
from clearwood.table.schema import Schema

_INFINITE: Final = {"infinity": math.inf, "-infinity": -math.inf}
_LOWS: Final = ("above", "at_least")
_HIGHS: Final = ("at_most", "below")


def condition_to_json(condition: Condition) -> dict[str, Any]:
    """Plain values, ready for `json.dumps`.

    >>> condition_to_json(Between("Age", 23.0, 31.0))
    {'column': 'Age', 'above': 23.0, 'at_most': 31.0}
    >>> condition_to_json(Above("Age", math.inf))
    {'column': 'Age', 'above': 'infinity'}
    """
    name = {"column": condition.name}
    match condition:
        case Equals(_, value):
            return {**name, "is": value}
        case OneOf(_, values):
            test: dict[str, Any] = {"in": list(values)}
        case AtMost(_, limit):
            test = {"known": True} if limit == math.inf else {"at_most": _limit(limit)}
        case Below(_, limit):
            test = {"below": _limit(limit)}
        case Above(_, limit):
            test = {"above": _limit(limit)}
        case AtLeast(_, limit):
            test = {"at_least": _limit(limit)}
        case Between(_, low, high, _, low_included, high_included):
            test = {
                "at_least" if low_included else "above": _limit(low),
                "at_most" if high_included else "below": _limit(high),
            }
        case IsMissing():
            return {**name, "missing": True}
        case _:
            assert_never(condition)
    return {**name, **test, **({"or_missing": True} if condition.or_missing else {})}


def condition_from_json(data: Any, schema: Schema, where: str) -> Condition:
    """The condition this JSON describes, if the schema's rows can be asked it.

    One that no cell satisfies is read like any other: an audit is there to say so.
    """
    tests = ("is", "in", *_LOWS, *_HIGHS, "known", "missing")
    fields(data, where, required=("column",), optional=(*tests, "or_missing"))
    column, or_missing = data["column"], data.get("or_missing", False)
    if not isinstance(column, str):
        refuse(f"{where}.column", "must be text", column)
    if type(or_missing) is not bool:
        refuse(f"{where}.or_missing", "must be true or false", or_missing)
    condition = _condition(column, {key: data[key] for key in tests if key in data}, or_missing, where)
    try:
        check_condition(schema, condition)
    except TableError as error:
        raise ModelFileError(f"{where}: {error}") from None
    return condition


def _condition(column: str, tests: dict[str, Any], or_missing: bool, where: str) -> Condition:
    if len(tests) == 1:
        match tests:
            case {"missing": True} if not or_missing:
                return IsMissing(column)
            case {"known": True}:
                return AtMost(column, math.inf, or_missing)
            case {"is": str(value)}:
                return one_of(column, (value,), or_missing)
            case {"in": list(values)}:
                if not all(isinstance(each, str) for each in values):
                    refuse(f"{where}.in", "must be a list of text", values)
                return OneOf(column, tuple(values), or_missing)
    limits = {key: _limit_from(tests[key], where, key) for key in (*_LOWS, *_HIGHS) if key in tests}
    match list(limits.items()):
        case [(low, above), (high, at_most)] if low in _LOWS and high in _HIGHS and len(tests) == 2:
            return Between(column, above, at_most, or_missing, low == "at_least", high == "at_most")
        case [("above", limit)] if len(tests) == 1:
            return Above(column, limit, or_missing)
        case [("at_least", limit)] if len(tests) == 1:
            return AtLeast(column, limit, or_missing)
        case [("at_most", limit)] if len(tests) == 1:
            return AtMost(column, limit, or_missing)
        case [("below", limit)] if len(tests) == 1:
            return Below(column, limit, or_missing)
        case _:
            return refuse(
                where,
                "must have 'is', 'in', 'above', 'at_most', 'at_least', 'below', 'known' or 'missing'",
                sorted(tests),
            )


def _limit(limit: float) -> float | str:
    """Strict JSON has no infinite numbers."""
    if math.isinf(limit):
        return "infinity" if limit > 0 else "-infinity"
    return limit


def _limit_from(value: Any, where: str, key: str) -> float:
    if isinstance(value, str) and value in _INFINITE:
        return _INFINITE[value]
    return as_number(value, where, key)
