"""Region: what every row gets that satisfies some conditions, or that no such row gets."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats
from clearwood.checking.assertions.exact_proofs import (
    WhichRows,
    check_possible,
    check_which,
    known_only,
    proof_reach,
    region_proof,
)
from clearwood.checking.assertions.model_and_rows import (
    ModelAndRows,
    bounds_words,
    check_bounds,
    columns_asked,
    meets,
    row_of,
    rows_that_satisfy,
)
from clearwood.checking.assertions.verdict import AssertionVerdict, CounterRow
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Condition
from clearwood.formulas.spelling import written
from clearwood.models.model import RuleList, Tree
from clearwood.models.space.axes import Domains
from clearwood.models.space.input_space import InputSpace, input_space_of
from clearwood.models.space.settling import Searched, Walk, settled_parts
from clearwood.models.space.walk_of import walk_of
from clearwood.predicting import predict, shares
from clearwood.table.raw import Cell
from clearwood.table.table import Table

_BLOCK: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionGets:
    """Every row that satisfies `when` (all rows without it) gets the `answer`, or `never` this one, or a
    `share` of a class (of a model of numbers the number) that is `at_least` or `at_most` so large.

    `rows` "known": only rows without an empty cell and without a value never met.
    """

    when: str = ""
    answer: str = ""
    never: str = ""
    share: str = ""
    at_least: float | None = None
    at_most: float | None = None
    rows: WhichRows = "all"
    name: str = ""

    def check_keys(self) -> None:
        """Refuse an assertion that says nothing of its rows, or two things."""
        check_which(self.rows)
        bounded = self.at_least is not None or self.at_most is not None
        if bool(self.answer) + bool(self.never) + bounded != 1:
            raise SettingError("Give one of answer, never, or share with at_least or at_most.")
        if bounded:
            check_bounds(self.at_least, self.at_most)

    @property
    def title(self) -> str:
        when = " ".join(self.when.split())  # it may be written in several lines
        which = f"row with {when}" if when else "row"
        if self.never:
            return f"no {which} gets {written(self.never)}"
        if self.answer:
            return f"every {which} gets {written(self.answer)}"
        what = f"a probability of {written(self.share)}" if self.share else "a number"
        return f"every {which} gets {what} of {bounds_words(self.at_least, self.at_most)}"


def check_region(asserted: RegionGets, given: ModelAndRows) -> AssertionVerdict:
    """Exact of trees and rules; on the rows of the table of other models."""
    _check(asserted, given)
    conditions = given.when(asserted.when)
    if not isinstance(given.model, Tree | RuleList):
        return _by_rows(asserted, given, conditions)
    check_possible(given.model, asserted.when, conditions, asserted.rows)
    searched = Searched(given.budget)
    wrong = _wrong_row(asserted, given, given.model, conditions, searched)
    if wrong is None and not searched.complete and isinstance(given.model, RuleList):
        verdict = _by_diagram(asserted, given, given.model, conditions)
        if verdict is not None:
            return verdict
    how = str(proof_reach([searched]))
    if wrong is not None:
        return _failed(asserted, given, wrong, exact=True, how=how)
    if searched.open_from == 0:
        if given.source is None:
            return _verdict(asserted, None, False, f"{how}, and there are no rows")
        return _by_rows(asserted, given, conditions)
    return _verdict(asserted, True, searched.complete, how)


def _check(asserted: RegionGets, given: ModelAndRows) -> None:
    numeric = given.model.is_numeric
    bounded = asserted.at_least is not None or asserted.at_most is not None
    if numeric and (asserted.answer or asserted.never or asserted.share):
        raise SettingError("The model predicts numbers: give at_least or at_most alone.")
    if bounded and not numeric and not asserted.share:
        raise SettingError('Which class are the bounds about? Name it: share = "…".')
    for name in (asserted.answer, asserted.never, asserted.share):
        if name:
            given.class_place(name)


def _wrong_row(
    asserted: RegionGets,
    given: ModelAndRows,
    model: Tree | RuleList,
    conditions: tuple[Condition, ...],
    searched: Searched,
) -> dict[str, Cell] | None:
    """A row that breaks the assertion; None where the search has met none."""
    space, start = _box(asserted, model, conditions)
    about = given.class_place(asserted.share) if asserted.share else None

    def fine(walks: tuple[Walk, ...]) -> bool:
        (walk,) = walks
        if asserted.answer or asserted.never:
            return walk.answer is not None and _allowed(asserted, walk.answer[0])
        ends = walk.ends
        return ends is not None and all(meets(each, asserted.at_least, asserted.at_most) for each in ends)

    block: list[Domains] = []

    def wrong() -> dict[str, Cell] | None:
        if not block:
            return None
        broken = np.flatnonzero(_broken(asserted, given, space.rows(block)))
        return space.example(block[int(broken[0])]) if len(broken) else None

    walk = walk_of(model, space, about=about)
    for part in settled_parts((walk,), start, fine, searched, space.known()):
        block.append(part)
        if len(block) >= _BLOCK:
            row = wrong()
            if row is not None:
                return row
            block.clear()
    return wrong()


def _box(
    asserted: RegionGets, model: Tree | RuleList, conditions: tuple[Condition, ...]
) -> tuple[InputSpace, Domains]:
    """The rows that it is about."""
    space = input_space_of((model,), conditions)
    start = space.satisfying(conditions)
    if start is not None and asserted.rows == "known":
        start = known_only(space, start)
    assert start is not None  # of conditions that exclude each other nothing is asked
    return space, start


def _by_diagram(
    asserted: RegionGets, given: ModelAndRows, rules: RuleList, conditions: tuple[Condition, ...]
) -> AssertionVerdict | None:
    """All rows at once; None where that is too large, too."""
    space, start = _box(asserted, rules, conditions)
    about = given.class_place(asserted.share) if asserted.share else None

    def fine(value: Hashable) -> bool:
        if asserted.answer or asserted.never:
            return _allowed(asserted, value)
        number = value if isinstance(value, float) else float("nan")
        return meets(number, asserted.at_least, asserted.at_most)

    proof = region_proof(rules, space, start, about, fine, given.budget)
    if proof is None:
        return None
    if proof.wrong is None:
        return _verdict(asserted, True, True, str(proof.reach))
    return _failed(asserted, given, space.example(proof.wrong), exact=True, how=str(proof.reach))


def _allowed(asserted: RegionGets, answer: object) -> bool:
    return answer == asserted.answer if asserted.answer else answer != asserted.never


def _broken(asserted: RegionGets, given: ModelAndRows, rows: Table) -> Bools:
    """[row] does the predictor give it what it must not get?"""
    if asserted.answer or asserted.never:
        answers: npt.NDArray[Any] = predict(given.model, rows)
        return np.array([not _allowed(asserted, each) for each in answers], dtype=np.bool_)
    figures: Floats
    if asserted.share:
        figures = shares(given.model, rows)[:, given.class_place(asserted.share)]
    else:
        figures = np.asarray(predict(given.model, rows), dtype=np.float64)
    return np.array([not meets(each, asserted.at_least, asserted.at_most) for each in figures.tolist()])


def _by_rows(
    asserted: RegionGets, given: ModelAndRows, conditions: tuple[Condition, ...]
) -> AssertionVerdict:
    table = given.table(asserted.title, conditions)
    inside = rows_that_satisfy(given, conditions, table, known=asserted.rows == "known")
    how = given.on_rows(len(inside))
    if not len(inside):
        return _verdict(asserted, None, False, f"{how}: none satisfies it, so nothing was checked")
    broken = inside[_broken(asserted, given, table.take(inside))]
    if not len(broken):
        return _verdict(asserted, True, False, how)
    row = row_of(table, int(broken[0]), columns_asked(given.model))
    return _failed(asserted, given, row, exact=False, how=how)


def _verdict(asserted: RegionGets, holds: bool | None, exact: bool, how: str) -> AssertionVerdict:
    return AssertionVerdict("region", asserted.name or asserted.title, holds, exact, how)


def _failed(
    asserted: RegionGets, given: ModelAndRows, row: dict[str, Cell], *, exact: bool, how: str
) -> AssertionVerdict:
    gets = given.gives(row, asserted.share)
    title = asserted.name or asserted.title
    return AssertionVerdict(
        "region", title, False, exact, how, f"a row gets {gets}", (CounterRow(row, gets),)
    )
