"""A report says how its model was judged, whichever the design."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

import clearwood as cw
from clearwood.study.designs import Design


def table() -> cw.Table:
    chance = np.random.default_rng(2)
    x = chance.normal(size=150)
    return cw.read_table(
        {
            "who": [f"p{k}" for k in chance.integers(0, 30, 150)],
            "day": np.arange(150.0),
            "x": x,
            "y": np.where(x + chance.normal(size=150) > 0, "yes", "no"),
        },
        target="y",
        kinds={"who": "nominal", "day": "numeric"},
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "words"),
    [
        (cw.HoldOut(0.3, group="who"), "drawn with seed 0, all rows of one who together"),
        (
            cw.Folds(5, repeats=2, group="who"),
            "divided into 5 folds with seed 0, all rows of one who together, 2 times",
        ),
        (cw.ByTime("day", folds=3), "in 3 steps later rows, by day, were predicted by models learned"),
        (cw.Bootstrap(10), ".632+ estimate of the error"),
        (cw.GivenFolds("who"), "folds given by who"),
    ],
    ids=lambda each: type(each).__name__ if not isinstance(each, str) else "",
)
def test_the_page_says_which_rows_judged(design: Design, words: str) -> None:
    page = html.unescape(cw.report(table(), learner=cw.C45(), design=design).html)
    plain = re.sub(r"[\u2066-\u2069]|<[^>]*>|[“”‘’\"]", "", page)
    assert words in re.sub(r"\s+", " ", plain)


def test_one_way_of_judging_is_enough() -> None:
    with pytest.raises(cw.errors.SettingError, match="Give one of test_part, folds and design"):
        cw.report(table(), folds=5, design=cw.Folds(5))
