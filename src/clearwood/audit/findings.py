"""What an audit finds, as plain data: each finding with the rules it names and a row that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

Example: TypeAlias = Mapping[str, str | float | None]  # cells by column; None is an empty one
Falling: TypeAlias = Literal["known", "missing", "never met"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rules that a row can satisfy at once, such as `example`; rules are numbered from 1.

    `decides` says whether the order of the two matters: is there a row on which they disagree and which no
    rule before them takes? None: not settled within the budget. `rows` is the weight of the table's rows
    that satisfy both.
    """

    first: int
    second: int
    example: Example
    decides: bool | None = False
    rows: float | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of the space that no rule takes, as wide as it can be; `rows` are the table's rows in it.

    `because` says what a row must have to fall into it: known cells will do, or it takes an empty cell or
    a value never met.
    """

    region: str
    example: Example
    because: Falling = "known"
    rows: float | None = None


@dataclass(frozen=True, slots=True)
class Dead:
    """A rule that never answers: these rules before it take every row that satisfies it."""

    rule: int
    behind: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Impossible:
    """A rule that no row can satisfy, by what it asks of one column."""

    rule: int
    because: str


@dataclass(frozen=True, slots=True)
class Audit:
    """The findings of an audit, all certain. Lists of pairs and gaps may be shortened; totals never are.

    `uncovered` and `weight` are None without a table. `unsettled` says in sentences what would have needed
    more than the budget; `more_gaps` and a pair's `decides` of None leave it open too.
    """

    rules: int
    matching: str
    impossible: tuple[Impossible, ...]
    dead: tuple[Dead, ...]
    redundant: tuple[int, ...]  # without one of these, alone, every row gets the answer it has now
    conflicts: tuple[Pair, ...]
    conflicts_in_all: int
    decided_by_order: int  # conflicts in which the order decides
    overlaps: tuple[Pair, ...]
    overlaps_in_all: int
    gaps: tuple[Gap, ...]
    more_gaps: bool  # were there more than are listed?
    uncovered: float | None  # the weight of the table's rows that no rule takes
    weight: float | None  # of all the table's rows
    otherwise: str  # the default answer, which rows in a gap get
    unsettled: tuple[str, ...] = ()

    @property
    def order_free(self) -> bool:
        """Do all orders of the rules give the same answers? They do if no two that meet disagree."""
        return self.matching == "vote" or self.conflicts_in_all == 0

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {**asdict(self), "order_free": self.order_free}

    def __str__(self) -> str:
        from clearwood.audit.report import audit_text

        return audit_text(self)
