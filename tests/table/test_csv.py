"""A separated file comes back cell for cell; a broken one gets a sentence with the place and the way out."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import math
import struct
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from clearwood import _native
from clearwood.errors import SourceError
from clearwood.table.raw import Raw, RawColumn, RawNumbers, RawStrings
from clearwood.table.sources.csv import MISSING_MARKS, read_csv


def read(text: str, **options: object) -> Raw:
    return read_csv(io.BytesIO(text.encode()), **options)  # type: ignore[arg-type]


def cells(column: RawColumn) -> list[str | None]:
    """The cells as written, None where missing."""
    if isinstance(column, RawNumbers):
        if column.texts is None:
            return [None if math.isnan(v) else str(int(v)) for v in column.values]
        column = column.texts()
    return [None if code < 0 else column.values[code] for code in column.codes]


def numbers(column: RawColumn) -> list[float]:
    assert isinstance(column, RawNumbers)
    return [float(value) for value in column.values]


def strings(column: RawColumn) -> RawStrings:
    assert isinstance(column, RawStrings)
    return column


# ---- cell for cell


def is_infinite(text: str) -> bool:
    try:
        return math.isinf(float(text))
    except ValueError:
        return False


_text = st.text(
    st.one_of(
        st.sampled_from(",;\t|\"\n\r '01.eE+-?NAé"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    ),
    max_size=12,
).filter(lambda text: not is_infinite(text))


def as_we_read_it(cell: str, quoted: bool) -> str | None:
    blanks = " \t\r"
    bare = cell.strip(blanks + "\n") if quoted else cell.strip(blanks)
    if bare in MISSING_MARKS:
        return None
    return cell if quoted else bare


@given(
    table=st.integers(1, 4).flatmap(
        lambda width: st.lists(st.lists(_text, min_size=width, max_size=width), min_size=1, max_size=8)
    ),
    delimiter=st.sampled_from(",;|"),
    ending=st.sampled_from(["\n", "\r\n"]),
)
def test_what_pythons_csv_module_writes_in_quotes_is_read_back_cell_for_cell(
    table: list[list[str]], delimiter: str, ending: str
) -> None:
    file = io.StringIO()
    names = [f"n{j}" for j in range(len(table[0]))]
    csv.writer(file, delimiter=delimiter, lineterminator=ending, quoting=csv.QUOTE_ALL).writerows(
        [names, *table]
    )
    raw = read(file.getvalue(), delimiter=delimiter, header=True, decimal=".")
    assert raw.names == tuple(names)
    for j, column in enumerate(raw.columns):
        expected = [as_we_read_it(row[j], quoted=True) for row in table]
        if isinstance(column, RawNumbers):
            expected = [None if cell is None else cell.strip(" \t\r\n") for cell in expected]
            assert [None if c is None else c.strip(" \t\r\n") for c in cells(column)] == expected
        else:
            assert cells(column) == expected


@given(
    table=st.lists(st.lists(_text, min_size=3, max_size=3), min_size=1, max_size=8),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC]),
    ending=st.sampled_from(["\n", "\r\n"]),
)
def test_unquoted_cells_lose_their_outer_blanks_and_nothing_else(
    table: list[list[str]], quoting: int, ending: str
) -> None:
    file = io.StringIO()
    csv.writer(file, lineterminator=ending, quoting=quoting).writerows([["a", "b", "c"], *table])  # type: ignore[arg-type]
    raw = read(file.getvalue(), delimiter=",", header=True)
    for j, column in enumerate(raw.columns):
        for read_cell, row in zip(cells(column), table, strict=True):
            bare = row[j].strip(" \t\r\n")
            if bare in MISSING_MARKS:
                assert read_cell is None
            else:
                assert read_cell is not None
                assert read_cell in (row[j], row[j].strip(" \t\r"), bare)


@given(st.lists(st.lists(st.text("abc é1", min_size=1), min_size=2, max_size=2), min_size=1))
def test_a_file_without_any_quotes_is_read_back_cell_for_cell(table: list[list[str]]) -> None:
    table = [["x" + a, "y" + b] for a, b in table]
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_NONE, delimiter="\t").writerows([["a", "b"], *table])
    raw = read(file.getvalue(), delimiter="\t", header=True)
    assert [cells(column) for column in raw.columns] == [[row[j].strip() for row in table] for j in (0, 1)]


def test_quotes_hold_delimiters_newlines_and_doubled_quotes() -> None:
    raw = read('a,b\n"x, y","line\nbreak"\n"say ""hi""",plain\n')
    assert cells(raw.columns[0]) == ["x, y", 'say "hi"']
    assert cells(raw.columns[1]) == ["line\nbreak", "plain"]


def test_a_quote_inside_an_unquoted_cell_is_a_character_like_any_other() -> None:
    assert cells(read('size,n\n5" pipe,a\n6" pipe,b\n').columns[0]) == ['5" pipe', '6" pipe']


def test_a_quote_may_follow_blanks_and_be_followed_by_text() -> None:
    assert cells(read('a,b\n x, "y, z"\n "p" ,"q"r\n').columns[1]) == ["y, z", "qr"]


def test_values_come_in_order_of_first_appearance() -> None:
    column = strings(read("x\nb\na\nb\nc\n").columns[0])
    assert (column.values, column.codes.tolist()) == (("b", "a", "c"), [0, 1, 0, 2])


def test_empty_lines_and_a_missing_last_newline_make_no_rows() -> None:
    assert cells(read("\nx,y\n\n1,a\n  \n2,b").columns[0]) == ["1", "2"]


def test_words_that_others_convert_stay_as_they_are() -> None:
    raw = read("a,b,c\nTRUE,None,1_000\nfalse,-,0x1F\n")
    assert [cells(column) for column in raw.columns] == [["TRUE", "false"], ["None", "-"], ["1_000", "0x1F"]]
    assert all(isinstance(column, RawStrings) for column in raw.columns)


# ---- numbers


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


@pytest.mark.slow
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_printed_floats_are_read_back_bit_for_bit(values: list[float]) -> None:
    raw = read("x\n" + "\n".join(map(repr, values)), header=True, missing=())
    assert list(map(bits, numbers(raw.columns[0]))) == [bits(value + 0.0) for value in values]  # −0 is 0


_digits = st.from_regex(
    r"[+-]?([0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?", fullmatch=True
)


@pytest.mark.slow
@given(st.lists(_digits, min_size=1), st.sampled_from(".,"))
def test_any_digits_give_the_float_that_python_gives(texts: list[str], decimal: str) -> None:
    finite = [text for text in texts if math.isfinite(float(text))] or ["1"]
    written = "\n".join(text.replace(".", decimal) for text in finite)
    raw = read("x;y\n" + written.replace("\n", ";0\n") + ";0", header=True, delimiter=";", decimal=decimal)
    assert list(map(bits, numbers(raw.columns[0]))) == [bits(float(text) + 0.0) for text in finite]  # −0 is 0


@given(st.from_regex(r"[+-]?[0-9a-fA-FeExX._]{0,6}", fullmatch=True))
def test_what_is_no_number_to_python_is_none_to_us(text: str) -> None:
    try:
        number = float(text) if "_" not in text else None
    except ValueError:
        number = None
    assume(number is None or math.isfinite(number))  # 1e400 is refused with a sentence
    column = read(f"x,y\n{text},z\n", header=True, delimiter=",", missing=()).columns[0]
    assert isinstance(column, RawNumbers) == (number is not None)


def test_whole_padded_and_distinct_are_reported() -> None:
    raw = read("w,p,f,e\n1,01,0.5,\n1,2,2,\n7,10,3,\n")
    w, p, f, e = (c for c in raw.columns if isinstance(c, RawNumbers))
    assert (w.whole, w.padded, w.distinct) == (True, False, 2)
    assert (p.whole, p.padded, p.distinct) == (True, True, 3)
    assert (f.whole, f.distinct) == (False, None)
    assert np.isnan(e.values).all()
    assert e.distinct == 0


def test_numbers_remember_how_they_were_written() -> None:
    raw = read('code,amount\n01,1.50\n1,1.5\n"01",?\n')
    assert cells(raw.columns[0]) == ["01", "1", "01"]
    assert cells(raw.columns[1]) == ["1.50", "1.5", None]


def test_a_mark_of_missing_may_itself_be_a_number() -> None:
    assert str(numbers(read("x\n1\n-999\n2\n", missing=["-999"]).columns[0])) == "[1.0, nan, 2.0]"


def test_a_word_late_in_a_column_of_numbers_turns_all_of_it_into_strings() -> None:
    rows = [str(i % 50) for i in range(200_000)]
    rows[3], rows[-1] = "", "many"
    column = strings(read("n,pad\n" + "".join(f"{cell},text to fill chunks\n" for cell in rows)).columns[0])
    assert cells(column) == [cell or None for cell in rows]
    assert column.values == tuple(dict.fromkeys(filter(None, rows)))


# ---- any number of threads


@pytest.mark.slow
def test_one_two_and_five_threads_read_the_same() -> None:
    rng = np.random.default_rng(1)
    lines = [
        f'{i},"v{rng.integers(1000)}, quoted\nline",w{int(rng.exponential(50))},{rng.random()}'
        for i in range(60_000)
    ]
    text = "id,q,w,x\n" + "\n".join(lines)
    tables = []
    try:
        for threads in (1, 2, 5):
            _native.set_thread_count(threads)
            tables.append(read(text))
    finally:
        _native.set_thread_count(0)
    first = tables[0]
    assert cells(first.columns[1]) == [line.split('"')[1] for line in lines]
    for other in tables[1:]:
        for a, b in zip(first.columns, other.columns, strict=True):
            if isinstance(a, RawStrings):
                assert a.values == strings(b).values
                np.testing.assert_array_equal(a.codes, strings(b).codes)
            else:
                np.testing.assert_array_equal(a.values, numbers(b))


def test_the_first_ragged_row_is_named_whatever_the_threads() -> None:
    lines = ["1,2"] * 200_000
    lines[90_000] = "1,2,3"
    lines[199_000] = "1"
    with pytest.raises(SourceError, match="line 90002: 3 cells where 2 are expected"):
        read("a,b\n" + "\n".join(lines))


@pytest.mark.slow
def test_a_million_distinct_strings_are_coded() -> None:
    column = strings(read("name,k\n" + "".join(f"person {i},a\n" for i in range(1_000_000))).columns[0])
    assert len(column.values) == 1_000_000
    assert column.values[-1] == "person 999999"
    assert column.codes[-1] == 999_999


# ---- guesses


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_guessed(delimiter: str) -> None:
    raw = read(delimiter.join("abc") + "\n" + delimiter.join(["x y", "2", '"p,;|\tq"']) + "\n")
    assert raw.names == ("a", "b", "c")
    assert cells(raw.columns[2]) == ["p,;|\tq"]


def test_a_semicolon_file_with_decimal_commas_is_recognised_and_announced() -> None:
    raw = read("1,5;2,25\n3,0;4\n")
    assert [numbers(column) for column in raw.columns] == [[1.5, 3.0], [2.25, 4.0]]
    assert any("decimal comma" in note for note in raw.notes)


def test_thousands_are_not_taken_for_decimals() -> None:
    assert isinstance(read("a;b\n1,000;x\n12,500;y\n").columns[0], RawStrings)


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("a,b\n1,x\n", True),
        ("5.1,3.5,setosa\n4.9,3.0,setosa\n", False),
        ("1,2\n3,4\n", False),
        ("id,2019,2020\n7,1,2\n8,3,4\n", True),
        ("sunny,hot,no\nrainy,mild,yes\nsunny,hot,no\n", False),
        ("?,3,a\n1,2,b\n", False),
        ("outlook,temp\nsunny,hot\n", True),
    ],
)
def test_a_header_is_told_from_data(text: str, header: bool) -> None:
    raw = read(text)
    assert (raw.names[0] != "column_1") == header
    assert len(raw) == text.count("\n") - header
    assert any("no header" in note for note in raw.notes) != header


def test_a_given_header_overrides_the_guess() -> None:
    assert read("1,2\n3,4\n", header=True).names == ("1", "2")
    assert read("a,b\nc,d\n", header=False).names == ("column_1", "column_2")


def test_a_column_without_a_name_is_numbered_and_announced() -> None:
    raw = read(",x\n0,a\n1,b\n")
    assert raw.names == ("column_1", "x")
    assert raw.notes == ("the open file: column 1 has no name: called column_1.",)


# ---- bytes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_an_encoding_with_its_mark_is_recognised(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Größe,x\nklein,é\n", encoding=encoding)
    raw = read_csv(path)
    assert raw.names == ("Größe", "x")
    assert cells(raw.columns[1]) == ["é"]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16-le", "utf-16"])
def test_an_encoding_may_be_given(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Größe,x\nklein,é\n", encoding=encoding)
    assert cells(read_csv(path, encoding=encoding).columns[1]) == ["é"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_are_unpacked(tmp_path: Path, pack: object) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(pack(b"a,b\n1,x\n"))  # type: ignore[operator]
    assert cells(read_csv(path).columns[1]) == ["x"]


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a,b\n1,x\n")))
    assert read_csv("-").where == "standard input"


def test_old_macintosh_line_ends_are_read() -> None:
    assert cells(read("a,b\r1,x\r2,y\r").columns[1]) == ["x", "y"]


# ---- what is refused
