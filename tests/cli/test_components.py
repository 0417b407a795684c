"""The command line on components: which columns, what they are made of, and what is wrong in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

import clearwood as cw
from tests.cli.conftest import Command

MIXED = "a,b,c,d\n" + "".join(f"{i},{i * i % 7},{'xy'[i % 2]},{'pqr'[i % 3]}\n" for i in range(12))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    place = tmp_path / "mixed.csv"
    place.write_text(MIXED + ",3,x,\n")
    return place


def test_numbers_are_joined_by_pca_as_in_python(clearwood: Command) -> None:
    numbers = cw.datasets.path("tennis_numeric")
    done = clearwood("components", numbers, "-t", "Play", "--method", "pca", "--json")
    assert done.json["kind"] == "pca"
    shares = [each["share"] for each in done.json["components"]]
    assert shares == pytest.approx(cw.pca(cw.read_table(numbers, target="Play")).shares)


def test_values_are_joined_by_mca_and_the_target_is_left_out(clearwood: Command, tennis: Path) -> None:
    done = clearwood("components", tennis, "-t", "PlayTennis")
    assert done.code == 0
    assert "6 axes of 4 columns, 14 rows" in done.out
    assert "left out" not in done.err


def test_of_two_kinds_a_note_says_which_and_an_option_chooses(clearwood: Command, mixed: Path) -> None:
    usual = clearwood("components", mixed)
    assert "PCA of the 2 numeric columns; 2 nominal columns left out." in usual.err
    assert "For the others: --method mca." in usual.err
    assert "1 empty cell counted as the column's mean." in usual.out
    other = clearwood("components", mixed, "--method", "mca")
    assert "left out" not in other.err
    assert "1 empty cell counted as the value (missing)." in other.err


def test_the_first_two_components_are_drawn_or_the_share_of_the_only_one(
    clearwood: Command, tennis: Path
) -> None:
    two = clearwood("components", tennis, "-t", "PlayTennis", "-o", "map.svg")
    assert "Drawn to map.svg: Values on axis 1 and axis 2" in two.err
    one = clearwood("components", tennis, "-t", "PlayTennis", "--most", 1, "-o", "one.svg")
    assert "Drawn to one.svg: Adjusted share of inertia by axis" in one.err


@pytest.mark.parametrize(
    ("text", "more", "sentence"),
    [
        (
            "a,b\n1,x\n2,y\n3,x\n",
            (),
            "this table has 1 numeric column and 1 nominal column",
        ),
        ("a,b\n1,2\n2,5\n3,1\n", ("--method", "mca"), "For the others: --method pca."),
        ("a,b\n1,2\n2,5\n3,1\n", ("--method", "pac"), "No method 'pac'. Did you mean 'pca'?"),
        ("a,b\n1,2\n", (), "the table has a single row"),
        ("a,b\n1,4\n1,4\n1,4\n", ("--kind", "a=numeric", "--kind", "b=numeric"), "columns that vary"),
    ],
)
def test_what_cannot_be_joined_is_refused_in_a_sentence(
    clearwood: Command, tmp_path: Path, text: str, more: tuple[str, ...], sentence: str
) -> None:
    place = tmp_path / "t.csv"
    place.write_text(text)
    done = clearwood("components", place, *more)
    assert done.code == 2
    assert sentence in done.err


def test_few_rows_are_pointed_out(clearwood: Command, tmp_path: Path) -> None:
    place = tmp_path / "t.csv"
    place.write_text("a,b\n1,2\n2,5\n3,1\n")
    done = clearwood("components", place)
    assert "3 rows for 2 columns: too few to rely on what the components are made of." in done.out
