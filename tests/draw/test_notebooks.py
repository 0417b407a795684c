"""Notebooks show a model's picture, or its text where there is none."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import clearwood as cw
from clearwood.errors import MissingExtraError
from clearwood.formulas.conditions import Equals
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema


def days() -> cw.Table:
    return cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")


@pytest.mark.parametrize("learner", [cw.ID3(), cw.CN2()], ids=["tree", "rules"])
def test_trees_and_rules_show_their_picture(learner: cw.ID3 | cw.CN2) -> None:
    model = learner.learn(days())
    assert ET.fromstring(model._repr_html_())[0].tag.endswith("svg")
    assert repr(model).startswith("<")


def test_without_the_renderer_of_charts_bayes_tables_show_their_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(spec: str) -> str:
        raise MissingExtraError(spec)

    monkeypatch.setattr("clearwood.draw.charts.sheet.chart_svg", missing)
    model = cw.NaiveBayes().learn(days())
    assert model._repr_html_().startswith("<pre>")


@pytest.mark.slow
def test_bayes_tables_and_weights_show_their_chart() -> None:
    pytest.importorskip("vl_convert")
    table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    for model in (cw.NaiveBayes().learn(days()), cw.Logistic().learn(table)):
        assert "<svg" in model._repr_html_()


def test_every_model_has_a_picture_as_svg_too() -> None:
    pytest.importorskip("vl_convert")
    for learner in (cw.ID3(), cw.CN2(), cw.NaiveBayes(), cw.Logistic(penalty="l2")):
        svg = learner.learn(days())._repr_svg_()
        assert svg is not None
        assert ET.fromstring(svg).tag.endswith("svg")


def test_where_nothing_can_be_drawn_there_is_no_svg(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(spec: str) -> str:
        raise MissingExtraError(spec)

    monkeypatch.setattr("clearwood.draw.charts.sheet.chart_svg", missing)
    assert cw.NaiveBayes().learn(days())._repr_svg_() is None


def test_a_linear_model_shows_its_equation_as_latex() -> None:
    table = cw.read_table({"x_1": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    text = cw.Logistic().learn(table)._repr_latex_()
    assert r"\text{log odds of y = b against a} &= -4.2491 + 1.214 \cdot \text{x\_1}" in text


def test_a_comparison_is_short_as_repr_and_its_text_in_html() -> None:
    comparison = cw.compare_trees(days())
    assert repr(comparison) == "<TreeComparison of ID3, C4.5, CART, CHAID: they differ at the root>"
    assert comparison._repr_html_().startswith("<pre>ID3, C4.5, CART and CHAID on PlayTennis")


def test_names_are_escaped_in_html_and_latex() -> None:
    attack = "<script>alert(1)</script> $x$ % & _ {\\"
    schema = Schema((Nominal(attack, (attack,)),), Nominal("Play", (attack, "Yes")))
    rules = RuleList(schema, (Rule((Equals(attack, attack),), attack, (1.0, 0.0)),))
    assert "<script" not in rules._repr_html_()
    assert r"\textless{}script\textgreater{}alert(1)" in rules._repr_latex_()
    assert r"\$x\$ \% \& \_ \{\textbackslash{}" in rules._repr_latex_()
