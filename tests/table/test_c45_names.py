"""C4.5's .names, .data and .test, as Quinlan's programs read them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from clearwood.errors import SourceError
from clearwood.table import read_table
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal

NAMES = """| the golf table
Play, Don't Play.      | classes

outlook: sunny, overcast,
         light   rain.
temperature: continuous.
windy: true, false
season: discrete 4.
size: [ordered], small, large.
day: ignore.
"""
DATA = """sunny, 85, false, summer, small, 1, Don't Play
light rain, ?, true, winter, large, 2, Play.   | a remark
?, 70.5, true, ?, small, 3, Play
"""


def write(tmp_path: Path, names: str = NAMES, data: str = DATA) -> Path:
    (tmp_path / "golf.names").write_text(names)
    (tmp_path / "golf.data").write_text(data)
    (tmp_path / "golf.test").write_text("overcast,1,true,summer,large,9,Play.\n")
    return tmp_path / "golf.names"


def test_the_names_file_brings_its_data(tmp_path: Path) -> None:
    table = read_table(write(tmp_path))
    assert table.schema.target == Nominal("class", ("Play", "Don't Play"))
    assert table.schema.attributes == (
        Nominal("outlook", ("sunny", "overcast", "light rain")),
        Numeric("temperature"),
        Nominal("windy", ("true", "false")),
        Nominal("season", ("summer", "winter")),
        Ordinal("size", ("small", "large")),
        Ignored("day", "declared as 'ignore'"),
    )
    assert table.target.tolist() == [1, 0, 0]
    assert table.columns["outlook"].tolist() == [0, 2, -1]
    assert table.columns["windy"].tolist() == [1, 0, 0]


def test_data_and_test_files_find_their_names(tmp_path: Path) -> None:
    write(tmp_path)
    assert len(read_table(tmp_path / "golf.data")) == 3
    test = read_table(tmp_path / "golf.test")
    assert test.columns["outlook"].tolist() == [1]
    assert test.target.tolist() == [0]
    (tmp_path / "golf.data.gz").write_bytes(gzip.compress(DATA.encode()))
    assert len(read_table(tmp_path / "golf.data.gz")) == 3


def test_a_data_file_without_names_is_separated_text(tmp_path: Path) -> None:
    path = tmp_path / "other.data"
    path.write_text("a,b\n1,x\n2,y\n")
    assert [a.name for a in read_table(path).schema.attributes] == ["a", "b"]


def test_the_first_line_may_name_an_attribute_to_predict(tmp_path: Path) -> None:
    names = "windy.\nwindy: true, false.\nheat: continuous.\n"
    table = read_table(write(tmp_path, names, "true,1\nfalse,2\n"))
    assert table.schema.target == Nominal("windy", ("true", "false"))
    assert table.columns["heat"].tolist() == [1, 2]


def test_classes_that_are_numbers_stay_as_written(tmp_path: Path) -> None:
    table = read_table(write(tmp_path, "0, 1.\nx: continuous.\n", "5,0.\n6,1.\n"))
    assert table.schema.classes == ("0", "1")
    assert table.target.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("names", "data", "sentence"),
    [
        (NAMES, "sunny, 85, false\n", "golf.data has 3 columns where golf.names describes 7"),
        (
            NAMES,
            "snow, 85, false, x, small, 1, Play\n",
            "row 1: 'snow' is not among the values of 'outlook' in golf.names",
        ),
        (NAMES, "sunny, 85, false, x, small, 1, Maybe\n", "'Maybe' is not among the values of 'class'"),
        ("a, b.\n", DATA, "needs the classes on its first line"),
        ("a, b.\nx.\n", DATA, "golf.names, line 2: expected 'name: values', found 'x'"),
        ("a, b.\nx := y + 1.\n", DATA, "line 2: expected 'name: values'"),
        ("day.\nday: ignore.\nx: continuous.\n", "1,2\n", "'day' is the target"),
    ],
)
def test_a_fault_is_named_with_its_place(tmp_path: Path, names: str, data: str, sentence: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_table(write(tmp_path, names, data))
    assert sentence in str(caught.value)


def test_names_without_data_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "golf.names"
    path.write_text(NAMES)
    with pytest.raises(SourceError, match=r"golf.names describes golf.data, which is not beside it"):
        read_table(path)
