"""One row by Bayes tables: the short way answers as the batch does, and gives way where it must."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw

ROWS = {
    "colour": ["red", "green", None, "red", "blue", "green", "red", "blue"],
    "weight": [1.0, 2.5, 0.5, None, 2.0, 3.0, 1.5, 2.2],
    "size": [10.0, 12.0, 9.0, 30.0, 11.0, 14.0, 10.5, 12.5],
    "ripe": ["no", "yes", "no", "yes", "unsure", "yes", "no", "unsure"],
}
TABLE = cw.read_table(ROWS, target="ripe", kinds={"size": "numeric", "weight": "numeric"})
LEARNERS = [
    cw.NaiveBayes(),
    cw.NaiveBayes(smoothing="none"),
    cw.NaiveBayes(distributions={"size": "cuts"}, cut_method="width", bins=3),
    cw.NaiveBayes(numeric="kernel"),
    cw.NaiveBayes(costs={("yes", "no"): 20.0}),
    cw.NaiveBayes(priors={"no": 0.01, "yes": 0.5, "unsure": 0.49}),
]
CELLS = st.fixed_dictionaries(
    {
        "colour": st.sampled_from(["red", "green", "blue", "violet", None]),
        "weight": st.floats(-5, 5) | st.none(),
        "size": st.integers(5, 40) | st.none(),
    }
)


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@given(row=CELLS)
@settings(max_examples=30, deadline=None)
def test_a_row_alone_is_answered_as_among_others(learner: Any, row: dict[str, Any]) -> None:
    model = learner.learn(TABLE)
    one, many = cw.row_predictor(model), [row, row]
    assert one(row) == cw.predict(model, many)[0]
    np.testing.assert_allclose(list(one.shares(row).values()), cw.shares(model, many)[0], rtol=1e-12)


def test_a_class_without_rows_in_a_column_does_not_make_the_shares_undefined() -> None:
    schema = cw.Schema((cw.Nominal("a", ("met", "never met")),), cw.Nominal("y", ("p", "q")))
    table = cw.encode([{"a": "met", "y": "p"}, {"a": None, "y": "q"}], schema)
    model = cw.NaiveBayes(smoothing="none", m_prior="overall").learn(table)
    assert cw.shares(model, [{"a": "never met"}]).tolist() == [[0.5, 0.5]]
