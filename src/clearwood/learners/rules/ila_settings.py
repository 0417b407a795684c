"""Settings of ILA that its variants share, or that take more than a bound to check."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, TypeAlias

from clearwood.bounds import Checked, at_least
from clearwood.errors import SettingError


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
    float | None, Checked(_penalty), "What a row of another class costs a rule; none: no such row is allowed."
]
DropIrrelevant: TypeAlias = Annotated[
    bool, "Leave columns without a bearing on the class out of larger combinations."
]
Missing: TypeAlias = Annotated[
    Literal["lost", "cautious", "mode", "class_mode", "delete"],
    "lost: no condition holds; cautious: perhaps one; mode, class_mode: the usual value; delete.",
]
ClassOrder: TypeAlias = Annotated[
    tuple[str, ...],
    Checked(_names),
    "Which classes get their rules first: CLASS,…; none: as they appear.",
]
