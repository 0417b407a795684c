"""Rule scores: each figure counted again row by row, and tables that read well."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from clearwood import datasets
from clearwood.errors import ColumnError, SchemaError, SettingError, SourceError
from clearwood.formulas.conditions import Equals
from clearwood.learners.rules.rules_of import rules_of
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.measures.inference import wilson
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.study.rule_scores import ClassScore, NumberScore, Score, rule_scores, score_lines
from clearwood.table import read_table
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Table
from tests.rule_lists import Row, covers, first_of, rows_of, rules_and_tables
from tests.typed import mistyped

Weighed = list[tuple[Row, str | float, float]]


def weighed(table: Table) -> Weighed:
    target = table.target.tolist()
    truth = [table.schema.classes[code] for code in target] if table.schema.classes else target
    weights = [1.0] * len(table) if table.weights is None else table.weights.tolist()
    return list(zip(rows_of(table), truth, weights, strict=True))


def as_counted(chosen: Weighed, then: str | float, rows: Weighed) -> Score:
    support = sum(w for _, _, w in chosen)
    if not isinstance(then, str):
        if not support:
            return NumberScore(0.0, math.nan, math.nan)
        mean = sum(w * float(y) for _, y, w in chosen) / support
        return NumberScore(
            support, mean, math.sqrt(sum(w * (float(y) - then) ** 2 for _, y, w in chosen) / support)
        )
    right = sum(w for _, y, w in chosen if y == then)
    of_class, total = sum(w for _, y, w in rows if y == then), sum(w for _, _, w in rows)
    confidence = right / support if support else math.nan
    low, high = (float(end) for end in wilson(right, support))
    lift = confidence / (of_class / total) if of_class else math.nan
    return ClassScore(support, right, confidence, low, high, lift, right / of_class if of_class else math.nan)


def figures(score: Score) -> list[float]:
    return [getattr(score, name) for name in score.__slots__]


def same(rules: RuleList, table: Table) -> None:
    rows = weighed(table)
    actual = rule_scores(rules, table).tables["training"]
    firsts = [first_of(rules, row) for row, _, _ in rows]
    for i, rule in enumerate(rules):
        assert rule.then is not None
        covered = [each for each in rows if covers(rule, each[0])]
        reached = (
            covered
            if rules.matching == "vote"
            else [e for e, at in zip(rows, firsts, strict=True) if at == i]
        )
        for score, chosen in ((actual.rules[i].covers, covered), (actual.rules[i].answers, reached)):
            assert figures(score) == pytest.approx(figures(as_counted(chosen, rule.then, rows)), nan_ok=True)
    left = [each for each, at in zip(rows, firsts, strict=True) if at is None]
    if rules.otherwise.then is not None:
        assert len(actual.rules) == len(rules) + 1
        expected = as_counted(left, rules.otherwise.then, rows)
        assert figures(actual.rules[-1].answers) == pytest.approx(figures(expected), nan_ok=True)
    assert actual.rows == pytest.approx(sum(w for _, _, w in rows))


@pytest.mark.slow
@given(example=rules_and_tables())
def test_every_score_of_a_class_is_what_the_rows_say(example: tuple[RuleList, Table]) -> None:
    same(*example)


@pytest.mark.slow
@given(example=rules_and_tables())
def test_a_rule_that_votes_answers_all_it_covers(example: tuple[RuleList, Table]) -> None:
    same(replace(example[0], matching="vote"), example[1])


@pytest.mark.slow
@given(example=rules_and_tables(target="numeric"))
def test_every_score_of_a_number_is_what_the_rows_say(example: tuple[RuleList, Table]) -> None:
    same(*example)


@pytest.mark.slow
@given(example=rules_and_tables())
def test_scores_can_be_read_and_written(example: tuple[RuleList, Table]) -> None:
    rules, table = example
    scores = rule_scores(rules, table, table)
    assert "held out: " in str(scores)
    written = json.loads(json.dumps(scores.to_json(), allow_nan=False))
    assert written["tables"]["training"] == written["tables"]["held out"]


def test_training_and_held_out_rows_stand_side_by_side() -> None:
    schema = Schema((Nominal("a", ("x", "z")), Nominal("b", ("x", "z"))), Nominal("y", ("no", "yes")))

    def table(a: str, b: str, y: str) -> Table:
        cells = {"a": [a_ == "z" for a_ in a], "b": [b_ == "z" for b_ in b], "y": [y_ == "y" for y_ in y]}
        return Table(schema, {name: np.array(column, dtype=np.int32) for name, column in cells.items()})

    rules = RuleList(
        schema,
        (Rule((Equals("a", "x"),), "yes"), Rule((Equals("b", "x"),), "no")),
        Otherwise("yes"),
    )
    scores = rule_scores(rules, table("xxxzz", "xzzxz", "yynny"), table("xz", "xx", "nn"))
    assert str(scores).splitlines() == [
        "training: 5 rows",
        "held out: 2 rows",
        "                                 rows  right  confidence          95 %  lift  coverage",
        "1  IF a = x THEN yes",
        "     training, covers = decides     3      2        0.67  0.21 to 0.94  1.11      0.67",
        "     held out, covers = decides     1      0        0.00  0.00 to 0.79     –         –",
        "2  IF b = x THEN no",
        "     training, covers               2      1        0.50  0.09 to 0.91  1.25      0.50",
        "     training, decides              1      1        1.00  0.21 to 1.00  2.50      0.50",
        "     held out, covers               2      2        1.00  0.34 to 1.00  1.00      1.00",
        "     held out, decides              1      1        1.00  0.21 to 1.00  1.00      0.50",
        "   OTHERWISE",
        "     training, covers = decides     1      1        1.00  0.21 to 1.00  1.67      0.33",
        "     held out, covers = decides     0      0           –  0.00 to 1.00     –         –",
    ]


def test_a_class_the_rules_do_not_know_is_wrong_and_an_empty_one_left_out() -> None:
    schema = Schema((Nominal("a", ("x",)),), Nominal("y", ("no", "yes")))
    wider = Schema((Nominal("a", ("x",)),), Nominal("y", ("no", "yes", "perhaps")))
    cells = {"a": np.zeros(4, np.int32), "y": np.array([1, 2, MISSING, 1], np.int32)}
    rules = RuleList(schema, (Rule((Equals("a", "x"),), "yes"),))
    scored = rule_scores(rules, Table(wider, cells)).tables["training"]
    assert scored.left_out == 1
    assert isinstance(scored.rules[0].covers, ClassScore)
    assert (scored.rules[0].covers.support, scored.rules[0].covers.right) == (3, 2)


def test_numbers_show_their_mean_and_error() -> None:
    table = read_table(
        {"a": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.0, 7.0, 9.0]}, target="y", kinds={"y": "numeric"}
    )
    text = str(rule_scores(rules_of(CART(max_depth=1).learn(table)), table))
    assert "rows  mean  RMSE" in text
    assert "     2     8     1" in text


def test_a_table_that_cannot_be_scored_is_refused() -> None:
    table = read_table(datasets.path("tennis"), target="PlayTennis")
    rules = rules_of(C45().learn(table))
    less = {name: column for name, column in table.columns.items() if name != "Outlook"}
    with pytest.raises(ColumnError, match="No column 'Outlook'"):
        rule_scores(rules, Table(table.schema, less))
    with pytest.raises(SchemaError, match="the column they predict"):
        rule_scores(rules, Table(table.schema, {"Outlook": table.columns["Outlook"]}))
    with pytest.raises(SchemaError, match="no rows"):
        rule_scores(rules, table.take(np.arange(0)))
    with pytest.raises(SourceError, match="must hold dicts"):
        rule_scores(rules, [1])


def test_a_tree_and_plain_columns_are_scored_as_their_rules_and_table() -> None:
    cells = {"x": ["a", "a", "b", "b"] * 3, "y": ["p", "p", "q", "q"] * 3}
    table = read_table(cells, target="y")
    tree = C45().learn(table)
    scores = rule_scores(rules_of(tree), table, table)
    assert rule_scores(tree, cells, cells).to_json() == scores.to_json()
    with pytest.raises(SettingError, match="rule_scores takes a RuleList or Tree, not a str"):
        rule_scores(mistyped("x"), table)


def test_classes_are_counted_in_blocks_and_numbers_within_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["clearwood.predicting.satisfied"], "MOST_BYTES", 0)
    days = read_table(datasets.path("tennis"), target="PlayTennis")
    assert rule_scores(C45().learn(days), days).tables["training"].rows == 14
    numbers = read_table({"x": ["a", "b"] * 8, "y": [1.5, 7.5] * 8}, target="y", kinds={"y": "numeric"})
    with pytest.raises(SettingError, match="as bits; the limit is"):
        rule_scores(CART().learn(numbers), numbers)


def test_lines_come_with_the_rule_and_number_they_are_of() -> None:
    table = read_table(datasets.path("tennis_numeric"), target="Play")
    rules = replace(rules_of(C45().learn(table)), otherwise=Otherwise("Play"))
    scores = rule_scores(rules, table, table)
    laid_out = score_lines(scores)
    assert [(each.number, each.rule) for each in laid_out.rules] == list(enumerate([*rules, None], 1))
    assert {len(each.figures) for each in laid_out.rules} == {2}
    assert [each.ahead for each in laid_out.rules][-2:] == [f"{len(rules)}  ", "   "]
    lines = [*laid_out.heading]
    for each in laid_out.rules:
        lines += [f"{each.ahead}{each.rule or 'OTHERWISE'}", *each.figures]
    assert str(scores).splitlines() == lines
