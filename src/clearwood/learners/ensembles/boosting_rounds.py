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
    BoostingTask,
    Losses,
    Sample,
    answers_of,
    losses_of,
)
from clearwood.learners.progress import Progress, is_enough
from clearwood.learners.trees.growing import by_schema_position
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.lineage import EndedBecause, EndedEarly
from clearwood.table.folding import classes_by_name
from clearwood.table.table import Table

_ROWS: Final = 1  # what chance is for: the rows of a round, …
_COLUMNS: Final = 2  # … the columns of a tree, …
_HELD: Final = 3  # … the rows held out

RoundTrees: TypeAlias = list[dict[str, Any]]  # the columns of the nodes of each
BoostingRound: TypeAlias = Callable[
    [BoostingTask, Floats, Sample, Sequence[Sequence[int]]], tuple[RoundTrees, Losses]
]


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """What the rounds gave."""

    trees: list[Nodes]  # in the order of rounds, then of scores; only those kept
    losses: tuple[float, ...]  # [round] mean loss of the rows learned from, after it
    held_losses: tuple[float, ...]  # [round] of the rows held out; empty without any
    kept: int  # rounds; 0 where they follow others and none has a lower held-out loss than those
    ended: tuple[EndedEarly, ...] = ()  # why there are fewer than asked for, if not by the held-out rows


def boosting_rounds(
    task: BoostingTask, scores: Floats, first: int = 0, by: BoostingRound | None = None
) -> Rounds:
    """Rounds from these scores [score, row] on, which move; `first` is how many went before, whose chance is
    not drawn again, `by` a definition instead of native code."""
    how = task.settings
    turn = _native_round(task) if by is None else by
    trees = list[Nodes]()
    losses, held_losses = list[float](), list[float]()
    # What rounds that follow others have to better; the first rounds have nothing to fall behind.
    best = held_loss(task, scores) if first and task.held is not None else np.inf
    kept = 0
    because: EndedBecause | None = None
    for number in range(how.trees):
        asked = [_asked(task, (first + number) * task.scores + k) for k in range(task.scores)]
        made, before = turn(task, scores, sampled(task, first + number), asked)
        if number:
            _add(losses, held_losses, before, task)
            if task.held is not None and held_losses[-1] < best:
                best, kept = held_losses[-1], number
            if task.held is not None and number - kept >= how.patience:
                break
            if is_enough(_progress(task, losses, held_losses)):
                because = "interrupted"
                break
        grown = [Nodes(**by_schema_position(each, task.codes.coding.positions)) for each in made]
        trees += grown
        if how.rows == how.columns == 1 and not any(len(each) > 1 or each.counts[0, 1] for each in grown):
            because = "no step"  # nothing moved a score, and nothing ever will
            break
    done = len(trees) // task.scores
    if len(losses) < done:
        _add(losses, held_losses, losses_at(task, scores, by), task)
        if task.held is not None and held_losses[-1] < best:
            kept = done
        is_enough(_progress(task, losses, held_losses))
    kept = done if task.held is None else kept
    ended = (EndedEarly(done, how.trees, "round", because),) if because and done < how.trees else ()
    return Rounds(trees[: kept * task.scores], tuple(losses[:done]), tuple(held_losses[:done]), kept, ended)


def losses_at(task: BoostingTask, scores: Floats, by: BoostingRound | None = None) -> Losses:
    """Sums of loss and weight at these scores [score, row]; by the definition where rounds are."""
    if by is not None:
        return losses_of(task, answers_of(task, scores)[1])
    return _native.boosting_losses(*task.native(), scores, task.settings.quantile)


def held_loss(task: BoostingTask, scores: Floats) -> float:
    """The mean loss of the rows held out at these scores [score, row]."""
    _, _, loss, weight = losses_at(task, scores)
    return loss / weight


def _progress(task: BoostingTask, losses: Sequence[float], held_losses: Sequence[float]) -> Progress:
    on, value = ("held-out rows", held_losses[-1]) if held_losses else ("training rows", losses[-1])
    return Progress(len(losses), task.settings.trees, "round", SCORE[task.loss], on, value)


def sampled(task: BoostingTask, number: int) -> Sample:
    """The rows that a round learns from; None where these are all rows."""
    how = task.settings
    if how.rows == 1 and task.held is None:
        return None
    taken = task.learning
    if how.rows < 1:
        taken &= parts(chance_key(how.seed, number, _ROWS), len(taken)) < how.rows
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


def _asked(task: BoostingTask, tree: int) -> list[int]:
    """The columns that a tree may ask about."""
    how, columns = task.settings, len(task.codes.coding)
    if how.columns == 1 or columns < 2:
        return list(range(columns))
    order = shuffled_places(chance_key(how.seed, tree, _COLUMNS), columns)
    return sorted(order[: max(1, round(how.columns * columns))].tolist())


def _add(losses: list[float], held_losses: list[float], sums: Losses, task: BoostingTask) -> None:
    losses.append(sums[0] / sums[1])
    if task.held is not None:
        held_losses.append(sums[2] / sums[3])


def _native_round(task: BoostingTask) -> BoostingRound:
    """A round by native code; what all rounds need of the task is made once."""
    how, codes = task.settings, task.codes
    columns, known = codes.coding.columns, list(codes.coding.known)
    room = _native.BoostingRoom(list(codes.columns), known, codes.rows)
    ordered = [each.ordered for each in columns]
    cuts = [each.cuts if each.numeric else None for each in columns]
    together = [list(each) for each in task.together]
    depth = -1 if how.max_depth is None else how.max_depth
    growth = how.min_child, how.l2, how.l1, how.gamma, how.min_value

    def turn(
        task: BoostingTask, scores: Floats, sample: Sample, asked: Sequence[Sequence[int]]
    ) -> tuple[RoundTrees, Losses]:
        columns_asked = [list(each) for each in asked]
        return _native.boost_round(
            room, ordered, cuts, *task.native(), sample, scores, columns_asked, list(task.monotone), together,
            how.quantile, how.bins == "exact", how.rate, depth, how.leaves or 0, *growth,
        )  # fmt: skip

    return turn
