"""Files that lie, change, grow or are damaged get a sentence; nothing is merged in silence."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from clearwood.errors import Advice, SettingError, SourceError
from clearwood.table import encode, read_table
from clearwood.table.attributes import Nominal
from tests.typed import values_of

COLUMNS = {"a": ["xx", "yy", "zz"] * 4, "n": [1.5, 2.5, 3.5] * 4, "k": ["p", "q", "r"] * 4}
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


def as_stream(columns: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    table = pa.table(columns)
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


# ---- Arrow


def test_an_arrow_file_with_wild_offsets_is_refused(tmp_path: Path) -> None:
    data = bytearray(as_stream(COLUMNS))
    place = bytes(data).index(struct.pack("<4i", 0, 2, 4, 6))
    data[place + 4 : place + 8] = struct.pack("<i", 2**30)
    (tmp_path / "evil.arrow").write_bytes(data)
    with pytest.raises(SourceError, match=r"evil.arrow cannot be read as Arrow: .*offset"):
        read_table(tmp_path / "evil.arrow")


def test_a_dictionary_code_beyond_its_values_is_refused(tmp_path: Path) -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1] * 4, pa.int8()), pa.array(["u", "v", "w"]))
    data = bytearray(as_stream({"a": column}))
    place = bytes(data).rindex(bytes([0, 1, 2, 1] * 4))
    data[place] = 100
    (tmp_path / "evil.arrow").write_bytes(data)
    with pytest.raises(SourceError, match=r"evil.arrow cannot be read as Arrow: "):
        read_table(tmp_path / "evil.arrow")


@pytest.mark.parametrize("ending", PACKERS)
@pytest.mark.parametrize("kind", ["parquet", "arrow", "feather", "jsonl", "arff"])
def test_every_format_is_read_packed(tmp_path: Path, kind: str, ending: str) -> None:
    plain = tmp_path / f"t.{kind}"
    match kind:
        case "parquet":
            parquet.write_table(pa.table(COLUMNS), plain)
        case "arrow":
            plain.write_bytes(as_stream(COLUMNS))
        case "feather":
            feather.write_feather(pa.table(COLUMNS), str(plain))
        case "jsonl":
            pl.DataFrame(COLUMNS).write_ndjson(plain)
        case "arff":
            rows = "\n".join(f"{a},{n},{k}" for a, n, k in zip(*COLUMNS.values(), strict=True))
            head = "@relation r\n@attribute a {xx,yy,zz}\n@attribute n numeric\n@attribute k {p,q,r}\n@data\n"
            plain.write_text(head + rows)
    packed = tmp_path / f"t.{kind}.{ending}"
    packed.write_bytes(PACKERS[ending](plain.read_bytes()))
    table = read_table(packed, target="k")
    assert table.columns["n"].tolist() == COLUMNS["n"]
    assert table.columns["a"].tolist() == [0, 1, 2] * 4


# ---- files that change, and files that are too large


@pytest.mark.slow
def test_a_file_that_is_cut_short_while_it_is_read_gets_a_sentence(tmp_path: Path) -> None:
    """In a process of its own, since a mapped file would end it."""
    path = tmp_path / "big.csv"
    path.write_bytes(b"a,b,c,d,k\n" + b"1.5,abc,2.5,def,x\n" * 2_000_000)
    program = (
        "import sys; from clearwood.table.sources import read_raw\n"
        "from clearwood.errors import SourceError\n"
        "print('ready', flush=True)\n"
        "for turn in range(50):\n"
        "    try: read_raw(sys.argv[1])\n"
        "    except SourceError as error: print(error); break\n"
    )
    running = subprocess.Popen([sys.executable, "-c", program, path], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    time.sleep(0.05)
    os.truncate(path, 1005)
    answer, _ = running.communicate()
    assert running.returncode == 0
    assert "changed while it was read" in answer or "cells where 5 are expected" in answer


def test_a_file_that_changes_under_the_reader_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n2,y\n")
    really, times = os.fstat, iter([0, 1, 2, 3])
    monkeypatch.setattr(os, "fstat", lambda file: _touched(path, really(file), next(times)))
    with pytest.raises(SourceError, match=r"t.csv changed while it was read. Try again"):
        read_table(path)


def _touched(path: Path, state: os.stat_result, turn: int) -> os.stat_result:
    os.utime(path, (turn, turn))
    return state


@pytest.mark.parametrize("ending", PACKERS)
def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"bomb.csv.{ending}"
    path.write_bytes(PACKERS[ending](b"a,b\n" + b"1,x\n" * 100_000))
    with pytest.raises(SourceError, match="unpacks to more than 300 KB") as refused:
        read_table(path, max_bytes="300 KB")
    assert refused.value.advice == (Advice("max_bytes", "600KB"),)
    assert len(read_table(path, max_bytes="1MB")) == 100_000


def test_a_stream_and_a_plain_file_keep_the_limit_too(tmp_path: Path) -> None:
    content = b"a,b\n" + b"1,x\n" * 1000
    (tmp_path / "t.csv").write_bytes(content)
    for source in (io.BytesIO(content), tmp_path / "t.csv"):
        with pytest.raises(SourceError, match="has more than 1 KB, which is the limit"):
            read_table(source, max_bytes=1000)
    with pytest.raises(SettingError, match="max_bytes must be a number of bytes"):
        read_table(tmp_path / "t.csv", max_bytes="much")


# ---- encodings


def test_a_file_of_windows_is_read_and_announced(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("city,n\nMünchen,1\nKöln – “Süd”,2\n".encode("cp1252"))
    table = read_table(path, kinds={"city": "nominal"})
    assert table.schema["city"] == Nominal("city", ("Köln – “Süd”", "München"))
    assert table.notes[0] == (
        "t.csv is not UTF-8 (line 2), so it is read as Windows-1252 (Western European): 'München'. "
        "If that looks wrong, give its encoding, e.g. encoding='cp1250'."
    )


def test_a_broken_byte_in_good_utf8_is_no_sign_of_windows() -> None:
    with pytest.raises(SourceError, match=r"is not UTF-8: byte 0xe9 at position \d+ \(line 4\)"):
        read_table("city\nMünchen\nKöln\n".encode() + b"Orl\xe9ans\nZ\xc3\xbcrich\n")


def test_bytes_that_windows_has_not_are_refused() -> None:
    with pytest.raises(SourceError, match="is not UTF-8: byte 0x81"):
        read_table(b"a,b\n1,\x81\n")


@pytest.mark.parametrize("encoding", ["rot13", "base64", "hex", "nonsense", "a\0b", "undefined"])
def test_a_codec_that_is_none_of_text_is_refused(encoding: str) -> None:
    with pytest.raises((SettingError, SourceError)):
        read_table(b"a,b\n1,x\n", encoding=encoding)


# ---- Excel


@pytest.mark.parametrize("line", ["sep=;", "SEP=;\r", '"sep=;"', "\ufeffsep=;"])
def test_the_delimiter_that_a_first_line_names_is_used(line: str) -> None:
    table = read_table(f"{line}\na;b,c\n1;x\n2;y\n".encode())
    assert list(table.columns) == ["a", "b,c"]


def test_lines_keep_their_numbers_below_such_a_line() -> None:
    with pytest.raises(SourceError, match="line 4: 1 cell where 2 are expected"):
        read_table(b"sep=;\na;b\n1;x\n2\n")


# ---- JSON


def test_a_repeated_key_is_refused() -> None:
    with pytest.raises(SourceError, match="line 2: the key 'a' occurs twice in one object"):
        read_table(b'{"a": 1, "b": 2}\n{"a": 1, "b": 2, "a": 3}\n')


def test_a_number_and_its_text_are_one_value_and_that_is_announced() -> None:
    table = read_table(b'{"a": 1}\n{"a": "1"}\n{"a": "x"}\n')
    assert table.columns["a"].tolist() == [0, 0, 1]
    assert table.notes[0].startswith("Column 'a' holds the number 1 and the text '1', taken as one value.")


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_whole_number_that_no_float_holds_is_refused(digits: int) -> None:
    for cell in ("7", '"x"'):
        text = f'{{"a": {cell}}}\n{{"a": {"9" * digits}}}\n'
        with pytest.raises(SourceError, match=r"row 2: a whole number of over 308 digits|line 2 has a whole"):
            read_table(text.encode())


# ---- whole numbers beyond 2^53

LARGE = [2**53 + i for i in range(4)] * 15


@pytest.mark.parametrize(
    "source",
    [
        {"code": LARGE},
        {"code": np.array(LARGE)},
        pd.DataFrame({"code": LARGE}),
        pl.DataFrame({"code": LARGE}),
        pa.table({"code": LARGE}),
        "\n".join(["code", *map(str, LARGE)]).encode(),
        "\n".join(json.dumps({"code": each}) for each in LARGE).encode(),
    ],
    ids=["list", "array", "pandas", "polars", "pyarrow", "csv", "json"],
)
def test_large_whole_numbers_stay_apart_as_values_and_are_announced_as_numbers(source: Any) -> None:
    values = tuple(str(each) for each in LARGE[:4])
    table = read_table(source, kinds={"code": "nominal"})
    assert sorted(values_of(table.schema["code"])) == sorted(values)
    assert len(set(table.columns["code"].tolist())) == 4
    assert any("beyond 2^53" in note for note in read_table(source).notes)
    assert len(read_table(source, target="code").schema.classes) == 4


@pytest.mark.parametrize("library", [pl.DataFrame, pa.table, lambda d: pd.DataFrame(d, dtype="Int64")])
def test_large_whole_numbers_stay_apart_beside_missing_ones(library: Any) -> None:
    table = read_table(library({"code": [*LARGE, None]}), kinds={"code": "nominal"})
    assert table.columns["code"][-1] == -1
    assert len(set(table.columns["code"].tolist())) == 5


def test_a_large_whole_number_never_seen_is_not_its_neighbour() -> None:
    schema = read_table({"code": [str(2**53), "b"]}).schema
    assert encode({"code": [str(2**53 + 1), f"{2**53}.0"]}, schema).columns["code"].tolist() == [-2, 0]


# ---- minus zero


@pytest.mark.parametrize(
    "source", [b"x,y\n-0,a\n-0.0,b\n0,c\n", {"x": [-0.0, 0, 1]}, b'{"x": -0.0}\n{"x": 0}\n']
)
def test_minus_zero_is_zero(source: Any) -> None:
    zeros = read_table(source, kinds={"x": "numeric"}).columns["x"]
    assert not np.signbit(zeros).any()


def test_minus_zero_is_printed_as_zero() -> None:
    assert "every row says 0." in read_table({"x": np.array([-0.0] * 3)}).notes[0]


def test_a_first_line_that_announces_no_plain_delimiter_is_a_line_like_any_other() -> None:
    table = read_table("sep=ç\na\nb\n".encode("cp1252"), encoding="cp1252", header=True)
    assert table.schema.attributes[0].name == "sep=ç"
    with pytest.raises(SourceError):
        read_table(b"sep=\xe7\na;b\n1,200;x\n")


@pytest.mark.parametrize(
    "name", ["x" * 300, f"{'x' * 300}/t.csv", f"{'x' * 300}.parquet", f"{'x' * 300}.data"]
)
def test_a_name_that_is_too_long_for_a_file_is_refused_like_any_other(name: str) -> None:
    with pytest.raises(SourceError):
        read_table(name)
    for query in (
        f"SELECT * FROM '{name}.csv'",
        f"SELECT * FROM '*/{name}*.csv'",
        f"SELECT * FROM '{name}/**x'",
    ):
        with pytest.raises(SourceError, match="The query failed"):
            read_table(query=query)
