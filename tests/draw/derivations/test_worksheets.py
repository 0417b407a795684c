"""A worksheet gives what is needed to solve it, and tells no answer before it is asked; its key tells all."""

from __future__ import annotations

import csv
import re

import pytest

import clearwood as cw
from clearwood.draw.derivations.writing import write_derivation
from clearwood.learners.learner import Learner
from clearwood.models.kinds.tree.tree import merged_conditions
from clearwood.models.model import Model
from clearwood.working.derivation import BecameSplit, Derivation
from tests.book_tables import book_table


def sheet_and_key(derivation: Derivation, chapter: str | None = None) -> tuple[str, str]:
    sheet = write_derivation(derivation, detail="worksheet", width=300, chapter=chapter)
    key = write_derivation(derivation, detail="worksheet", answers=True, width=300, chapter=chapter)
    return sheet, key


def of(
    learner: Learner[Model], data: str, target: str, *, chapter: str | None = None, at: str | None = None
) -> tuple[str, str]:
    table = book_table(data, target=target)
    return sheet_and_key(cw.derive(learner.learn(table), table, at=at), chapter)


def test_the_settings_that_formulas_use_are_given() -> None:
    sheet, _ = of(cw.C45(min_rows=3), "tennis_numeric", "Play")
    assert "Given" in sheet
    assert "CF = 0.25, min_rows = 3" in sheet
    assert "z = 1.96 for intervals of 95 %" in sheet


def test_a_price_that_is_set_is_given_and_where_subtrees_begin_is_asked() -> None:
    sheet, key = of(cw.CART(alpha=0.02), "tennis", "PlayTennis", chapter="Pruning")
    step = sheet[sheet.index("The price of a leaf") :]
    assert re.search(r"α = 0\.02\n +As set\.\n", step)
    assert re.search(r"from α +leaves +risk\n +\S+ _+ +\S+ _+ +\S+ _+\n", step)
    assert "0.07143" not in sheet
    assert "0.07143" in key


def test_no_heading_answers_the_question_before_it() -> None:
    sheet, key = of(cw.C45(), "tennis_numeric", "Play")
    assert "\n3. Branch 1 of step 2\n" in sheet
    assert "Humidity ≤ 75" not in sheet
    assert "\n3. Outlook = Sunny AND Humidity ≤ 75 (2 rows)\n" in key


def test_the_best_cut_and_its_threshold_are_not_told_apart_from_the_others() -> None:
    sheet, key = of(cw.C45(), "tennis_numeric", "Play")
    root = sheet[: sheet.index("\n2. ")]
    assert "Gain(Humidity ≤ 82.5)" not in root
    assert "Gain(Humidity ≤ 82.5)" in key
    assert "Threshold(" not in sheet
    assert "Threshold(Humidity) = 75" in key
    # Of few cuts every one is worked out, the best among them and in its turn.
    below, _ = of(cw.C45(), "tennis_numeric", "Play", at="Outlook = Sunny")
    assert re.findall(r"^ +Gain\(Humidity ≤ ([\d.]+)\) =", below, re.M) == ["77.5", "87.5", "92.5"]


def test_the_best_two_groups_are_asked_for() -> None:
    sheet, key = of(cw.CART(), "tennis", "PlayTennis")
    root = sheet[: sheet.index("\n2. ")]
    assert re.search(r"Outlook × PlayTennis\n +Outlook +No +Yes +rows +Gini\n +\S+ _+ ", root)
    assert "Outlook in {Sunny, Rainy}" in key


def test_what_chaid_merges_is_asked_and_what_is_data_is_given() -> None:
    sheet, key = of(cw.CHAID(min_rows=2, min_leaf=1), "hire", "Hire")
    assert "alpha_merge = 0.05" in sheet
    assert "Bachelors with Masters" not in sheet
    assert "Bachelors or Masters" not in sheet
    assert "p(Bachelors with Masters)" in key
    assert re.search(r"Objective-C +yes +2\n", sheet)
    assert re.search(r"E\(Objective-C, yes\) = .*\n += \S+ _+\n", sheet)


def test_the_true_classes_of_a_logistic_fit_are_given() -> None:
    sheet, _ = of(cw.Logistic(penalty="l2"), "hire", "Hire")
    assert re.search(r"\n +1 +yes +1 +\S+ _+ ", sheet)


def test_descriptions_are_listed_by_name_and_their_scores_asked() -> None:
    with cw.datasets.path("objects").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:  # the class that is described first has several descriptions
        row["Decision"] = {"Yes": "Accept", "No": "Reject"}[row["Decision"]]
    table = cw.read_table(rows, target="Decision")
    sheet, _ = sheet_and_key(cw.derive(cw.ILA().learn(table), table))
    listed = re.findall(r"^ +(\S+ = \S+) +\d +\d +\S+ _+$", sheet[: sheet.index("\n2. ")], re.M)
    assert listed == ["Color = Blue", "Color = Green", "Shape = Box", "Shape = Sphere", "Size = Medium"]


def test_entropies_are_asked_also_where_all_are_whole() -> None:
    step, _ = of(cw.ID3(), "tennis", "PlayTennis", at="Outlook = Sunny")
    assert re.search(r"Humidity = High +3 +0 +3\n", step)
    assert re.search(r"Humidity = Normal +0 +2 +2\n", step)
    assert re.search(r"H\(Humidity = High\) = .*\n += \S+ _+\n", step)
    assert re.search(r"H\(Humidity = Normal\) = .*\n += \S+ _+\n", step)


def test_the_condition_a_rule_gained_is_not_told_by_the_next_heading() -> None:
    sheet, key = of(cw.PRISM(), "tennis", "PlayTennis")
    headings = re.findall(r"^\d+\. Rule.*", sheet, re.M)
    assert headings
    assert not [each for each in headings if "=" in each]
    assert re.search(r"^\d+\. Rule.*=.*which condition next\?", key, re.M)


def test_the_work_of_a_beam_is_listed_by_name_too() -> None:
    sheet, _ = of(cw.CN2(), "tennis", "PlayTennis")
    step = sheet[: sheet.index("\n2. ")]
    worked = re.findall(r"^ +laplace\((.*?)\)", step, re.M)
    assert len(worked) == 5
    assert worked == sorted(worked)


@pytest.mark.slow
def test_every_branch_is_named_by_its_question_also_where_steps_are_left_out() -> None:
    table = book_table("hire_numeric", target="Hire")
    tree = cw.CART(alpha=0.0).learn(table)
    derivation = cw.derive(tree, table)
    growing = [step for step in derivation if step.chapter == "Growing"]
    sheet, _ = sheet_and_key(derivation)
    headings = re.findall(r"^(\d+)\. Branch (\d+) of step (\d+)$", sheet, re.M)
    assert len(headings) == len(growing) - 1
    left_out = Derivation("Fewer", [step for place, step in enumerate(growing) if place != 1])
    fewer, _ = sheet_and_key(left_out)
    for number, branch, above in re.findall(r"^(\d+)\. Branch (\d+) of step (\d+)$", fewer, re.M):
        parent = left_out[int(above) - 1]
        assert isinstance(parent.outcome, BecameSplit)
        assert parent.rows is not None
        rows = left_out[int(number) - 1].rows
        assert rows is not None
        assert rows.when == merged_conditions([*parent.rows.when, parent.outcome.branches[int(branch) - 1]])
