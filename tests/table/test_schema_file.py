"""A schema survives its file, and a wrong file gets one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clearwood.errors import ColumnError, SchemaError, SourceError
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from clearwood.table.schema_file import load_schema, save_schema, schema_from_json, schema_to_json

SCHEMA = Schema(
    (
        Nominal("Outlook", ("Sunny", "été")),
        Ordinal("size", ("small", "large")),
        Numeric("Humidity"),
        Numeric("cutted", (1.0, 2.5)),
        Text("note"),
        Ignored("id", "every value is different"),
    ),
    Nominal("Play", ("No", "Yes")),
    "w",
)


def test_a_schema_comes_back_from_its_json() -> None:
    assert schema_from_json(json.loads(json.dumps(schema_to_json(SCHEMA)))) == SCHEMA


def test_a_schema_comes_back_from_its_file(tmp_path: Path) -> None:
    path = save_schema(SCHEMA, tmp_path / "schema.json")
    assert load_schema(path) == SCHEMA
    assert [each.name for each in tmp_path.iterdir()] == ["schema.json"]


def test_a_schema_without_target_or_weight_comes_back() -> None:
    bare = Schema((Numeric("x"),))
    assert schema_from_json(schema_to_json(bare)) == bare


def test_a_nominal_column_may_leave_its_values_to_the_data() -> None:
    assert schema_from_json({"columns": [{"name": "a", "kind": "nominal"}]})["a"] == Nominal("a", ())


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "the schema must be an object, not []"),
        ({}, "'columns' is missing"),
        ({"columns": {}}, "columns must be a list"),
        ({"columns": [3]}, r"columns[0] must be an object, not 3"),
        ({"columns": [], "traget": None}, "Did you mean 'target'?"),
        ({"columns": [{"name": "a"}]}, "columns[0]: 'kind' is missing"),
        ({"columns": [{"name": 1, "kind": "text"}]}, "columns[0].name must be text, not 1"),
        (
            {"columns": [{"name": "a", "kind": "nominl"}]},
            "columns[0] ('a'): No kind 'nominl'. Did you mean 'nominal'?",
        ),
        ({"columns": [{"name": "a", "kind": []}]}, "No kind '[]'"),
        ({"columns": [{"name": "a", "kind": "ordinal"}]}, "columns[0] ('a'): 'values' is missing"),
        ({"columns": [{"name": "a", "kind": "nominal", "values": "xy"}]}, "values must be a list"),
        ({"columns": [{"name": "a", "kind": "nominal", "values": [1]}]}, "values must all be text, not 1"),
        ({"columns": [{"name": "a", "kind": "nominal", "values": ["x", "x"]}]}, "lists a value twice"),
        (
            {"columns": [{"name": "a", "kind": "numeric", "values": []}]},
            "'values' does not belong to a numeric column",
        ),
        (
            {"columns": [{"name": "a", "kind": "numeric", "cuts": [float("nan")]}]},
            "must all be finite numbers, not nan",
        ),
        ({"columns": [{"name": "a", "kind": "numeric", "cuts": [10**400]}]}, "must all be finite numbers"),
        ({"columns": [{"name": "a", "kind": "numeric", "cuts": [2, 1]}]}, "cuts must increase"),
        ({"columns": [{"name": "a", "kind": "ignored", "because": 3}]}, "because must be text"),
        ({"columns": [], "target": {"name": "y", "kind": "text"}}, "a target is nominal, ordinal or numeric"),
        ({"columns": [], "weight": 3}, "weight must be a column's name or null, not 3"),
    ],
)
def test_a_wrong_schema_is_refused_with_its_place(data: Any, sentence: str) -> None:
    with pytest.raises(SchemaError) as caught:
        schema_from_json(data)
    assert sentence in str(caught.value)


def test_a_name_used_twice_is_refused() -> None:
    with pytest.raises(ColumnError, match="Two columns are called 'a'"):
        schema_from_json({"columns": [{"name": "a", "kind": "text"}], "weight": "a"})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"columns": [', "is not valid JSON: line 1"),
        ('{"format": "other", "columns": []}', "format must be 'clearwood schema', not 'other'"),
        ('{"format": "clearwood schema", "version": 99, "columns": []}', "version 99"),
        ('{"format": "clearwood schema", "version": true, "columns": []}', "version must be a whole number"),
        ('{"format": "clearwood schema", "version": 1, "columns": 3}', "columns must be a list"),
        ("[" * 100_000, "s.json"),
        (f'{{"version": {"9" * 5000}}}', "is not a schema file: it has a number of thousands of digits."),
    ],
)
def test_a_wrong_file_is_refused_with_its_name(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "s.json"
    path.write_text(text)
    with pytest.raises(SchemaError) as caught:
        load_schema(path)
    assert sentence in str(caught.value)
    assert "s.json" in str(caught.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SchemaError, match="not UTF-8"):
        load_schema(path)


def test_a_file_that_is_not_there_and_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="Cannot read the schema"):
        load_schema(tmp_path / "none.json")
    with pytest.raises(SourceError, match=r"Cannot write .*: "):
        save_schema(SCHEMA, tmp_path / "none" / "s.json")
