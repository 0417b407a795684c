"""The parts of an error add up to it, by each author's own rule, as a naive count of answers says."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.arrays import Floats, Longs
from clearwood.scoring.error_parts import (
    answer_shares,
    counted_answers,
    domingos_parts,
    kohavi_wolpert_parts,
    pairs_agreeing,
    root_mean_square_difference,
    squared_parts,
)


def drawn(classes: int, seed: int) -> tuple[Longs, Floats, Floats]:
    """Answers [model, row], some of them none; the truth's shares [row, class]; weights."""
    dice = np.random.default_rng(seed)
    answers = dice.integers(-1 if seed % 2 else 0, classes, (7, 40))
    truth = dice.dirichlet(np.full(classes, 0.4), 40)
    return answers, truth, dice.integers(1, 4, 40).astype(np.float64)


def naive_error(answers: Longs, truth: Floats, weights: Floats) -> float:
    """How often an answer of a model drawn at random is not what comes true, row by row."""
    total = 0.0
    for row in range(answers.shape[1]):
        for model in range(len(answers)):
            answer = answers[model, row]
            right = truth[row, answer] if answer >= 0 else 0.0
            total += weights[row] * (1 - right)
    return total / len(answers) / float(weights.sum())


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(6))
def test_both_ways_to_divide_the_error_of_classes_add_up_to_it(classes: int, seed: int) -> None:
    answers, truth, weights = drawn(classes, seed)
    error = naive_error(answers, truth, weights)
    shares = answer_shares(answers, classes)
    assert kohavi_wolpert_parts(shares, truth, weights).error == pytest.approx(error, abs=1e-12)
    assert domingos_parts(shares, truth, weights).error == pytest.approx(error, abs=1e-12)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("seed", range(4))
def test_domingos_parts_are_those_of_his_definitions(classes: int, seed: int) -> None:
    answers, truth, weights = drawn(classes, seed)
    bias, unbiased, biased, variance = 0.0, 0.0, 0.0, 0.0
    for row, (votes, of_truth, weight) in enumerate(zip(answers.T, truth, weights, strict=True)):
        optimal = int(of_truth.argmax())
        counts = {answer: int((votes == answer).sum()) for answer in set(votes.tolist())}
        most = max(counts.values())
        main = optimal if counts.get(optimal) == most else next(a for a, n in counts.items() if n == most)
        differ = sum(vote != main for vote in votes.tolist()) / len(votes)
        variance += weight * differ
        if main == optimal:
            unbiased += weight * differ
        else:
            bias += weight
            optimal_among_others = sum(vote == optimal for vote in votes.tolist()) / max(
                sum(vote != main for vote in votes.tolist()), 1
            )
            biased += weight * differ * optimal_among_others  # P(optimal | not main) × variance
        assert row < answers.shape[1]
    parts = domingos_parts(answer_shares(answers, classes), truth, weights)
    expected = np.array([bias, unbiased, biased, variance]) / weights.sum()
    actual = [parts.bias, parts.unbiased_variance, parts.biased_variance, parts.variance]
    assert actual == pytest.approx(expected.tolist(), abs=1e-12)


def test_with_two_classes_and_no_noise_biased_variance_is_all_variance_on_biased_rows() -> None:
    answers = np.random.default_rng(3).integers(0, 2, (9, 30))
    truth = np.eye(2)[np.random.default_rng(4).integers(0, 2, 30)]
    parts = domingos_parts(answer_shares(answers, 2), truth, np.ones(30))
    assert parts.noise == 0
    assert parts.variance == pytest.approx(parts.unbiased_variance + parts.biased_variance, abs=1e-12)


def test_kohavi_and_wolperts_noise_is_that_of_the_truth_alone() -> None:
    truth = np.array([[0.7, 0.3], [1.0, 0.0]])
    parts = kohavi_wolpert_parts(answer_shares(np.zeros((4, 2), dtype=np.int64), 2), truth, np.ones(2))
    assert parts.noise == pytest.approx((0.5 * (1 - 0.49 - 0.09) + 0) / 2)
    assert parts.variance == 0


@pytest.mark.parametrize("seed", range(3))
def test_squared_bias_variance_and_noise_add_up_to_the_squared_error(seed: int) -> None:
    dice = np.random.default_rng(seed)
    answers, truth = dice.normal(size=(6, 25)), dice.normal(size=25)
    noise, weights = dice.random(25), dice.random(25) + 0.1
    expected = 0.0
    for row in range(25):
        # E (y − f)² where y has this mean and variance, over the models.
        squares = [(truth[row] - answer) ** 2 + noise[row] for answer in answers[:, row]]
        expected += weights[row] * float(np.mean(squares))
    parts = squared_parts(answers, truth, noise, weights)
    assert parts.error == pytest.approx(expected / weights.sum(), rel=1e-12)
    assert parts.noise == pytest.approx(np.average(noise, weights=weights))


@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_models_agree_as_often_as_counting_each_pair_says(seed: int) -> None:
    dice = np.random.default_rng(seed)
    answers, asked = dice.integers(-1, 3, (5, 20)), dice.random((5, 20)) < 0.6
    weights = dice.integers(1, 4, 20).astype(np.float64)
    by_row = []
    for row in range(20):
        pairs = [
            answers[one, row] == answers[other, row]
            for one in range(5)
            for other in range(one)
            if asked[one, row] and asked[other, row]
        ]
        by_row.append(np.mean(pairs) if pairs else np.nan)
    known = ~np.isnan(by_row)
    expected = np.average(np.array(by_row)[known], weights=weights[known])
    assert pairs_agreeing(counted_answers(answers, asked, 3), weights) == pytest.approx(expected)


def test_numbers_differ_by_the_root_mean_square_over_all_pairs() -> None:
    numbers = np.random.default_rng(0).normal(size=(6, 15))
    pairs = [(numbers[i] - numbers[j]) ** 2 for i in range(6) for j in range(i)]
    asked = np.ones((6, 15), dtype=np.bool_)
    assert root_mean_square_difference(numbers, asked, np.ones(15)) == pytest.approx(np.sqrt(np.mean(pairs)))


def test_no_row_that_two_models_answer_has_no_agreement() -> None:
    nobody = np.zeros((3, 4), dtype=np.bool_)
    counts = counted_answers(np.zeros((3, 4), dtype=np.int64), nobody, 2)
    assert np.isnan(pairs_agreeing(counts, np.ones(4)))
    assert np.isnan(root_mean_square_difference(np.zeros((3, 4)), nobody, np.ones(4)))
