"""ROC: how well do a class's shares rank its own rows above the others, whatever the threshold?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.errors import SchemaError
from clearwood.models.model import Model, check_kind
from clearwood.scoring.positive import check_positive
from clearwood.scoring.predictions import Judged, check_judged, judged
from clearwood.words.columns import in_columns
from clearwood.words.numbers import many


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve:
    """One class against the others: the rows predicted as it as the threshold on its share falls.

    Rows of equal share come in at one step. `hits` is the weight of the class's own rows so far, `alarms`
    that of the others; the first step, at a threshold of ∞, has none of either.
    """

    name: str
    thresholds: Floats  # [step], falling
    hits: Floats  # [step]
    alarms: Floats  # [step]

    @property
    def recall(self) -> Floats:
        """[step] The part of the class's rows that are predicted as it: the true positive rate."""
        return np.asarray(self.hits / self.hits[-1])

    @property
    def false_positive_rate(self) -> Floats:
        """[step] The part of the other rows that are predicted as it."""
        return np.asarray(self.alarms / self.alarms[-1])

    @property
    def precision(self) -> Floats:
        """[step] The part of the rows predicted as the class that are of it; 1 where there are none yet."""
        called = self.hits + self.alarms
        return np.where(called > 0, self.hits / np.where(called > 0, called, 1.0), 1.0)

    @property
    def auc(self) -> float:
        """How often a row of the class has a larger share than another row, equal shares counting half."""
        pairs = np.diff(self.alarms) @ (self.hits[1:] + self.hits[:-1]) / 2
        return float(pairs / (self.hits[-1] * self.alarms[-1]))

    @property
    def average_precision(self) -> float:
        """The precision at each step, weighed by the recall that the step adds."""
        return float(np.diff(self.recall) @ self.precision[1:])


@dataclass(frozen=True, slots=True, eq=False)
class Roc:
    """A curve for each class that has rows and is not alone; with two classes only for the second.

    `absent` names the classes without rows; `left_out` counts the rows that cannot be judged.
    """

    classes: tuple[str, ...]
    curves: tuple[RocCurve, ...]
    weight: float
    absent: tuple[str, ...] = ()
    left_out: int = 0

    def __str__(self) -> str:
        rows = [["class", "rows", "AUC", "average precision"]]
        for each in self.curves:
            figures = [f"{each.hits[-1]:g}", f"{each.auc:.4f}", f"{each.average_precision:.4f}"]
            rows.append([each.name, *figures])
        lines = in_columns(rows, "figures")
        if self.absent:
            lines.append(f"without rows: {', '.join(self.absent)}")
        if self.left_out:
            lines.append(f"{many(self.left_out, 'row')} left out")
        return "\n".join(lines)


def roc(model: Model, table: Any, *, positive: str = "") -> Roc:
    """Rank the rows by a model's probabilities; `table` is a Table, or anything a table can be made of.

    `positive` names the one class whose curve is wanted.

    Of three pairs of an a and a b, the b has the larger probability in two and an equal one in the third.

    >>> from clearwood.learners.trees.c45 import C45
    >>> from clearwood.table import read_table
    >>> table = read_table({"x": [1, 1, 1, 2], "y": list("aabb")}, target="y")
    >>> curves = roc(C45(min_rows=1, prune=False).learn(table), table)
    >>> print(curves)
    class  rows     AUC  average precision
    b         2  0.7500             0.7500
    >>> curves.curves[0].recall.tolist(), curves.curves[0].false_positive_rate.tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.0, 1.0])
    """
    check_kind("roc", model)
    return roc_of(model.schema.classes, judged(model, table), positive)


def roc_of(classes: tuple[str, ...], rows: Judged, positive: str = "") -> Roc:
    """Shares as a ranking, whichever models gave them."""
    check_judged(rows)
    shown = range(1, 2) if len(classes) == 2 else range(len(classes))
    if positive:
        check_positive(positive, classes)
        shown = range(classes.index(positive), classes.index(positive) + 1)
    own = [float(rows.weights[rows.truth == code].sum()) for code in range(len(classes))]
    total = float(rows.weights.sum())
    curves = [code for code in shown if own[code] > 0 and total - own[code] > 0]
    if positive and not own[classes.index(positive)]:
        raise SchemaError(f"A ranking needs rows of two classes, but none of these is {positive}.")
    if not curves:
        (only,) = (name for name, weight in zip(classes, own, strict=True) if weight > 0)
        raise SchemaError(
            f"A ranking needs rows of two classes, but all of these are {only}. "
            "Take other rows, or hold out more."
        )
    return Roc(
        classes,
        tuple(_curve(classes[c], rows.shares[:, c], rows.truth == c, rows.weights) for c in curves),
        total,
        tuple(name for name, weight in zip(classes, own, strict=True) if weight == 0),
        rows.left_out,
    )


def _curve(name: str, share: Floats, own: Bools, weights: Floats) -> RocCurve:
    order = np.argsort(-share, kind="stable")
    share, own, weights = share[order], own[order], weights[order]
    last = np.append(np.diff(share) != 0, True)  # of each run of equal shares
    hits, alarms = np.cumsum(weights * own)[last], np.cumsum(weights * ~own)[last]
    return RocCurve(
        name,
        np.concatenate([[np.inf], share[last]]),
        np.concatenate([[0.0], hits]),
        np.concatenate([[0.0], alarms]),
    )
