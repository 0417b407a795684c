"""Values that are read as others, and marks for missing cells of one column, from every kind of source."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ColumnError, SettingError
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.sources import read_raw
from clearwood.table.sources.blocks import blocks_of

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
        cw.read_table(TEXT.encode(), recode={"sex": "male"})  # type: ignore[dict-item]
