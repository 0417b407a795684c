"""A derivation never states another answer than the model gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.models.decision import Cutoff, Decision


@pytest.mark.parametrize(
    ("decision", "named"),
    [(Decision(cutoff=Cutoff("Yes", 0.9)), "a cutoff"), (Decision(refer=0.9), "referred")],
)
def test_an_answer_that_a_cutoff_or_doubt_decides_is_refused(decision: Decision, named: str) -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    model = replace(cw.NaiveBayes().learn(table), decision=decision)
    with pytest.raises(SettingError, match=named):
        cw.derive(model, row={"Outlook": "Sunny"})
