"""Rules that refer: the answer outside the classes, and rows that are left unanswered."""

from __future__ import annotations

import json
import math

import pytest

import clearwood as cw
from clearwood.errors import SchemaError, SettingError
from clearwood.learners.rules.simplifying import simplify_rules
from clearwood.models.files import from_json, to_json
from clearwood.models.kinds.rules.rule_text import write_rules
from clearwood.scoring.evaluation import ClassEvaluation, NumberEvaluation
from clearwood.study.scores import evaluation_to_json, phrase, phrase_of_folds
from tests.book_tables import book_table

TEXT = """IF Outlook = Overcast THEN Yes
IF Humidity = High AND Wind = Strong THEN refer
IF Humidity = High THEN No
OTHERWISE refer"""


@pytest.fixture
def days() -> cw.Table:
    return book_table("tennis", target="PlayTennis")


@pytest.fixture
def rules(days: cw.Table) -> cw.RuleList:
    return cw.read_rules(TEXT, days)


def test_a_rule_that_refers_takes_its_rows_and_leaves_them_unanswered(rules: cw.RuleList) -> None:
    windy = {"Outlook": "Rainy", "Humidity": "High", "Wind": "Strong"}
    assert cw.predict(rules, [windy, {**windy, "Wind": "Weak"}]).tolist() == [None, "No"]
    assert cw.row_predictor(rules)(windy) is None
    assert cw.shares(rules, [windy]).tolist() == [[0.0, 0.0]]


def test_it_is_printed_as_it_was_written_and_reads_back(rules: cw.RuleList) -> None:
    lines = write_rules(rules).splitlines()
    assert lines[1] == "IF Humidity = High AND Wind = Strong THEN refer  (2 rows)"
    assert cw.read_rules("\n".join(lines), rules.schema).rules[1].then is None
    assert rules.otherwise.then is None
    text = to_json(rules)
    assert '"then": null' in text or '"then":null' in text
    assert from_json(text) == rules


def test_where_a_class_has_the_name_it_means_the_class() -> None:
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("y", ("pay", "refer")))
    rules = cw.read_rules("IF x > 1 THEN refer\nIF x > 0 THEN nothing\nOTHERWISE pay", schema)
    assert [rule.then for rule in rules] == ["refer", None]
    assert cw.read_rules(str(rules), schema) == rules


def test_rules_that_vote_cannot_refer() -> None:
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("y", ("no", "yes")))
    with pytest.raises(SchemaError, match="Rule 1: a rule that refers its rows has no class to vote for"):
        cw.read_rules("RULES VOTE\nIF x > 1 THEN refer", schema)


def test_rows_left_unanswered_are_counted_apart(rules: cw.RuleList, days: cw.Table) -> None:
    evaluation = cw.evaluate(rules, days)
    assert isinstance(evaluation, ClassEvaluation)
    assert (evaluation.right, evaluation.weight_answered, evaluation.weight) == (6.0, 7.0, 14.0)
    assert evaluation.accuracy == 6 / 7
    assert phrase(evaluation) == (
        "accuracy 85.7 % (6 of 7 rows predicted; 95 % interval 48.7 to 97.4 %), 7 of 14 without a prediction"
    )
    assert evaluation_to_json(evaluation)["unanswered"] == 7.0


def test_silence_alone_is_neither_right_nor_wrong(days: cw.Table) -> None:
    evaluation = cw.evaluate(cw.read_rules("OTHERWISE nothing", days.schema), days)
    assert isinstance(evaluation, ClassEvaluation)
    assert math.isnan(evaluation.accuracy)
    assert phrase(evaluation) == "none of 14 rows predicted"


def test_folds_count_unanswered_rows_apart() -> None:
    table = book_table("objects", target="Decision")
    validation = cw.cross_validate(cw.ILA(otherwise="abstain"), table, folds=4, seed=4)
    assert isinstance(validation.together, ClassEvaluation)
    assert validation.together.silent == (2.0, 1.0, 0.0)
    assert validation.score == validation.together.accuracy == pytest.approx(3 / 4)  # of the rows predicted
    assert phrase_of_folds(validation).endswith("of the rows predicted; 3 of 7 without a prediction")
    assert str(validation).startswith("accuracy 0.7500 ± 0.2372 over 3 of 4 folds")
    folds = [line.split() for line in str(validation).splitlines()[2:6]]
    assert [accuracy for _, accuracy, _ in folds] == ["0.5", "1", "–", "1"]  # the third predicts no row


def test_numbers_left_unanswered_are_counted_apart() -> None:
    table = cw.read_table({"x": [1, 2, 3, 4], "y": [1.5, 2.0, 7.0, 9.5]}, target="y", kinds={"x": "numeric"})
    rules = cw.read_rules("IF x < 2 THEN 1\nIF x < 3 THEN refer\nIF x < 4 THEN 7", table.schema)
    evaluation = cw.evaluate(rules, table)
    assert isinstance(evaluation, NumberEvaluation)
    assert (evaluation.weight, evaluation.silent, evaluation.absolute) == (2.0, 2.0, 0.5)
    assert "2 rows, 2 more without a prediction" in phrase(evaluation)


def test_the_scores_of_a_rule_that_refers_are_its_rows_alone(rules: cw.RuleList, days: cw.Table) -> None:
    text = str(cw.rule_scores(rules, days))
    assert "IF Humidity = High AND Wind = Strong THEN refer" in text
    assert "nan" not in text


def test_an_audit_knows_that_referring_is_an_answer_of_its_own(days: cw.Table) -> None:
    rules = cw.read_rules("IF Wind = Weak THEN refer\nIF Humidity = High THEN No", days.schema)
    findings = cw.audit(rules)
    assert findings.conflicts_in_all == 1
    assert cw.audit(cw.read_rules("IF Wind = Weak THEN refer", days.schema)).redundant == (1,)


def test_an_explanation_and_a_derivation_say_who_refers(rules: cw.RuleList) -> None:
    windy = {"Outlook": "Rainy", "Temperature": "Mild", "Humidity": "High", "Wind": "Strong"}
    assert "rule 2 of 3 is the first that holds, and it refers the row" in str(cw.explain(rules, windy))
    assert (
        cw.derive(rules, row=windy)[-1].decision == "Rule 2 refers the row: it is left without a prediction."
    )


def test_conditions_of_a_rule_that_refers_are_not_tested(rules: cw.RuleList, days: cw.Table) -> None:
    with pytest.raises(SettingError, match="refers its rows"):
        simplify_rules(rules, days)


def test_the_model_file_is_plain_json(rules: cw.RuleList) -> None:
    assert json.loads(to_json(rules))["body"]["rules"][1]["then"] is None
