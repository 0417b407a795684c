"""A linear model on paper: the table that a statistician reads, and the equation."""

from __future__ import annotations

from clearwood.learners.linear.logistic import Logistic
from clearwood.table import read_table
from tests.learners.linear_tables import noisy_table

HOURS = {"hours": [1, 2, 3, 4, 5, 6], "exam": ["no", "no", "yes", "no", "yes", "yes"]}


def test_a_fit_prints_weights_errors_odds_ratios_intervals_and_tests() -> None:
    assert str(Logistic().learn(read_table(HOURS, target="exam"))) == (
        "log-likelihood −2.477987, 6 rows, 6 iterations\n"
        "against no terms (log-likelihood −4.158883): likelihood ratio 3.362, 1 degree of freedom, p 0.0667\n"
        "\n"
        "log odds of exam = yes against no  weight  std. error  odds ratio    95 % interval      z       p\n"
        "(intercept)                        −4.249       3.388                               −1.25  0.2098\n"
        "hours                               1.214      0.9126       3.367  0.5629 to 20.14   1.33  0.1834\n"
        "\n"
        "attribute  Wald  df       p\n"
        "hours      1.77   1  0.1834"
    )


def test_a_penalised_fit_prints_no_errors() -> None:
    text = str(Logistic(penalty="l2").learn(read_table(HOURS, target="exam")))
    assert "std. error" not in text
    assert "p 0" not in text
    assert "odds ratio" in text


def test_a_value_says_what_it_is_against_and_each_contrast_has_its_table() -> None:
    text = str(Logistic(reference="first").learn(noisy_table(classes=3)))
    assert text.count("c = v1  (against v0)") == 2
    assert "log odds of y = B against A" in text
    assert "log odds of y = C against A" in text


def test_the_equation_shows_indicators_in_brackets_and_leaves_out_noughts() -> None:
    model = Logistic(penalty="l1", strength=20.0).learn(noisy_table())
    zeros = [str(term) for term, weight in zip(model.terms, model.weights[0], strict=True) if not weight]
    assert zeros
    assert all(f"· {name}" not in model.equation() for name in zeros if name == "noise")
    assert "· [c = " in Logistic().learn(noisy_table()).equation()
