"""From a source and what the caller says of it to a table; every wrong request gets its sentence."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from clearwood.errors import ColumnError, Place, SchemaError, SettingError, SourceError
from clearwood.table import encode, read_table
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from clearwood.table.schema_file import save_schema, schema_to_json
from clearwood.table.sources import read_raw
from tests.typed import mistyped

WEATHER = b"""Outlook,Humidity,Wind,Play
Sunny,85,Weak,No
Rainy,,Strong,Yes
?,70,Weak,Yes
"""


def test_a_table_has_codes_floats_and_its_target() -> None:
    table = read_table(WEATHER, target="Play")
    assert table.schema == Schema(
        (Nominal("Outlook", ("Rainy", "Sunny")), Numeric("Humidity"), Nominal("Wind", ("Strong", "Weak"))),
        Nominal("Play", ("No", "Yes")),
    )
    assert table.columns["Outlook"].tolist() == [1, 0, -1]
    assert table.columns["Outlook"].dtype == np.int32
    np.testing.assert_array_equal(table.columns["Humidity"], [85, np.nan, 70])
    assert table.target.tolist() == [0, 1, 1]
    assert len(table) == 3


@pytest.mark.parametrize("how", ["path", "text path", "file", "stream", "stdin", "gzip"])
def test_every_way_to_a_file_gives_the_same_table(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gzip

    path = tmp_path / "weather.csv"
    path.write_bytes(WEATHER)
    packed = tmp_path / "weather.csv.gz"
    packed.write_bytes(gzip.compress(WEATHER))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WEATHER)))
    sources: dict[str, Any] = {
        "path": path,
        "text path": str(path),
        "file": io.BytesIO(WEATHER),
        "stream": io.StringIO(WEATHER.decode()),
        "stdin": "-",
        "gzip": packed,
    }
    table, expected = read_table(sources[how], target="Play"), read_table(WEATHER, target="Play")
    assert table.schema == expected.schema
    np.testing.assert_array_equal(table.columns["Outlook"], expected.columns["Outlook"])


def test_kinds_order_and_ignore_are_obeyed() -> None:
    table = read_table(
        WEATHER,
        target="Play",
        kinds={"Humidity": "ordinal", "Wind": "text"},
        ordered={"Outlook": ["Rainy", "Overcast", "Sunny"]},
    )
    assert table.schema["Humidity"] == Ordinal("Humidity", ("70", "85"))
    assert table.columns["Humidity"].tolist() == [1, -1, 0]
    assert table.schema["Outlook"] == Ordinal("Outlook", ("Rainy", "Overcast", "Sunny"))
    assert table.columns["Outlook"].tolist() == [2, 0, -1]
    assert table.schema["Wind"] == Text("Wind")
    assert table.columns["Wind"].tolist() == ["Weak", "Strong", "Weak"]
    assert read_table(WEATHER, ignore="Wind").schema["Wind"] == Ignored("Wind")
    assert "Wind" not in read_table(WEATHER, ignore=["Wind"]).columns


def test_numbers_as_values_come_in_the_order_of_their_size() -> None:
    table = read_table(b"x,y\n10,a\n9,b\n10,a\n", kinds={"x": "nominal"})
    assert table.schema["x"] == Nominal("x", ("9", "10"))
    assert table.columns["x"].tolist() == [1, 0, 1]


def test_a_numeric_target_can_be_insisted_on() -> None:
    table = read_table(b"x,y\n1,0\n5,1\n7,0\n", target="y", kinds={"y": "numeric"})
    assert table.schema.target == Numeric("y")


def test_words_for_missing_are_the_callers_choice() -> None:
    table = read_table(b"x,y\nnone,a\n5,b\n7,a\n", missing=["none"])
    np.testing.assert_array_equal(table.columns["x"], [np.nan, 5, 7])


def test_rows_without_a_target_are_left_out_aloud() -> None:
    table = read_table(b"x,y\n1,a\n2,\n3,b\n5,?\n", target="y")
    assert table.columns["x"].tolist() == [1, 3]
    assert "2 rows without a value of the target 'y' left out." in table.notes


def test_one_class_is_remarked_on() -> None:
    table = read_table(b"x,y\n1,a\n2,a\n3,a\n", target="y")
    assert "The target 'y' has only one class, 'a': there is nothing to learn." in table.notes


def test_no_inputs_are_remarked_on() -> None:
    assert "No column is left to learn from." in read_table(b"x,y\n1,a\n1,b\n", target="y").notes


def test_weights_are_taken_out_of_the_inputs() -> None:
    table = read_table(b"x,w,y\n1,2,a\n4,0.5,b\n", target="y", weight="w")
    assert table.weights is not None
    assert table.weights.tolist() == [2, 0.5]
    assert table.schema.weight == "w"
    assert [a.name for a in table.schema.attributes] == ["x"]


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (("1", "-2"), "The weight column 'w' is negative (-2) in row 2"),
        (("1", ""), "The weight column 'w' is missing in row 2"),
        (("0", "0"), "The weight column 'w' is zero in every row"),
        (("1", "heavy"), "Column 'w', row 2: 'heavy' is not a number"),
    ],
)
def test_wrong_weights_are_refused_with_their_row(cells: tuple[str, str], sentence: str) -> None:
    text = f"x,w,y\n1,{cells[0]},a\n4,{cells[1]},b\n".encode()
    with pytest.raises(SchemaError) as caught:
        read_table(text, target="y", weight="w")
    assert sentence in str(caught.value)


@pytest.mark.parametrize(("cell", "wrong"), [("heavy", "is not a number"), ("1e999", "is not finite")])
def test_a_weight_that_is_no_number_is_not_advised_to_be_nominal(cell: str, wrong: str) -> None:
    text = f"x,w,y\n1,{cell},a\n4,light,b\n".encode()
    with pytest.raises(SchemaError) as caught:
        read_table(text, target="y", weight="w")
    assert str(caught.value) == (
        f"Column 'w', row 1: '{cell}' {wrong}, which a weight must be. Correct the cell, or leave weight out."
    )
    assert caught.value.advice == ()
    assert caught.value.place == Place(column="w", row=1)
    schema = read_table(b"x,w,y\n1,2,a\n4,3,b\n", target="y", weight="w").schema
    with pytest.raises(SchemaError, match=r"Correct the cell, or leave the column out of these rows\."):
        encode(read_raw(text), schema)


@pytest.mark.parametrize(
    "request_",
    [
        {"target": "humidty"},
        {"weight": "humidty"},
        {"kinds": {"humidty": "numeric"}},
        {"ignore": ["humidty"]},
        {"ordered": {"humidty": ["a"]}},
    ],
)
def test_an_unknown_column_gets_the_nearest_name(request_: dict[str, Any]) -> None:
    with pytest.raises(ColumnError) as caught:
        read_table(WEATHER, **request_)
    assert str(caught.value) == (
        "No column 'humidty'. Did you mean 'Humidity'? Columns: Outlook, Humidity, Wind, Play."
    )


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({"kinds": {"Wind": "numeric"}}, "Column 'Wind', row 1: 'Weak' is not a number"),
        ({"kinds": {"Wind": "nominl"}}, "Column 'Wind': No kind 'nominl'. Did you mean 'nominal'?"),
        (
            {"kinds": {"Wind": "ordinal"}},
            "give its values from low to high, ordered={'Wind': ['Strong', 'Weak']}",
        ),
        ({"ordered": {"Wind": ["Weak"]}}, "Column 'Wind', row 2: 'Strong' is not among its values (Weak)"),
        ({"ordered": {"Wind": "Weak"}}, "must be a list of values"),
        ({"kinds": {"Wind": "text"}, "ordered": {"Wind": ["Weak"]}}, "which has no order of values"),
        ({"target": "Play", "weight": "Play"}, "'Play' cannot be both the target and the weight"),
        ({"target": "Play", "ignore": ["Play"]}, "'Play' cannot be both the target and ignored"),
        ({"target": "Play", "kinds": {"Play": "ignored"}}, "'Play' cannot be both the target and ignored"),
        ({"target": "Play", "kinds": {"Play": "text"}}, "Target 'Play' is text"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused(request_: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SchemaError) as caught:
        read_table(WEATHER, **request_)
    assert sentence in str(caught.value)


def test_a_target_that_is_all_missing_is_refused() -> None:
    with pytest.raises(SchemaError, match="'y' is empty in every row"):
        read_table(b"x,y\n1,\n2,\n", target="y")


def test_a_target_of_names_is_refused() -> None:
    rows = "".join(f"{i},name {i}\n" for i in range(40))
    with pytest.raises(SchemaError, match="40 different values in 40 rows: too many to be classes"):
        read_table(f"x,y\n{rows}".encode(), target="y")


@pytest.mark.slow
def test_a_column_of_a_million_different_strings_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "keys.csv"
    path.write_text("key,y\n" + "".join(f"k{i},{'ab'[i % 2]}\n" for i in range(1_000_000)))
    table = read_table(path, target="y")
    assert isinstance(table.schema["key"], Ignored)
    assert len(table) == 1_000_000


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"a,b\n", "has a header and no rows"),
        (b"a,a\n1,2\n", "are both called 'a'"),
        (b"a,b\n1,2\n1,2,3\n", "line 3"),
        (b"a,b\n1,inf\n", "infinite"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises((SourceError, ColumnError)) as caught:
        read_table(path)
    assert sentence in str(caught.value)
    assert "bad.csv" in str(caught.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "credit.csv").write_bytes(WEATHER)
    with pytest.raises(SourceError, match=r"Did you mean .*credit\.csv"):
        read_table(tmp_path / "credti.csv")
    with pytest.raises(SourceError, match="is a folder"):
        read_table(tmp_path)
    with pytest.raises(SourceError, match="No file"):
        read_table(tmp_path / "none.parquet")


def test_nothing_to_read_and_misplaced_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nothing to read"):
        read_table()
    with pytest.raises(SourceError, match="names is only for arrays"):
        read_table(WEATHER, names=["a"])
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(SourceError, match=r"delimiter is for delimited text; x\.jsonl needs none"):
        read_table(tmp_path / "x.jsonl", delimiter=",")


def test_a_schema_may_be_given_as_object_json_or_file(tmp_path: Path) -> None:
    schema = Schema(
        (Nominal("Wind", ("Strong", "Weak")), Ordinal("Outlook", ("Rainy", "Sunny"))),
        Nominal("Play", ("Yes", "No")),
    )
    for given in (schema, schema_to_json(schema), save_schema(schema, tmp_path / "schema.json")):
        table = read_table(WEATHER, schema=given)
        assert table.schema == schema
        assert table.columns["Wind"].tolist() == [1, 0, 1]
        assert table.target.tolist() == [1, 0, 0]
        assert "Not in the schema, so left out: Humidity." in table.notes


def test_a_schema_may_leave_values_to_the_data_and_be_overridden() -> None:
    schema = Schema((Nominal("Wind", ()), Numeric("Humidity")))
    table = read_table(WEATHER, schema=schema, kinds={"Humidity": "nominal"}, target="Play")
    assert table.schema["Wind"] == Nominal("Wind", ("Strong", "Weak"))
    assert table.schema["Humidity"] == Nominal("Humidity", ("70", "85"))
    assert table.schema.target == Nominal("Play", ("No", "Yes"))


def test_a_schema_that_does_not_fit_is_refused_or_remarked_on() -> None:
    with pytest.raises(
        ColumnError, match=r"lacks a column of the schema. No column 'Winds'. Did you mean 'Wind'"
    ):
        read_table(WEATHER, schema=Schema((Nominal("Winds", ("Weak",)),)))
    table = read_table(WEATHER, schema=Schema((Nominal("Wind", ("Weak",)), Ignored("nowhere"))))
    assert (
        "Column 'Wind' has 1 row with a value that is not in the schema, such as 'Strong': "
        "it counts as missing." in table.notes
    )
    with pytest.raises(SchemaError, match="Column 'Play', row 1: 'No' is not among its values"):
        read_table(WEATHER, schema=Schema((), Nominal("Play", ("Yes",))))
    assert read_table(
        b"Wind\nWeak\n", schema=Schema((Nominal("Wind", ("Weak",)),), Numeric("gone"))
    ).columns.keys() == {"Wind"}


def test_a_mark_of_missing_is_added_to_the_usual_ones() -> None:
    table = read_table(b"x,y\nabc,?\n5,NA\n7,a\n,b\n", missing="abc")
    assert str(table.columns["x"].tolist()) == "[nan, 5.0, 7.0, nan]"
    assert table.columns["y"].tolist() == [-1, -1, 0, 1]


def test_an_empty_list_of_marks_leaves_blanks_alone() -> None:
    assert read_table(b"x,y\n?,a\n,b\nNA,a\n", missing=[]).columns["x"].tolist() == [0, -1, 1]


def test_a_number_names_a_place_in_an_array_and_a_label_in_a_frame() -> None:
    rows = [[1.5, 0.0, 2.0], [2.5, 1.0, 1.0]]
    by_place = read_table(np.array(rows), target=1, weight=-1, names=["a", "b", "c"]).schema
    assert (by_place.target and by_place.target.name, by_place.weight) == ("b", "c")
    labelled = read_table(pd.DataFrame(rows, columns=[2, 1, 0]), target=2).schema
    assert labelled.target
    assert labelled.target.name == "2"
    with pytest.raises(ColumnError, match="No column 3: the array has 3, counted from 0"):
        read_table(np.array(rows), target=3)


def test_kinds_that_are_no_dict_are_refused() -> None:
    with pytest.raises(SettingError, match="kinds must be a dict such as "):
        read_table([{"age": 1}], kinds=mistyped(["age"]))


def test_one_row_is_not_rows() -> None:
    assert str(read_table([{"age": 1}])).startswith("1 row\n")


@pytest.mark.parametrize("rows", [3, 12])
def test_numbers_with_a_decimal_comma_in_quotes_are_remarked_on_and_read_when_told(rows: int) -> None:
    text = "x,y\n" + "".join(f'"{i},5",{"ab"[i % 2]}\n' for i in range(rows))
    advice = (
        "Column 'x' looks like numbers with a decimal comma, such as '0,5'. "
        "If it is, in a text file: decimal=','."
    )
    assert any(advice in note for note in read_table(text.encode()).notes)
    assert read_table(text.encode(), decimal=",").columns["x"].tolist() == [i + 0.5 for i in range(rows)]
