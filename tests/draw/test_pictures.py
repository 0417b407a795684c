"""Every kind of model has its picture; the wish for another is refused."""

from __future__ import annotations

import pytest

import clearwood as cw
from clearwood.errors import SettingError


def table() -> cw.Table:
    return cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")


def test_bayes_tables_are_drawn_as_a_nomogram_and_with_a_case_as_evidence() -> None:
    pytest.importorskip("vl_convert")
    model = cw.NaiveBayes().learn(table())
    assert cw.picture(model).alt.startswith("Nomogram of yes against no: age matters most")
    assert cw.picture(model, row={"age": "<=30"}).alt.startswith("Evidence for no (52.6 %) against yes")


def test_of_many_classes_the_two_most_common_are_set_against_each_other() -> None:
    pytest.importorskip("vl_convert")
    rows = {"x": list("uvuvuvuvuv"), "y": list("abbbccaccc")}
    model = cw.NaiveBayes().learn(cw.read_table(rows, target="y"))
    assert cw.picture(model).alt.startswith("Nomogram of c against b: ")


def test_a_linear_model_is_drawn_as_odds_ratios() -> None:
    pytest.importorskip("vl_convert")
    rows = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    model = cw.Logistic().learn(rows)
    assert cw.picture(model).alt.startswith("Odds ratios of y = b against a: x")
    with pytest.raises(SettingError, match="Evidence is what the cells of a case say"):
        cw.picture(model, kind="evidence")


def test_a_picture_keeps_the_specification_of_its_chart() -> None:
    pytest.importorskip("vl_convert")
    assert cw.picture(cw.NaiveBayes().learn(table())).spec is not None
    assert cw.picture(cw.ID3().learn(table())).spec is None
