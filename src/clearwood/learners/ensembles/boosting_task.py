"""Gradient boosting: what is learned from, the loss's gradients, plainly, and the rounds, one by one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Bools, Floats, Longs
from clearwood.counting.chance import chance_key, parts, shuffled_places
from clearwood.counting.coding import CodedColumns
from clearwood.counting.ties import own_exp, own_log
from clearwood.learners.progress import Progress, is_enough
from clearwood.learners.trees.growing import by_schema_position
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.lineage import EndedBecause, EndedEarly
from clearwood.table.folding import classes_by_name
from clearwood.table.table import Column, Table

if TYPE_CHECKING:
    from clearwood.learners.ensembles.boosting import Boosting

BoostingLoss: TypeAlias = Literal["logistic", "softmax", "squared", "absolute", "quantile", "poisson"]
Losses: TypeAlias = tuple[float, float, float, float]  # sums of loss and weight: learning rows, held-out rows
Sample: TypeAlias = npt.NDArray[np.uint32] | None  # rows to learn from, ascending; None: all of them

LINK: Final[dict[BoostingLoss, Link]] = {
    "logistic": "logistic", "softmax": "softmax", "squared": "identity", "absolute": "identity",
    "quantile": "identity", "poisson": "exp",
}  # fmt: skip
SCORE: Final[dict[BoostingLoss, str]] = {
    "logistic": "log loss", "softmax": "log loss", "squared": "squared error", "absolute": "absolute error",
    "quantile": "quantile loss", "poisson": "Poisson deviance",
}  # fmt: skip
_LEAST_SHARE: Final = 1e-9  # of a class without rows, or of a mean of 0: its logarithm is finite


@dataclass(frozen=True, slots=True, eq=False)
class BoostingTask:
    """The rows, what is asked of them, and the learner's settings; the scores, which move, are beside it."""

    settings: Boosting
    codes: CodedColumns
    loss: BoostingLoss
    target: Column  # [row] int32 codes, or float64
    weights: Floats | None  # [row]; None: all 1
    held: Bools | None  # [row] is it held out? None: none is
    scores: int  # how many each row has
    monotone: tuple[int, ...]  # [column] 1: more is never less; −1; 0: free
    together: tuple[tuple[int, ...], ...]  # columns that may stand on one path; none: all may

    @property
    def classes(self) -> bool:
        return self.loss in ("logistic", "softmax")

    @property
    def learning(self) -> Bools:
        """[row] is it learned from?"""
        return np.ones(self.codes.rows, dtype=np.bool_) if self.held is None else ~self.held

    def base(self) -> tuple[float, ...]:
        """[score] the constant with the least loss: log odds, log priors, mean, median, log of the mean."""
        here = self.learning
        target = self.target[here]
        weights = np.ones(len(target)) if self.weights is None else self.weights[here]
        if self.classes:
            counts = np.bincount(target, weights, 2 if self.loss == "logistic" else self.scores)
            logs = own_log(np.maximum(counts / counts.sum(), _LEAST_SHARE))
            return (float(logs[1] - logs[0]),) if self.loss == "logistic" else tuple(logs.tolist())
        if self.loss in ("absolute", "quantile"):
            return (weighted_quantile(target, weights, self.part),)
        nothing = np.zeros(len(target), dtype=np.int64)  # so that sums are made in the order of rows
        mean = float(np.bincount(nothing, weights * target)[0] / np.bincount(nothing, weights)[0])
        if self.loss == "poisson":
            mean = float(own_log(np.array([max(mean, _LEAST_SHARE)]))[0])
        return (mean,)

    def native(self) -> tuple[str, Column | None, Column | None, Floats | None, npt.NDArray[np.uint8] | None]:
        """The loss and the rows as native code takes them."""
        target = (self.target, None) if self.classes else (None, self.target)
        return self.loss, *target, self.weights, None if self.held is None else self.held.view(np.uint8)

    @property
    def part(self) -> float:
        """Which quantile a leaf's step is, where it is one."""
        return self.settings.quantile if self.loss == "quantile" else 0.5


def weighted_quantile(values: Floats, weights: Floats, part: float) -> float:
    """The value that this part of the weight lies at or below; midway to the next where it does so exactly.

    >>> weighted_quantile(np.array([3.0, 1.0, 2.0, 9.0]), np.ones(4), 0.5)
    2.5
    >>> weighted_quantile(np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 5.0]), 0.5)
    2.0
    """
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    if not len(below):
        return 0.0
    aim = part * below[-1]
    place = min(int(np.searchsorted(below, aim, side="left")), len(below) - 1)
    value = float(values[order[place]])
    if below[place] == aim and place + 1 < len(below):
        return 0.5 * value + 0.5 * float(values[order[place + 1]])
    return value


# Gradients: where the loss falls at the present scores and how it bends there, in whole units; plainly.


_STRETCH: Final = 4096  # rows added up by themselves
_LANES: Final = 8
_PACKED_BITS: Final = 17
_UNEVEN: Final = 64
_FEW: Final = 16384  # rows for which packed halves bring nothing
_LEAST_BEND: Final = 1e-16
_POISSON_BEND: Final = 2.0137527074704766  # e to the 0.7


def answers_of(task: BoostingTask, scores: Floats) -> tuple[Floats, Floats]:
    """[score, row] shares or numbers, and [row] the loss."""
    y = task.target
    match task.loss:
        case "logistic":
            z = own_exp(-np.abs(scores[0]))
            one = 1.0 / (1.0 + z)
            against = np.where(y != 0, -scores[0], scores[0])
            return np.where(scores >= 0, one, z * one), np.maximum(against, 0.0) + own_log(1.0 + z)
        case "softmax":
            most = scores.max(axis=0)
            parts = own_exp(scores - most)
            total = np.cumsum(parts, axis=0)[-1]
            own = np.take_along_axis(scores, y[None, :].astype(np.int64), 0)[0] - most
            return parts / total, own_log(total) - own
        case "poisson":
            mean = own_exp(scores)
            log_y = own_log(np.maximum(y, 1e-300))
            return mean, 2.0 * (np.where(y > 0, y * (log_y - scores[0]), 0.0) - (y - mean[0]))
        case "squared":
            return scores.copy(), (scores[0] - y) * (scores[0] - y)
        case "absolute":
            return scores.copy(), np.abs(scores[0] - y)
        case "quantile":
            over, part = scores[0] - y, task.part
            return scores.copy(), np.where(over > 0, (1.0 - part) * over, -part * over)


def losses_of(task: BoostingTask, losses: Floats) -> Losses:
    """Sums of loss and weight, of the rows learned from and of those held out."""
    here = task.learning
    weights = np.ones(len(losses)) if task.weights is None else task.weights
    nothing = np.zeros(len(losses))
    return (
        _sum(np.where(here, weights * losses, nothing)), _sum(np.where(here, weights, nothing)),
        _sum(np.where(here, nothing, weights * losses)), _sum(np.where(here, nothing, weights)),
    )  # fmt: skip


def _sum(values: Floats) -> float:
    """Added in lanes and stretches, as native code does on any number of threads."""
    total = 0.0
    for begin in range(0, len(values), _STRETCH):
        part = values[begin : begin + _STRETCH]
        lanes = np.zeros(-(-len(part) // _LANES) * _LANES)
        lanes[: len(part)] = part
        a = np.cumsum(lanes.reshape(-1, _LANES), axis=0)[-1].tolist()
        total += ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]))
    return total


def slopes(task: BoostingTask, score: int, answer: Floats) -> tuple[Floats, Floats]:
    """[row] gradient and second derivative, times the weight."""
    y, ones = task.target, np.ones(len(answer))
    weights = ones if task.weights is None else task.weights
    match task.loss:
        case "logistic":
            g, h = answer - y, np.maximum(answer * (1.0 - answer), _LEAST_BEND)
        case "softmax":
            g, h = answer - (y == score), np.maximum(2.0 * answer * (1.0 - answer), _LEAST_BEND)
        case "squared":
            g, h = answer - y, ones
        case "absolute":
            g, h = np.sign(answer - y), ones
        case "quantile":
            g = np.where(answer > y, 1.0 - task.part, np.where(answer < y, -task.part, 0.0))
            h = ones
        case "poisson":
            g, h = answer - y, answer * _POISSON_BEND
    return weights * g, weights * h


@dataclass(frozen=True, slots=True, eq=False)
class WholeGradients:
    """Derivatives of the rows, in units that are powers of two."""

    g: Longs  # [row], in units
    h: Longs
    unit_g: float
    unit_h: float


def in_units(task: BoostingTask, g: Floats, h: Floats) -> WholeGradients:
    """Rounded to units so fine that a sum of packed halves holds them, or finer where sizes differ much."""
    here = task.learning
    learning = int(here.sum())
    size_g, size_h = np.where(here, np.abs(g), 0.0), np.where(here, h, 0.0)
    most_g, most_h = float(size_g.max()), float(size_h.max())
    coarse = (
        task.settings.bins == "exact"  # whose sums are to equal those of floating point to 1e-11
        or learning < _FEW
        or _sum(size_g) * _UNEVEN < most_g * learning
        or _sum(size_h) * _UNEVEN < most_h * learning
    )
    bits = min(40, 62 - learning.bit_length()) if coarse else _PACKED_BITS
    powers = math.frexp(most_g)[1] - bits, math.frexp(most_h)[1] - bits
    whole_g = np.rint(np.where(here, g, 0.0) * 2.0 ** -powers[0]).astype(np.int64)
    whole_h = np.rint(np.where(here, h, 0.0) * 2.0 ** -powers[1]).astype(np.int64)
    return WholeGradients(whole_g, whole_h, 2.0 ** powers[0], 2.0 ** powers[1])


# Rounds of boosting: trees one after another, until there are enough or held-out rows gain no more.


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
