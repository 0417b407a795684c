"""The pessimistic error as a figure: the errors made, and those charged for having seen so few rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.formulas.expressions import Applied, Compared, Expression, Extreme, Number, Root, Sum, Symbol
from clearwood.learners.trees.pruning.pessimistic import MARGIN, idle_splits, training_errors
from clearwood.learners.trees.pruning.pruner import (
    PruningSteps,
    StepAt,
    TreeUnderPruning,
    cutting,
    split_step,
)
from clearwood.learners.trees.pruning.weakest_links import by_factors
from clearwood.measures.pessimistic import ConfidenceTable, deviate, extra_errors
from clearwood.models.deciding import cost_matrix
from clearwood.models.kinds.tree.cutting import below as hidden_below
from clearwood.models.kinds.tree.tree import Tree
from clearwood.words.numbers import with_noun
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, Grid, named, plain

NO_WEIGHT: Final = 1e-6  # rows that weigh less are none


@dataclass(frozen=True, slots=True)
class Charge:
    """How a leaf is charged: the confidence CF, and where its normal deviate is read."""

    confidence: float
    table: ConfidenceTable

    def expected_errors(self, name: str, n: float, e: float) -> Figure:
        """e + U(e, N): the errors a leaf is expected to make on as many new rows."""
        if n <= NO_WEIGHT:
            return Figure(name, 0.0, because="No row comes here, so no error is expected.")
        extra = self.extra_errors(n, e)
        put_in = plain(e) + named(extra)
        value = e + extra_errors(n, e, self.confidence, self.table)
        return Figure(name, value, ERRORS + more_errors(ERRORS, ROWS), put_in, under=(extra,))

    def extra_errors(self, n: float, e: float, name: str = "extra errors") -> Figure:
        """U(e, N), by the formula that holds for these e and N."""
        value = extra_errors(n, e, self.confidence, self.table)
        if e <= 0:
            put_in = _none(plain(n), Number(self.confidence))
            return Figure(name, value, _none(ROWS, _CF), put_in, because="Here e = 0.")
        if e < 1:
            none = self.extra_errors(n, 0.0, "extra errors at e = 0")
            one = self.extra_errors(n, 1.0, "extra errors at e = 1")
            formula = _between(more_errors(Number(0), ROWS), more_errors(Number(1), ROWS), ERRORS)
            because = "Here 0 < e < 1: on the straight line between no error and one."
            put_in = _between(named(none), named(one), plain(e))
            return Figure(name, value, formula, put_in, because=because, under=(none, one))
        if e + 0.5 >= n:
            because = "Here e + 0.5 ≥ N: nearly all rows are errors."
            rest = _nearly_all_by_table if self.table == "quinlan" else _nearly_all
            return Figure(name, value, rest(ROWS, ERRORS), rest(plain(n), plain(e)), because=because)
        put_in, because = _share(plain(e), plain(n)), "Half an error more than there are."
        share = Figure("f", (e + 0.5) / n, _share(ERRORS, ROWS), put_in, because=because)
        z = self._deviate()
        because = "The upper bound of the error rate, times N, less the errors made."
        put_in = _bound(named(share), named(z), plain(n), plain(e))
        return Figure(name, value, _bound(_F, _Z, ROWS, ERRORS), put_in, because=because, under=(share, z))

    def _deviate(self) -> Figure:
        value, to, letter = deviate(self.confidence, self.table), Number(self.confidence), _CF
        if self.table == "quinlan":
            source = "Quinlan's table of deviates"
            return Figure("z", value, Applied(source, (letter,)), Applied(source, (to,), value))
        source = "normal quantile"
        return Figure("z", value, Applied(source, (1 - letter,)), Applied(source, (1 - to,), value))


def cases_and_errors(tree: Tree, counts: Floats) -> tuple[Floats, Floats]:
    """[·] The weight N of each line of counts [·, class], and the part e of it that the answer gets wrong."""
    weighed = by_factors(tree, counts)
    n = weighed.sum(axis=1)
    costs = cost_matrix(tree.decision)
    right = weighed.max(axis=1)
    if costs is not None:
        right = weighed[np.arange(len(weighed)), (weighed @ costs).argmin(axis=1)]
    return n, np.maximum(n - right, 0.0)


ROWS: Final = Symbol("N", means="the number of rows that the leaf or rule applies to")
ERRORS: Final = Symbol("e", means="the number of them that are predicted wrongly")
_CF: Final = Symbol("CF", means="the confidence level of pruning")
_F: Final = Symbol("f", means="the error rate with half an error added")
_Z: Final = Symbol("z", means="the normal deviate of CF")


def more_errors(errors: Expression, rows: Expression) -> Applied:
    """U(e, N) in a formula."""
    return Applied("U", (errors, rows), means="the errors that the upper confidence limit adds")


def _none(n: Expression, confidence: Expression) -> Expression:
    return n * (1 - confidence ** (1 / n))


def _between(none: Expression, one: Expression, e: Expression) -> Expression:
    return none + e * (one - none)


def _nearly_all(n: Expression, e: Expression) -> Expression:
    return Extreme("max", (n - e, Number(0)))


def _nearly_all_by_table(n: Expression, e: Expression) -> Expression:
    return Number(0.67) * (n - e)


def _share(e: Expression, n: Expression) -> Expression:
    return (e + 0.5) / n


def _bound(f: Expression, z: Expression, n: Expression, e: Expression) -> Expression:
    squared = z**2
    spread = Root(Sum((*(f / n - f**2 / n).terms, squared / (4 * n**2))))
    top = f + squared / (2 * n) + z * spread
    return n * (top / (1 + squared / n)) - e


# Collapsing, step by step: does what hangs below a split spare the training rows an error?


def collapse_steps(tree: Tree, *_: Any) -> PruningSteps:
    """A step for each split that was looked at, from the top down."""
    places, nodes = TreeUnderPruning(tree), tree.nodes
    alone, below = training_errors(tree)
    cut = idle_splits(tree)
    seen = np.flatnonzero(~nodes.is_leaf & ~hidden_below(nodes, cut)).tolist()
    steps = [StepAt(node, partial(_step, places, node, bool(cut[node]), alone, below)) for node in seen]
    return cutting(tree, cut, steps)


def _step(places: TreeUnderPruning, node: int, cut: bool, alone: Floats, below: Floats) -> Step:
    tree = places.tree
    weighed = by_factors(tree, tree.nodes.counts[node])
    put_in: Expression = plain(float(weighed.sum())) - plain(float(weighed.max()))
    formula = ROWS - Symbol("n", "most common class", "the number of them of the most common class")
    as_leaf = Figure("training errors as a leaf", float(alone[node]), formula, put_in)
    children = tree.nodes.children(node)
    parts = [float(below[child]) for child in children]
    lines = [(str(tree.condition(child)), part) for child, part in zip(children, parts, strict=True)]
    grid = Grid("Branches", ("branch", "training errors below"), lines, on_sheet=("given", "asked"))
    put_in = Sum(tuple(map(plain, parts)))
    subtree = Figure("training errors of the subtree", float(below[node]), put_in=put_in, grids=(grid,))
    put_in = Compared(named(subtree), "≥", named(as_leaf) - Number(MARGIN))
    because = "Then what is below spares no error; a thousandth of a row is none."
    spares = Figure("subtree ≥ leaf − 0.001", cut, put_in=put_in, because=because)
    decision = (
        f"{with_noun(f'{subtree.value:.4g}', 'error')} with what is below, {as_leaf.value:.4g} without: "
        f"{'it becomes a leaf' if cut else 'it stays'}."
    )
    return split_step(places, node, (as_leaf, subtree, spares), decision, cut=cut, verb="Collapse")
