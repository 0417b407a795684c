"""Cells that a model cannot use are counted in the rows that are written, and called what they are."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from clearwood.table.sources import blocks as reading
from clearwood.table.sources.blocks import blocks_of
from tests.cli.conftest import Command

AGES = [*map(str, range(20, 30)), "", "old", "very old", *map(str, range(40, 46)), "inf"]


@pytest.fixture(params=["new.csv", "new.parquet", "new.jsonl"])
def new(
    clearwood: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> str:
    """Twenty rows, of which one has no age, three have one that is no number, and one no job."""
    lines = [f"{age},{'ab'[age % 2]},{'no' if age < 40 else 'yes'}" for age in range(20, 60)]
    (tmp_path / "d.csv").write_text("\n".join(["age,job,y", *lines, ""]))
    options = ("-l", "logistic", "--set", "penalty=l2", "--kind", "age=numeric", "--save", "m.json")
    assert clearwood("fit", "d.csv", "-t", "y", *options).code == 0
    jobs = ["a"] * 19 + [""]
    place = tmp_path / str(request.param)
    columns: dict[str, list[Any]] = {
        name: [cell or None for cell in cells] for name, cells in (("age", AGES), ("job", jobs))
    }
    match place.suffix:
        case ".csv":
            rows = map(",".join, zip(AGES, jobs, strict=True))
            place.write_text("\n".join(["age,job", *rows, ""]))
        case ".parquet":
            pq.write_table(pa.table(columns), place)
        case _:
            records = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
            place.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    monkeypatch.setattr(reading, "blocks_of", partial(blocks_of, size=40, rows=7))
    return place.name


def test_cells_of_rows_left_out_are_not_counted(clearwood: Command, new: str) -> None:
    data = clearwood("predict", "m.json", new, "--on-error", "skip", "--json").json
    assert data["rows"] == 17
    assert data["unusable"] == {"age": {"unseen": 0, "missing": 1, "not_numbers": 0}}
    assert [each["row"] for each in data["errors"]] == [12, 13, 20]
    done = clearwood("predict", "m.json", new, "--on-error", "skip", "-o", "s.csv")
    assert "note: age: 1 empty cell;" in done.err
    assert "job" not in done.err


def test_cells_that_are_no_numbers_are_not_called_empty(clearwood: Command, new: str) -> None:
    data = clearwood("predict", "m.json", new, "--on-error", "keep", "--json").json
    assert data["unusable"] == {
        "age": {"unseen": 0, "missing": 1, "not_numbers": 3},
        "job": {"unseen": 0, "missing": 1, "not_numbers": 0},
    }
    expected = (
        "age: 3 cells that are not numbers ('old', 'very old', 'inf'), taken as missing, and 1 empty cell;"
    )
    assert any(each.startswith(expected) for each in data["notes"])


def test_strict_refuses_them_by_what_they_say(clearwood: Command, new: str) -> None:
    Path("old.csv").write_text("age,job\n30,a\nold,b\ninf,a\n,b\n")
    done = clearwood("predict", "m.json", "old.csv", "--on-error", "keep", "--strict")
    assert (done.code, done.out) == (2, "")
    assert (
        "row 2 (age = 'old' is not a number); row 3 (age = 'inf' is infinite); row 4 (age is empty)"
        in done.err
    )
    Path("one.csv").write_text("age,job\n30,a\nold,b\n")
    done = clearwood("predict", "m.json", "one.csv", "--on-error", "skip", "--strict")
    assert done.code == 0
    assert clearwood("predict", "m.json", new, "--on-error", "skip", "--strict").code == 2


def test_a_column_of_flags_tells_them_apart(clearwood: Command, new: str) -> None:
    kept = clearwood("predict", "m.json", new, "--on-error", "keep", "--flag-cells", "flag", "--json").json
    assert kept["answers"]["flag"][10:13] == ["age missing", "age not a number", "age not a number"]
    assert kept["answers"]["flag"][19] == "age not a number; job missing"
    skip = clearwood("predict", "m.json", new, "--on-error", "skip", "--flag-cells", "flag", "--json").json
    assert skip["answers"]["flag"] == [*[""] * 10, "age missing", *[""] * 6]


@pytest.mark.parametrize(
    ("column", "option", "way"),
    [
        ("flag", ("--flag-cells", "flag"), "Call the column of flags another: --flag-cells NAME."),
        ("share_no", ("--shares",), "Rename it, or leave --shares out."),
        ("prediction", (), "Give the prediction another name: --column NAME."),
    ],
)
@pytest.mark.parametrize("new", ["new.csv"], indirect=True)
@pytest.mark.usefixtures("new")
def test_a_column_that_is_there_already_is_refused_with_the_option_that_names_it(
    clearwood: Command, column: str, option: tuple[str, ...], way: str
) -> None:
    Path("again.csv").write_text(f"age,job,{column}\n30,a,1\n")
    assert (
        f"again.csv has a column '{column}' already. {way}"
        in clearwood("predict", "m.json", "again.csv", *option).err
    )
