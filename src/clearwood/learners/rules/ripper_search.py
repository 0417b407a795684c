"""What the search for RIPPER's rules hands back, in columns and codes: the same from both twins."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from clearwood.arrays import Bools, Ints
from clearwood.table.table import Column

EQUALS, AT_MOST, ABOVE = range(3)

NEW, REVISION, REPLACEMENT = range(3)

(ADDED, NOTHING_LEFT, COVERS_NONE, HALF_WRONG, TOO_LONG, KEPT, REVISED, REPLACED, DELETED) = range(9)

SLACK_BITS: Final = 64.0  # how much longer than the shortest a description may get before covering stops


class RipperCondition(NamedTuple):
    """One condition: the column, EQUALS a code, or AT_MOST or ABOVE a limit."""

    column: int
    kind: int
    value: float

    def holds(self, columns: list[Column]) -> Bools:
        """[row] does it hold? An empty cell satisfies nothing."""
        cells = columns[self.column]
        satisfied: Bools
        if self.kind == EQUALS:
            satisfied = cells == int(self.value)
        else:
            satisfied = cells <= self.value if self.kind == AT_MOST else cells > self.value
        return satisfied


class SearchDraft(NamedTuple):
    """A rule as grown, of whose tests pruning kept the first few; `length` is infinite where it kept none."""

    kind: int
    start: int  # tests it began with
    grown: tuple[RipperCondition, ...]
    gains: tuple[float, ...]  # of the tests after those
    kept: int
    value_grown: float
    value: float
    length: float = 0.0

    @property
    def tests(self) -> tuple[RipperCondition, ...]:
        return self.grown[: self.kept]


class SearchStep(NamedTuple):
    """What became of a rule, and of the length of the description."""

    action: int
    code: int  # the class
    round: int
    position: int
    before: float
    after: float
    drafts: tuple[SearchDraft, ...]


class RipperSearch(NamedTuple):
    """The rules with their classes, the class otherwise, [row] the first rule that takes it, the steps."""

    rules: tuple[tuple[int, tuple[RipperCondition, ...]], ...]
    otherwise: int
    taken: Ints
    steps: tuple[SearchStep, ...]


def search_of(native: tuple[Any, ...]) -> RipperSearch:
    """The native twin's plain tuples under their names."""
    rules, otherwise, taken, steps = native
    return RipperSearch(
        tuple((code, _tests(tests)) for code, tests in rules),
        otherwise,
        taken,
        tuple(SearchStep(*step)._replace(drafts=tuple(map(_draft, step[-1]))) for step in steps),
    )


def _tests(tests: list[Any]) -> tuple[RipperCondition, ...]:
    return tuple(RipperCondition(*test) for test in tests)


def _draft(draft: tuple[Any, ...]) -> SearchDraft:
    kind, start, grown, gains, *rest = draft
    return SearchDraft(kind, start, _tests(grown), tuple(gains), *rest)
