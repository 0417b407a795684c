"""A forest: the rows that each tree drew, the columns drawn at the first root, and the out-of-bag error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain, islice
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.catalogue import learner_of
from clearwood.deriving.ensembles.shared import (
    MOST_MEMBERS,
    and_more,
    grid_of_rows,
    rows_learned_from,
    title_of,
)
from clearwood.formulas.conditions import all_of, written
from clearwood.formulas.expressions import (
    Applied,
    Expression,
    Log,
    Number,
    Over,
    Sum,
    Symbol,
    count,
    part,
    value_of,
)
from clearwood.learners.class_order import by_name, with_classes_of
from clearwood.learners.ensembles.forest_definition import RootColumn, root_columns
from clearwood.learners.ensembles.forest_task import ForestTask, times_drawn_by_trees
from clearwood.learners.ensembles.members import OutOfBag, times_drawn
from clearwood.models.decision import cheapest
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Member
from clearwood.models.kinds.tree.tree import Tree, path_to
from clearwood.predicting.batch import plain_codes, plain_numbers
from clearwood.table.folding import rows_by_content
from clearwood.table.table import Table
from clearwood.words.numbers import short
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import ASKED, GIVEN, Figure, Grid, GridCell, Lazy, OnSheet, Rows, named, plain


def derive_forest(model: Ensemble, table: Table) -> Derivation:
    """The draws of the first trees, the first split of the first, and the out-of-bag error of all.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> model = cw.Forest(trees=5).learn(table)
    >>> derive_forest(model, table).figure("out-of-bag error").value == model.out_of_bag.values[-1]
    True
    """
    learner = learner_of(model.origin)
    table = by_name(table)
    model = with_classes_of(model, table.schema)
    rows = rows_learned_from(learner, table, reads_text=False)
    task = learner.task(rows, model.decision)
    steps = drawing_steps(model, rows, times_drawn_by_trees(task, model.size))
    return Derivation(title_of(model), [*steps[:-1], *root_step(model, task), steps[-1]])


# The root of a forest's first tree: the columns drawn there, and how much each would lower the impurity.


_N_V: Final = Symbol("n", "v", "the number of drawn rows that follow branch v")
_N: Final = Symbol("n", means="the number of drawn rows")

_DRAWN: Final = (
    Symbol("S", means="the drawn rows, each as often as it was drawn"),
    Symbol("S", "v", "those that follow branch v"),
)
_CHAPTER: Final = "The first split of the first tree"
_P: Final = Symbol("p", "c", "the proportion of class c")
_MOST_ROWS: Final = 10_000  # beyond it, the plain definition takes its time


def root_step(model: Ensemble, task: ForestTask) -> list[Step]:
    """The step of the root of tree 1; none where it has no split, or the rows are too many."""
    if len(task.target) > _MOST_ROWS:
        return []
    counts, drawn, taken = root_columns(task, 0)
    tree = model.members[0]
    if taken < 0 or not isinstance(tree, Tree):
        return []
    names = [written(model.schema.attributes[each.position].name) for each in drawn]
    figures: list[Figure] = []
    if task.classes:
        scored = counts * task.factors if len(task.factors) else counts
        figures.append(_impurity(task, "S", scored))
    for name, each in zip(names, drawn, strict=True):
        figures.append(_decrease(model, task, name, each, counts, figures[0] if task.classes else None))
    below = np.flatnonzero(tree.nodes.parent == 0).tolist()
    branches = " and ".join(all_of(path_to(tree, node)) for node in below)
    decision = (
        f"Of {len(task.coded.columns):,} columns {len(drawn):,} {'was' if len(drawn) == 1 else 'were'} "
        f"drawn: {', '.join(names)}. The largest decrease is that of {names[taken]}: {branches}."
    )
    return [Step(_CHAPTER, "The root", tuple(figures), decision)]


def _signed(task: ForestTask) -> tuple[str, str]:
    """The sign of the measure, and what it means."""
    return ("H", "the entropy") if task.measure == "entropy" else ("Gini", "the Gini impurity")


def _impurity(task: ForestTask, of: str, counts: Floats) -> Figure:
    """The Gini index or the entropy of counts by class."""
    total = float(counts.sum())
    shares = [count(each) / count(total) for each in counts.tolist() if each > 0]
    formula: Expression = 1 - Over("Σ", "c", _P**2)
    put_in: Expression = Sum((Number(1), *(-(each**2) for each in shares)))
    if task.measure == "entropy":
        formula = -Over("Σ", "c", _P * Log(_P))
        put_in = -Sum(tuple(each * Log(each) for each in shares))
    return Figure(f"{_signed(task)[0]}({of})", value_of(put_in), formula, put_in)


def _decrease(
    model: Ensemble, task: ForestTask, name: str, drawn: RootColumn, counts: Floats, whole: Figure | None
) -> Figure:
    called = f"Decrease({name})"
    if drawn.sides is None:
        return Figure(called, None, because="No split of this column leaves enough rows on both sides.")
    if whole is None:
        return _of_numbers(called, drawn.sides, float(counts[0]))
    factors = task.factors if len(task.factors) else np.ones(task.classes)
    sides = [side * factors for side in drawn.sides]
    total = float((counts * factors).sum())
    under = [
        _impurity(task, f"{name}, {which} branch", side)
        for which, side in zip(("first", "second"), sides, strict=True)
    ]
    terms = [
        -(count(float(side.sum())) / count(total) * named(own))
        for side, own in zip(sides, under, strict=True)
    ]
    sign, means = _signed(task)
    before, after = (Applied(sign, (rows,), means=means) for rows in _DRAWN)
    formula, put_in = before - Over("Σ", "v", _N_V / _N * after), Sum((named(whole), *terms))
    lines: list[tuple[GridCell, ...]] = [
        (which, *side.tolist()) for which, side in zip(("first", "second"), drawn.sides, strict=True)
    ]
    grids = (Grid(f"The best split of {name}", ("branch", *model.schema.classes), lines),)
    value = value_of(put_in)
    return Figure(called, value, formula, put_in, grids=grids, under=tuple(under), each_has="decrease")


def _of_numbers(called: str, sides: tuple[Floats, Floats], total: float) -> Figure:
    """By how much the mean squared error falls: Σ (sum of distances from the mean)² / n_v, over n."""
    square = Symbol("d", "v", "the sum of the differences of these rows' values from the mean") ** 2 / _N_V
    terms = tuple(Number(float(side[1])) ** 2 / count(float(side[0])) for side in sides)
    formula, put_in = Over("Σ", "v", square) / _N, Sum(terms) / count(total)
    because = "So much the mean squared error falls."
    return Figure(called, value_of(put_in), formula, put_in, because=because, each_has="decrease")


# Members on drawn rows: how often each row was drawn, which are out of bag, and what is answered there.


DRAWING: Final = "Drawing rows"
_OUT: Final = "Out of bag"
_IN_KEY: Final[OnSheet] = "in key"  # as the members are not on the sheet, nobody can work it out
_FRACTION: Final = Symbol("n", "out", "the number of rows that were not drawn") / Symbol(
    "n", means="the number of all rows"
)
_OUT_OF_BAG: Final = Symbol("n", means="the number of out-of-bag rows")
_WRONG: Final = Symbol("n", "wrong", "the number of them that are predicted wrongly") / _OUT_OF_BAG
_SQUARES: Final = (
    Over(
        "Σ",
        "i",
        (Symbol("y", "i", "the value of row i") - Symbol("p", "i", "the value predicted for row i")) ** 2,
    )
    / _OUT_OF_BAG
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

    def cells(row: int) -> tuple[GridCell, ...]:
        return int(times[row]), answers[place_of[row]] if row in place_of else None

    heads, on_sheet = ("times drawn", "predicted out of bag"), (GIVEN, GIVEN)  # no member is on the sheet
    grid = grid_of_rows(f"The rows of member {number}", rows, heads, Lazy(len(rows), cells), on_sheet)
    total, size, left = float(times.sum()), len(rows), len(out)
    fraction, put_in = f"out-of-bag fraction of member {number}", part(float(left), float(size))
    figures = [
        Figure(f"rows of member {number}", total, Over("Σ", "i", Symbol("times drawn")), grids=(grid,)),
        Figure(fraction, left / size, _FRACTION, put_in, Rows(float(size))),
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
        return [None if number != number else number for number in plain_numbers(member, rows).tolist()]
    return [model.schema.classes[code] if code >= 0 else None for code in plain_codes(member, rows).tolist()]


def _out_of_bag_step(model: Ensemble, rows: Table, drawn: Iterable[Longs]) -> Step:
    own = OutOfBag(rows, model.decision, votes=model.combined_by == "votes")
    for member, times in zip(model.members, drawn, strict=True):
        own.add(member, times == 0)
    error, cells = _error_of(own, "out-of-bag error")
    if error is None:
        decision = "No row is out of bag for a member that has a prediction: there is no out-of-bag error."
        return Step(_OUT, "What members predict for rows they did not see", (), decision)
    answers = ("predicted",) if model.is_numeric else (*map(_head(model), model.schema.classes), "predicted")
    heads = ("members asked", *answers, "squared error" if model.is_numeric else "right?")
    on_sheet, title = (
        (GIVEN, *(_IN_KEY,) * (len(heads) - 3), GIVEN, ASKED),
        "Every row by the members that did not draw it",
    )
    grid = grid_of_rows(title, rows, heads, Lazy(len(rows), cells), on_sheet)
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
    """The error of the answers to rows out of bag, and the cells of each row."""
    classes, truth = own.rows.schema.classes, own.rows.target
    with np.errstate(invalid="ignore"):
        means: Floats = own.sums / own.heard[:, None]
    heard = own.heard > 0
    codes = cheapest(own.sums, own.costs) if classes else None

    def cells(row: int) -> tuple[GridCell, ...]:
        asked = int(own.heard[row])
        if not heard[row]:
            return (asked, *(None,) * (own.width + (2 if classes else 1)))
        if codes is None:
            mean = float(means[row, 0])
            return asked, mean, (mean - float(truth[row])) ** 2
        code = int(codes[row])
        return (asked, *means[row].tolist(), classes[code], "right" if code == truth[row] else "wrong")

    if not heard.any():
        return None, cells
    wrong = (means[:, 0] - truth) ** 2 if codes is None else (codes != truth).astype(np.float64)
    top = float(np.dot(own.weights[heard], wrong[heard]))
    whole = float(own.weights[heard].sum())
    formula = _WRONG if classes else _SQUARES
    figure = Figure(name, top / whole, formula, plain(top) / plain(whole), Rows(whole, (), "out of bag"))
    return figure, cells


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
