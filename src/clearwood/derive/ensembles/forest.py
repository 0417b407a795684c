"""A forest: the rows that each tree drew, the columns drawn at the first root, and the out-of-bag error."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.catalogue import learner_of
from clearwood.derive.ensembles.drawing import drawing_steps
from clearwood.derive.ensembles.shared import rows_learned_from, title_of
from clearwood.formulas.expressions import (
    Applied,
    Expression,
    Log,
    Negative,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    count,
    value_of,
)
from clearwood.learners.class_order import by_name, with_classes_of
from clearwood.learners.ensembles.forest import class_weights
from clearwood.learners.ensembles.forest_definition import RootColumn, root_columns
from clearwood.learners.ensembles.forest_task import ForestTask
from clearwood.learners.ensembles.native_forest import times_drawn_by_trees
from clearwood.models.conditions import all_of
from clearwood.models.ensemble import Ensemble
from clearwood.models.paths import path_to
from clearwood.models.tree import Tree
from clearwood.models.words import written
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import Figure, Grid, GridCell, less, named


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
    task = learner.task(rows, model.decision, class_weights(rows))
    steps = drawing_steps(model, rows, times_drawn_by_trees(task, model.size))
    return Derivation(title_of(model), [*steps[:-1], *root_step(model, task), steps[-1]])


# The root of a forest's first tree: the columns drawn there, and how much each would lower the impurity.


_N_V: Final = Symbol("n", "v", "the number of drawn rows that follow branch v")
_N: Final = Symbol("n", means="the number of drawn rows")

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
        figures.append(_impurity(task, _called(task, "S"), scored))
    for name, each in zip(names, drawn, strict=True):
        figures.append(_decrease(model, task, name, each, counts, figures[0] if task.classes else None))
    branches = " and ".join(all_of(path_to(tree, node)) for node in _branches(tree))
    decision = (
        f"Of {len(task.columns):,} columns {len(drawn):,} {'was' if len(drawn) == 1 else 'were'} drawn: "
        f"{', '.join(names)}. The largest decrease is that of {names[taken]}: {branches}."
    )
    return [Step(_CHAPTER, "The root", tuple(figures), decision)]


def _branches(tree: Tree) -> list[int]:
    return np.flatnonzero(tree.nodes.parent == 0).tolist()


def _called(task: ForestTask, of: str) -> str:
    return f"{'H' if task.measure == 'entropy' else 'Gini'}({of})"


def _applied(task: ForestTask, rows: Symbol) -> Applied:
    if task.measure == "entropy":
        return Applied("H", (rows,), means="the entropy")
    return Applied("Gini", (rows,), means="the Gini impurity")


def _impurity(task: ForestTask, name: str, counts: Floats) -> Figure:
    """The Gini index or the entropy of counts by class."""
    total = float(counts.sum())
    shares = [Quotient(count(each), count(total)) for each in counts.tolist() if each > 0]
    formula: Expression
    put_in: Expression
    if task.measure == "entropy":
        formula = Negative(Over("Σ", "c", Product((_P, Log(_P)))))
        put_in = Negative(Sum(tuple(Product((each, Log(each))) for each in shares)))
    else:
        formula = less(Number(1), Over("Σ", "c", Power(_P, Number(2))))
        put_in = Sum((Number(1), *(Negative(Power(each, Number(2))) for each in shares)))
    return Figure(name, value_of(put_in), formula, put_in)


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
        _impurity(task, _called(task, f"{name}, {which} branch"), side)
        for which, side in zip(("first", "second"), sides, strict=True)
    ]
    terms = [
        Negative(Product((Quotient(count(float(side.sum())), count(total)), named(own))))
        for side, own in zip(sides, under, strict=True)
    ]
    impurity = _applied(task, Symbol("S", means="the drawn rows, each as often as it was drawn"))
    below = _applied(task, Symbol("S", "v", "those that follow branch v"))
    branch = Product((Quotient(_N_V, _N), below))
    put_in = Sum((named(whole), *terms))
    lines: list[tuple[GridCell, ...]] = [
        (which, *side.tolist()) for which, side in zip(("first", "second"), drawn.sides, strict=True)
    ]
    grid = Grid(f"The best split of {name}", ("branch", *model.schema.classes), lines)
    return Figure(
        called,
        value_of(put_in),
        less(impurity, Over("Σ", "v", branch)),
        put_in,
        grids=(grid,),
        under=tuple(under),
        each_has="decrease",
    )


def _of_numbers(called: str, sides: tuple[Floats, Floats], total: float) -> Figure:
    """By how much the mean squared error falls: Σ (sum of distances from the mean)² / n_v, over n."""
    square = Quotient(
        Power(Symbol("d", "v", "the sum of the differences of these rows' values from the mean"), Number(2)),
        _N_V,
    )
    terms = tuple(Quotient(Power(Number(float(side[1])), Number(2)), count(float(side[0]))) for side in sides)
    put_in = Quotient(Sum(terms), count(total))
    formula = Quotient(Over("Σ", "v", square), _N)
    return Figure(
        called,
        value_of(put_in),
        formula,
        put_in,
        because="So much the mean squared error falls.",
        each_has="decrease",
    )
