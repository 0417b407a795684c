"""Rounds of boosting: trees one after another, until there are enough or held-out rows gain no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.arrays import Bools, Floats
from clearwood.counting.chance import chance_key, parts, shuffled_places
from clearwood.learners.ensembles.boosting_task import (
    SCORE,
    BoostedGrowth,
    BoostingTask,
    Losses,
    Sample,
    answers_of,
    losses_of,
)
from clearwood.learners.progress import Progress, is_enough
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.lineage import EndedBecause, EndedEarly
from clearwood.table.row_keys import classes_by_name
from clearwood.table.table import Table

_ROWS: Final = 1  # what chance is for: the rows of a round, …
_COLUMNS: Final = 2  # … the columns of a tree, …
_HELD: Final = 3  # … the rows held out

BoostingRound: TypeAlias = Callable[
    [BoostingTask, BoostedGrowth, Floats, Sample, Sequence[Sequence[int]]],
    tuple[list[dict[str, Any]], Losses],
]


@dataclass(frozen=True, slots=True)
class Plan:
    """How many rounds, from which one on, and what each sees."""

    rounds: int
    first: int  # of the rounds so far, whose chance is not drawn again
    rows: float  # part that a round learns from
    columns: float  # part that a tree may ask about
    patience: int  # rounds without a better held-out loss after which learning stops
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """What the rounds gave."""

    trees: list[Nodes]  # in the order of rounds, then of scores; only those kept
    losses: tuple[float, ...]  # [round] mean loss of the rows learned from, after it
    held_losses: tuple[float, ...]  # [round] of the rows held out; empty without any
    kept: int  # rounds; 0 where they follow others and none has a lower held-out loss than those
    ended: tuple[EndedEarly, ...] = ()  # why there are fewer than asked for, if not by the held-out rows


def boosting_rounds(
    task: BoostingTask, growth: BoostedGrowth, plan: Plan, scores: Floats, by: BoostingRound | None = None
) -> Rounds:
    """Rounds from these scores [score, row] on, which move; `by` a definition instead of native code."""
    turn = _Native(task) if by is None else by
    trees = list[Nodes]()
    losses, held_losses = list[float](), list[float]()
    best, kept = _best_so_far(task, plan, scores), 0
    because: EndedBecause | None = None
    for number in range(plan.rounds):
        sample = sampled(task, plan, plan.first + number)
        asked = [_asked(task, plan, (plan.first + number) * task.scores + k) for k in range(task.scores)]
        made, before = turn(task, growth, scores, sample, asked)
        if number:
            _add(losses, held_losses, before, task)
            if task.held is not None and held_losses[-1] < best:
                best, kept = held_losses[-1], number
            if task.held is not None and number - kept >= plan.patience:
                break
            if is_enough(_progress(task, plan, losses, held_losses)):
                because = "interrupted"
                break
        trees += [_nodes(task, each) for each in made]
        if plan.rows == plan.columns == 1 and not any(_moves(each) for each in trees[-task.scores :]):
            because = "no step"  # nothing moved a score, and nothing ever will
            break
    done = len(trees) // task.scores
    if len(losses) < done:
        after = losses_of(task, answers_of(task, scores)[1]) if by is not None else _losses(task, scores)
        _add(losses, held_losses, after, task)
        if task.held is not None and held_losses[-1] < best:
            kept = done
        is_enough(_progress(task, plan, losses, held_losses))
    kept = done if task.held is None else kept
    ended = (EndedEarly(done, plan.rounds, "round", because),) if because and done < plan.rounds else ()
    return Rounds(trees[: kept * task.scores], tuple(losses[:done]), tuple(held_losses[:done]), kept, ended)


def held_loss(task: BoostingTask, scores: Floats) -> float:
    """The mean loss of the rows held out at these scores [score, row]."""
    sums = _losses(task, scores)
    return sums[2] / sums[3]


def _best_so_far(task: BoostingTask, plan: Plan, scores: Floats) -> float:
    """What rounds that follow others have to better; the first rounds have nothing to fall behind."""
    return held_loss(task, scores) if plan.first and task.held is not None else np.inf


def _progress(
    task: BoostingTask, plan: Plan, losses: Sequence[float], held_losses: Sequence[float]
) -> Progress:
    on, value = ("held-out rows", held_losses[-1]) if held_losses else ("training rows", losses[-1])
    return Progress(len(losses), plan.rounds, "round", SCORE[task.loss], on, value)


def sampled(task: BoostingTask, plan: Plan, number: int) -> Sample:
    """The rows that a round learns from; None where these are all rows."""
    if plan.rows == 1 and task.held is None:
        return None
    taken = task.learning
    if plan.rows < 1:
        taken &= parts(chance_key(plan.seed, number, _ROWS), len(taken)) < plan.rows
    return np.flatnonzero(taken).astype(np.uint32)


def held_out(rows: Table, part: float, seed: int) -> Bools:
    """[row] is it held out? So much of each class, or of all rows where the target is a number."""
    held = np.zeros(len(rows), dtype=np.bool_)
    classes = classes_by_name(rows) if rows.schema.classes else np.zeros(len(rows), dtype=np.int32)
    for place in range(max(len(rows.schema.classes), 1)):
        own = np.flatnonzero(classes == place)
        order = shuffled_places(chance_key(seed, place, _HELD), len(own))
        held[own[order[: round(part * len(own))]]] = True
    return held


def _asked(task: BoostingTask, plan: Plan, tree: int) -> list[int]:
    columns = len(task.codes.coding)
    if plan.columns == 1 or columns < 2:
        return list(range(columns))
    chosen = shuffled_places(chance_key(plan.seed, tree, _COLUMNS), columns)[
        : max(1, round(plan.columns * columns))
    ]
    return sorted(chosen.tolist())


def _add(losses: list[float], held_losses: list[float], sums: Losses, task: BoostingTask) -> None:
    losses.append(sums[0] / sums[1])
    if task.held is not None:
        held_losses.append(sums[2] / sums[3])


def _moves(tree: Nodes) -> bool:
    return len(tree) > 1 or float(tree.counts[0, 1]) != 0.0


def _nodes(task: BoostingTask, made: dict[str, Any]) -> Nodes:
    """A tree with attributes by their place in the schema."""
    place = np.array([*task.codes.coding.positions, -1], dtype=np.int32)  # −1, the root's, stays −1
    return Nodes(**{**made, "attribute": place[np.asarray(made["attribute"])]})


class _Native:
    """A round by native code; what all rounds need of the task is made once."""

    def __init__(self, task: BoostingTask) -> None:
        codes = task.codes
        self.room = _native.BoostingRoom(list(codes.columns), list(codes.coding.known), codes.rows)
        self.cuts: list[Floats | None] = [
            each.cuts if each.numeric else None for each in codes.coding.columns
        ]

    def __call__(
        self,
        task: BoostingTask,
        growth: BoostedGrowth,
        scores: Floats,
        sample: Sample,
        asked: Sequence[Sequence[int]],
    ) -> tuple[list[dict[str, Any]], Losses]:
        coding = task.codes.coding
        return _native.boost_round(
            self.room,
            [each.ordered for each in coding.columns],
            self.cuts,
            task.loss,
            task.target if task.classes else None,
            None if task.classes else task.target,
            task.weights,
            None if task.held is None else task.held.view(np.uint8),
            sample,
            scores,
            [list(each) for each in asked],
            list(task.monotone),
            [list(each) for each in task.together],
            task.quantile,
            growth.fine,
            growth.rate,
            -1 if growth.max_depth is None else growth.max_depth,
            growth.leaves or 0,
            growth.min_child,
            growth.l2,
            growth.l1,
            growth.gamma,
            growth.min_value,
        )


def _losses(task: BoostingTask, scores: Floats) -> Losses:
    return _native.boosting_losses(
        task.loss,
        task.target if task.classes else None,
        None if task.classes else task.target,
        task.weights,
        None if task.held is None else task.held.view(np.uint8),
        scores,
        task.quantile,
    )
