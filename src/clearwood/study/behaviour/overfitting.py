"""Overfitting: as a tree grows it fits its own rows ever better, and other rows only up to a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import at_least, whole
from clearwood.counting.chance import below_all, chance_key, parts
from clearwood.errors import LearningError, SettingError
from clearwood.learners.learner import Learner
from clearwood.learners.parts import over_parts
from clearwood.learners.trees.pruning.weakest_links import cost_complexity_path, cut_at
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import check_kind
from clearwood.records import JsonRecord, json_of
from clearwood.scoring.costs import ExpectedCost
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, evaluate
from clearwood.study.cross_validation import together
from clearwood.study.designs import Design, Folds, HoldOut
from clearwood.study.dividing import judged_to_learned, parts_by_design, predicted_column, rows_to_learn
from clearwood.study.recipe import threads_that_pay
from clearwood.table.attributes import Numeric
from clearwood.table.folding import places_by_name, rows_by_content, shuffled_rows
from clearwood.table.table import Table
from clearwood.words.columns import in_columns, named_columns
from clearwood.words.numbers import many, percent_to

_MOST: Final = 60  # sizes tried: a curve of more looks the same


@dataclass(frozen=True, slots=True, eq=False)
class CostBySize:
    """The expected cost of a row by number of leaves, beside the cheapest class given to every row apart."""

    training: Floats  # [size]
    validation: Floats  # [size]
    constant: str
    constant_per_row: float


@dataclass(frozen=True, slots=True, eq=False)
class Overfitting:
    """Accuracy (R² of numbers) on the rows learned from and on held-out rows, by number of leaves.

    With several folds they are means, and `deviations` the standard errors of `validation`, corrected for
    what repeated folds share (Nadeau and Bengio 2003). Of a learner with costs `cost` has what a row costs,
    and that, not the accuracy, says which size is best. `noise` is the share of it that was put into the rows
    learned from, and into no others.
    """

    measure: str
    leaves: Longs  # [size], rising
    training: Floats  # [size]
    validation: Floats  # [size]
    deviations: Floats | None = None  # [size]
    cost: CostBySize | None = None
    noise: float = 0.0

    @property
    def best(self) -> int:
        """The place of the size that does best on held-out rows, the smallest of equals."""
        return int(np.argmax(self.validation) if self.cost is None else np.argmin(self.cost.validation))

    def __str__(self) -> str:
        columns = {"training": self.training, "validation": self.validation}
        if self.cost is not None:
            columns |= {"cost, training": self.cost.training, "cost, validation": self.cost.validation}
        figures = {name: [f"{each:.4f}" for each in column.tolist()] for name, column in columns.items()}
        lines = named_columns({"leaves": map(str, self.leaves.tolist()), **figures})
        lines[self.best + 1] += "  ← best"
        if self.cost is not None:
            lines.append(
                f"Always predicting {self.cost.constant} would cost {self.cost.constant_per_row:.4f} per row "
                "kept apart."
            )
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        best = int(self.leaves[self.best])
        return json_of(self, "deviations", standard_errors=self.deviations, best=best)


def overfitting(
    learner: Learner[Tree],
    table: Table,
    *,
    part: float = 0.3,
    folds: int | None = None,
    design: Design | None = None,
    seed: int = 0,
    noise: float = 0.0,
) -> Overfitting:
    """Grow a tree on a part of the rows, take its best subtree of each size, evaluate it on both parts.

    The subtrees are those of the weakest-link sequence. `part` of the rows is held out, or with `folds` each
    fold in turn, or what another `design` says. A learner that prunes by itself, as C45 does by default,
    stops growing early.
    With `noise`, this share of the rows learned from gets another class; numbers are moved by a normal error
    with this share of their standard deviation.

    >>> from clearwood.learners.trees.cart import CART
    >>> from clearwood.table import read_table
    >>> rows = {"x": [i / 7 for i in range(40)], "y": list("aaaabaaaaaaabaaaabaabbbbabbbbbbbabbbbabb")}
    >>> print(overfitting(CART(min_rows=2), read_table(rows, target="y")))
    leaves  training  validation
    1         0.5000      0.5000
    2         0.8929      0.6667  ← best
    8         1.0000      0.5000
    """
    if design is None:
        design = HoldOut(part, seed) if folds is None else Folds(whole("folds", folds, 2), seed)
    parts = parts_by_design(design, table)
    if not parts:
        raise SettingError("Overfitting shows on rows not learned from. Give a design such as Folds(5).")
    rows = rows_to_learn(design, table)
    curves = over_parts(
        rows,
        parts,
        lambda each: _curve(
            learner, with_noise(each.learn, noise, seed + each.place), rows.take(each.part.judge)
        ),
        threads=threads_that_pay(rows, learner),
    )
    measure = "R²" if table.schema.target is not None and not table.schema.classes else "accuracy"
    sizes = _thinned(np.unique(np.concatenate([each.leaves for each in curves])))
    # Of each fold the largest subtree of at most that size.
    places = [np.searchsorted(each.leaves, sizes, side="right") - 1 for each in curves]
    # [fold, size, (training, validation)]
    scores = np.array([each.scores[at] for each, at in zip(curves, places, strict=True)])
    training, validation = scores.mean(axis=0).T
    error = np.sqrt(1 / len(curves) + judged_to_learned(parts))
    spread = scores[:, :, 1].std(axis=0, ddof=1) * error if len(curves) > 1 else None
    paid = [each.costs[at] for each, at in zip(curves, places, strict=True) if each.costs is not None]
    cost = None
    if paid and (beside := _cost(together([each.apart for each in curves]))) is not None:
        # [size] the means over the folds; the constant answer is that of all rows kept apart.
        own, apart = np.mean(paid, axis=0).T
        cost = CostBySize(own, apart, beside.constant, beside.constant_per_row)
    return Overfitting(measure, sizes, training, validation, spread, cost, noise)


@dataclass(frozen=True, slots=True, eq=False)
class _Curve:
    """The subtrees of a tree from few leaves to many; scores, costs: [size, (training, validation)]."""

    leaves: Longs
    scores: Floats
    costs: Floats | None
    apart: Evaluation  # one of them on the rows kept apart


def _curve(learner: Learner[Tree], learned_from: Table, apart: Table) -> _Curve:
    tree = learner.learn(learned_from)
    check_kind("overfitting", tree, Tree)
    path = cost_complexity_path(tree)
    steps = _thinned(np.arange(len(path.alphas)))[::-1]
    subtrees = [cut_at(tree, path, float(path.alphas[step])) for step in steps]
    if subtrees[-1].leaves < tree.leaves:  # its last splits lower no error, and so are in no best subtree
        subtrees.append(tree)
    judged = [[evaluate(each, rows) for rows in (learned_from, apart)] for each in subtrees]
    scores = [
        [each.accuracy if isinstance(each, ClassEvaluation) else each.r2 for each in both] for both in judged
    ]
    costs = [[cost.per_row for each in both if (cost := _cost(each)) is not None] for both in judged]
    leaves = np.array([each.leaves for each in subtrees])
    paid = np.array(costs) if all(len(each) == 2 for each in costs) else None
    return _Curve(leaves, np.array(scores), paid, judged[0][1])


def _cost(evaluation: Evaluation) -> ExpectedCost | None:
    return evaluation.cost if isinstance(evaluation, ClassEvaluation) else None


def _thinned(ascending: Longs) -> Longs:
    """At most `_MOST` of them, both ends among them."""
    places = np.linspace(0, len(ascending) - 1, min(len(ascending), _MOST))
    return ascending[np.unique(np.rint(places).astype(np.int64))]


# Overfitting with and without noise: the more noise is learned from, the worse is a tree grown in full.


_LEVELS: Final = (0.0, 0.1, 0.2)


@dataclass(frozen=True, slots=True, eq=False)
class OverfittingByNoise(JsonRecord):
    """A curve for each share of noise in the rows learned from, rising; the rows held out have none added."""

    curves: tuple[Overfitting, ...]

    def __str__(self) -> str:
        name = self.curves[0].measure
        rows = [["noise", "best leaves", f"{name} there", "leaves in full", f"{name} in full", "training"]]
        for curve in self.curves:
            best = [f"{curve.leaves[curve.best]:,}", f"{curve.validation[curve.best]:.4f}"]
            full = [f"{curve.leaves[-1]:,}", f"{curve.validation[-1]:.4f}", f"{curve.training[-1]:.4f}"]
            rows.append([percent_to(curve.noise, 0), *best, *full])
        return "\n".join(in_columns(rows, "figures"))

    @property
    def conclusion(self) -> str:
        """What the noise did to the tree grown in full, and to the one of the best size; "" of one curve."""
        least, most = self.curves[0], self.curves[-1]
        if least is most:
            return ""
        full = (least.validation[-1], most.validation[-1])
        best = (least.validation[least.best], most.validation[most.best])
        noise = f"From {percent_to(least.noise, 0)} to {percent_to(most.noise, 0)} noise"
        return (
            f"{noise} the tree grown in full goes "
            f"from {least.leaves[-1]:,} to {many(int(most.leaves[-1]), 'leaf', 'leaves')}, and its "
            f"{least.measure} on held-out rows {_moved(*full)}; that of the best size {_moved(*best)}."
        )


def overfitting_by_noise(
    learner: Learner[Tree],
    table: Table,
    *,
    noise: Sequence[float] = _LEVELS,
    part: float = 0.3,
    folds: int | None = None,
    design: Design | None = None,
    seed: int = 0,
) -> OverfittingByNoise:
    """The overfitting curves of one learner on the same rows, with these shares of noise in what it learns
    from.

    >>> import numpy as np
    >>> import clearwood as cw
    >>> x = np.arange(200) / 7
    >>> steps = cw.read_table({"x": x, "y": np.where(x % 20 < 10, "low", "high")}, target="y")
    >>> print(overfitting_by_noise(cw.CART(min_rows=2), steps))
    noise  best leaves  accuracy there  leaves in full  accuracy in full  training
    0 %              3          1.0000               3            1.0000    1.0000
    10 %             3          1.0000              24            0.9167    1.0000
    20 %             3          1.0000              46            0.7500    1.0000
    """
    levels = sorted(set(noise))
    if not levels:
        raise SettingError("noise needs at least one fraction, such as 0.1; 0 is none.")
    how: dict[str, Any] = {"part": part, "folds": folds, "design": design, "seed": seed}
    return OverfittingByNoise(tuple(overfitting(learner, table, noise=level, **how) for level in levels))


def _moved(before: float, after: float) -> str:
    verb = "stays at" if f"{before:.4f}" == f"{after:.4f}" else "falls to" if after < before else "rises to"
    return f"{verb} {after:.4f}" if verb == "stays at" else f"{verb} {after:.4f} from {before:.4f}"


# Noise on purpose: targets disturbed by seed, to see what a learner makes of it.


_ROWS, _CLASSES, _LENGTH, _ANGLE = range(4)  # what is drawn by a seed
_NOISE: Final = 0x0015E


def with_noise(table: Table, share: float, seed: int = 0) -> Table:
    """The table with noise in its target: this share of the rows gets another class, each other one being as
    likely; numbers are moved by a normal error, whose standard deviation is this share of their own.

    Rows without a target keep none. Give it the rows that are learned from, never those that judge.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> int((with_noise(days, 0.25).target != days.target).sum())  # of 14 rows, rounded
    4
    """
    share = at_least("noise", share, 0.0)
    target = predicted_column(table)
    if not share:
        return table
    if isinstance(target, Numeric):
        changed = table.target.copy()
        order = rows_by_content(table)
        # Standard normal numbers, by Box and Muller (1958).
        length, angle = (parts(chance_key(seed, _NOISE, what), len(table)) for what in (_LENGTH, _ANGLE))
        normal = np.sqrt(-2.0 * np.log1p(-length)) * np.cos(2.0 * np.pi * angle)
        changed[order] += share * _spread(table) * normal
    else:
        changed = _other_classes(table, share, seed)
    return replace(table, columns={**table.columns, target.name: changed}, checked=True)


def _other_classes(table: Table, share: float, seed: int) -> Floats:
    """Exactly the share, rounded to whole rows, of those with a class; only classes that occur are given."""
    if share > 1:
        raise SettingError(f"noise is a share of the rows, from 0 to 1, not {share!r}.")
    codes = table.target.copy()
    met = np.unique(codes[codes >= 0])
    occur = met[np.argsort(places_by_name(table.schema.classes)[met])]
    if len(occur) < 2:
        raise LearningError("Noise gives rows another class, and only one occurs here. Leave noise out.")
    order = shuffled_rows(table, chance_key(seed, _NOISE, _ROWS))
    known = order[codes[order] >= 0]
    rows = known[: round(share * len(known))]
    step = 1 + below_all(chance_key(seed, _NOISE, _CLASSES), len(rows), len(occur) - 1)
    place = (codes[rows, None] == occur).argmax(axis=1)
    codes[rows] = occur[(place + step) % len(occur)]
    return codes


def _spread(table: Table) -> float:
    """The target's standard deviation."""
    known = ~np.isnan(table.target)
    if not known.any():
        return 0.0
    numbers = table.target[known].astype(np.float64)
    weights = None if table.weights is None or not table.weights[known].any() else table.weights[known]
    mean = np.average(numbers, weights=weights)
    return float(np.sqrt(np.average((numbers - mean) ** 2, weights=weights)))
