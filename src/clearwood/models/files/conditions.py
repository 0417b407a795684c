"""A condition in a file: its column, and what its cell must be."""

from __future__ import annotations

import math
from typing import Annotated, Any, Final, Literal, TypeAlias, assert_never

from msgspec import UNSET, Meta, UnsetType

from clearwood.errors import TableError
from clearwood.formulas.conditions import (
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
from clearwood.models.files.forms import Finite, Form, Misplaced, without_point, wrong
from clearwood.models.kinds.rules.rule_list import check_condition
from clearwood.table.schema import Schema

INFINITE: Final = {"infinity": math.inf, "-infinity": -math.inf}
# Strict JSON has no infinite numbers.
LimitInFile: TypeAlias = Annotated[
    Finite | Literal["infinity", "-infinity"], Meta(extra={"demand": "must be a finite number, or infinity"})
]
Flag: TypeAlias = bool | UnsetType


class ConditionForm(Form, frozen=True, rename={"is_": "is", "in_": "in"}):
    """What is asked of a row: a value, one of several values, a number within bounds, any number, or an empty
    cell. `or_missing`: an empty cell satisfies it as well. A bound is open (`above`, `below`) or closed
    (`at_least`, `at_most`)."""

    column: str
    is_: str | UnsetType = UNSET
    in_: tuple[str, ...] | UnsetType = UNSET
    above: LimitInFile | UnsetType = UNSET
    at_least: LimitInFile | UnsetType = UNSET
    at_most: LimitInFile | UnsetType = UNSET
    below: LimitInFile | UnsetType = UNSET
    known: Flag = UNSET
    missing: Flag = UNSET
    or_missing: Flag = UNSET


def condition_to_form(condition: Condition) -> ConditionForm:
    """The form of a condition.

    >>> from msgspec import to_builtins
    >>> to_builtins(condition_to_form(Between("Age", 23.0, 31.0)))
    {'column': 'Age', 'above': 23, 'at_most': 31}
    """
    match condition:
        case Equals(name, value):
            return ConditionForm(column=name, is_=value)
        case OneOf(name, values, missing):
            return ConditionForm(column=name, in_=values, or_missing=bool(missing) or UNSET)
        case AtMost(name, limit, missing) if limit == math.inf:
            return ConditionForm(column=name, known=True, or_missing=bool(missing) or UNSET)
        case AtMost(name, limit, missing):
            return ConditionForm(column=name, at_most=limit_to_json(limit), or_missing=bool(missing) or UNSET)
        case Below(name, limit, missing):
            return ConditionForm(column=name, below=limit_to_json(limit), or_missing=bool(missing) or UNSET)
        case Above(name, limit, missing):
            return ConditionForm(column=name, above=limit_to_json(limit), or_missing=bool(missing) or UNSET)
        case AtLeast(name, limit, missing):
            return ConditionForm(
                column=name, at_least=limit_to_json(limit), or_missing=bool(missing) or UNSET
            )
        case Between(name, low, high, missing, low_included, high_included):
            bounds = {
                "at_least" if low_included else "above": limit_to_json(low),
                "at_most" if high_included else "below": limit_to_json(high),
            }
            return ConditionForm(column=name, or_missing=bool(missing) or UNSET, **bounds)
        case IsMissing(name):
            return ConditionForm(column=name, missing=True)
        case _:
            assert_never(condition)


def condition_from_form(form: ConditionForm, schema: Schema) -> Condition:
    """The condition, if the schema's rows can be asked it; one that no cell satisfies is read like any other:
    an audit is there to say so. May raise `Misplaced`."""
    condition = _condition(form)
    try:
        check_condition(schema, condition)
    except TableError as error:
        raise Misplaced(f": {error}") from None
    return condition


def bounds_in(form: ConditionForm) -> tuple[float, float] | None:
    """The numbers low < x ≤ high between its bounds; None where it has none, or one from two sides.

    An open upper bound is the same as a closed one at the number before it, and so below.
    """
    low, high = -math.inf, math.inf
    if form.above is not UNSET:
        low = limit_from_json(form.above)
    if form.at_least is not UNSET:
        if form.above is not UNSET:
            return None
        low = math.nextafter(limit_from_json(form.at_least), -math.inf)
    if form.at_most is not UNSET:
        high = limit_from_json(form.at_most)
    if form.below is not UNSET:
        if form.at_most is not UNSET:
            return None
        high = math.nextafter(limit_from_json(form.below), -math.inf)
    return low, high


def tests_in(form: ConditionForm) -> list[str]:
    """The fields that ask something, but for `or_missing`."""
    named = {
        "is": form.is_, "in": form.in_, "above": form.above, "at_least": form.at_least,
        "at_most": form.at_most, "below": form.below, "known": form.known, "missing": form.missing,
    }  # fmt: skip
    return sorted(name for name, value in named.items() if value is not UNSET)


def limit_to_json(limit: float) -> Any:
    """A number, or the word for an infinite one."""
    if math.isinf(limit):
        return "infinity" if limit > 0 else "-infinity"
    return without_point(limit)


def limit_from_json(limit: Any) -> float:
    """The number that `limit_to_json` wrote."""
    return INFINITE[limit] if isinstance(limit, str) else float(limit)


def _condition(form: ConditionForm) -> Condition:
    tests, missing = tests_in(form), form.or_missing is True
    match tests:
        case ["missing"] if form.missing is True and not missing:
            return IsMissing(form.column)
        case ["known"] if form.known is True:
            return AtMost(form.column, math.inf, missing)
        case ["is"]:
            return one_of(form.column, (str(form.is_),), missing)
        case ["in"]:
            assert isinstance(form.in_, tuple)
            return OneOf(form.column, form.in_, missing)
    limits = {name: limit_from_json(getattr(form, name)) for name in tests if name in _BOUNDS}
    if len(limits) < len(tests) or bounds_in(form) is None:
        limits = {}
    match limits:
        case {"above": low, "at_most": high}:
            return Between(form.column, low, high, missing)
        case {"above": low, "below": high}:
            return Between(form.column, low, high, missing, high_included=False)
        case {"at_least": low, "at_most": high}:
            return Between(form.column, low, high, missing, low_included=True)
        case {"at_least": low, "below": high}:
            return Between(form.column, low, high, missing, low_included=True, high_included=False)
        case {"above": low}:
            return Above(form.column, low, missing)
        case {"at_least": low}:
            return AtLeast(form.column, low, missing)
        case {"at_most": high}:
            return AtMost(form.column, high, missing)
        case {"below": high}:
            return Below(form.column, high, missing)
        case _:
            raise wrong("must have 'is', 'in', 'above', 'at_most', 'known' or 'missing'", tests)


_BOUNDS: Final = {"above", "at_least", "at_most", "below"}
