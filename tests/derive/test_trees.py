"""Derivations of trees: the books' numbers, and every step the learner took."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clearwood as cw
from clearwood.datasets import TARGETS, path
from clearwood.derive.expressions import value_of
from clearwood.derive.figures import Figure
from clearwood.table.table import Table

EXPECTED = json.loads((Path(__file__).parents[1] / "worked_examples" / "expected.json").read_text())


def table(name: str) -> Table:
    return cw.read_table(path(name), target=TARGETS[name])


def number(figure: Figure) -> float:
    assert isinstance(figure.value, float)
    return figure.value


@pytest.mark.parametrize("name", ["tennis", "hire", "buys_computer"])
def test_id3_shows_the_books_entropies_and_gains(name: str) -> None:
    rows = table(name)
    steps = cw.derive(cw.ID3().learn(rows), rows)
    assert number(steps.figure("H(S)")) == pytest.approx(EXPECTED[name]["entropy"], abs=1e-9)
    for attribute, wanted in EXPECTED[name]["attributes"].items():
        assert number(steps.figure(f"Gain({attribute})")) == pytest.approx(wanted["gain"], abs=1e-9)
        for value, bits in wanted["entropy"].items():
            branch = cw.Equals(attribute, value)
            assert number(steps.figure(f"H({branch})")) == pytest.approx(bits, abs=1e-9)


def test_every_number_of_id3_is_what_its_expression_comes_to() -> None:
    rows = table("tennis_numeric")
    for step in cw.derive(cw.ID3().learn(rows), rows):
        for figure in step.walk():
            if figure.put_in is not None:
                assert value_of(figure.put_in) == pytest.approx(number(figure), rel=1e-9, abs=1e-9)
