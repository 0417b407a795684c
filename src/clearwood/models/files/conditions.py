"""A condition as JSON: its column, and what its cell must be."""

from __future__ import annotations

import math
from typing import Any

from clearwood.errors import ModelFileError, TableError
from clearwood.models.conditions import (
    Above,
    AtMost,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    interval,
    one_of,
)
from clearwood.models.files.fields import as_number, fields, refuse
from clearwood.models.rule_list import check_condition
from clearwood.table.schema import Schema


def condition_to_json(condition: Condition) -> dict[str, Any]:
    """Plain values, ready for `json.dumps`.

    >>> condition_to_json(Between("Age", 23.0, 31.0))
    {'column': 'Age', 'above': 23.0, 'at_most': 31.0}
    """
    name = {"column": condition.name}
    match condition:
        case Equals(_, value):
            return {**name, "is": value}
        case OneOf(_, values):
            test: dict[str, Any] = {"in": list(values)}
        case AtMost(_, limit):
            test = {"known": True} if limit == math.inf else {"at_most": limit}
        case Above(_, limit):
            test = {"above": limit}
        case Between(_, above, at_most):
            test = {"above": above, "at_most": at_most}
        case IsMissing():
            return {**name, "missing": True}
    return {**name, **test, **({"or_missing": True} if condition.or_missing else {})}


def condition_from_json(data: Any, schema: Schema, where: str) -> Condition:
    """The condition this JSON describes, if the schema's rows can be asked it."""
    tests = ("is", "in", "above", "at_most", "known", "missing")
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
                if not values or not all(isinstance(each, str) for each in values):
                    refuse(f"{where}.in", "must be at least one text", values)
                if len(set(values)) < len(values):
                    refuse(f"{where}.in", "must name each value once", values)
                return OneOf(column, tuple(values), or_missing)
    if not tests or not tests.keys() <= {"above", "at_most"}:
        refuse(where, "must have 'is', 'in', 'above', 'at_most', 'known' or 'missing'", sorted(tests))
    low = as_number(tests["above"], where, "above") if "above" in tests else -math.inf
    high = as_number(tests["at_most"], where, "at_most") if "at_most" in tests else math.inf
    if not low < high:
        refuse(where, "must have 'above' below 'at_most'", [low, high])
    return interval(column, low, high, or_missing)
