"""`clearwood derive --compare` shows where learners part, as text or data, and refuses with a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from clearwood import datasets
from tests.cli.conftest import Command

TENNIS = ("derive", datasets.path("tennis"), "--target", "PlayTennis", "--compare")


def test_the_usual_learners_side_by_side(clearwood: Command) -> None:
    printed = clearwood(*TENNIS)
    assert printed.code == 0
    assert "ID3, C4.5, CART and CHAID on PlayTennis" in printed.out
    assert "They differ at the root: 14 rows, 5 No, 9 Yes." in printed.out
    assert "  Outlook       0.247 ←    0.247            0.156 ←        0.102 ←           0.233" in printed.out


def test_long_sets_and_questions_of_many_ways_are_shortened(clearwood: Command, tmp_path: Path) -> None:
    table = tmp_path / "ports.csv"
    ports = [f"{port:02d},{'no' if port % 2 else 'yes'}" for port in range(40)]
    table.write_text("\n".join(["Port,Sails", *ports * 3]))
    printed = clearwood(
        "derive", table, "--compare", "--target", "Sails", "-l", "id3", "-l", "cart", "--kind", "Port=nominal"
    )
    answers = " ".join(printed.out.split())
    assert "Port = 00 | Port = 01" in answers
    assert "| … 32 more" in answers
    assert "in {00, 02, 04, 06, … 16 more}" in answers
    assert "39" not in printed.out


def test_learners_with_settings_and_as_data(clearwood: Command) -> None:
    printed = clearwood(*TENNIS, "-l", "cart", "-l", "cart:alpha=0.2,min_leaf=2", "--json")
    data = printed.json
    assert list(data["learners"]) == ["cart", "cart:alpha=0.2,min_leaf=2"]
    assert data["learners"]["cart:alpha=0.2,min_leaf=2"]["settings"]["alpha"] == 0.2
    assert data["parting"]["choices"]["cart:alpha=0.2,min_leaf=2"]["asks"] == []
    assert data["notes"] == []


def test_a_learner_of_no_tree_is_refused(clearwood: Command) -> None:
    printed = clearwood(*TENNIS, "-l", "cart", "-l", "bayes")
    assert printed.code != 0
    assert "'bayes' is no tree learner that compare_trees knows" in printed.err


def test_a_learner_given_twice_is_refused(clearwood: Command) -> None:
    printed = clearwood(*TENNIS, "-l", "cart", "-l", "cart")
    assert printed.code != 0
    assert "given twice" in printed.err


def test_costs_that_one_learner_was_given_judge_them_all(clearwood: Command, tennis: Path) -> None:
    asked = (
        "derive",
        tennis,
        "--compare",
        "-t",
        "PlayTennis",
        "-l",
        "cart:costs=No/Yes:5,max_depth=1",
        "-l",
        "c45",
    )
    done = clearwood(*asked)
    assert done.code == 0, done.err
    lines = [line.split() for line in done.out.splitlines() if "of 14" in line]
    assert [line[-3:] for line in lines] == [["0.357", "No:", "0.643"], ["0", "No:", "0.643"]]
    data = clearwood(*asked, "--json").json["learners"]
    assert data["c45"]["expected_cost"]["per_row"] == 0.0
    plain = clearwood(
        "derive", tennis, "--compare", "-t", "PlayTennis", "-l", "cart", "-l", "c45", "--json"
    ).json
    assert {each["expected_cost"] for each in plain["learners"].values()} == {None}


def test_learners_with_different_costs_are_judged_each_by_its_own_which_is_said(
    clearwood: Command, tennis: Path
) -> None:
    learners = ("cart:costs=No/Yes:5", "cart:costs=No/Yes:2", "c45")
    done = clearwood(
        "derive", tennis, "--compare", "-t", "PlayTennis", *(x for each in learners for x in ("-l", each))
    )
    assert done.code == 0, done.err
    assert "The learners were given different costs: each is evaluated by its own." in done.out + done.err
    (last,) = [line.split() for line in done.out.splitlines() if line.strip().startswith("c45  ")][:1]
    assert last[-2:] == ["–", "–"]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--row", "Outlook=Sunny"), "--row is about one derivation, but --compare puts several"),
        (("--at", "Wind = Weak"), "--at is about one derivation"),
        (("--detail", "short"), "--detail is about one derivation"),
        (("--seed", "3"), "--seed does not say which of the learners it is for"),
        (("--set", "alpha=0.1"), "--set does not say which of the learners it is for"),
        (("--model", "tree.json"), "--compare grows each tree from the table, but --model gives one"),
    ],
)
def test_what_is_about_one_derivation_is_refused_beside_compare(
    clearwood: Command, more: tuple[str, ...], sentence: str
) -> None:
    printed = clearwood(*TENNIS, *more)
    assert printed.code != 0
    assert sentence in printed.err


def test_several_learners_without_compare_name_it_and_a_table_is_asked_for(clearwood: Command) -> None:
    printed = clearwood(*TENNIS[:-1], "-l", "cart", "-l", "c45")
    assert printed.code != 0
    assert "To see where their trees part, add --compare." in printed.err
    assert "--compare needs the table" in clearwood("derive", "--compare").err
