"""Rows that a model leaves unanswered are counted whether or not the rows know the truth."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import clearwood as cw
from clearwood.models.decision import Decision
from clearwood.table.sources import blocks as reading
from clearwood.table.sources.blocks import blocks_of
from tests.cli.conftest import Command

RULES = """IF Outlook = Overcast THEN Yes
IF Humidity = High AND Wind = Strong THEN refer
IF Humidity = High THEN No
OTHERWISE refer"""


@pytest.fixture
def days(tennis: Path) -> cw.Table:
    return cw.read_table(tennis, target="PlayTennis")


@pytest.fixture
def new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rows without a class, in blocks: of four, the first is referred and no rule answers the last."""
    rows = [
        "Rainy,Cool,High,Strong",
        "Rainy,Cool,High,Weak",
        "Overcast,Hot,Normal,Weak",
        "Rainy,Cool,Normal,Weak",
    ]
    path = tmp_path / "new.csv"
    path.write_text("\n".join(["Outlook,Temperature,Humidity,Wind", *rows * 4, ""]))
    monkeypatch.setattr(reading, "blocks_of", partial(blocks_of, size=100))
    return path


def test_rows_referred_and_rows_that_no_rule_answers_are_told_apart(
    clearwood: Command, days: cw.Table, new: Path
) -> None:
    cw.save(cw.read_rules(RULES, days), "rules.json")
    done = clearwood("predict", "rules.json", new, "-o", "s.csv")
    note = "8 of 16 rows have no prediction: 4 are referred and 4 are covered by no rule."
    assert note in done.err
    data = clearwood("predict", "rules.json", new, "--json").json
    assert (data["rows"], data["unanswered"], data["referred"]) == (16, 8, 4)
    assert data["answers"]["prediction"][:4] == [None, "No", "Yes", None]


def test_rules_that_vote_leave_rows_that_none_covers(clearwood: Command, days: cw.Table, new: Path) -> None:
    votes = replace(cw.read_rules("IF Outlook = Overcast THEN Yes", days), matching="vote")
    cw.save(votes, "votes.json")
    data = clearwood("predict", "votes.json", new, "--json").json
    assert (data["unanswered"], data["referred"]) == (12, 0)
    assert "12 of 16 rows have no prediction: 12 are covered by no rule." in data["notes"][-1]


def test_a_decision_that_refers_is_counted(clearwood: Command, days: cw.Table, new: Path) -> None:
    cw.save(replace(cw.NaiveBayes().learn(days), decision=Decision(refer=0.999)), "bayes.json")
    done = clearwood("predict", "bayes.json", new)
    assert "16 of 16 rows have no prediction: 16 are referred." in done.err
    always = cw.read_rules("IF Outlook = Overcast THEN Yes\nOTHERWISE No", days)
    cw.save(replace(always, decision=Decision(refer=0.9)), "rules.json")
    data = clearwood("predict", "rules.json", new, "--json").json
    assert data["unanswered"] == data["referred"] == 12


def test_a_number_that_no_rule_answers_is_counted(clearwood: Command, new: Path) -> None:
    schema = cw.Schema((cw.Nominal("Wind", ("Weak", "Strong")),), cw.Numeric("hours"))
    cw.save(cw.read_rules("IF Wind = Strong THEN hours = 2", schema), "hours.json")
    data = clearwood("predict", "hours.json", new, "--json").json
    assert (data["unanswered"], data["referred"]) == (12, 0)


def test_where_every_row_is_answered_nothing_is_noted(clearwood: Command, model: Path, new: Path) -> None:
    data = clearwood("predict", model, new, "--json").json
    assert (data["unanswered"], data["referred"]) == (0, 0)
    assert "unanswered" not in clearwood("predict", model, new).err
