"""Checks of a learner's settings: refused when made, with what is allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from clearwood.errors import SettingError, no_such

Priors: TypeAlias = Mapping[str, float] | str | None  # class → prior; "equal"; None: as they come
Costs: TypeAlias = Mapping[tuple[str, str], float] | None  # (true class, called) → cost; others cost 1


def at_least(name: str, value: float | None, low: float, *, whole: bool = False) -> None:
    """Refuse a number below its floor (None means no limit and passes)."""
    if value is None:
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or (whole and not float(value).is_integer()):
        raise SettingError(f"{name} must be a {'whole ' if whole else ''}number, not {value!r}.")
    if not value >= low:
        raise SettingError(f"{name} must be at least {low:g}, not {value!r}.")


def between(name: str, value: float, low: float, high: float) -> None:
    """Refuse a number that is not strictly between its bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low < value < high:
        raise SettingError(f"{name} must lie between {low:g} and {high:g}, not {value!r}.")


def one_of(name: str, value: str, allowed: Sequence[str]) -> None:
    """Refuse a word that is not in the list."""
    if value not in allowed:
        raise SettingError(no_such(f"{name} called", str(value), allowed, plural="choices"))
