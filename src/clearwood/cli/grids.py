"""Values to try as a person types them: `3..10`, `3..30:3`, `0.001..0.1:log`, `5,20,50`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from clearwood.cli.settings import parsed_value
from clearwood.cli.sources import pairs
from clearwood.errors import SettingError, no_such
from clearwood.registry import Setting, settings_of
from clearwood.study.tuning.grids import Range, SettingGrid

FORM: Final = "NAME=VALUES"
_NUMBER: Final = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE: Final = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?::(.*))?")


def grid_in(
    owner: str, texts: Sequence[str], maker: Callable[..., Any], *, draws: int | None = None, seed: int = 0
) -> SettingGrid:
    """The `--grid` texts as a grid of the settings of a learner.

    >>> from clearwood.learners.trees.cart import CART
    >>> dict(grid_in("cart", ["max_depth=3..10", "min_leaf=5,20"], CART).over)
    {'max_depth': Range(low=3, high=10, step=None, log=False, count=None), 'min_leaf': (5.0, 20.0)}
    """
    known = settings_of(maker)
    over: dict[str, Any] = {}
    for name, text in pairs("--grid", texts, FORM).items():
        if name not in known:
            raise SettingError(no_such(f"setting of {owner} called", name, known, plural="settings"))
        over[name] = _values(known[name], text.strip())
    return SettingGrid(over, draws, seed)


def _values(setting: Setting, text: str) -> Any:
    parts = _RANGE.fullmatch(text)
    if parts is not None:
        return _range(setting.name, text, parts)
    if ".." in text:
        raise SettingError(_misread(setting.name, text))
    return tuple(parsed_value(setting, each) for each in text.split(","))


def _range(name: str, text: str, parts: re.Match[str]) -> Range:
    low, high = _number(parts[1]), _number(parts[2])
    if parts[3] is None:
        return Range(low, high)
    words = parts[3].split(":")
    log = "log" in words
    words = [each for each in words if each != "log"]
    if len(words) > 1 or not all(re.fullmatch(_NUMBER, each) for each in words):
        raise SettingError(_misread(name, text))
    if log:
        return Range(low, high, log=True, count=_count(name, text, words[0]) if words else None)
    return Range(low, high, _number(words[0]))


def _count(name: str, text: str, word: str) -> int:
    if not word.isdecimal():
        raise SettingError(_misread(name, text))
    return int(word)


def _number(text: str) -> float:
    """A whole number stays one."""
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)


def _misread(name: str, text: str) -> str:
    return (
        f"--grid {name}={text} cannot be read. Write LOW..HIGH, with a step LOW..HIGH:STEP, by ratios "
        "LOW..HIGH:log (in nine, LOW..HIGH:log:9), or values with commas between."
    )
