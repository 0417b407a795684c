"""ARFF: declarations are the schema; rows come plain, quoted, sparse or weighted; faults have lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from clearwood.errors import SourceError
from clearwood.table import read_table
from clearwood.table.attributes import Ignored, Nominal, Numeric, Text
from clearwood.table.raw import RawNumbers
from clearwood.table.sources.arff import read_arff

HEADER = """% weather
@RELATION 'the weather'
@attribute outlook {sunny, overcast, 'light rain'}
@ATTRIBUTE "air humidity" REAL
@attribute windy {TRUE,FALSE}
@attribute play { yes , no }
@data
"""


def write(tmp_path: Path, rows: str, header: str = HEADER) -> Path:
    path = tmp_path / "weather.arff"
    path.write_text(header + rows, encoding="utf-8")
    return path


def test_declared_values_keep_their_order_and_the_last_attribute_is_the_target(tmp_path: Path) -> None:
    table = read_table(write(tmp_path, "overcast,85,FALSE,no\n?,?,TRUE,yes\n"))
    assert table.schema["outlook"] == Nominal("outlook", ("sunny", "overcast", "light rain"))
    assert table.schema["air humidity"] == Numeric("air humidity")
    assert table.schema.target == Nominal("play", ("yes", "no"))
    assert table.columns["outlook"].tolist() == [1, -1]
    assert table.target.tolist() == [1, 0]
    assert any("'play', is the target unless another is named" in note for note in table.notes)


def test_another_target_may_be_named(tmp_path: Path) -> None:
    table = read_table(write(tmp_path, "sunny,85,FALSE,no\nsunny,80,TRUE,yes\n"), target="windy")
    assert table.schema.target == Nominal("windy", ("TRUE", "FALSE"))
    assert [a.name for a in table.schema.attributes] == ["outlook", "air humidity", "play"]


def test_quotes_comments_and_blank_lines(tmp_path: Path) -> None:
    rows = "% a comment\n\n'light rain', 85 ,FALSE,\"no\"\n  sunny,1e2,TRUE,yes\n"
    table = read_table(write(tmp_path, rows))
    assert table.columns["outlook"].tolist() == [2, 0]
    assert table.columns["air humidity"].tolist() == [85, 100]


def test_plain_and_careful_reading_agree(tmp_path: Path) -> None:
    rows = "sunny,85,FALSE,no\novercast,?,TRUE,yes\nsunny,70.5,?,yes\n"
    plain = read_table(write(tmp_path, rows))
    careful = read_table(write(tmp_path, "% forces the careful way\n" + rows))
    assert plain.schema == careful.schema
    for name, column in plain.columns.items():
        np.testing.assert_array_equal(column, careful.columns[name])


def test_sparse_rows_leave_zeros_out(tmp_path: Path) -> None:
    table = read_table(write(tmp_path, "{1 85, 3 no}\n{}\n{0 'light rain', 2 ?}\n"))
    assert table.columns["outlook"].tolist() == [0, 0, 2]
    assert table.columns["air humidity"].tolist() == [85, 0, 0]
    assert table.columns["windy"].tolist() == [0, 0, -1]
    assert table.target.tolist() == [1, 0, 0]


def test_weights_in_braces_weigh_the_rows(tmp_path: Path) -> None:
    table = read_table(write(tmp_path, "sunny,85,FALSE,no, {2.5}\n{1 3}, {4}\nsunny,1,TRUE,yes\n"))
    assert table.weights is not None
    assert table.weights.tolist() == [2.5, 4, 1]
    assert table.schema.weight == "weight"


def test_strings_are_text_and_dates_are_left_out(tmp_path: Path) -> None:
    header = (
        "@relation r\n@attribute note string\n@attribute day date 'yyyy-MM-dd'\n@attribute n integer\n@data\n"
    )
    table = read_table(
        write(tmp_path, "'it\\'s so', '2024-01-31', 1\n?, ?, 2\n", header), kinds={"n": "numeric"}
    )
    assert table.schema["note"] == Text("note")
    assert table.schema["day"] == Ignored("day", "it holds dates")
    assert table.columns["note"].tolist() == ["it's so", None]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("sunny,85,FALSE\n", "weather.arff, line 8 has 3 cells where 4 attributes are declared"),
        ("sunny,85,FALSE,no\n\nsnow,85,FALSE,no\n", "line 10: 'snow' is not among the values of 'outlook'"),
        ("sunny,warm,FALSE,no\n", "line 8: 'warm' is not a number, and 'air humidity' is numeric"),
        ("sunny,,FALSE,no\n", "line 8: '' is not a number"),
        ("sunny,inf,FALSE,no\n", "line 8: 'inf' in 'air humidity' is not a finite number"),
        ("'sunny,85,FALSE,no\n", "line 8: a quote is opened and never closed"),
        ("'sunny'x,85,FALSE,no\n", "line 8: 'sunny'x goes on after its closing quote"),
        ("sunny,85,FALSE,no,{much}\n", "line 8: the weight {much} is not a number"),
        ("{9 1}\n", "line 8: '9' is not an attribute's number (0 to 3)"),
        ("{1}\n", "line 8: attribute number 1 is named without a value"),
        ("{1 2\n", "line 8: a brace is opened and never closed"),
        ("", "has no rows after @data"),
    ],
)
def test_a_fault_in_a_row_is_named_with_its_line(tmp_path: Path, rows: str, sentence: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_arff(write(tmp_path, rows))
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        ("@relation r\n@attribute a nummeric\n@data\n", "line 2: attribute 'a' has the type 'nummeric'"),
        ("@relation r\n@attribute a\n@data\n", "line 2: attribute 'a' has the type ''"),
        ("@relation r\n@attribute a {x, x}\n@data\n", "line 2: attribute 'a' lists a value twice"),
        ("@relation r\n@attribute a {x, y\n@data\n", "line 2: the values of 'a' are not closed"),
        ("@relation r\n@attribute 'a real\n@data\n", "line 2: a quote is opened and never closed"),
        ("@attribute a real\n@attribute a real\n@data\n", "line 2: attribute 'a' is declared twice"),
        ("@relation r\n@data\n", "line 2: @data comes before any @attribute"),
        ("@relation r\n@attribute a real\n%", "has no @data line"),
        ("a,b\n1,2\n", "line 1: expected @attribute or @data, found 'a,b'"),
    ],
)
def test_a_fault_in_a_declaration_is_named_with_its_line(tmp_path: Path, header: str, sentence: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_arff(write(tmp_path, "1\n", header))
    assert sentence in str(caught.value)


# ---- as WEKA reads it: each of these was given to WEKA 3.6.14, and gave these cells

DECLARED = "@relation r\n@attribute a {x,y,z}\n@attribute n numeric\n@attribute k {p,q}\n@data\n"


def cells_of(path: Path) -> list[tuple[str | float | None, ...]]:
    columns = [
        column.values.tolist()
        if isinstance(column, RawNumbers)
        else [None if code < 0 else column.values[code] for code in column.codes]
        for column in read_arff(path).columns
    ]
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (DECLARED + "x 1 p\ny\t2\tq\n", [("x", 1, "p"), ("y", 2, "q")]),
        (DECLARED + "x, 1 p\ny 2,q\n", [("x", 1, "p"), ("y", 2, "q")]),
        (
            DECLARED + "x,1,p,\ny,2,q,,\n,z,3,p\nx,,1,p\n",
            [("x", 1, "p"), ("y", 2, "q"), ("z", 3, "p"), ("x", 1, "p")],
        ),
        (DECLARED + "x,1,p % note\ny,2,q%note\n  % all\n", [("x", 1, "p"), ("y", 2, "q")]),
        (DECLARED + "'x''1'p\n", [("x", 1, "p")]),
        (
            DECLARED + "{0 y, 1 2.5, 2 q}\n{ 1 4 , 2 q }\n{1 5,}\n",
            [("y", 2.5, "q"), ("x", 4, "q"), ("x", 5, "p")],
        ),
        (DECLARED.replace("\n", "\r") + "x,1,p\ry,2,q\r", [("x", 1, "p"), ("y", 2, "q")]),
        (DECLARED.replace("@data", "@DATA % here") + "x,1,p\n", [("x", 1, "p")]),
        (
            "@relation r\n@attribute a{x y}\n@attribute n real [0,10]\n@attribute k { p , q ,} % classes\n"
            "@data\ny,2,q\n",
            [("y", 2, "q")],
        ),
        (
            "@relation r\n@attribute a {'5%',\"10%\",'a,b','?','it\\'s'}\n@attribute k {p,q}\n@data\n"
            "'5%',p\n\"10%\",q\n'a,b' p\n'?',q\n?,p\n\"it's\",q\n",
            [("5%", "p"), ("10%", "q"), ("a,b", "p"), ("?", "q"), (None, "p"), ("it's", "q")],
        ),
        (
            "@relation r\n@attribute s string\n@attribute k {p,q}\n@data\n'\\101bc',p\n\"x 'y' z\",q\n",
            [("Abc", "p"), ("x 'y' z", "q")],
        ),
    ],
)
def test_a_file_is_read_as_weka_reads_it(
    tmp_path: Path, text: str, rows: list[tuple[str | float | None, ...]]
) -> None:
    path = tmp_path / "odd.arff"
    path.write_text(text, encoding="utf-8", newline="")
    assert cells_of(path) == rows


def test_a_latin_1_file_is_read_and_announced(tmp_path: Path) -> None:
    path = tmp_path / "odd.arff"
    path.write_bytes(
        "@relation r\n@attribute a {é,ü}\n@attribute k {p,q}\n@data\né,p\nü,q\n".encode("latin-1")
    )
    assert cells_of(path) == [("é", "p"), ("ü", "q")]
    assert "odd.arff is not UTF-8 (line 2), so it is read as Windows-1252" in read_arff(path).notes[0]


def test_a_value_with_blanks_between_commas_is_kept_whole(tmp_path: Path) -> None:
    path = tmp_path / "odd.arff"
    path.write_text("@relation r\n@attribute s string\n@attribute k {p,q}\n@data\nlight rain,p\nsun,q\n")
    assert cells_of(path) == [("light rain", "p"), ("sun", "q")]


def test_a_percent_sign_outside_quotes_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "odd.arff"
    path.write_text("@relation r\n@attribute a {5%,10%}\n@data\n5%\n")
    with pytest.raises(SourceError, match="A % begins a comment: put a value with one in quotes"):
        read_arff(path)
