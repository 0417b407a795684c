"""Agreement of answers: how often two of many models give a row the same class, or how far their numbers lie
apart."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Bools, Floats, Longs


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
