"""Five times two folds: ten differences whose training rows overlap little, as Dietterich tests them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.errors import SettingError
from clearwood.measures.p_values import f_sf
from clearwood.measures.student import t_outside


@dataclass(frozen=True, slots=True)
class FiveByTwo:
    """Dietterich's t (5 degrees of freedom) and Alpaydın's F (10 and 5), with their p."""

    t: float
    t_p: float
    f: float
    f_p: float

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {"t": self.t, "t_p": self.t_p, "f": self.f, "f_p": self.f_p}


def five_by_two(differences: npt.ArrayLike) -> FiveByTwo:
    """Differences [repeat, fold] of five repeats of two folds.

    t = d₁₁ ÷ √(Σ s² ÷ 5) depends on which difference comes first (Dietterich 1998); F = ΣΣ d² ÷ (2 Σ s²) does
    not, and finds more (Alpaydın 1999). s² is the variance of a repeat's two differences, with divisor 1.

    >>> tested = five_by_two([[0.02, 0.01], [0.03, 0.02], [0.01, 0.03], [0.02, 0.02], [0.04, 0.01]])
    >>> round(tested.t, 3), round(tested.t_p, 3), round(tested.f, 2), round(tested.f_p, 3)
    (1.633, 0.163, 3.53, 0.088)
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.shape != (5, 2):
        raise SettingError(f"Five times two folds have 5 × 2 differences, not {values.shape}.")
    variance = float(((values - values.mean(axis=1, keepdims=True)) ** 2).sum())
    squares = float((values**2).sum())
    if variance <= 1e-28 * squares or not variance:
        # Folds that agree to the last digit: no difference at all, or one without any spread.
        extreme = math.inf if squares else 0.0
        p = 0.0 if squares else 1.0
        first = math.copysign(extreme, float(values[0, 0])) if values[0, 0] else 0.0
        return FiveByTwo(first, p if values[0, 0] else 1.0, extreme, p)
    t = float(values[0, 0]) / math.sqrt(variance / 5)
    f = squares / (2 * variance)
    return FiveByTwo(t, t_outside(t, 5), f, float(f_sf(f, 10, 5)))
