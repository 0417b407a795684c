"""`clearwood compare` shows where learners part, as text or data, and refuses with a way out."""

from __future__ import annotations

from pathlib import Path

from clearwood import datasets
from tests.cli.conftest import Command

TENNIS = ("compare", datasets.path("tennis"), "--target", "PlayTennis")


def test_the_usual_learners_side_by_side(clearwood: Command) -> None:
    printed = clearwood(*TENNIS)
    assert printed.code == 0
    assert "ID3, C4.5, CART and CHAID on PlayTennis" in printed.out
    assert "They part at the top: 14 rows, 5 No, 9 Yes." in printed.out
    assert "  Outlook       0.247 ←    0.247            0.156 ←        0.102 ←           0.233" in printed.out


def test_long_sets_and_questions_of_many_ways_are_shortened(clearwood: Command, tmp_path: Path) -> None:
    table = tmp_path / "ports.csv"
    ports = [f"{port:02d},{'no' if port % 2 else 'yes'}" for port in range(40)]
    table.write_text("\n".join(["Port,Sails", *ports * 3]))
    printed = clearwood(
        "compare", table, "--target", "Sails", "-l", "id3", "-l", "cart", "--kind", "Port=nominal"
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
    assert "'bayes' is no tree learner that compare knows" in printed.err


def test_a_learner_given_twice_is_refused(clearwood: Command) -> None:
    printed = clearwood(*TENNIS, "-l", "cart", "-l", "cart")
    assert printed.code != 0
    assert "given twice" in printed.err


def test_costs_that_one_learner_was_given_judge_them_all(clearwood: Command, tennis: Path) -> None:
    asked = ("compare", tennis, "-t", "PlayTennis", "-l", "cart:costs=No/Yes:5,max_depth=1", "-l", "c45")
    done = clearwood(*asked)
    assert done.code == 0, done.err
    lines = [line.split() for line in done.out.splitlines() if "of 14" in line]
    assert [line[-3:] for line in lines] == [["0.357", "No:", "0.643"], ["0", "No:", "0.643"]]
    data = clearwood(*asked, "--json").json["learners"]
    assert data["c45"]["expected_cost"]["per_row"] == 0.0
    plain = clearwood("compare", tennis, "-t", "PlayTennis", "-l", "cart", "-l", "c45", "--json").json
    assert {each["expected_cost"] for each in plain["learners"].values()} == {None}


def test_learners_with_different_costs_are_judged_each_by_its_own_which_is_said(
    clearwood: Command, tennis: Path
) -> None:
    learners = ("cart:costs=No/Yes:5", "cart:costs=No/Yes:2", "c45")
    done = clearwood("compare", tennis, "-t", "PlayTennis", *(x for each in learners for x in ("-l", each)))
    assert done.code == 0, done.err
    assert "The learners were given different costs: each is judged by its own." in done.out + done.err
    (last,) = [line.split() for line in done.out.splitlines() if line.strip().startswith("c45  ")][:1]
    assert last[-2:] == ["–", "–"]
