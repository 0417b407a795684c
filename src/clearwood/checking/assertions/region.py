"""Region: what every row gets that satisfies some conditions, or that no such row gets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools
from clearwood.checking.assertions.exact_proofs import (
    WhichRows,
    check_which,
    first_wrong,
    possible_rows,
    proof_reach,
    region_proof,
)
from clearwood.checking.assertions.model_and_rows import (
    ModelAndRows,
    bounds_words,
    check_bounds,
    columns_asked,
    figures_of,
    meets,
    row_of,
    rows_that_satisfy,
)
from clearwood.checking.assertions.verdict import AssertionVerdict, CounterRow, verdict_on
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Condition, written
from clearwood.models.model import Model, RuleList, Tree
from clearwood.models.space.axes import Domains
from clearwood.models.space.input_space import InputSpace
from clearwood.models.space.settling import Searched, Walk, settled_parts
from clearwood.models.space.walk_of import walk_of
from clearwood.predicting.batch import predict
from clearwood.table.raw import Cell
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionGets:
    """Every row that satisfies `when` (all rows without it) gets the `answer`, or `never` this one, or a
    `share` of a class (of a model of numbers the number) that is `at_least` or `at_most` so large.

    `rows` "known": only rows without an empty cell and without a value never met.
    """

    kind: ClassVar = "region"
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
    space, start = possible_rows(given.model, conditions, asserted.rows, asserted.when)
    about = given.class_place(asserted.share) if asserted.share else None
    searched = Searched(given.budget)
    wrong = _wrong_part(asserted, given.model, space, start, about, searched)
    how, open_from = proof_reach([searched])
    if wrong is None and not searched.complete and isinstance(given.model, RuleList):
        allowed = partial(_allowed, asserted)
        proof = region_proof(given.model, space, start, about, allowed, given.budget)
        if proof is not None:
            wrong, how, open_from = proof.wrong, proof.how, None
    if wrong is not None:
        return _failed(asserted, given, space.example(wrong), exact=True, how=how)
    if open_from != 0:
        return verdict_on(asserted, True, open_from is None, how)
    if given.source is None:
        return verdict_on(asserted, None, False, f"{how}, and there are no rows")
    return _by_rows(asserted, given, conditions)


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


def _wrong_part(
    asserted: RegionGets,
    model: Tree | RuleList,
    space: InputSpace,
    start: Domains,
    about: int | None,
    searched: Searched,
) -> Domains | None:
    """A part whose rows break the assertion; None where the search has met none."""

    def fine(walks: tuple[Walk, ...]) -> bool:
        (walk,) = walks
        if asserted.answer or asserted.never:
            return walk.answer is not None and _allowed(asserted, walk.answer[0])
        return walk.ends is not None and all(_allowed(asserted, each) for each in walk.ends)

    parts = settled_parts((walk_of(model, space, about=about),), start, fine, searched, space.known())
    return first_wrong(parts, lambda block: _broken(asserted, model, space.rows(block), about))


def _allowed(asserted: RegionGets, value: object) -> bool:
    """May a row get this answer, or this figure?"""
    if asserted.answer or asserted.never:
        return value == asserted.answer if asserted.answer else value != asserted.never
    return meets(
        value if isinstance(value, int | float) else float("nan"), asserted.at_least, asserted.at_most
    )


def _broken(asserted: RegionGets, model: Model, rows: Table, about: int | None) -> Bools:
    """[row] does the predictor give it what it must not get?"""
    by_answer = asserted.answer or asserted.never
    given: npt.NDArray[Any] = predict(model, rows) if by_answer else figures_of(model, rows, about)
    return np.array([not _allowed(asserted, each) for each in given.tolist()], dtype=np.bool_)


def _by_rows(
    asserted: RegionGets, given: ModelAndRows, conditions: tuple[Condition, ...]
) -> AssertionVerdict:
    about = given.class_place(asserted.share) if asserted.share else None
    table = given.table(asserted.title, conditions)
    inside = rows_that_satisfy(given, conditions, table, known=asserted.rows == "known")
    how = given.on_rows(len(inside))
    if not len(inside):
        return verdict_on(asserted, None, False, f"{how}: none satisfies it, so nothing was checked")
    broken = inside[_broken(asserted, given.model, table.take(inside), about)]
    if not len(broken):
        return verdict_on(asserted, True, False, how)
    row = row_of(table, int(broken[0]), columns_asked(given.model))
    return _failed(asserted, given, row, exact=False, how=how)


def _failed(
    asserted: RegionGets, given: ModelAndRows, row: dict[str, Cell], *, exact: bool, how: str
) -> AssertionVerdict:
    gets = given.gives(row, asserted.share)
    return verdict_on(asserted, False, exact, how, f"a row gets {gets}", (CounterRow(row, gets),))
