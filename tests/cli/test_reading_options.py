"""The options that say how a file is written reach the readers from every command that reads."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.cli.conftest import Command


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    rows = "".join(
        f"{i},{100 + i};2024-01-{1 + i % 28:02d};{'few' if i < 20 else 'many'}\n" for i in range(1, 41)
    )
    path = tmp_path / "sales.csv"
    path.write_text(f"price;day;answer\n{rows}")
    return path


def test_thousands_and_dates_are_read_as_told_when_learning_and_when_predicting(
    clearwood: Command, sales: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model.json"
    text = ("--thousands", ",", "--dates", "days")
    done = clearwood("fit", sales, "-t", "answer", "--save", model, *text)
    assert "Column 'day' holds dates, taken as days since 1970-01-01: 2024-01-02 is 19724." in done.err
    assert "price ≤ 19119" in done.out
    written = clearwood("predict", model, sales, *text).out.splitlines()
    assert written[1] == '"1,101",2024-01-02,few,few'


def test_a_model_of_days_asks_for_the_option(clearwood: Command, tmp_path: Path) -> None:
    path = tmp_path / "days.csv"
    path.write_text("day,y\n" + "".join(f"2024-01-{i:02d},{'ab'[i > 9]}\n" for i in range(1, 20)))
    assert clearwood("fit", path, "-t", "y", "--dates", "days", "--save", "m.json").code == 0
    refused = clearwood("predict", "m.json", path)
    assert refused.code == 2
    assert "holds dates such as '2024-01-01', not numbers" in refused.err
    assert "To take them as days since 1970-01-01: --dates days." in refused.err


def test_a_packed_file_beyond_the_limit_is_refused_with_the_option(
    clearwood: Command, tmp_path: Path
) -> None:
    path = tmp_path / "big.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,x\n2,y\n" * 10_000))
    done = clearwood("schema", path, "-t", "b", "--max-bytes", "40KB")
    assert done.code == 2
    assert "big.csv.gz unpacks to more than 40 KB" in done.err
    assert "allow more: --max-bytes 80KB." in done.err
    assert clearwood("schema", path, "-t", "b", "--max-bytes", "1MB").code == 0


def test_advice_on_thousands_names_the_option(clearwood: Command, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x;y\n" + "1,200;a\n3,400;b\n" * 5)
    assert "say which: --thousands ',' or --decimal ','" in clearwood("schema", path, "-t", "y").err


def test_an_encoding_of_no_text_is_refused(clearwood: Command, sales: Path) -> None:
    done = clearwood("schema", sales, "--encoding", "rot13")
    assert (done.code, "No encoding 'rot13'" in done.err) == (2, True)


def test_what_a_schema_or_a_model_settles_is_noted_once_not_by_every_command(
    clearwood: Command, tmp_path: Path
) -> None:
    rows = [f'"1,{100 + i}.50",{i % 3},{"ab"[i % 2]}' for i in range(60)]
    (tmp_path / "d.csv").write_text("\n".join(["amount,few,class", *rows, ""]))
    first = clearwood("schema", "d.csv", "--target", "class", "--save", "s.json")
    assert "Column 'amount' has commas between thousands" in first.err
    assert "few (3)" in first.err
    fitted = clearwood("fit", "d.csv", "--schema", "s.json", "--save", "m.json")
    assert "note:" not in fitted.err
    predicted = clearwood("predict", "m.json", "d.csv", "--json").json
    assert predicted["notes"] == []


def test_german_thousands_that_look_like_decimals_are_announced_where_they_are_read(
    clearwood: Command, tmp_path: Path
) -> None:
    rows = [f"{1 + i % 9}.{i % 10}26,29;{'no' if i % 9 < 5 else 'yes'}" for i in range(40)]
    (tmp_path / "d.csv").write_text("\n".join(["amount;y", *rows, ""]))
    assert clearwood("fit", "d.csv", "-t", "y", "--save", "m.json").code == 0
    (tmp_path / "new.csv").write_text("amount;y\n1.200;no\n8.500;yes\n2.100;no\n")
    note = (
        "new.csv, column 'amount': cells such as '1.200' are read as decimals (1.2). If the point stands "
        "between thousands: --decimal ',' or --thousands '.'; if it does not: --decimal '.'."
    )
    assert f"note: {note}\n" in clearwood("predict", "m.json", "new.csv").err
    assert note in clearwood("predict", "m.json", "new.csv", "--json").json["notes"]
    assert note in clearwood("fit", "new.csv", "-t", "y").err
    for option in (("--decimal", ","), ("--thousands", ".")):
        done = clearwood("predict", "m.json", "new.csv", *option)
        assert "read as decimals" not in done.err
        assert [line.rsplit(",", 1)[1] for line in done.out.splitlines()[1:]] == ["no", "yes", "no"]
