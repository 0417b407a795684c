"""Derivations of Bayes models: the book's fractions, and figures that are what prediction uses."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood.deriving.bayes.answer import derive_bayes_answer
from clearwood.deriving.bayes.tables import derive_bayes_tables
from clearwood.draw.derivations.boxes import Style
from clearwood.draw.derivations.text import in_line
from clearwood.draw.derivations.writing import as_latex
from clearwood.errors import LearningError
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table
from clearwood.working.derivation import Answered, Derivation
from tests.deriving.checking import check
from tests.learners.bayes_tables import LEARNERS, many, tables_for
from tests.learners.text_tables import text_table, text_tables

EXPECTED = json.loads((Path(__file__).parents[1] / "worked_examples" / "expected.json").read_text())


@pytest.mark.parametrize(
    ("example", "data", "target", "smoothing"),
    [
        ("naive_bayes_buys_computer", "buys_computer", "buys_computer", "laplace"),
        ("naive_bayes_hire", "hire", "Hire", "none"),
    ],
)
def test_the_books_answers_as_fractions(example: str, data: str, target: str, smoothing: Any) -> None:
    table = cw.read_table(cw.datasets.path(data), target=target)
    expected = EXPECTED[example]
    derivation = derive_bayes_answer(cw.NaiveBayes(smoothing=smoothing).learn(table), expected["instance"])
    for name, of_class in expected["classes"].items():
        prior = _exact(derivation, f"P({name})")
        assert float(prior) == pytest.approx(of_class["prior"], abs=1e-15)
        product = prior
        for column, likelihood in of_class["likelihood"].items():
            value = expected["instance"][column]
            answers = f'"{value}"' if value.startswith("<") else value
            factor = _exact(derivation, f"P({column} = {answers} | {name})")
            assert float(factor) == pytest.approx(likelihood, abs=1e-15)
            product *= factor
        assert derivation.figure(f"P({name} and the row)").exact == product
        assert float(product) == pytest.approx(of_class["joint"], rel=1e-12)
        posterior = _exact(derivation, f"P({name} | the row)")
        assert float(posterior) == pytest.approx(of_class["posterior"], abs=1e-12)
    assert derivation[-1].outcome == Answered(expected["predicted"])
    check(derivation)


def test_the_corrected_fractions_and_not_the_misprints() -> None:
    table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    derivation = derive_bayes_tables(cw.NaiveBayes().learn(table))
    assert derivation.figure("P(income = high | yes)").exact == Fraction(3, 12)
    assert derivation.figure("P(student = yes | yes)").exact == Fraction(7, 11)


def test_a_zero_is_shown_as_the_zero_it_is() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    derivation = derive_bayes_answer(cw.NaiveBayes(smoothing="none").learn(table), {"Outlook": "Overcast"})
    zero = derivation.figure("P(Outlook = Overcast | No)")
    assert (zero.value, zero.exact) == (0.0, Fraction(0, 5))
    assert "a zero stays a zero" in zero.because


def test_missing_and_unseen_cells_say_so() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    derivation = derive_bayes_answer(cw.NaiveBayes().learn(table), {"Outlook": "Foggy"})
    assert derivation.figure("P(Outlook = Foggy | Yes)").exact == Fraction(1, 12)
    assert [step.decision for step in derivation if not step.figures] == [
        f"{name} is missing: it is skipped, and says nothing." for name in ("Temperature", "Humidity", "Wind")
    ]


def test_products_too_small_for_a_decimal_number_are_added_as_logarithms() -> None:
    table = text_table(["spam " * 3, "ham " * 3], ["a", "b"])
    model = cw.NaiveBayes().learn(table)
    row = {"text": "spam " * 3000 + "ham " * 2999}
    derivation = derive_bayes_answer(model, row)
    assert derivation.figure("P(a | the row)").value == pytest.approx(cw.shares(model, [row])[0, 0], rel=1e-9)
    log = derivation.figure("ln P(a and the row)").value
    assert isinstance(log, float)
    assert log < -700
    check(derivation)


def test_where_every_product_is_0_the_fewest_zeros_decide() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    model = cw.NaiveBayes(smoothing="none").learn(table)
    row = dict.fromkeys(("Temperature", "Humidity")) | {"Outlook": "Foggy", "Wind": "Strong"}
    derivation = derive_bayes_answer(model, row)
    assert derivation[-1].title == "Where every product is 0"
    yes = model.schema.classes.index("Yes")
    assert derivation.figure("P(Yes | the row)").value == pytest.approx(cw.shares(model, [row])[0, yes])
    check(derivation)


def test_the_variance_takes_the_square_of_the_sum_from_the_sum_of_the_squares() -> None:
    table = cw.read_table({"x": [1.0, 2.0, 6.0, 7.0], "y": list("aabb")}, target="y")
    derivation = derive_bayes_answer(cw.NaiveBayes().learn(table), {"x": 3.0})
    variance = derivation.figure("variance(x | b)")
    assert variance.value == 0.25
    assert variance.formula is not None
    assert variance.put_in is not None
    assert in_line(variance.formula, Style()) == "(Σ_row x² − (Σ_row x)²/n)/n"
    assert in_line(variance.put_in, Style()) == "(85 − 13²/2)/2"
    assert r"\left(\sum_{\text{row}} x\right)" in as_latex(derivation)


def test_costs_decide_after_the_posterior() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    model = cw.NaiveBayes(costs={("No", "Yes"): 20.0, ("Yes", "No"): 1.0}).learn(table)
    derivation = derive_bayes_answer(model, {"Outlook": "Overcast"})
    assert derivation.figure("P(Yes | the row)").value == pytest.approx(6 / 7)
    assert derivation[-1].outcome == Answered("No")
    check(derivation)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@many
@given(data=st.data())
def test_every_figure_is_what_prediction_uses(name: str, data: st.DataObject) -> None:
    table = data.draw(tables_for(name))
    try:
        model = LEARNERS[name].learn(table)
    except LearningError:
        return
    check(derive_bayes_tables(model))
    row = _row(table, data.draw(st.integers(0, len(table) - 1)))
    derivation = derive_bayes_answer(model, row)
    check(derivation)
    for share, of_class in zip(cw.shares(model, [row])[0].tolist(), model.schema.classes, strict=True):
        assert derivation.figure(f"P({of_class} | the row)").value == pytest.approx(
            share, rel=1e-9, abs=1e-12
        )
    outcomes = [step.outcome for step in derivation if step.outcome]
    assert outcomes == [Answered(cw.predict(model, [row])[0])]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Column 'text' says nothing")
@pytest.mark.parametrize("event", ["multinomial", "bernoulli", "complement"])
@many
@given(table=text_tables(), text=st.sampled_from(["free win", "", "the x 日 free free", None]))
def test_every_word_is_what_prediction_uses(event: Any, table: Table, text: str | None) -> None:
    model = cw.NaiveBayes(text=event).learn(table)
    check(derive_bayes_tables(model))
    derivation = derive_bayes_answer(model, {"text": text})
    check(derivation)
    shares = cw.shares(model, [{"text": text}])[0].tolist()
    for share, of_class in zip(shares, model.schema.classes, strict=True):
        assert derivation.figure(f"P({of_class} | the row)").value == pytest.approx(
            share, rel=1e-9, abs=1e-12
        )


def _exact(actual: Derivation, name: str) -> Fraction:
    exact = actual.figure(name).exact
    assert exact is not None
    return exact


def _row(table: Table, place: int) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for attribute in table.schema.inputs:
        cell = table.columns[attribute.name][place]
        if isinstance(attribute, Nominal | Ordinal):
            row[attribute.name] = None if cell < 0 else attribute.values[cell]
        else:
            row[attribute.name] = None if np.isnan(cell) else float(cell)
    return row


def test_bayes_rule_of_the_book_shows_its_work() -> None:
    given = EXPECTED["bayes_rule_cancer"]
    derivation = cw.derive(cw.bayes_rule(given["prior"], given["sensitivity"], given["false_positive"]))
    assert derivation.figure("P(yes | positive)").value == pytest.approx(given["posterior"], abs=1e-15)
    assert check(derivation) == 8
