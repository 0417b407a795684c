"""The terms of Bayes tables worked out by hand: chances of values, and widths of bells."""

from __future__ import annotations

from math import exp, log, pi, sqrt
from typing import Literal

import numpy as np
import pytest

from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import categorical_chances, value_chances, widths_of
from clearwood.models.kinds.bayes.distributions import Categorical, Gaussian, Kernel
from clearwood.predicting import predict, shares
from clearwood.predicting.bayes import log_joint
from clearwood.predicting.row import row_predictor
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.definitions.bayes import log_joint_by_terms

SCHEMA = Schema((Nominal("a", ("x", "y")),), Nominal("class", ("yes", "no")))


def test_a_value_never_met_has_the_least_of_the_prior() -> None:
    chances, unseen, sizes = value_chances(np.array([[6.0, 2.0]]), 2.0, np.array([0.7, 0.3]))
    assert chances[0].tolist() == pytest.approx([(6 + 1.4) / 10, (2 + 0.6) / 10])
    assert unseen.tolist() == pytest.approx([0.6 / 10])
    assert sizes.tolist() == [10.0]


def test_a_class_without_rows_and_smoothing_has_the_prior() -> None:
    chances, unseen, _ = value_chances(np.array([[0.0, 0.0]]), 0.0, np.array([0.7, 0.3]))
    assert chances[0].tolist() == [0.7, 0.3]
    assert unseen.tolist() == [0.3]


def test_the_prior_overall_is_that_of_all_rows_and_an_equal_one_where_there_are_none() -> None:
    met = categorical_chances(SCHEMA, Categorical("a", ((3, 1), (3, 1)), 4.0, "overall"))
    assert met[0].tolist() == [[0.75, 0.25]] * 2
    empty = categorical_chances(SCHEMA, Categorical("a", ((0, 0), (0, 0)), 4.0, "overall"))
    assert empty[0].tolist() == [[0.5, 0.5]] * 2


@pytest.mark.parametrize(("rule", "n"), [("scott", 4.0), ("silverman", 3.0)])
def test_the_width_of_bells_goes_by_the_spread_of_a_class_or_else_of_all(
    rule: Literal["scott", "silverman"], n: float
) -> None:
    kernel = Kernel("x", (((1.0, 2), (3.0, 2)), ((5.0, 4),)), rule)
    assert widths_of(kernel) == pytest.approx((sqrt(4 / 3) / n**0.2, sqrt(0.5) / n**0.2))


def test_a_column_that_never_varied_has_no_width() -> None:
    assert widths_of(Kernel("x", (((2.0, 3),), ((2.0, 1),)))) is None


def normal(x: float, mean: float, width: float) -> float:
    return exp(-(((x - mean) / width) ** 2) / 2) / (width * sqrt(2 * pi))


def test_the_joint_of_bells_and_of_hills_is_the_textbooks_density() -> None:
    schema = Schema((Numeric("x"),), Nominal("class", ("yes", "no")))
    points = (((1.0, 1), (3.0, 1)), ((4.0, 1), (8.0, 3)))
    table = Table(schema, {"x": np.array([2.0, 5.5, 50.0, np.nan])})
    bells = BayesTables(schema, (2, 4), (Gaussian("x", (2, 4), (4, 28), (10, 208)),))
    joints = log_joint(bells, table).tolist()
    for x, joint in zip((2.0, 5.5), joints, strict=False):
        wanted = [2 / 6 * normal(x, 2.0, 1.0), 4 / 6 * normal(x, 7.0, sqrt(3))]
        assert joint == pytest.approx([log(each) for each in wanted])
    assert joints[3] == pytest.approx([log(2 / 6), log(4 / 6)])
    kernel = Kernel("x", points)
    widths = widths_of(kernel)
    assert widths is not None
    hills = BayesTables(schema, (2, 4), (kernel,))
    joints = log_joint(hills, table).tolist()
    for x, joint in zip((2.0, 5.5), joints, strict=False):
        densities = [
            sum(count * normal(x, at, width) for at, count in of_class) / sum(n for _, n in of_class)
            for of_class, width in zip(points, widths, strict=True)
        ]
        assert joint == pytest.approx([log(2 / 6 * densities[0]), log(4 / 6 * densities[1])])
    assert joints[3] == pytest.approx([log(2 / 6), log(4 / 6)])


@pytest.mark.parametrize(
    ("cells", "answer", "no"),
    [(("Sunny", "Weak", "Hot"), "No", 6 / 7), (("Rain", "Strong", "Cold"), "Yes", 3 / 11)],
)
def test_a_row_that_is_impossible_in_every_class_gets_the_class_of_its_shares(
    cells: tuple[str, ...], answer: str, no: float
) -> None:
    columns = {"Outlook": ("Sunny", "Rain"), "Wind": ("Weak", "Strong"), "Day": ("Hot", "Cold")}
    schema = Schema(tuple(Nominal(*each) for each in columns.items()), Nominal("Play", ("No", "Yes")))
    counts = (((3, 0), (0, 9)), ((0, 3), (9, 0)), ((2, 1), (1, 8)))
    tables = tuple(Categorical(name, each, 0.0) for name, each in zip(columns, counts, strict=True))
    model, row = BayesTables(schema, (3, 9), tables), dict(zip(columns, cells, strict=True))
    assert shares(model, [row])[0].tolist() == pytest.approx([no, 1 - no])
    assert predict(model, [row]).tolist() == [answer]


def test_numbers_of_a_count_add_their_logs_so_many_times() -> None:
    schema = Schema((Numeric("a"), Numeric("b")), Nominal("class", ("yes", "no")))
    model = NaiveBayes(numeric="multinomial").learn(
        Table(
            schema,
            {
                "a": np.array([3.0, 1.0, 0.0]),
                "b": np.array([0.0, 1.0, 4.0]),
                "class": np.array([0, 0, 1], dtype=np.int32),
            },
        )
    )
    table = Table(schema, {"a": np.array([2.0, 0.0]), "b": np.array([1.0, 0.0])})
    assert log_joint(model, table) == pytest.approx(log_joint_by_terms(model, table))


def test_one_row_by_bells_and_values_is_the_batchs_row() -> None:
    schema = Schema((Numeric("x"), Nominal("a", ("u", "v"))), Nominal("class", ("yes", "no")))
    bell = Gaussian("x", (2, 4), (4, 28), (10, 208))
    model = BayesTables(schema, (2, 4), (bell, Categorical("a", ((1, 1), (0, 4)), 1.0)))
    predictor = row_predictor(model)
    for x, a in ((2.0, "u"), (5.5, "v"), (None, "u"), (6.0, None)):
        (batch,) = log_joint(model, [{"x": x, "a": a}]).tolist()
        one = predictor.shares([x, a])
        assert log(one["yes"] / one["no"]) == pytest.approx(batch[0] - batch[1])
