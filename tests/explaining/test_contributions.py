"""Contributions of one row's cells: they add up to the answer, and `explain` shows them for many trees."""

from __future__ import annotations

import math

import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.explaining.contributions import contributions
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from tests.trees import tennis_table, tennis_tree

ROW = {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"}


def bagged() -> cw.Ensemble:
    table = tennis_table()
    nodes = [cw.ID3(max_depth=depth).learn(table).nodes for depth in (None, 2, 1)]
    return cw.Ensemble(table.schema, joined_trees(nodes, "shares"))


def summed() -> cw.Ensemble:
    """Log odds of Yes: −0.5, and twice the step of one tree."""
    table = cw.encode(
        {"x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 1.0, 1.0, 4.0]}, cw.Schema((cw.Numeric("x"),), cw.Numeric("y"))
    )
    steps = joined_trees([cw.CART().learn(table).nodes], "step")
    classes = cw.Schema((cw.Numeric("x"),), cw.Nominal("y", ("No", "Yes")))
    return cw.Ensemble(classes, steps, weights=(2.0,), combined_by="sum", base=(-0.5,), link="logistic")


def test_the_pieces_add_up_to_the_probability_and_the_largest_comes_first() -> None:
    for model in (tennis_tree(), bagged()):
        why = contributions(model, ROW)
        assert why.of == "No"
        assert why.base + math.fsum(each.amount for each in why.pieces) == pytest.approx(why.total)
        assert why.total == pytest.approx(cw.shares(model, [ROW])[0, 0])
        sizes = [abs(each.amount) for each in why.pieces]
        assert sizes == sorted(sizes, reverse=True)


def test_log_odds_against_the_second_class_are_those_for_it_with_the_other_sign() -> None:
    model = summed()
    yes, no = (contributions(model, {"x": 4.0}, called) for called in ("Yes", "No"))
    assert yes.scale == "log odds"
    assert yes.total == -no.total == pytest.approx(7.5)
    assert [each.amount for each in no.pieces] == [-each.amount for each in yes.pieces]
    assert contributions(model, {"x": 4.0}).of == "Yes"
    assert contributions(model, {"x": 1.0}).of == "No"


def test_missing_and_unseen_cells_say_so() -> None:
    why = contributions(bagged(), {"Outlook": "Foggy", "Wind": "Weak"})
    standing = {each.name: each.standing for each in why.pieces}
    assert standing["Outlook"] == "unseen"
    assert standing["Humidity"] == "missing"


def test_a_class_that_is_not_there_is_refused() -> None:
    with pytest.raises(SettingError, match="No class 'Perhaps'"):
        contributions(bagged(), ROW, "Perhaps")


def test_explain_shows_what_moves_the_answer_of_many_trees() -> None:
    explained = cw.explain(bagged(), ROW)
    text = str(explained)
    assert "What moves the probability of No from its mean of 0.36" in text
    assert "Outlook: Sunny" in text
    data = explained.to_json()["why"]["contributions"]
    assert (data["of"], data["scale"]) == ("No", "probability")
    assert "What moves the log odds of Yes" in str(cw.explain(summed(), {"x": 4.0}))


def test_an_ensemble_of_other_models_is_explained_by_its_members_alone() -> None:
    table = tennis_table()
    rules = cw.Ensemble(table.schema, models=(cw.ILA().learn(table), cw.ILA().learn(table)))
    assert cw.explain(rules, ROW).to_json()["why"]["contributions"] is None


def test_a_sum_of_log_odds_has_evidence_that_adds_up_to_its_shares() -> None:
    model = summed()
    why = cw.evidence(model, {"x": 4.0})
    bars = why.bars("Yes", "No")
    assert bars[0].name == "mean of the training rows"
    assert math.fsum(bar.log_odds for bar in bars) == pytest.approx(7.5)
    assert why.shares == pytest.approx(cw.shares(model, [{"x": 4.0}])[0])
    assert why.shares[1] == pytest.approx(1 / (1 + math.exp(-7.5)))
    assert "mean of the training rows" in str(why)
    assert cw.evidence(model, {}).pieces[0].standing == "missing"


def test_a_mean_of_probabilities_has_no_evidence_but_contributions() -> None:
    with pytest.raises(SettingError, match=r"Explain shows what each column adds"):
        cw.evidence(bagged(), ROW)
    with pytest.raises(SettingError, match="against is for linear models"):
        cw.evidence(summed(), {"x": 4.0}, against="zero")


def test_scores_and_contributions_are_of_the_class_answered() -> None:
    table = cw.read_table({"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "y": list("aaabbb")}, target="y")
    model = cw.Boosting(trees=5, min_child=0).learn(table)
    for x, answer in ((1.0, "a"), (6.0, "b")):
        why = cw.explain(model, {"x": x}).to_json()["why"]
        (told,) = why["scores"].items()
        assert told[0] == f"log odds of {answer}"
        assert why["contributions"]["of"] == answer
        assert told[1]["sum"] > 0
