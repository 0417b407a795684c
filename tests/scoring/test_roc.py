"""Rankings: the area under a curve is a count of pairs, whatever the ties and weights."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.scoring.roc import Roc, RocCurve, _curve
from tests.shared_data import load_shared

rows = st.lists(
    st.tuples(st.sampled_from((0.0, 0.1, 0.25, 0.5, 1.0)), st.booleans(), st.integers(1, 4)),
    min_size=2,
    max_size=25,
).filter(lambda scored: len({own for _, own, _ in scored}) == 2)


def curve_of(actual: list[tuple[float, bool, int]]) -> RocCurve:
    share, own, weights = zip(*actual, strict=True)
    return _curve("b", np.array(share), np.array(own), np.array(weights, dtype=float))


@pytest.mark.slow
@given(rows)
@settings(max_examples=150, deadline=None)
def test_the_area_is_the_part_of_pairs_ranked_right_ties_counting_half(
    scored: list[tuple[float, bool, int]],
) -> None:
    right = whole = 0.0
    for (one, own, w), (two, other, v) in product(scored, scored):
        if own and not other:
            whole += w * v
            right += w * v * (1.0 if one > two else 0.5 if one == two else 0.0)
    assert curve_of(scored).auc == pytest.approx(right / whole, abs=1e-12)


@pytest.mark.slow
@given(rows)
@settings(max_examples=40, deadline=None)
def test_areas_and_precisions_are_those_of_scikit_learn(scored: list[tuple[float, bool, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    share, own, weights = zip(*scored, strict=True)
    curve = curve_of(scored)
    assert curve.auc == pytest.approx(metrics.roc_auc_score(own, share, sample_weight=weights), abs=1e-12)
    average = metrics.average_precision_score(own, share, sample_weight=weights)
    assert curve.average_precision == pytest.approx(average, abs=1e-12)


@given(rows)
@settings(max_examples=60, deadline=None)
def test_a_weight_is_a_repeated_row(scored: list[tuple[float, bool, int]]) -> None:
    repeated = [(share, own, 1) for share, own, weight in scored for _ in range(weight)]
    one, two = curve_of(scored), curve_of(repeated)
    assert one.hits.tolist() == two.hits.tolist()
    assert one.alarms.tolist() == two.alarms.tolist()


def test_every_class_of_iris_is_ranked_as_scikit_learn_ranks_it() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    table = load_shared("iris")
    model = cw.NaiveBayes().learn(table)
    actual = cw.roc(model, table)
    shares = cw.shares(model, table)
    assert [curve.name for curve in actual.curves] == list(table.schema.classes)
    for code, curve in enumerate(actual.curves):
        expected = metrics.roc_auc_score(table.target == code, shares[:, code])
        assert curve.auc == pytest.approx(expected, abs=1e-12)


def two_rows(**more: list[str]) -> cw.Table:
    return cw.read_table({"x": [1, 1, 2, 2], "y": list("aabb"), **more}, target="y")


def test_a_model_that_tells_all_apart_has_the_whole_area() -> None:
    table = two_rows()
    (curve,) = cw.roc(cw.C45(min_rows=1, prune=False).learn(table), table).curves
    assert (curve.name, curve.auc, curve.average_precision) == ("b", 1.0, 1.0)


def test_rows_of_one_class_only_are_refused_with_its_name() -> None:
    table = two_rows()
    model = cw.NaiveBayes().learn(table)
    with pytest.raises(cw.errors.SchemaError, match="all of these are a"):
        cw.roc(model, table.take(np.array([0, 1])))


def test_classes_without_rows_are_named_and_rows_without_class_counted() -> None:
    table = cw.read_table({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "b", "c", None]}, target="y")
    model = cw.NaiveBayes().learn(table)
    curve = cw.roc(model, {"x": [1.0, 2.0, 4.0], "y": ["a", "b", None]})
    assert isinstance(curve, Roc)
    assert (curve.absent, curve.left_out, curve.weight) == (("c",), 1, 2.0)
    assert "without rows: c" in str(curve)


def test_numbers_are_refused() -> None:
    table = cw.read_table({"x": [1.0, 2.0, 3.0, 4.5], "y": [1.5, 2.5, 3.5, 4.5]}, target="y")
    tree = cw.CART(min_rows=2).learn(table)
    with pytest.raises(cw.errors.ClearwoodError):
        cw.roc(tree, table)
