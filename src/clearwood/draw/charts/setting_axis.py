"""The axis of a setting: its values as numbers, evenly or by ratios, or one beside the other as words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clearwood.draw.charts.sheet import Spec, in_sentence
from clearwood.study.tuning.words import value_in_text

_RATIO: Final = 30.0  # of the largest number to the least, from which on an axis goes by ratios
_TICKS: Final = 12  # values that each have a tick of their own


@dataclass(frozen=True, slots=True)
class SettingAxis:
    """Where each value stands, and the axis; words stand at 0, 1, 2, … in the order they came."""

    name: str
    values: tuple[Any, ...]
    is_numeric: bool
    log: bool | None = None  # None: by how far the numbers reach

    def place(self, value: Any) -> float:
        """Where a value stands."""
        return float(value) if self.is_numeric else float(self.values.index(value))

    @property
    def by_ratio(self) -> bool:
        """Is it a log axis?"""
        if not self.is_numeric or min(self.values) <= 0:
            return False
        return max(self.values) >= _RATIO * min(self.values) if self.log is None else self.log

    @property
    def spec(self) -> Spec:
        """What Vega-Lite needs of the axis, without the field."""
        title = in_sentence(self.name)
        if not self.is_numeric:
            texts = [value_in_text(each) for each in self.values]
            return {
                "title": title, "scale": {"domain": [-0.4, len(texts) - 0.6], "nice": False},
                "axis": {"grid": False, "values": [*range(len(texts))],
                         "labelExpr": f"{json.dumps(texts)}[datum.value]"},
            }  # fmt: skip
        low, high = min(self.values), max(self.values)
        if low == high:
            low, high = (low / 2, high * 2) if self.by_ratio else (low - 1, high + 1)
        ticks: Spec = {"tickCount": 7}
        if len(self.values) <= _TICKS:
            ticks = {"values": [float(each) for each in sorted(self.values)]}
        return {
            "title": title + (" (log scale)" if self.by_ratio else ""),
            "scale": {"type": "log" if self.by_ratio else "linear", "domain": [low, high], "nice": False},
            "axis": {"grid": False, "format": "~r", "labelOverlap": True, **ticks},
        }  # fmt: skip


def setting_axis(name: str, values: Sequence[Any], log: bool | None = None) -> SettingAxis:
    """The axis of these values, each once; numbers rise.

    >>> setting_axis("max_depth", [3, 1, 3]).values, setting_axis("alpha", [None, 0.1]).is_numeric
    ((1, 3), False)
    """
    distinct: list[Any] = []
    for value in values:
        if not any(value == each and type(value) is type(each) for each in distinct):
            distinct.append(value)
    numeric = all(isinstance(each, int | float) and not isinstance(each, bool) for each in distinct)
    return SettingAxis(name, tuple(sorted(distinct) if numeric else distinct), numeric, log)
