"""A difference of two models, as plain data: regions of changed answers, their rows, and other changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from clearwood.shown import ShowsItself
from clearwood.table.raw import Cell
from clearwood.words.numbers import many_in_words

Given: TypeAlias = str | float | None  # an answer; None: there is none


@dataclass(frozen=True, slots=True)
class ChangedRegion:
    """A part of the space whose every row got `before` and now gets `after`, such as `example`.

    `rows` is the weight of the data's rows in it that no region listed before has. `training` is the part of
    the training rows that lies in it if columns are independent, by the new model's profile; None where it
    has none.
    """

    region: str
    before: Given
    after: Given
    example: Mapping[str, Cell]
    rows: float | None = None
    training: float | None = None


@dataclass(frozen=True, slots=True)
class MovedShare:
    """A part of the space in which the share of `name` moved most of all shares: by `least` to `most`."""

    region: str
    name: str
    least: float
    most: float
    example: Mapping[str, Cell]
    rows: float | None = None
    training: float | None = None


@dataclass(frozen=True, slots=True)
class Flow:
    """So many rows of the data got `before` and now get `after`."""

    before: Given
    after: Given
    rows: float


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One row of the data, counted from 1, whose answer changed."""

    row: int
    before: Given
    after: Given


@dataclass(frozen=True, slots=True, repr=False)
class Difference(ShowsItself):
    """What changed from one model to another.

    `exact`: answers change in these regions alone, whatever rows may come, but for what `left_open` says.
    Where it is False the models were compared on the data's rows only. Lists are shortened, totals never are;
    `changed`, `flows`, `moved_rows` and `largest_move` are of the data's rows, None or empty without any.

    Where the regions are `examples`, those listed are as wide as they can be and may overlap, while
    `regions_in_all` counts narrower ones, of which no two share a row.
    """

    names: tuple[str, str]
    exact: bool
    reached: str  # how it was reached, in a sentence
    regions: tuple[ChangedRegion, ...]
    regions_in_all: int
    left_open: str = ""
    moved: tuple[MovedShare, ...] = ()
    moved_in_all: int = 0
    by_more_than: float | None = None  # of shares
    rows: float | None = None
    changed: float | None = None
    flows: tuple[Flow, ...] = ()
    changed_rows: tuple[ChangedRow, ...] = ()
    moved_rows: float | None = None
    largest_move: float | None = None
    about: tuple[str, ...] = ()  # schema, decision, origin and size, a sentence each
    notes: tuple[str, ...] = ()
    examples: bool = False

    @property
    def same_answers(self) -> bool:
        """Does every row get the answer that it had? Of models compared by rows, every row of the data."""
        return not self.regions_in_all and not self.left_open and not self.changed

    @property
    def rows_stand_for_regions(self) -> bool:
        """Are the first changed rows shown, since no region of theirs is known?"""
        return bool(self.changed_rows) and not self.regions_in_all

    def __repr__(self) -> str:
        regions = many_in_words(self.regions_in_all, "region")
        return f"<Difference of {self.names[0]} and {self.names[1]}: {regions}>"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {**asdict(self), "same_answers": self.same_answers}
