"""What estimators of many members say beside their answers: round by round, and of rows left out."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.estimators import (
    BaggingClassifier,
    BoostingClassifier,
    BoostingRegressor,
    ForestClassifier,
    ForestRegressor,
)
from tests.estimators.tables import fruit, ripe

FRAME = fruit(120)
LABELS = ripe(FRAME)
NUMBERS = (LABELS == "yes") * 2.0


def test_after_the_last_round_boosting_gives_its_shares() -> None:
    boosted = BoostingClassifier(trees=4).fit(FRAME, LABELS)
    rounds = list(boosted.staged_predict_proba(FRAME))
    assert len(rounds) == 4
    assert not np.array_equal(rounds[0], rounds[-1])
    np.testing.assert_allclose(rounds[-1], boosted.predict_proba(FRAME), atol=1e-12)


def test_after_the_last_round_boosting_gives_its_numbers() -> None:
    boosted = BoostingRegressor(trees=4).fit(FRAME, NUMBERS)
    rounds = list(boosted.staged_predict(FRAME))
    assert len(rounds) == 4
    assert not np.array_equal(rounds[0], rounds[-1])
    np.testing.assert_allclose(rounds[-1], boosted.predict(FRAME), atol=1e-12)


@pytest.mark.parametrize("forest", [ForestClassifier(trees=9), ForestRegressor(trees=9)])
def test_a_forest_gives_the_last_of_its_out_of_bag_errors(forest: ForestClassifier | ForestRegressor) -> None:
    fitted = forest.fit(FRAME, LABELS if isinstance(forest, ForestClassifier) else NUMBERS)
    curve = fitted.forest_.out_of_bag
    assert curve is not None
    assert fitted.out_of_bag_error_ == curve.values[-1]


def test_a_forest_that_keeps_no_out_of_bag_error_has_none() -> None:
    assert ForestClassifier(trees=3, out_of_bag=False).fit(FRAME, LABELS).out_of_bag_error_ is None


def test_the_out_of_bag_score_is_the_part_that_is_right() -> None:
    bagged = BaggingClassifier(of="cart", trees=9).fit(FRAME, LABELS)
    curve = bagged.ensemble_.out_of_bag
    assert curve is not None
    assert bagged.oob_score_ == 1 - curve.values[-1]
