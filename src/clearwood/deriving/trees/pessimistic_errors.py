"""The pessimistic error as a figure: errors made and those charged for few rows; and pruning by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.formulas.expressions import (
    Applied,
    Compared,
    Expression,
    Extreme,
    Number,
    Over,
    Root,
    Sum,
    Symbol,
)
from clearwood.learners.trees.pruning.pessimistic import (
    KEPT,
    LEAF,
    MARGIN,
    TOLERANCE,
    Judgements,
    idle_splits,
    judge_with_raising,
    judge_without_raising,
    training_errors,
)
from clearwood.learners.trees.pruning.pruner import (
    CHAPTER,
    WHOLE,
    PruningSteps,
    StepAt,
    TreeUnderPruning,
    branch_of,
    cutting,
    kept_by,
    renumbered,
    split_step,
)
from clearwood.learners.trees.pruning.weakest_links import weighed_by_factors
from clearwood.measures.inference import ConfidenceTable, deviate, extra_errors
from clearwood.models.decision import cost_matrix
from clearwood.models.kinds.tree.nodes import below as hidden_below
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.table import Table
from clearwood.words.numbers import with_noun
from clearwood.working.derivation import BecameLeaf, Kept, Outcome, Raised, Step
from clearwood.working.figures import Figure, Grid, GridCell, Rows, compared, named, plain

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
    weighed = weighed_by_factors(tree, counts)
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
    weighed = weighed_by_factors(tree, tree.nodes.counts[node])
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


# Error-based pruning, step by step: a leaf, the largest branch alone, or the split as it is?


def error_based_steps(tree: Tree, rows: Table | None, settings: Mapping[str, Any]) -> PruningSteps:
    """A step for each judgement, in the order they were made."""
    how = settings["confidence"], settings["confidence_table"]
    if not settings["raise_subtrees"]:
        judged = judge_without_raising(tree, *how)
    elif rows is None:
        raise SettingError("Raising subtrees is derived by the training rows: give them.")
    else:
        judged = judge_with_raising(tree, rows, *how)
    judgement_steps = _JudgementSteps(
        TreeUnderPruning(tree, _moves(judged)),
        judged,
        Charge(*how),
        *cases_and_errors(tree, judged.counts),
        *cases_and_errors(tree, judged.part_counts),
    )
    stood = np.where(judged.became >= 0, judged.became, judged.node).tolist()
    steps = tuple(StepAt(node, partial(judgement_steps.step, place)) for place, node in enumerate(stood))
    return PruningSteps(judged.tree, renumbered(kept_by(tree.nodes, judged.node, judged.became)), steps)


def _moves(judged: Judgements) -> dict[int, list[tuple[int, int]]]:
    """By node that was raised: after which judgement it hung on which branch."""
    moves: dict[int, list[tuple[int, int]]] = {}
    for place, (node, became) in enumerate(zip(judged.node.tolist(), judged.became.tolist(), strict=True)):
        if became >= 0:
            edge = moves[node][-1][1] if node in moves else node
            moves.setdefault(became, []).append((place, edge))
    return moves


_TOTAL: Final = Over("Σ", "parts", Symbol("expected errors", "part", "the expected errors of each part"))


@dataclass(frozen=True, slots=True, eq=False)
class _JudgementSteps:
    places: TreeUnderPruning
    judged: Judgements
    charge: Charge
    n: Floats  # [judgement]
    e: Floats
    part_n: Floats  # [part]
    part_e: Floats

    def step(self, place: int) -> Step:
        judged, node = self.judged, int(self.judged.node[place])
        became = int(judged.became[place])
        n, e = float(self.n[place]), float(self.e[place])
        as_leaf = self.charge.expected_errors("expected errors as a leaf", n, e)
        first, middle = int(judged.part_start[place]), int(judged.branch_start[place])
        value, name = float(judged.subtree[place]), "expected errors of the subtree"
        subtree = self._total(name, value, range(first, middle), place, node)
        compared = [_no_more("leaf ≤ subtree + 0.1", as_leaf, subtree)]
        branches = []
        if np.isfinite(judged.as_branch[place]):
            largest, last = int(judged.largest[place]), int(judged.part_start[place + 1])
            value, name = float(judged.as_branch[place]), "expected errors of the largest branch"
            because = f"All its rows are sent through the branch {self.places.way(largest, node, place)}."
            branch = self._total(name, value, range(middle, last), place, largest, because)
            branches.append(branch)
            compared.append(_no_more("leaf ≤ branch + 0.1", as_leaf, branch))
            compared.append(_no_more("branch ≤ subtree + 0.1", branch, subtree))
        return Step(
            CHAPTER,
            f"Prune {self.places.split(node, place)}?",
            (as_leaf, subtree, *branches, *compared),
            self._decision(place, became),
            self._outcome(node, became),
            Rows(float(judged.counts[place].sum()), self.places.conditions(node, place)),
        )

    def _total(
        self, name: str, value: float, parts: Sequence[int], place: int, top: int, because: str = ""
    ) -> Figure:
        """A sum over parts, with a grid of them; a part that is a leaf shows its own work."""
        judged = self.judged
        errors = [float(judged.part_errors[part]) for part in parts]
        rows: list[tuple[GridCell, ...]] = [
            (
                self.places.way(int(judged.part_node[part]), top, place),
                float(self.part_n[part]),
                float(self.part_e[part]) if judged.part_leaf[part] else None,
                error,
            )
            for part, error in zip(parts, errors, strict=True)
        ]

        def figure_of(row: int) -> Figure:
            part = parts[row]
            way = rows[row][0]
            label = "expected errors of the whole" if way == WHOLE else f"expected errors where {way}"
            if judged.part_leaf[part]:
                return self.charge.expected_errors(label, float(self.part_n[part]), float(self.part_e[part]))
            return Figure(label, errors[row], because="The sum over what hangs below.")

        grid = Grid("Parts", ("part", "N", "e", "expected errors"), rows, figure_of=figure_of)
        return Figure(name, value, _TOTAL, Sum(tuple(map(Number, errors))), because=because, grids=(grid,))

    def _decision(self, place: int, became: int) -> str:
        judged = self.judged
        leaf, subtree, branch = (
            float(column[place]) for column in (judged.as_leaf, judged.subtree, judged.as_branch)
        )
        if became == LEAF:
            return f"A leaf should err {leaf:.4g} times, the split {subtree:.4g}: it becomes a leaf."
        if became == KEPT:
            least = "a leaf" if leaf <= branch else "its largest branch"
            return f"The split should err {subtree:.4g} times, {least} {min(leaf, branch):.4g}: it stays."
        return (
            f"The largest branch should err {branch:.4g} times, the split {subtree:.4g}: the branch takes "
            "its place, the rows are sent through it again, and all of it is evaluated again."
        )

    def _outcome(self, node: int, became: int) -> Outcome:
        if became == LEAF:
            return BecameLeaf(node)
        if became == KEPT:
            return Kept(node)
        return Raised(branch_of(self.places.tree, node, became), node)


def _no_more(name: str, one: Figure, other: Figure) -> Figure:
    """The comparison with C4.5's tolerance of 0.1 errors."""
    holds, right = one.number <= other.number + TOLERANCE, named(other)
    close = "A millionth is allowed for rounding."
    return compared(name, holds, one, "≤", right + 0.1, right + Number(TOLERANCE), close)
