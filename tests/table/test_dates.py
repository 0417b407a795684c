"""Dates are left out with advice, or numbers where that is asked for: days since 1970."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from clearwood.errors import Advice, SchemaError, SettingError
from clearwood.table import encode, read_table
from clearwood.table.attributes import Ignored, Numeric
from clearwood.table.sources import read_raw


def dated(*cells: Any, **options: Any) -> list[float]:
    table = read_table({"day": list(cells)}, dates="days", kinds={"day": "numeric"}, **options)
    return [float(cell) for cell in table.columns["day"]]


@pytest.mark.parametrize(
    ("cells", "days"),
    [
        (["1970-01-01", "1970-01-31", "1969-12-31"], [0, 30, -1]),
        (["2024/02/29", "2024-2-9"], [19782, 19762]),
        (["1970-01-02 12:00", "1970-01-02T06:00:00Z"], [1.5, 1.25]),
        (["31.01.1970", "1.2.1970"], [30, 31]),
        (["1/31/1970", "2/1/1970"], [30, 31]),
        (["31 Jan 1970", "February 1, 1970"], [30, 31]),
        ([date(1970, 1, 2), date(1970, 1, 4)], [1, 3]),
        ([datetime(1970, 1, 2, 18), datetime(1970, 1, 4)], [1.75, 3]),
        ([19700102, 19700201], [1, 31]),
    ],
)
def test_dates_are_days_since_1970(cells: list[Any], days: list[float]) -> None:
    assert dated(*cells) == days


def test_missing_dates_stay_missing_and_the_guess_is_announced() -> None:
    frame = pl.DataFrame({"day": [date(2024, 1, 31), None, date(2024, 2, 1)] * 5, "y": list("aab") * 5})
    table = read_table(frame, target="y", dates="days")
    assert str(table.columns["day"][:3].tolist()) == "[19753.0, nan, 19754.0]"
    assert "Column 'day' holds dates, taken as days since 1970-01-01: 2024-01-31 is 19753." in table.notes
    assert "dates='days'" in read_table(frame, target="y").notes[0]


def test_a_model_of_days_asks_for_them_in_new_rows() -> None:
    schema = read_table({"day": ["2024-01-31", "2024-02-01", "2024-02-01"]}, dates="days").schema
    assert schema["day"] == Numeric("day")
    with pytest.raises(SchemaError, match="'day' holds dates such as '2024-03-01', not numbers") as refused:
        encode({"day": ["2024-03-01"]}, schema)
    assert refused.value.advice == (Advice("dates", "days"),)
    assert encode(read_raw({"day": ["2024-03-01"]}, dates="days"), schema).columns["day"].tolist() == [19783]


def test_declared_dates_of_arff_are_numbers_too(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_text(
        "@relation r\n@attribute d date\n@attribute k {p,q}\n@data\n'1970-01-03',p\n'1970-01-02',q\n"
    )
    assert isinstance(read_table(path).schema["d"], Ignored)
    assert read_table(path, dates="days").columns["d"].tolist() == [2, 1]


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (["01/02/1970", "02/03/1970"], "not clear which is the day and which the month"),
        (["13/01/1970", "01/13/1970"], "not clear which is the day and which the month"),
        (["1970-02-30", "1970-02-28"], "'1970-02-30' cannot be read as a date"),
        (["1.1.70", "31.1.70"], "'1.1.70' cannot be read as a date"),
    ],
)
def test_what_cannot_be_counted_is_refused(cells: list[str], sentence: str) -> None:
    with pytest.raises(SchemaError, match=sentence):
        dated(*cells)


def test_times_of_day_are_no_dates() -> None:
    assert "it holds dates" in read_table({"t": ["12:30", "9:05"]}, dates="days").notes[0]


def test_another_way_to_count_is_refused() -> None:
    with pytest.raises(SettingError, match="dates must be 'days'"):
        read_table({"day": ["1970-01-01"]}, dates="weeks")
