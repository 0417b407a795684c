"""The lines of a scorecard: points for a condition, each unit of a number, and the cells of a pair."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from clearwood.errors import NamedOption, SettingError
from clearwood.explaining.curve_groups import CellWords

MOST_POINTS: Final = 1e12  # of one line: beyond, a share is 0 or 1 whatever the others add


@dataclass(frozen=True, slots=True)
class Points:
    """Points for a row of which this holds; `exact` is what was rounded."""

    when: CellWords
    points: int
    exact: float


@dataclass(frozen=True, slots=True)
class PointsPerUnit:
    """Points for each unit of a number, their product rounded, halves upwards; `missing` for an empty cell.

    A number beyond `reach` either way counts as `reach`: as many points as a line may have.
    """

    name: str
    points: float
    exact: float
    missing: int

    @property
    def reach(self) -> float:
        """The largest number that is counted."""
        return MOST_POINTS / abs(self.points) if self.points else math.inf

    def __str__(self) -> str:
        return f"{self.name}, each unit"


@dataclass(frozen=True, slots=True)
class PointsTable:
    """Points for two columns together: `points[i][j]` if `down[i]` and `across[j]` hold, else 0."""

    names: tuple[str, str]
    down: tuple[CellWords, ...]
    across: tuple[CellWords, ...]
    points: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return " × ".join(self.names)


ScorecardLine = Points | PointsPerUnit


def column_of(line: ScorecardLine) -> str:
    """The column that a line is about."""
    return line.name if isinstance(line, PointsPerUnit) else line.when.name


def whole_points(points: float) -> int:
    """The points rounded; refused where nobody could add them up."""
    if not abs(points) <= MOST_POINTS:
        raise SettingError(
            f"There are {points:.3g} points on this card, more than a person can add up. Give fewer ",
            NamedOption("points_per_doubling"),
            ", or rescale the columns of the model.",
        )
    return round(points)
