"""What a CSV file cannot be: every refusal names the place and the way out."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path

import pytest

from clearwood.errors import Advice, ColumnError, Place, SettingError, SourceError
from clearwood.table.sources.csv import read_csv
from tests.table.test_csv import cells, read


def test_a_missing_file_is_refused_with_its_nearest_neighbour(tmp_path: Path) -> None:
    (tmp_path / "credit.csv").write_text("a\n1\n")
    with pytest.raises(SourceError, match=r"No file .*credti\.csv\. Did you mean .*credit\.csv\?"):
        read_csv(tmp_path / "credti.csv")
    with pytest.raises(SourceError, match="there is no folder"):
        read_csv(tmp_path / "nowhere" / "credit.csv")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"is a folder\. Name a file in it"):
        read_csv(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    with pytest.raises(SourceError, match="cannot be read: Permission denied"):
        read_csv(path)


@pytest.mark.parametrize("text", ["", "\n\n", "  \n"])
def test_an_empty_file_is_refused(text: str) -> None:
    with pytest.raises(SourceError, match="is empty"):
        read(text)


def test_a_header_alone_is_refused() -> None:
    with pytest.raises(SourceError, match="a header and no rows") as refused:
        read("a,b\n")
    assert refused.value.advice == (Advice("header", False),)


@pytest.mark.parametrize(("line", "cells"), [("1", "1 cell"), ("1,2,3", "3 cells")])
def test_a_ragged_row_is_named(line: str, cells: str) -> None:
    with pytest.raises(SourceError, match=f"line 5: {cells} where 2 are expected"):
        read(f'a,b\n"x\ny",2\n\n{line}\n3,4\n')


def test_a_quote_that_never_closes_is_named() -> None:
    with pytest.raises(SourceError, match=r"line 3: a quote opens .* never closes"):
        read('a,b\n1,2\n3,"4\n5,6\n')
    with pytest.raises(SourceError, match="never closes"):
        read('"a,b\n1,2\n')


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(ColumnError, match="columns 1 and 3 are both called 'a'"):
        read("a,b,a\n1,2,3\n")


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e999", '"+INF"'])
def test_an_infinite_number_is_refused_with_its_column_and_line(cell: str) -> None:
    with pytest.raises(SourceError, match=r"line 3: '.*' in column 'x' is infinite"):
        read(f"x,y\n1,a\n{cell},b\n2,c\n")


def test_inf_among_words_is_a_word() -> None:
    assert cells(read("x,y\ninf,a\nsup,b\n").columns[0]) == ["inf", "sup"]


def test_a_wrong_encoding_is_refused_with_byte_line_and_way_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\n1,x\n2,é\n".encode("latin-1"))
    with pytest.raises(SourceError, match=r"byte 0xe9 at position 11 \(line 3\)") as refused:
        read_csv(path, encoding="utf-8")
    assert refused.value.advice == (Advice("encoding", "latin-1"),)
    assert refused.value.place == Place(source="t.csv", line=3)
    with pytest.raises(SourceError, match="is not in utf-16-le"):
        read_csv(io.BytesIO(b"a,b\n1,x"), encoding="utf-16-le")
    with pytest.raises(SettingError, match="No encoding 'latin-11'"):
        read_csv(path, encoding="latin-11")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"PAR1....", "a Parquet file"),
        (b"PK\x03\x04....", "Excel"),
        (b"a\0,\0b\0\n\0", "encoding='utf-16-le'"),
        (gzip.compress(b"a,b\n1,2\n" * 100, mtime=0)[:-12], "cannot be unpacked"),
    ],
)
def test_what_is_not_text_is_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence):
        read_csv(io.BytesIO(content))


@pytest.mark.parametrize(
    "options",
    [
        {"delimiter": ";;"},
        {"delimiter": '"'},
        {"delimiter": "a"},
        {"decimal": "x"},
        {"decimal": ",", "delimiter": ","},
    ],
)
def test_impossible_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(SettingError):
        read("a,b\n1,2\n", **options)
