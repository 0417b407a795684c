"""The population stability index: how far do two sets of counts differ in their shares?"""

from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood.measures.inference import chi2_sf

_LEAST: Final = 0.0001  # the share of a cell that is empty


def stability_index(before: npt.ArrayLike, after: npt.ArrayLike) -> float:
    """PSI = Σ (p − q) · ln(p ÷ q) over the cells of two counts; a share below 0.0001 counts as that.

    >>> round(stability_index([50, 50], [60, 40]), 4), stability_index([1, 2], [10, 20])
    (0.0405, 0.0)
    """
    p, q = (_shares(np.asarray(each, dtype=np.float64)) for each in (before, after))
    return float(((p - q) * np.log(p / q)).sum())


def stability_index_p(index: float, before: float, after: float, cells: int) -> float:
    """How often chance alone gives so large an index, with so many rows before and after and so many cells
    that are not empty in both: PSI ÷ (1/n + 1/m) is about chi-square with cells − 1 degrees (Yurdakul 2018).

    >>> round(stability_index_p(0.0405, 100, 100, 2), 3)
    0.155
    """
    return float(chi2_sf(index / (1 / before + 1 / after), max(cells - 1, 0)))


def _shares(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    total = counts.sum()
    return np.maximum(counts / total if total > 0 else counts, _LEAST)
