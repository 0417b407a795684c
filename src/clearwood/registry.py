"""Checks of a learner's settings: refused when made, with what is allowed; kept as plain Python values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood.errors import SettingError, no_such

Priors: TypeAlias = Mapping[str, float] | str | None  # class → prior; "equal"; None: as they come
Costs: TypeAlias = Mapping[tuple[str, str], float] | None  # (true class, called) → cost; others cost 1

MOST: Final = 2**31 - 1  # of a whole number: what the native code counts with


def settle(learner: object, **plain: object) -> None:
    """Put checked settings into a frozen learner, so that a number of NumPy's is a plain one from here on.

    >>> from clearwood.learners.trees.cart import CART
    >>> CART(max_depth=np.int64(3), min_leaf=np.float32(0.5))
    CART(measure='auto', max_depth=3, min_rows=2, min_leaf=0.5, min_decrease=0.0, missing='surrogates', \
surrogates=5, alpha=None, folds=10, seed=0, priors=None, costs=None)
    """
    for name, value in plain.items():
        object.__setattr__(learner, name, value)


def at_least(name: str, value: Any, low: float) -> float:
    """A finite number, refused below its floor."""
    number = _number(name, value, "a number")
    if number < low:
        raise SettingError(f"{name} must be at least {low:g}, not {value!r}.")
    return number


def whole(name: str, value: Any, low: int) -> int:
    """A whole number from its floor up."""
    number = _number(name, value, "a whole number")
    if number != math.floor(number):
        raise SettingError(f"{name} must be a whole number, not {value!r}.")
    if number < low:
        raise SettingError(f"{name} must be at least {low}, not {value!r}.")
    if number > MOST:
        raise SettingError(f"{name} must be at most {MOST}, not {value!r}.")
    return int(number)


def whole_or_none(name: str, value: Any, low: int) -> int | None:
    """A whole number from its floor up, or None for no limit."""
    return None if value is None else whole(name, value, low)


def between(name: str, value: Any, low: float, high: float, *, including_high: bool = False) -> float:
    """A number strictly between its bounds, or the upper bound itself where that is allowed."""
    number = _number(name, value, f"a number between {low:g} and {high:g}")
    if not (low < number < high or (including_high and number == high)):
        reach = "above {:g} and at most {:g}" if including_high else "between {:g} and {:g}"
        raise SettingError(f"{name} must lie {reach.format(low, high)}, not {value!r}.")
    return number


def flag(name: str, value: Any) -> bool:
    """True or False, and nothing that merely counts as one of them."""
    if not isinstance(value, bool | np.bool_):
        raise SettingError(f"{name} must be True or False, not {value!r}.")
    return bool(value)


def one_of(name: str, value: Any, allowed: Sequence[str]) -> str:
    """A word, refused if it is not in the list."""
    if not isinstance(value, str) or value not in allowed:
        raise SettingError(no_such(f"{name} called", str(value), allowed, plural="choices"))
    return str(value)


def priors_of(value: Any) -> Priors:
    """None, "equal", or a number above 0 for each class by its name.

    >>> priors_of({"No": np.float64(0.5), "Yes": 2})
    {'No': 0.5, 'Yes': 2}
    """
    if value is None or (isinstance(value, str) and value == "equal"):
        return value
    form = "priors must be None, 'equal' or a number above 0 by class, as in {'No': 0.3, 'Yes': 0.7}"
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise SettingError(f"{form}, not {value!r}.")
    plain = {str(name): _number(f"priors[{name!r}]", each, "a number") for name, each in value.items()}
    for name, each in plain.items():
        if not each > 0:
            raise SettingError(f"{form}; '{name}' has {each!r}. Leave out a class's rows to ignore it.")
    return plain


def costs_of(value: Any) -> Costs:
    """None, or a number from 0 up for a pair of classes: what it costs to call the first the second.

    >>> costs_of({("Yes", "No"): 5})
    {('Yes', 'No'): 5}
    """
    if value is None:
        return None
    if not isinstance(value, Mapping) or not all(_is_pair(pair) for pair in value):
        raise SettingError(
            "costs must be None or a number by (true class, called), as in {('Yes', 'No'): 5},"
            f" not {value!r}."
        )
    return {
        (str(true), str(called)): at_least(f"costs[{true!r}, {called!r}]", each, 0)
        for (true, called), each in value.items()
    }


def _is_pair(key: Any) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and all(isinstance(each, str) for each in key)


def _number(name: str, value: Any, wanted: str) -> float:
    """The plain number: an int stays an int."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise SettingError(f"{name} must be {wanted}, not {value!r}.")
    try:
        as_float = float(value)
    except OverflowError:
        as_float = math.inf
    if not math.isfinite(as_float):
        raise SettingError(f"{name} must be {wanted} that is finite, not {as_float!r}.")
    return int(value) if isinstance(value, Integral) else as_float
