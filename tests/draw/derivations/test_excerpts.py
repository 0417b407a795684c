"""What print and notebooks show of a derivation."""

from __future__ import annotations

from clearwood.working.derivation import Derivation, Step
from tests.hand_made_derivation import tennis


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
