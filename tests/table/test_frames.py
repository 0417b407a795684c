"""A frame's columns come through as they are, from pandas, polars and pyarrow alike."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import ColumnError, SourceError
from clearwood.table.encoding import code_labels
from clearwood.table.raw import RawColumn, RawNumbers, RawStrings
from clearwood.table.sources.arrays import raw_column
from clearwood.table.sources.frames import is_frame, read_frame

Maker = Callable[[dict[str, list[Any]]], Any]
MAKERS: dict[str, Maker] = {
    "pandas": pd.DataFrame,
    "pandas objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "pandas string[python]": lambda columns: pd.DataFrame(columns, dtype="string[python]"),
    "pandas arrow strings": lambda columns: pd.DataFrame(columns, dtype=pd.ArrowDtype(pa.string())),
    "polars": lambda columns: pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)),
    "polars lazy": lambda columns: pl.LazyFrame(columns, schema=dict.fromkeys(columns, pl.String)),
    "polars categorical": lambda columns: pl.DataFrame(
        columns, schema=dict.fromkeys(columns, pl.Categorical)
    ),
    "pyarrow": lambda columns: pa.table({name: pa.array(c, pa.string()) for name, c in columns.items()}),
    "pyarrow large": lambda columns: pa.table(
        {name: pa.array(c, pa.large_string()) for name, c in columns.items()}
    ),
    "pyarrow views": lambda columns: pa.table(
        {name: pa.array(c, pa.string_view()) for name, c in columns.items()}
    ),
    "pyarrow dictionary": lambda columns: pa.table(
        {name: pa.array(c, pa.string()).dictionary_encode() for name, c in columns.items()}
    ),
    "pyarrow batch": lambda columns: pa.record_batch(
        {name: pa.array(c, pa.string()) for name, c in columns.items()}
    ),
}


def one(frame: Any) -> RawColumn:
    raw = read_frame(frame)
    assert len(raw.columns) == 1
    return raw.columns[0]


def cells(column: RawColumn) -> list[str | None]:
    assert isinstance(column, RawStrings)
    return [None if code < 0 else column.values[code] for code in column.codes]


def numbers(column: RawColumn) -> list[str]:
    assert isinstance(column, RawNumbers)
    return [f"{value:g}" for value in column.values]


@pytest.mark.slow
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@given(st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=20), min_size=1))
def test_strings_come_through_cell_for_cell_in_order_of_appearance(
    make: Maker, texts: list[str | None]
) -> None:
    known = [text for text in texts if text is not None] or ["x"]
    column = one(make({"x": [*texts, known[0]]}))
    assert cells(column) == [*texts, known[0]]
    assert isinstance(column, RawStrings)
    assert column.values == tuple(dict.fromkeys(known))


def test_chunks_and_slices_are_followed() -> None:
    words = [f"word number {i % 7}" if i % 3 else None for i in range(50)]
    chunks = pa.chunked_array(
        [pa.array(words[:20]).slice(3), pa.array(words[20:]), pa.array([], pa.string())]
    )
    assert cells(one(pa.table({"x": chunks}))) == [*words[3:20], *words[20:]]
    dictionaries = pa.chunked_array([pa.array(part).dictionary_encode() for part in (words[:9], words[9:])])
    assert cells(one(pa.table({"x": dictionaries.slice(5)}))) == words[5:]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_numbers_and_nulls_come_through(make: Maker) -> None:
    raw = read_frame(make({"i": [1, 2, 3], "n": [1, None, 3], "f": [0.5, None, 2.0]}))
    assert [numbers(column) for column in raw.columns] == [
        ["1", "2", "3"],
        ["1", "nan", "3"],
        ["0.5", "nan", "2"],
    ]
    assert [column.whole for column in raw.columns if isinstance(column, RawNumbers)] == [True, True, False]


def test_floats_are_not_copied() -> None:
    for frame in (pl.DataFrame({"x": [0.5, 1.5]}), pd.DataFrame({"x": [0.5, 1.5]})):
        column = one(frame)
        assert isinstance(column, RawNumbers)
        assert np.shares_memory(column.values, frame["x"].to_numpy())


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": pd.array([1, None], dtype="Int64")}),
        pd.DataFrame({"x": pd.array([1.0, None], dtype="Float64")}),
        pd.DataFrame({"x": pd.Series([1, None], dtype=pd.ArrowDtype(pa.int64()))}),
        pd.DataFrame({"x": np.array([1, None], dtype=object)}),
        pd.DataFrame({"x": np.array([Decimal(1), pd.NA], dtype=object)}),
        pl.DataFrame({"x": pl.Series([1, None], dtype=pl.Int8)}),
        pl.DataFrame({"x": pl.Series([1, None], dtype=pl.Int128)}),
        pl.DataFrame({"x": pl.Series([Decimal(1), None], dtype=pl.Decimal(10, 2))}),
        pa.table({"x": pa.array([1, None], pa.uint16())}),
    ],
)
def test_every_sort_of_number_with_a_null_becomes_a_float_with_nan(frame: Any) -> None:
    assert numbers(one(frame)) == ["1", "nan"]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": pd.array([True, None, False], dtype="boolean")}),
        pd.DataFrame({"x": np.array([True, None, False], dtype=object)}),
        pl.DataFrame({"x": [True, None, False]}),
        pa.table({"x": [True, None, False]}),
    ],
)
def test_truth_values_are_false_and_true_in_that_order(frame: Any) -> None:
    column = one(frame)
    assert cells(column) == ["True", None, "False"]
    assert isinstance(column, RawStrings)
    assert (column.values, column.declared) == (("False", "True"), True)


def test_a_pandas_category_declares_its_values_and_its_order() -> None:
    sizes = pd.Categorical(["M", None, "S"], categories=["S", "M", "L"], ordered=True)
    column = one(pd.DataFrame({"x": sizes}))
    assert isinstance(column, RawStrings)
    assert (column.values, column.codes.tolist()) == (("S", "M", "L"), [1, -1, 0])
    assert (column.declared, column.ordered) == (True, True)
    plain = one(pd.DataFrame({"x": pd.Categorical([2, 1])}))
    assert isinstance(plain, RawStrings)
    assert (plain.values, plain.declared, plain.ordered) == (("1", "2"), True, False)


def test_a_polars_enum_declares_its_values() -> None:
    column = one(pl.DataFrame({"x": pl.Series(["M", None, "S"], dtype=pl.Enum(["S", "M", "L"]))}))
    assert isinstance(column, RawStrings)
    assert (column.values, column.codes.tolist()) == (("S", "M", "L"), [1, -1, 0])
    assert (column.declared, column.ordered) == (True, False)


def test_an_ordered_arrow_dictionary_is_ordered() -> None:
    array = pa.DictionaryArray.from_arrays(pa.array([1, None, 0]), pa.array(["S", "M", "L"]), ordered=True)
    column = one(pa.table({"x": array}))
    assert isinstance(column, RawStrings)
    assert (column.values, column.declared, column.ordered) == (("S", "M", "L"), True, True)


def test_an_arrow_dictionary_of_numbers_gives_numbers() -> None:
    assert numbers(one(pa.table({"x": pa.array([5, None, 5]).dictionary_encode()}))) == ["5", "nan", "5"]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": pd.to_datetime(pd.Series(["2024-02-01", None, "2024-01-31", "2024-02-01"]))}),
        pl.DataFrame({"x": [dt.date(2024, 2, 1), None, dt.date(2024, 1, 31), dt.date(2024, 2, 1)]}),
        pd.DataFrame({"x": [dt.date(2024, 2, 1), None, dt.date(2024, 1, 31), dt.date(2024, 2, 1)]}),
    ],
)
def test_dates_are_written_out_and_marked(frame: Any) -> None:
    column = one(frame)
    assert cells(column) == ["2024-02-01", None, "2024-01-31", "2024-02-01"]
    assert isinstance(column, RawStrings)
    assert column.dates


def test_mixed_objects_become_strings() -> None:
    frame = pd.DataFrame({"x": np.array(["a", 1, 1.0, None, True, 0.5, "1"], dtype=object)})
    assert cells(one(frame)) == ["a", "1", "1", None, "True", "0.5", "1"]


def test_names_that_are_numbers_become_text() -> None:
    assert read_frame(pd.DataFrame([[1, 2]])).names == ("0", "1")


def test_a_column_of_nulls_is_empty_numbers() -> None:
    for frame in (
        pd.DataFrame({"x": [None, None]}),
        pl.DataFrame({"x": [None, None]}),
        pa.table({"x": pa.nulls(2)}),
    ):
        assert numbers(one(frame)) == ["nan", "nan"]


def test_marks_of_missing_may_be_named() -> None:
    raw = read_frame(
        pd.DataFrame({"x": ["a", "?", "b"], "y": pd.Categorical(["?", "p", "?"])}), missing=["?"]
    )
    assert [cells(column) for column in raw.columns] == [["a", None, "b"], [None, "p", None]]
    assert [column.values for column in raw.columns if isinstance(column, RawStrings)] == [("a", "b"), ("p",)]


# ---- what is refused


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pd.DataFrame([[1, 2]], columns=["1", 1]).rename(columns={"1": "a", 1: "a"}),
        pa.table([[1], [2]], names=["a", "a"]),
    ],
)
def test_two_columns_of_one_name_are_refused(frame: Any) -> None:
    with pytest.raises(ColumnError, match="are called 'a'"):
        read_frame(frame)


def test_names_that_become_the_same_text_are_refused() -> None:
    with pytest.raises(ColumnError, match="are called '1'"):
        read_frame(pd.DataFrame([[1, 2]], columns=["1", 1]))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_an_infinite_number_is_refused_with_its_column_and_row(make: Maker) -> None:
    with pytest.raises(SourceError, match=r"column 'x', row 3: -inf is infinite"):
        read_frame(make({"w": [1.0, 2.0, 3.0], "x": [1.0, float("nan"), float("-inf")]}))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": [1 + 2j]}),
        pd.DataFrame({"x": pd.to_timedelta([1])}),
        pd.DataFrame({"x": [[1, 2]]}),
        pl.DataFrame({"x": [[1, 2]]}),
        pl.DataFrame({"x": [{"a": 1}]}),
        pa.table({"x": [b"bytes"]}),
    ],
)
def test_a_column_of_another_type_is_refused_by_name(frame: Any) -> None:
    with pytest.raises(SourceError, match=r"the \w+ frame, column 'x'"):
        read_frame(frame)


def test_half_a_surrogate_pair_is_refused_with_its_column_and_row() -> None:
    cells = np.array(["a", None, "b\ud800"], object)
    sentence = r"column 'x', row 3: 'b\\ud800' is broken text"
    with pytest.raises(SourceError, match=sentence):
        read_frame(pd.DataFrame({"x": pd.Series(cells, dtype=object)}))
    with pytest.raises(SourceError, match=sentence):
        raw_column(cells, "x", "the array")
    with pytest.raises(SourceError, match=r"y, row 3: 'b\\ud800' is broken text"):
        code_labels(cells)


def test_a_frame_without_columns_and_a_thing_that_is_no_frame_are_refused() -> None:
    with pytest.raises(SourceError, match="has no columns"):
        read_frame(pd.DataFrame())
    with pytest.raises(SourceError, match="A set is not a table"):
        read_frame({1, 2})


def test_frames_are_known_by_type_and_no_frame_library_is_imported_for_it() -> None:
    assert all(is_frame(make({"x": ["a"]})) for make in MAKERS.values())
    assert not is_frame([1])
    code = (
        "import sys; from clearwood.table.sources import arrays, csv, frames;"
        "print({'pandas', 'polars', 'pyarrow', 'narwhals'} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"


@pytest.mark.parametrize("kind", ["int8", "uint16", "int64", "uint64", "float32", "float64"])
@pytest.mark.parametrize("gap", [False, True])
def test_numbers_of_arrow_are_read_from_any_part_and_chunk(kind: str, gap: bool) -> None:
    cells: list[float | None] = [7, 1, None if gap else 2, 3, 4, 5]
    first, second = pa.array(cells[:3], kind), pa.array(cells[3:], kind)
    for column, expected in (
        (pa.chunked_array([first, second]), cells),
        (pa.chunked_array([first, second])[1:5], cells[1:5]),
        (pa.chunked_array([pa.array(cells, kind)])[2:], cells[2:]),
    ):
        (read,) = read_frame(pa.table({"x": column})).columns
        assert isinstance(read, RawNumbers)
        np.testing.assert_array_equal(read.values, np.array(expected, float))


@pytest.mark.slow
def test_blocks_of_a_parquet_file_are_read_without_pandas(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1.5, None], "k": [1, None], "b": [True, False]}), tmp_path / "d.parquet")
    script = (
        "import sys; from clearwood.table.sources.blocks import blocks_of; "
        f"assert len(list(blocks_of({str(tmp_path / 'd.parquet')!r}, {{}}))) == 1; "
        "sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
