"""The corrected resampled t-test: parts of one table share training rows, and are not independent."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood.scoring.differences.mean_difference import MeanDifference


def corrected_resampled_t(differences: npt.ArrayLike, test_to_train: float) -> MeanDifference:
    """The mean of the differences, one for each part, with the standard error √((1/J + test/train) · s²) and
    J − 1 degrees of freedom (Nadeau and Bengio 2003).

    `test_to_train` is the number of rows judged by over that learned from: 1 ÷ (k − 1) for k folds. The plain
    t-test takes it as 0, which promises too much: the parts' training rows overlap.

    >>> tested = corrected_resampled_t([0.02, 0.01, 0.03, 0.0, 0.04], 1 / 4)
    >>> round(tested.mean, 3), round(tested.standard_error, 5), round(tested.p, 4)
    (0.02, 0.01061, 0.1324)
    """
    values = np.asarray(differences, dtype=np.float64)
    parts = len(values)
    mean = float(values.mean()) if parts else math.nan
    if parts < 2:
        return MeanDifference(mean, math.nan, 1, _NAME)
    spread = float(values.var(ddof=1))
    # Equal differences that only rounding tells apart have no spread.
    spread = 0.0 if spread <= (1e-14 * float(np.abs(values).max())) ** 2 else spread
    return MeanDifference(mean, math.sqrt((1 / parts + test_to_train) * spread), parts - 1, _NAME)


_NAME: Final = "corrected resampled t-test"
