"""Numbers as people write them are read where the whole column agrees, announced, and never guessed twice."""

from __future__ import annotations

import pytest

from clearwood.errors import Advice, SchemaError, Sentence, SettingError
from clearwood.table import encode, read_table
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.sources import read_raw
from clearwood.table.sources.blocks import csv_blocks
from clearwood.table.table import Table


def column_of(*cells: str, more: str = "", **options: str) -> Table:
    """A file with these cells in a column x beside a class; the delimiter is a semicolon."""
    rows = "".join(f"{cell};{'ab'[i % 2]}{more and ';' + more}\n" for i, cell in enumerate(cells))
    return read_table(f"x;y{more and ';z'}\n{rows}".encode(), target="y", delimiter=";", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cells", "numbers", "note"),
    [
        (
            ["1,200.00", "999.5", "12,000,000.25"],
            [1200, 999.5, 12000000.25],
            "Column 'x' has commas between thousands: '1,200.00' is read as 1200.",
        ),
        (
            ["8.120,57", "-1,5", "3"],
            [8120.57, -1.5, 3],
            "Column 'x' has points between thousands: '8.120,57' is read as 8120.57.",
        ),
        (
            ["1 200,5", "12 000", "7"],
            [1200.5, 12000, 7],
            "Column 'x' has blanks between thousands: '1 200,5' is read as 1200.5.",
        ),
        (
            ["1\u202f200", "3\u00a0400", "7"],
            [1200, 3400, 7],
            "Column 'x' has blanks between thousands: '1\u202f200' is read as 1200.",
        ),
        (
            ["1'200.50", "2’300.00", "7"],
            [1200.5, 2300, 7],
            "Column 'x' has apostrophes between thousands: '1'200.50' is read as 1200.5.",
        ),
        (
            ["$1,234.56", "$99", "-$5"],
            [1234.56, 99, -5],
            "Column 'x' is money, in $: '$1,234.56' is read as 1234.56.",
        ),
        (
            ["€ 1.234", "€ 850", "€ 7"],
            [1234, 850, 7],
            "Column 'x' is money, in €: '€ 1.234' is read as 1234.",
        ),
        (
            ["€ 1,234", "€ 850", "€ 7"],
            [1234, 850, 7],
            "Column 'x' is money, in €: '€ 1,234' is read as 1234.",
        ),
        (
            ["1.234,50 €", "(850,25 €)", "7 €"],
            [1234.5, -850.25, 7],
            "Column 'x' is money, in €: '1.234,50 €' is read as 1234.5.",
        ),
        (
            ["$1,234.56", "€ 1,234", "12"],
            [1234.56, 1234, 12],
            "Column 'x' is money, in $ and €: '$1,234.56' is read as 1234.56. Its currencies are not "
            "converted.",
        ),
        (["71.5 kg", "80 kg", "9kg"], [71.5, 80, 9], "Column 'x' is in kg: '71.5 kg' is read as 71.5."),
        (["0.5 %", "12%", "-3 %"], [0.5, 12, -3], "Column 'x' is in percent: '0.5 %' is read as 0.5."),
        (
            ["1,200.5 %", "3%", "0.5%"],
            [1200.5, 3, 0.5],
            "Column 'x' has commas between thousands, in percent: '1,200.5 %' is read as 1200.5.",
        ),
        (
            ["1.5\u00a0", "2.5", "\u00a03"],
            [1.5, 2.5, 3],
            "Column 'x' has no-break spaces around its numbers: they are left out.",
        ),
    ],
)
def test_a_column_that_is_consistently_so_is_numeric_and_announced(
    cells: list[str], numbers: list[float], note: str
) -> None:
    table = column_of(*cells)
    assert table.columns["x"].tolist() == numbers
    assert [each for each in table.notes if each.startswith(note)]


def test_such_cells_are_kept_as_written_where_they_are_values() -> None:
    rows = b"x;y\n1,200.00;a\n3,400.00;b\n"
    assert read_table(rows, kinds={"x": "nominal"}).schema["x"] == Nominal("x", ("1,200.00", "3,400.00"))
    assert read_table(rows, thousands="none").schema["x"] == Nominal("x", ("1,200.00", "3,400.00"))


@pytest.mark.parametrize(
    "cells",
    [
        ["1,200.00", "3", "1200"],  # with and without
        ["5", "5 %", "7"],
        ["1,20", "1,200.00", "2"],
        ["0,123", "1,200.00", "2"],
        ["1,200.00", "2", "many"],
    ],
)
def test_a_column_that_does_not_agree_stays_as_it_is_written(cells: list[str]) -> None:
    assert column_of(*cells, decimal=".").schema["x"] == Nominal("x", tuple(cells))


def test_a_comma_that_may_be_a_decimal_mark_waits_to_be_told() -> None:
    table = column_of("1,200", "3,400", "1,200")
    assert isinstance(table.schema["x"], Nominal)
    assert any(
        "comma may separate thousands or be a decimal mark. In a text file, say which: thousands=',' or "
        "decimal=','" in note
        for note in table.notes
    )
    assert column_of("1,200", "3400", "1,200", thousands=",").columns["x"].tolist() == [1200, 3400, 1200]
    assert column_of("1,200", "3,4", "1,200", decimal=",").columns["x"].tolist() == [1.2, 3.4, 1.2]


def test_a_column_with_decimal_points_settles_what_a_comma_means_in_the_others() -> None:
    assert column_of("1,200", "3,400", "12", more="2.5").columns["x"].tolist() == [1200, 3400, 12]
    assert column_of("1,200", "3,400", "12", more="1,200.5").columns["x"].tolist() == [1200, 3400, 12]


def test_new_rows_are_read_in_the_same_way() -> None:
    schema = column_of("1,200.00", "3,400.00", "5.5").schema
    assert schema["x"] == Numeric("x")
    assert encode(b"x;y\n7,000.25;a\n", schema).columns["x"].tolist() == [7000.25]


def test_a_new_row_that_does_not_tell_what_its_comma_means_gets_the_way_out() -> None:
    schema = column_of("1,200.00", "3,400.00", "5.5").schema
    with pytest.raises(SchemaError, match="'7,000' is not a number") as refused:
        encode(b"x;y\n7,000;a\n", schema)
    assert refused.value.advice == (Advice("thousands", ","), Advice("missing", "7,000"))
    assert encode(read_raw(b"x;y\n7,000;a\n", thousands=","), schema).columns["x"].tolist() == [7000]


@pytest.mark.parametrize(
    ("thousands", "decimal", "match"), [("x", None, "thousands must be"), (",", ",", "are both")]
)
def test_a_mark_that_is_none_is_refused(thousands: str, decimal: str | None, match: str) -> None:
    with pytest.raises(SettingError, match=match):
        read_table(b"x;y\n1;2\n", thousands=thousands, decimal=decimal)


# ---- columns that Python would read as numbers, and the file's reader does not


def test_codes_with_leading_zeros_are_read() -> None:
    rows = "".join(f"{7 * i % 25:05d},{'ab'[i % 2]}\n" for i in range(150))
    table = read_table(f"zip,y\n{rows}".encode(), target="y")
    assert isinstance(table.schema["zip"], Nominal)
    assert any("holds codes such as '00000', so it is nominal" in note for note in table.notes)


def test_codes_with_leading_zeros_that_are_all_different_are_left_out() -> None:
    rows = "".join(f"{7 * i:05d},{'ab'[i % 2]}\n" for i in range(150))
    table = read_table(f"zip,y\n{rows}".encode(), target="y")
    assert "every value is different" in table.notes[0]
    with pytest.raises(SchemaError, match="150 different values in 150 rows: too many to be classes"):
        read_table(f"zip,y\n{rows}".encode(), target="zip")


def test_points_where_a_decimal_comma_was_announced_are_remarked_on() -> None:
    table = column_of(*(f"{i % 12}.5" for i in range(40)), decimal=",")
    assert isinstance(table.schema["x"], Nominal)
    assert any(
        "holds numbers written as text, such as '0.5'. To take them as numbers: kinds={'x': 'numeric'}"
        in note
        for note in table.notes
    )


def test_numbers_as_text_in_a_frame_are_remarked_on() -> None:
    table = read_table([{"x": str(i % 12), "y": "ab"[i % 2]} for i in range(40)], target="y")
    assert any("'x' holds numbers written as text, such as '0'" in note for note in table.notes)


@pytest.mark.parametrize("cells", [["1.200", "8.500", "2.100"], ["1.200", "-950", "", "12.000"]])
def test_points_that_may_stand_between_thousands_are_announced_with_the_way_to_read_them(
    cells: list[str],
) -> None:
    table = column_of(*cells)
    (note,) = table.notes
    assert "column 'x': cells such as '1.200' are read as decimals (1.2)." in note
    assert isinstance(note, Sentence)
    assert note.advice == (Advice("decimal", ","), Advice("thousands", "."), Advice("decimal", "."))
    assert table.columns["x"][0] == 1.2
    for option, mark in (("decimal", ","), ("thousands", ".")):
        assert column_of(*cells, **{option: mark}).columns["x"][0] == 1200
    assert column_of(*cells, decimal=".").notes == ()


@pytest.mark.parametrize(
    "cells", [["1.200", "0.125"], ["1.200", "8.5"], ["1.200", "1500"], ["0.125", "0.250"], ["1", "2"]]
)
def test_points_are_not_in_doubt_where_a_cell_tells(cells: list[str]) -> None:
    assert not any("thousands" in note for note in column_of(*cells).notes)


def test_points_between_commas_are_decimal_marks() -> None:
    assert read_table(b"x,y\n1.200,a\n8.500,b\n", target="y").notes == ()
    raw = read_raw(b"x,y\n1.200,a\n8.500,b\n", thousands=".")
    assert raw.columns[0].values.tolist() == [1200, 8500]  # type: ignore[union-attr]


def test_blocks_announce_a_column_once_and_not_after_a_cell_that_tells() -> None:
    head = b"x;z;v;y\n"
    pieces = [head + b"1.200;5.100;;a\n", b"2.200;5.5;;b\n", b"3.300;5.200;7.100;a\n", b"4;5.100;8;a\n"]
    notes = [raw.notes for raw, _ in csv_blocks(pieces, "new.csv")]
    assert [len(each) for each in notes] == [1, 0, 1, 0]
    assert "columns 'x', 'z': cells such as '1.200'" in notes[0][0]
    assert "column 'v': cells such as '7.100'" in notes[2][0]


@pytest.mark.parametrize(
    "cells", [("12 kg", "7 lb", "3 kg"), ("2 doors", "4 doors", "3 doors"), ("$", "5", "7")]
)
def test_other_units_and_words_are_values(cells: tuple[str, ...]) -> None:
    assert isinstance(column_of(*cells).schema["x"], Nominal)
