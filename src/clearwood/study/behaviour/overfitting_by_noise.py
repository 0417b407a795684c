"""Overfitting with and without noise: the more noise is learned from, the worse is a tree grown in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clearwood.errors import SettingError
from clearwood.learners.learner import Learner
from clearwood.models.tree import Tree
from clearwood.study.behaviour.overfitting import Overfitting, overfitting
from clearwood.study.designs import Design
from clearwood.table.table import Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import many, percent_to

_LEVELS: Final = (0.0, 0.1, 0.2)


@dataclass(frozen=True, slots=True, eq=False)
class OverfittingByNoise:
    """A curve for each share of noise in the rows learned from, rising; the rows held out have none added."""

    curves: tuple[Overfitting, ...]

    def __str__(self) -> str:
        name = self.curves[0].measure
        rows = [["noise", "best leaves", f"{name} there", "leaves in full", f"{name} in full", "training"]]
        for curve in self.curves:
            best = curve.best
            rows.append(
                [
                    percent_to(curve.noise, 0),
                    f"{curve.leaves[best]:,}",
                    f"{curve.validation[best]:.4f}",
                    f"{curve.leaves[-1]:,}",
                    f"{curve.validation[-1]:.4f}",
                    f"{curve.training[-1]:.4f}",
                ]
            )
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

    def to_json(self) -> dict[str, Any]:
        return {"curves": [curve.to_json() for curve in self.curves]}


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
    10 %             3          0.9500              27            0.9000    1.0000
    20 %             3          0.9500              46            0.8167    1.0000
    """
    levels = sorted(set(noise))
    if not levels:
        raise SettingError("noise needs at least one fraction, such as 0.1; 0 is none.")
    how: dict[str, Any] = {"part": part, "folds": folds, "design": design, "seed": seed}
    return OverfittingByNoise(tuple(overfitting(learner, table, noise=level, **how) for level in levels))


def _moved(before: float, after: float) -> str:
    verb = "stays at" if f"{before:.4f}" == f"{after:.4f}" else "falls to" if after < before else "rises to"
    return f"{verb} {after:.4f}" if verb == "stays at" else f"{verb} {after:.4f} from {before:.4f}"
