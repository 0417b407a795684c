"""Error-based pruning, step by step: a leaf, the largest branch alone, or the split as it is?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.deriving.trees.pessimistic_errors import Charge, cases_and_errors
from clearwood.errors import SettingError
from clearwood.formulas.expressions import Number, Over, Sum, Symbol
from clearwood.learners.trees.pruning.pessimistic import (
    KEPT,
    LEAF,
    TOLERANCE,
    Judgements,
    judge_with_raising,
    judge_without_raising,
)
from clearwood.learners.trees.pruning.pruner import (
    CHAPTER,
    WHOLE,
    PruningSteps,
    StepAt,
    TreeUnderPruning,
    branch_of,
    kept_by,
    renumbered,
)
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import BecameLeaf, Kept, Outcome, Raised, Step
from clearwood.working.figures import Figure, Grid, GridCell, Rows, compared, named


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
