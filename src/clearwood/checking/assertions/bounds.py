"""Bounds that an assertion sets to a number: at least, at most, or both."""

from __future__ import annotations

from typing import Final

from clearwood.errors import SettingError
from clearwood.words.numbers import number

ROUNDING: Final = 1e-12  # a share that is off by less is not off


def check_bounds(at_least: float | None, at_most: float | None) -> None:
    """Refuse bounds that say nothing, or that no number meets."""
    if at_least is None and at_most is None:
        raise SettingError("at_least or at_most is needed, or both.")
    if at_least is not None and at_most is not None and at_least > at_most:
        raise SettingError(
            f"at_least {number(at_least)} is above at_most {number(at_most)}: no number can be both."
        )


def meets(value: float, at_least: float | None, at_most: float | None) -> bool:
    """Is it within the bounds? NaN never is."""
    low = at_least is None or value >= at_least - ROUNDING
    return low and (at_most is None or value <= at_most + ROUNDING) and value == value


def bounds_words(at_least: float | None, at_most: float | None) -> str:
    """
    >>> bounds_words(0.7, None), bounds_words(0.2, 0.4)
    ('at least 0.7', 'at least 0.2 and at most 0.4')
    """
    words = [] if at_least is None else [f"at least {number(at_least)}"]
    return " and ".join(words if at_most is None else [*words, f"at most {number(at_most)}"])
