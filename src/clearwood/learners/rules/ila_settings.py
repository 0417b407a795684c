"""Settings of ILA that its variants share, or that take more than a bound to check."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, TypeAlias

from clearwood.bounds import Checked, at_least
from clearwood.errors import SettingError
from clearwood.registry import Letter


def _penalty(name: str, value: Any) -> float | None:
    """A number from 0 up; an infinite one is none at all: no row of another class is allowed."""
    return None if value in (None, math.inf) else at_least(name, value, 0)


def _names(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, list | tuple):
        raise SettingError(f"{name} must be a list of classes, not {value!r}.")
    for each in value:
        if not isinstance(each, str):
            raise SettingError(f"{name} must be a list of classes by their names, not {each!r}.")
    return tuple(value)


Penalty: TypeAlias = Annotated[
    float | None,
    Checked(_penalty),
    Letter("penalty"),
    "The cost of covering a row of another class; none: never allowed.",
]
DropIrrelevant: TypeAlias = Annotated[
    bool, "Leave columns that are not related to the class out of larger combinations."
]
MissingAs: TypeAlias = Annotated[
    Literal["lost", "cautious", "mode", "class_mode", "delete"],
    "lost: satisfies no condition; cautious: may be any value; mode, class_mode: the most common value; "
    "delete: its row is left out.",
]
ClassOrder: TypeAlias = Annotated[
    tuple[str, ...],
    Checked(_names),
    "The classes to begin with: CLASS,…; none: by name.",
]
