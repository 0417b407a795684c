"""Bounds: what the value of a setting may be; anything else is refused with what is allowed.

A bound is plain data (`Within(0, 1)`), so that a form can offer what the check allows. Its `check` gives the
value back as plain Python, so that a number of NumPy's is a plain one from here on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, Final, Protocol, TypeVar

from clearwood.errors import SettingError, no_such
from clearwood.records import dataclass

W = TypeVar("W", bound=str)

MOST: Final = 2**31 - 1  # of a whole number: what the native code counts with
LARGEST_COST: Final = 1e100  # its square, times any number of rows, is a number still


class Bound(Protocol):
    """What a setting may be, in words that follow its type, and the check."""

    @property
    def words(self) -> str:
        """The bound in words, as in "a number" + "from 0 up"; empty where the type says it all."""

    def check(self, name: str, value: Any) -> Any:
        """The value as plain Python; a sentence where it is not allowed."""


@dataclass(frozen=True, slots=True)
class Least:
    """A finite number from its floor up."""

    low: float

    @property
    def words(self) -> str:
        return f"from {self.low:g} up"

    def check(self, name: str, value: Any) -> float:
        return at_least(name, value, self.low)


@dataclass(frozen=True, slots=True)
class Within:
    """A number strictly between two bounds, or the upper one itself where that is included."""

    low: float
    high: float
    including_high: bool = False

    @property
    def words(self) -> str:
        if self.including_high:
            return f"above {self.low:g} and at most {self.high:g}"
        return f"between {self.low:g} and {self.high:g}"

    def check(self, name: str, value: Any) -> float:
        number = finite(name, value, f"a number between {self.low:g} and {self.high:g}")
        if not (self.low < number < self.high or (self.including_high and number == self.high)):
            raise SettingError(f"{name} must lie {self.words}, not {value!r}.")
        return number


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from its floor up, at most what the native code counts with."""

    low: int
    high: int = MOST

    @property
    def words(self) -> str:
        return f"from {self.low} up" if self.high == MOST else f"from {self.low} to {self.high}"

    def check(self, name: str, value: Any) -> int:
        return whole(name, value, self.low, self.high)


@dataclass(frozen=True, slots=True)
class OneWord:
    """A word of a list that may grow, so it is asked for when a word is checked; fixed ones are a Literal."""

    listed: Callable[[], Sequence[str]]

    @property
    def words(self) -> str:
        names = self.listed()
        return f"{', '.join(names[:-1])} or {names[-1]}"

    def check(self, name: str, value: Any) -> str:
        return choice(name, value, self.listed())


@dataclass(frozen=True, slots=True)
class Checked:
    """What a function of the setting's name and value makes of it, where no other bound says enough."""

    by: Callable[[str, Any], Any]

    @property
    def words(self) -> str:
        return ""

    def check(self, name: str, value: Any) -> Any:
        return self.by(name, value)


def at_least(name: str, value: Any, low: float) -> float:
    """A finite number, refused below its floor."""
    number = finite(name, value, "a number")
    if number < low:
        raise SettingError(f"{name} must be at least {low:g}, not {value!r}.")
    return number


def whole(name: str, value: Any, low: int, high: int = MOST) -> int:
    """A whole number from its floor up."""
    number = finite(name, value, "a whole number")
    if number != math.floor(number):
        raise SettingError(f"{name} must be a whole number, not {value!r}.")
    if number < low:
        raise SettingError(f"{name} must be at least {low}, not {value!r}.")
    if number > high:
        raise SettingError(f"{name} must be at most {high}, not {value!r}.")
    return int(number)


def boolean(name: str, value: Any) -> bool:
    """True or False, and nothing that merely counts as one of them."""
    if not _is_flag(value):
        raise SettingError(f"{name} must be True or False, not {value!r}.")
    return bool(value)


def choice(name: str, value: Any, allowed: Sequence[W]) -> W:
    """A word, refused if it is not in the list."""
    if not isinstance(value, str) or value not in allowed:
        raise SettingError(no_such(f"{name} called", str(value), allowed, plural="choices"))
    return allowed[allowed.index(value)]


def finite(name: str, value: Any, what: str) -> float:
    """The plain number: an int stays an int."""
    if _is_flag(value) or not isinstance(value, Real):
        raise SettingError(f"{name} must be {what}, not {value!r}.")
    try:
        as_float = float(value)
    except OverflowError:
        as_float = math.inf
    if not math.isfinite(as_float):
        raise SettingError(f"{name} must be {what} that is finite, not {as_float!r}.")
    return int(value) if isinstance(value, Integral) else as_float


def _is_flag(value: Any) -> bool:
    # NumPy's own True is known by what it is of, so that no list of learners has to load NumPy.
    return isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "") == "b"
