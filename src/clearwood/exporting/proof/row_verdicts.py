"""The verdict on one row: what the target gave beside what the model gives, as far as the target holds it."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

import numpy as np

from clearwood.exporting.exportable import Exportable
from clearwood.exporting.exported import Precision
from clearwood.formulas.conditions import holds
from clearwood.models.decision import Decision
from clearwood.models.kinds.rules.rule_list import Rule, RuleList, answer_text
from clearwood.models.kinds.tree.tree import Tree, path_to
from clearwood.predicting.batch import leaf_of
from clearwood.predicting.of_rules import first_rule
from clearwood.table.raw import Cell, Row
from clearwood.table.table import Table

RowShares: TypeAlias = tuple[float, ...] | None
TIE: Final = "a tie that the order of adding decides"
ROUNDED: Final = "numbers that single precision rounds"


@dataclass(frozen=True, slots=True)
class RowDifference:
    """A row that the target answers otherwise than the model, or with other shares."""

    place: int
    row: Row
    expected: GivenAnswer
    given: GivenAnswer
    expected_shares: RowShares = None
    given_shares: RowShares = None
    expected_reason: str | None = None
    given_reason: str | None = None
    expected_points: float | None = None
    given_points: float | None = None

    def __str__(self) -> str:
        cells = ", ".join(f"{name}={cell!r}" for name, cell in self.row.items())
        if self.expected_points != self.given_points:
            given, expected = f"{self.given_points:.17g}", f"{self.expected_points:.17g}"
            return f"row {self.place + 1} ({cells}): {given} points, not {expected}"
        if self.expected_shares != self.given_shares and self.expected == self.given:
            given, expected = _listed(self.given_shares), _listed(self.expected_shares)
            return f"row {self.place + 1} ({cells}): probabilities {given}, not {expected}"
        if self.expected_reason is not None:
            return f"row {self.place + 1} ({cells}): by {self.given_reason!r}, not {self.expected_reason!r}"
        return f"row {self.place + 1} ({cells}): {self.given!r}, not {self.expected!r}"


@dataclass(frozen=True, slots=True)
class OneAnswer:
    """What is answered to one row."""

    row: Row
    answer: GivenAnswer
    shares: RowShares
    points: float | None

    def is_near(self, other: OneAnswer, bound: float) -> bool:
        """The same answer and points, and shares to the bound, where both give them."""
        mine, theirs = self.answer, other.answer
        is_same = mine == theirs
        if isinstance(mine, float | int) and isinstance(theirs, float | int):
            is_same = _is_near(mine, theirs, bound)
        return is_same and self.has_shares_of(other, bound) and self.has_points_of(other)

    def has_shares_of(self, other: OneAnswer, bound: float) -> bool:
        """Are the shares equal to the bound, where both give them?"""
        return self.shares is None or other.shares is None or _are_near(self.shares, other.shares, bound)

    def has_points_of(self, other: OneAnswer) -> bool:
        """Are the points equal, where both give them?"""
        return self.points is None or other.points is None or self.points == other.points


@dataclass(frozen=True, slots=True)
class RowVerdict:
    """One of these, or none where the row is answered alike: why it may be answered otherwise and is, why it
    was not compared, or how it differs."""

    changed: str = ""
    not_compared: str = ""
    difference: RowDifference | None = None


ALIKE: Final = RowVerdict()


@dataclass(frozen=True, slots=True)
class RowJudge:
    """By what rows of a model are judged: the precision of the target, and the numbers at which the model's
    answers change, by column."""

    model: Exportable
    precision: Precision
    jumps: Mapping[str, Sequence[float]]

    def verdict(self, place: int, ours: OneAnswer, theirs: OneAnswer, held: OneAnswer | None) -> RowVerdict:
        """On answer, shares and points; `held` is the row as the target holds it, if that is another, with
        what the model answers to it.

        Where shares are so near to a tie that the order of adding decides, the answer may be either's; but
        not if the target's shares are the very same: then it takes the wrong one of equals.
        """
        bound = SHARE_BOUND[self.precision]
        because = self._beyond(ours, held, bound)
        if because is not None and self.precision == "fifteen digits":
            return RowVerdict(not_compared=because)
        if theirs.is_near(ours, bound):
            return ALIKE
        if because is None and self.precision == "single" and held and held.is_near(theirs, bound):
            because = ROUNDED  # it answers to the row that it was left with as the model does
        if because is not None:
            return RowVerdict(changed=because)
        if ours.has_points_of(theirs) and self._is_tie(ours, theirs, bound):
            return RowVerdict(not_compared=TIE)
        return RowVerdict(difference=_difference(place, ours, theirs))

    def may_differ(self, ours: OneAnswer, held: OneAnswer | None) -> bool:
        """Is the row beyond what the target tells apart, or another one there, which another leaf answers?"""
        if held is not None and self.precision == "fifteen digits":
            return True
        return self._beyond(ours, held, SHARE_BOUND[self.precision]) is not None

    def _beyond(self, ours: OneAnswer, held: OneAnswer | None, bound: float) -> str | None:
        row = ours.row
        if held is not None and self.precision == "fifteen digits" and held.is_near(ours, bound):
            row = held.row  # what the target cannot hold makes no difference
        return beyond(self.precision, row, self.jumps)

    def _is_tie(self, ours: OneAnswer, theirs: OneAnswer, bound: float) -> bool:
        return (
            ours.has_shares_of(theirs, bound)
            and ours.shares is not None
            and theirs.shares not in (None, ours.shares)
            and is_near_tie(ours.shares, self.model.decision, self.model.schema.classes, 2 * bound)
        )


def verdict_on_reason(place: int, ours: OneAnswer, expected: ExpectedReason, given: str | None) -> RowVerdict:
    """On the leaf or rule that is named for a row whose answer is alike."""
    if expected.allows(given):
        return ALIKE
    answer, shares = ours.answer, ours.shares
    return RowVerdict(
        difference=RowDifference(place, ours.row, answer, answer, shares, shares, expected.text, given)
    )


def _difference(place: int, ours: OneAnswer, theirs: OneAnswer) -> RowDifference:
    points = (None, None) if ours.has_points_of(theirs) else (ours.points, theirs.points)
    return RowDifference(
        place,
        ours.row,
        ours.answer,
        theirs.answer,
        ours.shares,
        theirs.shares,
        expected_points=points[0],
        given_points=points[1],
    )


def _is_near(one: float, other: float, bound: float) -> bool:
    return one == other or abs(one - other) <= bound * max(1.0, abs(one))


def _are_near(mine: Sequence[float], theirs: Sequence[float], bound: float) -> bool:
    return len(mine) == len(theirs) and all(
        _is_near(one, other, bound) for one, other in zip(mine, theirs, strict=True)
    )


def _listed(shares: RowShares) -> str:
    return "none" if shares is None else f"({', '.join(f'{each:.17g}' for each in shares)})"


# Ties: rows whose answer hangs on the last digit of a share, which the order of adding decides.


def is_near_tie(shares: Sequence[float], decision: Decision, classes: Sequence[str], near: float) -> bool:
    """Would shares that differ from these by so little be decided otherwise?

    >>> is_near_tie((0.5, 0.5), Decision(), ("yes", "no"), 1e-12)
    True
    >>> is_near_tie((0.7, 0.3), Decision(refer=0.7), ("yes", "no"), 1e-12)
    True
    """
    if decision.refer is not None and abs(max(shares) - decision.refer) <= near:
        return True
    match decision.by:
        case "cutoff":
            assert decision.cutoff is not None
            positive = list(classes).index(decision.cutoff.positive)
            others = [share for place, share in enumerate(shares) if place != positive]
            return abs(shares[positive] - decision.cutoff.at) <= near or _are_level(others, near)
        case "costs":
            paid = [
                sum(share * costs[called] for share, costs in zip(shares, decision.costs, strict=True))
                for called in range(len(shares))
            ]
            return _are_level([-each for each in paid], near * max(1.0, *paid))
        case "share":
            return _are_level(shares, near)
        case _:
            assert_never(decision.by)


def _are_level(figures: Sequence[float], near: float) -> bool:
    """Are the two largest as good as equal?"""
    largest = sorted(figures, reverse=True)[:2]
    return len(largest) == 2 and largest[0] - largest[1] <= near


# Reasons compared: the leaf or rule that an export names for a row, beside the one of the model.


GivenAnswer: TypeAlias = str | float | None  # None: no answer


@dataclass(frozen=True, slots=True)
class ExpectedReason:
    """The text of the leaf or rule; `certain`: the row goes to it whole, and it must be named."""

    text: str
    certain: bool

    def allows(self, given: str | None) -> bool:
        """Is this what the target may say? It says nothing where several leaves have parts of a row."""
        return given == self.text or (given is None and not self.certain)


def expected_reasons(
    model: Exportable, rows: Sequence[Row], table: Table, answers: Sequence[GivenAnswer]
) -> tuple[ExpectedReason, ...] | None:
    """What each row is answered by; None where a model names neither leaf nor rule. `table` has the rows."""
    if isinstance(model, Tree):
        leaves = leaf_of(model, table).tolist()
        paths = {leaf: path_to(model, leaf) for leaf in set(leaves)}
        expected = []
        for row, leaf, answer in zip(rows, leaves, answers, strict=True):
            certain = all(holds(each, row.get(each.name)) for each in paths[leaf])
            expected.append(ExpectedReason(str(Rule(paths[leaf], answer)), certain))
        return tuple(expected)
    if isinstance(model, RuleList) and model.matching == "first":
        texts = [*map(str, model.rules), f"OTHERWISE {answer_text(model.otherwise.then)}"]
        places = first_rule(model, table).tolist()
        return tuple(ExpectedReason(texts[place], True) for place in places)  # −1: the last
    return None


# What the precision of a target lets be compared, and which rows are beyond it.


_RELATIVE: Final[Mapping[Precision, float]] = {  # numbers that are nearer to each other may be taken as equal
    "double": 0.0,
    "single": 2.0**-23,
    "fifteen digits": 1e-14,
}
# How far a share may be from ours, or a number, in parts of it where it is above 1.
SHARE_BOUND: Final[Mapping[Precision, float]] = {"double": 1e-12, "single": 1e-5, "fifteen digits": 1e-12}


def beyond(precision: Precision, row: Row, jumps: Mapping[str, Sequence[float]]) -> str | None:
    """Why a target of this precision need not tell a row as we do; None: it must.

    >>> beyond("fifteen digits", {"age": 30.000000000000004}, {"age": (30.0,)})
    'nearer to a cut than fifteen digits tell apart'
    >>> beyond("double", {"age": 30.000000000000004}, {"age": (30.0,)}) is None
    True
    """
    if precision == "double":
        return None
    least, largest = _range(precision)
    for name, cell in row.items():
        if cell == "" and precision == "fifteen digits":
            return "an empty text, which is an empty cell in a spreadsheet"
        if not isinstance(cell, float):
            continue
        if abs(cell) > largest or 0 < abs(cell) < least:
            return "numbers larger or smaller than the target holds"
        if _is_near_cut(cell, jumps.get(name, ()), precision):
            digits = "single precision can" if precision == "single" else "fifteen digits"
            return f"nearer to a cut than {digits} tell apart"
    return None


def row_as_held(precision: Precision, row: Row) -> Row | None:
    """The row as a target of this precision holds it; None: just as it is.

    Single precision rounds a number, and a spreadsheet has an empty cell for an empty text.

    >>> row_as_held("single", {"a": 2.0**53 + 2, "b": "x"})
    {'a': 9007199254740992.0, 'b': 'x'}
    >>> row_as_held("fifteen digits", {"a": 0.1, "b": ""})
    {'a': 0.1, 'b': None}
    """
    held = {name: _cell_as_held(precision, cell) for name, cell in row.items()}
    return None if all(held[name] is cell or held[name] == cell for name, cell in row.items()) else held


def _cell_as_held(precision: Precision, cell: Cell) -> Cell:
    if precision == "fifteen digits":
        return None if cell == "" else cell
    if precision == "single" and isinstance(cell, float) and abs(cell) <= _range(precision)[1]:
        return float(np.float32(cell))
    return cell


def _is_near_cut(cell: float, cuts: Sequence[float], precision: Precision) -> bool:
    place = bisect_left(cuts, cell)
    for cut in cuts[max(0, place - 1) : place + 2]:
        # In single precision a number on a cut is rounded, and so may be the cut.
        apart = cell != cut or precision == "single"
        if apart and abs(cell - cut) <= _RELATIVE[precision] * max(abs(cell), abs(cut)):
            return True
    return False


def _range(precision: Precision) -> tuple[float, float]:
    if precision == "single":
        return 2.0**-126, (2 - 2.0**-23) * 2.0**127
    return sys.float_info.min, 9.99999999999999e307  # what spreadsheets hold
