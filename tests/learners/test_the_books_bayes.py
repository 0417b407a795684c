"""The hand-worked examples of Naive Bayes, as corrected."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clearwood import datasets
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.predicting import shares as bayes_shares
from clearwood.predicting.bayes import log_joint
from clearwood.table import read_table
from tests.typed import mistyped

BUYS = {"age": "<=30", "income": "medium", "student": "yes", "credit_rating": "fair"}
HIRE = {
    "Highest Degree": "Masters",
    "Work Experience": "UX Design",
    "Favorite Language": "Java",
    "Needs Work Visa": "TRUE",
}


@pytest.mark.parametrize(
    ("data", "target", "smoothing", "row", "products", "posterior"),
    [
        (
            "buys_computer",
            "buys_computer",
            "laplace",
            BUYS,
            {
                "yes": 9 / 14 * 3 / 12 * 5 / 12 * 7 / 11 * 7 / 11,
                "no": 5 / 14 * 4 / 8 * 3 / 8 * 2 / 7 * 3 / 7,
            },
            0.7678285897025905,
        ),
        (
            "hire",
            "Hire",
            "none",
            HIRE,
            {"yes": 8 / 14 * 4 / 8 * 2 / 8 * 6 / 8 * 4 / 8, "no": 6 / 14 * 1 / 6 * 2 / 6 * 1 / 6 * 3 / 6},
            0.9310344827586207,
        ),
    ],
)
def test_products_and_posteriors(
    data: str, target: str, smoothing: str, row: dict[str, str], products: dict[str, float], posterior: float
) -> None:
    model = NaiveBayes(smoothing=mistyped(smoothing)).learn(read_table(datasets.path(data), target=target))
    joint = dict(zip(model.schema.classes, log_joint(model, [row])[0].tolist(), strict=True))
    for name, product in products.items():
        assert math.exp(joint[name]) == pytest.approx(product, rel=1e-12)
    yes = model.schema.classes.index("yes")
    assert bayes_shares(model, [row])[0, yes] == pytest.approx(posterior, abs=1e-12)


def test_buys_computer_prints_the_right_fractions_and_not_the_misprints() -> None:
    model = NaiveBayes().learn(read_table(datasets.path("buys_computer"), target="buys_computer"))
    printed = str(model)
    assert "high                        (2+1)/(5+3) = 0.375   (2+1)/(9+3) = 0.25" in printed
    assert "(6+1)/(9+2) = 0.6364" in printed
    joint = np.exp(log_joint(model, [BUYS])[0])
    assert sorted(round(each, 4) for each in joint.tolist()) == [0.0082, 0.0271]


def test_an_unsmoothed_zero_is_shown_as_the_zero_it_is() -> None:
    model = NaiveBayes(smoothing="none").learn(read_table(datasets.path("tennis"), target="PlayTennis"))
    assert "0/5 = 0" in str(model)
