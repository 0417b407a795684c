"""Row weights have a meaning, and a table holds them on the scale of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import SchemaError
from clearwood.table import encode, read_table
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema, effective_rows
from clearwood.table.schema_file import load_schema, save_schema, schema_from_json, schema_to_json
from clearwood.table.table import Table, as_counts

_WEIGHTS = st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=30).map(np.array)
_ROWS = {"x": ["a", "b", "a", "c"], "w": [4.0, 1.0, 2.0, 1.0], "y": ["n", "p", "p", "n"]}


def _table(weights: Any, weights_are: Any = None) -> Table:
    schema = Schema((), Nominal("y", ("n", "p")))
    codes = (np.arange(len(weights)) % 2).astype(np.int32)
    return Table(schema, {"y": codes}, np.asarray(weights), weights_are=weights_are)


def test_weights_count_equal_rows_where_nobody_says_otherwise() -> None:
    table = read_table(_ROWS, target="y", weight="w")
    assert table.weights is not None
    assert (table.weights_are, table.weights.tolist()) == ("counts", _ROWS["w"])
    assert read_table(_ROWS, target="y").weights_are is None


@given(_WEIGHTS)
def test_sampling_weights_add_up_to_kishs_effective_number(weights: Any) -> None:
    actual = _table(weights, "sampling").weights
    assert actual is not None
    assert actual.sum() == pytest.approx(weights.sum() ** 2 / (weights**2).sum(), rel=1e-9)
    assert actual / actual.sum() == pytest.approx(weights / weights.sum(), rel=1e-9)


@given(_WEIGHTS)
def test_importance_weights_add_up_to_the_rows_that_have_some(weights: Any) -> None:
    actual = _table([*weights, 0.0], "importance").weights
    assert actual is not None
    assert actual.sum() == pytest.approx(len(weights), rel=1e-9)


@given(_WEIGHTS, st.sampled_from(["sampling", "importance"]), st.floats(1e-6, 1e6))
def test_the_unit_of_such_weights_does_not_matter(weights: Any, weights_are: str, unit: float) -> None:
    one, other = _table(weights, weights_are).weights, _table(weights * unit, weights_are).weights
    assert one == pytest.approx(other, rel=1e-9)


@pytest.mark.parametrize("weights_are", ["sampling", "importance"])
@pytest.mark.parametrize("weight", [0.1, 3.7, 1e200, 1e-200])
def test_equal_weights_count_exactly_one(weights_are: str, weight: float) -> None:
    actual = _table([weight] * 7, weights_are).weights
    assert actual is not None
    assert actual.tolist() == [1.0] * 7


@given(_WEIGHTS, st.sampled_from(["counts", "sampling", "importance"]))
def test_scaled_weights_stay_as_they_are_to_the_last_bit(weights: Any, weights_are: str) -> None:
    table = _table(weights, weights_are)
    again = table.take(np.arange(len(table)))
    assert table.weights is not None
    assert again.weights is not None
    assert (again.weights_are, again.weights.tolist()) == (weights_are, table.weights.tolist())


def test_a_part_of_the_rows_is_scaled_by_its_own_rows() -> None:
    part = _table([8.0, 1.0, 1.0, 1.0], "sampling").take(np.array([1, 2, 3]))
    assert part.weights is not None
    assert part.weights.tolist() == [1.0, 1.0, 1.0]


def test_parts_that_are_added_up_again_keep_one_scale() -> None:
    table = _table([8.0, 1.0, 1.0, 1.0], "sampling")
    part = as_counts(table).take(np.array([1, 2, 3]))
    assert table.weights is not None
    assert part.weights is not None
    assert part.weights.tolist() == table.weights[1:].tolist()


def test_rows_without_a_target_do_not_count() -> None:
    rows = {"x": [1.0, 2.0, 3.0], "w": [1.0, 1.0, 50.0], "y": ["n", "p", None]}
    actual = read_table(rows, target="y", weight="w", weights_are="sampling", kinds={"x": "numeric"}).weights
    assert actual is not None
    assert actual.tolist() == [1.0, 1.0]


def test_the_effective_number_of_no_weight_is_zero() -> None:
    assert effective_rows(np.zeros(3)) == effective_rows(np.empty(0)) == 0.0


@pytest.mark.parametrize(("cell", "sentence"), [(-1.0, "is negative"), (None, "is missing")])
@pytest.mark.parametrize("weights_are", ["counts", "sampling", "importance"])
def test_wrong_weights_are_refused_whatever_they_mean(cell: Any, sentence: str, weights_are: str) -> None:
    with pytest.raises(SchemaError, match=sentence):
        read_table({**_ROWS, "w": [1.0, 2.0, cell, 1.0]}, target="y", weight="w", weights_are=weights_are)


@pytest.mark.parametrize("weights_are", ["counts", "sampling", "importance"])
def test_weights_that_are_all_zero_are_refused_whatever_they_mean(weights_are: str) -> None:
    with pytest.raises(SchemaError, match="is zero in every row"):
        read_table({**_ROWS, "w": [0.0] * 4}, target="y", weight="w", weights_are=weights_are)


def test_another_meaning_is_refused_with_those_there_are() -> None:
    with pytest.raises(SchemaError, match=r"'samplin'. Did you mean 'sampling'\?"):
        read_table(_ROWS, target="y", weight="w", weights_are="samplin")
    with pytest.raises(SchemaError, match="counts, sampling, importance"):
        _table([1.0], "frequency")


def test_a_meaning_without_a_column_of_weights_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"weights_are='sampling' .* weight='…'"):
        read_table(_ROWS, target="y", weights_are="sampling")


def test_the_schema_keeps_the_meaning_in_its_file_and_for_other_rows(tmp_path: Any) -> None:
    table = read_table(_ROWS, target="y", weight="w", weights_are="sampling")
    place = save_schema(table.schema, tmp_path / "schema.json")
    assert load_schema(place) == table.schema
    for again in (read_table(_ROWS, schema=place), encode(_ROWS, table.schema)):
        assert again.weights_are == "sampling"
        assert again.weights == pytest.approx(table.weights)
    assert read_table(_ROWS, schema=place, weights_are="counts").weights_are == "counts"


def test_a_schema_file_of_before_says_no_meaning() -> None:
    old = schema_to_json(Schema((), Nominal("y", ("n", "p")), "w"))
    assert "weights_are" not in old
    assert schema_from_json(old).weights_are is None
    with pytest.raises(SchemaError, match="weights_are"):
        schema_from_json({**old, "weights_are": "often"})


def _guessed(rows: dict[str, Any], **more: Any) -> tuple[str | None, str]:
    table = read_table(rows, target="y", weight="w", weights_are="guess", **more)
    return table.weights_are, " ".join(note for note in table.notes if "weights" in note)


def test_weights_that_are_not_whole_are_guessed_to_be_sampling_weights() -> None:
    meaning, note = _guessed({**_ROWS, "w": [4.0, 1.5, 2.0, 1.0]})
    assert meaning == "sampling"
    assert "they are not whole numbers (row 2 has 1.5)" in note
    assert "weights_are='counts'" in note


def test_whole_weights_of_rows_that_all_differ_are_guessed_to_be_counts() -> None:
    meaning, note = _guessed({**_ROWS, "x": ["a", "b", "c", "d"]})
    assert meaning == "counts"
    assert "4 rows count as 8." in note
    assert "weights_are='sampling'" in note


def test_whole_weights_of_equal_rows_are_guessed_to_be_sampling_weights() -> None:
    meaning, note = _guessed({**_ROWS, "y": ["n", "p", "n", "p"]})
    assert meaning == "sampling"
    assert "rows 1 and 3 are equal apart from the weight" in note
    assert "4 rows count as 2.90909." in note  # 8² ÷ 22


def test_equal_missing_cells_make_rows_equal_and_so_do_both_zeros() -> None:
    rows = {"x": [None, -0.0, None, 0.0], "w": [1, 2, 3, 4], "y": ["n", "p", "p", "p"]}
    assert _guessed(rows, kinds={"x": "numeric"})[1].startswith("The weights 'w' are taken as sampling")
    assert "rows 2 and 4" in _guessed(rows, kinds={"x": "numeric"})[1]


def test_a_column_left_out_by_hand_still_tells_counted_rows_apart() -> None:
    rows = {**_ROWS, "x": ["a", "b", "a", "b"], "z": ["k", "k", "l", "l"], "y": ["n", "n", "n", "p"]}
    assert _guessed(rows, ignore="z")[0] == "counts"


def test_a_column_that_numbers_the_rows_does_not() -> None:
    rows = {"id": list(range(1, 41)), "x": ["a", "b"] * 20, "w": [3, 5] * 20, "y": ["n", "p"] * 20}
    table = read_table(rows, target="y", weight="w", weights_are="guess")
    assert [each.name for each in table.schema.inputs] == ["x"]
    assert table.weights_are == "sampling"


def test_a_schema_that_says_the_meaning_leaves_nothing_to_guess() -> None:
    schema = read_table(_ROWS, target="y", weight="w", weights_are="importance").schema
    table = read_table(_ROWS, schema=schema, weights_are="guess")
    assert table.weights_are == "importance"
    assert not any("weights" in note for note in table.notes)
