"""Naive Bayes where tables are awkward: each case is a clear sentence or a defined answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError, SchemaError, SettingError
from clearwood.formulas.expressions import value_of
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import bell_of, widths_of
from clearwood.models.kinds.bayes.distributions import Bag, Categorical, Cuts, Gaussian, Kernel
from clearwood.models.model import account_of
from clearwood.predicting import predict_codes
from clearwood.predicting import shares as bayes_shares
from clearwood.predicting.bayes import log_joint
from clearwood.table.attributes import Nominal, Numeric, Text
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Column, Table


def numbers(x: list[float], y: list[int], weights: list[float] | None = None, classes: int = 2) -> Table:
    schema = Schema((Numeric("x"),), Nominal("y", tuple("abcdef"[:classes])))
    columns: dict[str, Column] = {"x": np.array(x, dtype=np.float64), "y": np.array(y, dtype=np.int32)}
    return Table(schema, columns, None if weights is None else np.array(weights))


def names(codes: list[list[int]], y: list[int], values: tuple[str, ...] = ("u", "v")) -> Table:
    schema = Schema(tuple(Nominal(f"n{i}", values) for i in range(len(codes))), Nominal("y", ("a", "b")))
    columns = {f"n{i}": np.array(each, dtype=np.int32) for i, each in enumerate(codes)}
    return Table(schema, {**columns, "y": np.array(y, dtype=np.int32)})


def test_a_class_of_equal_cells_has_the_variance_within_the_classes() -> None:
    model = NaiveBayes().learn(numbers([5, 5, 1, 3], [0, 0, 1, 1]))
    gaussian = model["x"]
    assert isinstance(gaussian, Gaussian)
    bells = bell_of(gaussian)
    assert bells is not None
    assert [each.tolist() for each in bells] == [[5, 2], [0.5, 1]]


def test_where_every_class_has_equal_cells_their_variance_is_the_floor() -> None:
    table = numbers([5, 5, 1, 1], [0, 0, 1, 1])
    bells = bell_of(Gaussian("x", (2, 2), (10, 2), (50, 2), floor=0.01))
    assert bells is not None
    np.testing.assert_allclose(bells[1], [0.04, 0.04])
    assert bayes_shares(NaiveBayes().learn(table), table)[:, 0].tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("kind", ["gaussian", "kernel"])
def test_a_column_that_never_varied_says_nothing(kind: Any) -> None:
    model = NaiveBayes(numeric=kind).learn(numbers([5, 5, 5, 5], [0, 1, 1, 1]))
    assert account_of(model).terms == ()
    np.testing.assert_allclose(bayes_shares(model, numbers([5, 7], [0, 0])), [[0.25, 0.75]] * 2)
    assert "never varied" in str(model)


@pytest.mark.parametrize("kind", ["gaussian", "kernel", "cuts", "multinomial", "bernoulli", "complement"])
def test_a_column_without_a_known_cell_says_nothing(kind: Any) -> None:
    table = numbers([np.nan] * 4, [0, 1, 1, 1])
    model = NaiveBayes(numeric=kind).learn(table)
    np.testing.assert_allclose(bayes_shares(model, table), [[0.25, 0.75]] * 4)


@pytest.mark.parametrize("kind", ["gaussian", "kernel"])
def test_a_class_without_a_known_cell_has_the_curve_of_the_whole_column(kind: Any) -> None:
    table = numbers([1, 2, 4, np.nan], [0, 0, 0, 1])
    model = NaiveBayes(numeric=kind).learn(table)
    np.testing.assert_allclose(bayes_shares(model, table), [[0.75, 0.25]] * 4)


def test_one_class_has_the_whole_share() -> None:
    table = numbers([1, 2, np.nan], [0, 0, 0], classes=1)
    np.testing.assert_array_equal(bayes_shares(NaiveBayes().learn(table), table), [[1.0]] * 3)


def test_a_class_that_is_declared_and_never_met_has_no_share_unless_a_prior_is_given() -> None:
    table = numbers([1, 2, 3], [0, 0, 1], classes=3)
    assert (bayes_shares(NaiveBayes().learn(table), table)[:, 2] == 0).all()
    assert (bayes_shares(NaiveBayes(priors="equal").learn(table), table)[:, 2] > 0).all()


def test_a_row_of_empty_cells_has_the_priors() -> None:
    model = NaiveBayes().learn(names([[0, 1, 1, 0], [0, 0, 1, 1]], [0, 1, 1, 1]))
    empty = names([[MISSING], [MISSING]], [0])
    np.testing.assert_allclose(bayes_shares(model, empty), [[0.25, 0.75]])


@pytest.mark.parametrize("bad", [np.inf, -np.inf, 1e200, 1e308])
@pytest.mark.parametrize("kind", ["gaussian", "kernel", "multinomial"])
def test_numbers_too_large_are_refused_by_column_and_row(bad: float, kind: Any) -> None:
    with pytest.raises(LearningError, match=r"Column 'x', row 2: .* (too large to learn from|is no count)"):
        NaiveBayes(numeric=kind).learn(numbers([1, bad, 3], [0, 1, 1]))


def test_infinity_is_refused_by_column_and_row() -> None:
    with pytest.raises(LearningError, match="Column 'x', row 2: inf is no number to learn from"):
        NaiveBayes(numeric="cuts", cut_method="width").learn(numbers([1, np.inf, 3], [0, 1, 1]))


@pytest.mark.parametrize("kind", ["multinomial", "bernoulli", "complement"])
def test_a_negative_count_is_refused_with_the_way_out(kind: Any) -> None:
    with pytest.raises(LearningError, match=r"row 3: -1 is no count. .*distributions=\{'x': 'gaussian'\}"):
        NaiveBayes(numeric=kind).learn(numbers([1, 2, -1], [0, 1, 1]))


def test_numbers_far_from_the_training_rows_still_have_shares_that_sum_to_one() -> None:
    model = NaiveBayes().learn(numbers([1, 2, 3, 5], [0, 0, 1, 1]))
    shares = bayes_shares(model, numbers([1e6, -1e300, 1e308], [0, 0, 0]))
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_an_unseen_value_counts_as_one_with_count_zero() -> None:
    model = NaiveBayes().learn(names([[0, 0, 1, 1, 1]], [0, 0, 0, 1, 1]))
    unseen = np.exp(log_joint(model, names([[UNSEEN]], [0])))[0]
    np.testing.assert_allclose(unseen, [3 / 5 * 1 / (3 + 2), 2 / 5 * 1 / (2 + 2)])


def test_without_smoothing_an_unseen_value_leaves_the_other_columns_their_say() -> None:
    model = NaiveBayes(smoothing="none", priors="equal").learn(
        names([[0, 0, 1, 1], [0, 0, 0, 1]], [0, 0, 1, 1])
    )
    row = names([[UNSEEN], [0]], [0])
    assert np.isneginf(log_joint(model, row)).all()
    np.testing.assert_allclose(bayes_shares(model, row), [[2 / 3, 1 / 3]])
    assert predict_codes(model, row).tolist() == [0]


def test_where_every_class_has_a_zero_the_fewest_zeros_win_as_with_ever_less_smoothing() -> None:
    table = names([[0, 0, 1, 1, 1], [0, 0, 1, 1, 1], [0, 0, 1, 1, 1]], [0, 0, 1, 1, 1])
    row = names([[0], [1], [1]], [0])
    least = NaiveBayes(smoothing=1e-9).learn(table)
    none = NaiveBayes(smoothing="none").learn(table)
    np.testing.assert_allclose(bayes_shares(none, row), bayes_shares(least, row), atol=1e-6)
    even = names([[0], [1], [MISSING]], [0])
    np.testing.assert_allclose(bayes_shares(none, even), bayes_shares(least, even), rtol=1e-6)


def test_posteriors_sum_to_one_where_doubles_underflow() -> None:
    many = 1000
    codes = [[0, 1] * 10 for _ in range(many)]
    table = names(codes, [0, 1] * 10)
    model = NaiveBayes().learn(table)
    assert (np.exp(log_joint(model, table)) < 1e-30).any()
    np.testing.assert_allclose(bayes_shares(model, table).sum(axis=1), 1, rtol=1e-12)


def test_priors_are_proportions_and_a_zero_is_refused() -> None:
    table = numbers([1, 2, 3], [0, 1, 1])
    assert NaiveBayes(priors={"a": 1, "b": 3}).learn(table).priors == (0.25, 0.75)
    assert NaiveBayes(priors={"a": 1e308, "b": 1e308}).learn(table).priors == (0.5, 0.5)
    with pytest.raises(SettingError, match="above 0"):
        NaiveBayes(priors={"a": 0, "b": 1})
    with pytest.raises(SettingError, match="lack the class 'b'"):
        NaiveBayes(priors={"a": 1}).learn(table)
    with pytest.raises(SettingError, match="No class 'c'"):
        NaiveBayes(priors={"a": 1, "b": 1, "c": 1}).learn(table)


@pytest.mark.parametrize("kind", ["gaussian", "kernel", "multinomial", "bernoulli"])
def test_weights_act_as_repeated_rows_and_zero_as_none(kind: Any) -> None:
    weighted = NaiveBayes(numeric=kind).learn(numbers([1, 2, 4, 7], [0, 0, 1, 1], [2, 1, 3, 0]))
    repeated = NaiveBayes(numeric=kind).learn(numbers([1, 1, 2, 4, 4, 4], [0, 0, 0, 1, 1, 1]))
    assert weighted.distributions == repeated.distributions
    assert weighted.classes == repeated.classes == (3, 3)


def test_costs_turn_the_answer() -> None:
    table = numbers([1, 3, 2, 4], [0, 0, 1, 1])
    assert predict_codes(NaiveBayes().learn(table), table).tolist() == [0, 1, 0, 1]
    dear = NaiveBayes(costs={("a", "b"): 1000}).learn(table)
    assert predict_codes(dear, table).tolist() == [0, 0, 0, 0]


def test_text_is_read_beside_numbers() -> None:
    table = numbers([1, 2, 3], [0, 1, 1])
    schema = Schema((*table.schema.attributes, Text("t")), table.schema.target)
    spoken = np.array(["x", "y", None], dtype=object)
    model = NaiveBayes().learn(Table(schema, {**table.columns, "t": spoken}))
    assert model.columns == ("x", "t")


def test_a_numeric_target_is_refused() -> None:
    schema = Schema((Numeric("x"),), Numeric("y"))
    with pytest.raises(LearningError, match="learns classes, and 'y' is a number"):
        NaiveBayes().learn(Table(schema, {"x": np.ones(2), "y": np.ones(2)}))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"numeric": "gausian"}, "Did you mean 'gaussian'"),
        ({"smoothing": -1}, "smoothing must be at least 0"),
        ({"smoothing": "lapalce"}, "Did you mean 'laplace'"),
        ({"decay": 0}, "decay must lie above 0 and at most 1"),
        ({"distributions": {"x": "normal"}}, r"distributions\['x'\]"),
        ({"distributions": "gaussian"}, "a word by column"),
        ({"m_prior": {"x": 0.5}}, "probabilities by column and value"),
        ({"alpha": -0.1}, "alpha must be at least 0"),
    ],
)
def test_wrong_settings_are_refused_when_made(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        NaiveBayes(**settings)


def test_distributions_must_fit_their_columns() -> None:
    with pytest.raises(SettingError, match="No column 'z'"):
        NaiveBayes(distributions={"z": "kernel"}).learn(numbers([1, 2], [0, 1]))
    with pytest.raises(SettingError, match=r"'x' is numeric\. Choose one of"):
        NaiveBayes(distributions={"x": "categorical"}).learn(numbers([1, 2], [0, 1]))
    with pytest.raises(SettingError, match="'n0' is nominal, and kernel is for numbers"):
        NaiveBayes(distributions={"n0": "kernel"}).learn(names([[0, 1]], [0, 1]))
    with pytest.raises(SettingError, match="alpha above 0"):
        NaiveBayes(numeric="complement", alpha=0).learn(numbers([1, 2], [0, 1]))


def test_a_given_value_prior_is_the_p_of_the_m_estimate() -> None:
    table = names([[0, 0, 1, 1]], [0, 0, 0, 1])
    model = NaiveBayes(smoothing=2, m_prior={"n0": {"u": 3, "v": 1}}).learn(table)
    chances = np.exp(log_joint(model, names([[0]], [0])))[0] / [3 / 4, 1 / 4]
    np.testing.assert_allclose(chances, [(2 + 2 * 0.75) / (3 + 2), (0 + 2 * 0.75) / (1 + 2)])
    with pytest.raises(SettingError, match="Give every value a probability"):
        NaiveBayes(m_prior={"n0": {"u": 1}}).learn(table)


@pytest.mark.parametrize(
    ("distribution", "sentence"),
    [
        (Categorical("n", ((1,), (2,))), "must be 2 numbers for each of 2 classes"),
        (Categorical("x", ((1,), (2,))), "'x' is numeric"),
        (Categorical("n", ((1, -1), (2, 0))), "from 0 up"),
        (Categorical("n", ((1, 1), (2, 0)), prior=(0.5, 0.2)), "must sum to 1"),
        (Gaussian("x", (1, 1), (2, 2), (3, 4)), "no numbers have this weight"),
        (Gaussian("n", (1, 1), (2, 2), (4, 4)), "'n' is nominal"),
        (Cuts("x", (2.0, 1.0), ((1,) * 3,) * 2), "finite and ascending"),
        (Kernel("x", (((1.0, 1), (1.0, 2)), ())), "must increase"),
        (Bag(("x",), "bernoulli", ((2,), (1,)), ((1,), (1,))), "more rows hold it than are known"),
        (Bag(("x",), "complement", ((2,), (1,)), alpha=0.0), "alpha above 0"),
    ],
)
def test_sums_that_no_rows_have_are_refused(distribution: Any, sentence: str) -> None:
    schema = Schema((Nominal("n", ("u", "v")), Numeric("x")), Nominal("y", ("a", "b")))
    with pytest.raises(SchemaError, match=sentence):
        BayesTables(schema, (1, 1), (distribution,))


@pytest.mark.parametrize("kind", ["gaussian", "kernel"])
def test_a_number_too_far_out_for_any_density_goes_to_the_widest_curve(kind: Any) -> None:
    table = numbers([-1, 0, 1, -30, 0, 30, 5], [0, 0, 0, 1, 1, 1, 0])
    model = NaiveBayes(numeric=kind).learn(table)
    far_out = numbers([1e100, 1e160, -1e300, 1e308], [0] * 4)
    np.testing.assert_array_equal(bayes_shares(model, far_out), [[0, 1]] * 4)
    assert predict_codes(model, far_out).tolist() == [1] * 4


def test_a_number_equally_far_from_all_classes_leaves_the_priors() -> None:
    model = NaiveBayes().learn(numbers([-2, -1, 0, 1, 2, 0, -1, 1], [0, 0, 0, 0, 0, 0, 1, 1]))
    same = NaiveBayes().learn(numbers([-1, 1, -1, 1, -1, 1, -1, 1], [0, 0, 0, 0, 0, 0, 1, 1]))
    assert bayes_shares(model, numbers([1e308], [0])).tolist() == [[1, 0]]
    np.testing.assert_allclose(bayes_shares(same, numbers([1e308, np.inf], [0, 0])), [[0.75, 0.25]] * 2)


@pytest.mark.parametrize("many", [2, 51, 52, 53, 1000])
def test_a_kernel_of_equal_cells_is_as_wide_as_the_classes_within(many: int) -> None:
    # The mean of 52 times 0.48, rounded, is not 0.48: what was left made a variance of 1e-34.
    model = NaiveBayes(numeric="kernel").learn(
        numbers([0.48] * many + [0.1, 0.2, 0.3] * 10, [0] * many + [1] * 30)
    )
    kernel = model["x"]
    assert isinstance(kernel, Kernel)
    widths = widths_of(kernel)
    assert widths is not None
    np.testing.assert_allclose(widths[0], np.sqrt(30 * 0.02 / 3 / (many + 30)) * many**-0.2)


def test_what_all_classes_share_does_not_swallow_what_another_column_says() -> None:
    table = cw.read_table(
        {"x": [1.0, 2.0] * 4, "z": ["u", "u", "u", "v", "v", "v", "v", "u"], "y": [*"aaaabbbb"]}, target="y"
    )
    model = NaiveBayes().learn(table)
    row = {"x": 1e12, "z": "u"}
    assert cw.shares(model, [row])[0].tolist() == cw.shares(model, [{"x": None, "z": "u"}])[0].tolist()
    assert cw.row_predictor(model).shares(row) == pytest.approx({"a": 4 / 6, "b": 2 / 6})


def test_by_the_range_no_bell_is_narrower_than_a_sixth_of_the_mean_gap_as_in_weka() -> None:
    # WEKA takes the mean gap between neighbouring numbers for a column's precision. Without that floor the
    # one value of class a would be as wide as the spread within the classes, the two of b hardly anything.
    x = [0.48] * 9 + [0.5, 0.5001] * 2 + [0.1, 0.9]
    y = ["a"] * 9 + ["b"] * 4 + ["c"] * 2
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("y", ("a", "b", "c")))
    model = cw.NaiveBayes(numeric="kernel", bandwidth="range").learn(cw.encode({"x": x, "y": y}, schema))
    (kernel,) = model.distributions
    assert isinstance(kernel, Kernel)
    gap = (0.9 - 0.1) / 4
    assert widths_of(kernel) == pytest.approx((gap / 6, gap / 6, 0.8 / 2**0.5))
    text = cw.derive(model, row={"x": 0.3}).figure("width(x | b)")
    assert text.value == pytest.approx(gap / 6)
    assert text.put_in is not None
    assert value_of(text.put_in) == pytest.approx(gap / 6)
