"""Odds ratios near 1 are printed with enough digits to be told from 1."""

from __future__ import annotations

import clearwood as cw
from clearwood.draw.linear import ratio_texts
from tests.shared_data import load_shared


def test_the_odds_ratio_of_a_large_unit_is_told_from_one() -> None:
    model = cw.Logistic().learn(load_shared("credit_g"))
    each = next(e for e in cw.estimates(model) if e.term is not None and e.term.name == "credit_amount")
    assert each.odds_interval is not None
    ratio, low, high = (f"{value:.6f}" for value in (each.odds_ratio, *each.odds_interval))
    assert len({ratio, low, high, "1.000000"}) == 4
    line = next(line for line in str(model).splitlines() if line.startswith("credit_amount"))
    assert f"{ratio}  {low} to {high}" in line


def test_an_end_of_an_interval_next_to_one_shows_on_which_side_it_lies() -> None:
    assert ratio_texts([1.2, 0.999993, 1.7]) == ["1.2", "0.9999930", "1.7"]
    assert ratio_texts([1.0, 0.5, 2.0]) == ["1", "0.5", "2"]
    assert ratio_texts([float("inf")]) == ["∞"]
