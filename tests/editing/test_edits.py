"""Rules by hand: read, edited, joined, counted and scored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import clearwood as cw
from clearwood import Nominal, Numeric, Ordinal, Schema, datasets
from clearwood.editing import compare_scores, joined, read_rules, recounted
from clearwood.editing.edits import add_rule, change_rule, delete_rules, move_rule, with_otherwise
from clearwood.errors import ColumnError, RuleTextError, SchemaError, SettingError, SourceError
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.rules.rule_text import write_rules
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.table import read_table
from clearwood.table.table import Table
from tests.auditing.test_audit_against_every_row import rule_lists, truth_of
from tests.typed import mistyped, sure

EXPERT = "IF Outlook = Overcast THEN Play\nIF Humidity > 75 THEN Don't Play\nOTHERWISE Play"


@pytest.fixture
def days() -> Table:
    return read_table(datasets.path("tennis_numeric"), target="Play")


def lines(rules: RuleList) -> list[str]:
    return write_rules(rules, counts=False).splitlines()


def test_rules_read_with_a_table_are_counted_on_its_rows(days: Table) -> None:
    rules = read_rules(EXPERT, days)
    assert str(rules).splitlines() == [
        "IF Outlook = Overcast THEN Play = Play  (4 rows, 100 %)",
        "IF Humidity > 75 THEN Play = Don't Play  (7 rows, 57 %)",
        "OTHERWISE Play = Play  (3 rows, 67 %)",
    ]
    assert sure(ClassEvaluation, cw.evaluate(rules, days)).accuracy == pytest.approx(10 / 14)


def test_rules_are_read_from_a_file_whose_name_stands_in_errors(days: Table, tmp_path: Path) -> None:
    place = tmp_path / "rules.txt"
    place.write_text("\ufeff" + EXPERT, encoding="utf-8")
    assert read_rules(place, days) == read_rules(str(place), days) == read_rules(EXPERT, days)
    place.write_text("IF Humidty > 75 THEN Play")
    with pytest.raises(
        RuleTextError, match=r"rules.txt, line 1, column 4: No column 'Humidty'. Did you mean"
    ):
        read_rules(place, days)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"", "There is no rule here"), (b"\x00\x01\x02", "bytes that no text has"), (b"IF \xff", "not UTF-8")],
)
def test_a_file_that_holds_no_rules_is_refused(
    content: bytes, sentence: str, days: Table, tmp_path: Path
) -> None:
    place = tmp_path / "rules.txt"
    place.write_bytes(content)
    with pytest.raises((SourceError, RuleTextError), match=sentence):
        read_rules(place, days)


def test_a_file_that_is_not_there_is_said_so(days: Table) -> None:
    with pytest.raises(SourceError, match=r"Cannot read 'nowhere.txt'.*begin with IF"):
        read_rules("nowhere.txt", days)


@pytest.mark.slow
@given(rule_lists())
def test_each_rule_counts_the_rows_it_answers(rules: RuleList) -> None:
    truth = truth_of(rules)
    rows = [{**row, "class": "abc"[place % 3]} for place, row in enumerate(truth.rows)]
    counted = recounted(rules, rows)
    parts: list[Rule | Otherwise] = [*counted.rules, counted.otherwise]
    for number, rule in enumerate(parts, 1):
        own = [place for place, held in enumerate(truth.held) if (held or (len(rules) + 1,))[0] == number]
        assert rule.counts == tuple(float(sum(place % 3 == code for place in own)) for code in range(3))


def test_rules_that_vote_count_all_rows_they_cover(days: Table) -> None:
    rules = read_rules("RULES VOTE\nALWAYS THEN Play\nIF Outlook = Overcast THEN Play", days)
    assert [rule.counts for rule in rules] == [(5.0, 9.0), (0.0, 4.0)] or [sum(r.counts) for r in rules] == [
        14,
        4,
    ]


def test_rules_that_say_numbers_count_weight_mean_and_error() -> None:
    table = read_table({"x": [1.0, 2.0, 3.0], "y": [10.0, 20.0, 40.0]}, target="y", kinds={"x": "numeric"})
    rules = read_rules("IF x <= 2 THEN y = 12\nOTHERWISE 30", table)
    assert rules.rules[0].counts == (2.0, 15.0, 50.0)
    assert rules.otherwise.counts == (1.0, 40.0, 0.0)


def test_rules_are_added_changed_deleted_and_moved(days: Table) -> None:
    rules = read_rules(EXPERT, days.schema)
    windy = "IF Wind = Strong THEN Don't Play"
    first, second, last = lines(rules)
    new = "IF Wind = Strong THEN Play = Don't Play"
    assert lines(add_rule(rules, windy)) == [first, second, new, last]
    assert lines(add_rule(rules, windy, at=1)) == [new, first, second, last]
    assert lines(change_rule(rules, 2, windy)) == [first, new, last]
    assert lines(delete_rules(rules, 1)) == [second, last]
    assert lines(delete_rules(rules, 1, 2)) == [last]
    assert lines(move_rule(rules, 2, 1)) == [second, first, last]
    assert lines(with_otherwise(rules, None))[-1] == "OTHERWISE nothing"
    assert lines(rules) == [first, second, last]


@pytest.mark.parametrize(
    ("at", "sentence"), [(0, "There is no rule 0"), (3, "the list has 2, counted from 1")]
)
def test_a_rule_that_is_not_there_is_refused(at: int, sentence: str, days: Table) -> None:
    rules = read_rules(EXPERT, days.schema)
    with pytest.raises(SettingError, match=sentence):
        delete_rules(rules, at)
    with pytest.raises(SettingError, match=sentence):
        change_rule(rules, at, "ALWAYS THEN Play")
    with pytest.raises(SettingError, match=sentence):
        move_rule(rules, 1, at)
    with pytest.raises(SettingError, match="number 1 to 3"):
        add_rule(rules, "ALWAYS THEN Play", at=at + 1 if at else 0)


def test_an_edit_keeps_no_count_that_it_made_wrong(days: Table) -> None:
    rules = read_rules(EXPERT, days)
    added = add_rule(rules, "IF Wind = Strong THEN Don't Play", at=2)
    assert added.rules[0].counts == rules.rules[0].counts
    assert added.rules[1].counts == added.rules[2].counts == added.otherwise.counts == ()
    again = recounted(added, days)
    assert sum(sum(rule.counts) for rule in again) + sum(again.otherwise.counts) == 14
    moved = move_rule(rules, 2, 1)
    assert all(rule.counts == () for rule in moved)


def test_an_edit_of_learned_rules_says_so_in_their_origin(days: Table) -> None:
    rules = cw.rules_of(cw.C45().learn(days))
    once = delete_rules(rules, 1)
    assert once.origin.title == f"{rules.origin.title}, edited by hand"
    assert delete_rules(once, 1).origin.title == once.origin.title


def test_scores_stand_before_and_after_with_their_intervals(days: Table) -> None:
    rules = read_rules(EXPERT, days)
    done = compare_scores(rules, delete_rules(rules, 1), training=days, held_out=days.take(days.target >= 0))
    assert done.training is not None
    before, after = done.training
    assert (before, after) == (cw.evaluate(rules, days), cw.evaluate(done.rules, days))
    assert "training  accuracy 71.4 % (45.4 to 88.3 %) → " in str(done)
    assert "held out" in str(done)
    assert sum(sum(rule.counts) for rule in done.rules) + sum(done.rules.otherwise.counts) == 14


def test_an_experts_rules_go_before_or_after_learned_ones(days: Table) -> None:
    learned = cw.rules_of(cw.C45().learn(days))
    expert = read_rules("IF Humidity > 95 THEN Don't Play", days.schema)
    both = joined(expert, learned)
    assert len(both) == len(learned) + 1
    assert both.otherwise.then == learned.otherwise.then
    assert both.rules[0] == expert.rules[0]
    assert joined(learned, expert).otherwise.then == learned.otherwise.then
    assert cw.evaluate(both, days).weight == 14


def test_lists_over_other_columns_join_their_schemas() -> None:
    target = Nominal("y", ("p", "q"))
    one = RuleList(Schema((Nominal("a", ("u", "v")),), target), (Rule((), "p"),))
    two = RuleList(Schema((Nominal("a", ("v", "w")), Numeric("b")), target), (Rule((), "q"),))
    assert joined(one, two).schema.attributes == (Nominal("a", ("u", "v", "w")), Numeric("b"))


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        (Schema((Numeric("a"),), Nominal("y", ("p", "q"))), "'a' is ordinal in one list and numeric"),
        (Schema((), Nominal("z", ("p", "q"))), "One list predicts 'y', the other 'z'"),
        (Schema((), Nominal("y", ("q", "p"))), "different classes of 'y'"),
        (Schema((Ordinal("a", ("v", "u")),), Nominal("y", ("p", "q"))), "ordered otherwise"),
    ],
)
def test_schemas_that_contradict_each_other_are_refused(schema: Schema, sentence: str) -> None:
    one = RuleList(Schema((Ordinal("a", ("u", "v")),), Nominal("y", ("p", "q"))), ())
    with pytest.raises(SchemaError, match=sentence):
        joined(one, RuleList(schema, ()))


def test_a_list_that_votes_joins_none_that_does_not(days: Table) -> None:
    with pytest.raises(SettingError, match="the rules vote"):
        joined(read_rules(EXPERT, days.schema), read_rules("RULES VOTE\nALWAYS THEN Play", days.schema))


def test_a_table_without_a_column_of_the_rules_is_refused(days: Table) -> None:
    with pytest.raises(ColumnError, match="Humidity"):
        recounted(read_rules(EXPERT, days.schema), [{"Outlook": "Sunny", "Play": "Play"}])


@pytest.mark.parametrize("name", ["rules of mine.txt", "iffy rules.txt", "if I may.txt"])
def test_a_file_may_have_a_name_that_begins_like_a_rule(
    name: str, days: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("IF Humidity > 75 THEN Play")
    assert len(read_rules(name, days.schema)) == 1
    with pytest.raises(SourceError, match=r"Cannot read 'iffier rules\.txt'"):
        read_rules("iffier rules.txt", days.schema)


@pytest.mark.parametrize("at", ["1", 1.0, True, [1]])
def test_a_rule_is_named_by_a_number(at: Any, days: Table) -> None:
    rules = read_rules("IF Humidity > 75 THEN Play", days.schema)
    with pytest.raises(SettingError, match="named by its number, from 1"):
        add_rule(rules, "ALWAYS THEN Play", at=at)
    with pytest.raises(SettingError, match="named by its number, from 1"):
        delete_rules(rules, at)
    with pytest.raises(SettingError, match="A rule is a Rule or its text"):
        add_rule(rules, mistyped(3))
