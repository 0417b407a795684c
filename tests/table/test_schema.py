"""A schema is printed, and changed without changing the one at hand."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood.errors import ColumnError, SchemaError
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.describe import describe
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.typed import mistyped

SCHEMA = Schema(
    (Nominal("wind", ("weak", "strong")), Numeric("humidity")), Nominal("play", ("no", "yes")), "w"
)


def test_a_schema_prints_as_an_aligned_table() -> None:
    assert str(SCHEMA).splitlines() == [
        "column    kind     role    values",
        "wind      nominal          weak, strong",
        "humidity  numeric",
        "play      nominal  target  no, yes",
        "w         numeric  weight",
    ]


def test_long_lists_of_values_are_cut_and_counted() -> None:
    text = str(Schema((Nominal("x", tuple(f"value {i}" for i in range(1234))),)))
    assert "… (1,234 in all)" in text
    assert max(map(len, text.splitlines())) < 100


def test_other_kinds_print_what_matters() -> None:
    text = str(
        Schema((Ordinal("s", ("S", "M")), Numeric("n", (1.5, 2.0)), Text("t"), Ignored("i", "so it is")))
    )
    assert "S < M" in text
    assert "cut at 1.5, 2" in text
    assert "so it is" in text


def test_missing_cells_are_counted_when_there_is_a_table() -> None:
    columns = {
        "wind": np.array([0, -1, -1], np.int32),
        "humidity": np.array([np.nan, 1, 2]),
        "play": np.array([0, 1, 0], np.int32),
    }
    lines = describe(SCHEMA, Table(SCHEMA, columns)).splitlines()
    assert lines[1].split() == ["wind", "nominal", "2", "weak,", "strong"]
    assert lines[2].split() == ["humidity", "numeric", "1"]


def test_a_column_changes_kind_in_a_new_schema() -> None:
    changed = SCHEMA.change("wind", "ordinal").change("humidity", "ignored", because="broken sensor")
    assert changed["wind"] == Ordinal("wind", ("weak", "strong"))
    assert changed["humidity"] == Ignored("humidity", "broken sensor")
    assert SCHEMA["wind"] == Nominal("wind", ("weak", "strong"))
    assert SCHEMA.change("humidity", "nominal")["humidity"] == Nominal("humidity", ())
    assert SCHEMA.change("wind", "text").change("wind", "numeric")["wind"] == Numeric("wind")
    assert SCHEMA.change("play", "ordinal", ["yes", "no"]).target == Ordinal("play", ("yes", "no"))


def test_a_wrong_change_is_refused() -> None:
    with pytest.raises(ColumnError, match="Did you mean 'humidity'"):
        SCHEMA.change("humidty", "nominal")
    with pytest.raises(SchemaError, match="give its values from low to high"):
        SCHEMA.change("humidity", "ordinal")
    with pytest.raises(SchemaError, match="Did you mean 'nominal'"):
        SCHEMA.change("humidity", mistyped("nominl"))
    with pytest.raises(SchemaError, match="Target 'play' cannot be ignored"):
        SCHEMA.change("play", "ignored")


def test_a_line_break_in_a_value_does_not_break_the_line() -> None:
    lines = describe(Schema((Nominal("a\tb", ("x\ny", "z")),))).splitlines()
    assert [line.split() for line in lines[1:]] == [["a\\tb", "nominal", "x\\ny,", "z"]]
