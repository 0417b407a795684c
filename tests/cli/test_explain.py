"""`clearwood explain`: one row, why, and what would have to change."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import clearwood as cw
from clearwood import datasets
from tests.cli.conftest import Command

TABLE = datasets.path("tennis_numeric")
ROW = "Outlook=Sunny,Humidity=80,Wind=Weak"


@pytest.fixture
def tree(clearwood: Command) -> str:
    assert clearwood("fit", TABLE, "-t", "Play", "--save", "tree.json").code == 0
    return "tree.json"


def test_the_answer_its_reason_and_the_smallest_change(clearwood: Command, tree: str) -> None:
    result = clearwood("explain", tree, "--row", ROW)
    assert result.code == 0
    assert "Humidity > 75  it is 80, 5 from the threshold" in result.out
    assert result.out.endswith("Humidity: 80 → 75\n  then Play\n")


def test_json_is_what_python_gives(clearwood: Command, tree: str) -> None:
    data = clearwood("explain", tree, "--row", ROW, "--fixed", "Humidity,Wind", "--json").json
    row = {"Outlook": "Sunny", "Humidity": 80, "Wind": "Weak"}
    assert data == cw.explain(cw.load(tree), row, fixed=["Humidity", "Wind"]).to_json()
    assert data["change"]["cells"] == [
        {"column": "Outlook", "before": "Sunny", "after": "Overcast", "cost": 1.0}
    ]


@pytest.mark.slow
def test_a_row_of_a_file_by_its_number(clearwood: Command, tree: str) -> None:
    data = clearwood(
        "explain", tree, "--data", TABLE, "--number", 3, "--only-down", "Humidity", "--json"
    ).json
    assert data["row"] == {"Outlook": "Sunny", "Temperature": 30.0, "Humidity": 85.0, "Wind": "Weak"}
    (change,) = data["change"]["cells"]
    assert (change["column"], change["after"]) == ("Humidity", 75.0)
    assert change["cost"] == pytest.approx(10 / 31)  # humidities are from 65 to 96


def test_an_empty_cell_of_a_file_is_missing(clearwood: Command, tree: str, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text(
        "Outlook,Temperature,Humidity,Wind\nSunny,20,?,Weak\nFoggy,20,70,Weak\n"
    )
    assert clearwood("explain", tree, "--data", "new.csv", "-n", 1, "--json").json["row"]["Humidity"] is None
    assert "never met Outlook = 'Foggy'" in clearwood("explain", tree, "--data", "new.csv", "-n", 2).out


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["id3", "cart", "chaid", "tree-rules", "cn2-unordered", "ila", "bayes"])
def test_every_kind_of_model_is_explained(clearwood: Command, learner: str) -> None:
    assert clearwood("fit", TABLE, "-t", "Play", "-l", learner, "--save", "m.json").code == 0
    assert "\nWhy" in clearwood("explain", "m.json", "--row", ROW).out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--row", "Outlok=Sunny"), "No column 'Outlok'. Did you mean 'Outlook'?"),
        (("--row", "Humidity=high"), "Column 'Humidity' is numeric, but --row says 'high'. Give a number."),
        (("--row", "Wind=Weak,Wind=Strong"), "--row gives Wind twice: Weak and Strong. Give it once."),
        (("--row", "Wind=Weak", "--row", "Wind=Weak"), "--row gives Wind twice"),
        (("--row", ROW, "--to", "Dont Play"), "Did you mean 'Don't Play'?"),
        (("--row", ROW, "--fixed", "Wnd"), "Did you mean 'Wind'?"),
        (("--row", ROW, "--only-up", "Wind"), "'Wind' is nominal: it has no up or down."),
        (("--data", TABLE, "--number", 15), "has 14 rows; there is no row 15."),
        (("--number", 1), "--number takes a row of a file: --data FILE."),
        ((), "Name one row: --row COLUMN=VALUE,… or --data FILE --number N."),
    ],
)
def test_what_is_wrong_is_one_sentence(
    clearwood: Command, tree: str, arguments: tuple[object, ...], sentence: str
) -> None:
    result = clearwood("explain", tree, *arguments)
    assert result.code == 2
    assert sentence in result.err


def test_fixing_everything_leaves_no_change_and_says_so(clearwood: Command, tree: str) -> None:
    result = clearwood("explain", tree, "--row", ROW, "--fixed", "Outlook,Humidity", "--fixed", "Wind")
    assert "every column that the model uses stays as it is." in result.out


def test_a_value_never_met_is_no_error_but_a_typo_is_named(clearwood: Command, tree: str) -> None:
    result = clearwood("explain", tree, "--row", "Outlook=Suny,Humidity=80")
    assert result.code == 0
    assert "The model has never met Outlook = 'Suny'. Did you mean 'Sunny'?" in result.out


def test_a_column_whose_name_holds_a_comma_can_be_fixed(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('"a, b",t\n' + "x,no\n" * 5 + "y,yes\n" * 5)
    assert clearwood("fit", "t.csv", "-t", "t", "--save", "m.json").code == 0
    result = clearwood("explain", "m.json", "--data", "t.csv", "-n", 1, "--fixed", "a, b")
    assert "every column that the model uses stays as it is." in result.out


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    "command",
    [
        ("explain", "m.json"),
        ("draw", "m.json", "-o", "m.svg"),
        ("derive", "--model", "m.json"),
        ("evidence", "b.json"),
    ],
    ids=lambda command: command[0],
)
def test_a_misspelt_column_or_value_of_a_row_is_named_in_every_command(
    clearwood: Command, tennis: Path, command: tuple[str, ...]
) -> None:
    clearwood("fit", tennis, "-t", "PlayTennis", "-l", "bayes", "--save", "b.json")
    value = clearwood(*command, "--row", "Outlook=sunny")
    assert "Did you mean 'Sunny'?" in value.out + value.err
    column = clearwood(*command, "--row", "Outlok=Sunny")
    assert column.code != 0
    assert "Did you mean 'Outlook'?" in column.err
    right = clearwood(*command, "--row", "Outlook=Sunny")
    assert "Did you mean" not in right.out + right.err


def test_a_value_never_met_is_noted_for_machines_too(clearwood: Command, tennis: Path) -> None:
    clearwood("fit", tennis, "-t", "PlayTennis", "-l", "bayes", "--save", "b.json")
    data = clearwood("evidence", "b.json", "--row", "Outlook=sunny", "--json").json
    assert data["notes"] == [
        "No value of Outlook 'sunny'. Did you mean 'Sunny'? Values: Overcast, Rainy, Sunny. It counts as "
        "an unseen value."
    ]


def test_a_misspelt_value_of_the_row_compared_with_is_refused(clearwood: Command, tennis: Path) -> None:
    clearwood("fit", tennis, "-t", "PlayTennis", "-l", "logistic", "-s", "penalty=l2", "--save", "l.json")
    done = clearwood("evidence", "l.json", "--row", "Outlook=Sunny", "--relative-to", "Outlook=rainy")
    assert done.code != 0
    assert "Did you mean 'Rainy'?" in done.err


def test_a_divided_row_prints_a_screen_and_all_of_it_if_asked(clearwood: Command) -> None:
    """Most cells are missing, so that it follows dozens of paths: the heaviest three are shown."""
    rows = ["a,b,c,d,y"]
    for number in range(400):
        cells = [number % 3, number // 3 % 3, number // 9 % 3, number // 27 % 3]
        rows.append(",".join(f"v{each}" for each in cells) + f",{'yes' if sum(cells) * 7 % 5 > 1 else 'no'}")
    Path("many.csv").write_text("\n".join(rows) + "\n")
    fitted = ("fit", "many.csv", "-t", "y", "-l", "c45", "--set", "prune=no", "--save", "many.json")
    assert clearwood(*fitted).code == 0
    short = clearwood("explain", "many.json", "--row", "a=v1").out
    every = clearwood("explain", "many.json", "--row", "a=v1", "--all").out
    leaves = int(re.findall(r"divided among (\d+) leaves", short)[0])
    assert leaves > 10
    assert len(short.splitlines()) <= 40
    assert short.count("leaf:") == 3
    assert f"of the row in {leaves - 3} more leaves: --all" in short
    assert every.count("leaf:") == leaves
    assert "more leaves" not in every
