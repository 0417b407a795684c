"""Members on drawn rows: how often each row was drawn, which are out of bag, and what is answered there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain, islice
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.catalogue import learner_of
from clearwood.derive.ensembles.shared import MOST_MEMBERS, and_more, rows_learned_from, target_cell, title_of
from clearwood.formulas.expressions import Over, Power, Quotient, Symbol, part
from clearwood.learners.ensembles.out_of_bag import OutOfBag, times_drawn
from clearwood.models.ensemble import Ensemble, Member
from clearwood.predict.deciding import cheapest
from clearwood.predict.of_trees import member_codes, member_numbers
from clearwood.table.row_keys import rows_by_content
from clearwood.table.table import Table
from clearwood.words.numbers import short
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import ASKED, GIVEN, Figure, Grid, GridCell, Lazy, OnSheet, Rows, less, plain

DRAWING: Final = "Drawing rows"
_OUT: Final = "Out of bag"
_IN_KEY: Final[OnSheet] = "in key"  # as the members are not on the sheet, nobody can work it out
_OUT_OF_BAG: Final = Symbol("n", means="the number of out-of-bag rows")
_WRONG: Final = Quotient(Symbol("n", "wrong", "the number of them that are predicted wrongly"), _OUT_OF_BAG)
_SQUARES: Final = Quotient(
    Over(
        "Σ",
        "i",
        Power(
            less(Symbol("y", "i", "the value of row i"), Symbol("p", "i", "the value predicted for row i")),
            plain(2),
        ),
    ),
    _OUT_OF_BAG,
)


def drawing_steps(model: Ensemble, rows: Table, drawn: Iterable[Longs]) -> list[Step]:
    """The first members with the rows they drew; then all members' answers to rows out of bag.

    `drawn` has by member [row] how often it drew the row, or what the row weighs in it.
    """
    shown, every = min(model.size, MOST_MEMBERS), iter(drawn)
    first = list(islice(every, shown))
    steps = [_member_step(model, rows, times, place) for place, times in enumerate(first)]
    more = and_more(shown, model.size, "members")
    steps[-1] = replace(steps[-1], decision=steps[-1].decision + more)
    return [*steps, _out_of_bag_step(model, rows, chain(first, every))]


def _member_step(model: Ensemble, rows: Table, times: Longs, place: int) -> Step:
    number, member = place + 1, model.members[place]
    out = np.flatnonzero(times == 0)
    answers = _answers(model, member, rows.take(out)) if len(out) else []
    place_of = {row: here for here, row in enumerate(out.tolist())}

    def line(row: int) -> tuple[GridCell, ...]:
        answer = answers[place_of[row]] if row in place_of else None
        return rows.row_number(row), target_cell(rows, row), int(times[row]), answer

    target = "value" if model.is_numeric else "class"
    grid = Grid(
        f"The rows of member {number}",
        ("row", target, "times drawn", "predicted out of bag"),
        Lazy(len(rows), line),
        on_sheet=(GIVEN,) * 4,  # the members are not on the sheet, and so their answers are
    )
    total, size, left = float(times.sum()), len(rows), len(out)
    figures = [
        Figure(f"rows of member {number}", total, Over("Σ", "i", Symbol("times drawn")), grids=(grid,)),
        Figure(
            f"out-of-bag fraction of member {number}",
            left / size,
            Quotient(
                Symbol("n", "out", "the number of rows that were not drawn"),
                Symbol("n", means="the number of all rows"),
            ),
            part(float(left), float(size)),
            Rows(float(size)),
        ),
    ]
    decision = f"Member {number} learns from {size - left:,} of {size:,} rows; {left:,} are out of bag"
    if not left:
        return Step(DRAWING, f"Member {number}", tuple(figures), f"{decision}.")
    own = OutOfBag(rows, model.decision, votes=model.combined_by == "votes")
    own.add(member, times == 0)
    error, _ = _error_of(own, f"error of member {number} out of bag")
    if error is not None:
        figures.append(error)
        what = "a mean squared error" if model.is_numeric else "an error"
        decision += f", and its predictions there have {what} of {short(float(error.value or 0))}"
    return Step(DRAWING, f"Member {number}", tuple(figures), f"{decision}.")


def _answers(model: Ensemble, member: Member, rows: Table) -> list[str | float | None]:
    """[row] its class or number; None where it has none."""
    if model.is_numeric:
        return [None if number != number else number for number in member_numbers(member, rows).tolist()]
    return [model.schema.classes[code] if code >= 0 else None for code in member_codes(member, rows).tolist()]


def _out_of_bag_step(model: Ensemble, rows: Table, drawn: Iterable[Longs]) -> Step:
    own = OutOfBag(rows, model.decision, votes=model.combined_by == "votes")
    for member, times in zip(model.members, drawn, strict=True):
        own.add(member, times == 0)
    error, line = _error_of(own, "out-of-bag error")
    if error is None:
        decision = "No row is out of bag for a member that has a prediction: there is no out-of-bag error."
        return Step(_OUT, "What members predict for rows they did not see", (), decision)
    answers = ("predicted",) if model.is_numeric else (*map(_head(model), model.schema.classes), "predicted")
    heads = ("row", "value" if model.is_numeric else "class", "members asked", *answers)
    heads += ("squared error",) if model.is_numeric else ("right?",)
    grid = Grid(
        "Every row by the members that did not draw it",
        heads,
        Lazy(len(rows), line),
        on_sheet=(GIVEN, GIVEN, GIVEN, *(_IN_KEY,) * (len(heads) - 5), GIVEN, ASKED),
    )
    asked = own.heard[own.heard > 0]
    decision = (
        f"{len(asked):,} of {len(rows):,} rows are out of bag for some member, "
        f"on average for {short(float(asked.mean()))} of the {model.size:,} members. "
        f"The {'votes' if own.votes else 'mean of the predictions'} of these members "
        f"{'are' if own.votes else 'is'} compared with the truth: "
        f"the out-of-bag error is {short(float(error.value or 0))}."
    )
    figure = replace(error, grids=(grid,))
    return Step(_OUT, "What members predict for rows they did not see", (figure,), decision)


def _head(model: Ensemble) -> Callable[[str], str]:
    what = "fraction of the votes for" if model.combined_by == "votes" else "mean probability of"
    return lambda name: f"{what} {name}"


def _error_of(own: OutOfBag, name: str) -> tuple[Figure | None, Callable[[int], tuple[GridCell, ...]]]:
    """The error of the answers to rows out of bag, and the line of each row."""
    classes, truth = own.rows.schema.classes, own.rows.target
    with np.errstate(invalid="ignore"):
        means: Floats = own.sums / own.heard[:, None]
    heard = own.heard > 0
    codes = cheapest(own.sums, own.costs) if classes else None

    def line(row: int) -> tuple[GridCell, ...]:
        first = (own.rows.row_number(row), target_cell(own.rows, row), int(own.heard[row]))
        if not heard[row]:
            return (*first, *(None,) * (own.width + (2 if classes else 1)))
        if codes is None:
            mean = float(means[row, 0])
            return (*first, mean, (mean - float(truth[row])) ** 2)
        code = int(codes[row])
        return (*first, *means[row].tolist(), classes[code], "right" if code == truth[row] else "wrong")

    if not heard.any():
        return None, line
    wrong = (means[:, 0] - truth) ** 2 if codes is None else (codes != truth).astype(np.float64)
    top = float(np.dot(own.weights[heard], wrong[heard]))
    whole = float(own.weights[heard].sum())
    formula = _WRONG if classes else _SQUARES
    figure = Figure(
        name,
        top / whole,
        formula,
        Quotient(plain(top), plain(whole)),
        Rows(whole, (), "out of bag"),
    )
    return figure, line


# Bagging: the rows that each member drew, and what members answer to those they did not.


def derive_bagging(model: Ensemble, table: Table) -> Derivation:
    """The draws of the first members, their answers out of bag, and the out-of-bag error of all.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> model = cw.Bagging(trees=5).learn(table)
    >>> derive_bagging(model, table).figure("out-of-bag error").value == model.out_of_bag.values[-1]
    True
    """
    learner = learner_of(model.origin)
    rows = rows_learned_from(learner, table)
    order = rows_by_content(rows)
    drawn = (times_drawn(rows, learner.seed, member, order) for member in range(model.size))
    return Derivation(title_of(model), drawing_steps(model, rows, drawn))
