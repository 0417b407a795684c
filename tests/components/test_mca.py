"""MCA beside the plain version: a singular value decomposition of the table of zeros and ones."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import clearwood as cw
from clearwood.arrays import Floats
from clearwood.errors import ColumnError, LearningError
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.shared_data import csv_path
from tests.trees import tennis_table
from tests.typed import sure


def nominal(rows: int = 120, seed: int = 0) -> Table:
    random = np.random.default_rng(seed)
    hidden = random.integers(0, 3, rows)
    cells = {
        f"c{k}": np.where(
            random.random(rows) < 0.5, hidden % (k + 2), random.integers(0, k + 2, rows)
        ).astype(np.int32)
        for k in range(4)
    }
    return Table(Schema(tuple(Nominal(f"c{k}", tuple("abcde"[: k + 2])) for k in range(4))), cells)


def naive(table: Table) -> tuple[Floats, Floats, Floats]:
    """[axis] inertias, [row, axis] and [value, axis] places."""
    columns = [sure(Nominal, each) for each in table.schema.inputs]
    blocks = [np.eye(len(each.values))[table.columns[each.name]] for each in columns]
    ones = np.concatenate(blocks, axis=1)
    part = ones / ones.sum()
    rows, values = part.sum(axis=1), part.sum(axis=0)
    apart = (part - np.outer(rows, values)) / np.sqrt(np.outer(rows, values))
    left, singular, right = np.linalg.svd(apart, full_matrices=False)
    places = left * singular / np.sqrt(rows)[:, None]
    return singular**2, places, right.T * singular / np.sqrt(values)[:, None]


def test_inertias_and_places_are_those_of_the_plain_version() -> None:
    table = nominal()
    inertias, rows, values = naive(table)
    ours = cw.mca(table)
    size = len(ours)
    assert size == sum(range(2, 6)) - 4
    np.testing.assert_allclose(ours.inertias, inertias[:size])
    np.testing.assert_allclose(np.abs(ours.scores(table)), np.abs(rows[:, :size]), atol=1e-8)
    np.testing.assert_allclose(np.abs([each.at for each in ours.values]), np.abs(values[:, :size]), atol=1e-8)


def test_inertias_add_up_and_contributions_to_one() -> None:
    ours = cw.mca(nominal())
    assert sum(ours.inertias) == pytest.approx(14 / 4 - 1)
    assert sum(ours.shares) == pytest.approx(1)
    for axis in range(len(ours)):
        assert sum(each.contributions[axis] for each in ours.values) == pytest.approx(1)
        assert np.mean(ours.ratios[axis]) == pytest.approx(ours.inertias[axis])


def test_a_correlation_ratio_is_the_part_of_the_scores_variance_between_the_values() -> None:
    table = nominal()
    ours = cw.mca(table)
    scores = ours.scores(table)[:, 0]
    for place, name in enumerate(ours.columns):
        cells = table.columns[name]
        means = np.array([scores[cells == code].mean() for code in range(cells.max() + 1)])
        assert ours.ratios[0][place] == pytest.approx(means[cells].var() / scores.var())


def test_two_columns_are_simple_correspondence_analysis_by_the_adjusted_inertias() -> None:
    table = nominal()
    two = Table(Schema(table.schema.attributes[1:3]), {name: table.columns[name] for name in ("c1", "c2")})
    counts = np.zeros((3, 4))
    np.add.at(counts, (two.columns["c1"], two.columns["c2"]), 1)
    part = counts / counts.sum()
    rows, values = part.sum(axis=1), part.sum(axis=0)
    simple = np.linalg.svd((part - np.outer(rows, values)) / np.sqrt(np.outer(rows, values)))[1] ** 2
    adjusted = np.array(cw.mca(two).adjusted)
    np.testing.assert_allclose(adjusted[:2], (simple / simple.sum())[:2], atol=1e-9)


def test_a_row_of_weight_three_counts_as_three_rows() -> None:
    table = nominal()
    weights = np.random.default_rng(1).integers(0, 4, 120)
    heavy = cw.mca(Table(table.schema, table.columns, weights.astype(np.float64)))
    apart = cw.mca(table.take(np.repeat(np.arange(120), weights)))
    np.testing.assert_allclose(heavy.inertias, apart.inertias)
    np.testing.assert_allclose(
        [each.at for each in heavy.values], [each.at for each in apart.values], atol=1e-8
    )


def test_a_missing_cell_is_a_value_of_its_own_and_a_flat_column_is_left_out() -> None:
    table = nominal()
    cells = table.columns["c0"].copy()
    cells[:20] = -1
    schema = Schema((*table.schema.attributes, Nominal("flat", ("a", "b"))))
    flat = np.zeros(120, dtype=np.int32)
    ours = cw.mca(Table(schema, {**table.columns, "c0": cells, "flat": flat}))
    own = [each for each in ours.values if each.column == "c0"]
    assert [each.value for each in own] == ["a", "b", "(missing)"]
    assert own[2].part == pytest.approx(20 / 120)
    assert ours.notes == ("Left out, since they do not vary: flat.",)


def test_a_value_that_was_not_there_counts_as_the_centre() -> None:
    ours = cw.mca(tennis_table())
    table = cw.encode(
        [{"Outlook": "Foggy", "Temperature": "?", "Humidity": "Dry", "Wind": "None"}], tennis_table().schema
    )
    assert ours.scores(table).tolist() == [[0.0] * len(ours)]


def test_it_reads_as_a_table_and_as_json() -> None:
    ours = cw.mca(tennis_table(), components=2)
    assert str(ours).splitlines()[0] == "2 axes of 4 columns, 14 rows"
    assert "axis 1: above 0 Temperature = Cool" in str(ours)
    assert len(json.loads(json.dumps(ours.to_json()))["values"]) == 10


def test_fewer_than_two_nominal_columns_and_too_many_values_are_refused() -> None:
    with pytest.raises(LearningError, match="For numbers use pca"):
        cw.mca(cw.read_table({"a": list("uvuv"), "b": [1.5, 2.5, 3.5, 4.5]}))
    many = Nominal("m", tuple(map(str, range(2000))))
    codes = np.arange(2000, dtype=np.int32)
    wide = Table(Schema((many, Nominal("n", many.values))), {"m": codes, "n": codes})
    with pytest.raises(LearningError, match=r"4,000 values together.*the limit is 3,000"):
        cw.mca(wide)


def test_scores_of_rows_whose_column_is_of_another_kind_are_refused() -> None:
    table = cw.read_table(
        {"Outlook": [1.5, 2.5], "Temperature": [1.5, 2.5], "Humidity": [1.5, 3], "Wind": [1.5, 3]}
    )
    with pytest.raises(ColumnError, match="Column 'Outlook' is numeric here"):
        cw.mca(tennis_table()).scores(table)


def test_as_a_step_of_a_pipeline_it_comes_before_our_estimators() -> None:
    frame = pd.read_csv(cw.datasets.path("tennis"))
    X, y = frame.drop(columns="PlayTennis"), frame["PlayTennis"]  # noqa: N806
    step = cw.MCATransformer(n_components=3)
    assert clone(step).get_params() == {"n_components": 3}
    places = step.fit_transform(X)
    np.testing.assert_allclose(places, cw.mca(tennis_table(), components=3).scores(tennis_table()), atol=1e-9)
    assert step.get_feature_names_out().tolist() == ["axis 1", "axis 2", "axis 3"]
    pipeline = make_pipeline(cw.MCATransformer(3), cw.CARTClassifier())
    assert cross_val_score(pipeline, X, y, cv=3).shape == (3,)
    assert pipeline.fit(X, y).predict(X.head(2).replace("Sunny", "Foggy")).shape == (2,)


def test_the_transformer_takes_arrays_numbers_as_values_and_missing_cells() -> None:
    X = np.array([[1, "a"], [2, "b"], [np.nan, "b"], [1, None]], dtype=object)  # noqa: N806
    step = cw.MCATransformer(n_components=None).fit(X)
    assert {each.value for each in step.axes_.values if each.column == "x0"} == {"1", "2", "(missing)"}
    assert step.transform(X).shape == (4, len(step.axes_))


@pytest.mark.slow
def test_fifty_thousand_rows_take_no_more_than_seconds() -> None:
    table = cw.read_table(csv_path("adult"), target="class")
    assert len(cw.mca(table, components=2)) == 2
