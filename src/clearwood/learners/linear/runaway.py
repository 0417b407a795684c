"""Far out along a separation: which weights run away, and which the rows that stay behind still settle.

Rows that run away have, in the end, shares of 0 and 1, and no curvature. So the curvature far out is that of
the rows that stay; what it leaves flat is settled by no row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.learners.linear.likelihood import Likelihood
from clearwood.learners.linear.newton import Climb
from clearwood.learners.linear.terms import DesignMatrix

_FAR: Final = 100.0  # steps of about 1 in the log-odds: what is left of a share is e⁻¹⁰⁰ at the most
_FLAT: Final = 1e-11  # a curvature, by size of the column: below is rounding, or rows that run away
_STILL: Final = 1e-4  # of the largest move: below, a weight stays
_SETTLED: Final = 1e-6  # of a weight that flat directions may move, as rounding


@dataclass(frozen=True, slots=True, eq=False)
class Runaway:
    """`signs` [vector, 0 then terms], in the user's units, of what runs away; `settled` of what is known.

    `covariance` [·, ·] is that of the standardised weights; without a matrix there is none.
    """

    signs: npt.NDArray[np.int64]
    settled: npt.NDArray[np.bool_]
    covariance: Floats | None


def runaway_of(design: DesignMatrix, likelihood: Likelihood, top: Climb) -> Runaway:
    """What becomes of the weights where the climb ended on a separation."""
    assert top.apart is not None
    if top.complete:
        # Every row runs away: no weight is settled, and nothing is left that has a curvature.
        signs = _signs(design, top.apart)
        return Runaway(signs, np.zeros(signs.shape, dtype=bool), np.zeros((signs.size, signs.size)))
    if top.curvature is None:
        signs = _signs(design, top.apart)
        return Runaway(signs, signs == 0, None)
    # By size: a rare value's curvature is small, but not flat.
    units = np.tile(1 / np.sqrt(np.maximum(design.squares(), 1e-300)), likelihood.vectors)
    sizes = np.outer(units, units)
    curves, axes = np.linalg.eigh(likelihood.curved(top.theta + _FAR * top.apart)[2] * sizes)
    level = axes[:, curves <= _FLAT]
    # The last step also moved the rows that stay, a little: this way leaves them where they are.
    way = (units * (level @ (level.T @ (top.apart.ravel() / units)))).reshape(top.apart.shape)
    end = top.theta + _FAR * way
    matrix = likelihood.curved(end)[2] * sizes
    # Some curvature where there is none, so that it has an inverse; no weight that is settled feels it.
    inverse = _native.invert_symmetric(matrix + level @ level.T, 0.0)
    covariance = None if inverse is None else likelihood.covariance(end, inverse * sizes)
    turned = _in_user_units(design, likelihood.vectors) * units
    moved = np.linalg.norm(turned @ level, axis=1)
    settled = moved <= _SETTLED * np.linalg.norm(turned, axis=1)
    signs = np.where(settled.reshape(way.shape), 0, _signs(design, way))
    return Runaway(signs, settled.reshape(way.shape), covariance)


def _in_user_units(design: DesignMatrix, vectors: int) -> Floats:
    """[·, ·] what makes standardised weights the user's: the intercept is that of a row of zeros."""
    centres, scales = design.units()
    one = np.diag(1 / scales)
    one[0, 1:] = -centres[1:] / scales[1:]
    return np.asarray(np.kron(np.eye(vectors), one), dtype=np.float64)


def _signs(design: DesignMatrix, way: Floats) -> npt.NDArray[np.int64]:
    centres, scales = design.units()
    parts = way[:, 1:] / scales[1:] * centres[1:]
    moves = way.copy()
    moves[:, 0] -= parts.sum(axis=1)
    sizes = np.full(way.shape, np.abs(way).max())
    # An intercept that all but cancels out stays: its parts are those of a row at the means.
    sizes[:, 0] = np.maximum(sizes[:, 0], np.abs(parts).max(axis=1, initial=0.0))
    return np.where(np.abs(moves) > _STILL * sizes, np.sign(moves), 0).astype(np.int64)
