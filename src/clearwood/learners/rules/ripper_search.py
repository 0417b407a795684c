"""What the search for RIPPER's rules hands back, in columns and codes: the same from both twins."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any, Final, NamedTuple

from clearwood.arrays import Bools, Ints
from clearwood.counting.ties import TIE, better
from clearwood.table.table import Column

EQUALS, AT_MOST, ABOVE = range(3)

SLACK_BITS: Final = 64.0  # how much longer than the shortest a description may get before covering stops


class DraftKind(IntEnum):
    """What a rule was grown for: to be added, or to stand instead of one that is there."""

    NEW = 0
    REVISION = 1
    REPLACEMENT = 2

    @property
    def word(self) -> str:
        return self.name.lower()


class RipperAction(IntEnum):
    """What became of a rule; from NOTHING_LEFT to TOO_LONG, why no more were added."""

    ADDED = 0
    NOTHING_LEFT = 1
    COVERS_NONE = 2
    HALF_WRONG = 3
    TOO_LONG = 4
    KEPT = 5
    REVISED = 6
    REPLACED = 7
    DELETED = 8


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

    kind: DraftKind
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

    action: RipperAction
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
        tuple(map(_step, steps)),
    )


def _tests(tests: list[Any]) -> tuple[RipperCondition, ...]:
    return tuple(RipperCondition(*test) for test in tests)


def _step(step: tuple[Any, ...]) -> SearchStep:
    named = SearchStep(*step)
    return named._replace(action=RipperAction(named.action), drafts=tuple(map(_draft, named.drafts)))


def _draft(draft: tuple[Any, ...]) -> SearchDraft:
    kind, start, grown, gains, *rest = draft
    return SearchDraft(DraftKind(kind), start, _tests(grown), tuple(gains), *rest)


# Description length: how many bits encode a class's rules, and then the rows they get wrong?
#
# The coding is that of Cohen (1995), after Quinlan (1995, "MDL and categorical theories (continued)").


def ripper_rule_bits(conditions: int, possible: float) -> float:
    """Bits for one rule: which conditions out of those possible; half of that, as order has no meaning.

    >>> round(ripper_rule_bits(2, 10), 4)
    4.1096
    """
    if not conditions:
        return 0.0
    k, n = float(conditions), max(float(possible), float(conditions))
    return 0.5 * (number_bits(k) + subset_bits(n, k, k / n))


def number_bits(number: float) -> float:
    """Bits for a whole number that could be any (Rissanen 1983): log2 k + log2 log2 k + …, while above 0.

    >>> number_bits(1), number_bits(2), number_bits(16)
    (0.0, 1.0, 7.0)
    """
    bits = 0.0
    while number > 1:
        number = math.log2(number)
        bits += number
    return bits


def ripper_exception_bits(
    covered: float, uncovered: float, false: float, missed: float, share: float
) -> float:
    """Bits for the rows answered wrongly: `false` among the covered ones, `missed` among the others.

    The larger side is encoded with the rate it has if this share of the errors is false, the other with
    its own.

    >>> round(ripper_exception_bits(40, 60, 2, 4, 0.5), 4)
    39.5458
    """
    errors = false + missed
    total = covered + uncovered
    more_covered = better(covered, uncovered, total)
    bits = math.log2(total + 1)
    if covered > 0:
        bits += subset_bits(covered, false, (share * errors if more_covered else false) / covered)
    if uncovered > 0:
        bits += subset_bits(uncovered, missed, (missed if more_covered else (1 - share) * errors) / uncovered)
    return bits


def subset_bits(size: float, marked: float, rate: float) -> float:
    """Bits to encode which of `size` things are marked, for a receiver who expects this rate.

    >>> subset_bits(4, 1, 0.5)
    4.0
    """
    bits = 0.0
    if marked > TIE * size:
        bits += -marked * math.log2(rate) if rate > 0 else math.inf
    if size - marked > TIE * size:
        bits += -(size - marked) * math.log2(1 - rate) if rate < 1 else math.inf
    return bits
