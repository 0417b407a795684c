"""Random tables that each way of Naive Bayes can learn from."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.table.table import Table
from tests.learners.random_tables import COLUMNS, random_tables

COUNTS = ("whole", "strided", "constant", "empty", "nominal", "ordinal")  # nothing below 0
LEARNERS = {
    "gaussian": NaiveBayes(),
    "kernel": NaiveBayes(numeric="kernel", smoothing=2.5, m_prior="overall"),
    "cuts": NaiveBayes(numeric="cuts", cut_method="frequency", bins=3, smoothing="none", priors="equal"),
    "multinomial": NaiveBayes(numeric="multinomial"),
    "bernoulli": NaiveBayes(numeric="bernoulli", alpha=0),
    "complement": NaiveBayes(numeric="complement", alpha=0.5),
}
many = settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "25")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def tables_for(name: str) -> st.SearchStrategy[Table]:
    columns = COUNTS if name in ("multinomial", "bernoulli", "complement") else COLUMNS
    return random_tables(("nominal", "ordinal"), max_rows=40, max_values=30, columns=columns)
