"""PCA beside scikit-learn's, with weights, missing cells and odd columns."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

import clearwood as cw
from clearwood.errors import ColumnError, LearningError
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.typed import mistyped


def numbers(rows: int = 80, columns: int = 5, seed: int = 0) -> Table:
    random = np.random.default_rng(seed)
    mixed = random.normal(size=(rows, columns)) @ random.normal(size=(columns, columns)) * 100 + 7
    names = [f"x{k}" for k in range(columns)]
    cells = dict(zip(names, mixed.T.copy(), strict=True))
    return Table(Schema(tuple(map(Numeric, names))), cells)


def matrix(table: Table) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.column_stack([table.columns[each.name] for each in table.schema.inputs])


def test_the_components_are_those_of_scikit_learn_on_standardised_numbers() -> None:
    table = numbers()
    scaled = StandardScaler().fit_transform(matrix(table))
    peer = PCA().fit(scaled)
    ours = cw.pca(table)
    np.testing.assert_allclose(ours.shares, peer.explained_variance_ratio_)
    np.testing.assert_allclose(np.abs(ours.weights), np.abs(peer.components_), atol=1e-9)
    np.testing.assert_allclose(np.abs(ours.scores(table)), np.abs(peer.transform(scaled)), atol=1e-9)


def test_correlations_are_those_of_the_columns_with_the_scores() -> None:
    table = numbers()
    ours = cw.pca(table, components=2)
    assert len(ours) == 2
    scores = ours.scores(table)
    for k in range(2):
        for place, name in enumerate(ours.columns):
            together = np.corrcoef(table.columns[name], scores[:, k])[0, 1]
            assert ours.correlations[k][place] == pytest.approx(together)


def test_the_largest_weight_of_each_component_is_positive() -> None:
    for weights in cw.pca(numbers(seed=3)).weights:
        assert max(weights, key=abs) > 0


def test_a_row_of_weight_three_counts_as_three_rows() -> None:
    table = numbers()
    weights = np.random.default_rng(1).integers(1, 4, 80)
    heavy = cw.pca(Table(table.schema, table.columns, weights.astype(np.float64)))
    apart = cw.pca(table.take(np.repeat(np.arange(80), weights)))
    np.testing.assert_allclose(heavy.variances, apart.variances)
    np.testing.assert_allclose(heavy.means, apart.means)


def test_empty_cells_count_as_the_mean_and_columns_that_do_not_vary_are_left_out_aloud() -> None:
    table = numbers()
    cells = table.columns["x0"].copy()
    cells[:10] = np.nan
    columns = {**table.columns, "x0": cells, "flat": np.full(80, 3.0), "void": np.full(80, np.nan)}
    schema = Schema((*table.schema.attributes, Numeric("flat"), Numeric("void")))
    ours = cw.pca(Table(schema, columns))
    assert ours.columns == ("x0", "x1", "x2", "x3", "x4")
    assert ours.notes == (
        "Left out, since they do not vary: flat, void.",
        "10 empty cells counted as the column's mean.",
    )
    filled = np.where(np.isnan(cells), np.nanmean(cells), cells)
    assert ours.scores(Table(schema, {**columns, "x0": filled})) == pytest.approx(
        ours.scores(Table(schema, columns))
    )


def test_huge_numbers_do_not_overflow() -> None:
    table = numbers()
    wide = Table(table.schema, {**table.columns, "x1": table.columns["x1"] * 1e200})
    np.testing.assert_allclose(cw.pca(wide).shares, cw.pca(table).shares)


def test_it_reads_as_a_table_and_as_json() -> None:
    ours = cw.pca(numbers())
    assert str(ours).splitlines()[0] == "5 components of 5 columns, 80 rows"
    assert "correlation with" in str(ours)
    assert len(json.loads(json.dumps(ours.to_json()))["components"]) == 5


def test_fewer_than_two_numbers_are_refused_with_the_way_out() -> None:
    table = cw.read_table({"a": list("uvuv"), "b": [1.5, 2.5, 3.5, 4.5]})
    with pytest.raises(LearningError, match="For nominal columns use mca"):
        cw.pca(table)


def test_what_is_no_table_or_has_no_rows_is_refused() -> None:
    for verb in (cw.pca, cw.mca):
        with pytest.raises(LearningError, match="takes a Table, not dict"):
            verb(mistyped({"x": [1]}))
        with pytest.raises(LearningError, match="no rows with a weight"):
            verb(numbers().take(np.array([], dtype=np.int64)))


def test_scores_of_rows_whose_column_is_of_another_kind_are_refused() -> None:
    ours = cw.pca(numbers(columns=2))
    other = Table(
        Schema((Numeric("x0"), Nominal("x1", ("a",)))),
        {"x0": np.ones(2), "x1": np.zeros(2, dtype=np.int32)},
    )
    with pytest.raises(ColumnError, match="Column 'x1' is nominal here"):
        ours.scores(other)
