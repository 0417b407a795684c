"""Friedman: over many tables, do the learners' mean ranks differ by more than chance explains?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.measures.p_values import chi2_sf, f_sf
from clearwood.scoring.differences.wilcoxon import midranks


@dataclass(frozen=True, slots=True)
class Friedman:
    """The mean rank of each learner (1 is best), Friedman's χ² and Iman and Davenport's F, each with its p.

    The `ties_` figures are corrected for equal ranks, without which both are cautious.
    """

    mean_ranks: tuple[float, ...]
    tables: int
    chi_square: float
    chi_square_p: float
    f: float
    f_p: float
    ties_chi_square: float
    ties_f: float
    ties_p: float

    @property
    def df(self) -> tuple[int, int]:
        """Of F: learners − 1, and that times tables − 1."""
        learners = len(self.mean_ranks)
        return learners - 1, (learners - 1) * (self.tables - 1)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "mean_ranks": list(self.mean_ranks),
            "tables": self.tables,
            "chi_square": self.chi_square,
            "chi_square_p": self.chi_square_p,
            "f": self.f,
            "f_p": self.f_p,
            "f_df": list(self.df),
            "corrected_for_ties": {"chi_square": self.ties_chi_square, "f": self.ties_f, "p": self.ties_p},
        }


def friedman(scores: Floats, *, more_is_better: bool = True) -> Friedman:
    """Scores [table, learner], ranked table by table; χ² = 12N ÷ (k(k + 1)) · (Σ R² − k(k + 1)² ÷ 4) of the
    mean ranks R (Friedman 1937) and F = (N − 1)χ² ÷ (N(k − 1) − χ²) (Iman and Davenport 1980), as Demšar
    (2006) has them.

    >>> tested = friedman(np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.8, 0.6], [0.9, 0.8, 0.7]]))
    >>> tested.mean_ranks, tested.chi_square, round(tested.f, 3), round(tested.f_p, 4)
    ((1.25, 1.75, 3.0), 6.5, 13.0, 0.0066)
    """
    tables, learners = scores.shape
    ranks = np.array([midranks(-row if more_is_better else row) for row in scores])
    mean = ranks.mean(axis=0)
    chi_square = 12 * tables / (learners * (learners + 1)) * float(((mean - (learners + 1) / 2) ** 2).sum())
    # The ranks' own spread is less where some are equal; where all are, nothing differs.
    spread = float(((ranks - (learners + 1) / 2) ** 2).sum())
    corrected = chi_square * tables * learners * (learners**2 - 1) / 12 / spread if spread else 0.0
    f, ties_f = _f(chi_square, tables, learners), _f(corrected, tables, learners)
    df, rest = learners - 1, (learners - 1) * (tables - 1)
    return Friedman(
        tuple(mean.tolist()),
        tables,
        chi_square,
        float(chi2_sf(chi_square, df)),
        f,
        _p(f, df, rest),
        corrected,
        ties_f,
        _p(ties_f, df, rest),
    )


def _f(chi_square: float, tables: int, learners: int) -> float:
    most = tables * (learners - 1)
    return math.inf if chi_square >= most * (1 - 1e-12) else (tables - 1) * chi_square / (most - chi_square)


def _p(f: float, df: int, rest: int) -> float:
    if rest == 0:
        return 1.0  # one table shows nothing
    return 0.0 if math.isinf(f) else float(f_sf(f, df, rest))
