"""A forest is as accurate as scikit-learn's, and its out-of-bag error as low, but for one standard error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.table.attributes import Numeric
from tests.shared_data import NAMES, describe, load_shared

sklearn = pytest.importorskip("sklearn.ensemble")
TREES = 200
# Of these the nominal columns have at most some twenty values, and a run takes a few seconds.
TABLES = [
    name
    for name in (
        "balance_scale", "breast_cancer", "breast_w", "car", "credit_g", "diabetes", "glass", "iris", "labor",
        "monks_1", "monks_2", "monks_3", "penguins", "soybean", "tic_tac_toe", "titanic", "vote", "zoo",
    )
    if name in NAMES
]  # fmt: skip

# Here one value against the others says more than two groups of values: both learn from zeros and ones.
AS_NUMBERS = {"balance_scale", "tic_tac_toe"}


def as_numbers(table: cw.Table) -> Any:
    """Nominal columns as a column of zeros and ones for each value; missing cells NaN."""
    blocks = []
    for attribute in table.schema.attributes:
        if attribute.name not in table.columns:
            continue
        cells = table.columns[attribute.name]
        if isinstance(attribute, Numeric):
            blocks.append(cells[:, None].astype(np.float64))
        elif hasattr(attribute, "values"):
            ones = (cells[:, None] == np.arange(len(attribute.values))).astype(np.float64)
            ones[cells < 0] = np.nan
            blocks.append(ones)
    return np.hstack(blocks)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_accuracy_and_out_of_bag_error_are_within_a_standard_error(name: str) -> None:
    table = load_shared(name)
    assert describe(name)
    x, y, rows = as_numbers(table), table.target, len(table)
    if name in AS_NUMBERS:
        columns = {f"x{i}": x[:, i] for i in range(x.shape[1])}
        assert table.schema.target is not None
        schema = cw.Schema(tuple(map(cw.Numeric, columns)), table.schema.target)
        table = cw.Table(schema, {**columns, table.schema.target.name: y})
    fold = np.random.default_rng(0).permutation(rows) % 5
    ours, theirs = np.zeros(rows, dtype=bool), np.zeros(rows, dtype=bool)
    for held in range(5):
        train, test = fold != held, fold == held
        forest = cw.Forest(trees=TREES, seed=held).learn(table.take(train))
        ours[test] = cw.shares(forest, table.take(test)).argmax(axis=1) == y[test]
        peer = sklearn.RandomForestClassifier(TREES, random_state=held).fit(x[train], y[train])
        theirs[test] = peer.predict(x[test]) == y[test]
    error = float(np.sqrt(theirs.mean() * (1 - theirs.mean()) / rows)) + 1 / rows
    assert ours.mean() > theirs.mean() - error, (ours.mean(), theirs.mean(), error)
    whole = cw.Forest(trees=TREES).learn(table)
    peer = sklearn.RandomForestClassifier(TREES, oob_score=True, random_state=0).fit(x, y)
    assert whole.out_of_bag is not None
    out_of_bag = whole.out_of_bag.values[-1]
    assert out_of_bag < 1 - peer.oob_score_ + error, (out_of_bag, 1 - peer.oob_score_, error)
