"""Of a few rows nothing impossible is said: no difference of accuracies is larger than 1."""

from __future__ import annotations

import clearwood as cw


def test_too_few_rows_could_show_no_difference_that_there_can_be() -> None:
    data = {"a": [1, 2, 3], "b": ["x", "y", "x"], "class": ["p", "q", "p"]}
    rows = cw.read_table(data, target="class", kinds={"a": "numeric"})
    compared = cw.compare_learners({"c45": cw.C45(), "cart": cw.CART()}, rows)
    assert "these are too few rows to show any difference that there can be" in " ".join(
        str(compared).split()
    )
