"""The parts of an error: what comes of bias, of variance and of noise, over models of many samples.

Glossary. A learner learns from several samples of the rows, and each model answers the same other rows. The
*main* answer of a row is the commonest (of numbers the mean), the *optimal* answer the commonest truth.
*Bias* is the main answer's own mistake, *variance* how far the models differ from the main answer, and
*noise* what even the optimal answer gets wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Bools, Floats, Longs


@dataclass(frozen=True, slots=True)
class SquaredParts:
    """Squared bias, variance and noise, which add up to the error.

    >>> SquaredParts(bias=0.1, variance=0.25, noise=0.0).error
    0.35
    """

    bias: float
    variance: float
    noise: float

    @property
    def error(self) -> float:
        return self.bias + self.variance + self.noise


@dataclass(frozen=True, slots=True)
class DomingosParts:
    """The mean 0/1 loss by Domingos (2000): noise + bias + unbiased variance − biased variance.

    `bias` is the part of the rows whose main answer is not the optimal one. `unbiased_variance` is how often
    models differ from the main answer where it is right. `biased_variance` is how often they give the optimal
    answer where the main one is wrong, and is taken off: there it is good to differ. `noise` is what remains
    of the noise after those models that are right by it.
    `variance` is how often models differ from the main answer, on any row.
    """

    bias: float
    unbiased_variance: float
    biased_variance: float
    noise: float
    variance: float

    @property
    def error(self) -> float:
        return self.noise + self.bias + self.unbiased_variance - self.biased_variance


def answer_shares(answers: Longs, classes: int) -> Floats:
    """[row, class] how often each class is the answer, of codes [model, row]; one column more, the last, for
    the code −1: no answer, which is never right.

    >>> answer_shares(np.array([[0, 1], [0, -1]]), 2).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]
    """
    models, rows = answers.shape
    codes = np.where(answers >= 0, answers, classes) + np.arange(rows) * (classes + 1)
    counts = np.bincount(codes.ravel(), minlength=rows * (classes + 1)).reshape(rows, classes + 1)
    shares: Floats = counts / models
    return shares


def domingos_parts(answered: Floats, truth: Floats, weights: Floats) -> DomingosParts:
    """The parts of the 0/1 loss of models that answer so often [row, class + 1], where the truth has the
    shares [row, class].

    The first of equally frequent answers is the main one, unless another of them is the optimal one.

    >>> answered = np.array([[0.8, 0.2, 0.0], [0.6, 0.4, 0.0]])
    >>> parts = domingos_parts(answered, np.array([[1.0, 0.0], [0.0, 1.0]]), np.ones(2))
    >>> four = parts.bias, parts.unbiased_variance, parts.biased_variance, parts.error
    >>> [round(each, 12) for each in four]
    [0.5, 0.1, 0.2, 0.4]
    """
    rows = np.arange(len(answered))
    optimal = np.argmax(truth, axis=1)
    right = answered[rows, optimal]  # how often the optimal answer is given
    most = answered.max(axis=1)
    biased: Bools = right < most
    met = (answered[:, :-1] * truth).sum(axis=1)  # how often the answer is what came true
    effect_of_noise = (1.0 - met) - (1.0 - right)
    return DomingosParts(
        bias=_mean(biased.astype(np.float64), weights),
        unbiased_variance=_mean(np.where(biased, 0.0, 1.0 - most), weights),
        biased_variance=_mean(np.where(biased, right, 0.0), weights),
        noise=_mean(effect_of_noise, weights),
        variance=_mean(1.0 - most, weights),
    )


def kohavi_wolpert_parts(answered: Floats, truth: Floats, weights: Floats) -> SquaredParts:
    """The parts of the 0/1 loss by Kohavi and Wolpert (1996), of the same arrays.

    Bias² = ½ Σ (share of true − share of answers)², variance = ½ (1 − Σ share of answers²), noise = ½ (1 − Σ
    share of true²), over the classes.

    >>> answered = np.array([[0.8, 0.2, 0.0], [0.6, 0.4, 0.0]])
    >>> parts = kohavi_wolpert_parts(answered, np.array([[1.0, 0.0], [0.0, 1.0]]), np.ones(2))
    >>> round(parts.bias, 12), round(parts.variance, 12), round(parts.error, 12)
    (0.2, 0.2, 0.4)
    """
    true = np.column_stack([truth, np.zeros(len(truth))])
    return SquaredParts(
        bias=_mean(0.5 * ((true - answered) ** 2).sum(axis=1), weights),
        variance=_mean(0.5 * (1.0 - (answered**2).sum(axis=1)), weights),
        noise=_mean(0.5 * (1.0 - (true**2).sum(axis=1)), weights),
    )


def squared_parts(answers: Floats, truth: Floats, noise: Floats, weights: Floats) -> SquaredParts:
    """The parts of the squared error of numbers [model, row], where the truth has these means and variances.

    >>> parts = squared_parts(np.array([[1.0], [3.0]]), np.array([5.0]), np.array([0.5]), np.ones(1))
    >>> parts, parts.error
    (SquaredParts(bias=9.0, variance=1.0, noise=0.5), 10.5)
    """
    main = answers.mean(axis=0)
    return SquaredParts(
        bias=_mean((truth - main) ** 2, weights),
        variance=_mean(((answers - main) ** 2).mean(axis=0), weights),
        noise=_mean(noise, weights),
    )


def _mean(values: Floats, weights: Floats) -> float:
    return float(np.average(values, weights=weights))


# Agreement of answers: how often two of many models give a row the same class, or how far their numbers lie
# apart.


def counted_answers(answers: Longs, asked: Bools, classes: int) -> Longs:
    """[row, class] how many of the models `asked` [model, row] give it; last, how many give no answer."""
    rows = answers.shape[1]
    counts = np.zeros(rows * (classes + 1), dtype=np.int64)
    first = np.arange(rows) * (classes + 1)
    for codes, mask in zip(answers, asked, strict=True):
        places = (first + np.where(codes >= 0, codes, classes))[mask]
        counts[places] += 1  # each row once
    return counts.reshape(rows, classes + 1)


def pairs_agreeing(counts: Longs, weights: Floats) -> float:
    """The part of the pairs of models that give a row the same answer, as a mean over the rows that two
    models answer; NaN where there are none.

    >>> pairs_agreeing(np.array([[4, 0, 0], [2, 2, 0]]), np.ones(2))
    0.6666666666666666
    """
    models = counts.sum(axis=1)
    known = (models > 1) & (weights > 0)
    if not known.any():
        return float("nan")
    pairs = (counts[known] * (counts[known] - 1)).sum(axis=1) / (models[known] * (models[known] - 1))
    return float(np.average(pairs, weights=weights[known]))


def root_mean_square_difference(answers: Floats, asked: Bools, weights: Floats) -> float:
    """Of the numbers [model, row] of two models for a row; NaN where no row has two.

    >>> root_mean_square_difference(np.array([[1.0], [4.0]]), np.ones((2, 1), dtype=np.bool_), np.ones(1))
    3.0
    """
    kept = asked & ~np.isnan(answers)
    models = kept.sum(axis=0)
    known = (models > 1) & (weights > 0)
    if not known.any():
        return float("nan")
    numbers, kept, models = np.where(kept, answers, 0.0)[:, known], kept[:, known], models[known]
    mean = numbers.sum(axis=0) / models
    variance = np.where(kept, (numbers - mean) ** 2, 0.0).sum(axis=0) / (models - 1)
    return float(np.sqrt(2.0 * np.average(variance, weights=weights[known])))
