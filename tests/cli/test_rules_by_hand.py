"""Rules audited and edited from the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood import datasets
from clearwood.errors import SchemaError
from tests.cli.conftest import Command

RULES = (
    "IF Outlook = Overcast THEN PlayTennis = Yes\nIF Humidity = High THEN No\nIF Outlook = Overcast THEN No\n"
)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    place = tmp_path / "rules.txt"
    place.write_text(RULES)
    return place


def test_rules_as_text_are_audited_with_the_columns_of_the_data(
    clearwood: Command, rules: Path, tennis: Path
) -> None:
    done = clearwood("audit", rules, tennis)
    assert done.code == 0, done.err
    assert "  2  IF Humidity = High THEN PlayTennis = No" in done.out
    assert "Dead: rule 3 never applies: rule 1 takes every row that satisfies it." in done.out
    assert "Conflicts: 2 pairs of rules can hold at once and disagree; the order decides in 2." in done.out
    assert "Of the table's 14 rows no rule takes 5 (35.7 %)." in done.out
    data = clearwood("audit", rules, tennis, "--json").json
    assert data["dead"] == [{"rule": 3, "behind": [1]}]
    assert data["uncovered"] == 5


def test_a_trees_rules_are_audited_without_data(clearwood: Command, model: Path) -> None:
    done = clearwood("audit", model)
    assert done.code == 0, done.err
    assert "Order: of no effect." in done.out


def test_an_edit_prints_the_list_with_scores_before_and_after(
    clearwood: Command, rules: Path, tennis: Path
) -> None:
    done = clearwood(
        *("edit", rules, "--train", tennis, "--test", tennis, "--delete", 3, "--otherwise", "Yes"),
        *("--add", "IF Wind = Strong AND Outlook = Rainy THEN No", "--place", 1, "--save", "new.txt"),
    )
    assert done.code == 0, done.err
    assert done.out.splitlines()[:4] == [
        "IF Wind = Strong AND Outlook = Rainy THEN PlayTennis = No  (2 rows, 100 %)",
        "IF Outlook = Overcast THEN PlayTennis = Yes  (4 rows, 100 %)",
        "IF Humidity = High THEN PlayTennis = No  (4 rows, 75 %)",
        "OTHERWISE PlayTennis = Yes  (4 rows, 100 %)",
    ]
    assert "training, before  " in done.out
    assert "held out, after   accuracy 92.9 % (13 of 14 rows" in done.out
    table = cw.read_table(tennis, target="PlayTennis")
    text, _, columns = Path("new.txt").read_text().partition("\n\n")
    assert cw.write_rules(cw.read_rules("new.txt", table)) == text
    assert all(line.startswith("#") for line in columns.splitlines())


def test_numbers_are_those_of_the_list_as_it_was(clearwood: Command, rules: Path, tennis: Path) -> None:
    done = clearwood(
        *(
            "edit",
            rules,
            "--train",
            tennis,
            "--move",
            "3:1",
            "--delete",
            1,
            "--change",
            "2:IF Wind = Weak THEN Yes",
        )
    )
    assert [line.split("  (")[0] for line in done.out.splitlines()[:2]] == [
        "IF Outlook = Overcast THEN PlayTennis = No",
        "IF Wind = Weak THEN PlayTennis = Yes",
    ]


def test_a_trees_rules_are_edited_and_saved_as_a_model(clearwood: Command, model: Path, tennis: Path) -> None:
    done = clearwood("edit", model, "--delete", 1, "--save", "fewer.json", "--train", tennis, "--json")
    assert done.code == 0, done.err
    assert done.json["training"]["before"]["accuracy"] == 1.0
    loaded = cw.load("fewer.json")
    assert isinstance(loaded, cw.RuleList)
    assert len(loaded) == 4
    assert clearwood("audit", "fewer.json", tennis).code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["edit", "rules.txt"], "holds rules as text: give the DATA"),
        (["edit", "rules.txt", "--train", "DATA", "--delete", 9], "There is no rule 9: the list has 3"),
        (
            ["edit", "rules.txt", "--train", "DATA", "--add", "IF Wnd = Weak THEN No"],
            "--add, line 1, column 4: No",
        ),
        (["edit", "rules.txt", "--train", "DATA", "--move", "3"], "--move takes N:M, not '3'"),
        (["edit", "rules.txt", "--train", "DATA", "--change", "x:ALWAYS THEN No"], "--change takes N:IF"),
        (["edit", "rules.txt", "--train", "DATA", "--place", 2], "--place says where a rule is added"),
        (["edit", "rules.txt", "--train", "DATA", "--otherwise", "Maybe"], "No class 'Maybe'"),
        (["edit", "rules.txt", "--train", "DATA", "--save", "rules.txt"], "This command reads rules.txt"),
        (["audit", "nothing.txt", "DATA"], "Cannot read 'nothing.txt'"),
        (["audit", "nothing.json"], "No file nothing.json"),
        (["audit", "rules.txt", "DATA", "-t", "Wind"], "line 1, column 28: These rules predict 'Wind'"),
    ],
)
@pytest.mark.usefixtures("rules")
def test_what_is_wrong_is_said_in_a_sentence(
    clearwood: Command, tennis: Path, arguments: list[object], sentence: str
) -> None:
    done = clearwood(*(tennis if each == "DATA" else each for each in arguments))
    assert done.code == 2
    assert sentence in done.err


def test_the_numeric_tennis_table_is_audited_by_what_an_expert_types(
    clearwood: Command, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("if Humidity < 80 then Play  # dry\nelse Don't Play\n")
    done = clearwood("audit", "mine.txt", datasets.path("tennis_numeric"), "--target", "Play")
    assert done.code == 0, done.err
    assert "IF Humidity < 80 THEN Play = Play" in done.out


def test_a_file_without_rules_is_said_so(clearwood: Command, tennis: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("# none yet\n\n")
    done = clearwood("audit", empty, tennis)
    assert done.code != 0
    assert "There is no rule here" in done.err
    assert "is empty. Write one per line, IF … THEN …" in done.err.replace("\n", " ")
    done = clearwood("audit", tennis, tennis)
    assert done.code != 0
    assert "There is no rule here" in done.err


@pytest.fixture
def saved(clearwood: Command, rules: Path, tennis: Path, tmp_path: Path) -> Path:
    """A list of rules as `edit --save` leaves it."""
    place = tmp_path / "mine.txt"
    done = clearwood("edit", rules, "--train", tennis, "--otherwise", "Yes", "--save", place)
    assert done.code == 0, done.err
    return place


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("predict", "{rules}", "{data}"),
        ("show", "{rules}"),
        ("draw", "{rules}", "-o", "{out}.svg"),
        ("explain", "{rules}", "--row", "Outlook=Sunny,Humidity=High"),
        ("audit", "{rules}"),
        ("audit", "{rules}", "{data}"),
        ("derive", "{data}", "--model", "{rules}", "--row", "Outlook=Sunny,Humidity=High"),
        ("report", "{data}", "--model", "{rules}", "-o", "{out}.html"),
        ("edit", "{rules}", "--delete", "3"),
    ],
    ids=lambda command: " ".join(command),
)
def test_saved_rules_work_wherever_a_model_does(
    clearwood: Command, saved: Path, tennis: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    places = {"rules": saved, "data": tennis, "out": tmp_path / "out"}
    done = clearwood(*(each.format(**places) for each in command))
    assert done.code == 0, done.err


def test_saved_rules_answer_as_the_model_they_were_saved_from(
    clearwood: Command, rules: Path, saved: Path, tennis: Path, tmp_path: Path
) -> None:
    other = tmp_path / "mine.json"
    clearwood("edit", rules, "--train", tennis, "--otherwise", "Yes", "--save", other)
    answers = [clearwood("predict", each, tennis).out for each in (saved, other)]
    assert answers[0] == answers[1]
    assert cw.read_rules(saved) == cw.read_rules(saved, cw.load(other).schema)


def test_rules_without_their_columns_name_the_command_that_makes_them_a_model(
    clearwood: Command, rules: Path, tennis: Path
) -> None:
    done = clearwood("predict", rules, tennis)
    assert done.code != 0
    assert f"clearwood edit {rules} --train DATA --save {rules.with_suffix('.json')}" in done.err
    with pytest.raises(SchemaError, match="Give a table or a schema"):
        cw.read_rules(rules)


def test_a_broken_line_of_columns_is_refused_with_its_place(
    clearwood: Command, saved: Path, tennis: Path
) -> None:
    saved.write_text(saved.read_text().replace("#: target {", "#: target ["))
    done = clearwood("predict", saved, tennis)
    assert done.code != 0
    assert "mine.txt, line " in done.err
    assert '#: column {"name": "Humidity", "kind": "numeric"}' in done.err


def _with_schema(clearwood: Command, tennis: Path, place: str, *target: str) -> None:
    assert clearwood("schema", tennis, *target, "--save", place).code == 0


@pytest.mark.slow
@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize(
    "target", [("-t", "PlayTennis"), ()], ids=["with its target", "rules name the target"]
)
@pytest.mark.parametrize(
    "command",
    [
        ("show", "rules.txt"),
        ("predict", "rules.txt", "{tennis}"),
        ("explain", "rules.txt", "--row", "Outlook=Sunny,Humidity=High"),
        ("draw", "rules.txt", "-o", "rules.svg"),
        ("calibration", "rules.txt", "{tennis}"),
        ("report", "{tennis}", "--model", "rules.txt", "-o", "page.html"),
        ("derive", "--model", "rules.txt", "--row", "Outlook=Overcast"),
        ("audit", "rules.txt"),
    ],
    ids=lambda command: command[0],
)
def test_rules_as_text_work_with_their_schema_wherever_a_model_does(
    clearwood: Command, tennis: Path, command: tuple[str, ...], target: tuple[str, ...]
) -> None:
    command_line = [each.format(tennis=tennis) for each in command]
    without = clearwood(*command_line)
    assert without.code != 0
    assert "--schema" in without.err
    _with_schema(clearwood, tennis, "columns.json", *target)
    given = clearwood(*command_line, "--schema", "columns.json")
    assert given.code == 0, given.err
    _with_schema(clearwood, tennis, "rules.schema.json", *target)  # the schema beside the rules needs no name
    beside = clearwood(*command_line)
    assert (beside.code, beside.out) == (0, given.out)


def test_a_model_that_knows_its_columns_takes_no_schema(
    clearwood: Command, model: Path, tennis: Path
) -> None:
    _with_schema(clearwood, tennis, "columns.json")
    done = clearwood("show", model, "--schema", "columns.json")
    assert done.code != 0
    assert "--schema is for rules as text" in done.err


def test_rules_without_rows_claim_no_probability_and_no_interval(
    clearwood: Command, rules: Path, tennis: Path
) -> None:
    _with_schema(clearwood, tennis, "rules.schema.json", "--target", "PlayTennis")
    asked = ("explain", rules, "--row", "Outlook=Sunny,Humidity=High")
    done = clearwood(*asked)
    assert done.code == 0, done.err
    assert done.out.splitlines()[0] == "PlayTennis is No: no rows were counted for this rule."
    assert "probability" not in done.out
    assert "interval" not in done.out
    data = clearwood(*asked, "--json").json
    assert data["answer"] == "No"
    assert data["shares"] is None
    assert data["interval"] is None
    derived = clearwood("derive", "-m", rules, "--row", "Outlook=Sunny,Humidity=High")
    assert "interval" not in derived.out
    predicted = clearwood("predict", rules, tennis, "--intervals")
    assert predicted.code == 0, predicted.err
    assert all(line.endswith(",,") for line in predicted.out.splitlines()[1:])


def test_in_a_learned_list_only_the_rule_that_was_added_by_hand_has_no_probability() -> None:
    table = cw.read_table(datasets.path("tennis"), target="PlayTennis")
    learned = cw.rules_of(cw.ID3().learn(table))
    added = cw.read_rules("IF Temperature = Hot THEN No", table.schema).rules[0]
    rules = replace(learned, rules=(added, *learned.rules))
    row = {"Outlook": "Overcast", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"}
    by_hand, counted = cw.explain(rules, row), cw.explain(rules, row | {"Temperature": "Mild"})
    assert (by_hand.shares, by_hand.interval) == (None, None)
    assert counted.shares == {"No": 0.0, "Yes": 1.0}
    assert counted.interval is not None
    ends = cw.intervals(rules, [row, row | {"Temperature": "Mild"}])
    assert np.isnan(ends).tolist() == [[True, True], [False, False]]


@pytest.mark.parametrize("name", ["saved.txt", "bare.txt", "r.json"])
@pytest.mark.parametrize(
    ("command", "way_out"),
    [
        (("rules", "{data}", "-m", "{model}"), "clearwood edit {model} --train {data}"),
        (("prune", "{model}", "{data}", "--method", "mdl"), "For rules: clearwood edit"),
        (("scorecard", "{model}"), "clearwood fit DATA -l logistic"),
        (("evidence", "{model}", "--row", "Wind=Weak"), "clearwood explain MODEL --row"),
    ],
    ids=lambda part: part[0] if isinstance(part, tuple) else "",
)
def test_a_command_that_is_not_for_rules_names_one_that_is(
    clearwood: Command, rules: Path, tennis: Path, name: str, command: tuple[str, ...], way_out: str
) -> None:
    if name == "bare.txt":
        rules.rename(name)
    else:
        assert clearwood("edit", rules, "--train", tennis, "--save", name).code == 0
    done = clearwood(*(each.format(data=tennis, model=name) for each in command))
    assert done.code == 2
    assert f"{name} holds {'a list of 3 rules' if name == 'r.json' else 'rules as text'}" in done.err
    assert way_out.format(data=tennis, model=name) in done.err
    assert "--schema" not in done.err, "these commands do not take it"
    assert "<" not in done.err, "a sentence, not what Python prints"


def test_shares_of_rules_without_counts_are_left_empty_and_said_to_be(
    clearwood: Command, rules: Path, tennis: Path
) -> None:
    _with_schema(clearwood, tennis, "rules.schema.json", "--target", "PlayTennis")
    done = clearwood("predict", rules, tennis, "--shares")
    assert done.code == 0, done.err
    answered = [line for line in done.out.splitlines()[1:] if not line.endswith((",,0,0", ",,0.0,0.0"))]
    assert len(answered) == 9
    assert all(line.endswith(",,") for line in answered)
    assert (
        "No training rows are counted for the rules that predict 9 rows: their probabilities are left"
        in done.err
    )
    assert "clearwood edit" in done.err
    data = clearwood("predict", rules, tennis, "--shares", "--json").json
    assert None in data["answers"]["share_Yes"]
    assert clearwood("edit", rules, "--train", tennis, "--save", "counted.json").code == 0
    counted = clearwood("predict", "counted.json", tennis, "--shares")
    assert "their shares are left empty" not in counted.err
