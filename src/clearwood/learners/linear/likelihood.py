"""The log-likelihood that logistic regression maximises, with gradient and curvature, the penalty taken off.

Weights are `theta` [vector, 0 then terms], standardised; flat, a vector's weights stand side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.table.raw import Codes

_STILL: Final = 1e-18  # a curvature by rounding alone: these rows do not move at all


@dataclass(frozen=True, slots=True, eq=False)
class Likelihood:
    """Rows and penalties. The last class has no vector, and score 0, where there is one vector fewer.

    `ridge` and `lasso` [0, then terms] are the factors on ½ w² and |w|. With more than two classes the ridge
    is on each class's own weights, which is the same as on differences less their mean's part (`_shared`).
    `robust`: are errors those of the sandwich, since the weights are sampling weights?
    """

    columns: list[tuple[Any, ...]]
    target: Codes  # [row]
    weights: Floats | None  # [row]
    by_class: Floats  # [class] the rows' weight
    vectors: int
    width: int
    ridge: Floats
    lasso: Floats
    robust: bool = False
    held: Floats = field(init=False)  # [vector · term] the lasso, flat

    def __post_init__(self) -> None:
        object.__setattr__(self, "held", np.tile(self.lasso, self.vectors))

    @property
    def classes(self) -> int:
        return len(self.by_class)

    @property
    def size(self) -> int:
        return self.vectors * self.width

    def null(self) -> Floats:
        """The weights without terms: the classes as often as they come."""
        theta = np.zeros((self.vectors, self.width))
        logs = np.log(self.by_class)
        theta[:, 0] = logs[: self.vectors] - (logs[-1] if self.vectors < self.classes else logs.mean())
        return theta

    def null_log_likelihood(self) -> float:
        """The log-likelihood without terms."""
        return float((self.by_class * np.log(self.by_class / self.by_class.sum())).sum())

    def curved(self, theta: Floats) -> tuple[float, Floats, Floats]:
        """Log-likelihood, gradient [·] and curvature [·, ·] at theta, with ridge; the first with lasso."""
        log_likelihood, gradient, blocks = _native.logistic_sums(*self._at(theta), True)
        matrix = np.empty((self.size, self.size))
        places = [slice(c * self.width, (c + 1) * self.width) for c in range(self.vectors)]
        pairs = [(c, d) for c in range(self.vectors) for d in range(c + 1)]
        for (c, d), block in zip(pairs, blocks, strict=True):
            matrix[places[c], places[d]] = block
            matrix[places[d], places[c]] = block
        matrix += np.kron(self._shared(), np.diag(self.ridge))
        return self._charged(log_likelihood, theta), self._pulled(gradient, theta), matrix

    def alone(self, theta: Floats) -> float:
        """The log-likelihood itself, no penalty taken off."""
        return _native.logistic_sums(*self._at(theta), False)[0]

    def sloped(self, theta: Floats) -> tuple[float, Floats]:
        """The log-likelihood and the gradient alone."""
        log_likelihood, gradient, _ = _native.logistic_sums(*self._at(theta), False)
        return self._charged(log_likelihood, theta), self._pulled(gradient, theta)

    def spreads(self, theta: Floats) -> Floats | None:
        """[row] what the curvature at theta weighs the rows of two classes with; None for more classes."""
        if self.vectors != 1 or self.classes != 2:
            return None
        return _native.logistic_spreads(*self._at(theta))

    def curve(self, theta: Floats, direction: Floats, spreads: Floats | None = None) -> Floats:
        """The curvature at theta times a direction [·], without the matrix; `spreads` are those at theta."""
        shaped = np.ascontiguousarray(direction.reshape(theta.shape))
        moved = _native.logistic_curve(*self._at(theta), shaped, spreads)
        return (moved + self._shared() @ (shaped * self.ridge)).ravel()

    def typical_curve(self, squares: Floats) -> Floats:
        """[·] about the curvature's diagonal: the null model's; `squares` [0, then terms] of values."""
        share = (self.by_class / self.by_class.sum())[: self.vectors]
        return (np.outer(share * (1 - share), squares) + self.ridge).ravel()

    def leads(self, theta: Floats, direction: Floats, still: float) -> tuple[float, float, float]:
        """The least and the largest lead that a row's own class gains in a direction [·], and what the rows
        that gain or lose no more than `still` could gain in likelihood by moving along it."""
        shaped = np.ascontiguousarray(direction.reshape(theta.shape))
        least, largest, gradient, curvature = _native.logistic_leads(*self._at(theta), shaped, still)
        return least, largest, gradient * gradient / curvature if curvature > _STILL else 0.0

    def covariance(self, theta: Floats, inverse: Floats) -> Floats:
        """[·, ·] that of the weights, from the inverse of the curvature at theta.

        Of rows that are each one, or counted, it is the inverse. With sampling weights, which say how much a
        row stands for, it is the sandwich: between the inverses, Σ of the squares of each row's own gradient,
        times n ÷ (n − 1) of n rows (Huber 1967; Binder 1983). The unit of the weights does not change it.
        """
        if not self.robust:
            return inverse
        rows = len(self.target)
        return inverse @ self._squared_slopes(theta) @ inverse * (rows / max(rows - 1, 1))

    def every(self, step: int) -> Likelihood:
        """The likelihood of every `step`-th row, with a ridge of 1: a quick place to start from."""
        columns = [(np.ascontiguousarray(column[0][::step]), *column[1:]) for column in self.columns]
        target = np.ascontiguousarray(self.target[::step])
        weights = None if self.weights is None else np.ascontiguousarray(self.weights[::step])
        by_class = np.bincount(target, weights, minlength=self.classes)
        ridge = np.where(np.arange(self.width) > 0, 1.0, 1e-3)
        return replace(
            self,
            columns=columns,
            target=target,
            weights=weights,
            by_class=by_class.astype(np.float64) + 1.0,  # none may be absent
            ridge=ridge,
            lasso=np.zeros(self.width),
        )

    def _squared_slopes(self, theta: Floats) -> Floats:
        """[·, ·] Σ over the rows of the gradient of each one's own log-likelihood, times itself."""
        rows = len(self.target)
        scores = _native.linear_scores(self.columns, rows, np.ascontiguousarray(theta))
        scores = np.column_stack([scores, np.zeros((rows, self.classes - self.vectors))])
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        residuals = (self.target[:, None] == np.arange(self.vectors)) - shares[:, : self.vectors]
        if self.weights is not None:
            residuals *= self.weights[:, None]
        # At weights of 0 a row of two classes has a curvature of ¼: so the sums of products come from there.
        sums = replace(
            self, target=np.zeros(rows, dtype=np.int32), by_class=np.ones(2), vectors=1, robust=False
        )
        matrix = np.empty((self.vectors, self.width, self.vectors, self.width))
        for c in range(self.vectors):
            for d in range(c + 1):
                products = np.ascontiguousarray(4 * residuals[:, c] * residuals[:, d])
                block = replace(sums, weights=products).curved(np.zeros((1, self.width)))[2]
                matrix[c, :, d] = matrix[d, :, c] = block
        return matrix.reshape(self.size, self.size)

    def _at(self, theta: Floats) -> tuple[list[tuple[Any, ...]], Codes, Floats | None, int, Floats]:
        """The rows and the weights, as native code takes them."""
        return self.columns, self.target, self.weights, self.classes, np.ascontiguousarray(theta)

    def _charged(self, log_likelihood: float, theta: Floats) -> float:
        ridge = 0.5 * float((theta * (self._shared() @ (theta * self.ridge))).sum())
        return log_likelihood - ridge - float((np.abs(theta) * self.lasso).sum())

    def _pulled(self, gradient: Floats, theta: Floats) -> Floats:
        return (gradient - self._shared() @ (theta * self.ridge)).ravel()

    def _shared(self) -> Floats:
        """[vector, vector] how a penalty on each class's own weights weighs differences to the last class."""
        if self.classes == 2 or self.vectors == self.classes:
            return np.eye(self.vectors)
        return np.eye(self.vectors) - 1.0 / self.classes
