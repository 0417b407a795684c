"""The same small table by every way in, and the faults of each way."""

from __future__ import annotations

import gzip
import json
import re
import sys
import tomllib
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from clearwood.errors import ColumnError, MissingExtraError, SourceError
from clearwood.table import read_table
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.formats import SOURCES, Source
from clearwood.table.raw import Raw
from clearwood.table.sources.arrays import read_columns
from clearwood.table.sources.opening import read_bytes
from tests.typed import values_of

RECORDS: list[dict[str, Any]] = [
    {"wind": "weak", "humidity": 85.5, "count": 3, "play": "no"},
    {"wind": None, "humidity": None, "count": 1, "play": "yes"},
    {"wind": "strong", "humidity": 70.0, "count": 2, "play": "yes"},
]
COLUMNS = {name: [record[name] for record in RECORDS] for name in RECORDS[0]}


def as_csv(folder: Path) -> Path:
    path = folder / "t.csv"
    pl.DataFrame(RECORDS).write_csv(path)
    return path


def as_parquet(folder: Path) -> Path:
    parquet.write_table(pa.table(COLUMNS), folder / "t.parquet")
    return folder / "t.parquet"


def as_feather(folder: Path) -> Path:
    feather.write_feather(pa.table(COLUMNS), str(folder / "t.feather"))
    return folder / "t.feather"


def as_arrow_stream(folder: Path) -> Path:
    with (
        pa.OSFile(str(folder / "t.arrow"), "wb") as file,
        pa.ipc.new_stream(file, pa.table(COLUMNS).schema) as out,
    ):
        out.write_table(pa.table(COLUMNS))
    return folder / "t.arrow"


def as_json_lines(folder: Path) -> Path:
    (folder / "t.jsonl").write_text("\n\n".join(json.dumps(record) for record in RECORDS) + "\n")
    return folder / "t.jsonl"


def as_json(folder: Path) -> Path:
    (folder / "t.json").write_text(json.dumps(RECORDS, indent=1))
    return folder / "t.json"


def as_query(folder: Path) -> str:
    return f"SELECT * FROM '{as_parquet(folder)}'"


def as_arff(folder: Path) -> Path:
    (folder / "t.arff").write_text(
        "@relation t\n@attribute wind {weak,strong}\n@attribute humidity numeric\n@attribute count numeric\n"
        "@attribute play {no,yes}\n@data\nweak,85.5,3,no\n?,?,1,yes\nstrong,70,2,yes\n"
    )
    return folder / "t.arff"


def as_c45(folder: Path) -> Path:
    (folder / "t.names").write_text(
        "play.\nwind: weak, strong.\nhumidity: continuous.\ncount: continuous.\nplay: no, yes.\n"
    )
    (folder / "t.data").write_text("weak, 85.5, 3, no.\n?, ?, 1, yes.\nstrong, 70, 2, yes.\n")
    return folder / "t.names"


WAYS: dict[str, Any] = {
    "arff": as_arff,
    "C4.5 names": as_c45,
    "csv": as_csv,
    "parquet": as_parquet,
    "feather": as_feather,
    "arrow stream": as_arrow_stream,
    "json lines": as_json_lines,
    "json": as_json,
    "query": as_query,
    "pandas": lambda _: pd.DataFrame(RECORDS),
    "polars": lambda _: pl.DataFrame(RECORDS),
    "lazy polars": lambda _: pl.DataFrame(RECORDS).lazy(),
    "pyarrow": lambda _: pa.table(COLUMNS),
    "records": lambda _: RECORDS,
    "columns": lambda _: COLUMNS,
}


@pytest.mark.parametrize("way", WAYS)
def test_every_source_gives_the_same_table(way: str, tmp_path: Path) -> None:
    table = read_table(WAYS[way](tmp_path), target="play")
    declared = way in ("arff", "C4.5 names")
    winds = ("weak", "strong") if declared else ("strong", "weak")
    assert table.schema["wind"] == Nominal("wind", winds)
    assert table.schema["humidity"] == Numeric("humidity")
    assert table.schema["count"] == Numeric("count")
    assert table.schema.target == Nominal("play", ("no", "yes"))
    assert table.columns["wind"].tolist() == [winds.index("weak"), -1, winds.index("strong")]
    np.testing.assert_array_equal(table.columns["humidity"], [85.5, np.nan, 70])
    assert table.columns["count"].tolist() == [3, 1, 2]


def test_every_kind_of_file_is_among_the_ways(tmp_path: Path) -> None:
    places = [way(tmp_path) for way in WAYS.values()]
    tried = {place.suffix for place in places if isinstance(place, Path)}
    assert {SOURCES[suffix] for suffix in SOURCES} == {
        SOURCES[suffix] for suffix in tried if suffix in SOURCES
    }


def infinite(kind: str) -> Any:
    columns = {"x": [1.0, float("inf")], "y": ["a", "b"]}
    match kind:
        case "pandas":
            return pd.DataFrame(columns)
        case "polars":
            return pl.DataFrame(columns)
        case "pyarrow":
            return pa.table(columns)
        case "columns":
            return columns
        case "records":
            return [{"x": 1.0}, {"x": float("inf")}]
        case "csv":
            return b"x,y\n1,a\ninf,b\n"
        case _:
            return np.array([[1.0], [np.inf]])


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "columns", "records", "csv", "array"])
def test_infinite_numbers_are_refused_by_every_way_in(kind: str) -> None:
    with pytest.raises(SourceError, match="infinite"):
        read_table(infinite(kind))


def test_arrays_and_lists_of_lists_take_names() -> None:
    array = np.array([[1.0, 2.5], [3.0, 4.5]], dtype=np.float32)
    table = read_table(array, names=["a", "b"])
    assert [a.name for a in table.schema.attributes] == ["a", "b"]
    assert np.shares_memory(table.columns["b"], array)
    mixed = read_table([["x", 1], ["y", 2.5]], names=["a", "b"])
    assert mixed.schema.attributes == (Nominal("a", ("x", "y")), Numeric("b"))
    with pytest.raises(SourceError, match="rows of one length"):
        read_table([[1, 2], [3]])


def test_categories_booleans_and_dates_of_frames() -> None:
    frame = pd.DataFrame(
        {
            "size": pd.Categorical(["M", "S"], categories=["S", "M", "L"], ordered=True),
            "kind": pd.Categorical(["b", "a"], categories=["b", "a", "c"]),
            "ok": [True, False],
            "day": pd.to_datetime(["2024-01-31", "2024-02-01"]),
        }
    )
    table = read_table(frame)
    assert table.schema["size"] == Ordinal("size", ("S", "M", "L"))
    assert table.schema["kind"] == Nominal("kind", ("b", "a", "c"))
    assert table.schema["ok"] == Nominal("ok", ("False", "True"))
    assert any("'day' is left out: it holds dates" in note for note in table.notes)


def test_words_for_missing_work_on_tables_in_memory_too() -> None:
    assert read_table([{"x": "none"}, {"x": "a"}], missing=["none"]).columns["x"].tolist() == [-1, 0]


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(SourceError, match="A int is not a table"):
        read_table(3)


def test_a_frame_without_rows_is_refused() -> None:
    with pytest.raises(SourceError, match="the polars frame has no rows"):
        read_table(pl.DataFrame(RECORDS).filter(pl.col("count") > 5))


def test_a_query_can_ask_a_source_by_name(tmp_path: Path) -> None:
    query = "SELECT wind, play FROM source WHERE count < 3"
    for source in (as_csv(tmp_path), pd.DataFrame(RECORDS), RECORDS):
        table = read_table(source, query=query, target="play")
        assert table.schema["wind"] == Nominal("wind", ("strong",))
        assert len(table) == 2


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("SELECT * FROM 'nowhere.csv'", "The query failed"),
        ("SELECT 1 AS a WHERE false", "the query has no rows"),
        ("SELECT FROM WHERE", "The query failed"),
        ("SELECT 1 AS a; SELECT 2 AS a", "A query must be one SELECT"),
        ("SELECT * FROM 'https://example.org/x.csv'", "The query failed"),
    ],
)
def test_a_wrong_query_is_refused(query: str, sentence: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_table(query)
    assert sentence in str(caught.value)


def test_a_query_cannot_write(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="A query must be one SELECT"):
        read_table(query=f"COPY (SELECT 1) TO '{tmp_path / 'out.csv'}'")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"a": 1}\n{"a": \n', "t.jsonl, line 2, column 7 is not JSON"),
        ('{"a": 1}\n[1]\n', "t.jsonl, line 2 must be an object"),
        ('{"a": 1}\n{"a": {"b": 2}}\n', "t.jsonl, line 2: 'a' is not one value but {\"b\": 2}"),
        ('[{"a": 1}, 3]', "t.jsonl, record 2 must be an object"),
        ('[{"a": 1},\n {"a" 3}]', "t.jsonl, line 2, column 7 is not JSON"),
        ("", "t.jsonl holds no records"),
    ],
)
def test_a_fault_in_json_is_named_with_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(text)
    with pytest.raises(SourceError) as caught:
        read_table(path)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_a_damaged_arrow_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"PAR1 but not really")
    with pytest.raises(SourceError, match=f"{name} cannot be read as"):
        read_table(tmp_path / name)


def by_suffix(folder: Path) -> dict[str, Path]:
    """Of each kind of file the example among the ways, by its suffix."""
    places = [way(folder) for way in WAYS.values()]
    return {place.suffix: place for place in places if isinstance(place, Path)}


NEEDY = [suffix for suffix, kind in SOURCES.items() if kind.library]


@pytest.mark.parametrize("suffix", NEEDY)
def test_a_library_that_is_not_installed_is_named(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = next(place for each, place in by_suffix(tmp_path).items() if SOURCES.get(each) == SOURCES[suffix])
    monkeypatch.setitem(sys.modules, SOURCES[suffix].library, None)
    for source in (path, path.open("rb")):
        with pytest.raises(MissingExtraError, match=rf"pip install 'clearwood\[{SOURCES[suffix].extra}\]'"):
            read_table(source)


def test_duckdb_is_named_where_a_query_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtraError, match=r"install duckdb: pip install 'clearwood\[sql\]'"):
        read_table(query="SELECT 1")


@pytest.mark.parametrize("suffix", NEEDY)
def test_the_extra_of_a_reader_brings_its_library(suffix: str) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    extras, kind = project["project"]["optional-dependencies"], SOURCES[suffix]
    brought = [re.split(r"[><=;\[ ]", each)[0].replace("-", "_") for each in extras[kind.extra]]
    assert kind.library.partition(".")[0] in brought
    assert re.search(rf"\b{kind.extra}\b", extras["all"][0])


@pytest.mark.parametrize("suffix", [suffix for suffix, kind in SOURCES.items() if not kind.of_paths])
@pytest.mark.parametrize("named", [True, False])
def test_an_open_file_is_known_by_its_name_or_its_first_bytes(
    suffix: str, named: bool, tmp_path: Path
) -> None:
    path = next(place for each, place in by_suffix(tmp_path).items() if SOURCES.get(each) == SOURCES[suffix])
    source = (path if named else path.rename(tmp_path / "some rows")).open("rb")
    if not named:
        assert SOURCES[suffix].begins
    assert read_table(source, target="play").columns["count"].tolist() == [3, 1, 2]
    packed = BytesIO(gzip.compress((path if named else tmp_path / "some rows").read_bytes()))
    assert read_table(packed, target="play").columns["count"].tolist() == [3, 1, 2]


def test_a_file_that_describes_another_is_read_by_its_path_alone(tmp_path: Path) -> None:
    with as_c45(tmp_path).open("rb") as file, pytest.raises(SourceError, match="Give its path"):
        read_table(file)


def test_a_reader_of_ones_own_gets_open_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_lengths(source: Any) -> Raw:
        return read_columns({"length": list(read_bytes(source)[0].tobytes())[1:], "play": ["a", "b"]})

    monkeypatch.setitem(SOURCES, ".len", Source(read_lengths, begins=b"\x07"))
    table = read_table(BytesIO(bytes([7, 3, 5])), target="play")
    assert table.columns["length"].tolist() == [3, 5]


def test_two_columns_of_one_name_are_refused() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(ColumnError, match="called 'a'"):
        read_table(frame)


def test_a_query_reads_a_text_file_as_read_table_does(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("size,class\n1,yes\n?,no\nabc,NA\n4,yes\n")
    query = f"WITH m AS (SELECT * FROM '{path}') SELECT m.size, class FROM m"
    table = read_table(query=query, target="class", missing="abc")
    assert table.schema.classes == ("no", "yes")
    assert str(table.columns["size"].tolist()) == "[1.0, nan, 4.0]"


def test_a_query_calls_a_text_file_by_its_stem(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("k,x\n1,yes\n2,no\n")
    (tmp_path / "n.csv").write_text("k,y\n1,a\n2,b\n")
    query = f"SELECT m.x, n.y FROM '{tmp_path}/m.csv' JOIN '{tmp_path}/n.csv' ON m.k = n.k ORDER BY m.k"
    assert values_of(read_table(query=query, target="y").schema["x"]) == ("no", "yes")


@pytest.mark.parametrize("text", ['{"a": 1, "b": "x"}\n{"a": 2}\n', '\n[{"a": 1, "b": "x"},\n {"a": 2}]'])
def test_json_in_a_stream_is_known_by_how_it_begins(text: str) -> None:
    table = read_table(text.encode())
    assert table.columns["a"].tolist() == [1, 2]
    assert table.columns["b"].tolist() == [0, -1]


def test_a_brace_does_not_make_a_stream_json() -> None:
    assert list(read_table(b"{a},b\n1,x\n2,y\n").columns) == ["{a}", "b"]


def test_parquet_under_a_name_of_text_is_to_be_renamed(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"PAR1\0\0\0\0PAR1")
    with pytest.raises(SourceError, match=r"a Parquet file\. Save it under a name that ends in \.parquet"):
        read_table(tmp_path / "t.csv")


def test_damaged_parquet_in_a_stream_is_refused() -> None:
    with pytest.raises(SourceError, match="the open file cannot be read as Parquet"):
        read_table(b"PAR1\0\0\0\0PAR1")


def test_a_wrong_encoding_is_blamed() -> None:
    with pytest.raises(SourceError, match="is not in utf-16: it has no zero bytes"):
        read_table(b"x,y\n1,a\n2,b\n", encoding="utf-16")


def test_an_empty_name_is_called_empty() -> None:
    with pytest.raises(SourceError, match="The name of the file is empty"):
        read_table("")
