"""Values that are read as others, and marks for missing cells of one column, from every kind of source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ColumnError, SchemaError, SettingError
from clearwood.serving.bodies import RawRows
from clearwood.serving.row_reading import RowReader, coded_rows
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema_file import schema_to_json
from clearwood.table.sources import read_raw
from clearwood.table.sources.blocks import blocks_of
from tests.typed import mistyped

TEXT = "sex,age,y\nM,40,a\nmale,-9,b\nfemale,unknown,a\nF,-9,b\n"
HOW = {"recode": {"sex": {"M": "male", "F": "female"}}, "missing": {"age": ["unknown", "-9"], "": ["none"]}}


def test_values_are_read_as_others_and_marks_of_a_column_as_missing() -> None:
    table = cw.read_table(TEXT.encode(), target="y", **HOW)  # type: ignore[arg-type]
    assert isinstance(table.schema["sex"], Nominal)
    assert set(table.schema["sex"].values) == {"male", "female"}
    assert isinstance(table.schema["age"], Numeric)
    assert np.isnan(table.columns["age"]).tolist() == [False, True, True, True]


def test_blocks_records_and_arff_are_read_so_too(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(TEXT, encoding="utf-8")
    (block,) = blocks_of(str(path), dict(HOW))
    assert block.raw.columns[0].values == ("male", "female")
    records = cw.read_table([{"x": -9, "y": "a"}, {"x": 4, "y": "b"}] * 5, target="y", missing={"x": "-9"})
    assert np.isnan(records.columns["x"]).sum() == 5
    arff = tmp_path / "rows.arff"
    arff.write_text("@relation r\n@attribute s {M,male}\n@attribute y {a,b}\n@data\nM,a\nmale,b\n")
    table = cw.read_table(arff, target="y", recode={"s": {"M": "male"}})
    assert table.schema["s"] == Nominal("s", ("male",))


def test_codes_of_classes_get_their_names() -> None:
    raw = read_raw({"y": [0, 1, 1]}, recode={"y": {"0": "good", "1": "bad"}})
    assert raw.columns[0].values == ("good", "bad")


def test_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(ColumnError, match="No column 'aeg'"):
        cw.read_table(TEXT.encode(), missing={"aeg": "0"})
    with pytest.raises(SettingError, match="recode must be a dict"):
        cw.read_table(TEXT.encode(), recode=mistyped({"sex": "male"}))


def insulin(rows: int = 40) -> list[dict[str, Any]]:
    """A zero stands for a test that was not done; those rows are of class a, as the high numbers are."""
    return [
        {
            "insulin": 0 if at % 4 == 0 else 20 + at,
            "sex": "M" if at % 3 else "male",
            "y": "b" if at < 20 and at % 4 else "a",
        }
        for at in range(rows)
    ]


def learned_so() -> cw.Tree:
    table = cw.read_table(
        insulin(), target="y", missing={"insulin": "0", "": ["-"]}, recode={"sex": {"M": "male"}}
    )
    return cw.CART(min_leaf=2).learn(table)


def test_a_model_keeps_how_its_cells_are_read_and_reads_new_rows_so(tmp_path: Path) -> None:
    model = learned_so()
    assert model.schema.read_as == {"": {"-": None}, "insulin": {"0": None}, "sex": {"M": "male"}}
    place = cw.save(model, tmp_path / "model.json")
    again = cw.load(place)
    assert again == model
    jsonschema.validate(json.loads(place.read_text()), cw.json_schema())
    empty: dict[str, Any] = {"insulin": None, "sex": "male"}
    expected = cw.shares(again, [empty])[0].tolist()
    assert cw.shares(again, [{"insulin": 1, "sex": "male"}])[0].tolist() != expected
    for cells in ({"insulin": 0, "sex": "M"}, {"insulin": 0.0, "sex": "male"}, {"insulin": None, "sex": "-"}):
        assert cw.shares(again, [cells])[0].tolist() == expected
        assert [*cw.row_predictor(again).shares(cells).values()] == pytest.approx(expected)
        assert str(cw.explain(again, cells)) == str(cw.explain(again, empty if cells["sex"] != "-" else {}))
    text = b"insulin,sex\n0,M\n0.0,male\n-,-\n 0,M\n"
    assert cw.shares(again, text).tolist() == [expected] * 4


def test_a_server_reads_rows_as_its_model_does() -> None:
    reader = RowReader(learned_so())
    assert np.isnan(reader.read({"insulin": 0, "sex": "M"}).codes[0])
    assert np.isnan(reader.read({"insulin": "-", "sex": "M"}).codes[0])
    body = RawRows(read_raw(b"insulin,sex\n0,M\n-,male\n31,male\n"))
    assert np.isnan(coded_rows(reader, body)[0].columns["insulin"]).tolist() == [True, True, False]


def test_an_export_says_which_cells_to_prepare_and_is_proven_on_prepared_ones() -> None:
    exported = cw.export(learned_so(), "python")
    wanted = "leave -, 0 of insulin empty"
    assert wanted in exported.notes[-1]
    assert wanted in exported.text
    assert cw.prove(exported, insulin()).status == "passed"


def test_what_a_schema_file_says_of_cells_is_done(tmp_path: Path) -> None:
    schema = cw.read_table(insulin(), target="y", missing={"insulin": "0"}).schema
    place = tmp_path / "schema.json"
    cw.save_schema(schema, place)
    table = cw.read_table(insulin(), schema=place)
    assert np.isnan(table.columns["insulin"]).sum() == 10
    assert table.schema == schema
    assert str(schema).splitlines()[-1] == "In 'insulin' 0 is read as missing."
    with pytest.raises(SchemaError, match=r"read_as .'sex'. must give text or null, not 3"):
        cw.read_table(insulin(), schema={**schema_to_json(schema), "read_as": {"sex": {"M": 3}}})


def test_rows_may_be_read_twice() -> None:
    with pytest.raises(SettingError, match="'a' of 'y' is read as 'b', and 'b' as 'a'"):
        cw.read_table({"x": [1, 2], "y": ["a", "b"]}, target="y", recode={"y": {"a": "b", "b": "a"}})
    with pytest.raises(SettingError, match="'none' of 'x' is read as '0', and '0' as missing"):
        cw.read_table({"x": ["none", "2"]}, missing={"x": "0"}, recode={"x": {"none": "0"}})


def test_padded_codes_are_no_numbers_to_be_left_out() -> None:
    table = cw.read_table(
        b"zip,y\n01,a\n1,b\n02,a\n", target="y", missing={"zip": "1"}, kinds={"zip": "nominal"}
    )
    assert table.schema["zip"] == Nominal("zip", ("01", "02"))
