"""What cannot be learned from is refused with the way out; weights on another scale are remarked on."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from clearwood.errors import ClearwoodWarning, ColumnError, LearningError
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.learners.rules.ripper import RIPPER
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.id3 import ID3
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table

LEARNERS = (ID3(), C45(), CART(), CHAID())
ROWS = 400


def halves(weights: Any = None) -> Table:
    """A column that tells the classes apart, half and half."""
    y = (np.arange(ROWS) >= ROWS // 2).astype(np.int32)
    return Table(Schema((Nominal("x", ("a", "b")),), Nominal("y", ("n", "p"))), {"x": y, "y": y}, weights)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(
    ("weight", "sentence"),
    [
        (1e308, "their sum or squares are not finite"),
        (1e200, "their sum or squares are not finite"),
        (1e13, "reach from 1 to 1e"),
        (np.inf, "must be finite"),
        (-1.0, "not negative"),
    ],
)
def test_weights_that_no_sum_can_hold_are_refused(learner: Any, weight: float, sentence: str) -> None:
    weights = np.ones(ROWS)
    weights[:2] = weight
    with pytest.raises(LearningError, match=sentence):
        learner.learn(halves(weights))


@pytest.mark.parametrize("learner", LEARNERS)
def test_weights_that_sum_to_one_are_remarked_on(learner: Any) -> None:
    with pytest.warns(ClearwoodWarning, match="The weights of 400 rows sum to 1, too little for a split"):
        learner.learn(halves(np.full(ROWS, 1 / ROWS)))


@pytest.mark.parametrize("learner", LEARNERS)
def test_weights_on_the_scale_of_rows_are_not(learner: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert learner.learn(halves(np.ones(ROWS))).leaves == 2
        few = halves(np.full(ROWS, 0.5)).take(np.array([0, ROWS - 1]))
        learner.learn(few)


@pytest.mark.parametrize("learner", [CART(), CHAID()])
@pytest.mark.parametrize("far", [1e151, -1e200, np.inf])
def test_a_target_too_large_to_square_is_refused_with_its_row(learner: Any, far: float) -> None:
    columns = {"x": np.arange(4.0), "y": np.array([1.0, 2.0, far, 4.0])}
    with pytest.raises(LearningError, match=r"Target 'y', row 3: .* is too large to learn from"):
        learner.learn(Table(Schema((Numeric("x"),), Numeric("y")), columns))


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_column_that_the_table_lacks_is_named(learner: Any) -> None:
    table = Table(halves().schema, {"y": halves().columns["y"]})
    with pytest.raises(ColumnError, match=r"The table lacks a column of its schema\. No column 'x'"):
        learner.learn(table)


@pytest.mark.parametrize("learner", [ID3(), C45(), CART(), CHAID()])
def test_what_is_no_table_is_refused_with_the_way_to_one(learner: Any) -> None:
    with pytest.raises(LearningError, match=r"learns from a Table, not list\. .*read_table"):
        learner.learn([{"x": 1, "y": "a"}])


@pytest.mark.parametrize("learner", [*LEARNERS, NaiveBayes(), RIPPER()])
def test_more_classes_than_can_be_counted_are_refused_beforehand(learner: Any) -> None:
    y = np.arange(20_000, dtype=np.int32)
    classes = Nominal("y", tuple(f"c{i}" for i in y))
    table = Table(Schema((Nominal("x", ("a", "b")),), classes), {"x": y % 2, "y": y})
    with pytest.raises(
        LearningError, match=r"'y' has 20,000 classes.* the limit is 2,000. Join the rare ones"
    ):
        learner.learn(table)
