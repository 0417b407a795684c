"""Grids: which values of which settings are tried, as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from clearwood.bounds import boolean, finite, whole
from clearwood.counting.chance import chance_key
from clearwood.errors import SettingError

VALUES: Final = 5  # of a range that has no steps
MOST: Final = 10_000  # combinations; of more, some are drawn
_ENUMERATED: Final = 20_000  # combinations, of which each is given a chance of its own

ValuesToTry: TypeAlias = "Range | tuple[Any, ...]"


@dataclass(frozen=True, slots=True)
class Range:
    """All values from `low` to `high`, both included.

    Of two whole numbers it is every one between them, or every `step`th. Of others, and of `log` ranges, it
    is `count` values at equal distances, or equal ratios, rounded to three digits. Random draws take any
    value of the range, each equally likely (of a `log` range each of its logarithm).

    >>> Range(3, 6).values, Range(3, 30, 9).values, Range(0.001, 0.1, log=True, count=3).values
    ((3, 4, 5, 6), (3, 12, 21, 30), (0.001, 0.01, 0.1))
    """

    low: float
    high: float
    step: float | None = None
    log: bool = field(default=False, kw_only=True)
    count: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(self, name, finite(f"{name} of a range", getattr(self, name), "a number"))
        boolean("log", self.log)
        if not self.low <= self.high:
            raise SettingError(f"A range goes from low to high, not from {self.low:g} to {self.high:g}.")
        if self.log and not self.low > 0:
            raise SettingError(f"A log range begins above 0, not at {self.low:g}.")
        if self.step is not None:
            object.__setattr__(self, "step", finite("step of a range", self.step, "a number"))
            if not self.step > 0:
                raise SettingError(f"The step of a range must be above 0, not {self.step:g}.")
            if self.log or self.count is not None:
                raise SettingError("A range has a step, or else is log or has a count. Give one of them.")
            if (self.high - self.low) / self.step > MOST:
                raise SettingError(f"A range of more than {MOST:,} steps is too fine. Take a larger step.")
        if self.count is not None:
            object.__setattr__(self, "count", whole("count of a range", self.count, 1, MOST))

    @property
    def _steps(self) -> int | None:
        """How many values there are, by whole numbers or by steps; None: any between the ends."""
        if self.step is None and (not self.is_whole or self.log):
            return None
        return math.floor((self.high - self.low) / (self.step or 1) + 1e-9) + 1

    @property
    def is_whole(self) -> bool:
        """Are its values whole numbers?"""
        ends = isinstance(self.low, int) and isinstance(self.high, int)
        return ends and (self.step is None or isinstance(self.step, int))

    @property
    def values(self) -> tuple[float, ...]:
        """Those that a grid tries, rising."""
        steps = self._steps if self.count is None else None
        if steps is not None:
            if steps - 1 > MOST:
                raise SettingError(
                    f"From {self.low} to {self.high} are more than {MOST:,} values. Give a step or a count."
                )
            return tuple(self._rounded(self.low + place * (self.step or 1), 12) for place in range(steps))
        count = VALUES if self.count is None else self.count
        parts = [place / (count - 1) for place in range(count)] if count > 1 else [0.0]
        return tuple(dict.fromkeys(self.at(part) for part in parts))

    def at(self, part: float) -> float:
        """The value at this part of the way, from 0 to 1; the ends as they are given.

        >>> Range(1, 9).at(0.5), Range(1.0, 100.0, log=True).at(0.5)
        (5, 10.0)
        """
        if part in (0, 1):
            return self.high if part else self.low
        if self.log:
            between = math.exp(math.log(self.low) + part * (math.log(self.high) - math.log(self.low)))
        else:
            between = self.low + part * (self.high - self.low)
        return min(max(self._rounded(between, 3), self.low), self.high)

    def drawn(self, part: float) -> float:
        """The value that a number drawn from [0, 1) stands for: of whole numbers and steps, each alike."""
        if self._steps is None:
            return self.at(part)
        return self._rounded(self.low + math.floor(part * self._steps) * (self.step or 1), 12)

    def _rounded(self, value: float, digits: int) -> float:
        return round(value) if self.is_whole else float(f"{value:.{digits}g}")


@dataclass(frozen=True, slots=True)
class SettingGrid:
    """The settings to try: the values of each, all combined, or `draws` combinations drawn by `seed`.

    >>> grid = SettingGrid({"max_depth": Range(3, 5), "min_leaf": (5, 50)})
    >>> len(grid.combinations), grid.combinations[0]
    (6, {'max_depth': 3, 'min_leaf': 5})
    >>> [each["alpha"] for each in SettingGrid({"alpha": Range(0.001, 0.1, log=True)}, draws=3).combinations]
    [0.0403, 0.00488, 0.0317]
    """

    over: Mapping[str, Any]  # ValuesToTry, whatever they were given as
    draws: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.over, Mapping) or not self.over:
            raise SettingError(
                "A grid names settings and their values: SettingGrid({'max_depth': Range(3, 10)})."
            )
        over = {str(name): _values(str(name), values) for name, values in self.over.items()}
        object.__setattr__(self, "over", MappingProxyType(over))
        if self.draws is not None:
            object.__setattr__(self, "draws", whole("draws", self.draws, 1, MOST))
        object.__setattr__(self, "seed", whole("seed", self.seed, 0))

    def __reduce__(self) -> tuple[object, ...]:
        # A view cannot be pickled or copied: what it shows can.
        return SettingGrid, (dict(self.over), self.draws, self.seed)

    @property
    def combinations(self) -> tuple[dict[str, Any], ...]:
        """The settings of each trial, in order."""
        if self.draws is not None:
            return tuple(self._drawn(self.draws))
        values = [each.values if isinstance(each, Range) else each for each in self.over.values()]
        count = math.prod(map(len, values))
        if count > MOST:
            raise SettingError(
                f"The grid has {count:,} combinations; the limit is {MOST:,}. Draw some of them: draws=40."
            )
        return tuple(dict(zip(self.over, each, strict=True)) for each in product(*values))

    def _drawn(self, draws: int) -> Iterator[dict[str, Any]]:
        """Different ones, as far as there are so many."""
        sizes = [each._steps if isinstance(each, Range) else len(each) for each in self.over.values()]
        known = [size for size in sizes if size is not None]
        if len(known) == len(sizes) and math.prod(known) <= _ENUMERATED:
            by_chance = sorted(range(math.prod(known)), key=lambda place: chance_key(self.seed, place))
            for place in sorted(by_chance[:draws]):
                chosen = {}
                # The combination of this number, where the last setting changes fastest.
                for (name, values), size in zip(reversed([*self.over.items()]), reversed(known), strict=True):
                    place, within = divmod(place, size)
                    chosen[name] = _drawn_from(values, (within + 0.5) / size)
                yield dict(reversed(chosen.items()))
            return
        tried: set[str] = set()
        for attempt in range(100 * draws):
            each = {
                # 64 bits as a number from [0, 1).
                name: _drawn_from(values, (chance_key(self.seed, attempt, place) >> 11) * 2.0**-53)
                for place, (name, values) in enumerate(self.over.items())
            }
            if repr(each) not in tried:
                tried.add(repr(each))
                yield each
            if len(tried) == draws:
                return


def as_grid(given: SettingGrid | Mapping[str, Any]) -> SettingGrid:
    """A grid, or the settings of one."""
    return given if isinstance(given, SettingGrid) else SettingGrid(given)


def _values(name: str, given: Any) -> ValuesToTry:
    if isinstance(given, Range):
        return given
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise SettingError(f"The values of {name} are a Range or a list of them, not {given!r}.")
    values = tuple(given)
    if not values:
        raise SettingError(f"The grid has no value for {name}. Give some, or leave it out.")
    for place, value in enumerate(values):
        if any(value == other and type(value) is type(other) for other in values[:place]):
            raise SettingError(f"The grid has {value!r} twice for {name}. Give it once.")
    return values


def _drawn_from(values: ValuesToTry, part: float) -> Any:
    return values.drawn(part) if isinstance(values, Range) else values[int(part * len(values))]
