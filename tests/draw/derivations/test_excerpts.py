"""What print and notebooks show of a derivation."""

from __future__ import annotations

import pytest

import clearwood as cw
from clearwood.working.derivation import Derivation, Step
from tests.hand_made_derivation import tennis
from tests.shared_data import load_shared


def test_print_shows_a_line_for_each_figure() -> None:
    assert str(tennis()).split("\n")[6:9] == [
        "1. All rows (14 rows)",
        "  H(S) = 0.9403 bits",
        "  Gain(Outlook) = 0.2467 bits",
    ]
    assert repr(tennis()) == "<Derivation: How a tree grew from tennis, 1 step>"


def test_notebooks_show_the_work() -> None:
    derivation = tennis()
    assert "<mfrac>" in derivation._repr_html_()
    assert "```math" in derivation._repr_markdown_()
    assert r"\frac{9}{14}" in derivation._repr_latex_()


def test_a_long_derivation_shows_its_first_steps() -> None:
    many = Derivation("Long", [Step("", f"step {k}", (), "") for k in range(1000)])
    text = str(many)
    assert text.startswith("Long (steps 1 to 40 of 1,000; write_derivation writes all)")
    assert "step 39" in text
    assert "step 40" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner", [cw.CART(max_depth=3), cw.NaiveBayes(), cw.C45()], ids=lambda each: type(each).__name__
)
def test_a_notebook_holds_no_more_than_a_cell_can_show(learner: cw.CART | cw.NaiveBayes | cw.C45) -> None:
    table = load_shared("credit_g")
    derivation = cw.derive(learner.learn(table), table)
    html = derivation._repr_html_()
    assert len(html.encode()) <= 100_000
    assert "write_derivation writes all" in html
    assert html.count('<details class="cw-step"') == html.count("<h3>") >= 1


def test_a_page_of_steps_is_folded_but_for_the_first_and_has_contents() -> None:
    table = load_shared("vote")
    derivation = cw.derive(cw.C45().learn(table), table)
    page = cw.write_derivation(derivation, format="html", standalone=True)
    assert page.count('<details class="cw-step"') == len(derivation) > 3
    assert page.count('<details class="cw-step" open=""') == 1
    assert '<nav aria-label="Contents"><ul>' in page
    assert page.count('<li><a href="#cw-chapter-') == len({step.chapter for step in derivation}) > 1


def test_a_worksheet_lies_open() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    sheet = cw.write_derivation(cw.derive(cw.ID3().learn(table), table), format="html", detail="worksheet")
    assert "cw-step" not in sheet
